-- Runs of the slotted model through the binding, and the decision logs they write.

package.path = "tests/support/?.lua;" .. package.path
local core = require "pinion.core"
local lookup = require "pinion.policy"
local check = require "check"

local function table_of(...)
    return core.workload_slotted_table { ... }
end

local function run(workload, change)
    local options = { workload = workload, machines = 100, reduce = "preemptive", policy = "asrpt",
        bounds = "fast", keep_jobs = true,
                      groups = 0, estimates = false, quiet = true, label = "test" }
    for key, value in pairs(change or {}) do options[key] = value end
    return core.slotted_run(options)
end

-- One job, by hand.
local one = table_of { arrival = 1, maps = 5, reduces = { 4, 4, 2 } }
local r = assert(run(one))
for field, wanted in pairs { submitted = 1, finished = 1, total_flow_time = 2, lower_bound = 1,
    slots = 2, complete = true, interrupted = false,
                             relaxed = false, in_system = 0, units_run = 15, slots_run = 2,
                             decisions = 2, jobs_max = 1 } do
    check.equal(field, r[field], wanted)
end
check.equal("digest", #r.digest, 16)
check.equal("rows", #r.rows, 1)
check.equal("map finish", r.rows[1].map_finish, 1)
check.equal("flow time", r.rows[1].flow_time, 2)
check.equal("no second row", r.rows[2], nil)
check.equal("unpack", select("#", r.rows:unpack(1)), 4)
check.equal("not asked for", r.lower_bound_tight, nil)
check.equal("no bounds", run(one, { bounds = "none" }).lower_bound, nil)
check.equal("no rows", run(one, { keep_jobs = false }).rows, nil)
check.equal("tight: 1 slot of maps, then the longest task",
    run(one, { reduce = "nonpreemptive", bounds = "tight" }).lower_bound_tight, 5)

-- Stops in the middle.
local two = table_of({ arrival = 1, maps = 5, reduces = { 4, 4, 2 }, group = 1 },
    { arrival = 3, maps = 200 }, { arrival = 9, maps = 1 })
r = assert(run(two, { until_slot = 3, groups = 2 }))
check.equal("complete", r.complete, false)
check.equal("submitted", r.submitted, 2)
check.equal("finished", r.finished, 1)
check.equal("bound", r.lower_bound, nil)
check.equal("unfinished", r.rows[2].finish, nil)
check.equal("group", r.rows[1].group, 1)
check.equal("quantile among the finished", r.rows:quantile(0.5), 2)
check.equal("group 0", r.group_flow_times[1]:count(), 0)
check.equal("group 1", r.group_flow_times[2]:count(), 1)
check.equal("its flow time", r.group_flow_times[2]:max(), 2)
check.equal("nothing yet", run(two, { until_slot = 0 }).submitted, 0)
check.equal("late enough", run(two, { until_slot = 1 << 53, groups = 2 }).complete, true)
check.equal("no jobs at all", run(table_of()).complete, true)
check.equal("rows tell the group though no statistics were asked for", run(two).rows[1].group, 1)

-- Exact quantiles by nearest rank against the definition.
local jobs = {}
for i = 1, 100 do jobs[i] = { arrival = 1 + i // 3, maps = (i * 37) % 101 + 1 } end
r = assert(run(core.workload_slotted_table(jobs), { machines = 3 }))
local times = {}
for i = 1, 100 do times[i] = r.rows[i].flow_time end
table.sort(times)
for percent = 0, 100 do
    check.equal("quantile " .. percent, r.rows:quantile(percent / 100), times[math.max(percent, 1)])
end
check.equal("statistics", r.flow_times:count(), 100)
assert(math.abs(r.flow_times:mean() - r.total_flow_time / 100) < 1e-9, "mean")
check.equal("min", r.flow_times:min(), times[1])
check.equal("max", r.flow_times:max(), times[100])
assert(math.abs(r.flow_times:quantile(0.9) / times[90] - 1) < 0.01, "quantile within 1 %")

-- A block that is too small starts over, to the same decisions as one that is large enough.
local overload = { maps = "exp(30)", reduces = "exp(15)", rate = 10,
    slots = 1000, tasks = 10, seed = 1, replica = 0 }
local generated = core.workload_zheng(overload)
local stored = core.workload_slotted_table(generated:jobs(100000))
for _, reduce in ipairs { "preemptive", "nonpreemptive" } do
    local small, large = assert(run(generated, { reduce = reduce })),
        assert(run(stored, { reduce = reduce }))
    assert(small.peak_jobs > 1024, "the workload is an overload")
    check.equal("digest after restarts", small.digest, large.digest)
    check.equal("rows after restarts", #small.rows, large.submitted)
    check.equal("rows after restarts", small.rows:quantile(0.99), large.rows:quantile(0.99))
    assert(small.jobs_max > 1024 and large.jobs_max == large.submitted, "room")
end

-- Sparse arrivals and long tasks cost what happens in them, not the slots between.
local far = 1 << 50
r = assert(run(table_of({ arrival = 1, reduces = { far } }, { arrival = far, maps = 1 },
    { arrival = 2 * far, maps = 1 }),
               { reduce = "nonpreemptive", policy = "fifo", bounds = "none" }))
check.equal("slots", r.slots, 2 * far)
check.equal("flow time", r.total_flow_time, far + 2)

-- Logs.
local path = check.temporary_file ""
r = assert(run(one, { log = path }))
check.equal("log", check.read_file(path),
    '{"pinion_log":1,"model":"slotted","policy":"asrpt","scenario":"' ..
    core.slotted_scenario_hash { workload = one, machines = 100, reduce = "preemptive",
        policy = "asrpt" }
        .. '","settings":{"machines":100,"reduce":"preemptive"},"jobs":{"count":1,"every":1,'
        .. '"marks":"' .. check.read_file(path):match '"marks":"(%x+)"' .. '"}}\n' ..
    '{"slot":1,"job":1,"map":5}\n{"slot":2,"job":1,"reduce":10}\n' ..
    '{"slot":2,"job":1,"finish":true}\n' ..
    '{"end":2,"digest":"' .. r.digest .. '"}\n')
assert(run(one, { log = path, policy = "idx", params = { wm = -3, wc = 7, wr = 1, other = 1 },
    reduce = "nonpreemptive", machines = 2 }))
local log = check.read_file(path)
check.contains("parameters", log, ',"params":{"wm":-3,"wc":7},"settings":')
check.contains("starts", log, '"start":[1,2]}')
assert(run(one, { log = path, policy = "srpt" }))
check.contains("relaxed", check.read_file(path), '"relaxed":true,"settings":')
assert(run(generated, { log = path }))
check.equal("one first line, however often the run started",
    select(2, check.read_file(path):gsub("pinion_log", "")), 1)

-- What can go wrong.
local function bad(kind, wanted, workload, change)
    local result, got, message = run(workload, change)
    check.equal(wanted, result, nil)
    check.equal("kind of " .. wanted, got, kind)
    check.contains("message", message, wanted)
end
bad("usage", "no policy is called nix", one, { policy = "nix" })
bad("usage", "policy test is defined for preemptive reduces only", one,
    { policy = "dsrpt", reduce = "nonpreemptive" })
for _, mode in ipairs { "preemptive", "nonpreemptive" } do
    local loaded = lookup.from_text('return { name = "x", model = "slotted", modes = { "' .. mode
        .. '" }, key = "arrival" }', "x.lua")
    local handle = lookup.instantiate(loaded, {})
    bad("usage", "policy test is defined for " .. mode .. " reduces only", one,
        { lua_policy = handle,
            reduce = mode == "preemptive" and "nonpreemptive" or "preemptive" })
    handle:close()
end
local mapping = lookup.from_text('return { name = "x", model = "slotted", orders = { maps = '
    .. '{ by = "remaining", jobs = "map" } }, slot = function(s) s:fill("reduce", "maps") end }',
    "x.lua")
bad("run", "x.lua:1: slot 1: order 'maps' is not for reduce alone (declare it with jobs = "
    .. '"reduce", or with walk = true)', one, { lua_policy = lookup.instantiate(mapping, {}) })
local late = { { arrival = 1, maps = 1 } }
for i = 2, 2100 do late[i] = { arrival = (1 << 53) - 99, maps = 1 } end
bad("run", "the tight bound cannot be computed: PN_ERR_OVERFLOW", table_of(table.unpack(late)),
    { bounds = "tight" })
bad("usage", "params.wm: must be an integer in -1048576..1048576, got 1048577", one,
    { policy = "idx", params = { wm = 1048577 } })
bad("usage", "job 2, arrival 4: has no work",
    table_of({ arrival = 1, maps = 1 }, { arrival = 4, reduces = { 0 } }))
bad("usage", "job 1, arrival 1: has more than 2^53 units of work",
    table_of { arrival = 1, maps = 1 << 53, reduces = { 1 } })
bad("usage", "job 1, arrival 1: its group or an estimate is out of range",
    table_of { arrival = 1, maps = 1, group = 3 }, { groups = 2 })
bad("run", "would pass 2^53", table_of { arrival = 1 << 53, maps = 500 })
bad("run", "cannot write /nonexistent/log: No such file or directory", one,
    { log = "/nonexistent/log" })
bad("run", "cannot write /dev/full: No space left on device", one, { log = "/dev/full" })
bad("run", "cannot write /dev/full: No space left on device", generated, { log = "/dev/full" })
bad("run", "its maps, drawn at random, pass 2^53 units",
    core.workload_zheng { maps = "pareto(0.01,1)",
    reduces = overload.reduces, rate = 2, slots = 100, seed = 1 })
check.raises("machines: must be an integer in 1..16777216, got 0",
    "machines: must be an integer in 1..16777216, got 0", run, one, { machines = 0 })
check.raises("machines: must be an integer in 1..16777216, got 2.0",
    "machines: must be an integer in 1..16777216, got 2.0", run, one, { machines = 2.0 })
check.raises("reduce: must be preemptive or nonpreemptive",
    "reduce: must be preemptive or nonpreemptive", run, one, { reduce = "x" })
check.raises("workload: must be a pinion.Workload", "workload: must be a pinion.Workload", run, 7)

-- Estimates: off, they are ignored.
local misjudged = table_of({ arrival = 1, maps = 50, estimate_maps = 1 },
    { arrival = 1, maps = 10 })
check.equal("the truth", run(misjudged, { machines = 10, policy = "dspt" }).rows[2].finish, 1)
check.equal("the estimate",
    run(misjudged, { machines = 10, policy = "dspt", estimates = true }).rows[2].finish, 6)

check.done()
