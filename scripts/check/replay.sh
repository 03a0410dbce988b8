#!/bin/sh
# The saved inputs of every fuzz target, once more; policies of the library and of the tests are
# inputs too.
#   replay.sh [TARGET]          replays those of all targets, or of one
#   replay.sh --inputs TARGET   prints the folders with the inputs of a target
set -eu
: "${BUILD:=build}"

inputs() { # TARGET
    echo "tests/fuzz/corpus/$1"
    case $1 in
    policy) echo policies tests/policies tests/*/pairs ;;
    workload) echo examples/workloads tests/escape ;;
    esac
}

if [ "${1-}" = --inputs ]; then
    inputs "$2"
    exit
fi
for target in ${1:-$(ls tests/fuzz/corpus)}; do
    # shellcheck disable=SC2046  # folders
    "$BUILD/tests/fuzz/$target" $(inputs "$target")
done
