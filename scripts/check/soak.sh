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
if command -v clang >/dev/null 2>&1; then
    $MAKE --no-print-directory fuzz BUILD="$BUILD"
    for corpus in tests/fuzz/corpus/*; do
        target=$(basename "$corpus")
        seeds=
        # Policies have further seeds beside the corpus.
        [ "$target" != policy ] || seeds="$(echo policies/*/) $(echo tests/*/pairs)"
        mkdir -p "$BUILD/fuzz/found/$target"
        # shellcheck disable=SC2086  # a list of folders
        "$BUILD/fuzz/tests/fuzz/$target" -max_total_time=$((SECONDS_SOAK / 6)) \
            -max_len=4096 -print_final_stats=1 \
            "$BUILD/fuzz/found/$target" "$corpus" $seeds
    done
else
    echo "no clang: fuzzing left out"
fi
$MAKE --no-print-directory papers BUILD="$BUILD"
