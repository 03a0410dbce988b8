-- The papers on several resources with few seeds: `pinion paper drf`, `tetris`, `hfsp` and, where
-- the profiles of queries are there, `decima`. Verdicts, and that numbers are what they say.

package.path = "tests/support/?.lua;scripts/papers/?.lua;" .. package.path
local check = require "check"
local page = require "paper_page"
local core = require "pinion.core"

local function report_of(name, sections, more)
    local text, silence, code = page.run(name, "--seeds", "4", "--output", page.directory,
        "--quiet", "--format", "json", table.unpack(more or {}))
    check.equal(name .. " is quiet", silence, "")
    check.equal("exit code of " .. name, code, 0)
    return page.check_page(assert(core.json_decode(text, "report")), sections)
end

local function check_verdicts(claims, expected)
    for label, verdict in pairs(expected) do
        check.equal("verdict on " .. label, claims[label], verdict)
    end
end

-- ---- DRF ----------------------------------------------------------------------------------------

page.check_listed("drf", "Dominant Resource Fairness", { "example", "properties", "slots" })
local sections, claims = report_of("drf", { "example", "properties", "slots" })
check_verdicts(claims, {
    ["example: 3 tasks of A and 2 of B"] = "holds", ["example: the order of Table 1"] = "holds",
    ["properties: properties of DRF"] = "not contradicted",
    ["properties: properties of Asset fairness"] = "not contradicted",
})
local drf = sections.example.tables[1].rows[1]
check.equal("dominant shares are equal", string.format("%.4f %.4f", drf.share_a, drf.share_b),
    "66.6667 66.6667")
-- What is tried can fail: who comes first takes all under fifo.
for _, row in ipairs(sections.properties.tables[1].rows) do
    if row.property == "sharing incentive" then
        check.is_true("fifo has no sharing incentive", row.fifo > 30)
        check.equal("drf has", row.drf, 0)
    elseif row.property == "resource monotonicity" then
        check.is_true("drf loses with more of a resource", row.drf > 0)
    end
end

-- ---- Tetris -------------------------------------------------------------------------------------

sections, claims = report_of("tetris", { "example", "packing" })
check_verdicts(claims, {
    ["example: packing halves the mean"] = "holds",
    ["example: ours: here the order is the gain"] = "holds",
})
for _, row in ipairs(sections.packing.tables[1].rows) do
    if row.curve == "m = 0, against srpt" then
        check.is_true("alignment alone is worse at " .. row.at, row.mean > 0)
    end
end

-- ---- HFSP ---------------------------------------------------------------------------------------

sections, claims = report_of("hfsp", { "errors" })
check_verdicts(claims, { ["errors: ours: HFSP beats Fair and FIFO whatever the error"] = "holds" })

-- ---- Decima -------------------------------------------------------------------------------------

sections, claims = report_of("decima", { "batch", "poisson", "executors" })
for label, verdict in pairs(claims) do
    check.equal("without a trace: " .. label, verdict, "cannot be had")
end
local traces = os.getenv "PINION_TRACES"
local profiles = traces and traces .. "/dag/tpch.json"
local file = profiles and io.open(profiles)
if file then
    file:close()
    sections, claims = report_of("decima", { "batch", "poisson", "executors" },
        { "--trace", profiles })
    check_verdicts(claims, {
        ["batch: the ranking of the baselines, batch"] = "holds in part",
        ["batch: ours: what srpt gains over weighted fair, batch"] = "holds",
        ["executors: ours: with delays executors should stay"] = "holds",
    })
    for _, row in ipairs(sections.executors.tables[1].rows) do
        check.is_true("wfair is better than fifo: " .. row.workload .. ", " .. row.mode,
            row.wfair.mean < 0)
    end
    for _, name in ipairs { "batch", "poisson" } do
        for _, row in ipairs(sections[name].tables[1].rows) do
            check.is_true("above the bound: " .. name .. ", " .. row.policy, row.ratio >= 1)
        end
    end
else
    print "decima is without its profiles: PINION_TRACES names no folder with dag/tpch.json"
end

check.done()
