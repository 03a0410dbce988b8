#!/usr/bin/env bash
# Everything that must hold. Each check is a command; its output goes to build/test/NAME.log and is shown when it fails. Exit status 77 is a skip.
# Two rows of checks, so that two cores have work: one with the program as it is, one with sanitizers, whose words come last.
set -uo pipefail
: "${BUILD:=build}" "${SECONDS_RANDOM:=90}" "${CC:=cc}" "${MAKE:=make}"
logs=$BUILD/test
asan=$BUILD/asan
rm -rf "$logs" && mkdir -p "$logs"
export BUILD CC PINION=$BUILD/pinion UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS=abort_on_error=0:detect_leaks=1

check() { # NAME COMMAND...
    local name=$1 start=$SECONDS status log
    shift
    log=$logs/${name//\//-}.log
    "$@" >"$log" 2>&1 </dev/null
    status=$?
    case $status in
    0) echo passed >>"$logs/results"; printf 'ok      %-32s %4d s  %s\n' "$name" $((SECONDS - start)) "$(tail -n 1 "$log" | cut -c 1-110)" ;;
    77) echo skipped >>"$logs/results"; printf 'SKIPPED %-32s         %s\n' "$name" "$(tail -n 1 "$log")" ;;
    *) echo failed >>"$logs/results"; printf 'FAILED  %-32s %4d s  status %d\n' "$name" $((SECONDS - start)) $status; tail -n 40 "$log" | sed 's/^/    /' ;;
    esac
}

# programs FOLDER PREFIX BUILD: each source in the folder is a program, and each program is a check.
programs() {
    local source name
    for source in "$1"/*.c; do
        [ -e "$source" ] || continue
        name=${source#tests/}
        check "$2${name%.c}" "$3/${source%.c}"
    done
}

plain_checks() {
    local source name test
    for folder in tests/contract tests/kernel/* tests/front; do programs "$folder" "" "$BUILD"; done
    for source in tests/random/*.c; do
        name=$(basename "$source" .c)
        check "random/$name-fixed" "$BUILD/tests/random/$name" $((SECONDS_RANDOM / 20)) 1000000 20131
        check "random/$name-fresh" "$BUILD/tests/random/$name" $((SECONDS_RANDOM / 20))
    done
    check random/tandem_twins-known "$BUILD/tests/random/tandem_twins" 0 1 1795323221:113 # wake-ups beside a rate of 1e-17
    for test in tests/library/*.lua tests/library/*/*.lua tests/papers/*.lua; do
        name=${test#tests/}
        check "${name%.lua}" "$PINION" run "$test"
    done
    check stock-lua env LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="$BUILD/module/?.so" lua5.4 examples/lua/first.lua
    check format bash scripts/check/format.sh
    check walls bash scripts/check/walls.sh
    check rules bash scripts/check/rules.sh
    check papers bash scripts/check/papers.sh
    check symbols bash scripts/check/symbols.sh
    check versions bash scripts/check/versions.sh
    check no-allocation bash scripts/check/noalloc.sh
    check goldens bash scripts/check/goldens.sh
    check goldens-32-bit bash scripts/check/goldens.sh --32-bit
    check examples bash scripts/check/examples.sh
    check docs bash scripts/check/docs.sh
    check install bash scripts/check/install.sh
    check manual bash scripts/check/man.sh
    check rockspec bash scripts/check/rockspec.sh
    for name in slotted tandem makespan policies; do check "bench/$name-small" "$BUILD/tests/bench/$name" small; done
}

sanitized_checks() {
    local source name test target
    if ! $MAKE --no-print-directory asan BUILD="$BUILD" >"$logs/asan-build.log" 2>&1; then
        echo failed >>"$logs/results"
        echo "FAILED  the sanitizer build:"
        tail -n 30 "$logs/asan-build.log"
        return
    fi
    export PINION=$asan/pinion PINION_TEST_SEEDS=4
    for folder in tests/contract tests/kernel/* tests/front; do programs "$folder" asan/ "$asan"; done
    for source in tests/random/*.c; do
        name=$(basename "$source" .c)
        check "asan/random/$name" "$asan/tests/random/$name" $((SECONDS_RANDOM / 30))
    done
    check asan/random/damage-fixed "$asan/tests/random/damage" $((SECONDS_RANDOM / 15)) 1000000 20136
    for target in tests/fuzz/corpus/*; do
        name=$(basename "$target")
        check "asan/corpus/$name" env BUILD="$asan" sh scripts/check/replay.sh "$name"
    done
    # Not those that make hundreds of runs like the others, twins, which random programs compare here too, and large traces.
    for test in tests/library/*.lua tests/library/*/*.lua; do
        case $test in *policies* | *traces*) continue ;; esac
        name=${test#tests/}
        check "asan/${name%.lua}" "$PINION" run "$test"
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
