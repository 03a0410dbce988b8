#!/usr/bin/env bash
# What takes too long for every change: 10^5 random instances of everything that is said twice, long fuzzing where clang is installed, the papers' settings.
set -euo pipefail
: "${BUILD:=build}" "${SECONDS_SOAK:=1800}" "${MAKE:=make}"
"$BUILD/tests/random_twins" 0 100000 &
twins=$!
"$BUILD/tests/random_slotted" 0 100000
"$BUILD/tests/random_tandem" 0 100000
"$BUILD/tests/random_makespan" 0 100000
"$BUILD/tests/random_cluster" 0 100000
"$BUILD/tests/random_deadlines" 0 100000
"$BUILD/tests/random_damage" 0 1000000
"$BUILD/tests/random_tandem_twins" 0 100000
"$BUILD/tests/random_makespan_twins" 0 100000
"$BUILD/tests/random_cluster_twins" 0 100000
wait $twins
if command -v valgrind >/dev/null 2>&1; then
    for test in test_sandbox test_lua_faults test_lua_policy test_lua_refusals test_lua_tandem test_lua_tandem_faults test_lua_makespan \
        test_lua_makespan_faults test_lua_cluster test_lua_cluster_admission test_lua_cluster_faults test_lua_cluster_life; do
        valgrind -q --error-exitcode=1 --leak-check=full "$BUILD/tests/$test"
    done
else
    echo "no valgrind: leaks are looked for by the sanitizers of make test alone"
fi
if command -v clang >/dev/null 2>&1; then
    $MAKE --no-print-directory fuzz BUILD="$BUILD"
    declare -A seeds=([policy]="policies/slotted policies/tandem policies/makespan policies/cluster tests/policies/pairs tests/policies/tandem_pairs tests/policies/makespan_pairs tests/policies/cluster_pairs") # further ones beside the corpus
    for target in calls tandem makespan cluster json policy; do
        mkdir -p "$BUILD/fuzz/$target"
        # shellcheck disable=SC2086  # a list of folders
        "$BUILD/fuzz_$target" -max_total_time=$((SECONDS_SOAK / 6)) -max_len=4096 -print_final_stats=1 \
            "$BUILD/fuzz/$target" "tests/corpus/$target" ${seeds[$target]-}
    done
else
    echo "no clang: fuzzing left out"
fi
for paper in zheng lin tian hsrtf rtmr; do
    "$BUILD/pinion" paper $paper --output "$BUILD/papers/$paper" --quiet
done
