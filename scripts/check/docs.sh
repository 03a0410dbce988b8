#!/usr/bin/env bash
# Runs what the pages show, so that they stay true: README.md, docs/ and policies/README.md.
# A block's kind is the word behind its fence:
#   sh      run by bash, with the program and its companions on the path
#   lua     run by the program
#   c       compiled against the library and run
#   python  run by python3 (PYTHON), which finds the package; left out where it, or pandas, if the
#           block uses it, is not installed
#   r       run by R; left out where it, or a library that the block uses, is not installed
#   output  what the block before it writes to standard output, word for word
#   text    not run
# A block after a line `<!-- not run: why -->` is not run either. Each page has a directory of its
# own, where its blocks run one after another; it holds an empty build/, and the examples, kernel,
# policies, scripts and tests of the checkout. Every link must lead to a file that exists, and to a
# heading of it.
# Pages named as arguments: these alone. --update renews the outputs that the pages show,
# --pictures the pictures (`make pictures`; that of a page needs chromium).
set -euo pipefail
build=$(cd "${BUILD:-build}" && pwd)
root=$PWD
work=$build/docs
export PATH=$build:$PATH PINION=$build/pinion PINION_LIBRARY=$build/libpinion.so
export PYTHONPATH=$root/examples/python PYTHONDONTWRITEBYTECODE=1
: "${PYTHON:=$(sh scripts/build/setup.sh python-path)}"
rm -rf "$work"

fail() {
    echo "$*" >&2
    exit 1
}

# The blocks of a page as files NN.KIND; NN.output belongs to block NN, whose line is in NN.line.
blocks_of() {
    awk -v dir="$2" -v page="$1" '
        function stop(what) {
            printf "%s:%d: %s\n", page, NR, what | "cat 1>&2"
            failed = 1
            exit 1
        }
        /^<!-- not run: .* -->$/ { skip = 1; next }
        /^```/ && open { close(file); open = 0; next }
        /^```/ {
            kind = substr($0, 4)
            open = 1
            shown = kind == "output"
            if (kind !~ /^(sh|lua|c|python|r|output|text)$/)
                stop("a block is sh, lua, c, python, r, output or text, not \"" kind "\"")
            if (shown && !ran) stop("output of a block that is not run")
            if (!shown) { n++; ran = kind != "text" && !skip }
            file = ran ? sprintf("%s/%03d.%s", dir, n, kind) : "/dev/null"
            if (ran) { printf "" > file }
            if (ran && !shown) print NR > sprintf("%s/%03d.line", dir, n)
            skip = 0
            next
        }
        open { print > file }
        END { if (open && !failed) stop("a block without an end") }' "$1"
}

# What a block needs and is not installed.
lacking() {
    local part
    case $1 in
    *.python)
        for part in ctypes $(grep -o pandas "$1"); do
            "$PYTHON" -c "import $part" 2>/dev/null || { echo "$PYTHON with $part" && return; }
        done
        ;;
    *.r)
        for part in base $(grep -oE 'jsonlite|RSQLite' "$1"); do
            Rscript -e "library($part)" >/dev/null 2>&1 || { echo "R with $part" && return; }
        done
        ;;
    esac
}

run_block() {
    case $1 in
    *.python) "$PYTHON" "$1" ;;
    *.r) Rscript "$1" ;;
    *.sh) bash -euo pipefail "$1" ;;
    *.lua) pinion run "$1" ;;
    *.c)
        ${CC:-cc} -std=c11 -Wall -Wextra -I"$root/kernel/include" "$1" "$build/libpinion.a" \
            -lm -o "${1%.c}.program"
        "${1%.c}.program"
        ;;
    esac
}

# Puts what the blocks of a page printed in place of the outputs that it shows.
renew_outputs() { # PAGE FOLDER
    awk -v dir="$2" '
        function show(n,   file, line) {
            file = sprintf("%s/%03d.got", dir, n)
            while ((getline line <file) > 0) print line
            close(file)
        }
        /^```/ && open { open = shown = 0; print; next }
        /^```/ {
            kind = substr($0, 4)
            open = 1
            print
            if (kind == "output") { shown = 1; show(n); next }
            n++
            next
        }
        !shown { print }' "$1" >"$2/renewed"
    cat "$2/renewed" >"$1"
}

run_page() {
    local page=$1 dir=$work/$1 block place outputs lacking
    mkdir -p "$dir/here/build"
    ln -s "$root"/{examples,kernel,policies,scripts,tests} "$dir/here/"
    blocks_of "$page" "$dir"
    cd "$dir/here"
    find "$dir" -maxdepth 1 -regextype egrep -regex '.*/[0-9]+\.(sh|lua|c|python|r)' | sort \
        >"$dir/blocks"
    while read -r block; do
        place=$page:$(cat "${block%.*}.line")
        lacking=$(lacking "$block")
        if [ -n "$lacking" ]; then
            echo "$place: left out: there is no $lacking"
            [ ! -e "${block%.*}.output" ] || cp "${block%.*}.output" "${block%.*}.got"
            continue
        fi
        run_block "$block" >"${block%.*}.got" 2>"${block%.*}.errors" </dev/null || {
            cat "$block" "${block%.*}.got" "${block%.*}.errors"
            fail "$place: this block fails"
        }
        if [ -e "${block%.*}.output" ] && [ -z "$update" ]; then
            diff -u --label "$page" --label "the program" "${block%.*}.output" "${block%.*}.got" ||
                fail "$place: this block prints something else"
        fi
    done <"$dir/blocks"
    cd "$root"
    [ -z "$update" ] || renew_outputs "$page" "$dir"
    outputs=$(find "$dir" -maxdepth 1 -name '*.output' | wc -l)
    echo "$page $(wc -l <"$dir/blocks") $outputs" >>"$work/counts"
}

