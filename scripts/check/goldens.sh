#!/bin/bash
# The same numbers from every compiler, optimisation level and process: builds the kernel with
# tests/programs/digests.c in several ways and compares what it prints with
# tests/golden/digests.txt.
#   goldens.sh             compare; a difference prints the new values
#   goldens.sh --library   the library as it is built alone: one compiler, one level
#   goldens.sh --32-bit    the same with 32-bit builds for x86; status 77 where they cannot be made
#                          or run
#   goldens.sh --update    renew the file, deliberately: a change of behaviour, to be named in the
#                          change log
set -euo pipefail
cd "$(dirname "$0")/../.."

golden=tests/golden/digests.txt
work=${BUILD:-build}/golden
mkdir -p "$work"

compilers=()
for candidate in gcc clang; do
    if command -v "$candidate" >/dev/null 2>&1; then
        compilers+=("$candidate")
    else
        echo "goldens: no $candidate here, left out"
    fi
done
[ ${#compilers[@]} -gt 0 ] || compilers=("${CC:-cc}")

# No flag but the sources keep multiplications and additions apart: kernel/include/pn_strict.h.
# gnu11 and machines that can fuse them try that.
fused=
if grep -qw fma /proc/cpuinfo 2>/dev/null; then
    fused=" -march=x86-64-v3"
else
    echo "goldens: this machine has no fused multiply-add of x86-64, builds for it are left out"
fi
levels=("-std=c11 -O0" "-std=gnu11 -O3$fused")

# build COMPILER FLAGS…: the program and what it prints, in a folder named after both
build() {
    local dir=$work/${*// /}
    dir=${dir// /}
    mkdir -p "$dir"
    rm -f "$dir/digests.txt"
    # shellcheck disable=SC2046  # a list of sources
    "$@" -fno-math-errno -Ikernel/include -Ikernel -Itests $(find kernel -name "*.c") \
        tests/programs/digests.c -o "$dir/digests"
    ${runner-} "$dir/digests" >"$dir/digests.txt"
}
export -f build
export work

if [ "${1-}" = --update ]; then
    build "${compilers[0]}" -std=c11 -O2
    diff "$golden" "$work/${compilers[0]}-std=c11-O2/digests.txt" || true
    cp "$work/${compilers[0]}-std=c11-O2/digests.txt" "$golden"
    echo "goldens: $(wc -l <"$golden") values written to $golden"
    exit
fi

skip() {
    echo "goldens: $*"
    exit 77
}

# 32 bit: how this machine runs such programs; empty = by itself.
if [ "${1-}" = --32-bit ]; then
    export runner=
    printf 'int main(void) { return 0; }\n' >"$work/empty.c"
    gcc -m32 "$work/empty.c" -o "$work/empty" 2>/dev/null ||
        skip "no 32-bit C library here; to have it: apt-get install gcc-multilib"
    if ! "$work/empty" 2>/dev/null; then
        runner=$(command -v qemu-i386-static || command -v qemu-i386) ||
            skip "no 32-bit programs run here; to run them: apt-get install qemu-user-static"
    fi
    compilers=(gcc)
    levels=("-std=c11 -O1 -m32 -msse2 -mfpmath=sse")
fi

variants=()
for compiler in "${compilers[@]}"; do
    for level in "${levels[@]}"; do variants+=("$compiler $level"); done
done
failed=0
# The library as it is built, whose flags are those of the Makefile.
compare_library() {
    mkdir -p "$work/library"
    "${CC:-cc}" -std=c11 -O2 -Ikernel/include -Itests tests/programs/digests.c \
        "${BUILD:-build}/libpinion.a" -o "$work/library/digests"
    "$work/library/digests" >"$work/library/digests.txt" || failed=1
    diff "$golden" "$work/library/digests.txt" || {
        echo "goldens: the library as it is built differs (< expected, > printed)"
        failed=1
    }
}
case ${1-} in
--library)
    compare_library
    [ $failed = 0 ] || exit 1
    echo "goldens: $(wc -l <"$golden") values agree in the library as it is built"
    exit
    ;;
--32-bit) ;;
*) [ ! -f "${BUILD:-build}/libpinion.a" ] || compare_library ;;
esac
printf '%s\n' "${variants[@]}" | xargs -P 2 -I{} bash -euc 'build {}' || {
    echo "goldens: a build or a run of it failed"
    failed=1
}
for variant in "${variants[@]}"; do
    printed=$work/${variant// /}/digests.txt
    if ! cmp -s "$golden" "$printed"; then
        echo "goldens: $variant differs (< expected, > printed):"
        diff "$golden" "$printed" || true
        failed=1
    fi
done
agreed="goldens: $(wc -l <"$golden") values agree in"
list=$(IFS=, && echo "${variants[*]}")
if [ "${1-}" = --32-bit ]; then
    [ $failed = 0 ] || exit 1
    echo "$agreed 32-bit builds ($list)"
    exit
fi

# Fresh processes: addresses differ from one to the next, results may not.
program=$work/${variants[1]// /}/digests
printf '%s\n' 1 2 3 4 5 6 7 8 |
    xargs -P 2 -I{} bash -euc "'$program' >'$work/process-{}.txt'"
for i in 1 2 3 4 5 6 7 8; do
    if ! cmp -s "$work/${variants[1]// /}/digests.txt" "$work/process-$i.txt"; then
        echo "goldens: process $i printed other values than the first"
        failed=1
    fi
done

[ $failed = 0 ] || {
    echo "goldens: if this change is meant, scripts/check/goldens.sh --update renews $golden"
    exit 1
}
echo "$agreed the library and ${#variants[@]} builds ($list) and 8 processes"
