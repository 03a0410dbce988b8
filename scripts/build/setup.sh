#!/bin/sh
# Sees to it that what a build step needs is installed: through apt when root or sudo can, else by
# saying the exact line to run.
#   setup.sh build | test | database | page | figures | form | compilers | 32-bit | deb | browser
#            | sizes | abi | peers | python | r | playground | coverage
#            | proof | faults
#       install what is missing of that set (database, page, figures, 32-bit: never fails); for the
#       browser also playwright-core from npm, into build/browser
#   setup.sh extras
#       all sets that only some checks need, one after the other; says which cannot be had
#   setup.sh argparse-path
#       print where lua-argparse's module lies
#   setup.sh python-path
#       print the interpreter for tests: python3, or Debian's where that one alone has pandas
#   setup.sh dygraphs-script | dygraphs-styles | dygraphs-licence
#       print that text of dygraphs, which draws the charts of pages; nothing where it is missing
#   setup.sh engines
#       unpack what is missing of Slurm, GNU parallel and OpenSSH into build/engines, which installs
#       nothing: the machine gets no services, users or settings from them
#   setup.sh targets | sample
#       unpack what is missing of compilers for other machines, and of what simulates these, into
#       build/targets/tools, for they and gcc-multilib cannot both be installed; or of those of the
#       sample in `make test`
set -eu

: "${BUILD:=build}" "${DYGRAPHS:=/usr/share/javascript/dygraphs}"

has_library() { command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "$1"; }

argparse_path() {
    for dir in /usr/share/lua/5.4 /usr/local/share/lua/5.4; do
        if [ -r "$dir/argparse.lua" ]; then echo "$dir/argparse.lua"; return 0; fi
    done
    return 1
}

# Without the comments that lead to files which a page does not have.
dygraphs() { # FILE
    [ ! -r "$1" ] || grep -v '^ *\(//\|/\*\)# sourceMappingURL=' "$1" || true
}

# Programs of 32 bits for x86, and where the system does not run them, a machine that does.
missing_32_bit() {
    program=$(mktemp)
    echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o "$program" 2>/dev/null ||
        echo gcc-multilib
    # Without the C library, a program that ends at once shows whether the system runs its kind.
    echo 'void _start(void) { __asm__ volatile("int $0x80" : : "a"(1), "b"(0)); }' |
        gcc -m32 -nostdlib -static -x c - -o "$program" 2>/dev/null
    "$program" 2>/dev/null || command -v qemu-i386-static >/dev/null 2>&1 ||
        command -v qemu-i386 >/dev/null 2>&1 || echo qemu-user-static
    rm -f "$program"
}

# PROGRAM PACKAGE: what runs sweeps on many machines.
ENGINES='slurmctld slurmctld
slurmd slurmd
sbatch slurm-client
munged munge
parallel parallel
sshd openssh-server
ssh openssh-client
ip iproute2'

# PROGRAM PACKAGE...: compilers for other machines, and what simulates them; first the sample.
TARGETS='qemu-aarch64-static qemu-user-static
qemu-system-arm qemu-system-arm
s390x-linux-gnu-gcc gcc-s390x-linux-gnu libc6-dev-s390x-cross
aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross
arm-none-eabi-gcc gcc-arm-none-eabi
arm-linux-gnueabihf-gcc gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
i686-linux-gnu-gcc gcc-i686-linux-gnu libc6-dev-i386-cross
mips-linux-gnu-gcc gcc-mips-linux-gnu libc6-dev-mips-cross
powerpc64le-linux-gnu-gcc gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross
riscv64-linux-gnu-gcc gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
clang clang
wasm-ld lld
node nodejs'

# MODULE PACKAGE: what tests of the package for Python use where it is there.
PYTHON='pandas python3-pandas
matplotlib python3-matplotlib
nbconvert jupyter-nbconvert
ipykernel python3-ipykernel
setuptools python3-setuptools
wheel python3-wheel
pip python3-pip'

python_path() {
    for path in python3 /usr/bin/python3; do
        if "$path" -c 'import pandas' 2>/dev/null; then echo "$path"; return 0; fi
    done
    echo python3
}

python_packages() {
    echo "$PYTHON" | while read -r module package; do
        /usr/bin/python3 -c "from importlib import util; assert util.find_spec('$module')" \
            2>/dev/null || echo "$package"
    done
}

targets() { # COUNT: of the list, from its beginning
    echo "$TARGETS" | head -n "$1" | while read -r program packages; do
        # shellcheck disable=SC2086  # a list of packages
        command -v "$program" >/dev/null 2>&1 || [ -d "$BUILD/targets/tools/$program" ] ||
            sh scripts/build/unpack.sh "$BUILD/targets/tools/$program" $packages
    done
}

