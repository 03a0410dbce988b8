#!/usr/bin/env bash
# Runs the fuzz targets of tests/fuzz with libFuzzer, and prints how many inputs each has tried.
#   fuzz.sh SECONDS [TARGET...]        under ASan and UBSan
#   fuzz.sh quick SECONDS [TARGET...]  without them, for several times as many inputs: only the
#                                      targets' own checks and the kernel's assertions fail
#   fuzz.sh merge [TARGET...]          replaces each corpus by as few inputs, of the corpus and of
#                                      what was found, as reach the same code; those that once
#                                      failed, found-*, stay
# What is found is kept in build/fuzz/found; an input that fails is build/fuzz/found/TARGET-crash-*.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${MAKE:=make}" "${JOBS:=$(nproc)}"
unset MAKEFLAGS MFLAGS MAKELEVEL
built=$BUILD/fuzz found=$BUILD/fuzz/found
if ! command -v clang >/dev/null 2>&1; then
    echo "left out: no clang here; to have it: make setup"
    exit 77
fi

build() { # [VARIABLE=VALUE...]
    "$MAKE" --no-print-directory "-j$JOBS" fuzz BUILD="$BUILD" "$@" >"$BUILD/fuzz.log" 2>&1 &&
        return
    tail -n 20 "$BUILD/fuzz.log"
    exit 1
}

run() { # TARGET SECONDS
    mkdir -p "$found/$1"
    # shellcheck disable=SC2046  # folders
    "$built/tests/fuzz/$1" -max_total_time="$2" -max_len=4096 -timeout=60 -print_final_stats=1 \
        -artifact_prefix="$found/$1-" "$found/$1" \
        $(sh scripts/check/replay.sh --inputs "$1") >"$found/$1.log" 2>&1 ||
        { tail -n 40 "$found/$1.log"; exit 1; }
    awk -v target="$1" '/number_of_executed_units/ { count = $2 }
        /average_exec_per_sec/ { rate = $2 }
        END { printf "%-10s %12d inputs, %d a second\n", target, count, rate }' "$found/$1.log"
}

merge() { # TARGET
    local least=$found/$1.least
    rm -rf "$least"
    mkdir -p "$least" "$found/$1"
    "$built/tests/fuzz/$1" -merge=1 -use_counters=0 -max_len=4096 "$least" "tests/fuzz/corpus/$1" \
        "$found/$1" >"$found/$1.log" 2>&1 || { tail -n 40 "$found/$1.log"; exit 1; }
    echo "$1: $(ls "tests/fuzz/corpus/$1" | wc -l) inputs become $(ls "$least" | wc -l)"
    cp "tests/fuzz/corpus/$1"/found-* "$least" 2>/dev/null || true
    rm -rf "tests/fuzz/corpus/$1"
    mv "$least" "tests/fuzz/corpus/$1"
}

how=${1-}
shift || true
case $how in
quick)
    built=$BUILD/quick/fuzz
    seconds=${1:?seconds}
    shift
    BUILD=$BUILD/quick
    mkdir -p "$BUILD"
    build SANITIZERS=-fsanitize=fuzzer-no-link OPT=-O2
    ;;
merge) build ;;
[0-9]*)
    seconds=$how
    build
    ;;
*)
    sed -n '2,/^set/s/^# //p' "$0" >&2
    exit 2
    ;;
esac
mkdir -p "$found"
[ $# -gt 0 ] || set -- $(ls tests/fuzz/corpus)
for target in "$@"; do
    if [ "$how" = merge ]; then merge "$target"; else run "$target" "$seconds"; fi
done