# Headings of a page as GitHub names them: small letters, no punctuation, hyphens for blanks.
anchors_of() {
    awk '/^```/ { open = !open } !open && /^#+ / { sub(/^#+ /, ""); print }' "$1" |
        sed 's/[A-Z]/\L&/g; s/[^[:alnum:] _-]//g; s/ /-/g'
}

check_links() {
    local page=$1 folder link target heading
    folder=$(dirname "$page")
    awk '/^```/ { open = !open } !open' "$page" | sed 's/`[^`]*`//g' |
        { grep -o ']([^)]*)' || true; } | sed 's/^](//; s/)$//' | sort -u |
        while read -r link; do
            case $link in *://*) continue ;; esac
            target=${link%%#*} heading=
            case $link in *#*) heading=${link#*#} ;; esac
            [ -n "$target" ] && target=$folder/$target || target=$page
            [ -e "$target" ] || fail "$page: the link $link leads nowhere"
            if [ -n "$heading" ]; then
                anchors_of "$target" | grep -xF -e "$heading" >/dev/null ||
                    fail "$page: $target has no heading #$heading"
            fi
        done
}

update='' pictures=''
case ${1-} in
--update) update=1; shift ;;
--pictures) pictures=1; shift; set -- README.md docs/experiments.md ;;
esac
if [ $# -gt 0 ]; then
    pages=("$@")
else
    pages=(README.md policies/README.md docs/*.md docs/models/*.md)
fi
mkdir -p "$work"
: >"$work/counts"
for page in "${pages[@]}"; do
    [ -e "$page" ] || fail "there is no page $page"
    [ -n "$pictures" ] || check_links "$page" # it may lead to a picture that is made now
    run_page "$page"
done

# ---- pictures ----

# What a picture is drawn from: how gnuplot draws figures and Chromium pages is theirs.
source_of() { # DRAWN
    local base=${1%.*}
    case $1 in
    *.html)
        sed -n 's/.*id="data">//p' "$1" | sed 's/"licence":"[^"]*"//; s/"pinion":"[^"]*"//'
        cat lua/page/*
        ;;
    *) if [ -e "$base.gp" ]; then cat "$base.gp" "$base.dat"; else cat "$1"; fi ;;
    esac
}

draw_picture() { # PICTURE DRAWN
    case $2 in
    *.html)
        profile=$(mktemp -d)
        chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run \
            --disable-background-networking --user-data-dir="$profile" --window-size=1000,1075 \
            --virtual-time-budget=5000 --screenshot="$1" "file://$2" 2>"$work/chromium.log" ||
            fail "$1: $(cat "$work/chromium.log")"
        rm -rf "$profile"
        ;;
    *) cp "$2" "$1" ;;
    esac
    echo "$(source_of "$2" | sha256sum | cut -d " " -f 1)  ${1#docs/}" >>"$work/pictures.sums"
}

check_picture() { # PICTURE PAGE DRAWN
    local drawn=$work/$2/here/build/$3
    [ -e "$drawn" ] || return 0 # another page
    if [ -n "$pictures" ]; then
        draw_picture "$1" "$drawn"
        return
    fi
    grep -xF "$(source_of "$drawn" | sha256sum | cut -d " " -f 1)  ${1#docs/}" docs/pictures.sums \
        >/dev/null || fail "$1 is not what the commands of $2 draw (make pictures)"
}
check_picture docs/figure.svg README.md outage.svg
check_picture docs/two_schedules.svg docs/experiments.md two.svg
check_picture docs/panels.svg docs/experiments.md panels.svg
check_picture docs/heat.svg docs/experiments.md heat.svg
# A build without dygraphs writes no pages.
[ ! -s "$build/page/dygraphs.js" ] || check_picture docs/page.png docs/experiments.md page.html
# That of the playground is made where this is built: by its check, which opens it in Chromium.
playground=$(cat lua/playground/* | sha256sum | cut -d " " -f 1)
if [ -n "$pictures" ]; then
    bash scripts/check/playground.sh || fail "docs/playground.png is not drawn"
    cp "$build/playground/seen-1280-light.png" docs/playground.png
    echo "$playground  playground.png" >>"$work/pictures.sums"
    cp "$work/pictures.sums" docs/pictures.sums
fi
grep -xF "$playground  playground.png" docs/pictures.sums >/dev/null ||
    fail "docs/playground.png is of another playground (make pictures)"
awk '{ blocks += $2; outputs += $3 }
     END { printf "%d pages: %d blocks run, %d outputs as shown\n", NR, blocks, outputs
           exit NR < 1 }' "$work/counts"
