#!/usr/bin/env bash
# How large the kernel is on a Cortex-M3: each model from the single file, compiled by -Os, against
# the table in docs/embedding.md, which is right within 2 %.
#   sizes.sh            compare
#   sizes.sh --update   renew the table
# Measured is text (code and constants): of the object; and of images with what a run calls, with
# every policy and with the first one alone, and with the compiler's own arithmetic. The functions
# mem* and abort are the host's.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
export LC_ALL=C

page=docs/embedding.md
work=$BUILD/sizes
major=12 # of the compiler by which the table was made

skip() {
    echo "sizes: $*"
    exit 77
}

command -v arm-none-eabi-gcc >/dev/null 2>&1 ||
    skip "no arm-none-eabi-gcc here; to have it: make sizes, or apt-get install gcc-arm-none-eabi"
case $(arm-none-eabi-gcc -dumpversion) in
$major.*) ;;
*) skip "the table is made by version $major of arm-none-eabi-gcc, here is another one" ;;
esac
rm -rf "$work" && mkdir -p "$work"
sh scripts/build/amalgamation.sh "$work"

compile="arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c11 -Os -ffreestanding -nostdlib"
compile+=" -ffunction-sections -fdata-sections -DPN_NO_RULES"
text() { arm-none-eabi-size "$1" | awk 'NR == 2 { print $1 }'; }

# image OBJECT MODEL: what a run calls, and no more
image() {
    local roots
    roots=$(arm-none-eabi-nm --defined-only "$1" | awk '{ print $3 }' |
        grep -xE "pn_$2_(defaults_into|init|submit|step|run)" | sed 's/^/-Wl,-u,/')
    # shellcheck disable=SC2086  # lists of flags
    $compile -Wl,--gc-sections -Wl,--unresolved-symbols=ignore-all -Wl,-e,"pn_$2_init" $roots \
        "$1" -lgcc -o "$1.image"
    text "$1.image"
}

# measure MODEL: its row; a model on a core has the policies of the core. Nothing of a core, which
# does not run by itself.
measure() {
    local upper with list room policy all object=$work/$1
    grep -q "pn_$1_step(" "kernel/include/pn_$1.h" || return 0
    upper=$(echo "$1" | tr '[:lower:]' '[:upper:]')
    with=-DPN_WITH_$upper
    list=$(sed -n "s/^ \*   PN_WITH_$upper, with PN_WITH_//p" "$work/pinion.c")
    : "${list:=$upper}"
    room=$(echo "$list" | tr '[:upper:]' '[:lower:]')
    list=PN_${list}_POLICIES
    policy=$(sed -n '/^static const .*_policies\[\])(void)/,$p' "kernel/$room/policies.c" |
        grep -o 'pn_[a-z_]*_[a-z]*,' | head -n 1 | tr -d ,)
    $compile "$with" -c "$work/pinion.c" -o "$object.o"
    $compile "$with" "-D$list=$policy" -c "$work/pinion.c" -o "$object-one.o"
    all=$(image "$object.o" "$1")
    echo "| \`$1\` | $(text "$object.o") | $all | $(image "$object-one.o" "$1") | \`$policy\` |"
}

for model in $(sed -n '/^#define PN_MODELS/,/^$/p' kernel/include/pn_model.h |
    grep -oE 'EACH\([a-z]+\)' | tr -d 'EACH()'); do
    measure "$model"
done >"$work/table"

# shellcheck disable=SC2016  # backquotes of the page
rows='^| `[a-z]*` | [0-9]* | [0-9]* | [0-9]* | `pn_[a-z_]*` |$'
if [ "${1-}" = --update ]; then
    awk -v table="$work/table" '
        /^\| model \| all of it/ { inside = 1 }
        inside && /^\| `/ { next }
        inside && !/^\|/ { while ((getline line <table) > 0) print line; inside = 0 }
        { print }' "$page" >"$work/page"
    cp "$work/page" "$page"
    echo "sizes: $page is renewed"
    exit
fi
grep "$rows" "$page" >"$work/published" || true
paste -d ' ' "$work/published" "$work/table" | awk '
    {
        if ($2 != $13) {
            print "sizes: the table in the page lacks rows, or their order is another one"
            failed = 1
            exit
        }
        for (i = 4; i <= 8; i += 2) {
            was = $i
            is = $(i + 11)
            if (is > was * 1.02 || is < was * 0.98) {
                printf "sizes: %s has %d bytes, published are %d\n", $13, is, was
                failed = 1
            }
        }
    }
    END { exit failed || NR == 0 }' || {
    echo "sizes: if this is meant, scripts/check/sizes.sh --update renews the table in $page"
    exit 1
}
echo "sizes: $(wc -l <"$work/table") models are within 2 % of the table in $page"
