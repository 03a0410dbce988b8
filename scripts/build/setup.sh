#!/bin/sh
# Sees to it that what a build step needs is installed: through apt when root or sudo can, else by
# saying the exact line to run.
#   setup.sh build | test | figures | 32-bit
#       install what is missing of that set (figures, 32-bit: never fails)
#   setup.sh argparse-path
#       print where lua-argparse's module lies
set -eu

has_library() { command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "$1"; }

argparse_path() {
    for dir in /usr/share/lua/5.4 /usr/local/share/lua/5.4; do
        if [ -r "$dir/argparse.lua" ]; then echo "$dir/argparse.lua"; return 0; fi
    done
    return 1
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
        command -v clang-format >/dev/null 2>&1 || echo clang-format
        ;;
    figures) command -v gnuplot >/dev/null 2>&1 || echo gnuplot-nox ;;
    32-bit) [ "$(uname -m)" != x86_64 ] || missing_32_bit ;;
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
    set -- $as_root apt-get install -y -qq --no-remove --no-install-recommends "$@"
    "$@" >/dev/null 2>&1 && return 0
    $as_root apt-get update -qq && "$@" >/dev/null
}

[ "${1-}" = argparse-path ] && { argparse_path; exit; }
packages=$(missing "${1:?build, test, figures or argparse-path}" | tr '\n' ' ')
[ -z "$packages" ] && exit 0
# shellcheck disable=SC2086  # a list of package names
if ! install_packages $packages; then
    case $1 in
    figures) without="no figures without gnuplot" ;;
    32-bit) without="no tests of 32-bit builds" ;;
    *) without= ;;
    esac
    if [ -n "$without" ]; then
        echo "$without; to have them: sudo apt-get install $packages" >&2
        exit 0
    fi
    echo "missing: $packages" >&2
    echo "run:  sudo apt-get install --no-install-recommends $packages" >&2
    exit 1
fi
