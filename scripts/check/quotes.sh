#!/usr/bin/env bash
# The scripts of the papers quote them word by word. PINION_PAPER_TEXTS names a folder with the
# texts of the papers (zheng.txt, lin.txt, tian.txt, hsrtf.txt, rtmr.txt, or names that have one of
# these words); without it, only the check itself is checked.
set -euo pipefail
scratch=${BUILD:-build}/quotes-check
rm -rf "$scratch" && mkdir -p "$scratch/texts" "$scratch/scripts/zheng"

cat >"$scratch/texts/a-zheng-2013.txt" <<'END'
The total ﬂow-time is mini-
mized by a scheduler
Figure 1. A caption
that knows sizes.
END
cat >"$scratch/scripts/zheng/a.lua" <<'END'
local a = "\"The total flow-time is "
    .. "minimized [...] knows sizes\""
local b = "\"[It] is minimized by a scheduler that knows\" and \"is minimised\""
END
expected='a.lua:3: not in the paper: "is minimised"'
if found=$(lua5.4 scripts/check/quotes.lua "$scratch/texts" "$scratch/scripts"); then
    echo "quotes: a wrong quotation was not found" && exit 1
fi
grep -qF "$expected" <<<"$found" && grep -q "^3 quotations, 1 of them" <<<"$found" ||
    { echo "quotes: found otherwise than expected:" && echo "$found" && exit 1; }

if [ -z "${PINION_PAPER_TEXTS-}" ]; then
    echo "PINION_PAPER_TEXTS names no folder with the texts of the papers"
    exit 77
fi
lua5.4 scripts/check/quotes.lua "$PINION_PAPER_TEXTS"
