#!/usr/bin/env bash
# The papers' scripts use the library as any script does: through `require "pinion"`. And they are
# found: beside a program in a folder of the checkout, where PINION_PAPERS says, and by a stock
# lua5.4.
set -euo pipefail
build=${BUILD:-build}
scratch=$build/papers-check
rm -rf "$scratch" && mkdir -p "$scratch/inside"

if grep -nE "require *[(]? *[\"']pinion[.]" scripts/papers/*/*.lua; then
    echo "papers: scripts/papers must reach the library through require \"pinion\" alone"
    exit 1
fi
# Every other module that they name is one of theirs.
modules=$(grep -ohE "require *[(]?\"[^\"]+\"" scripts/papers/*/*.lua | cut -d '"' -f 2 | sort -u)
for module in $modules; do
    [ "$module" = pinion ] || [ -f "scripts/papers/${module//.//}.lua" ] ||
        { echo "papers: no module $module"; exit 1; }
done
# Reference numbers are data: they are there without a library, Lua's own included.
for file in scripts/papers/*/reference.lua; do
    lua5.4 -e 'assert(type(assert(loadfile(arg[1], "t", {}))()) == "table")' /dev/null "$file"
done

# Reads to the end: what writes into a pipe that is closed fails.
agree() { grep "compared with the reference: all agree" >/dev/null; }
lua() { LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="$build/module/?.so" lua5.4 "$@"; }
options=(--only example --seeds 2 --output "$scratch/output" --quiet)
cp "$build/pinion" "$scratch/inside/pinion"
"$scratch/inside/pinion" paper zheng "${options[@]}" | agree
elsewhere=$(mktemp -d)
trap 'rm -rf "$elsewhere"' EXIT
cp "$build/pinion" "$elsewhere/pinion"
PINION_PAPERS=scripts/papers "$elsewhere/pinion" paper zheng "${options[@]}" | agree
for paper in zheng:example lin:corollary4 tian:table1 hsrtf:livelock rtmr:cases; do
    name=${paper%:*}
    lua "scripts/papers/$name/main.lua" --only "${paper#*:}" --seeds 2 --output "$scratch/output" \
        --quiet | agree || { echo "papers: $paper in lua5.4"; exit 1; }
    message=$(lua "scripts/papers/$name/main.lua" --only nothing 2>&1) || true
    [[ $message == "pinion: --only: unknown section 'nothing' of paper $name (known: "* ]]
done

refused() { # MESSAGE COMMAND...
    local message=$1 status=0
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    if [ $status != 1 ] || ! grep -qF "$message" "$scratch/err"; then
        echo "papers: exit code $status of $*"
        cat "$scratch/err"
        exit 1
    fi
}
refused "(looked for in /nowhere; PINION_PAPERS names their folder)" \
    env PINION_PAPERS=/nowhere "$build/pinion" paper
refused "scripts were not found (looked for in " "$elsewhere/pinion" paper zheng
echo "the papers' scripts need the library alone, and are found"
