-- `pinion paper hsrtf` with two fresh seeds: every section is there, every number on the seeds of
-- the fit is the reference's, verdicts are those that any seed must give, a falsified number is
-- flagged, and nothing depends on the number of processes.

package.path = "tests/support/?.lua;scripts/papers/?.lua;" .. package.path
local check = require "check"
local page = require "paper_page"
local core = require "pinion.core"
local figure1 = require "hsrtf.figure1"
local identified = require "hsrtf.identified"
local livelock = require "hsrtf.livelock"
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"
local sparing = require "hsrtf.sparing"

local directory, paper = page.directory, page.run

-- ---- the list, and what is refused --------------------------------------------------------------

local NAMES = { "fig1", "percentages", "fig2", "fig3", "parts", "estimates", "blocked",
    "preemption", "near", "suspension", "price", "ablations", "identified", "livelock",
    "errata" }
page.check_listed("hsrtf", "On the Usability of Shortest Remaining Time First Policy", NAMES)
page.check_refused {
    { { "hsrtf", "--only", "fig4" },
        "pinion: --only: unknown section 'fig4' of paper hsrtf (did you mean 'fig1'?)\n" },
    { { "hsrtf", "--jobs", "9000" },
        "pinion: --jobs: the settings of paper hsrtf fix the number of jobs\n" },
    { { "hsrtf", "--seed", "0" },
        "pinion: --seed: must be an integer in 1..1000000000000, got 0\n" },
}

-- ---- everything, with few seeds -----------------------------------------------------------------

local SEEDS = runs.ENOUGH
local text, silence, exit_code = paper("hsrtf", "--seeds", tostring(SEEDS), "--output", directory,
    "--format", "json", "--quiet")
check.equal("quiet", silence, "")
local report = assert(core.json_decode(text, "report"))
check.equal("all numbers agree", exit_code, 0)

