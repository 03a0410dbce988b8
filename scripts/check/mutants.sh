#!/usr/bin/env bash
# Mutation tests of the kernel: scripts/check/mutants.lua changes one place after the other, and
# some test must fail. A mutant that no test notices is equivalent, or shows what no test asserts.
#   mutants.sh FILE...         all mutants of these files of kernel/: at most 2 % of those that
#                              tests/mutants.txt does not list may survive
#   mutants.sh judged          all mutants of the files that tests/mutants.txt names
#   mutants.sh sample COUNT    so many mutants, drawn at random from the files that the list names,
#                              which are those that have been judged as a whole: of those that are
#                              not listed at most 3 may survive. The commit is the seed.
#   mutants.sh score COUNT [FILE...]   so many of these files, or of all files of the kernel: prints
#                              the score, fails never
#   mutants.sh listed [FILE...]   the mutants that the list names alone, of these files or of all:
#                              those of different lines together, and where a test fails, in halves
#   mutants.sh --list          checks the list alone: each entry is a mutant of the sources
# An entry of the list that a test notices is an error too. What does not compile is no mutant, and
# what compiles to the same object is left out as equal. Each survivor is printed with its line; V=1
# prints also which test has killed each of the others.
# The tests' objects are those of the build; the kernel is a shared library of its own, so that a
# mutant is one object and a link. Inline functions of headers are not mutated: tests have copies.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}" "${MAKE:=make}" "${JOBS:=2}"
unset MAKEFLAGS MFLAGS MAKELEVEL T
built=$BUILD/mutants
list=tests/mutants.txt
golden=tests/golden/digests.txt
mutator=scripts/check/mutants.lua
tab=$'\t'
SECONDS_MOST=20         # of one test, or ten times what it takes on the kernel as it is
INSTANCES=2000          # of each random program
INSTANCES_LONG=100      # of those of the dag model, in Lua too and of all models, which take long
INSTANCES_REPLAYED=3    # of random/replays, whose instances are longer still
BLOCKS=1000             # that are damaged
SEED=20131
UNLISTED_PERCENT=2
UNLISTED_SAMPLE=3
# The flags of kernel objects: every function is visible, and can be replaced.
FLAGS=(-fPIC -Ikernel/include -Ikernel)
FLAGS_OBJECT=(-std=c11 -O1 -g0 -fno-math-errno "${FLAGS[@]}" -Werror=int-conversion
    -Werror=incompatible-pointer-types -Werror=discarded-qualifiers)

usage() {
    sed -n '2,/^set/s/^# //p' "$0" >&2
    exit 2
}

fail() {
    echo "mutants: $*"
    exit 1
}

# ---- the reviewed list ---------------------------------------------------------------------------

# Prints FILE, line, mutated line of each entry, tab between them: a comment that states a reason,
# the file, and pairs of lines with - and +.
read_reviewed() {
    awk -v name="$list" '
        function wrong(what) { print "mutants: " name ":" NR ": " what >"/dev/stderr"; exit 1 }
        /^$/ { reason = file = old = ""; next }
        /^#/ { reason = $0; next }
        /^kernel\// { if (reason == "") wrong("no reason above the file"); file = $0; next }
        /^- / { if (file == "") wrong("no file above the line"); old = substr($0, 3); next }
        /^\+ / { if (old == "") wrong("no line above the mutated one")
            print file "\t" old "\t" substr($0, 3); old = ""; next }
        { wrong("neither comment, file, - nor +") }' "$list"
}

