#!/usr/bin/env bash
# Builds and runs the hosts and scripts of examples/.
set -euo pipefail
build=${BUILD:-build}
work=$build/examples
mkdir -p "$work"
for host in examples/*.c; do
    name=$(basename "$host" .c)
    ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Ikernel "$host" "$build/libpinion.a" -o "$work/$name"
    "$work/$name"
done
"$build/pinion" run examples/first.lua
"$build/pinion" run examples/facebook.lua "$work"
echo "$(ls examples | wc -l) examples run"
