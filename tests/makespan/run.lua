-- Runs of the makespan model through the binding and through the library: what results hold, and
-- what is refused.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"

local with = check.with

local function list(values)
    return values and table.concat(values, " ")
end

-- ---- one run, by hand ---------------------------------------------------------------------------

-- Job 1: maps 1 | 2 end at 2, reduces 3 and 5 at 5 and 7; job 2: its map waits for the slot that is
-- free at 1.
local TWO = { { maps = { 1, 2 }, reduces = { 3, 5 } },
    { maps = { 4 }, reduces = { count = 1, duration = 0.5 } } }
local BASE = { policy = "fifo", workload = TWO, map_slots = 2, reduce_slots = 2, level = "task",
    quiet = true }

local result = pinion.run(BASE)
check.equal("the model is that of the jobs", result.model, "makespan")
for field, want in next, {
    makespan = 7, total_completion_time = 25 / 2, mean_completion_time = 25 / 4,
    map_utilisation = 1 / 2, reduce_utilisation = 17 / 28,
    utilisation = 31 / 56, evaluations = 0, finished = 2, submitted = 2, complete = true,
    tasks_started = 6,
} do
    check.equal(field, result[field], want)
end
for field, want in next, {
    total_completion_time_exact = "25/2", mean_completion_time_exact = "25/4",
    map_utilisation_exact = "1/2", utilisation_exact = "31/56",
} do
    check.equal(field, result[field], want)