check_list() {
    local files missing
    read_reviewed >"$work/reviewed"
    mapfile -t files < <(cut -f 1 "$work/reviewed" | sort -u)
    [ ${#files[@]} != 0 ] || fail "$list has no entry"
    lua5.4 "$mutator" list "${files[@]}" | cut -f 1,7,8 >"$work/possible"
    missing=$(grep -vxF -f "$work/possible" "$work/reviewed" || true)
    [ -z "$missing" ] || fail "entries of $list that are no mutants of the sources:
$missing"
    echo "mutants: each of $(wc -l <"$work/reviewed") entries is a mutant of the sources"
}

# Prints those rows of standard input that are listed.
of_list() {
    awk -F '\t' 'NR == FNR { known[$0]; next } ($1 "\t" $7 "\t" $8) in known' "$work/reviewed" -
}

# Prints the files that the list names.
judged_files() { grep '^kernel/' "$list" | sort -u; }

# ---- tests ---------------------------------------------------------------------------------------

# Prints the rooms whose tests see a room of the kernel.
rooms_upon() { # ROOM
    case $1 in
    base | fleet) find kernel -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort ;;
    scheduler) echo "scheduler cluster" ;;
    dispatch) echo "dispatch dag" ;;
    *) echo "$1" ;;
    esac
}

all_tests() {
    local room name
    echo digests
    for room in kernel/*/ contract; do
        for name in "tests/$(basename "$room")"/*.c; do
            name=${name#tests/}
            [ ! -e "tests/$name" ] || echo "${name%.c}"
        done
    done
    printf 'random/%s\n' fickle damage replays
}

# Prints the model that a room is or belongs to; nothing for a room of all models.
model_of() { # ROOM
    case $1 in
    base | fleet) ;;
    scheduler) echo cluster ;;
    dispatch) echo dag ;;
    *) echo "$1" ;;
    esac
}

# Prints the tests that may kill mutants of a room. Replays of input are those of cores.
tests_of() { # ROOM
    local rooms name
    rooms=" $(rooms_upon "$1" | tr '\n' ' ') contract random digests "
    while read -r name; do
        case $1:$name in
        slotted:random/replays | tandem:random/replays | makespan:random/replays) continue ;;
        esac
        [[ $rooms != *" ${name%%/*} "* ]] || echo "$name"
    done < <(all_tests)
}

# Runs a test on the library in a folder; where `model` is set, contract/damage and
# contract/refusals on this one alone, the former on all runs whose verdicts are golden.
# It stays in the process group of its mutant.
run_test() { # NAME SECONDS FOLDER
    local program=$built/tests/$1 arguments=()
    local run=(timeout --foreground -k 1 "$2" env "LD_LIBRARY_PATH=$3" "TMPDIR=$3")
    case $1 in
    digests)
        "${run[@]}" "$program" 2>/dev/null </dev/null | cmp -s - "$golden"
        return
        ;;
    contract/damage) [ -z "$model" ] || arguments=(golden "$model") ;;
    contract/refusals) [ -z "$model" ] || arguments=("$model") ;;
    random/damage) arguments=(0 "$BLOCKS" "$SEED") ;;
    random/replays) arguments=(0 "$INSTANCES_REPLAYED" "$SEED") ;;
    dag/random | */random_* | random/*) arguments=(0 "$INSTANCES_LONG" "$SEED") ;;
    */random) arguments=(0 "$INSTANCES" "$SEED") ;;
    esac
    "${run[@]}" "$program" "${arguments[@]}" >/dev/null 2>&1 </dev/null
}

# ---- building ------------------------------------------------------------------------------------

make_quietly() { # ARGUMENT...
    "$MAKE" --no-print-directory "-j$JOBS" "$@" >"$built/build.log" 2>&1 && return
    tail -n 20 "$built/build.log"
    fail "the build fails"
}

object_of() { # FILE
    local name=${1%.c}
    echo "$built/obj/${name//\//_}.o"
}

link_library() { # LIBRARY OBJECT...
    "$CC" -shared -o "$1" "${@:2}"
}

