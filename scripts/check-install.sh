#!/usr/bin/env bash
# Installs into a scratch root and uses what lies there: program, C host through pkg-config with the shared library, module in a stock lua5.4.
set -euo pipefail
build=${BUILD:-build}
root=$PWD/$build/install-root
rm -rf "$root"
${MAKE:-make} --no-print-directory install BUILD="$build" PREFIX=/usr DESTDIR="$root" >/dev/null
"$root/usr/bin/pinion" version
export PKG_CONFIG_PATH=$root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
# shellcheck disable=SC2046  # flags are words
${CC:-cc} examples/embed.c $(pkg-config --cflags --libs pinion) -o "$build/installed-host"
LD_LIBRARY_PATH=$root/usr/lib "$build/installed-host"
LUA_PATH="$root/usr/share/lua/5.4/?.lua" LUA_CPATH="$root/usr/lib/lua/5.4/?.so" lua5.4 examples/first.lua
echo "the installed program, library and module work"