end
check.equal("an integer has no other form", result.makespan_exact, nil)
check.equal("its type", math.type(result.makespan), "integer")
check.equal("order", list(result.order), "1 2")
check.equal("no pools", result.pools, nil)
check.equal("digest", #result.digest, 16)
for id, want in ipairs { { 0, 2, 2, 7 }, { 1, 5, 5, 5.5 } } do
    for i, field in ipairs { "map_start", "map_finish", "reduce_start", "finish" } do
        check.equal(field .. " of " .. id, result.jobs[id][field], want[i])
    end
end
check.equal("exact times of jobs", result.jobs[2].finish_exact, "11/2")
check.equal("… where they are needed", result.jobs[1].finish_exact, nil)
check.equal("median completion time", result:quantile("completion_time", 0.5), 5.5)
check.equal("… by its column", result:quantile("finish", 1), 7)
check.equal("any column", result:quantile("map_start", 1), 1)
check.raises("a field that is none", "quantile: field must be map_start or", result.quantile,
    result, "flow_time", 0.5)
check.equal("mean of the sample", result.completion_time.mean, 6.25)
check.equal("nothing grows in a batch", result.growing, false)
check.equal("no series of arrivals", result.number_in_system, nil)

-- The lower bound: fluid Johnson, the longest job, and two more. Only a gap above it is told.
check.equal("a bound", result.lower_bound, 7)
check.equal("a gap", result.gap, 0)
check.equal("no proof", result.lower_bound_tight, nil)
check.equal("none", pinion.run(with(BASE, { bounds = "none" })).lower_bound, nil)
local tight = pinion.run(with(BASE, { bounds = "tight" }))
check.equal("the proven bound", tight.lower_bound_tight, 7)
check.equal("its gap", tight.gap_tight, 0)
check.equal("so it is optimal", tight.optimal, true)
check.equal("it is the same run", tight.digest, result.digest)

-- Levels, rules, and the policy's own ones.
check.equal("stage level", pinion.run(with(BASE, { level = "stage", policy = "uaas" })).makespan,
    23 / 4)
check.equal("… in exact form",
    pinion.run(with(BASE, { level = "stage", policy = "uaas" })).makespan_exact, "23/4")
check.equal("stage is the default", pinion.run { policy = "uaas", workload = TWO, map_slots = 2,
    reduce_slots = 2, quiet = true }.level, "stage")
check.equal("exclusive stages",
    pinion.run(with(BASE, { params = { share = "exclusive" } })).makespan, 15 / 2)
check.equal("only parameters that differ are shown",
    pinion.run(with(BASE, { params = { share = "conserving" } })).params, nil)
check.equal("… with those of the model",
    pinion.run(with(BASE, { params = { share = "exclusive" } })).params.share, "exclusive")
local given = pinion.run(with(BASE, { policy = "given_order", params = { order = { 2, 1 } } }))
check.equal("a given order", list(given.order), "2 1")
check.equal("… as text",
    pinion.run(with(BASE, { policy = "given_order", params = { order = "2;1" } })).digest,
    given.digest)
local pools =
    pinion.run(with(BASE,
    { policy = "fixed_pools", params = { pools = { { nodes = 1, jobs = { 2 } } } } }))
check.equal("pools", #pools.pools, 2)
check.equal("slots of a pool", pools.pools[1].map_slots, 1)
check.equal("the others form one", list(pools.pools[2].jobs), "1")
check.equal("pool by pool", list(pools.order), "2 1")
local idle = pinion.run(
    with(BASE, { policy = "fixed_pools", params = { pools = { { nodes = 1, jobs = { 1, 2 } } } } }))
check.equal("a node may be left to nobody", #idle.pools, 1)
check.equal("so its slots are idle", idle.pools[1].map_slots, 1)

-- Groups and names; jobs stay in their order.
local grouped = pinion.run { policy = "fifo", map_slots = 1, reduce_slots = 1, level = "task",
        quiet = true, workload = {
    { maps = { 3 }, group = "late", name = "z" }, { maps = { "1/3" } },
    { maps = { 1 }, group = "late" },
} }
check.equal("names", grouped.jobs[1].name, "z")
check.equal("groups", grouped.groups[1].group, "late")
check.equal("jobs of a group", grouped.groups[1].finished, 2)
check.is_true("completion times of a group",
    math.abs(grouped.groups[1].completion_time.max - 13 / 3) < 1e-9)
check.equal("thirds", grouped.jobs[2].finish_exact, "10/3")

-- ---- the paper's table --------------------------------------------------------------------------

local function job(maps, map, reduces, reduce)
    return { maps = { count = maps, duration = map },
        reduces = { count = reduces, duration = reduce } }
end
local TABLE = { policy = "uaas", map_slots = 30, reduce_slots = 30, quiet = true, workload = {
    job(30, 4, 30, 5), job(30, 1, 30, 4), job(20, 30, 20, 4), job(20, 6, 20, 30), job(30, 2, 30, 3),
} }
local fluid = pinion.run(TABLE)
check.equal("35 2/3", fluid.makespan_exact, "107/3")
check.equal("the nearest double", fluid.makespan, 107 / 3)
check.equal("which is optimal when work is fluid", fluid.gap, 0)
check.equal("of tasks that are cut anew too",
    pinion.run(with(TABLE, { level = "task", params = { resplit = 2 } })).makespan_exact, "107/3")
local whole = pinion.run(with(TABLE, { level = "task", bounds = "tight" }))
check.equal("of whole tasks", whole.makespan, 47)
check.equal("where two pools are best", whole.lower_bound_tight, 40)
check.equal("above that", whole.gap_tight_exact, "7/40")
check.equal("not optimal", whole.optimal, nil)
local balanced =
    pinion.run(with(TABLE, { level = "task", policy = "balanced_pools", bounds = "tight" }))
check.equal("two pools", balanced.makespan, 40)
check.equal("are optimal", balanced.optimal, true)
local exact = pinion.run(with(TABLE, { level = "task", policy = "exact" }))
check.equal("exact brings its proof along", exact.lower_bound_tight, 40)
check.equal("a fluid schedule needs none",
    pinion.run(with(TABLE, { bounds = "tight" })).lower_bound_tight, nil)

-- ---- the best ratio of slots --------------------------------------------------------------------

local RATIO = { search_ratio = true, total_slots = 6 }
local searched = pinion.run(with(TABLE, { params = RATIO }))
check.equal("every ratio", #searched.ratios, 5)
check.equal("slots of the best", searched.map_slots .. "x" .. searched.reduce_slots, "3x3")
local least = math.huge
for i, ratio in ipairs(searched.ratios) do
    check.equal("slots of ratio " .. i, ratio.map_slots + ratio.reduce_slots, 6)
    least = math.min(least, ratio.makespan)
    local alone = pinion.run(with(TABLE, { map_slots = i, reduce_slots = 6 - i }))
    check.equal("the makespan of ratio " .. i, ratio.makespan, alone.makespan)
end
check.equal("the least", searched.makespan, least)
check.equal("only what the nodes divide",
    #pinion.run(with(TABLE, { params = with(RATIO, { nodes = 2 }) })).ratios, 2)
-- Jobs that are given by their times fill the slots of the scenario, whatever the ratio is.
local timed = { policy = "fifo", map_slots = 2, reduce_slots = 2, level = "task", quiet = true,
    workload = { { map_time = 3, reduce_time = 1 } } }
check.equal("base slots", pinion.run(with(timed, { params = RATIO })).tasks_started, 4)
check.equal("the smallest among equals", pinion.run(with(timed, { params = RATIO })).map_slots, 2)

-- ---- the end ------------------------------------------------------------------------------------

local part = pinion.run(with(BASE, { until_time = 5 }))
check.equal("a part is not complete", part.complete, false)
check.equal("instants before the end", part.finished, 0)
check.equal("no gap", part.gap, nil)
check.equal("no utilisation", part.utilisation, nil)
check.equal("the whole order is known", list(part.order), "1 2")
check.equal("what has not happened", part.jobs[1].finish, nil)
check.equal("exact ends", pinion.run(with(BASE, { until_time = "11/2" })).finished, 0)
check.equal("… and a little later",
    pinion.run(with(BASE, { until_time = "5500001/1000000" })).finished, 1)
check.equal("exact numbers", pinion.run(with(BASE, { until_time = pinion.exact "13/2" })).finished,
    1)
check.equal("an end that is late enough", pinion.run(with(BASE, { until_time = 1e15 })).digest,
    result.digest)

-- ---- without rows -------------------------------------------------------------------------------

local LARGE = { policy = "uaas", level = "task", map_slots = 60, reduce_slots = 60,
    workload = "rand_many,jobs=40,seed=3", quiet = true }
local full, bare = pinion.run(LARGE), pinion.run(with(LARGE, { keep_jobs = false }))
check.equal("no rows", bare.jobs, nil)
check.equal("the same schedule", bare.digest, full.digest)
check.is_true("quantiles within 1 %",
    math.abs(bare:quantile("completion_time", 0.5) / full:quantile("completion_time",
    0.5) - 1) < 0.01)
check.raises("other fields need rows", "this result has no rows", bare.quantile, bare, "map_finish",
    0.5)
check.equal("a run can be had again", pinion.run(LARGE).digest, full.digest)
check.is_true("replicas differ", pinion.run(with(LARGE, { replica = 1 })).digest ~= full.digest)

-- ---- what is refused ----------------------------------------------------------------------------

local REFUSED = {
    ["map_slots: is required (an integer >= 1)"] = { map_slots = false },
    ["map_slots: must be an integer in 1..16777216, got 0"] = { map_slots = 0 },
    ["level: must be stage or task, got 'job'"] = { level = "job" },
    ["until_time: must be >= 0, got -1"] = { until_time = -1 },
    ["until_time: must be a number >= 0 or a ratio"] = { until_time = "soon" },
    ["checkpoint: a batch has no checkpoints: planning is one step"] = { checkpoint = "x",
        every = 1 },
    ["every: a batch has no checkpoints"] = { every = 1 },
    ["warmup: a batch has no warm-up"] = { warmup = 1 },
    ["error: policies of the makespan model see the true jobs"] =
        { error = "lognormal(1,1)" },
    ["machines: unknown option"] = { machines = 3 },
    ["policy 'fair' is of the slotted model (expected a policy of makespan)"] = { policy = "fair" },
    ["policy given_order: needs the parameter order (job ids)"] = { policy = "given_order" },
    ["policy fixed_pools: needs the parameter pools"] = { policy = "fixed_pools" },
    ["params.order: names 1 of 2 jobs (expected each of them)"] = { policy = "given_order",
        params = { order = { 2 } } },
    ["params.order: there is no job 3, the workload has 2"] = { policy = "given_order",
        params = { order = { 2, 3 } } },
    ["params.order[2]: job 1 is listed twice"] = { policy = "given_order",
        params = { order = { 1, 1 } } },
    ["params.pools[1].jobs: there is no job 3, the workload has 2"] =
        { policy = "fixed_pools", params = { pools = { { nodes = 1, jobs = { 3 } } } } },
    ["params.pools: 3 nodes are asked for, there are 2"] = { policy = "fixed_pools",
        params = { pools = { { nodes = 3, jobs = { 1, 2 } } } } },
    ["params.pools: no node is left for 1 job"] = { policy = "fixed_pools",
        params = { pools = { { nodes = 2, jobs = { 1 } } } } },
    ["params.nodes: must divide the 2 map slots and the 2 reduce slots, got 3"] =
        { policy = "balanced_pools", params = { nodes = 3 } },
    ["params.pools: fit no ratio of 4 slots (3 nodes are asked for, there are 1)"] =
        { policy = "fixed_pools",
            params = { search_ratio = true, pools = { { nodes = 3, jobs = { 1 } } } } },
    ["params.order: is empty (expected job ids)"] = { policy = "given_order",
        params = { order = {} } },
    ["params.order: expected ; between job ids, such as 3;1;2, got '1,2'"] =
        { policy = "given_order", params = { order = "1,2" } },
    ["params.pools: is empty (expected pools { nodes, jobs })"] = { policy = "fixed_pools",
        params = { pools = {} } },
    ["params.pools[1].jobs[2]: job 1 is listed twice"] =
        { policy = "fixed_pools", params = { pools = { { nodes = 1, jobs = { 1, 1 } } } } },
    ["policy balanced_pools: finds no pools: two need two nodes, there is one"] =
        { policy = "balanced_pools", params = { nodes = 1, bp_allow_single = false } },
    ["policy balanced_pools: finds no pools: two need two jobs, there is one"] =
        { policy = "balanced_pools", workload = { { maps = { 1 } } },
            params = { bp_allow_single = false } },
    ["params.search_ratio: 4 nodes cannot share out 5 slots"] =
        { params = { search_ratio = true, total_slots = 5, nodes = 4 } },
    ["params.share: must be conserving or exclusive, got 'fair'"] = { params = { share = "fair" } },
    ["params.resplit: must be an integer in 0..65536, got -1"] = { params = { resplit = -1 } },
    ["params.shar: unknown parameter (did you mean 'share'?)"] =
        { params = { shar = "exclusive" } },
    ["policy optimal: tries all orders of at most 8 jobs"] = { policy = "optimal",
        workload = "t1_like,jobs=9" },
    ["policy exact is not defined at level stage"] = { policy = "exact", level = "stage" },
    ["workload 'lin': its jobs are of the tandem model"] = { model = "makespan", workload = "lin" },
}
for message, change in next, REFUSED do
    local options = with(BASE, change)
    if options.map_slots == false then options.map_slots = nil end
    check.raises(message, message, pinion.run, options)
end
check.raises("too fine", "policy uaas: times as fine as these do not fit", pinion.run,
    { policy = "uaas", map_slots = 16777213,
    reduce_slots = 16777199, workload = { { maps = { "1/9007199254740881" }, reduces = { 1 } } },
    quiet = true })

check.equal("what has no pools needs no nodes",
    pinion.run(with(BASE, { params = { nodes = 3 } })).digest, pinion.run(BASE).digest)
local fitting = pinion.run(with(BASE, { policy = "fixed_pools", map_slots = 4, reduce_slots = 4,
    params = { search_ratio = true, pools = { { nodes = 2, jobs = { 1 } } } } }))
check.equal("ratios at which the pools fit", #fitting.ratios, 1)
check.equal("… this one", fitting.map_slots .. "x" .. fitting.reduce_slots, "4x4")

-- What policy exact does not search, it says so.
local wide = pinion.run { policy = "exact", level = "task", map_slots = 4, reduce_slots = 4,
    quiet = true,
    workload = { { maps = { count = 300, duration = 3 }, reduces = { 2 } },
        { maps = { 1, 7, 9 }, reduces = { 8 } } } }
check.equal("too large", wide.proof, "large")
check.equal("no bound", wide.lower_bound_tight, nil)
check.equal("none for others", pinion.run(with(BASE, { bounds = "tight", level = "stage" })).proof,
    "level")
check.equal("nor with resplit",
    pinion.run(with(BASE, { bounds = "tight", params = { resplit = 2 } })).proof, "resplit")
check.equal("a proof lacks nothing", tight.proof, nil)

check.raises("exact at another level", "policy exact is not defined at level stage", pinion.run,
    with(BASE, { policy = "exact", level = "stage" }))
local many = {}
for i = 1, 31 do many[i] = { maps = { 1 }, reduces = { 1 } } end
check.raises("more jobs than all partitions can have", "policy balanced_pools: finds no pools: an "
    .. "exhaustive partition takes at most 30 jobs", pinion.run, { model = "makespan",
    policy = "balanced_pools", map_slots = 2, reduce_slots = 2, quiet = true, workload = many,
    params = { bp_partition = "exhaustive" } })

-- Times that do not fit: scores of a policy in Lua, which can still be compared.
local function scored(body, jobs, slots)
    return pinion.run { model = "makespan", quiet = true, workload = jobs, map_slots = slots or 2,
        reduce_slots = slots or 2, params = { stage_time = "fluid" }, policy = pinion.policy(
            "return { name = 'x', model = 'makespan', order = function(s) local order = {} "
            .. "for job = 1, s:jobs() do order[job] = job end " .. body .. " return order end }") }
end
local long = {}
for i = 1, 100 do long[i] = { maps = { 1 << 52 }, reduces = { 1 << 52 } } end
check.equal("sums of them are compared", scored("assert(not s:evaluate(order, { total = true })"
    .. ":better(s:evaluate(order, { total = true })))", long).finished, 100)
check.raises("and are no numbers", "policy:1: a time does not fit an exact number (scores can be "
    .. "compared as they are)", scored, "s:evaluate(order, { total = true }):total_completion()",
    long)
check.raises("parts that are too fine", "policy:1: evaluate: PN_ERR_OVERFLOW", scored,
    "s:evaluate(order, { map_slots = 16777213 })",
    { { maps = { (1 << 52) - 111 }, reduces = { (1 << 52) - 145 } } }, 1 << 24)

check.equal("sums past 2^64", select(2, pcall(scored,
    "s:evaluate(order, { total = true }):total_completion()", table.move(long, 1, 100, 301,
    table.move(long, 1, 100, 201, table.move(long, 1, 100, 101, long))))):match "a time .*",
    "a time does not fit an exact number (scores can be compared as they are)")
local alone = pinion.policy [[return { name = "x", model = "makespan",
  order = function(s) return { 1 } end }]]
check.raises("a plan that is too fine", "policy x: times as fine as these do not fit: more than "
    .. "2^62 equal parts", pinion.run, { model = "makespan", quiet = true, policy = alone,
    map_slots = (1 << 24) - 3, reduce_slots = 1, params = { stage_time = "fluid" },
    workload = { { maps = { (1 << 53) - 111 }, reduces = { (1 << 53) - 145 } } } })

-- An end far behind the last job is none, however its time is rounded.
local function ends(at)
    return pinion.run { model = "makespan", policy = "fifo", level = "task", map_slots = 3,
        reduce_slots = 3, quiet = true, until_time = at, timeline = at and 2,
        workload = { { maps = { 0.001, 0.003 }, reduces = { 0.002 } } } }.digest
end
for _, at in ipairs { 1.0, 1e13 + 0.3, 4503599627370497.0, 8.1e15 + 0.5, 1e17 } do
    check.equal("an end at " .. at, ends(at), ends(nil))
end

-- A log is emptied when there is a plan.
local kept = check.directory() .. "/kept.log"
check.write_file(kept, "an old log\n")
check.raises("no plan", "needs the parameter order", pinion.run,
    with(BASE, { policy = "given_order", log = kept }))
check.equal("the log stays", check.read_file(kept), "an old log\n")
pinion.run(with(BASE, { log = kept }))
check.matches("until there is one", check.read_file(kept), '^{"pinion_log":1,.*"digest":"%x+"}\n$')

-- ---- the binding --------------------------------------------------------------------------------

local opened = pinion.workload.jobs(TWO):open { model = "makespan" }
local function ask(change)
    return core.makespan_run(
        with({ workload = opened.core, policy = "fifo", map_slots = 2, reduce_slots = 2,
        level = "task", quiet = true },
        change))
end
check.equal("the binding runs", ask({}).makespan, 7)
check.equal("rules in force", ask({}).stage_time .. " " .. ask({}).share .. " " .. ask({}).cap
    .. " " .. ask({}).task_order,
    "waves_req conserving none listed")
local _, kind, message = ask { policy = "nix" }
check.equal("kind of a mistake", kind, "usage")
check.equal("a policy that is none", message, "no policy is called nix")
_, kind, message = ask { policy = "given_order", order = { 1, 3 } }
check.equal("kind of an order that is none", kind, "usage")
check.contains("an order that is none", message, "params.order: is no order of all 2 jobs")
_, _, message = ask { policy = "fixed_pools", pools = { { nodes = 9, jobs = { 1 } } } }
check.contains("pools that are none", message, "params.pools: do not share out")
_, _, message = ask { policy = "fixed_pools", pools = {} }
check.equal("no pool", message, "params.pools: do not share out the 2 jobs and the nodes")
_, kind, message = ask { log = "/nonexistent/log" }
check.equal("a log that cannot be written", message,
    "cannot write /nonexistent/log: No such file or directory")
-- Questions at times that no double has as a number of ticks, and far behind the end, 5 ticks.
local FINE <const> = { { map = { 1, 1, 3, 1 }, reduce = { 2, 1 } } }
local fine = ask { workload = core.workload_makespan_table(FINE, 1000000), questions = { most = 1,
    times = { 0.0, 1e-6, 2.5e-6, 4.5e12 + 0.3, 8.9e12 + 0.7, 8.95e12, 2.0 ^ 53 } } }
local waiting = {}
for i, answer in ipairs(fine.answers) do waiting[i] = answer[1].count end
check.equal("when the job has maps", table.concat(waiting, " "), "1 1 1 0 0 0 0")
check.equal("questions change nothing", fine.makespan, 5e-6)
check.raises("jobs of another model", "its jobs are of the slotted model", ask,
    { workload = core.workload_slotted_table { { arrival = 1, maps = 1 } } })
check.raises("words", "invalid option 'never'", ask, { share = "never" })
check.raises("checkpoints", "a batch has none", ask, { checkpoint = "x", about = "" })

check.done()
