#!/usr/bin/env bash
# What the kernel needs, keeps and shows, read from the libraries themselves:
#   needs   nothing but memcpy, memmove, memset, memcmp and abort
#   keeps   no data that can be written: no globals, no statics
#   shows   from libpinion.so, exactly what the public headers declare, each name with the version
#           that scripts/build/map.sh finds for it, and functions only
#   names   no two static functions alike, since the amalgamation has all of them in one file
# And of the program: that its run loops do not know Lua.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}"
export LC_ALL=C

static=$BUILD/libpinion.a
shared=$BUILD/libpinion.so
work=$BUILD/symbols
mkdir -p "$work"
failed=0

# complain WHAT FILE: lists what FILE holds, if anything
complain() {
    [ -s "$2" ] || return 0
    echo "symbols: $1:"
    sed 's/^/    /' "$2"
    failed=1
}

# Beside the five: what compilers add by themselves, the offset table of position-independent code
# and 64-bit division on 32-bit machines.
added='_GLOBAL_OFFSET_TABLE_|__u?(div|mod|divmod)di[34]'
nm --defined-only "$static" | awk 'NF == 3 { print $3 }' | sort -u >"$work/own"
nm --undefined-only "$static" | awk '$1 == "U" { print $2 }' | sort -u >"$work/needed"
comm -13 "$work/own" "$work/needed" |
    grep -vxE "memcpy|memmove|memset|memcmp|abort|$added" >"$work/foreign" || true
complain "$static needs more than memcpy, memmove, memset, memcmp, abort" "$work/foreign"

# Constant tables of pointers lie in .data.rel.ro, which the loader makes read-only.
objdump -h "$static" | awk '
    /file format/ { object = $1 }
    $2 ~ /^\.t?(data|bss)/ && $2 !~ /^\.data\.rel\.ro/ && $3 !~ /^0+$/ {
        print object, $2, "0x" $3, "bytes"
    }' >"$work/writable"
nm "$static" | awk '$2 == "C" { print "common symbol", $3 }' >>"$work/writable"
complain "$static keeps writable data" "$work/writable"

"$CC" -E -P -Ikernel/include kernel/include/pinion.h | sed "/^ *#/d" >"$work/headers"
grep -oE '\bpn_[a-z0-9_]+' "$work/headers" | sort -u >"$work/declared"
# A name and its version; the node of the version itself is one, too.
nm -D --defined-only "$shared" | awk 'NF == 3 && $2 != "A" { print $3 }' | sort -u >"$work/versions"
sed 's/@.*//' "$work/versions" | sort >"$work/shown"
nm -D --defined-only "$shared" | awk 'NF == 3 && $2 !~ /[TA]/' >"$work/data"
complain "$shared shows data, which cannot grow" "$work/data"
comm -23 "$work/shown" "$work/declared" >"$work/hidden"
complain "$shared shows what no public header declares" "$work/hidden"

sh scripts/build/map.sh "$work/map"
awk '$2 == "{" { node = $1 } $1 ~ /^pn_/ { sub(/;/, "@@" node); print $1 }' "$work/map" |
    sort -u >"$work/promised"
comm -23 "$work/promised" "$work/versions" >"$work/missing"
complain "$shared lacks what a public header of this or a released version declares" "$work/missing"
# Without the map: all of the kernel that a header names.
nm --defined-only "$static" | awk '$2 == "T" { print $3 }' | sort -u >"$work/global"
comm -12 "$work/global" "$work/declared" | comm -23 - "$work/shown" >"$work/unshown"
complain "$shared does not show what a public header declares" "$work/unshown"

find kernel -name '*.c' -print0 | xargs -0 awk '
    /^static / && !/;$/ && match($0, /[a-z_0-9]+\(/) {
        name = substr($0, RSTART, RLENGTH - 1)
        if (name in file && file[name] != FILENAME) print name, file[name], FILENAME
        file[name] = FILENAME
    }' >"$work/twice"
complain "the kernel names several static functions alike" "$work/twice"

# The run loops are plain C: a run of a built-in policy cannot cross into Lua.
for source in lua/run/*.c lua/pinion/models/*/run/*.c; do
    object=$(echo "${source%.c}" | tr / _)
    nm --undefined-only "$BUILD/obj/$object.o" |
        awk '$2 ~ /^luaL?_/ { print $2 }' >"$work/crossings"
    complain "$source, part of the run loops, calls Lua" "$work/crossings"
done

[ $failed = 0 ] || exit 1
needed=$(grep -cxE 'mem.*|abort' "$work/needed") shown=$(wc -l <"$work/shown")
echo "symbols: needs $needed library functions, keeps no writable data, shows $shown declared names"
