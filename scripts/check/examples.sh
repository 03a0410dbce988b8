#!/usr/bin/env bash
# Runs the scripts and hosts of examples/, and builds the small ones.
set -euo pipefail
build=${BUILD:-build}
work=$build/examples
mkdir -p "$work"
count=0
for example in examples/lua/*.lua examples/c/*.c examples/mapreduce examples/buildrunner; do
    name=$(basename "$example")
    echo "==== $name"
    case $name in
    *.lua) "$build/pinion" run "$example" "$work" ;;
    # These are built with the public headers alone too, by make.
    mapreduce) "$build/$name" ;;
    buildrunner)
        rm -f "$work"/demo.*
        program=$(realpath "$build/$name") rules=$PWD/$example/demo.rules
        (cd "$work" && "$program" "$rules" --check)
        ;;
    *.c)
        libraries="$build/libpinion.a" flags=-Ikernel/include
        if grep -q '"pinion_lua.h"' "$example"; then
            libraries="$build/libpinion-lua.a $libraries $(pkg-config --libs lua5.4) -lm"
            flags="$flags -Ilua/include"
        fi
        program=$work/${name%.c} exported=
        policy=$(grep -o 'examples/policies/[a-z]*\.lua' "$example" | head -n 1 || true)
        if [ -n "$policy" ]; then
            exported=$work/$(basename "$policy" .lua).c
            "$build/pinion" export "$policy" --output "$exported"
        fi
        # shellcheck disable=SC2086  # flags are words
        ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic $flags "$example" $exported $libraries \
            -o "$program"
        "$program" | tee "$program.out"
        # What an example says that it prints, in a comment at its end.
        if grep -qs '^/\* It prints:$' "$example"; then
            sed -n '/^\/\* It prints:$/,$s/^ \*  //p' "$example" | diff - "$program.out"
        fi
        ;;
    esac
    count=$((count + 1))
done
[ "$count" -ge 24 ] || { echo "found only $count examples"; exit 1; }
echo "$count examples run"
