#!/usr/bin/env bash
# The same results on every machine: the golden digests (tests/programs/digests.c) and the scenarios
# of tests/targets on other processors, simulated by QEMU; on a Cortex-M3 and as WebAssembly without
# a C library; and blocks that x86-64 sealed, opened there or refused. What is measured is compared
# with the table in docs/guarantees.md.
#   targets.sh            all of it (make test-targets)
#   targets.sh sample     what a minute has room for (make test): a machine of the other order of
#                         bytes, one without an operating system, and one that opens sealed blocks
#   targets.sh --update   all of it, and renew the table
# Compilers and simulators are the machine's, or those that setup.sh unpacked into build/targets.
# What is not there is left out, and said; status 77 where something is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}" "${JOBS:=2}"
export LC_ALL=C

mode=${1-all}
page=docs/guarantees.md
golden=tests/golden/digests.txt
values=$(wc -l <"$golden")
work=$BUILD/targets
mkdir -p "$work"
rows=() failed=0 missing=0
table=$work/table
# Found behind what the machine has.
for folder in "$work"/tools/*/; do
    [ -d "$folder" ] || continue
    folder=$(cd "$folder" && pwd)
    PATH=$PATH:$folder/usr/bin
    for libraries in "$folder"/usr/lib/x86_64-linux-gnu "$folder"/lib/x86_64-linux-gnu; do
        LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$libraries
    done
done
export PATH LD_LIBRARY_PATH

fail() {
    echo "targets: $*"
    failed=1
}

# ---- one build -----------------------------------------------------------------------------------

# kernel FOLDER COMPILER FLAGS...: the kernel's objects
kernel() {
    local folder=$1
    shift
    rm -rf "$(dirname "$folder")" && mkdir -p "$folder"
    # shellcheck disable=SC2016  # for the shell that is started
    find kernel -name '*.c' -print0 | xargs -0 -P "$JOBS" -I{} sh -c '
        source=$1 folder=$2
        shift 2
        "$@" -c "$source" -o "$folder/$(echo "${source%.c}" | tr / _).o"' \
        compile {} "$folder" "$@"
}

include="-Ikernel/include -Ikernel -Itests -Itests/targets"
scenarios=tests/targets/scenarios.c
bare=tests/targets/libc/libc.c

# digests NAME COMMAND...: whether this prints the golden ones; if not, how many of them
digests() {
    local printed=$work/$1/digests.txt
    "${@:2}" >"$printed" </dev/null || fail "$1: the program of the golden digests fails"
    echo all >"$work/$1/digests"
    diff "$golden" "$printed" >"$work/$1/differences" || {
        fail "$1 differs (< expected, > printed):"
        head -n 10 "$work/$1/differences"
        echo "$(grep -cFxf "$golden" "$printed") of $values" >"$work/$1/digests"
    }
}

# scenarios_of NAME COMMAND...: whether the scenarios end as here
scenarios_of() {
    "${@:2}" >"$work/$1/scenarios.txt" </dev/null || fail "$1: the scenarios fail"
    diff <(cut -d ' ' -f 1-2 "$work/here/scenarios.txt") \
        <(cut -d ' ' -f 1-2 "$work/$1/scenarios.txt") || fail "$1: its scenarios end otherwise"
    echo "$(wc -l <"$work/$1/scenarios.txt") of $(wc -l <"$work/here/scenarios.txt")" \
        >"$work/$1/scenarios"
}

# sealed NAME COMMAND...: what becomes of blocks from here
sealed() {
    local got
    "${@:2}" read "$work/here/blocks" >"$work/$1/sealed.txt" || fail "$1: sealed blocks fail"
    got=$(cut -d ' ' -f 2 "$work/$1/sealed.txt" | sort -u)
    if cmp -s "$work/here/sealed.txt" "$work/$1/sealed.txt"; then
        echo opened
    elif [ "$got" = PN_ERR_VERSION ]; then
        echo refused
    else
        diff "$work/here/sealed.txt" "$work/$1/sealed.txt" >&2
        echo broken
    fi >"$work/$1/seals"
}

# row NAME WHAT COMPILER FLAGS: into the table, with what was measured; "-" where nothing was
row() {
    local cells=() cell
    for cell in digests scenarios seals; do
        cells+=("$(cat "$work/$1/$cell" 2>/dev/null || echo -)")
    done
    rows+=("| \`${1%-clang}\` | $2 | $3 | \`$4\` | ${cells[0]} | ${cells[1]} | ${cells[2]} |")
}

version() { # COMPILER: "gcc 12"
    case $1 in
    *clang*) echo "clang $(clang -dumpversion | cut -d . -f 1)" ;;
    *) echo "gcc $("$1" -dumpversion | cut -d . -f 1)" ;;
    esac
}

# has NAME PROGRAM...: whether all of them are there
has() {
    local program
    for program in "${@:2}"; do
        command -v "$program" >/dev/null 2>&1 && continue
        echo "targets: $1 is left out, no $program here; to have it as root: make test-targets"
        missing=1
        return 1
    done
}

# exported FOLDER COMMAND LIBRARY...: builds the host of an exported policy (docs/embedding.md)
exported() {
    "$BUILD/pinion" export examples/policies/patient.lua --output "$1/patient.c"
    # shellcheck disable=SC2086  # a list of flags
    $2 examples/c/host_exported.c "$1/patient.c" "${@:3}" -o "$1/exported"
}

here() {
    local folder=$work/here library=$BUILD/libpinion.a program
    mkdir -p "$folder"
    if [ ! -f "$library" ]; then
        # shellcheck disable=SC2086  # a list of flags
        kernel "$folder/kernel" "$CC" -std=c11 -O1 $include
        library=$(echo "$folder"/kernel/*.o)
    fi
    for program in run sealed; do
        # shellcheck disable=SC2086  # lists of flags and files
        "$CC" -std=c11 -O1 $include "tests/targets/$program.c" $scenarios $library \
            -o "$folder/$program"
    done
    rm -rf "$folder/blocks" && mkdir "$folder/blocks"
    # shellcheck disable=SC2086  # a list of files
    exported "$folder" "$CC -std=c11 $include" $library
    "$folder/exported" >"$folder/exported.txt"
    "$folder/run" >"$folder/scenarios.txt"
    "$folder/sealed" write "$folder/blocks" >"$folder/sealed.txt"
}

# linux NAME WHAT SIMULATOR TRIPLE FLAGS...: a machine with Linux and a C library, by gcc; by clang
# if NAME ends so, with the libraries of gcc
linux() {
    local name=$1 what=$2 simulator=qemu-$3-static triple=$4 flags="${*:5}" folder=$work/$1
    local compiler=$triple-gcc command=$triple-gcc program
    has "$name" "$compiler" "$simulator" || return 0
    if [[ $name = *-clang ]]; then
        has "$name" clang || return 0
        compiler=clang
        command="clang --target=$triple --gcc-toolchain=$(dirname "$(command -v "$command")")/.."
    fi
    command+=" -std=c11 $flags $include"
    # shellcheck disable=SC2086  # lists of flags
    kernel "$folder/kernel" $command
    for program in run sealed; do
        # shellcheck disable=SC2086
        $command -static "tests/targets/$program.c" $scenarios "$folder"/kernel/*.o \
            -o "$folder/$program"
    done
    scenarios_of "$name" "$simulator" "$folder/run"
    sealed "$name" "$simulator" "$folder/sealed"
    if [ "$part" = all ]; then
        # shellcheck disable=SC2086
        $command -static tests/programs/digests.c "$folder"/kernel/*.o -o "$folder/digests"
        digests "$name" "$simulator" "$folder/digests"
    fi
    row "$name" "$what" "$(version $compiler)" "$flags"
}

# both NAME COMMAND LIBRARIES RUNNER: the two programs that need no C library
both() {
    local name=$1 folder=$work/$1 command=$2 libraries=$3 runner=$4
    # shellcheck disable=SC2086  # lists of flags
    $command tests/targets/run.c $scenarios $bare "$folder"/kernel/*.o $libraries -o "$folder/run"
    # shellcheck disable=SC2086
    scenarios_of "$name" $runner "$folder/run"
    [ "$part" = all ] || return 0
    # shellcheck disable=SC2086
    $command tests/programs/digests.c $bare "$folder"/kernel/*.o $libraries -o "$folder/digests"
    # shellcheck disable=SC2086
    digests "$name" $runner "$folder/digests"
}

# stack_of FILE: whether the scenarios used no more stack than docs/embedding.md says of a
# Cortex-M3, with 1 KB for the scenario itself
stack_of() {
    awk '
        NR == FNR && /^[|] `pn_[a-z]*.h` [|]/ {
            header = substr($2, 5, length($2) - 7)
            for (i = 4; i < NF; i++) # "3560," of a Cortex-M3, then 4136 of x86-64
                if ($i ~ /,$/ && $i + 0 > most[header]) most[header] = $i + 0
        }
        NR == FNR { next }
        { model = $1 == "exact" ? "makespan" : $1 }
        $4 == 0 || $4 > most[model] + 1024 {
            print $1 ": " $4 " bytes of stack, the page says " most[model]
            bad = 1
        }
        END { exit bad }' docs/embedding.md "$1" || fail "the table of stacks is wrong"
}

cortex() {
    local name=cortex-m3 flags="-Os" command simulator=qemu-system-arm
    has $name arm-none-eabi-gcc $simulator || return 0
    command="arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c11 $flags -ffreestanding $include"
    command+=" -isystem tests/targets/libc"
    # shellcheck disable=SC2086  # lists of flags
    kernel "$work/$name/kernel" $command -ffunction-sections -fdata-sections
    simulator+=" -M mps2-an385 -display none -monitor none -serial none -chardev stdio,id=out"
    simulator+=" -semihosting-config enable=on,target=native,chardev=out -kernel"
    command+=" -fno-tree-loop-distribute-patterns -nostdlib -T tests/targets/cortex.ld"
    both $name "$command -Wl,--gc-sections tests/targets/cortex.c" -lgcc "$simulator"
    stack_of "$work/$name/scenarios.txt"
    exported "$work/$name" "$command -Wl,--gc-sections tests/targets/cortex.c $bare" \
        "$work/$name"/kernel/*.o -lgcc
    # shellcheck disable=SC2086  # a list of flags
    $simulator "$work/$name/exported" </dev/null | diff "$work/here/exported.txt" - ||
        fail "$name: the host of an exported policy prints something else"
    row $name "Cortex-M3, no operating system" "$(version arm-none-eabi-gcc)" "$flags"
}

wasm() {
    local name=wasm32 flags="-O1" command
    has $name clang wasm-ld node || return 0
    command="clang --target=wasm32 -std=c11 $flags -ffreestanding -fno-builtin -nostdinc $include"
    command+=" -isystem $(clang -print-resource-dir)/include -isystem tests/targets/libc"
    # shellcheck disable=SC2086  # lists of flags
    kernel "$work/$name/kernel" $command
    command+=" -nostdlib -Wl,--no-entry,--allow-undefined,-z,stack-size=262144"
    both $name "$command tests/targets/wasm.c" "" "node tests/targets/wasm.mjs"
    row $name "WebAssembly, in node" "$(version clang)" "$flags"
}

# ---- all of them ---------------------------------------------------------------------------------

here
part=all
if [ "$mode" = sample ]; then
    linux s390x "64 bits, big-endian" s390x s390x-linux-gnu -O1
    part=few
    linux aarch64 "64 bits" aarch64 aarch64-linux-gnu -O1
    cortex
else
    linux aarch64 "64 bits" aarch64 aarch64-linux-gnu -O1
    linux aarch64-clang "64 bits" aarch64 aarch64-linux-gnu -O2
    linux armhf "32 bits" arm arm-linux-gnueabihf -O2
    linux i686 "32 bits" i386 i686-linux-gnu -O2 -msse2 -mfpmath=sse
    linux mips "32 bits, big-endian" mips mips-linux-gnu -O2
    linux ppc64le "64 bits" ppc64le powerpc64le-linux-gnu -O3
    linux riscv64 "64 bits" riscv64 riscv64-linux-gnu -O2
    linux s390x "64 bits, big-endian" s390x s390x-linux-gnu -O1
    linux s390x-clang "64 bits, big-endian" s390x s390x-linux-gnu -O2
    cortex
    wasm
fi

# ---- against the page ----------------------------------------------------------------------------

[ ${#rows[@]} -gt 0 ] || {
    echo "targets: no compiler for another machine here"
    exit 77
}
title='| machine | what it is | compiler | options | golden digests | scenarios | sealed blocks |'
{
    echo "$title"
    echo "$title" | sed 's/[^|]*|/ --- |/g; s/^ --- |/|/'
    printf '%s\n' "${rows[@]}"
} >"$table"
cat "$table"
if [ "$mode" = --update ]; then
    [ $failed = 0 ] && [ $missing = 0 ] || exit 1
    awk -v title="$title" -v table="$table" '
        $0 == title { while ((getline line <table) > 0) print line; inside = 1 }
        inside && /^\|/ { next }
        { inside = 0; print }' "$page" >"$work/page"
    cp "$work/page" "$page"
    echo "targets: $page is renewed"
    exit
fi
# Of the page, the rows without the versions of compilers; what was not measured may be anything.
awk -F ' *[|] *' '
    { sub(/ [0-9]+$/, "", $4); key = $2 "|" $3 "|" $4 "|" $5 }
    NR == FNR { for (i = 6; i <= 8; i++) said[key, i] = $i; known[key] = 1; next }
    FNR > 2 && !known[key] { print "targets: the page has no row of " key; bad = 1; next }
    FNR > 2 { for (i = 6; i <= 8; i++) if ($i != "-" && $i != said[key, i]) {
        print "targets: " $2 ": " $i ", the page says " said[key, i]; bad = 1 } }
    END { exit bad }' "$page" "$table" || failed=1
[ $failed = 0 ] || {
    echo "targets: if only the page is wrong, scripts/check/targets.sh --update renews it"
    exit 1
}
echo "targets: ${#rows[@]} builds agree with x86-64: $(printf '%s\n' "${rows[@]}" |
    cut -d ' ' -f 2 | paste -sd ' ')"
[ $missing = 0 ] || [ "$mode" = sample ] || exit 77
