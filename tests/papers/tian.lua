-- `pinion paper tian` with few instances: every section is there, every exact number is the
-- reference's to the last digit, verdicts are those that any seed must give, a falsified number is
-- flagged, and nothing depends on the number of processes.

package.path = "tests/support/?.lua;scripts/papers/?.lua;" .. package.path
local check = require "check"
local page = require "paper_page"
local core = require "pinion.core"
local papers = require "shared.papers"
local pinion = require "pinion"
local observations = require "tian.observations"
local reference = require "tian.reference"
local runs = require "tian.runs"
local tiny = require "tian.tiny"

local directory, paper = page.directory, page.run

-- ---- the list, and what is refused --------------------------------------------------------------

local NAMES = { "table1", "observations", "theorem1", "theorem2", "whole", "theorem3",
    "nodes", "theorem4", "bound", "families", "completion", "online", "errata" }
local listed = page.check_listed("tian", "On Dynamic Job Ordering and Slot Configurations", NAMES)
check.contains("the list tells the defaults", listed,
    "by default: 40 replicas, 20000 tiny instances")
page.check_refused {
    { { "tian", "--only", "theorem5" },
        "pinion: --only: unknown section 'theorem5' of paper tian (did you mean 'theorem1'?)\n" },
    { { "tian", "--jobs", "9" }, "pinion: --jobs: must be an integer in 10..1000000000, got 9\n" },
    { { "tian", "--trace", "x.tsv" }, "pinion: --trace: paper tian takes no trace\n" },
}

-- ---- everything, with few instances -------------------------------------------------------------

local SEEDS, INSTANCES = 2, check.IS_SHORT and 20 or 60
local text, silence, exit_code = paper("tian", "--seeds", tostring(SEEDS), "--jobs",
    tostring(INSTANCES), "--output", directory,
    "--format", "json", "--quiet")
check.equal("quiet", silence, "")
local report = assert(core.json_decode(text, "report"))
check.equal("all numbers agree", exit_code, 0)
check.equal("instances", report.jobs, INSTANCES)

