#!/usr/bin/env bash
# The kernel by every compiler that is here: as one file (`make amalgamation`) it compiles with the
# compiler's own headers alone and without a warning, each model by itself and all of them; it needs
# five functions at most, shows what libpinion.a shows, and gives the golden digests at every level
# of optimisation, in 64 and 32 bits, with musl in place of glibc, and in every process. The same
# sources make the same bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${JOBS:=$(nproc)}"
export LC_ALL=C

work=$BUILD/compilers
golden=tests/golden/digests.txt
rm -rf "$work" && mkdir -p "$work/again"
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Werror'
export work golden warnings
left_out=()

fail() {
    echo "compilers: $*"
    exit 1
}

has() { # PROGRAM...
    command -v "$1" >/dev/null 2>&1 && return
    left_out+=("$1")
    return 1
}

sh scripts/build/amalgamation.sh "$work"
(umask 077 && sh scripts/build/amalgamation.sh "$work/again")
cmp "$work/pinion.c" "$work/again/pinion.c" && cmp "$work/pinion.h" "$work/again/pinion.h"
models=$(sed -n 's/^ \*   PN_WITH_\([A-Z]*\).*/\1/p' "$work/pinion.c")
[ -n "$models" ] || fail "pinion.c names no models"

# ---- the builds ----------------------------------------------------------------------------------

# Prints a build per line: NAME RUNNER COMPILER FLAGS; the longest first. RUNNER runs its program:
# `-`: nothing is needed for that; `none`: it cannot be run here. What gcc warns of depends on what
# it inlines, so it compiles at three levels. No flag but the sources keep multiplications and
# additions apart (kernel/include/pn_strict.h): gnu11 and a machine that can fuse them try that.
list_builds() {
    local compiler model
    [ -z "$bits32" ] || echo "gcc-32-bit $bits32 gcc -std=c11 -O1 -m32 -msse2 -mfpmath=sse"
    for compiler in "${compilers[@]}"; do
        echo "$compiler-O3 - $compiler -std=gnu11 -O3 -march=native"
        echo "$compiler-O0 - $compiler -std=c11 -O0"
        [ "$compiler" != gcc ] || echo "gcc-O2 - gcc -std=c11 -O2 -ffreestanding"
    done
    for compiler in "${compilers[@]}"; do
        for model in $models; do
            echo "$compiler-$model none $compiler -std=c11 -O0 -DPN_WITH_$model"
        done
    done
    [ -z "$wasm" ] || echo "wasm32 none clang --target=wasm32 -std=c11 -O2 -ffreestanding"
    [ -z "$tcc" ] || echo "tcc - tcc -std=c11"
    [ -z "$musl" ] || echo "musl-gcc - musl-gcc -std=c11 -O2 -static"
}

# How programs of 32 bits run here: `-`, QEMU, or empty.
run_32_bit() {
    local runner
    printf 'int main(void) { return 0; }\n' >"$work/empty.c"
    gcc -m32 "$work/empty.c" -o "$work/empty" 2>/dev/null || return 0
    ! "$work/empty" 2>/dev/null || { echo - && return; }
    for runner in qemu-i386-static qemu-i386; do
        ! command -v $runner >/dev/null || { echo $runner && return; }
    done
}

# build NAME RUNNER COMPILER FLAGS...: an object, the names that it shows, and what its program
# prints. The freestanding ones see the compiler's own headers alone. What an object needs besides
# the five functions belongs to the compiler: tables of addresses, arithmetic of 64 bits.
build() {
    local name=$1 runner=$2 object=$work/$1.o nm=nm strict
    read -ra strict <<<"$warnings"
    shift 2
    # Sizes have 32 bits there.
    case $name in *32*) strict=("${strict[@]/-Wconversion/-Wall}") ;; esac
    case $name in
    gcc-O2) strict+=(-nostdinc -isystem "$(gcc -print-file-name=include)") ;;
    wasm32) strict+=(-nostdinc -isystem "$(clang -print-resource-dir)/include") ;;
    tcc) strict=() ;;
    esac
    [ "$name" != wasm32 ] || nm=llvm-nm
    "$@" "${strict[@]}" -c "$work/pinion.c" -o "$object"
    $nm "$object" | awk '$(NF - 1) == "U" { print $NF }' | grep -vxE \
        -e 'memcpy|memmove|memset|memcmp|abort' \
        -e '_GLOBAL_OFFSET_TABLE_|__stack_pointer|__indirect_function_table' \
        -e '__fixunsdfdi|__floatundidf|__ctzdi2|__u?divdi3|__u?moddi3' >"$object.foreign" &&
        { echo "$object needs $(paste -sd ' ' "$object.foreign")"; return 1; }
    $nm --defined-only "$object" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort -u >"$object.shown"
    [ "$runner" != none ] || return 0
    # The support of tests finds pn_strict.h behind all others.
    "$@" -D_POSIX_C_SOURCE=200809L -I"$work" -Itests -Ikernel/include tests/programs/digests.c \
        "$object" -o "$work/$name"
    "${runner/#-/env}" "$work/$name" >"$work/$name.txt"
    diff "$golden" "$work/$name.txt" >"$work/$name.diff" ||
        { echo "$name: other digests (< expected):" && head -n 9 "$work/$name.diff" && return 1; }
}
export -f build

