#!/usr/bin/env bash
# Every rule that code, tests or pages cite is stated, once, in its model's page in docs/models;
# so are those that test vectors are named after.
set -euo pipefail
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# FILE:LINE:RULE of all that is stated, and of all that is cited; both ends of a range as TA1-24.
grep -HnoE '^\*\*[A-Z]{2}[0-9]+b?\.\*\*' docs/models/*.md |
    sed 's/\*\*//g; s/\.$//' >"$work/stated"
# LETTERS MODEL: the two letters with which the rules of a page begin.
sed -E 's|^docs/models/([a-z]+)[.]md:[0-9]+:([A-Z]{2}).*|\2 \1|' "$work/stated" |
    sort -u >"$work/letters"
known=$(cut -d ' ' -f 1 "$work/letters" | paste -sd '|')
grep -rnowE --include='*.[ch]' --include='*.lua' --include='*.md' --include='*.sh' \
    "($known)[0-9]+b?(-[0-9]+b?)?" \
    kernel lua policies tests examples scripts README.md docs >"$work/cited" || true

# Vectors have names such as TA8_..., x_MK24_..., x_sl28_...; or, with the letters of single models,
# S8_..., x_P3_..., x_r28_....
for file in tests/slotted/vectors/*.json; do
    printf '%s:1:%s\n' "$file" "$(basename "$file" .json)"
done >"$work/names"
grep -HnoE '^"[^"]+": *\{' tests/*/vectors.json |
    sed 's/"\([^"]*\)".*/\1/' >>"$work/names"
awk -F '[ :]' -v OFS=: -v known="$known" '
    BEGIN { before["N"] = 0; before["E"] = 6; before["J"] = 6; before["S"] = 9
            before["T"] = 13; before["P"] = 21; before["R"] = 28 }
    FILENAME == ARGV[1] { of[$2] = $1; next }
    { for (name in of) if ($1 ~ "tests/" name "/vectors") model = of[name]
      sub(/^x_/, "", $3); sub(/_.*/, "", $3); letter = substr($3, 1, 1); number = substr($3, 2) }
    { sub(/^sl/, "SL", $3) }
    $3 ~ "^(" known ")[0-9]+b?$" { print; next }
    model == "MK" && $3 ~ /^([NJSTPR][0-9]+|E)$/ { print $1, $2, model before[letter] + number }
    model != "MK" && $3 ~ /^[rRS][0-9]+b?$/ { print $1, $2, model number }
' "$work/letters" "$work/names" >>"$work/cited"

awk -F '[ :]' '
    function report(what) { print $1 ":" $2 ": rule " what }
    function need(rule,   path) {
        path = "docs/models/" page[substr(rule, 1, 2)] ".md"
        if (!((path, rule) in stated)) report(rule " is not in " path)
    }
    FILENAME == ARGV[1] { page[$1] = $2; next }
    FILENAME == ARGV[2] { if (seen[$3]++) report($3 " is stated twice"); stated[$1, $3]; next }
    { split($3, ends, "-"); need(ends[1]); if (ends[2] != "") need(substr($3, 1, 2) ends[2]) }
' "$work/letters" "$work/stated" "$work/cited" >"$work/found"
cat "$work/found"
[ ! -s "$work/found" ] || exit 1
echo "rules: $(wc -l <"$work/stated") rules stated, $(wc -l <"$work/cited") citations"
