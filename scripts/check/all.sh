#!/usr/bin/env bash
# Everything that must hold. Each check is a command; its output goes to build/test/NAME.log and is
# shown when it fails. Exit status 77 is a skip. As many checks run at once as there are cores;
# their lines appear in the order of the list, each as soon as it and all before it are done.
# The checks of the sanitizers wait for their build, which runs from the beginning.
set -uo pipefail
: "${BUILD:=build}" "${SECONDS_RANDOM:=90}" "${CC:=cc}" "${MAKE:=make}" "${JOBS:=$(nproc)}"
logs=$BUILD/test
asan=$BUILD/asan
rm -rf "$logs" && mkdir -p "$logs"
export BUILD CC MAKE PINION=$BUILD/pinion UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS=abort_on_error=0:detect_leaks=1

# ---- the list of checks --------------------------------------------------------------------------

names=() commands=()

check() { # NAME COMMAND...
    names+=("$1")
    shift
    commands+=("${*@Q}")
}

sanitized() { # NAME COMMAND...
    check "asan/$1" env PINION="$asan/pinion" PINION_TEST_SEEDS=4 "${@:2}"
}

# programs CHECK BUILD: each source is a program, and each program is a check.
programs() {
    local source name
    for source in tests/contract/*.c tests/kernel/*/*.c tests/front/*.c; do
        name=${source#tests/}
        "$1" "${name%.c}" "$2/${source%.c}"
    done
}

plain_checks() {
    local source name test program
    programs check "$BUILD"
    for source in tests/random/*.c; do
        name=${source#tests/} name=${name%.c}
        program=$BUILD/tests/$name
        check "$name-fixed" "$program" $((SECONDS_RANDOM / 20)) 1000000 20131
        check "$name-fresh" "$program" $((SECONDS_RANDOM / 20))
    done
    while read -r name source test; do # PROGRAM SEED WHAT
        check "random/$name-known" "$BUILD/tests/random/$name" 0 1 "$source"
    done <tests/random/known.txt
    for test in tests/library/*.lua tests/library/*/*.lua tests/papers/*.lua; do
        name=${test#tests/}
        check "${name%.lua}" "$PINION" run "$test"
    done
    check stock-lua env LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="$BUILD/module/?.so" \
        lua5.4 examples/lua/first.lua
    for name in format walls rules papers quotes symbols versions; do
        check $name bash scripts/check/$name.sh
    done
    for name in freestanding amalgamation selftest recipes sizes stack; do
        check $name bash scripts/check/$name.sh
    done
    check no-allocation bash scripts/check/noalloc.sh
    check goldens bash scripts/check/goldens.sh
    check goldens-32-bit bash scripts/check/goldens.sh --32-bit
    check targets bash scripts/check/targets.sh sample
    for name in examples docs install; do check $name bash scripts/check/$name.sh; done
    check python bash scripts/check/python.sh
    check manual bash scripts/check/man.sh
    check browser bash scripts/check/browser.sh
    check engines bash scripts/check/engines.sh
    check rockspec bash scripts/check/rockspec.sh
    check dist bash scripts/check/dist.sh
    check packages bash scripts/check/deb.sh
    for source in tests/bench/*.c; do
        name=$(basename "$source" .c)
        check "bench/$name-small" "$BUILD/tests/bench/$name" small
    done
}

sanitized_checks() {
    local source name test target
    programs sanitized "$asan"
    for source in tests/random/*.c; do
        name=$(basename "$source" .c)
        sanitized "random/$name" "$asan/tests/random/$name" $((SECONDS_RANDOM / 30))
    done
    sanitized random/damage-fixed "$asan/tests/random/damage" $((SECONDS_RANDOM / 15)) \
        1000000 20136
    for target in tests/fuzz/corpus/*; do
        name=$(basename "$target")
        sanitized "corpus/$name" env BUILD="$asan" sh scripts/check/replay.sh "$name"
    done
    # Not those that make hundreds of runs like the others, twins, which random programs compare
    # here too, and large traces.
    for test in tests/library/*.lua tests/library/*/*.lua; do
        case $test in *policies* | *traces*) continue ;; esac
        name=${test#tests/}
        sanitized "${name%.lua}" "$asan/pinion" run "$test"
    done
}

# ---- running them --------------------------------------------------------------------------------

run_check() { # INDEX
    local name=${names[$1]} start=$SECONDS status log last
    log=$logs/${name//\//-}.log
    eval "${commands[$1]}" >"$log" 2>&1 </dev/null
    status=$?
    last=$(tail -n 1 "$log" | cut -c 1-110)
    case $status in
    0) printf 'ok      %-32s %4d s  %s\n' "$name" $((SECONDS - start)) "$last" ;;
    77) printf 'SKIPPED %-32s         %s\n' "$name" "$last" ;;
    *)
        printf 'FAILED  %-32s %4d s  status %d\n' "$name" $((SECONDS - start)) $status
        tail -n 40 "$log" | sed 's/^/    /'
        ;;
    esac >"$logs/$1.unfinished"
    mv "$logs/$1.unfinished" "$logs/$1.line"
}

running=0
start() { # INDEX
    run_check "$1" &
    running=$((running + 1))
}

# Waits for the end of a check, and prints the lines that nothing stands before any more.
shown=0
finish_one() {
    wait -n
    running=$(jobs -pr | wc -l)
    while [ -e "$logs/$shown.line" ]; do
        cat "$logs/$shown.line"
        shown=$((shown + 1))
    done
}

run_all() {
    local index
    start "$build"
    for index in "${!names[@]}"; do
        [ "$index" != "$build" ] || continue
        while [ "$running" -ge "$JOBS" ] ||
            { [ "$index" -gt "$build" ] && [ ! -e "$logs/$build.line" ]; }; do finish_one; done
        [ "$index" -lt "$build" ] || grep -q '^ok' "$logs/$build.line" || break
        start "$index"
    done
    while [ "$running" -gt 0 ]; do finish_one; done
}

# Tests write many files and wait for the disk after each; memory, where there is enough of it that
# programs may be run from, has no such waits. The name is short, since messages shorten long paths,
# and tests that act as another user must get through the folder.
scratch_folder() {
    local memory=/dev/shm folder
    if [ "$(df -k --output=avail $memory 2>/dev/null | tail -n 1)" -gt 2000000 ] 2>/dev/null &&
        folder=$(mktemp -d "$memory/XXX" 2>/dev/null); then
        chmod 755 "$folder"
        cp /bin/true "$folder" && "$folder/true" 2>/dev/null && echo "$folder" && return
        rm -rf "$folder"
    fi
    folder=$(mktemp -d /tmp/XXX)
    chmod 755 "$folder"
    echo "$folder"
}

TMPDIR=$(scratch_folder)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# A process group of its own for each check, so that an interrupt can end all that it started.
set -m
stop() {
    local group
    exec 2>/dev/null
    for group in $(jobs -p); do kill -- "-$group"; done
    exit 130
}
trap stop INT TERM
plain_checks
build=${#names[@]}
check asan/build "$MAKE" --no-print-directory asan BUILD="$BUILD"
sanitized_checks
run_all
count() { cat "$logs"/*.line | grep -c "^$1 " || true; }
echo
echo "$(count ok) passed, $(count FAILED) failed, $(count SKIPPED) skipped"
[ "$(count FAILED)" = 0 ]
