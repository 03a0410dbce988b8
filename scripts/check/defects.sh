#!/usr/bin/env bash
# Breaks the sources in one place after the other, as tests/defects.txt lists them, and runs the
# check that should fail: each defect must be caught by its check, which passes without it.
#   defects.sh [NUMBER | CHECK | FILE]...  these rows of the list, or all
#   defects.sh --list                      checks the list alone: each edit changes one line, and
#                                          docs/testing.md counts the rows as they are
#   defects.sh --update                    renews that table
# Works in a copy of the tree with what is compiled already, in a temporary folder. V=1 shows the
# messages of the checks.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}" "${MAKE:=make}" "${JOBS:=$(nproc)}"
unset MAKEFLAGS MFLAGS MAKELEVEL T
page=docs/testing.md
SECONDS_MOST=300            # of one check
export SECONDS_RANDOM=4     # enough for any machine to meet what random programs must find

usage() {
    echo "usage: defects.sh [NUMBER | CHECK | FILE]... | --list | --update" >&2
    exit 2
}

fail() {
    echo "defects: $*"
    exit 1
}

skip() {
    echo "defects: $*"
    exit 77
}

# ---- the list ------------------------------------------------------------------------------------

checks=() files=() edits=() texts=()
declare -A tiers needs unchanged

# A row is CHECK FILE EDIT; the comment line above it is its text.
read_list() {
    local check file edit text=
    while read -r check file edit; do
        case $check in
        '') text= ;;
        '#'*) text="$file $edit" ;;
        *)
            [ -n "$text" ] || fail "tests/defects.txt: the row of $check, $file has no comment"
            checks+=("$check") files+=("$file") edits+=("$edit") texts+=("$text")
            text=
            ;;
        esac
    done <tests/defects.txt
}

# Which tier has a check, and what it needs: tests/checks.txt; PASSED is the folder in which all.sh
# keeps what has passed with these files, which is not run again without a defect.
read_checks() {
    local tier check needed
    while read -r tier check needed; do
        tiers[$check]=${tier/first/check} needs[$check]=$needed
        [ ! -e "${PASSED-none}/${check//\//-}" ] || unchanged[$check]=ok
    done < <(BUILD=build bash scripts/check/all.sh targets)
    tiers[compiler]=check needs[compiler]=
    for check in "${checks[@]}"; do
        [ -n "${tiers[$check]-}" ] || fail "tests/defects.txt: tests/checks.txt has no check $check"
    done
}

chosen=()
choose() { # [NUMBER | CHECK | FILE]...
    local word row found
    [ $# -gt 0 ] || chosen=("${!checks[@]}")
    for word in "$@"; do
        found=
        for row in "${!checks[@]}"; do
            case $word in
            "$((row + 1))" | "${checks[row]}" | "${files[row]}") chosen+=("$row") found=1 ;;
            esac
        done
        [ -n "$found" ] || usage
    done
}

# ---- the table in the page -----------------------------------------------------------------------