link_program() { # NAME
    local object=$BUILD/obj/tests_${1//\//_}.o libraries
    local program=$built/tests/$1
    [ "$1" != digests ] || object=$built/digests.o
    [ "$program" -nt "$object" ] && [ "$program" -nt "$BUILD/obj/libsupport.a" ] &&
        [ "$program" -nt "$BUILD/obj/libfront.a" ] &&
        [ "$program" -nt "$BUILD/libpinion-lua.a" ] && return
    mkdir -p "$(dirname "$program")"
    libraries=$(pkg-config --libs lua5.4 jansson zlib
        ! pkg-config --exists sqlite3 || pkg-config --libs sqlite3)
    # shellcheck disable=SC2086  # a list
    "$CC" "$object" "$BUILD"/obj/lib{support,front}.a "$BUILD/libpinion-lua.a" \
        -L"$built" -lkernel -Wl,--enable-new-dtags,-rpath,"$(realpath "$built")" -Wl,--as-needed \
        $libraries -lm -lcmocka -o "$program"
}

# Brings the objects, the library and the programs up to date.
build() {
    local objects=() tests=() file name
    mkdir -p "$built/obj"
    cp -pn "$BUILD"/setup-*.stamp "$built" 2>/dev/null || true
    for file in "${kernel[@]}"; do objects+=("$(object_of "$file")"); done
    for name in $(all_tests); do
        [ "$name" = digests ] || tests+=("$BUILD/obj/tests_${name//\//_}.o")
    done
    make_quietly BUILD="$built" OPT="-O1 -g0" CFLAGS=-g0 FLAGS_kernel="${FLAGS[*]}" \
        "${objects[@]}"
    make_quietly BUILD="$BUILD" "$BUILD"/obj/lib{support,front}.a "$BUILD/libpinion-lua.a" \
        "${tests[@]}"
    if [ ! -e "$built/libkernel.so" ] ||
        [ -n "$(find "${objects[@]}" -newer "$built/libkernel.so")" ]; then
        link_library "$built/libkernel.so" "${objects[@]}"
    fi
    "$CC" -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -Ikernel/include -Itests \
        -c tests/programs/digests.c -o "$work/digests.o"
    cmp -s "$work/digests.o" "$built/digests.o" || cp "$work/digests.o" "$built/digests.o"
    for name in $(all_tests); do link_program "$name"; done
}

# Runs each of the tests on the kernel as it is, and notes how long it takes, in milliseconds: in a
# folder like those of the mutants, which have the library, where this one has none.
run_unchanged() { # NAME...
    local name noted start folder model=
    folder=$(mktemp -d "$work/mutant.XXXXXX")
    for name in "$@"; do
        noted=$built/times/$name
        [ "$noted" -nt "$built/tests/$name" ] && [ "$noted" -nt "$built/libkernel.so" ] && continue
        mkdir -p "$(dirname "$noted")"
        rm -f "$noted"
        start=$(date +%s%3N)
        run_test "$name" 300 "$folder" || fail "$name fails on the kernel as it is"
        echo $(($(date +%s%3N) - start)) >"$noted"
    done
}

# ---- mutants -------------------------------------------------------------------------------------

unchanged_object() { echo "$work/${1//\//_}.o"; } # FILE

# Compiles C from standard input in place of a file.
compile() { # FILE OBJECT
    "$CC" "${FLAGS_OBJECT[@]}" -iquote "$(dirname "$1")" -x c -c - -o "$2" 2>/dev/null
}

# Prints the tests of a file, and how many seconds each may take: the fastest first, where one that
# has killed mutants of the file counts as that much faster.
in_order() { # FILE
    local room=${1#kernel/} test
    for test in $(tests_of "${room%%/*}"); do
        echo "$test $(cat "$built/times/$test")"
    done | awk -v file="$1" -v least=$SECONDS_MOST '
        FILENAME != "-" { if ($1 == file) kills[$2]++; next }
        { limit = int($2 / 100); if (limit < least) limit = least
            print $2 / (1 + kills[$1]), $1, limit }' "$work/kills" - | sort -g | cut -d ' ' -f 2-
}

# Prints what becomes of a mutant, or of several together: `invalid`, `equal`, `survived`, or
# `killed` and by which test; of what is listed, only if that test fails twice, since a busy machine
# may stop it.
judge() { # FILE NUMBERS FOLDER LISTED
    local objects=() file name most model
    # shellcheck disable=SC2086  # numbers
    lua5.4 "$mutator" apply "$1" $2 | compile "$1" "$3/mutant.o" || { echo invalid; return; }
    ! cmp -s "$3/mutant.o" "$(unchanged_object "$1")" || { echo equal; return; }
    for file in "${kernel[@]}"; do
        [ "$file" = "$1" ] || objects+=("$(object_of "$file")")
    done
    link_library "$3/libkernel.so" "${objects[@]}" "$3/mutant.o"
    model=$(model_of "$(cut -d / -f 2 <<<"$1")")
    while read -r name most; do
        run_test "$name" "$most" "$3" && continue
        [ -z "$4" ] || ! run_test "$name" "$most" "$3" || continue
        echo "$1 $name" >>"$work/kills"
        echo "killed $name"
        return
    done < <(in_order "$1")
    echo survived
}

# Judges a row of the mutator; appends it with its verdict, and whether it is listed, to the others.
try() { # ROW
    local file number line column operator change source mutated verdict entry folder listed=
    IFS=$tab read -r file number line column operator change source mutated <<<"$1"
    folder=$(mktemp -d "$work/mutant.XXXXXX")
    entry=$file$tab$source$tab$mutated
    ! grep -qxF -- "$entry" "$work/reviewed" || listed=listed
    verdict=$(judge "$file" "$number" "$folder" "$listed")
    rm -rf "$folder"
    printf '%s\t%s\t%s\t%s\n' "${verdict%% *}" "$listed" "$entry" "${verdict#* }" >>"$work/verdicts"
    case $verdict:$listed:${V-} in
    survived::* | *:1) ;;
    *) return ;;
    esac
    printf '%s%s:%s:%s: %s %s: %s\n' "${V:+${listed:+listed }$verdict }" "$file" "$line" "$column" \
        "$operator" "$change" "$source"
}

