#!/usr/bin/env bash
# The manual page: no complaint from the formatters, and nothing missing that `pinion --help`
# and `pinion COMMAND --help` show.
set -euo pipefail
: "${BUILD:=build}" "${MAKE:=make}"
$MAKE --no-print-directory man BUILD="$BUILD" >/dev/null
page=$BUILD/pinion.1
work=$BUILD/man
mkdir -p "$work"

checked=
if command -v mandoc >/dev/null 2>&1; then
    mandoc -T lint -W warning "$page" | grep -v 'missing date' >"$work/mandoc" || true
    [ ! -s "$work/mandoc" ] || { cat "$work/mandoc"; echo "man: mandoc complains"; exit 1; }
    checked="mandoc "
fi
if command -v groff >/dev/null 2>&1; then
    groff -man -Tutf8 -ww -P-cbou -rLL=78n "$page" >"$work/text" 2>"$work/groff"
    [ ! -s "$work/groff" ] || { cat "$work/groff"; echo "man: groff complains"; exit 1; }
    checked="${checked}groff"
fi
if [ ! -s "$work/text" ]; then
    echo "man: no groff here; to have it: apt-get install groff"
    exit 77
fi

for title in NAME SYNOPSIS DESCRIPTION OPTIONS COMMANDS WORKLOADS FILES 'EXIT STATUS' EXAMPLES \
    'SEE ALSO'; do
    grep -qx "$title" "$work/text" || { echo "man: there is no section $title"; exit 1; }
done
commands=$("$BUILD/pinion" --help | sed -n '/^Commands:/,/^$/s/^   \([a-z-]*\) .*/\1/p')
[ -n "$commands" ] || { echo "man: pinion --help lists no commands"; exit 1; }
shown=0
for command in $commands; do
    grep -qx "   $command" "$work/text" ||
        { echo "man: there is no part on the command '$command'"; exit 1; }
    sed -n "/^   $command\$/,/^   [a-z]/p; /^WORKLOADS/q" "$work/text" >"$work/part"
    "$BUILD/pinion" "$command" --help | sed -n '/^Options:/,/^$/p' >"$work/options"
    # shellcheck disable=SC2013  # one word a line
    for option in $(grep -oE '^ +(-[a-zA-Z][^-]*, )?--[a-z-]+' "$work/options" |
        grep -oE -- '--[a-z-]+'); do
        [ "$option" != --help ] || continue
        grep -qE -- "^ +(-[a-zA-Z], |--[a-z-]+, )*$option(,| |\$)" "$work/part" ||
            { echo "man: option $option of '$command' is missing"; exit 1; }
        shown=$((shown + 1))
    done
done
[ "$shown" -ge 30 ] || { echo "man: found only $shown options in the help texts"; exit 1; }
count=$(echo "$commands" | wc -l)
echo "$count commands and their $shown options are in the manual page ($checked)"
