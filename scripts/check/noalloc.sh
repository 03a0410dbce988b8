#!/usr/bin/env bash
# No allocation, counted: the kernel in static memory under valgrind, which sees every call of
# malloc in the process.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}"

if ! command -v valgrind >/dev/null 2>&1; then
    echo "noalloc: no valgrind here; to have it: apt-get install valgrind"
    exit 77
fi
mkdir -p "$BUILD/tests/programs"
program=$BUILD/tests/programs/noalloc
$CC -std=c11 -O1 -gdwarf-4 -Ikernel/include tests/programs/noalloc.c "$BUILD/libpinion.a" \
    -o "$program"
if ! valgrind --error-exitcode=9 "$program" >"$program.out" 2>"$program.log"; then
    cat "$program.out" "$program.log"
    echo "noalloc: the program failed, or valgrind found an error"
    exit 1
fi
if ! grep -q 'total heap usage: 0 allocs, 0 frees' "$program.log"; then
    cat "$program.log"
    echo "noalloc: the kernel allocates"
    exit 1
fi
echo "noalloc: $(wc -l <"$program.out") runs, 0 allocs, 0 frees, no invalid access"