# Judges listed mutants of a file together, or in halves; appends their verdicts to the others.
try_together() { # FILE NUMBER...
    local file=$1 folder verdict half
    shift
    folder=$(mktemp -d "$work/mutant.XXXXXX")
    verdict=$(judge "$file" "$*" "$folder" listed)
    rm -rf "$folder"
    case $#:$verdict in
    *:survived | *:equal | 1:*)
        awk -F '\t' -v OFS='\t' -v file="$file" -v verdict="$verdict" -v numbers=" $* " '
            $1 == file && index(numbers, " " $2 " ") {
                split(verdict, words, " "); print words[1], "listed", $1, $7, $8, words[2] }
            ' "$work/rows" >>"$work/verdicts"
        ;;
    *)
        half=$(($# / 2))
        try_together "$file" "${@:1:half}"
        try_together "$file" "${@:half+1}"
        ;;
    esac
}

try_listed() { # FILE
    local round
    while read -r -a round; do
        try_together "$1" "${round[@]}"
    done < <(awk -F '\t' -v file="$1" '$1 == file { print $2 }' "$work/rows" |
        xargs lua5.4 "$mutator" rounds "$1")
}

# Calls a function for each argument, several at a time, each in a process group of its own.
side_by_side() { # FUNCTION ARGUMENT...
    local argument
    set -m
    for argument in "${@:2}"; do
        while [ "$(jobs -pr | wc -l)" -ge "$JOBS" ]; do wait -n || true; done
        "$1" "$argument" &
    done
    set +m
    wait
}

try_all() { # FILE WITH ROWS
    local file rows
    while read -r file; do
        # shellcheck disable=SC2094  # the second one is another file
        compile "$file" "$(unchanged_object "$file")" <"$file"
    done < <(cut -f 1 "$1" | sort -u)
    if [ "$mode" = listed ]; then
        mapfile -t rows < <(cut -f 1 "$1" | sort -u)
        side_by_side try_listed "${rows[@]}"
    else
        mapfile -t rows <"$1"
        side_by_side try "${rows[@]}"
    fi
}

count() { # VERDICT LISTED
    awk -F '\t' -v verdict="$1" -v listed="$2" \
        '$1 == verdict && $2 == listed { count++ } END { print count + 0 }' "$work/verdicts"
}

# Prints the entries of the list that were killed, unless another mutant has the same lines.
wrongly_listed() {
    cut -f 1 "$work/rows" | sort -u | xargs lua5.4 "$mutator" list | cut -f 1,7,8 |
        awk -F '\t' 'NR == FNR { many[$0]++; next }
            $1 == "killed" && $2 == "listed" && many[$3 "\t" $4 "\t" $5] == 1 {
                print $3 ": " $4 " -> " $5 ": by " $6 }' - "$work/verdicts"
}

quotient() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", b ? a / b : 0 }'; } # A B

report() { # SECONDS
    local killed=$(($(count killed "") + $(count killed listed)))
    local equal=$(($(count equal "") + $(count equal listed))) invalid
    invalid=$(($(count invalid "") + $(count invalid listed)))
    unlisted=$(count survived "")
    known=$(count survived listed)
    valid=$((killed + unlisted + known))
    if [ "$mode" = listed ]; then
        echo "mutants: $known of $((valid + equal)) listed mutants survive, $killed are killed"
        return
    fi
    echo "mutants: $((valid + equal)) mutants ($invalid more do not compile): $equal equal," \
        "$killed killed, $known listed, $unlisted not listed have survived;" \
        "score $(quotient $((100 * killed)) $valid) %, $(quotient "$1" $((valid + equal)))" \
        "s per mutant"
}

# ---- all of it -----------------------------------------------------------------------------------

stop() {
    local group
    exec 2>/dev/null
    for group in $(jobs -p); do kill -- "-$group"; done
    wait
    exit 130
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t kernel < <(find kernel -name '*.c' | sort)
case ${1-} in
--list) [ $# = 1 ] || usage
    check_list
    exit
    ;;
sample) [ $# = 2 ] || usage ;;
score) [ $# -ge 2 ] || usage ;;
'' | -*) usage ;;
esac
if [ ! -e "$BUILD/libpinion.a" ]; then
    echo "left out: nothing is compiled in $BUILD; to have it: make programs"
    exit 77
fi
trap stop INT TERM
mode=$1
seed=$(git rev-parse HEAD 2>/dev/null || cat "${kernel[@]}" | sha256sum | cut -c 1-40)
read_reviewed >"$work/reviewed"
case $1 in
judged) judged_files | xargs lua5.4 "$mutator" list ;;
sample) judged_files | xargs lua5.4 "$mutator" draw "$2" "$seed" ;;
score)
    files=("${@:3}")
    [ $# != 2 ] || files=("${kernel[@]}")
    lua5.4 "$mutator" draw "$2" "$seed" "${files[@]}"
    ;;
listed)
    files=("${@:2}")
    [ $# != 1 ] || mapfile -t files < <(judged_files)
    lua5.4 "$mutator" list "${files[@]}" | of_list
    ;;
*) lua5.4 "$mutator" list "$@" ;;
esac >"$work/rows"
: >"$work/verdicts"
: >"$work/kills"
build
rooms=$(cut -f 1 "$work/rows" | cut -d / -f 2 | sort -u)
# shellcheck disable=SC2046  # names
run_unchanged $(for room in $rooms; do tests_of "$room"; done | sort -u)
ulimit -c 0
start=$SECONDS
try_all "$work/rows"
report $((SECONDS - start))
wrong=$(wrongly_listed)
[ -z "$wrong" ] || fail "$list has mutants that tests kill:
$wrong"
case $1 in
score | listed) ;;
sample) [ "$unlisted" -le $UNLISTED_SAMPLE ] || fail "more than $UNLISTED_SAMPLE survivors" ;;
*)
    [ $((100 * unlisted)) -le $((UNLISTED_PERCENT * (valid - known))) ] ||
        fail "more than $UNLISTED_PERCENT % survive"
    ;;
esac
