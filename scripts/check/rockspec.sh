#!/usr/bin/env bash
# Builds and installs the rock into a tree of its own, without the network, and runs an example
# on it in a stock lua5.4.
set -euo pipefail
: "${BUILD:=build}"

if ! command -v luarocks >/dev/null 2>&1; then
    echo "rockspec: no luarocks here; to have it: apt-get install luarocks"
    exit 77
fi
mkdir -p "$BUILD"
tree=$(cd "$BUILD" && pwd)/rock
rm -rf "$tree"
export BUILD # the rock is made of the objects that are there
luarocks --lua-version 5.4 --tree "$tree" make lua/pinion-dev-1.rockspec
luarocks --lua-version 5.4 --tree "$tree" show pinion | grep 'dev-1' >/dev/null
checkout=$PWD
(
    cd "$tree" # away from the checkout: only the tree can be meant
    export LUA_PATH="$tree/share/lua/5.4/?.lua" LUA_CPATH="$tree/lib/lua/5.4/?.so"
    lua5.4 -e 'print("installed by luarocks: pinion " .. require("pinion").version)'
    lua5.4 "$checkout/examples/lua/first.lua"
)
luarocks --lua-version 5.4 --tree "$tree" remove pinion
[ ! -e "$tree/share/lua/5.4/pinion.lua" ] || { echo "rockspec: files are left behind"; exit 1; }
echo "the rock builds, installs, runs and goes away again"
