#!/usr/bin/env bash
# The kernel without a C library: every file is compiled with the compiler's own headers alone, and
# all of them together need nothing but memcpy, memmove, memset, memcmp and abort. With gcc and,
# where they are there, clang, clang for WebAssembly and tcc, whose program must print the golden
# digests.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
export LC_ALL=C

work=$BUILD/freestanding
rm -rf "$work" && mkdir -p "$work"
mapfile -t sources < <(find kernel -name '*.c' | sort)
done=()

fail() {
    echo "freestanding: $*"
    exit 1
}

# compile NAME COMPILER FLAGS...: one object for each source, in a folder NAME
compile() {
    local name=$1
    shift
    mkdir -p "$work/$name"
    # shellcheck disable=SC2016  # for the shell that is started
    printf '%s\n' "${sources[@]}" | xargs -P 2 -I{} sh -c '
        source=$1 folder=$2
        shift 2
        "$@" -c "$source" -o "$folder/$(echo "${source%.c}" | tr / _).o"' \
        compile {} "$work/$name" "$@" -std=c11 -Ikernel/include -Ikernel ||
        fail "$name does not compile the kernel"
}

# needs NAME LINKER NM [ALLOWED]: links the objects to one and looks at what it lacks
needs() {
    "$2" -r "$work/$1"/*.o -o "$work/$1/whole"
    "$3" --undefined-only "$work/$1/whole" | awk '{ print $NF }' |
        grep -vxE "memcpy|memmove|memset|memcmp|abort|_GLOBAL_OFFSET_TABLE_${4+|$4}" \
            >"$work/$1/foreign" || true
    [ ! -s "$work/$1/foreign" ] || fail "$1 needs $(paste -sd ' ' "$work/$1/foreign")"
    done+=("$1")
}

strict="-Wall -Wextra -pedantic -Werror -ffreestanding -nostdinc -isystem"
if command -v gcc >/dev/null 2>&1; then
    # shellcheck disable=SC2086  # a list of flags
    compile gcc gcc -O2 $strict "$(gcc -print-file-name=include)"
    needs gcc ld nm
fi
if command -v clang >/dev/null 2>&1; then
    headers=$(clang -print-resource-dir)/include
    # shellcheck disable=SC2086
    compile clang clang -O2 $strict "$headers"
    needs clang ld nm
    if command -v wasm-ld >/dev/null 2>&1 && command -v llvm-nm >/dev/null 2>&1; then
        # shellcheck disable=SC2086
        compile wasm32 clang --target=wasm32 -O2 $strict "$headers"
        needs wasm32 wasm-ld llvm-nm '__stack_pointer|__indirect_function_table'
    fi
fi
# tcc brings no <stdint.h>, and of its own run-time library it uses the conversions between uint64_t
# and double.
if command -v tcc >/dev/null 2>&1; then
    compile tcc tcc
    needs tcc ld nm '__(fixunsdfdi|floatundidf)'
    tcc -D_POSIX_C_SOURCE=200809L -Ikernel/include -Itests tests/programs/digests.c \
        "$work"/tcc/*.o -o "$work/tcc/digests"
    "$work/tcc/digests" >"$work/tcc/digests.txt"
    diff tests/golden/digests.txt "$work/tcc/digests.txt" >"$work/tcc/differences" || {
        head -n 10 "$work/tcc/differences"
        fail "a program by tcc prints other digests"
    }
else
    echo "freestanding: no tcc here, left out; to have it: apt-get install tcc"
fi
[ ${#done[@]} -gt 0 ] || { echo "freestanding: neither gcc, clang nor tcc here"; exit 77; }
echo "freestanding: ${#sources[@]} files need five functions at most, by ${done[*]}"
