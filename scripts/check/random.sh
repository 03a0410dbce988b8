#!/usr/bin/env bash
# Random instances of one program of tests: a fixed seed, a fresh one, and the seeds that once found
# something (tests/random/known.txt).
#   random.sh PROGRAM SECONDS    so many seconds of processor time for each of the first two
set -euo pipefail
: "${BUILD:=build}"
program=$BUILD/tests/$1
"$program" "$2" 1000000 20131
while read -r name instance _; do # PROGRAM SEED:INSTANCE WHAT
    [ "$name" != "$1" ] || "$program" 0 1 "$instance"
done <tests/random/known.txt
"$program" "$2"
