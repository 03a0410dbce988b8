#!/usr/bin/env bash
# What takes too long for every change: 10^5 random instances of everything that is said twice, long
# fuzzing where clang is installed, the papers' settings.
set -euo pipefail
: "${BUILD:=build}" "${SECONDS_SOAK:=1800}" "${MAKE:=make}"
# Two at a time; the first that fails ends all.
for source in tests/*/random*.c tests/random/*.c; do echo "${source%.c}"; done |
    xargs -P 2 -I{} sh -c "\"$BUILD/{}\" 0 100000 || exit 255"
if command -v valgrind >/dev/null 2>&1; then
    for source in tests/front/sandbox.c tests/front/generator.c tests/*/policy*.c; do
        valgrind -q --error-exitcode=1 --leak-check=full "$BUILD/${source%.c}"
    done
else
    echo "no valgrind: leaks are looked for by the sanitizers of make test alone"
fi
targets=$(ls tests/fuzz/corpus | wc -l)
bash scripts/check/fuzz.sh $((SECONDS_SOAK / targets)) || [ $? = 77 ]
$MAKE --no-print-directory papers BUILD="$BUILD"
