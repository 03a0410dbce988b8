#!/usr/bin/env bash
# Hosts and libraries of different versions: a kernel whose configurations have fields more stands
# for a later version. A host of either version runs on the library of the other one: the same
# digests, nothing written outside the host's struct, and a field that the library does not know is
# refused when it is set.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}"

fail() {
    echo "versions: $*"
    exit 1
}

work=$BUILD/versions
rm -rf "$work" && mkdir -p "$work"
cp -r kernel "$work/later"
headers=$work/later/include
# Every model has a folder in the kernel, but what lies in base is of all.
for folder in kernel/*/; do
    header=$(basename "$folder")
    case $header in include | base) continue ;; esac
    sed -i "s/^} pn_${header}_config;/    uint64_t later[8];\n&/" "$headers/pn_$header.h"
    grep -q 'later\[8\]' "$headers/pn_$header.h" || fail "no configuration in pn_$header.h"
done

soname=$(basename "$(readelf -d "$BUILD/libpinion.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')")
mkdir -p "$work/with_now" "$work/with_later"
cp "$BUILD/libpinion.so" "$work/with_now/$soname"
# shellcheck disable=SC2046  # a list of sources
"$CC" -std=c11 -O0 -fPIC -shared -fno-math-errno -Wl,-soname,"$soname" -I"$headers" \
    -I"$work/later" $(find "$work/later" -name "*.c") -o "$work/with_later/$soname"

host() { # FOLDER OUTPUT FLAGS...
    local folder=$1 output=$2
    shift 2
    "$CC" -std=c11 -O1 "$@" -I"$folder" tests/programs/versions.c "$BUILD/libpinion.so" \
        -o "$work/$output"
}
host kernel/include host_now
host "$headers" host_later -DLATER

run() { # HOST LIBRARY
    LD_LIBRARY_PATH=$work/with_$2 "$work/$1" >"$work/$1-$2.txt" || {
        cat "$work/$1-$2.txt"
        fail "$1 fails with the library '$2'"
    }
}
run host_now now
run host_now later
run host_later now
for pair in host_now-later host_later-now; do
    diff "$work/host_now-now.txt" "$work/$pair.txt" || fail "$pair decides otherwise"
done
models=$(wc -l <"$work/host_now-now.txt")
echo "versions: an older and a newer host decide alike on $models models," \
    "unknown fields are refused"
