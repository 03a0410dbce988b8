#!/usr/bin/env bash
# Everything that must hold. Each check is a command; its output goes to build/test/NAME.log and is shown when it fails. Exit status 77 is a skip.
# Two rows of checks, so that two cores have work: one with the program as it is, one with sanitizers, whose words come last.
set -uo pipefail
: "${BUILD:=build}" "${SECONDS_RANDOM:=90}" "${CC:=cc}" "${MAKE:=make}"
logs=$BUILD/test
asan=$BUILD/asan
rm -rf "$logs" && mkdir -p "$logs"
export BUILD CC PINION=$BUILD/pinion LUA_PATH='tests/lua/?.lua;;' UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS=abort_on_error=0:detect_leaks=1

check() { # NAME COMMAND...
    local name=$1 start=$SECONDS status
    shift
    "$@" >"$logs/$name.log" 2>&1 </dev/null
    status=$?
    case $status in
    0) echo passed >>"$logs/results"; printf 'ok      %-28s %4d s  %s\n' "$name" $((SECONDS - start)) "$(tail -n 1 "$logs/$name.log" | cut -c 1-110)" ;;
    77) echo skipped >>"$logs/results"; printf 'SKIPPED %-28s         %s\n' "$name" "$(tail -n 1 "$logs/$name.log")" ;;
    *) echo failed >>"$logs/results"; printf 'FAILED  %-28s %4d s  status %d\n' "$name" $((SECONDS - start)) $status; tail -n 40 "$logs/$name.log" | sed 's/^/    /' ;;
    esac
}

plain_checks() {
    for test in "$BUILD"/tests/test_*; do
        [ -x "$test" ] && case $test in *.o) ;; *) check "$(basename "$test")" "$test" ;; esac
    done
    check random-fixed "$BUILD/tests/random_slotted" $((SECONDS_RANDOM / 15)) 1000000 20131
    check random-fresh "$BUILD/tests/random_slotted" $((SECONDS_RANDOM / 15))
    check random-tandem-fixed "$BUILD/tests/random_tandem" $((SECONDS_RANDOM / 15)) 1000000 20132
    check random-tandem-fresh "$BUILD/tests/random_tandem" $((SECONDS_RANDOM / 15))
    check random-makespan-fixed "$BUILD/tests/random_makespan" $((SECONDS_RANDOM / 20)) 1000000 20133
    check random-makespan-fresh "$BUILD/tests/random_makespan" $((SECONDS_RANDOM / 20))
    check random-cluster-fixed "$BUILD/tests/random_cluster" $((SECONDS_RANDOM / 20)) 1000000 20134
    check random-cluster-fresh "$BUILD/tests/random_cluster" $((SECONDS_RANDOM / 20))
    check random-deadlines-fixed "$BUILD/tests/random_deadlines" $((SECONDS_RANDOM / 20)) 1000000 20135
    check random-deadlines-fresh "$BUILD/tests/random_deadlines" $((SECONDS_RANDOM / 20))
    check damage-fixed "$BUILD/tests/random_damage" $((SECONDS_RANDOM / 30)) 1000000 20136
    check damage-fresh "$BUILD/tests/random_damage" $((SECONDS_RANDOM / 30))
    check twins-fixed "$BUILD/tests/random_twins" $((SECONDS_RANDOM / 15)) 1000000 20131
    check twins-fresh "$BUILD/tests/random_twins" $((SECONDS_RANDOM / 15))
    check tandem-twins-fixed "$BUILD/tests/random_tandem_twins" $((SECONDS_RANDOM / 20)) 1000000 20132
    check tandem-twins-known "$BUILD/tests/random_tandem_twins" 0 1 1795323221:113 # wake-ups beside a rate of 1e-17
    check tandem-twins-fresh "$BUILD/tests/random_tandem_twins" $((SECONDS_RANDOM / 20))
    check makespan-twins-fixed "$BUILD/tests/random_makespan_twins" $((SECONDS_RANDOM / 20)) 1000000 20133
    check makespan-twins-fresh "$BUILD/tests/random_makespan_twins" $((SECONDS_RANDOM / 20))
    check cluster-twins-fixed "$BUILD/tests/random_cluster_twins" $((SECONDS_RANDOM / 20)) 1000000 20134
    check cluster-twins-fresh "$BUILD/tests/random_cluster_twins" $((SECONDS_RANDOM / 20))
    for test in tests/lua/test_*.lua; do
        check "lua-$(basename "$test" .lua | sed s/^test_//)" "$PINION" run "$test"
    done
    check stock-lua env LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="$BUILD/module/?.so" lua5.4 examples/1_first.lua
    check symbols bash scripts/check-symbols.sh
    check versions bash scripts/check-versions.sh
    check no-allocation bash scripts/check-noalloc.sh
    check goldens bash scripts/goldens.sh
    check goldens-32-bit bash scripts/goldens.sh --32-bit
    check examples bash scripts/examples.sh
    check readme bash scripts/readme.sh
    check install bash scripts/check-install.sh
    check manual bash scripts/check-man.sh
    check rockspec bash scripts/check-rockspec.sh
    check bench-small "$BUILD/bench_slotted" small
    check bench-tandem-small "$BUILD/bench_tandem" small
    check bench-makespan-small "$BUILD/bench_makespan" small
    check bench-policies-small "$BUILD/bench_policies" small
}

