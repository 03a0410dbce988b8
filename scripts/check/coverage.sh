#!/usr/bin/env bash
# The whole suite by a second compiler, clang 19, which counts what the suite covers: lines,
# branches and conditions (MC/DC) of the kernel and of C in lua/. scripts/check/coverage.lua states
# what must be covered.
#   coverage.sh                 builds, runs the suite, and damages more blocks than the suite;
#                               judges
#   coverage.sh show [FOLDER]   judges again what has been counted; with a folder or a file, the
#                               open conditions there
#   coverage.sh add NAME...     runs these checks once more, adds what they cover, and judges
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${JOBS:=$(nproc)}" "${MAKE:=make}"
unset MAKEFLAGS MFLAGS MAKELEVEL
built=$BUILD/coverage
# Runs of each model whose blocks are damaged.
DAMAGED=50
export LLVM_PROFILE_FILE=$PWD/$built/counts/%2m.profraw

for program in clang llvm-profdata llvm-cov; do
    command -v $program-19 >/dev/null 2>&1 && continue
    echo "left out: no $program-19 here; to have it: make setup"
    exit 77
done

build() {
    "$MAKE" --no-print-directory "-j$JOBS" BUILD="$built" CC=clang-19 COVERAGE=1 OPT=-O1 \
        all programs >"$built.log" 2>&1 && return
    tail -n 20 "$built.log"
    exit 1
}

# Fails if clang does not count a decision of the kernel, as one has a decision inside it.
check_counted() {
    local file
    for file in $(find kernel -name '*.c'); do
        clang-19 -std=c11 -Ikernel/include -Ikernel -fprofile-instr-generate -fcoverage-mapping \
            -fcoverage-mcdc -DPN_COVERAGE -c "$file" -o /dev/null 2>&1 |
            sed -n 's/: warning: unsupported MC.*/: a decision that is not counted/p'
    done | { ! grep .; }
}

run() { # NAME, or nothing for the whole suite
    BUILD=$built CC=clang-19 T=${1-} bash scripts/check/all.sh suite
}

judge() { # [FOLDER]
    local objects=() program
    for program in "$built"/{pinion,libpinion.so} $(find "$built/tests" -type f -perm -u+x); do
        objects+=(-object "$program")
    done
    llvm-profdata-19 merge -sparse "$built"/counts/*.profraw -o "$built/counts.profdata"
    llvm-cov-19 export -instr-profile="$built/counts.profdata" -skip-functions -skip-expansions \
        "${objects[@]}" >"$built/counts.json" 2>"$built/export.log"
    "$BUILD/pinion" run scripts/check/coverage.lua "$built/counts.json" "$@"
}

case ${1-} in
'')
    rm -rf "$built/counts"
    mkdir -p "$built/counts"
    check_counted
    build
    run || failed=1
    "$built/tests/contract/damage" $DAMAGED
    judge
    [ -z "${failed-}" ] || exit 1
    ;;
show) judge "${@:2}" ;;
add)
    build
    for name in "${@:2}"; do run "$name"; done
    judge
    ;;
*)
    sed -n '2,/^set/s/^# //p' "$0" >&2
    exit 2
    ;;
esac
