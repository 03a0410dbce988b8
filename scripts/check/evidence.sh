#!/usr/bin/env bash
# How far tests and proofs reach, in figures: docs/guarantees.md states them.
#   evidence.sh [PART...]   coverage: what the suite covers, by a second compiler, and blocks whose
#                                     numbers are changed (ten minutes)
#                           proof:    contracts of kernel/base (ten minutes)
#                           faults:   small commands, with every error of every operation on files,
#                                     and with refusals of memory for every stack of calls that
#                                     allocates (a quarter of an hour)
#                           fuzz:     every target for SECONDS_FUZZ seconds, 60 unless set
#                           mutants:  small changes of all files that tests/mutants.txt has judged
#                                     (hours)
#                           without a part: all of them
# A part whose programs are missing is skipped; the others run also when one fails.
set -uo pipefail
: "${BUILD:=build}"
cd "$(dirname "$0")/../.." || exit
[ $# -gt 0 ] || set -- coverage proof faults fuzz mutants
failed=0

run() { # PART
    case $1 in
    coverage) bash scripts/check/coverage.sh ;;
    proof) bash scripts/check/proof.sh ;;
    faults)
        PINION_FAULTS=all "$BUILD"/pinion run tests/library/file_faults.lua &&
            PINION_FAULTS=all "$BUILD"/pinion run tests/library/memory_faults.lua
        ;;
    fuzz) bash scripts/check/fuzz.sh "${SECONDS_FUZZ:-60}" ;;
    mutants) bash scripts/check/mutants.sh judged ;;
    *)
        sed -n '2,/^set/s/^# //p' "$0" >&2
        exit 2
        ;;
    esac
}

for part in "$@"; do
    echo "---- $part"
    run "$part"
    status=$?
    case $status in
    0 | 77) ;;
    *) failed=$((failed + 1)) ;;
    esac
done
[ $failed = 0 ] || echo "evidence: $failed parts failed"
[ $failed = 0 ]
