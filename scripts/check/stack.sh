#!/usr/bin/env bash
# How much stack each public call takes at most, on a Cortex-M3 and on x86-64, from the call graphs
# of gcc: against the head comments of the public headers and the table in docs/embedding.md. Fails
# where the kernel recurs or calls what no source says.
#   stack.sh            compare
#   stack.sh --update   renew these texts
#   stack.sh --all      every public call, the deepest first
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
export LC_ALL=C

work=$BUILD/stack
major=12 # of the compilers by which the texts were made

skip() {
    echo "stack: $*"
    exit 77
}

[ "$(uname -m)" = x86_64 ] || skip "the texts are about x86-64 and are made there"
for compiler in arm-none-eabi-gcc gcc; do
    command -v $compiler >/dev/null 2>&1 ||
        skip "no $compiler here; to have it: make sizes, or apt-get install gcc-arm-none-eabi gcc"
    case $($compiler -dumpversion) in
    "$major" | "$major".*) ;;
    *) skip "the texts are made by version $major of $compiler, here is another one" ;;
    esac
done
rm -rf "$work"

# graphs NAME COMPILER FLAGS...: what calls what, and the frames, of each file
graphs() {
    local folder=$work/$1
    mkdir -p "$folder"
    # shellcheck disable=SC2016  # for the shell that is started
    find kernel -name '*.c' -print0 | xargs -0 -P 2 -I{} sh -c '
        source=$1 folder=$2
        shift 2
        "$@" -c "$source" -o "$folder/$(echo "${source%.c}" | tr / _).o"' \
        graph {} "$folder" "${@:2}" -std=c11 -fcallgraph-info=su,da -Ikernel/include -Ikernel
}

graphs Cortex-M3 arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -ffreestanding
graphs x86-64 gcc -O2 -fno-math-errno -fPIC -fvisibility=hidden
lua5.4 scripts/check/stack.lua "$@" "Cortex-M3=$work/Cortex-M3" "x86-64=$work/x86-64"
