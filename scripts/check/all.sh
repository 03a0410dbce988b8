#!/usr/bin/env bash
# Runs the checks of tests/checks.txt, as many at once as there are cores; in the tier `all`, where
# some wait for daemons and browsers, one more.
#   all.sh check | test | all    those of the tier and of the tiers before it; `all` leaves out what
#                                has passed with the same files and compiler
#   all.sh suite                 those that run programs of the build, whatever their tier, but the
#                                papers' experiments: the tests of another compiler's build
#   all.sh list                  runs none: prints TIER NAME COMMAND of each
#   all.sh needs TIER PREFIX     runs none: prints what must be built for those of the tier whose
#                                names begin so: asan/, or nothing for the plain ones
#   all.sh targets               runs none: prints TIER NAME TARGET... of each, the fewest targets
#                                that must be built for it
# T=WORD: only checks with WORD in their names, which may have - for /; T==NAME: this check alone.
# The output of a check goes to build/test/NAME.log and is shown when it fails; exit status 77 is a
# skip. Checks start in the order of the table.
set -uo pipefail
tier=${1:?check, test, all, suite, list, needs or targets}
: "${BUILD:=build}" "${CC:=cc}" "${MAKE:=make}" "${JOBS:=$(nproc)}" "${T:=}"
: "${SECONDS_RANDOM:=1}"
logs=$BUILD/test
passed=$BUILD/passed
export BUILD CC MAKE SECONDS_RANDOM PASSED=$passed UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS=abort_on_error=0:detect_leaks=1

# ---- the table -----------------------------------------------------------------------------------

# Prints a check per line: TIER, NAME, COMMAND. A pattern of names stands for the tests that it
# finds in tests/; the first row that fits a test is its row.
read_table() {
    local plain sanitized names command name
    declare -A seen
    while read -r plain sanitized names command; do
        case $plain in '' | '#'*) continue ;; esac
        for name in $(names_of "$names"); do
            [ -z "${seen[$name]-}" ] || continue
            seen[$name]=1
            [ "$sanitized" = - ] || echo "$sanitized asan/$name $command"
            [ "$plain" = - ] || echo "$plain $name $command"
        done
    done <tests/checks.txt
}

names_of() { # PATTERN
    local room
    case $1 in
    ROOM/*) for room in kernel/*/; do find_tests "$(basename "$room")/${1#*/}"; done ;;
    *'*'*) find_tests "$1" ;;
    *) echo "$1" ;;
    esac
}

find_tests() { # PATTERN
    local found
    for found in tests/$1; do
        case $found in
        *'*'*) continue ;; # none fits
        *.c | *.lua) found=${found%.*} ;;
        tests/fuzz/corpus/*) ;;
        *) continue ;;
        esac
        echo "${found#tests/}"
    done
}

# Prints the programs that test the kernel, in one line.
read_programs() { # BUILD
    local name
    for name in $(names_of 'ROOM/*.c') $(names_of 'contract/*.c') $(names_of 'random/*.c'); do
        echo "$1/tests/$name"
    done | tr '\n' ' '
}

# Prints a check per line: TIER, NAME, and what it needs.
read_targets() {
    local its name command build test
    while read -r its name command; do
        is_chosen "$name" || continue
        test=${name#asan/} build=$BUILD
        [ "$test" = "$name" ] || build=$BUILD/asan
        # shellcheck disable=SC2016  # variables of the table
        case $test:$command in
        walls:* | rules:* | format:* | comments:* | mutant-list:*) echo "$its $name" ;;
        mutants:*) echo "$its $name $build/libpinion.a $(read_programs "$build")" ;;
        *'$BUILD/tests/'* | *random.sh*) echo "$its $name $build/tests/$test" ;;
        export:*)
            echo "$its $name $build/pinion $build/tests/slotted/random_twins" \
                "$build"/tests/{tandem,cluster,dag}/random_twins
            ;;
        *replay.sh*) echo "$its $name $build/tests/fuzz/${test##*/}" ;;
        *'$PINION '*) echo "$its $name $build/pinion" "$build"/tests/modules/{within,refusals}.so ;;
        *) echo "$its $name $build/libpinion.a $build/libpinion.so $build/pinion" ;;
        esac
    done < <(read_table)
}

# ---- which checks --------------------------------------------------------------------------------

is_chosen() { # NAME
    case $T in
    =*) [ "$1" = "${T#=}" ] ;;
    *) [[ $1 == *"$T"* || ${1//\//-} == *"$T"* ]] ;;
    esac
}

is_of() { # TIER ROW NAME COMMAND: whether that tier has the checks of such rows
    # shellcheck disable=SC2016  # variables of the table
    case $1:$2:$3:$4 in
    check:test:* | check:all:* | test:all:* | test:first:*) return 1 ;;
    suite:*:asan/* | suite:*:bench/* | suite:*:papers/* | suite:*:*/paper_store:*) return 1 ;;
    suite:*'$BUILD/tests/'* | suite:*'$PINION '* | suite:*random.sh* | suite:*replay.sh*) ;;
    suite:*) return 1 ;;
    esac
}

