-- What the papers' pages share: how votes become verdicts, that too little data says nothing, that
-- every paper says what it leaves out, and that the documentation knows every verdict.

package.path = "tests/support/?.lua;scripts/papers/?.lua;" .. package.path
local check = require "check"
local papers = require "shared.papers"
local pinion = require "pinion"
local report = require "shared.report"
local experiment = pinion.experiment

-- ---- votes --------------------------------------------------------------------------------------

local function verdict_of(held, failed, undecided)
    local votes = papers.votes()
    for _ = 1, held do papers.vote(votes, true) end
    for _ = 1, failed do papers.vote(votes, false) end
    for _ = 1, undecided do papers.vote(votes, nil) end
    return papers.verdict(votes)
end

for _, row in ipairs {
    { 3, 0, 0, papers.HOLDS }, { 2, 1, 0, papers.PARTLY }, { 1, 1, 5, papers.PARTLY },
    { 0, 1, 0, papers.FAILS }, { 0, 2, 1, papers.FAILS }, { 0, 1, 5, papers.UNDECIDED },
    { 2, 0, 1, papers.PARTLY },
    { 1, 0, 1, papers.UNDECIDED }, { 0, 0, 4, papers.UNDECIDED }, { 0, 0, 0, papers.UNDECIDED },
} do
    local held, failed, undecided, verdict = table.unpack(row)
    check.equal(string.format("%d held, %d failed, %d undecided", held, failed, undecided),
        verdict_of(held, failed, undecided), verdict)
end

check.equal("at most", papers.is_at_most({ count = 2, mean = 1, half = .5 }, 1.5), true)
check.equal("more", papers.is_at_most({ count = 2, mean = 3, half = .5 }, 1.5), false)
check.equal("more or less", papers.is_at_most({ count = 2, mean = 1.5, half = .5 }, 1.5), nil)
check.equal("nothing contradicts it", papers.universal(0), papers.NOT_CONTRADICTED)
check.equal("one case cannot be told", papers.universal(0, 1), papers.UNDECIDED)
check.equal("one case is enough", papers.universal(1, 1), papers.FAILS)

local function is_less(values)
    return papers.is_less(experiment.summary(values))
end
check.equal("less beyond doubt", is_less { -3, -3.1, -2.9 }, true)
check.equal("not less beyond doubt", is_less { 3, 3.1, 2.9 }, false)
check.equal("an interval that covers 0", is_less { -3, 3.1, -2.9 }, nil)
check.equal("one replica says nothing", is_less { -3 }, nil)
check.equal("always equal is not less", is_less { 0, 0, 0 }, false)

-- ---- claims -------------------------------------------------------------------------------------

local section = papers.section("s", "t", "w", {})
local function claim(verdict)
    return pcall(section.claim, section, {
        label = "l", where = "w", claim = "c", paper = "p", ours = "o", because = "b",
        verdict = verdict,
    })
end
check.equal("a verdict that is none", (claim "maybe"), false)
local documented = check.read_file "docs/papers.md"
for _, verdict in ipairs {
    papers.HOLDS, papers.PARTLY, papers.FAILS, papers.UNDECIDED, papers.FITTED,
    papers.NOT_REPRODUCED, papers.CANNOT, papers.NOT_CONTRADICTED,
} do
    check.is_true("a claim that is " .. verdict, (claim(verdict)))
    check.contains("docs/papers.md", documented, "| " .. verdict:upper() .. " |")
    check.contains("text", report.section_text(section), "verdict    " .. verdict:upper() .. ": b")
end

-- ---- what is left out ---------------------------------------------------------------------------

for _, paper in ipairs(papers.all()) do
    local shown = report.left_out_text(paper):gsub("%s+", " ")
    for _, entry in ipairs(paper.left_out) do
        check.contains(paper.name, shown, (entry.what .. ": " .. entry.why .. "."))
    end
end

check.done()
