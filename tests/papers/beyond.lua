-- `pinion paper beyond` with few seeds: every page has its table, its figure and a claim of ours,
-- votes are what the intervals say, and nothing depends on the number of processes.

package.path = "tests/support/?.lua;scripts/papers/?.lua;" .. package.path
local check = require "check"
local page = require "paper_page"
local core = require "pinion.core"
local beyond = require "shared.page"

local directory, paper = page.directory, page.run

local NAMES = { "psrpt", "bsrpt", "orders", "rtmr_live", "reduce_slots" }
page.check_listed("beyond", "Beyond the five papers", NAMES)

local function arguments(more)
    return "beyond", "--seeds", "4", "--jobs", "5000", "--output", directory, "--quiet",
        table.unpack(more)
end

local text, silence, exit_code = paper(arguments { "--format", "json" })
check.equal("quiet", silence, "")
check.equal("exit code", exit_code, 0)
local report = assert(core.json_decode(text, "report"))
local sections, claims = page.check_page(report, NAMES)
for _, name in ipairs(NAMES) do
    check.equal("figures of " .. name, #sections[name].figures, 1)
    check.equal("claims of " .. name, #sections[name].claims, 1)
    check.contains("whose claim", sections[name].claims[1].label, "ours: ")
end

for label, verdict in pairs {
    ["psrpt: ours: PSRPT takes less than ASRPT"] = "holds in part",
    ["bsrpt: ours: bsrpt takes less than MaxSRPT"] = "holds in part",
    ["reduce_slots: ours: typed reduce slots explain hSRTF's gain"] = "holds",
} do check.equal("verdict on " .. label, claims[label], verdict) end

-- Balanced sizes are where bsrpt does not win.
for _, row in ipairs(sections.bsrpt.tables[1].rows) do
    if row.curve == "balanced" and tonumber(row.at) < 0.7 then
        check.is_true("balanced at " .. row.at, row.mean > 0.995)
    elseif row.curve == "independent" and tonumber(row.at) > 0.5 then
        check.equal("independent at " .. row.at, row.vote, true)
    end
end

-- ---- the frame ----------------------------------------------------------------------------------

local function made(less, values)
    local context = { seeds = 3, seed = 1, quiet = true }
    local section = beyond.page({
        name = "n", title = "t", claim = "c", label = "l", method = { "m" }, quantity = "q",
        axis = "a", limit = 1, less = less, decimals = 2,
        points = function() return { { curve = "c", x = 1, at = "1", values = values } } end,
    }).run(context)
    return section.claims[1].verdict
end
check.equal("below beyond doubt", made(true, { .5, .5, .51 }), "holds")
check.equal("above beyond doubt", made(true, { 1.5, 1.5, 1.51 }), "fails")
check.equal("either", made(true, { .5, 1.5, 1 }), "undecided")
check.equal("the other side", made(false, { 1.5, 1.5, 1.51 }), "holds")
check.equal("one seed", made(true, { .5 }), "undecided")

local one = paper(arguments { "--only", "orders,rtmr_live", "--processes", "1" })
local three = paper(arguments { "--only", "rtmr_live,orders", "--processes", "3" })
check.equal("the same with three processes, and whatever the order of --only", three, one)

check.done()
