#!/usr/bin/env bash
# Static analysis with whatever of it is installed; says what it left out.
set -uo pipefail
status=0
with() {
    command -v "$1" >/dev/null 2>&1 && return 0
    echo "lint: $1 is not installed, left out"
    return 1
}

if with cppcheck; then
    cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
        --error-exitcode=1 -Ikernel/include -Ikernel kernel || status=1
fi
if with clang-tidy; then
    checks='-*,clang-analyzer-*,bugprone-*'
    checks=$checks,-bugprone-easily-swappable-parameters,-bugprone-reserved-identifier
    # memset_s and its kin are in no C library that this is built with.
    checks=$checks,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling
    # shellcheck disable=SC2046  # a list of sources
    clang-tidy --quiet --checks="$checks" --warnings-as-errors='clang-analyzer-*' \
        $(find kernel -name "*.c") -- -std=c11 -Ikernel/include -Ikernel || status=1
fi
if with luacheck; then
    luacheck --std lua54 --no-color --max-line-length 100 lua/pinion examples scripts || status=1
fi
exit $status
