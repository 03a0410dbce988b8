#!/usr/bin/env bash
# What compilers and hosts can do to the kernel's arithmetic: it is refused when the kernel is
# compiled, or pn_selftest finds it; and the program does not start in such a mode.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}"

work=$BUILD/selftest
rm -rf "$work" && mkdir -p "$work"
kernel=$PWD/kernel
seen=0

fail() {
    echo "selftest: $*"
    exit 1
}

cat >"$work/host.c" <<'C'
#include <stdio.h>
#include "pn_base.h"

int main(void)
{
    puts(pn_status_name(pn_selftest()));
    return 0;
}
C

# says STATUS HOST_FLAGS KERNEL_FLAGS COMPILER: the base of the kernel by one set of flags, the host
# by another, which is linked by its own
says() {
    local status=$1 printed
    rm -f "$work"/*.o
    # shellcheck disable=SC2086  # lists of flags
    (cd "$work" && "$4" -std=gnu11 -O2 $3 -I"$kernel/include" -I"$kernel" -c "$kernel"/base/*.c &&
        "$4" $2 -I"$kernel/include" host.c ./*.o -o host)
    printed=$("$work/host")
    [ "$printed" = "$status" ] || fail "$4, host '$2', kernel '$3': $printed, expected $status"
    seen=$((seen + 1))
}

# refused FLAGS COMPILER: kernel/include/pn_strict.h does
refused() {
    # shellcheck disable=SC2086
    if "$2" -std=c11 $1 -Ikernel/include -Ikernel -c kernel/base/selftest.c -o "$work/refused.o" \
        2>"$work/refused.txt"; then
        fail "$2 $1 compiles the kernel"
    fi
    grep -q '#error\|error: "\?-f\|error: "doubles' "$work/refused.txt" ||
        fail "$2 $1: $(head -n 1 "$work/refused.txt")"
    seen=$((seen + 1))
}

fused=
if grep -qw fma /proc/cpuinfo 2>/dev/null; then fused=-mfma; fi
for compiler in gcc clang; do
    command -v $compiler >/dev/null 2>&1 || continue
    refused -ffast-math $compiler
    refused -ffinite-math-only $compiler
    says PN_OK -O0 "$fused" $compiler
done
if command -v gcc >/dev/null 2>&1; then
    # The sources override it.
    says PN_OK -O0 "$fused -ffp-contract=fast" gcc
    refused "-fassociative-math -fno-signed-zeros -fno-trapping-math" gcc
    # Programs that gcc links with this flag set subnormal numbers to zero when they start.
    [ "$(uname -m)" != x86_64 ] || says PN_ERR_SUBNORMAL "-O2 -ffast-math" "" gcc
fi
# With clang it overrides the sources.
if [ -n "$fused" ] && command -v clang >/dev/null 2>&1; then
    says PN_ERR_CONTRACTED -O0 "$fused -ffp-contract=fast" clang
fi
if gcc -m32 -x c /dev/null -S -o /dev/null 2>/dev/null &&
    echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o "$work/narrow" 2>/dev/null &&
    "$work/narrow" 2>/dev/null; then
    refused "-m32 -mfpmath=387" gcc
    says PN_ERR_CONTRACTED -m32 "-m32 -mfpmath=387 -DPN_STRICT_FLOATING_POINT" gcc
fi

# The program, with a library that changes the mode before it starts.
for mode in UPWARD TOWARDZERO; do
    printf '#include <fenv.h>\n__attribute__((constructor)) static void set(void)\n%s\n' \
        "{ fesetround(FE_$mode); }" >"$work/mode.c"
    "$CC" -shared -fPIC "$work/mode.c" -o "$work/mode.so" -lm
    status=0
    LD_PRELOAD=$work/mode.so "$BUILD/pinion" --version >"$work/program.txt" 2>&1 || status=$?
    if [ $status != 1 ] || ! grep -q 'rounding is not to nearest' "$work/program.txt"; then
        fail "the program starts with FE_$mode: $(head -n 1 "$work/program.txt")"
    fi
    seen=$((seen + 1))
done
"$BUILD/pinion" --version >/dev/null
echo "selftest: $seen builds and modes are refused or judged as they must be"