local sections, claims = page.check_page(report, NAMES)
for name, least in next, { table1 = 20, nodes = 40, theorem2 = 15, theorem3 = 4, theorem4 = 11,
        bound = 4, theorem1 = 2 } do
    check.is_true(name .. " is held to the reference", #sections[name].comparisons >= least)
end

for label, verdict in next, {
    ["table1: 47 by MK_JR"] = "holds", ["table1: 35 2/3 by UAAS"] = "holds",
    ["table1: 39 and 40 by BalancedPools"] = "holds",
    ["table1: 31.76 % smaller"] = "fails", ["table1: 12.14 % smaller"] = "fails",
    ["table1: BalancedPools is suboptimal here"] = "fails",
    ["observations: Observation 1: Johnson's rule is optimal"] = "not contradicted",
    ["observations: Observation 2: BalancedPools is a heuristic"] = "holds",
    ["observations: Observation 3: MK_JR orders by Johnson's rule"] = "not contradicted",
    ["completion: ours: the bound on completions"] = "not contradicted",
    ["completion: ours: shortest first need not be optimal"] = "holds",
    ["theorem1: UAAS is optimal"] = "fails", ["theorem1: the fluid makespan is the optimum"] =
        "holds in part",
    ["theorem2: the sums are C0"] = "fails", ["theorem2: formula (4) is about 3"] = "fails",
    ["theorem2: the instance is a worst case"] = "fails",
    ["theorem2: MK_JR is within 3 times the optimum"] = "fails",
    ["theorem2: formula (3)"] = "fails",
    ["theorem3: the order is independent of the number of nodes"] = "not contradicted",
        ["theorem3: it is stable when slots change"] = "fails",
        ["theorem3: with whole tasks"] = "fails",
    ["nodes: 18.8 by UAAS on 5 nodes"] = "holds", ["nodes: 35 by MK_JR on 5 nodes"] = "holds",
        ["nodes: 86.17 % larger"] = "holds",
    ["nodes: 23.5 by UAAS on 4 nodes"] = "holds", ["nodes: 43 by MK_JR on 4 nodes"] = "fails",
        ["nodes: 82.97 % larger"] = "fails",
    ["nodes: BalancedPools' durations on 5 nodes"] = "holds in part",
    ["nodes: BalancedPools' durations on 4 nodes"] = "fails",
    ["nodes: BalancedPools is far from optimal"] = "holds in part",
    ["nodes: MK_JR's order is not stable"] = "holds in part",
    ["theorem4: the best ratio depends on the number of slots"] = "holds in part",
    ["theorem4: more slots, smaller makespan"] = "holds in part",
    ["whole: MK_JR within 3 times the best schedule"] = "not contradicted",
    ["whole: BalancedPools: not optimal in many cases"] = "holds",
    ["whole: ours: a split costs more than it gains"] = "holds",
    ["bound: ours: the bound"] = "not contradicted", ["bound: ours: the factor 2"] = "holds",
    ["errata: E2: jobs of pool 2"] = "fails", ["errata: E4: two maxima"] = "fails",
    ["errata: E5: ties"] = "holds",
    ["errata: E6: whose estimate"] = "undecided",
} do
    check.equal("verdict on " .. label, claims[label], verdict)
end

-- ---- what is exact ------------------------------------------------------------------------------

local function row_of(name, index, key, value)
    for _, row in ipairs(sections[name].tables[index].rows) do
        if row[key] == value then return row end
    end
    return {}
end

check.equal("UAAS on Table 1", row_of("table1", 1, "what", "UAAS, fluid stages").ours, "107/3")
check.equal("the best order on Table 1", row_of("table1", 1, "what", "best order").ours, "41")
check.equal("the best schedule on Table 1", row_of("table1", 1, "what", "best schedule").ours, "40")
check.equal("MK_JR on 5 nodes", row_of("nodes", 1, "what", "MK_JR").ours, "35")
check.equal("the best 600 slots", row_of("theorem4", 1, "total", 600).ours, "3115/899")
check.equal("S jobs with exclusive stages", row_of("theorem2", 2, "slots", 6).exclusive_ratio,
    "7/2")
check.is_true("a digest of both runs", row_of("theorem2", 2, "slots", 2).digest
    ~= row_of("theorem2", 2, "slots", 6).digest)
local fig1 = check.read_file(directory .. "/fig1.svg")
check.contains("Fig. 1 is drawn from its run", fig1, ">mk_jr, makespan 47; ")
check.contains("Fig. 1 shows J3", fig1, "<title>J3, 20 map tasks, 13 to 43</title>")
check.contains("Fig. 2 shows J3 on all slots", check.read_file(directory .. "/fig2.svg"),
    "<title>J3, 30 map tasks, 11 to 31</title>")
check.contains("the curve of Theorem 4", check.read_file(directory .. "/theorem4.dat"), "\n1.0\t")

check.equal("a percentage", runs.percent(runs.exact "34/107"), "34/107 = 31.776 %")
check.is_true("rounding", runs.rounds_to(runs.exact "34/107", "31.78")
    and not runs.rounds_to(runs.exact "34/107", "31.76"))
check.equal("an order", runs.order_text { 2, 5, 1 }, "J2-J5-J1")

-- ---- tiny instances -----------------------------------------------------------------------------

-- The same whatever was made before, in the range that is said, and all kinds of them.
local shapes, first = {}, tiny.instance(1, 1)
for number = 1, 300 do
    local made = tiny.instance(1, number)
    shapes[made.maps .. "x" .. made.reduces .. " " .. #made.jobs] = true
    for _, job in ipairs(made.jobs) do
        for _, list in ipairs { job.maps, job.reduces } do
            check.is_true("tasks of instance " .. number, #list >= 1 and #list <= 3
                and math.min(table.unpack(list)) >= 1
                and math.max(table.unpack(list)) <= 6)
        end
    end
end
local kinds = 0
for _ in next, shapes do kinds = kinds + 1 end
check.equal("all sizes occur", kinds, 27)
check.equal("an instance by its number", table.concat(tiny.instance(1, 1).jobs[1].maps, ","),
    table.concat(first.jobs[1].maps,
    ","))
check.is_true("seeds differ", (function()
    for number = 1, 20 do
        if tiny.instance(1, number).maps ~= tiny.instance(2, number).maps then return true end
    end
end)() == true)

-- The sweep's counts are those of its instances.
local context = { seed = 1, jobs = 30, processes = 1, quiet = true, cache = {} }
local found, optimal = tiny.sweep(context), 0
-- The bound on total flow time: by hand, and below every run.
local online = require "tian.online"
local function bound_of(...)
    local jobs = {}
    for i, job in ipairs { ... } do
        jobs[i] = { submit = job[1], map = job[2], reduce = job[3], head = job[2], tail = job[3] }
    end
    return online.bound(jobs)
end
-- The second job interrupts the maps of the first, which end at 14 and 6; then 1 and 2 of reduces.
check.equal("maps under SRPT, then reduces alone", bound_of({ 0, 10, 1 }, { 2, 4, 2 }),
    14.0 + 1 + 6 + 2 - 2)
check.equal("maps alone, then reduces under SRPT", bound_of({ 0, 1, 10 }, { 2, 2, 4 }),
    15.0 + 8 - 2)
check.equal("a job alone", bound_of { 5, 3, 4 }, 7.0)
for _, row in ipairs(sections.online.tables[1].rows) do
    check.is_true("above the bound: " .. row.curve .. ", " .. row.at, row.mean > 1)
end

check.is_true("one sweep for two sections", tiny.sweep(context) == found)
for number = 1, context.jobs do
    local made = tiny.instance(1, number)
    local function makespan(policy)
        return pinion.run { model = "makespan", level = "task", policy = policy,
            map_slots = made.maps,
            reduce_slots = made.reduces,
                            workload = made.jobs, quiet = true }.makespan
    end
    if makespan "uaas" == makespan "exact" then optimal = optimal + 1 end
end
check.equal("UAAS's order is optimal so often", found.uaas_optimal, optimal)

-- The section's counts are those of its instances, and a split is worse where it must be.
local whole = require "tian.whole"
local function whole_makespan(policy, jobs, slots, params)
    return runs.makespan(runs.run { policy = policy, maps = slots, jobs = jobs, level = "task",
        params = params, bounds = "none" })
end
local counts = { mk_jr = 0, balanced_pools = 0 }
for number = 1, INSTANCES do
    local made = whole.instance(1, number)
    local best = whole_makespan("exact", made.jobs, made.maps)
    for policy, count in next, counts do
        if (policy == "mk_jr" or made.maps > 1) and best == whole_makespan(policy, made.jobs,
            made.maps, { estimate = "waves_req" }) then counts[policy] = count + 1 end
    end
end
check.equal("MK_JR is optimal so often", row_of("whole", 1, "what", "MK_JR").optimal,
    counts.mk_jr)
check.equal("BalancedPools is optimal so often",
    row_of("whole", 1, "what", "BalancedPools").optimal, counts.balanced_pools)
local unequal = { { maps = { 3, 3 }, reduces = { 3, 3 } }, { maps = { 1 }, reduces = { 1 } } }
check.equal("on all slots", whole_makespan("balanced_pools", unequal, 2), runs.exact(7))
check.equal("in two pools", whole_makespan("balanced_pools", unequal, 2,
    { bp_allow_single = false }), runs.exact(12))

-- ---- total completion ---------------------------------------------------------------------------

-- One slot of each kind: maps 1 and 2, then reduces of 2 and 1. The shortest first ends at 3 and 4;
-- the bound has maps at 1 and 3 and then the reduces, or each job alone, or reduces from 1 on.
local completion = require "tian.completion"
check.equal("bound by hand", completion.bound({ { maps = { 1 }, reduces = { 2 } },
    { maps = { 2 }, reduces = { 1 } } }, 1, 1), 7.0)
check.equal("a stage as one entry", completion.bound({ { maps = { count = 4, duration = 3 } } }, 2,
    1), 6.0)
local order = runs.run { policy = "spt", maps = 1, reduces = 1, level = "task",
    jobs = { { maps = { 5 } }, { maps = { 1 } }, { maps = { 3 } } } }
check.equal("shortest first", table.concat(order.order, " "), "2 3 1")
check.equal("which is optimal for one stage", order.total_completion_time, 1 + 4 + 9)
local inserted = runs.run { policy = "insertion", maps = 1, reduces = 1, level = "task",
    jobs = { { maps = { 5 } }, { maps = { 1 } }, { maps = { 3 } } } }
check.equal("as insertion is", inserted.total_completion_time, 14)

-- ---- observations -------------------------------------------------------------------------------

-- Whether an order is Johnson's is told by its neighbours; how long a search took decides nothing
-- here, but how growth is measured does.
local function exact_times(...)
    local times = {}
    for id, pair in ipairs { ... } do
        times[id] = { pinion.exact(pair[1]), pinion.exact(pair[2]) }
    end
    return times
end
local times = exact_times({ 1, 5 }, { 3, 2 }, { 4, 1 })
check.is_true("Johnson's order", observations.obeys_johnson({ 1, 2, 3 }, times))
check.is_true("another order", not observations.obeys_johnson({ 2, 1, 3 }, times))
check.is_true("the rear reversed", not observations.obeys_johnson({ 1, 3, 2 }, times))
local logs, squares = {}, {}
for i = 1, 4 do logs[i], squares[i] = math.log(10 * i), math.log(7 * (10 * i) ^ 2) end
check.is_true("the exponent of a square",
    math.abs(observations.slope(logs, squares) - 2) < 1e-9)
check.is_true("a verdict on time", claims["observations: Observation 2: its complexity"] ~= nil)

-- ---- a reference that is wrong, a paper's number that is wrong ----------------------------------

local function reproduce(only)
    return papers.reproduce(assert(papers.find "tian"),
        { seeds = SEEDS, seed = 1, jobs = 20, only = { only }, processes = 1,
        quiet = true }).sections[1]
end

check.equal("Table 1 agrees", reproduce "table1":differing(), 0)
local known = reference.table1.makespan
known.optimum.exact = "4000000000001/100000000000"
check.equal("a falsified optimum is flagged, however small the difference",
    reproduce "table1":differing(), 1)
known.optimum.exact = "40"
known.mk_jr.paper = "46"
check.equal("a falsified number of the paper fails", reproduce "table1".claims[1].verdict,
    papers.FAILS)
known.mk_jr.paper = "47"
local four = reference.nodes[4].mk_jr
four.paper = "44"
local held = {}
for _, claim in ipairs(reproduce "nodes".claims) do held[claim.label] = claim.verdict end
check.equal("the right number would hold", held["44 by MK_JR on 4 nodes"], papers.HOLDS)
four.paper = "43"

-- ---- text, and any number of processes ----------------------------------------------------------

local function some(only, processes)
    return (paper("tian", "--seeds", "2", "--jobs", "150", "--only", only, "--output", directory,
        "--quiet", "--processes",
        processes))
end
local one = some("table1,theorem1,bound", "1")
check.equal("the same with three processes, and whatever the order of --only",
    some("bound,theorem1,table1", "3"), one)
for _, part in ipairs {
    "\nTable 1 and Example 1: five jobs on 30 x 30 slots\n", "\n  claim      ", "\n  paper      ",
    "\n  ours       ",
    "\n  verdict    FAILS", "\nSummary\n=======\n",
    " numbers compared with the reference: all agree.",
        "2 seeds (replicas), 150 tiny instances", "107/3 (35.667)  as printed   agrees",
} do
    check.contains("text", one, part)
end

check.done()
