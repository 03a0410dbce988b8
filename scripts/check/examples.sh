#!/usr/bin/env bash
# Builds and runs the scripts and hosts of examples/.
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
    *.c | mapreduce | buildrunner)
        sources=$example arguments='' where=.
        [ -d "$example" ] && sources=$(echo "$example"/*.c examples/common/*.c)
        if [ "$name" = buildrunner ]; then
            rm -f "$work"/demo.*
            arguments="$PWD/$example/demo.rules --check" where=$work
        fi
        libraries="$build/libpinion.a" flags=-Ikernel/include
        # shellcheck disable=SC2086  # names are words
        if grep -q '"pinion_lua.h"\|common.h"' $sources; then
            libraries="$build/libpinion-lua.a $libraries $(pkg-config --libs lua5.4) -lm"
            flags="$flags -Ilua/include"
        fi
        # shellcheck disable=SC2086  # flags are words
        ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic $flags $sources $libraries -o "$work/${name%.c}"
        program=$(realpath "$work/${name%.c}")
        # shellcheck disable=SC2086  # arguments are words
        (cd "$where" && "$program" $arguments) | tee "$work/${name%.c}.out"
        # What an example says that it prints, in a comment at its end.
        if grep -qs '^/\* It prints:$' "$example"; then
            sed -n '/^\/\* It prints:$/,$s/^ \*  //p' "$example" | diff - "$work/${name%.c}.out"
        fi
        ;;
    esac
    count=$((count + 1))
done
[ "$count" -ge 23 ] || { echo "found only $count examples"; exit 1; }
echo "$count examples run"
