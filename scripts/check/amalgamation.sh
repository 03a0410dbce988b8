#!/usr/bin/env bash
# The kernel as one file: it compiles alone, without a warning, with gcc and clang, each model by
# itself and all of them; it needs nothing but memcpy, memmove, memset, memcmp and abort, shows what
# libpinion.a shows, and gives the golden digests. The same sources make the same bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
export LC_ALL=C

work=$BUILD/amalgamation
rm -rf "$work" && mkdir -p "$work/again"

fail() {
    echo "amalgamation: $*"
    exit 1
}

sh scripts/build/amalgamation.sh "$work"
(umask 077 && sh scripts/build/amalgamation.sh "$work/again")
cmp "$work/pinion.c" "$work/again/pinion.c" && cmp "$work/pinion.h" "$work/again/pinion.h"

compilers=()
for compiler in gcc clang; do
    if command -v $compiler >/dev/null 2>&1; then compilers+=("$compiler"); fi
done
[ ${#compilers[@]} -gt 0 ] || { echo "amalgamation: neither gcc nor clang here"; exit 77; }
models=$(sed -n 's/^ \*   PN_WITH_\([A-Z]*\).*/\1/p' "$work/pinion.c")
[ -n "$models" ] || fail "pinion.c names no models"

# one COMPILER FLAG,… [MODEL]: an object of all models, or of one, in a file of that name
one() {
    local object=$work/$1$2${3:+-$3}.o
    # shellcheck disable=SC2086  # a list of flags
    "$1" -std=c11 ${2//,/ } -Wall -Wextra -pedantic -Werror ${3:+-DPN_WITH_$3} -c "$work/pinion.c" \
        -o "$object"
    nm "$object" | awk '$1 == "U" { print $2 }' |
        grep -vxE 'memcpy|memmove|memset|memcmp|abort|_GLOBAL_OFFSET_TABLE_' >"$object.foreign" &&
        { echo "$object needs $(paste -sd ' ' "$object.foreign")"; return 1; }
    nm --defined-only "$object" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort -u >"$object.shown"
}
export -f one
export work
# What gcc warns of in code depends on what it inlines, so all of it is compiled at two levels; what
# is unused in a model alone, and what clang warns of, does not. scripts/check/goldens.sh has other
# levels.
declare -A level=([gcc]=-O2 [clang]=-O0)
for compiler in "${compilers[@]}"; do
    echo "$compiler ${level[$compiler]}"
    [ "$compiler" != gcc ] || echo "gcc -std=gnu11,-O3,-march=native"
    for model in $models; do echo "$compiler -O0 $model"; done
done >"$work/variants"
# shellcheck disable=SC2016
xargs -P 2 -L 1 bash -euo pipefail -c 'one "$@"' one <"$work/variants" ||
    fail "it does not compile without a warning, or needs more than five functions"

# What each model brings: names of its own, of the room that it stands on, and of base.
for model in $models; do
    with=$(sed -n "s/^ \*   PN_WITH_$model, with PN_WITH_//p" "$work/pinion.c")
    for other in $models; do
        case $other in "$model" | "$with") continue ;; esac
        grep -x "pn_$(echo "$other" | tr '[:upper:]' '[:lower:]')_.*" \
            "$work/${compilers[0]}-O0-$model.o.shown" >"$work/strange" &&
            fail "PN_WITH_$model brings $(head -n 1 "$work/strange")"
    done
done

nm --defined-only "$BUILD/libpinion.a" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort -u >"$work/library"
diff "$work/library" "$work/${compilers[0]}${level[${compilers[0]}]}.o.shown" ||
    fail "pinion.c does not show what libpinion.a shows"

for compiler in "${compilers[@]}"; do
    # The support of tests finds pn_strict.h behind all others.
    "$compiler" -std=c11 -O0 -D_POSIX_C_SOURCE=200809L -I"$work" -Itests \
        -idirafter kernel/include tests/programs/digests.c "$work/$compiler${level[$compiler]}.o" \
        -o "$work/digests$compiler"
    "$work/digests$compiler" >"$work/digests.txt"
    cmp tests/golden/digests.txt "$work/digests.txt" ||
        fail "$compiler gives other digests than tests/golden/digests.txt"
done
echo "amalgamation: $(wc -l <"$work/pinion.c") lines in one file, all models and each alone," \
    "with ${compilers[*]}: no warning, the golden digests"
