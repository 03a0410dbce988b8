#!/usr/bin/env bash
# Hosts in Python: what they declare is what the headers say; a simulation gives what the same one
# gives in C and from the command line; real tasks count words as `wc` does, and a task that always
# fails fails its job alone.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}"
work=$BUILD/python
rm -rf "$work" && mkdir -p "$work"
export PINION_LIBRARY=$BUILD/libpinion.so PYTHONDONTWRITEBYTECODE=1

if ! python3 -c 'import ctypes, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "python: no python3 (3.9 or later) with ctypes here, its examples are left out"
    exit 77
fi

fail() {
    echo "python: $*"
    exit 1
}

python3 tests/programs/layouts.py >"$work/layouts.c" 2>"$work/declared" ||
    fail "$(cat "$work/declared")"
"$CC" -std=c11 -fsyntax-only -Wall -Wextra -Wconversion -Werror -Ikernel/include "$work/layouts.c"

"$CC" -std=c11 -Ikernel/include examples/c/host.c "$BUILD/libpinion.a" -o "$work/host"
"$work/host" >"$work/host.out"
python3 examples/python/simulate.py >"$work/simulate.out"
head -n "$(wc -l <"$work/host.out")" "$work/simulate.out" | diff "$work/host.out" - ||
    fail "the simulation differs from the one of examples/c/host.c"
cat >"$work/jobs.json" <<'JSON'
{ "model": "slotted", "machines": 3, "reduce": "preemptive",
  "jobs": [ { "arrival": 1, "maps": 5, "reduces": [4, 4, 2] },
            { "arrival": 2, "maps": 5, "reduces": [4, 4, 2] },
            { "arrival": 3, "maps": 5, "reduces": [4, 4, 2] } ] }
JSON
for policy in asrpt dspt; do
    "$BUILD/pinion" simulate "$work/jobs.json" --policy $policy --format json --quiet
done | grep -oE '"digest": *"[0-9a-f]*"' | grep -oE '[0-9a-f]{16}' >"$work/digests"
sed -n 's/^PN_DONE, digest //p' "$work/simulate.out" | uniq | diff "$work/digests" - ||
    fail "the digests are not those of pinion simulate"

mkdir "$work/unreadable"
echo one two three >"$work/unreadable/a"
ln -s /proc/self/mem "$work/unreadable/b"
folders=(examples/c examples/lua "$work/unreadable")
timeout 60 python3 examples/python/schedule.py "${folders[@]}" >"$work/schedule.out" \
    2>"$work/schedule.err" || fail "$(tail -n 3 "$work/schedule.err")"
for folder in examples/c examples/lua; do
    echo "$folder: $(find $folder -type f | wc -l) files, $(cat $folder/* | wc -w) words"
done >"$work/expected"
echo "$work/unreadable: failed" >>"$work/expected"
LC_ALL=C sort "$work/schedule.out" | diff <(LC_ALL=C sort "$work/expected") - ||
    fail "the tasks count otherwise than wc"
echo "python: $(cat "$work/declared") as in the headers; simulation and real tasks agree"
