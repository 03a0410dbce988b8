#!/usr/bin/env bash
# The package for Python and its examples: its declarations have a compiler's layout (the check
# `declarations` compares them with the headers); the tests in tests/python; a simulation gives what
# the same one gives in C and from the command line; real tasks count words as `wc` does, and a task
# that always fails fails its job alone; an agent learns; the package installs; the notebook runs.
#   PYTHON   the interpreter; default: what setup.sh python-path prints
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}"
build=$(cd "$BUILD" && pwd)
work=$build/python
rm -rf "$work" && mkdir -p "$work"
export PINION=$build/pinion PINION_LIBRARY=$build/libpinion.so PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH=$PWD/examples/python

has() { "$1" -c "import ${2//,/, }" 2>/dev/null; }
: "${PYTHON:=$(sh scripts/build/setup.sh python-path)}"
if ! "$PYTHON" -c 'import ctypes, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    echo "python: no python3 (3.9 or later) with ctypes here, its examples are left out"
    exit 77
fi

fail() {
    echo "python: $*"
    exit 1
}

left_out() { echo "python: $1 left out: install $2"; }

"$PYTHON" tests/programs/layouts.py >"$work/layouts.c" 2>"$work/declared" ||
    fail "$(cat "$work/declared")"
"$CC" -std=c11 -fsyntax-only -Wall -Wextra -Wconversion -Werror -Ikernel/include "$work/layouts.c"

timeout 300 "$PYTHON" -W error -m unittest discover -s tests/python >"$work/tests" 2>&1 ||
    fail "$(cat "$work/tests")"
has "$PYTHON" pandas || left_out "tests of data frames" python3-pandas
command -v gnuplot >/dev/null || left_out "tests of figures" gnuplot-nox
timeout 60 "$PYTHON" tests/bench/python.py small >"$work/bench" 2>&1 || fail "$(cat "$work/bench")"

"$CC" -std=c11 -Ikernel/include examples/c/host.c "$build/libpinion.a" -o "$work/host"
"$work/host" >"$work/host.out"
"$PYTHON" examples/python/simulate.py >"$work/simulate.out"
head -n "$(wc -l <"$work/host.out")" "$work/simulate.out" | diff "$work/host.out" - ||
    fail "the simulation differs from the one of examples/c/host.c"
cat >"$work/jobs.json" <<'JSON'
{ "model": "slotted", "machines": 3, "reduce": "preemptive",
  "jobs": [ { "arrival": 1, "maps": 5, "reduces": [4, 4, 2] },
            { "arrival": 2, "maps": 5, "reduces": [4, 4, 2] },
            { "arrival": 3, "maps": 5, "reduces": [4, 4, 2] } ] }
JSON
for policy in asrpt dspt; do
    "$PINION" simulate "$work/jobs.json" --policy $policy --format json --quiet
done | grep -oE '"digest": *"[0-9a-f]*"' | grep -oE '[0-9a-f]{16}' >"$work/digests"
sed -n 's/^PN_DONE, digest //p' "$work/simulate.out" | uniq | diff "$work/digests" - ||
    fail "the digests are not those of pinion simulate"

mkdir "$work/unreadable"
echo one two three >"$work/unreadable/a"
ln -s /proc/self/mem "$work/unreadable/b"
folders=(examples/c examples/lua "$work/unreadable")
timeout 60 "$PYTHON" examples/python/schedule.py "${folders[@]}" >"$work/schedule.out" \
    2>"$work/schedule.err" || fail "$(tail -n 3 "$work/schedule.err")"
for folder in examples/c examples/lua; do
    echo "$folder: $(find $folder -type f | wc -l) files, $(cat $folder/* | wc -w) words"
done >"$work/expected"
echo "$work/unreadable: failed" >>"$work/expected"
LC_ALL=C sort "$work/schedule.out" | diff <(LC_ALL=C sort "$work/expected") - ||
    fail "the tasks count otherwise than wc"

timeout 120 "$PYTHON" examples/python/learn.py 1 >"$work/learned" 2>&1 ||
    fail "$(cat "$work/learned")"
awk '{ time[$1] = $2 } END { exit !(0 < time["learned"] && time["learned"] < time["fifo"]) }' \
    "$work/learned" || fail "the agent has not learned: $(cat "$work/learned")"

if has "$PYTHON" setuptools,wheel,pip; then
    cp -r examples/python "$work/package"
    timeout 120 "$PYTHON" -m pip install --quiet --no-index --no-build-isolation --no-deps \
        --target "$work/installed" "$work/package" >"$work/pip" 2>&1 || fail "$(cat "$work/pip")"
    (cd "$work" && PYTHONPATH=$work/installed "$PYTHON" -c \
        'import pinion, pinion.learning; print(pinion.__file__, pinion.__version__)') |
        grep -qxF "$work/installed/pinion/__init__.py $("$PINION" version | cut -d ' ' -f 2)" ||
        fail "the installed package is not of this version"
else
    left_out "the installed package" "python3-pip, python3-setuptools and python3-wheel"
fi

if has "$PYTHON" nbconvert,ipykernel,pandas,matplotlib; then
    (cd "$work" && timeout 120 "$PYTHON" -m nbconvert --to notebook --execute --output-dir "$work" \
        "$OLDPWD/examples/python/tour.ipynb") >"$work/nbconvert" 2>&1 ||
        fail "$(tail -n 20 "$work/nbconvert")"
    grep -q '<table><thead>' "$work/tour.ipynb" || fail "the notebook shows no table"
    grep -q '"image/svg+xml"' "$work/tour.ipynb" || fail "the notebook shows no chart"
else
    left_out "the notebook" "jupyter-nbconvert, python3-ipykernel, -pandas and -matplotlib"
fi
echo "python: $(cat "$work/declared") as in the headers; $(sed -n 's/ in .*//p' "$work/tests");" \
    "simulation and real tasks agree"
