#!/bin/bash
# The same numbers from every compiler, optimisation level and process: builds the kernel with tests/digests.c in several ways and
# compares what it prints with tests/golden/digests.txt.
#   scripts/goldens.sh             compare; a difference prints the new values
#   scripts/goldens.sh --update    renew the file, deliberately: a change of behaviour, to be named in the change log
set -euo pipefail
cd "$(dirname "$0")/.."

golden=tests/golden/digests.txt
work=${BUILD:-build}/golden
mkdir -p "$work"

compilers=()
for candidate in gcc clang; do
    if command -v "$candidate" >/dev/null 2>&1; then compilers+=("$candidate"); else echo "goldens: no $candidate here, left out"; fi
done
[ ${#compilers[@]} -gt 0 ] || compilers=("${CC:-cc}")

# build COMPILER LEVEL: the program and what it prints, in $work/COMPILER-LEVEL
build() {
    local dir=$work/$1$2
    mkdir -p "$dir"
    rm -f "$dir/digests.txt"
    "$1" -std=c11 "$2" -ffp-contract=off -fno-math-errno -Ikernel -Itests kernel/*.c tests/digests.c -o "$dir/digests"
    "$dir/digests" >"$dir/digests.txt"
}
export -f build
export work

if [ "${1-}" = --update ]; then
    build "${compilers[0]}" -O2
    diff "$golden" "$work/${compilers[0]}-O2/digests.txt" || true
    cp "$work/${compilers[0]}-O2/digests.txt" "$golden"
    echo "goldens: $(wc -l <"$golden") values written to $golden"
    exit
fi

variants=()
for compiler in "${compilers[@]}"; do
    for level in -O0 -O1 -O2 -O3; do variants+=("$compiler $level"); done
done
failed=0
printf '%s\n' "${variants[@]}" | xargs -P 2 -I{} bash -euc 'build {}' || { echo "goldens: a build or a run of it failed"; failed=1; }
for variant in "${variants[@]}"; do
    printed=$work/${variant/ /}/digests.txt
    if ! cmp -s "$golden" "$printed"; then
        echo "goldens: $variant differs (< expected, > printed):"
        diff "$golden" "$printed" || true
        failed=1
    fi
done

# Fresh processes: addresses differ from one to the next, results may not.
program=$work/${variants[1]/ /}/digests
for i in 1 2 3 4 5 6 7 8; do echo "$i"; done | xargs -P 2 -I{} bash -euc "'$program' >'$work/process-{}.txt'"
for i in 1 2 3 4 5 6 7 8; do
    if ! cmp -s "$work/${variants[1]/ /}/digests.txt" "$work/process-$i.txt"; then
        echo "goldens: process $i printed other values than the first"
        failed=1
    fi
done

[ $failed = 0 ] || { echo "goldens: if this change is meant, scripts/goldens.sh --update renews $golden"; exit 1; }
echo "goldens: $(wc -l <"$golden") values agree in ${#variants[@]} builds ($(IFS=,; echo "${variants[*]}")) and 8 processes"
