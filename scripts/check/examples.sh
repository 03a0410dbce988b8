#!/usr/bin/env bash
# Builds and runs the scripts and hosts of examples/.
set -euo pipefail
build=${BUILD:-build}
work=$build/examples
mkdir -p "$work"
count=0
for example in examples/lua/*.lua examples/c/*.c examples/mapreduce; do
    name=$(basename "$example")
    echo "==== $name"
    case $name in
    *.lua) "$build/pinion" run "$example" "$work" ;;
    *.c | mapreduce)
        sources=$example
        [ -d "$example" ] && sources=$(echo "$example"/*.c)
        libraries="$build/libpinion.a" flags=-Ikernel/include
        if grep -rq '"pinion_lua.h"' "$example"; then
            libraries="$build/libpinion-lua.a $libraries $(pkg-config --libs lua5.4) -lm"
            flags="$flags -Ilua/include"
        fi
        # shellcheck disable=SC2086  # flags are words
        ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic $flags $sources $libraries -o "$work/${name%.c}"
        "$work/${name%.c}" | tee "$work/${name%.c}.out"
        # What an example says that it prints, in a comment at its end.
        if grep -qs '^/\* It prints:$' "$example"; then
            sed -n '/^\/\* It prints:$/,$s/^ \*  //p' "$example" | diff - "$work/${name%.c}.out"
        fi
        ;;
    esac
    count=$((count + 1))
done
[ "$count" -ge 22 ] || { echo "found only $count examples"; exit 1; }
echo "$count examples run"
