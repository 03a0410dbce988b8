#!/bin/sh
# Build tool: the version script of libpinion.so, made from the public headers.
#     map.sh FILE
# A function is in the node of the first release that declared it (tests/abi/VERSION/include), or,
# if no release has, in the node of the next one: so a name that was released keeps its node. Run in
# the root of the checkout.
set -eu
export LC_ALL=C
map=${1:?the file to write}
: "${CC:=cc}"

# The functions that the headers in a folder declare: the first pn_name( of each statement that is
# neither inline nor a pointer's.
functions() {
    "$CC" -E -P -I"$1" "$1/pinion.h" | sed '/^ *#/d' | tr '\n;' ' \n' |
        grep -vE 'static inline|^[^(]*\(\*' | grep -oE '^[^(]*\bpn_[a-z0-9_]+ *\(' |
        grep -oE 'pn_[a-z0-9_]+ *\($' | tr -d ' (' | sort -u
}

version=$(sed -n 's/^.define PN_VERSION "\(.*\)"/\1/p' kernel/include/pn_base.h)
releases=$(for folder in tests/abi/*/; do basename "$folder"; done | sort -V)
if echo "$releases" | grep -qxF "$version"; then # it is out: new functions come with the next one
    version=$(echo "$version" | awk -F . '{ print $1 "." $2 + 1 ".0" }')
fi

{
    for release in $releases; do functions "tests/abi/$release/include" | sed "s/$/ $release/"; done
    functions kernel/include | sed "s/$/ $version/"
} | awk '
    function close_node() {
        if (node == "") return
        print before == "" ? "    local:\n        *;\n};\n" : "} " before ";\n"
        before = node
    }
    BEGIN { print "/* Made by scripts/build/map.sh: the functions of libpinion.so, by release. */" }
    $1 in known { next }
    { known[$1] }
    $2 != release {
        close_node()
        release = node = $2
        sub(/[.]0$/, "", node)
        node = "PINION_" node
        print node " {\n    global:"
    }
    { print "        " $1 ";" }
    END { close_node() }' >"$map.unfinished"
mv "$map.unfinished" "$map"
