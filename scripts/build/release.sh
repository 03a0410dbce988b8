#!/usr/bin/env bash
# Keeps what this version promises to later ones, in tests/abi/VERSION: the public headers, a small
# host with what it prints, and the interface of the shared library as abidw (abigail-tools)
# describes it. Run once for a release, when its version stands in pn_base.h; scripts/check/
# versions.sh holds every later version against it. Until the release is out it may be run again.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}"

version=$(sed -n 's/^.define PN_VERSION "\(.*\)"/\1/p' kernel/include/pn_base.h)
kept=tests/abi/$version
library=$BUILD/libpinion.so
soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
work=$BUILD/release
rm -rf "$work" "$kept" && mkdir -p "$work" "$kept/include"

cp kernel/include/*.h "$kept/include/"
cp tests/programs/versions.c "$kept/host.c"
cp "$library" "$work/$soname"
"$CC" -std=c11 -O1 -I"$kept/include" "$kept/host.c" "$library" -o "$work/host"
LD_LIBRARY_PATH=$work "$work/host" >"$kept/host.txt"
abidw --no-comp-dir-path --no-corpus-path "$library" |
    gzip -9n >"$kept/libpinion.abi.gz"
echo "release: $kept holds $(du -sh "$kept" | cut -f1)"
