#!/usr/bin/env bash
# Extracts the fenced examples of the READMEs and runs them, so that they cannot rot: `sh` blocks with bash, `lua` blocks with the program, `c` blocks
# compiled against the library. Blocks after a line `<!-- not run: why -->` are left out. They run in an empty directory, where what an
# earlier reader wrote to build/ is not in their way.
set -euo pipefail
build=$(cd "${BUILD:-build}" && pwd)
root=$PWD
work=$build/readme
rm -rf "$work" && mkdir -p "$work/here/build"
awk -v dir="$work" '
    /^<!-- not run:/ { skip = 1 }
    /^```/ && open { close(file); open = 0; next }
    /^```(sh|lua|c|json)$/ { lang = substr($0, 4); n++; file = sprintf("%s/%02d.%s", dir, n, lang); open = 1
                             if (skip) { file = "/dev/null"; skip = 0 } ; next }
    open { print > file }' README.md policies/README.md
count=0
cd "$work/here"
for example in "$work"/*.*; do
    case $example in
    *.sh) PATH=$build:$PATH bash -euo pipefail "$example" ;;
    *.lua) "$build/pinion" run "$example" ;;
    *.c) ${CC:-cc} -std=c11 -Wall -I"$root/kernel/include" "$example" "$build/libpinion.a" -o "$work/example" && "$work/example" ;;
    esac >"$example.out" 2>&1 || { echo "README example $example fails:"; cat "$example" "$example.out"; exit 1; }
    count=$((count + 1))
done
[ "$count" -ge 3 ] || { echo "found only $count examples"; exit 1; }
echo "$count README examples run"
