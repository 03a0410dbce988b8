#!/usr/bin/env bash
# Exported policies: each file that can be exported compiles without a warning, with gcc and with
# clang where they are, and makes the decisions of the Lua file on random instances, without
# undefined behaviour; the others are refused as tests/golden/export_refused.txt lists them; and the
# steps of docs/embedding.md from an idea to a microcontroller are run, as far as there is a
# compiler.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}" "${CC:=cc}" "${SECONDS_RANDOM:=1}"
warnings="-std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "export: $*"
    exit 1
}

watched="-fsanitize=undefined -fno-sanitize-recover=all"
# shellcheck disable=SC2086  # flags
echo 'int main(void) { return 0; }' | "$CC" $watched -x c - -o "$work/none" 2>/dev/null || watched=

# Exports what fits of these files and compiles it; notes it in $work/MODEL.list.
export_all() { # MODEL FILE...
    local file name
    for file in "${@:2}"; do
        name=$(basename "$file" .lua)
        if ! "$BUILD/pinion" export "$file" --output "$work/$1_$name.c" 2>"$work/why"; then
            grep -q "^$file:[0-9]*: " "$work/why" || fail "$(cat "$work/why")"
            sed 's/:[0-9]*:/:/; s/ (docs.*//' "$work/why" >>"$work/refused"
            continue
        fi
        for compiler in gcc clang; do
            command -v $compiler >/dev/null || continue
            # shellcheck disable=SC2086  # flags
            $compiler $warnings -Ikernel/include -c "$work/$1_$name.c" -o "$work/$1_$name.o" ||
                fail "$file: the C that it became does not compile with $compiler"
        done
        # shellcheck disable=SC2086  # flags
        "$CC" -std=c11 -O1 $watched -Ikernel/include -c "$work/$1_$name.c" \
            -o "$work/$1_$name.o"
        echo "$(dirname "$file") $name" >>"$work/$1.list"
        exported=$((exported + 1))
    done
}

# Prints a program's list of these policies, in place of that of the tests.
print_pairs() { # MODEL
    echo "#define $1_pairs_read read_of_tests"
    echo "#include \"$1/support/pairs.c\""
    echo "#undef $1_pairs_read"
    local type=${1/dag/dispatch}
    sed "s/^[^ ]* \(.*\)/extern const pn_${type/cluster/scheduler}_policy \1_policy;/" \
        "$work/$1.list"
    echo "void $1_pairs_read(pairs *all)"
    echo "{"
    sed "s/^\([^ ]*\) \(.*\)/    pairs_add(all, \"\1\", \"\2\", PAIR_RULE(\&\2_policy));/" \
        "$work/$1.list"
    echo "}"
}

# Runs the page's steps in a copy of what they need; the last is for a compiler that may be missing.
run_steps() {
    mkdir "$work/here"
    ln -s "$PWD"/{examples,kernel,policies} "$(cd "$BUILD" && pwd)" "$work/here/"
    [ -e "$work/here/build" ] || mv "$work/here/$(basename "$BUILD")" "$work/here/build"
    awk '/^## From an idea/ { inside = 1; next } /^## / { inside = 0 }
        inside && /^```/ { open = /^```sh/; next } inside && open' docs/embedding.md >"$work/steps"
    command -v arm-none-eabi-gcc >/dev/null || sed -i '/^arm-none-eabi-/d' "$work/steps"
    (cd "$work/here" && PATH=$PWD/build:$PATH bash -euo pipefail "$work/steps" >"$work/printed") ||
        fail "the steps of docs/embedding.md fail"
    grep -oE 'digest"?:? "?[0-9a-f]{16}' "$work/printed" | grep -oE '[0-9a-f]{16}' | tail -n 2 |
        uniq -c | awk '{ times = $1 } END { exit times != 2 }' ||
        fail "the steps of docs/embedding.md do not print the same digest twice"
}

exported=0
for model in slotted tandem cluster dag; do
    # shellcheck disable=SC2046  # names of files
    export_all $model {policies/$model,tests/$model/{pairs,exported}}/*.lua \
        $(grep -l "model = \"$model\"" examples/policies/*.lua)
    print_pairs $model >"$work/pairs.c"
    objects=("$work/${model}"_*.o)
    # shellcheck disable=SC2046,SC2086  # flags
    "$CC" -std=c11 $watched -D_POSIX_C_SOURCE=200809L -Ikernel/include -Ilua/include -Ikernel \
        -Itests \
        "$work/pairs.c" "$BUILD/obj/tests_${model}_random_twins.o" "${objects[@]}" \
        "$BUILD/obj/libsupport.a" "$BUILD/obj/libfront.a" "$BUILD/libpinion-lua.a" \
        "$BUILD/libpinion.a" $(pkg-config --libs lua5.4) -lm -o "$work/$model"
    "$work/$model" "$SECONDS_RANDOM" || fail "an exported policy decides otherwise than in Lua"
done
diff tests/golden/export_refused.txt "$work/refused" ||
    fail "tests/golden/export_refused.txt lists other files (<) than are refused now (>)"
run_steps
refused=$(wc -l <"$work/refused")
echo "export: $exported policies in C decide as in Lua, $refused cannot be exported"