print_needs() { # TIER PREFIX
    local its name targets
    read_targets | while read -r its name targets; do
        case $name in asan/*) [ -n "$2" ] || continue ;; *) [ -z "$2" ] || continue ;; esac
        ! is_of "$1" "$its" "$name" "" || echo "$targets"
    done | tr ' ' '\n' | sort -u | tr '\n' ' '
}

names=() commands=()
choose() {
    local its name command repeated=0
    while read -r its name command; do
        is_of "$tier" "$its" "$name" "$command" && is_chosen "$name" || continue
        if [ "$tier" = all ] && [ -e "$passed/${name//\//-}" ]; then
            repeated=$((repeated + 1))
            continue
        fi
        names+=("$name") commands+=("$command")
    done < <(read_table)
    if [ ${#names[@]} = 0 ] && [ $repeated = 0 ]; then
        echo "no check of this tier has '$T' in its name; tests/checks.txt lists them" >&2
        exit 2
    fi
    [ $repeated = 0 ] || echo "$repeated checks have passed with these files and are left out"
}

# What has passed counts as long as files and compiler are the same.
forget_what_passed_before() {
    local now
    now=$({
        echo "$CC" "${PINION_TRACES-}" "${PINION_PAPER_TEXTS-}"
        $CC --version
        find Makefile README.md kernel lua policies scripts tests examples docs -type f -print0 |
            sort -z | xargs -0 cat
    } | sha256sum)
    [ "$(cat "$passed/of" 2>/dev/null)" = "$now" ] && return
    rm -rf "$passed"
    mkdir -p "$passed"
    echo "$now" >"$passed/of"
}

# ---- running them --------------------------------------------------------------------------------

# Ends a command of the table where a program is missing that only `make setup` installs.
has() { # PROGRAM
    command -v "$1" >/dev/null 2>&1 && return
    echo "left out: no $1 here; to have it: make setup"
    exit 77
}

# Runs a command of the table. Sanitized checks run it with the programs of another build.
run_command() { # NAME COMMAND
    local name=$1
    case $name in
    asan/*)
        export BUILD=$BUILD/asan PINION_TEST_SEEDS=4
        name=${name#asan/}
        ;;
    esac
    export PINION=$BUILD/pinion
    eval "$2"
}

# Prints the result of a check as one line, and the end of its output when it has failed; adds a
# line "NAME ELAPSED PROCESSOR" to the times.
run_check() { # INDEX
    local name=${names[$1]} file log status last elapsed user system TIMEFORMAT='%R %U %S'
    file=${name//\//-} log=$logs/$file.log
    { time { (run_command "$name" "${commands[$1]}") >"$log" 2>&1 </dev/null; }; } \
        2>"$logs/$file.time"
    status=$?
    read -r elapsed user system <"$logs/$file.time"
    rm -f "$logs/$file.time"
    awk -v name="$name" -v elapsed="$elapsed" -v user="$user" -v sys="$system" \
        'BEGIN { printf "%s %.1f %.1f\n", name, elapsed, user + sys }' >>"$logs/times"
    last=$(tail -n 1 "$log" | cut -c 1-110)
    case $status in
    0)
        printf 'ok      %-36s %6.1f s  %s\n' "$name" "$elapsed" "$last"
        : >"$passed/$file"
        ;;
    77) printf 'SKIPPED %-36s           %s\n' "$name" "$last" ;;
    *)
        printf 'FAILED  %-36s %6.1f s  status %d\n' "$name" "$elapsed" $status
        tail -n 40 "$log" | sed 's/^/    /'
        ;;
    esac >"$logs/$file.line"
    cat "$logs/$file.line"
}

run_all() {
    local index most=$JOBS
    [ "$tier" != all ] || most=$((JOBS + 1))
    for index in "${!names[@]}"; do
        while [ "$(jobs -pr | wc -l)" -ge "$most" ]; do wait -n; done
        run_check "$index" &
    done
    wait
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

# ---- the end -------------------------------------------------------------------------------------

# Prints the ten slowest checks and the sum of each family: the first part of the name.
report_times() {
    echo
    echo "slowest, in seconds (processor time behind it):"
    sort -k 2 -rn "$logs/times" | head -n 10 | awk '{ printf "%8.1f %8.1f  %s\n", $2, $3, $1 }'
    echo "by family:"
    awk '{
        split($1, part, "/")
        family = part[1] == "asan" ? "asan/" part[2] : $1 ~ /\// ? part[1] : "others"
        count[family]++; elapsed[family] += $2; processor[family] += $3
    } END {
        for (family in count)
            printf "%8.1f %8.1f  %s (%d)\n", elapsed[family], processor[family], family,
                count[family]
    }' "$logs/times" | sort -rn
}

count() { cat "$logs"/*.line 2>/dev/null | grep -c "^$1 " || true; }

case $tier in
list) read_table; exit ;;
targets) read_targets; exit ;;
needs) print_needs "$2" "${3-}"; exit ;;
esac
rm -rf "$logs" && mkdir -p "$logs" && : >"$logs/times"
forget_what_passed_before
choose
TMPDIR=$(scratch_folder)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# A process group of its own for each check, so that an interrupt ends all that it started.
set -m
stop() {
    local group
    exec 2>/dev/null
    for group in $(jobs -p); do kill -- "-$group"; done
    exit 130
}
trap stop INT TERM
run_all
report_times
echo
echo "$(count ok) passed, $(count FAILED) failed, $(count SKIPPED) skipped"
[ "$(count FAILED)" = 0 ]