# Prints the rows of the page's table: for each room, how many defects each tier catches.
count_rooms() {
    local row room column
    for row in "${!checks[@]}"; do
        room=${files[row]}
        case $room in
        */*/*) room=$(echo "$room" | cut -d / -f 1-2) ;;
        *) room=${room%%/*} ;;
        esac
        column=${tiers[${checks[row]}]}
        case ${checks[row]} in asan/*) column=$column-sanitized ;; esac
        echo "$room $column"
    done | LC_ALL=C sort | awk '
        function show(name, of,   column, row, many) {
            row = "| " name " |"
            for (column = 1; column <= 5; column++) {
                many = of[name, columns[column]]
                row = row " " (many ? many : "") " |"
            }
            gsub(/\|  \|/, "| |", row); gsub(/\|  \|/, "| |", row)
            print row
        }
        BEGIN { split("check test test-sanitized all all-sanitized", columns) }
        !($1 in seen) { seen[$1]; rooms[++count] = $1 }
        { number[$1, $2]++; number["all rooms", $2]++ }
        END {
            for (i = 1; i <= count; i++) show(rooms[i], number)
            show("all rooms", number)
        }'
}

# Prints the page with these rows in place of its own.
renew_page() { # FILE OF ROWS
    awk -v rows="$1" '
        inside && !/^\|/ { inside = 0 }
        !inside { print }
        /^\| room \|/ { inside = 1; getline; print
            while ((getline row <rows) > 0) print row }' "$page"
}

check_page() {
    renew_page <(count_rooms) | diff "$page" - ||
        fail "the table in $page counts other defects; defects.sh --update renews it"
}

update_page() {
    local renewed
    renewed=$(renew_page <(count_rooms))
    echo "$renewed" >"$page"
    echo "defects: the table in $page is renewed"
    exit
}

# ---- the copy ------------------------------------------------------------------------------------

# Copies the sources, the objects and what is linked from them, with their times.
copy_tree() { # FOLDER
    local part built
    mkdir -p "$1/build"
    find . -maxdepth 1 ! -name . ! -name .git ! -name 'build*' ! -path "./$BUILD" -print0 |
        xargs -0 cp -a -t "$1"
    for built in "$BUILD" "$BUILD/asan"; do
        for part in "$built"/{obj,page,module,browser,*.a,*.so,embed*,*.stamp,pinion}; do
            [ -e "$part" ] || continue
            mkdir -p "$1/build${built#"$BUILD"}"
            cp -a "$part" "$1/build${built#"$BUILD"}/"
        done
    done
    # Lists of headers name their objects by the folder that they were built in.
    [ "$BUILD" = build ] || find "$1/build" -name '*.d' -exec sed -i "s|^$BUILD/|build/|" {} +
}

# Runs a command in a process group of its own, so that an interrupt ends all that it started.
run() {
    local status=0
    set -m
    "$@" &
    set +m
    wait $! || status=$?
    return $status
}

stop() {
    local group
    exec 2>/dev/null
    for group in $(jobs -p); do kill -- "-$group"; done
    wait
    exit 130
}

# ---- building and checking -----------------------------------------------------------------------

# Prints the fewest targets that a check needs.
target_of() { # ROW
    case ${checks[$1]} in
    compiler) echo "build/obj/$(echo "${files[$1]%.c}" | tr / _).o" ;;
    *) echo "${needs[${checks[$1]}]}" ;;
    esac
}

build() { # TARGET...
    local plain=() sanitized=() target make=("$MAKE" --no-print-directory "-j$JOBS" BUILD=build)
    for target in "$@"; do
        case $target in
        build/asan/*) sanitized+=("$target") ;;
        *) plain+=("$target") ;;
        esac
    done
    : >"$work/build.log"
    if [ ${#plain[@]} != 0 ]; then
        run "${make[@]}" "${plain[@]}" >>"$work/build.log" 2>&1 || return 1
    fi
    if [ ${#sanitized[@]} != 0 ]; then
        run "${make[@]}" asan SANITIZED="${sanitized[*]}" >>"$work/build.log" 2>&1 || return 1
    fi
}

# Runs one check, until its first failure; `result` says how it ended: ok, FAILED, SKIPPED, or empty
# when it had no end.
check() { # CHECK
    local log=build/test/${1//\//-}.log start=$SECONDS pid
    rm -f "$log"
    result=
    BUILD=build JOBS=1 T="=$1" bash scripts/check/all.sh "${tiers[$1]}" >"$work/check.log" 2>&1 &
    pid=$!
    while [ -z "$result" ] && kill -0 $pid 2>/dev/null && [ $((SECONDS - start)) -lt $SECONDS_MOST ]
    do
        sleep 0.1
        ! grep -qE '^(\[  FAILED  \]|FAILED) ' "$log" 2>/dev/null || result=FAILED
    done
    kill $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
    [ -n "$result" ] ||
        result=$(awk '$1 ~ /^(ok|FAILED|SKIPPED)$/ { print $1; exit }' "$work/check.log")
}

# Runs each check once as the tree is, and notes those that this machine skips.
check_unchanged() {
    local row name found targets=()
    for row in "${chosen[@]}"; do
        [ -z "${unchanged[${checks[row]}]-}" ] || continue
        read -r -a found < <(target_of "$row") || true
        targets+=("${found[@]}")
    done
    build $(printf '%s\n' "${targets[@]}" | sort -u) || {
        tail -n 20 "$work/build.log"
        fail "the unchanged tree does not build"
    }
    for row in "${chosen[@]}"; do
        name=${checks[row]}
        [ "$name" != compiler ] && [ -z "${unchanged[$name]-}" ] || continue
        check "$name"
        unchanged[$name]=$result
        case $result in ok | SKIPPED) continue ;; esac
        tail -n 20 "$work/check.log"
        fail "$name fails without any defect"
    done
}

# ---- the defects ---------------------------------------------------------------------------------

# Prints the broken file of a row, whose edit changes exactly one line of it.
break_file() { # ROW
    local file=${files[$1]}
    [ -f "$file" ] && sed "${edits[$1]}" "$file" &&
        [ "$(diff "$file" <(sed "${edits[$1]}" "$file") | grep -c '^<')" = 1 ]
}

check_list() {
    local row
    for row in "${!checks[@]}"; do
        break_file "$row" >/dev/null || fail "tests/defects.txt: the edit of ${checks[row]}," \
            "${files[row]} does not change exactly one line: ${edits[row]}"
    done
    check_page
    echo "defects: each of ${#checks[@]} edits changes one line"
}

# Builds and checks the broken tree; `verdict` says what came of it.
judge() { # ROW
    local name=${checks[$1]}
    # shellcheck disable=SC2046  # targets
    if ! build $(target_of "$1"); then
        verdict=caught
        [ "$name" = compiler ] || verdict="MISSED (it does not compile)"
        return
    fi
    verdict=MISSED
    [ "$name" != compiler ] || return 0
    check "$name"
    [ "$result" != FAILED ] || verdict=caught
    [ -n "$result" ] || verdict="MISSED (the check does not end)"
}

caught=0 missed=0 left_out=0
try() { # ROW
    local file=${files[$1]} what start=$SECONDS
    what="$file: ${texts[$1]}"
    if [ "${unchanged[${checks[$1]}]-}" = SKIPPED ]; then
        verdict="SKIPPED"
    elif break_file "$1" >"$work/broken"; then
        cp "$file" "$work/kept"
        cat "$work/broken" >"$file"
        judge "$1"
    else
        verdict="MISSED (the edit does not change exactly one line)"
    fi
    [ ! -f "$work/kept" ] || { cp "$work/kept" "$file" && rm "$work/kept"; }
    case $verdict in
    caught) caught=$((caught + 1)) ;;
    SKIPPED) left_out=$((left_out + 1)) ;;
    *) missed=$((missed + 1)) ;;
    esac
    printf '%-7s %3d %3d s %-30s %s\n' "${verdict%% *}" $(($1 + 1)) $((SECONDS - start)) \
        "${checks[$1]}" "$what"
    [ "${verdict#* }" = "$verdict" ] || echo "            ${verdict#* }"
    [ -z "${V-}" ] || head -n 12 "build/test/${checks[$1]//\//-}.log" 2>/dev/null || true
}

# ---- all of it -----------------------------------------------------------------------------------

case ${1-} in
--list | --update) [ $# = 1 ] || usage ;;
-*) usage ;;
*) [ -e "$BUILD/libpinion.a" ] || skip "nothing is compiled in $BUILD; to have it: make all" ;;
esac
read_list
read_checks
case ${1-} in
--update) update_page ;;
--list) check_list && exit ;;
esac
choose "$@"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap stop INT TERM
copy_tree "$work/tree"
cd "$work/tree"
check_unchanged
for row in "${chosen[@]}"; do try "$row"; done
echo "defects: $caught caught, $missed missed, $left_out skipped"
[ $missed = 0 ]