sanitized_checks() {
    if ! $MAKE --no-print-directory asan BUILD="$BUILD" >"$logs/asan-build.log" 2>&1; then
        echo failed >>"$logs/results"
        echo "FAILED  the sanitizer build:"
        tail -n 30 "$logs/asan-build.log"
        return
    fi
    export PINION=$asan/pinion PINION_TEST_SEEDS=4
    for test in "$asan"/tests/test_*; do
        [ -x "$test" ] && case $test in *.o) ;; *) check "asan-$(basename "$test")" "$test" ;; esac
    done
    check asan-random "$asan/tests/random_slotted" $((SECONDS_RANDOM / 30))
    check asan-random-tandem "$asan/tests/random_tandem" $((SECONDS_RANDOM / 30))
    check asan-random-makespan "$asan/tests/random_makespan" $((SECONDS_RANDOM / 30))
    check asan-random-cluster "$asan/tests/random_cluster" $((SECONDS_RANDOM / 30))
    check asan-random-deadlines "$asan/tests/random_deadlines" $((SECONDS_RANDOM / 30))
    check asan-random-fickle "$asan/tests/random_fickle" $((SECONDS_RANDOM / 30))
    check asan-damage-fixed "$asan/tests/random_damage" $((SECONDS_RANDOM / 15)) 1000000 20136
    check asan-damage-fresh "$asan/tests/random_damage" $((SECONDS_RANDOM / 15))
    check asan-twins "$asan/tests/random_twins" $((SECONDS_RANDOM / 30))
    check asan-tandem-twins "$asan/tests/random_tandem_twins" $((SECONDS_RANDOM / 30))
    check asan-makespan-twins "$asan/tests/random_makespan_twins" $((SECONDS_RANDOM / 30))
    check asan-cluster-twins "$asan/tests/random_cluster_twins" $((SECONDS_RANDOM / 30))
    check asan-corpus-calls "$asan/tests/replay_calls" tests/corpus/calls
    check asan-corpus-tandem "$asan/tests/replay_tandem" tests/corpus/tandem
    check asan-corpus-makespan "$asan/tests/replay_makespan" tests/corpus/makespan
    check asan-corpus-cluster "$asan/tests/replay_cluster" tests/corpus/cluster
    check asan-corpus-json "$asan/tests/replay_json" tests/corpus/json
    check asan-corpus-policy "$asan/tests/replay_policy" tests/corpus/policy policies/slotted policies/tandem policies/makespan policies/cluster tests/policies
    # Not those that make hundreds of runs like the others, twins, which random programs compare here too, and large traces.
    for test in tests/lua/test_*.lua; do
        case $test in *paper* | *policies* | *traces*) continue ;; esac
        check "asan-lua-$(basename "$test" .lua | sed s/^test_//)" "$PINION" run "$test"
    done
}

sanitized_checks >"$logs/sanitized.txt" &
plain_checks
wait
cat "$logs/sanitized.txt"
count() { grep -c "^$1$" "$logs/results" || true; }
echo
echo "$(count passed) passed, $(count failed) failed, $(count skipped) skipped"
[ "$(count failed)" = 0 ]
