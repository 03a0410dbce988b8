-- `pinion paper --stability`: its verdicts are those of two separate runs, the text lists the ones
-- that differ and counts them, and options without a meaning are refused.

package.path = "tests/support/?.lua;scripts/papers/?.lua;" .. package.path
local check = require "check"
local page = require "paper_page"
local core = require "pinion.core"
local stability = require "shared.stability"

-- ---- made-up reports ----------------------------------------------------------------------------

local function report(seeds, ...)
    local claims = {}
    for i, verdict in ipairs { ... } do
        claims[i] = { label = "claim " .. i, where = "w", verdict = verdict }
    end
    return { paper = { name = "p" }, seeds = seeds, sections = { { name = "s", claims = claims } } }
end

local rows = stability.rows(report(5, "holds", "undecided", "holds"),
    report(40, "holds", "fails", "fails", "fitted"))
local seen = {}
for i, row in ipairs(rows) do
    seen[i] = string.format("%s/%s/%s %d %s, %d %s", row.paper, row.section, row.claim,
        row.few_seeds, row.few, row.many_seeds, row.many)
end
check.equal("rows", table.concat(seen, "\n"), [[
p/s/claim 1 5 HOLDS, 40 HOLDS
p/s/claim 2 5 UNDECIDED, 40 FAILS
p/s/claim 3 5 HOLDS, 40 FAILS
p/s/claim 4 5 -, 40 FITTED]])
local text = stability.text(rows, 5)
check.contains("counts", text, "\nDifferent: 3 of 4 verdicts, 1 of them UNDECIDED with one of the "
    .. "two numbers of seeds.\n")
check.is_true("the same verdict is not listed", not text:find("claim 1", 1, true))
check.contains("titles", text, "with 5 seeds  seeds  with these")
check.equal("nothing differs", stability.text({ rows[1] }, 5),
    "Different: 0 of 1 verdict, 0 of them UNDECIDED with one of the two numbers of seeds.\n")

-- ---- papers -------------------------------------------------------------------------------------

local FEW, MANY = "3", "12"

local function verdicts_of(seeds)
    local made, output = {}, page.run("tetris", "--seeds", seeds, "--quiet", "--format", "json",
        "--output", page.directory)
    for _, section in ipairs(core.json_decode(output, "report").sections) do
        for _, claim in ipairs(section.claims) do
            made[#made + 1] = string.format("%s: %s: %s", section.name, claim.label,
                claim.verdict:upper())
        end
    end
    return table.concat(made, "\n")
end

local function compared(...)
    return page.run("tetris", "--stability", FEW, "--seeds", MANY, "--quiet", "--output",
        page.directory, ...)
end

local few, many, changed = {}, {}, 0
local output, silence, code = compared("--format", "json")
check.equal("quiet, and a good end", silence .. code, "0")
for i, row in ipairs(core.json_decode(output, "stability")) do
    few[i] = string.format("%s: %s: %s", row.section, row.claim, row.few)
    many[i] = string.format("%s: %s: %s", row.section, row.claim, row.many)
    changed = changed + (row.few ~= row.many and 1 or 0)
end
check.equal("verdicts with few seeds", table.concat(few, "\n"), verdicts_of(FEW))
check.equal("verdicts with many seeds", table.concat(many, "\n"), verdicts_of(MANY))
check.is_true("the papers' seeds matter here", changed > 0)
check.contains("the count", (compared()), string.format("Different: %d of %d verdicts", changed,
    #many))
local _, lines = check.read_file(page.directory .. "/stability.csv"):gsub("\n", "")
check.equal("lines of stability.csv", lines, #many + 1)

page.check_refused {
    { { "tetris", "--stability", "1" },
        "pinion: --stability: must be an integer in 2..10000, got 1\n" },
    { { "--stability", "5", "--only", "example" },
        "pinion: --only: name a paper first (`pinion paper` lists them)\n" },
    { { "tetris", "--stability", "5", "--store", page.directory, "--shard", "1/2" },
        "pinion: --stability: not with --shard (run the parts with --seeds 5 and without, and then "
        .. "--stability with --store)\n" },
}

check.done()
