#!/usr/bin/env bash
# Installs into a scratch root and uses what lies there: program, C hosts through pkg-config with
# the shared library and with policies in Lua, module in a stock lua5.4, policies by their installed
# path, the papers' scripts, manual page.
set -euo pipefail
build=${BUILD:-build}
mkdir -p "$build"
scratch=$(cd "$build" && pwd)/install-root
prefix=/opt/pinion
agree="compared with the reference: all agree"
root=$scratch$prefix
rm -rf "$scratch"
${MAKE:-make} --no-print-directory install BUILD="$build" PREFIX=$prefix \
    DESTDIR="$scratch" >/dev/null
"$root/bin/pinion" version
export PKG_CONFIG_PATH=$root/lib/pkgconfig LD_LIBRARY_PATH=$root/lib

# The prefix lies in the scratch root; lua5.4, which is needed beside it, does not.
flags() { pkg-config --cflags --libs "$1" | sed "s|$prefix|$root|g"; }

version=$("$root/bin/pinion" version | cut -d ' ' -f 2)
if [ "$(pkg-config --modversion pinion)" != "$version" ]; then
    echo "install: pkg-config and the program name different versions"
    exit 1
fi
# shellcheck disable=SC2046  # flags are words
${CC:-cc} -Wall -Werror examples/c/host.c $(flags pinion) -o "$build/installed-host"
"$build/installed-host"
# shellcheck disable=SC2046
${CC:-cc} -Wall -Werror examples/c/host_with_lua.c $(flags pinion-lua) \
    -o "$build/installed-host-lua"
"$build/installed-host-lua" examples/policies/patient.lua
stock_lua() {
    LUA_PATH="$root/share/lua/5.4/?.lua" LUA_CPATH="$root/lib/lua/5.4/?.so" lua5.4 "$@"
}
stock_lua examples/lua/first.lua
for policy in "$root"/share/pinion/policies/*/*.lua; do
    "$root/bin/pinion" policies "$policy" >/dev/null
done
# The program finds the papers' scripts that were installed with it; they run in a stock lua5.4.
output=$scratch/paper
"$root/bin/pinion" paper tian --only table1 --seeds 2 --output "$output" --quiet | grep "$agree"
stock_lua "$root/share/pinion/papers/zheng/main.lua" --only example --seeds 2 --output "$output" \
    --quiet | grep "$agree"
for file in share/man/man1/pinion.1 share/doc/pinion/{api.md,docs/results.md} \
    share/{bash-completion/completions/pinion,zsh/site-functions/_pinion} \
    share/fish/vendor_completions.d/pinion.fish \
    $(cd lua && echo meta/*.lua | sed 's|meta/|share/pinion/&|g'); do
    [ -s "$root/$file" ] || { echo "install: $file is missing or empty"; exit 1; }
done
echo "the installed program, libraries, module, policies and papers work"