missing() {
    command -v pkg-config >/dev/null 2>&1 || echo pkg-config
    case $1 in
    build)
        has_library lua5.4 || echo liblua5.4-dev
        has_library jansson || echo libjansson-dev
        has_library zlib || echo zlib1g-dev
        argparse_path >/dev/null || echo lua-argparse
        ;;
    test)
        has_library cmocka || echo libcmocka-dev
        command -v lua5.4 >/dev/null 2>&1 || echo lua5.4
        ;;
    form) command -v clang-format >/dev/null 2>&1 || echo clang-format ;;
    compilers)
        command -v clang >/dev/null 2>&1 || echo clang
        command -v tcc >/dev/null 2>&1 || echo tcc
        command -v musl-gcc >/dev/null 2>&1 || echo musl-tools
        command -v valgrind >/dev/null 2>&1 || echo valgrind
        ;;
    coverage)
        command -v clang-19 >/dev/null 2>&1 || echo clang-19
        command -v llvm-cov-19 >/dev/null 2>&1 || echo llvm-19
        [ -d /usr/lib/llvm-19/lib/clang ] || echo libclang-rt-19-dev
        ;;
    database) has_library sqlite3 || echo libsqlite3-dev ;;
    page) [ -r "$DYGRAPHS/dygraph.min.js" ] || echo libjs-dygraphs ;;
    figures) command -v gnuplot >/dev/null 2>&1 || echo gnuplot-nox ;;
    playground)
        command -v emcc >/dev/null 2>&1 || echo emscripten
        command -v dpkg-source >/dev/null 2>&1 || echo dpkg-dev
        [ -r /usr/share/javascript/codemirror/codemirror.js ] || echo libjs-codemirror
        ;;
    browser)
        command -v chromium >/dev/null 2>&1 || echo chromium
        command -v pdftoppm >/dev/null 2>&1 || echo poppler-utils
        command -v npm >/dev/null 2>&1 || echo npm
        ;;
    sizes) command -v arm-none-eabi-gcc >/dev/null 2>&1 || echo gcc-arm-none-eabi ;;
    peers) python3 -c 'import simpy' 2>/dev/null || echo python3-simpy3 ;;
    proof)
        command -v frama-c >/dev/null 2>&1 || echo frama-c-base
        command -v why3 >/dev/null 2>&1 || echo why3
        command -v z3 >/dev/null 2>&1 || echo z3
        command -v cvc4 >/dev/null 2>&1 || echo cvc4
        ;;
    python) python_packages ;;
    r)
        command -v Rscript >/dev/null 2>&1 || echo r-base-core
        for library in jsonlite RSQLite; do
            Rscript -e "library($library)" >/dev/null 2>&1 ||
                echo "r-cran-$library" | tr '[:upper:]' '[:lower:]'
        done
        ;;
    faults) command -v strace >/dev/null 2>&1 || echo strace ;;
    abi) command -v abidiff >/dev/null 2>&1 || echo abigail-tools ;;
    32-bit) [ "$(uname -m)" != x86_64 ] || missing_32_bit ;;
    deb)
        for set in build database page; do missing $set; done
        command -v dh >/dev/null 2>&1 || echo debhelper
        command -v dpkg-buildpackage >/dev/null 2>&1 || echo dpkg-dev
        command -v lintian >/dev/null 2>&1 || echo lintian
        ;;
    engines)
        [ -d "$BUILD/engines" ] || echo "$ENGINES" | while read -r program package; do
            command -v "$program" >/dev/null 2>&1 || echo "$package"
        done
        ;;
    *) echo "setup.sh: unknown set '$1'" >&2; exit 2 ;;
    esac
}

# Removes nothing: gcc-multilib, for one, conflicts with cross compilers.
install_packages() {
    command -v apt-get >/dev/null 2>&1 || return 1
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root=sudo
    else
        return 1
    fi
    echo "installing: $*"
    export DEBIAN_FRONTEND=noninteractive
    apt="$as_root apt-get -qq -o DPkg::Lock::Timeout=600"
    set -- $apt install -y --no-remove --no-install-recommends "$@"
    "$@" >/dev/null 2>&1 && return 0
    update "$apt" && "$@" >/dev/null
}

# apt waits for the lock of packages, but not for the one of their lists.
update() { # APT
    tries=0
    until $1 update; do
        tries=$((tries + 1))
        [ $tries -lt 10 ] || return 1
        sleep 6
    done
}

# Sets are installed one after the other, also when make asks for several at once.
if [ -z "${PINION_SETUP_LOCKED-}" ] && command -v flock >/dev/null 2>&1; then
    export PINION_SETUP_LOCKED=1
    exec flock "$0" sh "$0" "$@"
fi

case ${1-} in
extras)
    for set in figures form compilers 32-bit browser engines deb sizes abi peers python r \
        playground coverage proof faults sample; do
        sh "$0" $set || echo "make setup: left out: $set" >&2
    done
    exit
    ;;
targets) targets 13; exit ;;
sample) targets 5; exit ;;
argparse-path) argparse_path; exit ;;
python-path) python_path; exit ;;
dygraphs-script) dygraphs "$DYGRAPHS/dygraph.min.js"; exit ;;
dygraphs-styles) dygraphs "$DYGRAPHS/dygraph.min.css"; exit ;;
dygraphs-licence) dygraphs /usr/share/doc/libjs-dygraphs/copyright; exit ;;
esac
packages=$(missing "${1:?a set, see the head of this file}" | tr '\n' ' ')
# Its version is known to drive the browsers of several years.
playwright() {
    [ "$1" = browser ] || return 0
    [ -d "$BUILD/browser/node_modules/playwright-core" ] ||
        npm install --no-audit --no-fund --silent --prefix "$BUILD/browser" playwright-core@1
}

if [ -z "$packages" ]; then
    playwright "$1"
    exit
fi
install=install_packages
[ "$1" != engines ] || install="sh scripts/build/unpack.sh $BUILD/engines"
# shellcheck disable=SC2086  # a list of package names
if ! $install $packages; then
    case $1 in
    database) without="no data bases of results without SQLite" ;;
    page) without="no charts in pages without dygraphs" ;;
    figures) without="no figures without gnuplot" ;;
    32-bit) without="no tests of 32-bit builds" ;;
    *) without= ;;
    esac
    if [ -n "$without" ]; then
        echo "$without; to have them: sudo apt-get install $packages" >&2
        exit 0
    fi
    echo "missing: $packages" >&2
    [ "$1" != engines ] || exit 1
    echo "run:  sudo apt-get install --no-install-recommends $packages" >&2
    exit 1
fi
playwright "$1"
