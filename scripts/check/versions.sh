#!/usr/bin/env bash
# Hosts and libraries of different versions.
#   later     a kernel whose structs all have fields more stands for a later version. Hosts of
#             either version run on the library of the other one: the same results, nothing written
#             outside a host's structs, what is unknown is told so, and refused when it is set.
#   released  the host of every released version in tests/abi, compiled against the headers of that
#             version, says on this library what it said then; each of these headers, included
#             alone, still declares the same names; and, where abidiff is installed, nothing of the
#             interface of the last release was taken away or has another layout.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}"

fail() {
    echo "versions: $*"
    exit 1
}

work=$BUILD/versions
rm -rf "$work" && mkdir -p "$work"

# ---- later ---------------------------------------------------------------------------------------

cp -r kernel "$work/later"
headers=$work/later/include
# A field behind the last one of every struct that begins with its size.
for header in "$headers"/pn_*.h; do
    awk '
        /^(typedef )?struct pn_[a-z_]+ \{/ { first = NR + 1; grows = 0 }
        /^    size_t struct_size;/ { grows = 1 }
        # the comment of the first member may stand above it
        grows && /^\}/ { print "    uint64_t later[8];"; grows = 0 }
        { print }' "$header" >"$work/header"
    cp "$work/header" "$header"
done
structs=$(grep -h 'size_t struct_size;' kernel/include/*.h | wc -l)
[ "$(grep -h 'uint64_t later\[8\];' "$headers"/*.h | wc -l)" = "$structs" ] ||
    fail "not every struct has its field more"

soname=$(readelf -d "$BUILD/libpinion.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
mkdir -p "$work/with_now" "$work/with_later"
cp "$BUILD/libpinion.so" "$work/with_now/$soname"
# shellcheck disable=SC2046  # a list of sources
"$CC" -std=c11 -O0 -fPIC -shared -fno-math-errno -Wl,-soname,"$soname" \
    -Wl,--version-script="$BUILD/pinion.map" -I"$headers" -I"$work/later" \
    $(find "$work/later" -name "*.c") -o "$work/with_later/$soname"

# host HEADERS OUTPUT SOURCE FLAGS...
host() {
    local folder=$1 output=$2 source=$3
    shift 3
    "$CC" -std=c11 -O1 "$@" -I"$folder" "$source" "$BUILD/libpinion.so" -o "$work/$output"
}

# run HOST LIBRARY: what it prints, in HOST-LIBRARY.txt
run() {
    LD_LIBRARY_PATH=$work/with_$2 "$work/$1" >"$work/$1-$2.txt" || {
        cat "$work/$1-$2.txt"
        fail "$1 fails with the library '$2'"
    }
}

for sized in "" -DSIZED; do
    host kernel/include "host_now$sized" tests/programs/versions.c $sized
    host "$headers" "host_later$sized" tests/programs/versions.c -DLATER $sized
    for pair in now-now now-later later-now; do
        run "host_${pair%-*}$sized" "${pair#*-}"
        diff "$work/host_now-now.txt" "$work/host_${pair%-*}$sized-${pair#*-}.txt" ||
            fail "the host ${pair%-*}$sized decides otherwise with the library '${pair#*-}'"
    done
done

# ---- released ------------------------------------------------------------------------------------

# names FOLDER HEADER: what a host that includes this header alone may use
names() {
    "$CC" -E -P -dD -I"$1" "$1/$2" | grep -oE '\b(pn|PN)_[A-Za-z0-9_]+' | LC_ALL=C sort -u
}

released=0
for folder in tests/abi/*/; do
    version=$(basename "$folder")
    host "$folder/include" "$version" "$folder/host.c"
    run "$version" now
    diff "$folder/host.txt" "$work/$version-now.txt" ||
        fail "the host of $version hears other results than it did then"
    for header in "$folder"/include/*.h; do
        header=$(basename "$header")
        LC_ALL=C comm -23 <(names "$folder/include" "$header") <(names kernel/include "$header") \
            >"$work/gone"
        [ ! -s "$work/gone" ] || fail "$header of $version declared $(paste -sd ' ' "$work/gone")"
    done
    released=$((released + 1))
    last=$folder
done
[ $released -gt 0 ] || fail "no released version in tests/abi"

compare() {
    abidiff --no-added-syms --suppressions tests/abi/growing.ini "$1" "$BUILD/libpinion.so" \
        >"$work/abidiff.txt"
}
if command -v abidiff >/dev/null; then
    gzip -dc "$last/libpinion.abi.gz" >"$work/last.abi"
    compare "$work/last.abi" || {
        cat "$work/abidiff.txt"
        fail "the interface of the last release is not kept"
    }
    # That it would be seen: a release that had one member more, in the middle.
    awk "/<class-decl name='pn_slotted_totals'/ { inside = 1; sub(/size-in-bits='[0-9]+/, \"&0\") }
        /<.class-decl>/ { inside = 0 }
        inside { sub(/layout-offset-in-bits='[1-9][0-9]*/, \"&0\") }
        { print }" "$work/last.abi" >"$work/moved.abi"
    if compare "$work/moved.abi"; then fail "abidiff does not see members that have moved"; fi
    compared="the interface of the last is kept"
else
    compared="interfaces not compared; to do so: apt-get install abigail-tools"
fi

echo "versions: hosts and libraries with $structs structs that grow understand each other;" \
    "$released released versions; $compared"