local sections, claims = page.check_page(report, NAMES)
for name, least in next, { percentages = 16, fig3 = 3, parts = 24, preemption = 18, ablations = 10,
        livelock = 3 } do
    check.is_true(name .. " is held to the reference", #sections[name].comparisons >= least)
end
for name, figures in next, { fig2 = 1, fig3 = 1, parts = 1, estimates = 1, price = 1,
        livelock = 1 } do
    check.equal("figures of " .. name, #sections[name].figures, figures)
end

-- Section 5.2 speaks of Fair here, not of Fifo, and of two things.
local about_fair = 0
for _, claim in ipairs(sections.fig2.claims) do
    if claim.label == "medium jobs: Fair waits longer"
        or claim.label == "medium jobs: Fair takes longer" then
        about_fair = about_fair + 1
        check.contains("the sentence", claim.claim, '"Fair still results in ')
        check.matches("whose numbers", claim.ours, "^Fair %d")
    elseif claim.label == "most small jobs: preemption reduces waiting" then
        check.contains("jobs are counted, not means", claim.ours, " of " .. 20 * SEEDS .. " (")
    end
end
check.equal("claims about Fair", about_fair, 2)

for label, verdict in next, {
    -- The durations were fitted to these; others stray too far from seed to seed.
    ["percentages: small jobs, Pr against Fifo: -45 %"] = "fitted",
    ["percentages: small jobs, Pr against Fair: -26 %"] = "fitted",
    ["percentages: small jobs, Pu against Fifo: -43 %"] = "fitted",
    ["percentages: large jobs, Pr against Fifo: +10 %"] = "undecided",
    ["percentages: large jobs, Pr against Fair: +0.2 %"] = "undecided",
    ["fig1: execution times hardly depend on input"] = "cannot be had",
    ["fig1: task times are heterogeneous"] = "cannot be had",
    ["fig2: most small jobs: preemption reduces waiting"] = "fails",
    ["fig2: medium jobs: Fair waits longer"] = "holds in part",
    ["fig3: larger jobs are more local"] = "holds",
    ["fig2: Pr outperforms Fair for most small jobs"] = "holds",
    ["fig2: small jobs: Pu gains in execution time"] = "holds",
    ["fig2: small jobs: Pr gains in waiting time"] = "fails",
    ["fig3: Fair: all small jobs' maps are local"] = "holds",
    ["parts: Fifo blocks small jobs"] = "holds", ["parts: Fair blocks small jobs"] = "holds",
    ["parts: co-location makes small jobs fast"] = "not reproduced",
    ["ablations: ours: the gain needs long reduces that end one by one"] = "holds",
    ["ablations: ours: Fair of Hadoop 1.0"] = "fitted",
    ["fig3: Fair's locality makes small jobs wait"] = "fails",
    ["estimates: estimates get better as tasks end"] = "holds in part",
    ["blocked: long reduces block the second job"] = "holds in part",
    ["blocked: hSRTF reduces the blocking time"] = "holds in part",
    ["preemption: more kills, longer makespans"] = "holds",
    ["price: ours: suspensions pay while their price is less than a kill loses"] = "holds",
    ["price: ours: small jobs pay for saving"] = "holds",
    ["livelock: ours: PuP can kill for ever"] = "holds",
    ["errata: H1: kills without end"] = "fails",
    ["errata: H2: progress of running tasks"] = "fails",
    ["errata: H3: reduces by map input"] = "fails", ["errata: H4: shares times starvation ratios"] =
        "fails",
} do
    check.equal("verdict on " .. label, claims[label], verdict)
end

-- ---- the workload -------------------------------------------------------------------------------

check.equal("jobs of Table 2", #runs.ROWS, 31)
check.equal("groups", runs.ROWS[3].group .. runs.ROWS[4].group .. runs.ROWS[11].group
    .. runs.ROWS[12].group,
    "largemediummediumsmall")
-- The durations that are printed are those of the generator, and its cluster is the fitted one.
local spec = pinion.workload.hsrtf()
local suggested = spec:default_settings "cluster"
local function digest_of(workload, nodes, params)
    return runs.run("hsrtf-pr", params, nodes, workload, 1).digest
end
check.equal("the generator's jobs", digest_of(spec, suggested.nodes, suggested.params),
    digest_of(runs.workload(), { { count = 57, map_slots = 8, reduce_slots = 2 } },
        reference.fitted.params))

-- The parts of a makespan make it up, under every policy.
local cell = runs.main({ seed = 1, seeds = SEEDS, processes = 1, quiet = true, cache = {} }).fitted[
    57]
for _, policy in ipairs(runs.POLICIES) do
    local worst = 0.0
    for _, run in ipairs(cell.runs[policy]) do
        for id = 1, #runs.ROWS do
            local sum = run.waiting[id] + run.map[id] + run.blocked[id] + run.reduce[id]
            worst = math.max(worst, math.abs(sum - run.makespan[id]),
                math.abs(run.waiting[id] + run.execution[id] - run.makespan[id]))
        end
    end
    check.is_true("parts add up to the makespan, " .. policy, worst < 1e-6)
end
-- A result's own means of the small jobs are the same.
local result = runs.run("hsrtf-pup", reference.fitted.params, suggested.nodes, spec, 1)
for _, group in ipairs(result.groups) do
    local run = cell.runs["hsrtf-pup"][1]
    for field, ours in next, { in_wait = "waiting", in_maps = "map", in_blocked = "blocked",
            in_reduces = "reduce" } do
        check.is_true(group.group .. ", " .. field,
            math.abs(group[field] / 1000 - runs.mean(run, ours, group.group)) < 1e-6)
    end
    check.is_true(group.group .. ", locality", math.abs(100 * group.locality
        - runs.shares(cell, "hsrtf-pup", "near", "maps", group.group)[1]) < 1e-6)
end

-- ---- other durations ----------------------------------------------------------------------------

-- Statements are judged at the fit as the page judges them, and shares add up to 1.
local judged = sections.identified.tables[1].rows
check.equal("statements of Section 5", #judged, #sections.fig2.claims + #sections.fig3.claims
    + #sections.parts.claims)
for _, row in ipairs(judged) do
    check.equal("at the fit: " .. row.label, row.verdict,
        claims[row.section .. ": " .. row.label])
    check.is_true("shares of " .. row.label,
        math.abs(row.holds + row.fails + row.other - 1) < 1e-9)
end
local fresh = runs.fresh_seeds { seed = 1, seeds = SEEDS }
local function changes_at(values)
    return identified.changes(runs.cell(identified.setting(values, fresh, runs.CALM)))
end
local accepted = sections.identified.tables[4].rows
check.is_true("some walks arrive", #accepted > 1)
for _, row in ipairs(accepted) do
    local values = {}
    for i, range in ipairs(identified.RANGES) do
        values[i] = row[range.name]
        check.is_true(range.name .. " in its range",
            range.least <= values[i] and values[i] <= range.most)
    end
    check.is_true("walk " .. row.walk .. " agrees", identified.agree(changes_at(values)))
end
-- The fit is the page's own setting, and short reduces are far from the percentages.
local at_fit, far = identified.fitted(), identified.fitted()
check.equal("values of the fit give the page's runs", runs.cell(identified.setting(at_fit,
    cell.seeds, { "hsrtf-pr" })).digest["hsrtf-pr"], cell.digest["hsrtf-pr"])
far[5] = 8000
check.is_true("short reduces do not agree", not identified.agree(changes_at(far)))
local printed = {}
for c = 1, 3 do printed[c] = { mean = reference.changes[c].paper + 0.4, error = 0.0 } end
check.is_true("within rounding", identified.agree(printed))
printed[3].mean = printed[3].mean + 0.2
check.is_true("beyond it", not identified.agree(printed))
printed[3].error = 0.2
check.is_true("within the standard error", identified.agree(printed))

-- ---- suspended attempts -------------------------------------------------------------------------

-- Nobody is killed, so no work is done twice: slots are held for less time than with kills.
local context = { seed = 1, seeds = 1, processes = 1, quiet = true, cache = {} }
local suspending = runs.cells(context, "suspensions", { { policies = { "hsrtf-pup" },
    seeds = { 1 }, params = { preemption = "suspend" } } })[1].runs["hsrtf-pup"][1]
local killing = runs.cells(context, "kills", { { policies = { "hsrtf-pup" },
    seeds = { 1 } } })[1].runs["hsrtf-pup"][1]
check.is_true("the one kills, the other one does not", killing.kills > 0 and suspending.kills == 0)
check.is_true("and holds slots for less time", suspending.slot_ms < killing.slot_ms)

-- ---- the livelock -------------------------------------------------------------------------------

-- The policy of ours is the one that the examples show.
check.equal("sparing", sparing, check.read_file "examples/policies/sparing.lua")
local literal, guarded = livelock.pair()
check.equal("kills", literal.kills, 58)
check.equal("nobody is done", literal.finished, 0)
check.equal("both are left", literal.unfinished, 2)
check.equal("with a guard both are done", guarded.finished, 2)
check.contains("the figure shows it", check.read_file(directory .. "/livelock.svg"), "</svg>")
-- Killing only where it pays is not enough: jobs whose estimates change with every start take
-- turns.
local function left_by_sparing(guard)
    local scenario = livelock.scenario(1, 1)
    return runs.run(runs.SPARING, { max_kills_per_task = guard, max_time_ms = 4 * 3600 * 1000 },
        scenario.nodes,
        scenario.jobs).unfinished
end
check.is_true("sparing kills for ever too", left_by_sparing(0) > 0)
check.equal("and not with a limit", left_by_sparing(3), 0)
local kinds = {}
for number = 1, 100 do
    local scenario = livelock.scenario(1, number)
    kinds[scenario.nodes[1].count .. "x" .. #scenario.jobs] = true
end
local count = 0
for _ in next, kinds do count = count + 1 end
check.equal("all sizes of random scenarios occur", count, 12)

-- ---- a reference that is wrong, a paper's number that is wrong ----------------------------------

local function reproduce(only, seeds)
    return papers.reproduce(assert(papers.find "hsrtf"),
        { seeds = seeds or SEEDS, seed = 1, only = { only }, processes = 1,
        quiet = true }).sections[1]
end

check.equal("the livelock agrees", reproduce "livelock":differing(), 0)
reference.livelock.kills = 57
check.equal("a falsified number of kills is flagged", reproduce "livelock":differing(), 1)
reference.livelock.kills = 58
local change = reference.changes[1]
change.fitted[57], change.paper = -45.5, -70
local falsified = reproduce("percentages", runs.ENOUGH)
check.equal("a falsified percentage is flagged", falsified:differing(), 1)
check.equal("a falsified percentage of the paper is not reproduced", falsified.claims[1].verdict,
    papers.NOT_REPRODUCED)
change.fitted[57], change.paper = -45.4, -45

-- ---- too little data ----------------------------------------------------------------------------

-- Two seeds say nothing of what is random, even where they are close to each other.
for _, name in ipairs { "fig2", "percentages" } do
    for _, claim in ipairs(reproduce(name, 2).claims) do
        check.equal("two seeds, " .. claim.label, claim.verdict, papers.UNDECIDED)
    end
end

-- ---- figure 1 of a trace ------------------------------------------------------------------------

local traced = papers.reproduce(assert(papers.find "hsrtf"), {
    seeds = 2, seed = 1, only = { "fig1" }, processes = 1, quiet = true,
    trace = "tests/data/rumen.json",
}).sections[1]
check.equal("classes and kinds of tasks", #traced.tables[1].rows, 6)
for _, claim in ipairs(traced.claims) do
    check.equal("few jobs, " .. claim.label, claim.verdict, papers.UNDECIDED)
end
local rho, low, high = figure1.rank_correlation({ 1, 2, 3, 4, 5 }, { 1, 4, 9, 16, 25 })
check.equal("ranks, not values", rho, 1.0)
rho = figure1.rank_correlation({ 1, 2, 3, 4 }, { 4, 3, 2, 1 })
check.equal("the other way round", rho, -1.0)
rho = figure1.rank_correlation({ 1, 1, 2, 2 }, { 3, 4, 3, 4 })
check.equal("ties", rho, 0.0)
check.equal("all equal", figure1.rank_correlation({ 1, 1, 1, 1 }, { 1, 2, 3, 4 }), nil)
rho, low, high = figure1.rank_correlation({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 },
    { 2, 1, 4, 3, 6, 5, 8, 7, 10, 9 })
check.is_true("with its interval", math.abs(rho - 0.9394) < 1e-4 and low < rho and rho < high
    and high < 1)
check.equal("weak", figure1.is_weak(-0.1, 0.3, 30), true)
check.equal("strong", figure1.is_weak(0.75, 0.9, 30), false)
check.equal("neither", figure1.is_weak(0.5, 0.9, 30), nil)
check.equal("too few jobs", figure1.is_weak(-0.1, 0.3, 29), nil)

-- ---- words --------------------------------------------------------------------------------------

check.equal("a gain", runs.signed(-45.44), "-45.4")
check.equal("a loss", runs.signed(0.04), "+0.0")
check.equal("no sign of a rounded zero", runs.signed(-0.04), "0.0")
check.equal("a whole one", runs.signed(10), "+10")

-- ---- text, and any number of processes ----------------------------------------------------------

local function some(only, processes)
    return (paper("hsrtf", "--seeds", "2", "--only", only, "--output", directory, "--quiet",
        "--processes", processes))
end
local one = some("percentages,livelock", "1")
check.equal("the same with three processes, and whatever the order of --only",
    some("livelock,percentages", "3"), one)
for _, part in ipairs {
    "\nThe abstract's percentages: ", "agreement there was made, not found", "\n  claim      ",
    "\n  paper      ",
        "\n  ours       ",
    "\nSummary\n=======\n", " numbers compared with the reference: all agree.",
} do
    check.contains("text", one, part)
end

check.done()
