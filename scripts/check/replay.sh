#!/bin/sh
# The saved inputs of every fuzz target, once more; policies of the library and of the tests are
# inputs too.
# `replay.sh TARGET` replays those of one target.
set -eu
: "${BUILD:=build}"
for target in ${1:-$(ls tests/fuzz/corpus)}; do
    more=
    [ "$target" != policy ] || more="policies tests/policies $(echo tests/*/pairs)"
    [ "$target" != workload ] || more="examples/workloads tests/escape"
    # shellcheck disable=SC2086  # a list of folders
    "$BUILD/tests/fuzz/$target" "tests/fuzz/corpus/$target" $more
done