compilers=() bits32='' wasm='' tcc='' musl=''
for compiler in gcc clang; do
    if has $compiler; then compilers+=("$compiler"); fi
done
[ ${#compilers[@]} -gt 0 ] || { echo "compilers: neither gcc nor clang here"; exit 77; }
if command -v gcc >/dev/null 2>&1; then
    bits32=$(run_32_bit)
    [ -n "$bits32" ] || left_out+=("32 bit (gcc-multilib, and qemu-user-static to run it)")
fi
if command -v clang >/dev/null 2>&1 && has llvm-nm; then wasm=yes; fi
if has tcc; then tcc=yes; fi
if has musl-gcc; then musl=yes; fi
grep -qw fma /proc/cpuinfo 2>/dev/null || left_out+=("fused multiply-add")
list_builds >"$work/builds"
# shellcheck disable=SC2016  # for the shell that is started
xargs -P "$JOBS" -L 1 bash -euo pipefail -c 'build "$@"' build <"$work/builds" ||
    fail "a build fails, warns, needs more than five functions or gives other digests"

# ---- what they show, and processes ---------------------------------------------------------------

first=${compilers[0]}
nm --defined-only "$BUILD/libpinion.a" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort -u >"$work/library"
diff "$work/library" "$work/$first-O0.o.shown" ||
    fail "pinion.c does not show what libpinion.a shows"

# What is not the kernel is read by clang, too.
if command -v clang >/dev/null 2>&1; then
    # Those of tests/proof include Frama-C's headers.
    sources=$(find lua tests -name '*.c' -not -path 'tests/abi/*' -not -path 'tests/proof/*' \
        -not -path 'tests/targets/*' -not -name 'recipe_*')
    # shellcheck disable=SC2086,SC2046  # lists
    echo $sources | xargs -P "$JOBS" -n 8 clang -std=c11 -fsyntax-only $warnings \
        -D_POSIX_C_SOURCE=200809L -Ikernel/include -Ikernel -Ilua/include -Ilua -Itests \
        $(pkg-config --cflags lua5.4) || fail "clang warns of the front end or the tests"
fi

# What each model brings: names of its own, of the room that it stands on, and of base.
for model in $models; do
    with=$(sed -n "s/^ \*   PN_WITH_$model, with PN_WITH_//p" "$work/pinion.c")
    for other in $models; do
        case $other in "$model" | "$with") continue ;; esac
        grep -x "pn_$(echo "$other" | tr '[:upper:]' '[:lower:]')_.*" \
            "$work/$first-$model.o.shown" >"$work/strange" &&
            fail "PN_WITH_$model brings $(head -n 1 "$work/strange")"
    done
done

# Addresses differ from one process to the next, results may not.
printf '%s\n' 1 2 3 4 5 6 7 8 |
    xargs -P "$JOBS" -I{} sh -c "'$work/$first-O3' | cmp - $golden" ||
    fail "a process prints other digests than the first"
ran=$(awk '$2 != "none" { print $1 }' "$work/builds" | paste -sd ' ')
compiled=$(awk '$2 == "none" { print $1 }' "$work/builds" | wc -l)
# What is left out comes first: the line is cut where checks are listed.
echo "compilers: ${left_out[0]+left out: $(IFS=, && echo "${left_out[*]}"); }$(wc -l <$golden)" \
    "digests by $ran and 8 processes; $compiled other builds"
