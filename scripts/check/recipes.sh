#!/usr/bin/env bash
# What the headers of the two cores show is true: the loop of a host compiles without a warning and
# serves made-up machines under every built-in policy, and the policies have the names listed.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}"

work=$BUILD/recipes
rm -rf "$work" && mkdir -p "$work"

fail() {
    echo "recipes: $*"
    exit 1
}

for core in scheduler dispatch; do
    header=kernel/include/pn_$core.h
    # the block that is indented in the comment at the top
    awk '/^#ifndef/ { exit } /^ \*     / { print substr($0, 8) } / \*$/ && seen { print "" }' \
        "$header" >"$work/$core.inc"
    grep -q 'static void serve' "$work/$core.inc" || fail "$header has no loop"
    # shellcheck disable=SC2046  # a list of sources
    "$CC" -std=c11 -O1 -Wall -Wextra -Wconversion -Wno-missing-field-initializers -Werror \
        -fno-math-errno -DRECIPE="\"$PWD/$work/$core.inc\"" -Ikernel/include -Ikernel \
        $(find kernel -name '*.c') "tests/programs/recipe_$core.c" -o "$work/$core"
    names=$("$work/$core") || fail "$header: $names"
    listed=$(sed -n 's|^/\* Return by name: \([^;.]*\).*|\1|p' "$header")
    [ "${names//$'\n'/, }" = "$listed" ] ||
        fail "$header lists the policies '$listed', they are '${names//$'\n'/, }'"
done
echo "recipes: the loops of both headers serve under all policies that they list"
