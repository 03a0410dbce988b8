# use.sh VERSION: on a machine of machine.sh, installs the packages of /packages/one, uses them like
# anybody who has no checkout, purges them, and looks for what is left.
set -euo pipefail
version=$1
cd /tmp
export DEBIAN_FRONTEND=noninteractive

fail() {
    echo "packages: $*" >&2
    exit 1
}

# All but what a package manager keeps about itself.
files() {
    find /etc /usr /opt /var '(' -path /var/lib/dpkg -o -path /var/log -o -path /var/cache ')' \
        -prune -o -print | LC_ALL=C sort
}

files >before
dpkg --install /packages/one/*.deb >installed || { cat installed; fail "not installed"; }
files | comm -13 before - >ours
[ "$(wc -l <ours)" -gt 100 ] || fail "the packages brought only $(wc -l <ours) files"
dpkg --verify libpinion1 libpinion-dev pinion pinion-doc

[ "$(pinion version | cut -d ' ' -f 2)" = "$version" ] || fail "the program is not $version"
pinion compare --workload zheng:0,slots=50 --policies fifo,srpt --quiet --format table
pinion compare --workload zheng:0,slots=50 --policies fifo --output page.html --quiet
grep -q dygraph page.html || fail "pages have no charts"
pinion paper tian --only table1 --seeds 2 --output paper --quiet |
    grep "compared with the reference: all agree"
for policy in /usr/share/pinion/policies/*/*.lua; do pinion policies "$policy" >/dev/null; done
lua5.4 -e 'local pinion = require "pinion"; print("module " .. pinion.version)'
lua5.4 /usr/share/pinion/papers/zheng/main.lua --only example --seeds 2 --output paper --quiet |
    grep "compared with the reference: all agree"
cp -r /usr/share/doc/pinion/examples .
lua5.4 examples/lua/first.lua >/dev/null

# shellcheck disable=SC2046  # flags are words
cc -Wall -Werror examples/c/host.c $(pkg-config --cflags --libs pinion) -o host
ldd host | grep 'libpinion.so.1 => /' || fail "the host does not use the shared library"
./host
# shellcheck disable=SC2046
cc -Wall -Werror examples/c/host_with_lua.c $(pkg-config --cflags --libs pinion-lua) -o lua_host
./lua_host examples/policies/patient.lua
if /usr/bin/python3 -c 'import ctypes' 2>/dev/null; then
    /usr/bin/python3 examples/python/simulate.py
else
    echo "no python3 here, its example is left out"
fi
for file in /usr/share/man/man1/pinion.1.gz /usr/share/zsh/vendor-completions/_pinion \
    /usr/share/bash-completion/completions/pinion /usr/share/doc/pinion/docs/results.md; do
    [ -s $file ] || fail "$file is missing"
done

dpkg --purge pinion pinion-doc libpinion-dev libpinion1 >purged ||
    { cat purged; fail "not purged"; }
files | comm -13 before - >left
[ ! -s left ] || fail "left behind: $(tr '\n' ' ' <left)"
! find /var/lib/dpkg /var/cache /var/log -name '*pinion*' | grep . || fail "left behind"
! ldconfig -p | grep pinion || fail "the loader's cache still knows the library"
