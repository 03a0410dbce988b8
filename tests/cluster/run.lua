-- Runs of the cluster model through the library and the program: results in all forms, settings and
-- what is wrong with them.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"

local with = check.with

-- ---- a run by hand ------------------------------------------------------------------------------

-- One node with two map slots and one reduce slot. Job 1: maps 0-10, 0-10, 10-20, reduce from 10
-- (two of three maps done) to 20 + 7 = 27, as it fetches 5 ms from nowhere else. Job 2: map 10-14,
-- reduce waits for the slot: 27-29. Job 3: map 14-16.
local JOBS = {
    { submit = 0, maps = 3, reduces = 1, map_ms = 10, remote_ms = 90, reduce_ms = 7, shuffle_ms = 5,
        deadline = 26, group = "a", name = "first" },
    { submit = 1, maps = 1, reduces = 1, map_ms = 4, reduce_ms = 2, group = "b", deadline = 28 },
    { submit = 2, maps = 1, map_ms = 2 },
}
local BASE = { model = "cluster", nodes = { { map_slots = 2, reduce_slots = 1 } }, policy = "fifo",
    workload = JOBS,
               params = { slowstart_permille = 600 }, quiet = true }
local result = pinion.run(BASE)
for id, want in ipairs {
    { state = "finished", submit = 0, first_map_start = 0, map_finish = 20, first_reduce_start = 10,
        finish = 27, waiting_time = 0, execution_time = 27,
      makespan = 27, deadline_met = false, local_maps = 3, colocated_reduces = 1, kills = 0,
      slot_ms = 47, name = "first", group = "a", id = 1 },
    { submit = 1, first_map_start = 10, map_finish = 14, first_reduce_start = 27, finish = 29,
        waiting_time = 9, execution_time = 19, makespan = 28,
      deadline_met = true, slot_ms = 6, group = "b" },
    { submit = 2, first_map_start = 14, map_finish = 16, finish = 16, waiting_time = 12,
        execution_time = 2, makespan = 14 },
} do
    for name, value in next, want do
        check.equal(name .. " of job " .. id, result.jobs[id][name], value)
    end
end
for _, name in ipairs { "first_reduce_start", "deadline_met", "name", "group" } do
    check.equal("no " .. name, result.jobs[3][name], nil)
end
for name, want in next, {
    nodes = 1, map_slots = 2, reduce_slots = 1, finished = 3, accepted = 3, rejected = 0,
    successful = 2, failed = 0, unfinished = 0, total_makespan = 69,
    mean_makespan = 23.0, mean_waiting_time = 7.0, mean_execution_time = 16.0, accept_ratio = 1.0,
    success_ratio = 2 / 3, locality = 1.0,
    colocation = 1.0, utilisation = 55 / (3 * 29), saturation = 27 / 29, slot_ms = 55, span = 29,
    kills = 0, lost = 0, reruns = 0, launches = 7, in_wait = 7.0,
    in_maps = (20 + 4 + 2) / 3, in_blocked = 13 / 3, in_reduces = 9 / 3, seed = 1, complete = true,
    bounds = "fast", lower_bound = 31, relative_makespan = 69 / 31,
} do
    if math.type(want) == "float" then
        check.is_true(name .. ": " .. tostring(result[name]), math.abs(result[name] - want) < 1e-12)
    else
        check.equal(name, result[name], want)
    end
end
check.equal("the median makespan", result:quantile("makespan", 0.5), 27)
check.equal("the longest wait", result:quantile("waiting_time", 1), 12)
check.equal("a quantile of a column", result:quantile("slot_ms", 0), 2)
check.equal("groups", #result.groups, 3)
check.equal("of the first group", result.groups[1].makespan.mean, 27.0)
check.equal("of the second group", result.groups[2].in_blocked, 13.0)
check.equal("a group without a name", result.groups[3].group, nil)
check.equal("where no reduce was", result.groups[3].colocation, nil)

local text = tostring(result)
for _, line in ipairs {
    "fifo on 1 node, 2 map and 1 reduce slot, table\n", "jobs finished           3 of 3\n",
    "mean response time      23 ms (sd 7.8 ms)\n",
    "response time           p50 27 ms, p90 28 ms, p99 28 ms, p999 28 ms, max 28 ms\n",
    "waiting time            p50 9 ms, p90 12 ms,", "execution time          p50 19 ms, p90 27 ms,",
    "successful              66.7 % of the accepted jobs: finished, and before their deadline if "
        .. "they have one\n",
    "response time is        waiting 7 ms + maps 8.7 ms + blocked 4.3 ms + reduces 3 ms\n",
    "utilisation             63.2 % of the slots\n",
    "locality                100.0 % of the maps, 100.0 % of the reduces on nodes with outputs of "
        .. "their job's maps\n", "attempts                7\n",
    "relative response time  2.226 (total 69 ms / lower bound 31 ms)\n",
    "span                    29 ms\n",
    "group   jobs  mean response  waiting  execution  local %  colocated %  use %  in wait  in "
        .. "maps  blocked  in reduces\n",
    "b          1          28 ms     9 ms      19 ms    100.0        100.0    6.9     9 ms     "
        .. "4 ms    13 ms        2 ms\n", "(none)     1",
} do
    check.contains("text", text, line)
end

-- ---- the program --------------------------------------------------------------------------------

local SCENARIO = [[{"model":"cluster","policy":"fifo","nodes":[{"map_slots":2,"reduce_slots":1}],"params":{"slowstart_permille":600},"jobs":[
 {"submit":2,"maps":1,"map_ms":2},
 {"submit":0,"maps":3,"reduces":1,"map_ms":10,"remote_ms":90,"reduce_ms":7,"shuffle_ms":5,"deadline":26,"group":"a","name":"first"},
 {"submit":1,"maps":1,"reduces":1,"map_ms":4,"reduce_ms":2,"group":"b","deadline":28}]}]]
local scenario = program.file("s.json", SCENARIO)
local json = program.succeed("json", { "simulate", scenario, "--format", "json" })
local object = core.json_decode(json, "json")
check.equal("the digest of the file", object.digest, result.digest)
for _, name in ipairs { "mean_makespan", "mean_waiting_time", "mean_execution_time", "accept_ratio",
    "success_ratio", "utilisation", "locality",
                        "accepted", "successful", "failed", "unfinished", "slot_ms", "span",
                        "kills", "suspensions", "copies", "copies_won", "lost", "reruns",
                        "launches", "nodes",
                        "map_slots", "reduce_slots", "seed", "policy", "model", "in_wait",
                        "in_blocked" } do
    check.equal("json: " .. name, object[name], result[name])
end
check.equal("json: params", object.params.slowstart_permille, 600)
check.equal("json: quantiles", object.makespan.p50, 27)
check.equal("json: the bound", object.lower_bound, 31)
check.equal("json: none", core.json_decode(program.succeed("json", { "simulate", scenario,
    "--bounds", "none", "--format", "json" }), "json").lower_bound, core.null)
check.contains("json: a job", json,
    '{"id": 3, "state": "finished", "submit": 2, "first_map_start": 14, "map_finish": 16, '
    .. '"first_reduce_start": null, "finish": 16, "waiting_time": 12, "execution_time": 2, '
    .. '"makespan": 14, "deadline": null, "deadline_met": null, "promise": null, "local_maps": 1, '
    .. '"colocated_reduces": 0, "kills": 0, "slot_ms": 2}')
check.contains("json: a named job", json,
    '{"id": 1, "name": "first", "group": "a", "state": "finished", ')
check.contains("json: a group", json,
    '"locality": 1.0, "colocation": 1.0, "utilisation": 0.06896551724137931, "in_wait": 9.0, '
    .. '"in_maps": 4.0, "in_blocked": 13.0, "in_reduces": 2.0, "kills": 0, '
    .. '"suspensions": 0, "copies": 0, "copies_won": 0, "slot_ms": 6')
local rows = program.succeed("csv", { "simulate", scenario, "--format", "csv", "--jobs-detail" })
check.contains("csv: header", rows,
    "policy,id,state,submit,first_map_start,map_finish,first_reduce_start,finish,waiting_time,"
    .. "execution_time,makespan,deadline,deadline_met,promise,local_maps,colocated_reduces,kills,"
    .. "slot_ms,name,group\n")
check.contains("csv: a job", rows, "\nfifo,2,finished,1,10,14,27,29,9,19,28,28,true,,1,1,0,6,,b\n")
check.contains("csv of results",
    program.succeed("csv", { "simulate", scenario, "--format", "csv" }),
    "policy,submitted,finished,mean_makespan,p50,p90,p99,p999,max,lower_bound,"
        .. "relative_makespan,mean_waiting_time,mean_execution_time,locality,colocation,"
        .. "accept_ratio,")
check.contains("rows in a table",
    program.succeed("detail", { "simulate", scenario, "--format", "table", "--jobs-detail" }),
    "  2  finished       1               10          14                  27      29        28   "
        .. "     28           yes           1      0         b\n")
check.equal("without rows",
    core.json_decode(
    program.succeed("no jobs", { "simulate", scenario, "--format", "json", "--no-jobs" }), "").jobs,
    nil)

-- ---- settings -----------------------------------------------------------------------------------

local function nodes_of(nodes)
    local made = pinion.run(with(BASE, { nodes = nodes }))
    return made.nodes .. " " .. made.map_slots .. " " .. made.reduce_slots
end
check.equal("nodes as text", nodes_of "2x3x1", "2 6 2")
check.equal("nodes of several kinds", nodes_of " 2 x 3 x 1 + 1x1x1x500", "3 7 3")
check.equal("nodes as a list",
    nodes_of { { count = 4, map_slots = 1, reduce_slots = 2, speed = 2000 },
    { map_slots = 0, reduce_slots = 1 } }, "5 4 9")
check.equal("grouping does not matter", pinion.run(with(BASE, { nodes = "1x2x1+1x2x1" })).digest,
    pinion.run(with(BASE, { nodes = "2x2x1" })).digest)

for _, case in ipairs {
    { { nodes = {} }, "nodes: must not be empty" },
    { { nodes = 3 },
        "nodes: must be an array of { count, map_slots, reduce_slots, speed }, or text such as "
        .. "57x8x2+4x2x1x500 "
        .. "(nodes x map slots x reduce slots x speed), got 3" },
    { { nodes = "3x" }, "got '3x'" }, { { nodes = "3x1x1x1x1" }, "got '3x1x1x1x1'" },
    { { nodes = "3x1x1+" }, "got '3x1x1+'" },
    { { nodes = { { map_slots = 1 } } }, "nodes[1].reduce_slots: is required (an integer >= 0)" },
    { { nodes = { { map_slots = 1, reduce_slots = 1 }, { map_slots = -1, reduce_slots = 1 } } },
        "nodes[2].map_slots: must be an integer in 0..65536, got -1" },
    { { nodes = { { map_slot = 1 } } },
        "nodes[1].map_slot: unknown field (did you mean 'map_slots'?)" },
    { { nodes = { 7 } }, "nodes[1]: must be an object with map_slots and reduce_slots, got 7" },
    { { nodes = "3x0x2" },
        "nodes: have no map slot (expected one at least, as every job has maps)" },
    { { nodes = "0x1x1" }, "nodes[1].count: must be an integer in 1..4194304, got 0" },
    { { nodes = "4194304x1x1+1x1x1" }, "nodes: must be at most 4194304 nodes, got 4194305" },
    { { nodes = "4194304x16x1" }, "nodes: must have at most 67108864 slots, got 71303168" },
    { { nodes = "1x1x1x0" }, "nodes[1].speed: must be an integer in 1..1048576, got 0" },
    { { failures = { { time = 1 } } },
        "failures[1].node: is required (the number of a node, from 0)" },
    { { failures = { { node = 0 } } }, "failures[1].time: is required (ms, an integer >= 0)" },
    { { failures = { { time = 5, node = 0, recover = 5 } } },
        "failures[1].recover: must be > time (5), got 5" },
    { { failures = { { time = 5, node = 0 }, { time = 5, node = 1 } } },
        "failures[2].node: there is no node 1 (expected 0..0, as the cluster has)" },
    { { failures = "5:x" },
        "failures: must be an array of { time, node, recover }, or text such as "
        .. "50000:1:90000+70000:4 (time:node:recovery), got '5:x'" },
    { { params = { factor_lo = 1200 } },
        "params.factor_lo: must be <= factor_hi, which is 1000 by default, got 1200" },
    { { params = { factor_hi = 900 } },
        "params.factor_hi: must be >= factor_lo, which is 1000 by default, got 900" },
    { { params = { factor_lo = 800, factor_hi = 700 } },
        "params.factor_hi: must be >= factor_lo, which is 800, got 700" },
    { { params = { heartbeat_ms = -1 } },
        "params.heartbeat_ms: must be an integer in 0..1099511627776, got -1" },
    { { params = { maps_per_heartbeat = 0 } },
        "params.maps_per_heartbeat: must be an integer in 1..4294967295, got 0" },
    { { params = { tick_ms = 0 } },
        "params.tick_ms: must be an integer in 1..1099511627776, got 0" },
    { { params = { reduce_start = "soon" } },
        "params.reduce_start: must be slowstart or after_maps, got 'soon'" },
    { { params = { order = "LIFO" } }, "params.order: must be EDF or FIFO, got 'LIFO'" },
    { { params = { theta_ms = "long" } }, "params.theta_ms: must be an integer, got 'long'" },
    { { params = { feedback = 1 } }, "params.feedback: must be true or false, got 1" },
    { { params = { attempts_max = 65536 } },
        "params.attempts_max: must be an integer in 1..65535, got 65536" },
    { { params = { replicatoin = 1 } },
        "params.replicatoin: unknown parameter (did you mean 'replication'?)" },
    { { params = { seed = 1.5 } }, "params.seed: must be an integer, got 1.5" },
    { { params = { seed = 3 }, seed = 4 },
        "params.seed: must be the scenario's seed, 4, or be left out, got 3" },
    { { error = "constant(2)" },
        "error: policies of the cluster model do not see job sizes; they estimate them from "
            .. "tasks that ran" },
    { { slowdown_by_size = "4x4" }, "slowdown_by_size: unknown option" },
    { { jobs = {} }, "jobs: unknown option (did you mean 'workload'? it takes a table of jobs)" },
    { { until_time = 0 }, "until_time: must be an integer >= 1, got 0" },
    { { warmup = "5slots" },
        "warmup: must be a number of jobs such as 1000, or of ms such as 500ms, or "
            .. "auto, got '5slots'" },
    { { policy = "asrpt" },
        "policy 'asrpt' is of the slotted model (expected a policy of cluster)" },
} do
    check.raises(case[2], case[2], pinion.run, with(BASE, case[1]))
end
check.raises("nodes are required",
    "nodes: is required (an array of { count, map_slots, reduce_slots, speed })", pinion.run,
    { model = "cluster", policy = "fifo", workload = JOBS })

-- In a file, with the file's name and the place.
local function refused(name, replacement, message)
    local path = program.file("bad.json", (SCENARIO:gsub(name, replacement, 1)))
    program.fails(message, { "simulate", path }, 2, path .. ": " .. message)
end
refused('"nodes":%[{"map_slots":2', '"nodes":[{"map_slots":"two"',
    "nodes[1].map_slots: must be an integer in 0..65536, got 'two'")
refused('"nodes":.-%],', "",
    "nodes: is required (an array of { count, map_slots, reduce_slots, speed })")
refused('"nodes":.-%],', '"nodes":[],', "nodes: must not be empty")
refused('"nodes":.-%],', '"nodes":{},',
    "nodes: must be an array of { count, map_slots, reduce_slots, speed }, or text such as "
    .. "57x8x2+4x2x1x500 (nodes x map slots x reduce slots x speed), got an object")
refused('"params"', '"failures":{},"params"',
    "failures: must be an array of { time, node, recover }, or text such as "
    .. "50000:1:90000+70000:4 (time:node:recovery), got an object")
refused('"params"', '"heartbeat_ms":3,"params"',
    "heartbeat_ms: unknown field (did you mean params.heartbeat_ms?)")
refused('"model":"cluster",', "",
    'nodes: is a field of the cluster model (expected "model": "cluster" beside it)')
program.fails("a rule is no field", { "simulate", scenario, "--set", "heartbeat_ms=5" }, 2,
    "pinion: --set heartbeat_ms: unknown field (a parameter: --param heartbeat_ms=5)")
program.fails("… nor in a sweep", { "sweep", scenario, "--over", "heartbeat_ms=0,5" }, 2,
    "pinion: over.heartbeat_ms: cannot be varied (did you mean 'params.heartbeat_ms'?)")
refused('"params"', '"failures":[{"time":1,"node":1}],"params"',
    "failures[1].node: there is no node 1 (expected 0..0, as the cluster has)")
refused('"params"', '"failures":[{"time":1,"node":0,"back":3}],"params"',
    "failures[1].back: unknown field (known: node, recover, time)")
refused('"slowstart_permille":600', '"slowstart_permille":1001',
    "params.slowstart_permille: must be an integer in 0..1000, got 1001")
refused('"slowstart_permille":600', '"factor_lo":1001',
    "params.factor_lo: must be <= factor_hi, which is 1000 by default, got 1001")
refused('"policy"', '"machines":3,"policy"',
    "machines: unknown field (known: arrivals, attributes, failures, group, jobs, load, load_by, "
    .. "model, nodes, params, policy, replicas, "
    .. "resample, seed, timeline)")
for option, message in next, {
    ["nodes=2x2"] =
        "pinion: --set nodes: must be an array of { count, map_slots, reduce_slots, speed }, or "
        .. "text such as 57x8x2+4x2x1x500 "
        .. "(nodes x map slots x reduce slots x speed), got '2x2'",
    ["nodes=2x65537x1"] =
        "pinion: --set nodes[1].map_slots: must be an integer in 0..65536, got 65537",
    ["failures=3:1"] =
        "pinion: failures[1].node: there is no node 1 (expected 0..0, as the cluster has)",
} do
    program.fails("--set " .. option, { "simulate", scenario, "--set", option }, 2, message)
end

-- ---- what decides about a run -------------------------------------------------------------------

local NOISY = { model = "cluster", nodes = "6x2x1", policy = "fair", quiet = true,
    params = { factor_lo = 500, heartbeat_ms = 30, locality_delay_ms = 50 },
                workload = { { submit = 0, maps = 20, reduces = 3, map_ms = 100, remote_ms = 30,
                    reduce_ms = 200, shuffle_ms = 60 },
                             { submit = 10, maps = 9, reduces = 1, map_ms = 50, remote_ms = 30,
                                 reduce_ms = 20 } } }
local noisy = pinion.run(NOISY)
check.equal("the seed", noisy.seed, 1)
check.is_true("another seed", pinion.run(with(NOISY, { seed = 2 })).digest ~= noisy.digest)
local seeded = pinion.run(with(NOISY, { params = with(NOISY.params, { seed = 2 }) }))
check.equal("the seed among the parameters", seeded.digest,
    pinion.run(with(NOISY, { seed = 2 })).digest)
check.equal("it is the result's", seeded.seed, 2)
check.equal("it is no parameter of the result", seeded.params.seed, nil)
check.equal("replica 0", pinion.run(with(NOISY, { replica = 0 })).digest, noisy.digest)
check.equal("replica 3 has a seed of its own", pinion.run(with(NOISY, { replica = 3 })).digest,
    pinion.run(with(NOISY, { seed = core.replica_seed(1, 3) })).digest)
check.is_true("which is not far away", core.replica_seed(1, 3) ~= 1
    and core.replica_seed(1, 3) < 1 << 53)
for _, name in ipairs { "factor_lo", "heartbeat_ms", "locality_delay_ms" } do
    check.is_true(name .. " matters",
        pinion.run(with(NOISY,
        { params = with(NOISY.params, { [name] = name == "factor_lo" and 1000 or 0 }) })).digest
        ~= noisy.digest)
end
check.equal("null stands for nothing",
    pinion.run(with(NOISY,
    { params = with(NOISY.params, { maps_per_heartbeat = core.null }) })).digest, noisy.digest)
check.is_true("maps_per_heartbeat matters",
    pinion.run(with(NOISY, { params = with(NOISY.params, { maps_per_heartbeat = 1 }) })).digest
    ~= noisy.digest)
check.equal("parameters of others are ignored",
    pinion.run(with(NOISY,
    { params = with(NOISY.params, { order = "FIFO", theta_ms = 5, feedback = false,
    reserve = "gt", fc_estimate = "recompute", fc_completed = "satu", pred = "keep",
    est_extra_ms = 3, dc_reduce_start = "srmax",
    starvation = false }) })).digest, noisy.digest)

local function digest(...) return program.digest("a digest", { "simulate", ... }) end
check.equal("--seed goes over the file's parameter",
    digest(program.file("seeded.json",
    (SCENARIO:gsub('"slowstart', '"seed":5,"factor_lo":500,"slowstart'))),
    "--seed", "9"), digest(scenario, "--param", "factor_lo=500", "--param", "seed=9"))
check.equal("--param seed goes over the file's seed",
    digest(program.file("seeded.json", (SCENARIO:gsub('"policy"', '"seed":5,"policy"'))),
    "--param", "factor_lo=500", "--param", "seed=9"),
        digest(scenario, "--param", "factor_lo=500", "--seed", "9"))

-- ---- runs that do not end well ------------------------------------------------------------------

local stopped = pinion.run(with(BASE, { until_time = 14 }))
check.equal("stopped: complete", stopped.complete, false)
check.equal("stopped: unfinished", stopped.unfinished, 3)
check.equal("stopped: state", stopped.jobs[1].state, "unfinished")
check.equal("stopped: what has happened", stopped.jobs[1].first_reduce_start, 10)
check.equal("stopped: what has not", stopped.jobs[1].map_finish, nil)
check.equal("stopped: nothing missed so far", stopped.jobs[1].deadline_met, nil)
for _, case in ipairs { { 26 }, { 27, false } } do -- an end at 26 ms is in time
    check.equal("stopped at " .. case[1] .. ": missed",
        pinion.run(with(BASE, { until_time = case[1] })).jobs[1].deadline_met, case[2])
    check.equal("… by max_time_ms",
        pinion.run(with(BASE, { params = with(BASE.params, { max_time_ms = case[1] }) })).jobs[
        1].deadline_met, case[2])
end
check.equal("stopped: no makespan", stopped.mean_makespan, nil)
check.equal("stopped: waiting", stopped.jobs[3].first_map_start, nil)
check.equal("as max_time_ms",
    pinion.run(with(BASE, { params = with(BASE.params, { max_time_ms = 14 }) })).digest,
    stopped.digest)
local cut = pinion.run(with(BASE, { params = with(BASE.params, { max_time_ms = 2 }) }))
check.equal("jobs beyond max_time_ms do not come", cut.submitted, 2)
check.equal("… and are unfinished", cut.unfinished, 3)
check.contains("stopped: text", tostring(stopped), "other jobs           3 unfinished\n")
check.contains("stopped: when, and by what", tostring(stopped),
    "stopped              before 14 ms (until_time)\n")
check.equal("stopped: by the parameter", cut.stopped, "before 2 ms (max_time_ms)")
check.equal("stopped: by what comes first",
    pinion.run(with(BASE,
    { until_time = 14, params = with(BASE.params, { max_time_ms = 20 }) })).stopped,
    "before 14 ms (until_time)")
check.equal("not stopped", pinion.run(with(BASE, { until_time = 1000 })).stopped, nil)
check.equal("one ms more", pinion.run(with(BASE, { until_time = 17 })).finished, 1)
check.equal("before any job",
    pinion.run(with(BASE,
    { until_time = 1, workload = { { submit = 5, maps = 1, map_ms = 1 } } })).unfinished, 1)

local dead = pinion.run(with(BASE, { failures = { { time = 5, node = 0 } } }))
check.equal("no node left: unfinished", dead.unfinished, 3)
check.equal("no node left: lost", dead.lost, 2)
check.equal("no node left: why", dead.stalled, "node")
check.equal("stopped: by nothing else", stopped.stalled, nil)
check.equal("max_time_ms: by nothing else", cut.stalled, nil)
check.equal("no node left: one with a map slot",
    pinion.run(with(BASE, { nodes = "1x1x1+1x2x0", failures = "1:0" })).stalled, "reduce slot")
check.equal("no node left: one with a reduce slot",
    pinion.run(with(BASE, { nodes = "1x1x1+1x0x1", failures = "1:0" })).stalled, "map slot")

-- Without --quiet a run says why jobs are left; of a policy that gives nothing in any case, and
-- then it has failed.
local NOTHING = program.file("nothing.lua",
    'return { name = "nothing", model = "cluster", pick = function(s, node, kind) return nil end }')
local function left(name, arguments, want_code, want)
    local _, messages,
        code = program.run(program.joined({ "simulate", scenario, "--format", "json" }, arguments))
    check.equal(name .. ": exit code", code, want_code)
    check.equal(name .. ": message", messages, want)
end
local NOTHING_GIVEN = "pinion: policy " .. NOTHING
    .. ": after time 2, stopped giving slots although slots were free: 3 jobs unfinished\n"
left("a policy that gives nothing", { "--policy", NOTHING }, 1, NOTHING_GIVEN)
left("… quietly", { "--policy", NOTHING, "--quiet" }, 1, NOTHING_GIVEN)
left("… until a time", { "--policy", NOTHING, "--until", "50" }, 0, "")
left("no node is up", { "--set", "failures=5:0" }, 0,
    "pinion: policy fifo: after time 5, no node is up: 3 jobs unfinished\n")
left("no node is up, quietly", { "--set", "failures=5:0", "--quiet" }, 0, "")
local compared, why, failed = program.run { "compare", scenario, "--policies", "fifo," .. NOTHING,
    "--format", "table" }
check.equal("compared: exit code", failed, 1)
check.equal("compared: message", why, "pinion: policy " .. NOTHING
    .. ": stopped giving slots although slots were free: jobs are unfinished\n")
check.contains("compared: the table all the same", compared, "unfinished")

local back = pinion.run(with(BASE, { failures = "5:0:100" }))
check.equal("back again", back.finished, 3)
check.equal("back again: the end", back.jobs[1].map_finish, 120)

local failing =
    pinion.run(with(BASE, { params = { attempt_fail_permille = 1000, attempts_max = 2 } }))
check.equal("all fail", failing.failed, 3)
check.equal("all fail: state", failing.jobs[1].state, "failed")
check.is_true("all fail: when", failing.jobs[1].finish ~= nil)
check.equal("all fail: no makespan", failing.jobs[1].makespan, nil)
check.contains("all fail: text", tostring(failing), "other jobs           3 failed\n")

-- Two jobs that kill each other for ever, unless a task may be killed so often only.
local LIVELOCK = { model = "cluster", nodes = "1x2x1", policy = "hsrtf-pup", quiet = true,
                   workload = { { submit = 0, maps = 1, reduces = 1, map_ms = 10000,
                       reduce_ms = 15000 },
                                { submit = 0, maps = 1, reduces = 1, map_ms = 12000,
                                    reduce_ms = 15000 } } }
check.equal("three kills at most", pinion.run(LIVELOCK).finished, 2)
check.equal("killed for ever",
    pinion.run(with(LIVELOCK, { params = { max_kills_per_task = 0, max_time_ms = 600000 } })).kills,
    58)
check.raises("killed for ever and ever", "policy hsrtf-pup: the last 1000000 attempts up to time ",
    pinion.run,
    with(LIVELOCK, { params = { max_kills_per_task = 0 } }))

-- ---- warm-up, rows, room ------------------------------------------------------------------------

local MANY = with(NOISY, { workload = "facebook,jobs=300", nodes = "20x2x1" })
local many = pinion.run(MANY)
for _, warmup in ipairs { 50, "20000ms" } do
    local warm = pinion.run(with(MANY, { warmup = warmup }))
    local sum, count = 0, 0
    for id, job in pairs(many.jobs) do
        if warmup == 50 and id > 50 or warmup ~= 50 and job.submit >= 20000 then
            sum, count = sum + job.makespan, count + 1
        end
    end
    check.equal("warm-up: measured", warm.measured, count)
    check.is_true("warm-up: mean", math.abs(warm.mean_makespan - sum / count) < 1e-6 * sum)
    check.equal("warm-up: digest", warm.digest, many.digest)
    check.equal("warm-up: totals", warm.total_makespan, many.total_makespan)
end
local bare = pinion.run(with(MANY, { keep_jobs = false }))
check.equal("without rows", bare.jobs, nil)
check.equal("without rows: the mean", bare.mean_waiting_time, many.mean_waiting_time)
check.is_true("without rows: a quantile",
    math.abs(bare:quantile("execution_time", 0.9) / many:quantile("execution_time",
    0.9) - 1) < 0.01)

-- Ctrl-C: what there is so far, with a row for each job that has come.
local out = program.file "interrupted"
local _, _, code =
    os.execute(string.format(
    "timeout --foreground --preserve-status -s INT 2 '%s' simulate --model cluster --workload "
    .. "facebook,jobs=1000000,bins=6 --set nodes=40x4x2 --policy hsrtf-pr --format json >%s "
        .. "2>%s.err", program.path, out, out))
check.equal("interrupted: exit code", code, 130)
check.matches("interrupted: message", check.read_file(out .. ".err"),
    "pinion: interrupted: %d+ jobs finished with policy hsrtf%-pr\n$")
local partial = core.json_decode(check.read_file(out), out)
check.equal("interrupted: says so", partial.interrupted, true)
check.equal("interrupted: rows", #partial.jobs, partial.submitted)
local finished = 0
for _, job in ipairs(partial.jobs) do finished = finished + (job.state == "finished" and 1 or 0) end
check.equal("interrupted: finished jobs", finished, partial.finished)
check.is_true("interrupted: unfinished", partial.unfinished == 1000000 - partial.finished
    and partial.finished > 0)

-- More at once than there is room for at first: jobs, tasks, replicas and lists, each alone and all
-- together.
local function crowd(name, count, slots, job)
    local list = {}
    for i = 1, count do list[i] = string.format('{"submit":%d,%s}', i // 100, job) end
    local output, messages,
        code = program.run({ "simulate", "-", "--policy", "fifo", "--no-jobs", "--format", "json" },
        string.format(
            '{"model":"cluster","nodes":[{"count":50,"map_slots":%d,"reduce_slots":50}],'
            .. '"jobs":[%s]}', slots, table.concat(list, ",")))
    check.equal(name .. ": exit code " .. messages, code, 0)
    check.equal(name .. ": all finished", core.json_decode(output, "").finished, count)
    return messages
end
check.contains("jobs", crowd("jobs", 9000, 1, '"maps":1,"map_ms":9'),
    "more than 4096 jobs in the system: starting again with room for 8192")
local tasks = crowd("tasks", 4, 50, '"maps":1,"map_ms":9,"reduces":150000')
check.contains("tasks", tasks,
    "more than 262144 tasks in the system: starting again with room for 524288")
check.is_true("tasks only", not tasks:find "replicas" and not tasks:find " jobs in")
check.contains("replicas", crowd("replicas", 20, 50, '"maps":10000,"map_ms":9'),
    "more than 262144 replicas of inputs in the system: starting again")
local lists = crowd("lists", 100, 50, '"maps":3000,"map_times":[' .. string.rep("9,", 2999) .. "9]")
check.contains("lists", lists,
    "more than 262144 numbers in lists of jobs in the system: starting again with room for 524288")

-- ---- the binding --------------------------------------------------------------------------------

local ONE <const> = { { submit = 0, maps = 1, map_ms = 5 } }
local function ask(jobs, change)
    return core.cluster_run(with({ workload = core.workload_cluster_table(jobs), policy = "fifo",
        quiet = true, rules = {},
        nodes = { { count = 1, map_slots = 1, reduce_slots = 1, speed = 1000 } } }, change))
end
check.equal("the binding runs", ask(ONE).finished, 1)
check.equal("no job is no work", ask({}).finished, 0)
local REFUSED <const> = "params.max_kills_per_task: is none of the values of this parameter: -1"
for name, case in next, {
    ["a group"] = { "usage", "job 1, submit 0: its group is out of range",
        { { submit = 0, maps = 1, map_ms = 5, group = 3 } }, { groups = 2 } },
    ["a job without its slots"] = { "usage", "job 1, submit 0: a number is out of range, a block "
        .. "lies on a node that does not exist or twice on one, or it has reduces and the cluster "
        .. "no slot for them", { { submit = 0, maps = 1, map_ms = 5, reduces = 1 } },
        { nodes = { { count = 1, map_slots = 1, reduce_slots = 0, speed = 1000 } } } },
    ["a rule"] = { "usage", REFUSED, ONE, { rules = { max_kills_per_task = -1 } } },
    ["a time"] = { "run", "after time 9007199254740989: a time or a total would pass 2^53",
        { { submit = (1 << 53) - 3, maps = 1, map_ms = 5 } } },
    ["a failure of no node"] = { "run", "the kernel refuses the configuration with PN_ERR_ARGUMENT",
        ONE, { failures = { { time = 1, node = 9, recover = 2 } } } },
} do
    local got, kind, message = ask(case[3], case[4])
    check.equal("no result of " .. name, got, nil)
    check.equal("kind of " .. name, kind, case[1])
    check.equal("message of " .. name, message, case[2])
end
check.equal("a rule in a hash", select(2, core.cluster_scenario_hash {
    workload = core.workload_cluster_table(ONE), policy = "fifo",
    nodes = { { count = 1, map_slots = 1, reduce_slots = 1, speed = 1000 } },
    rules = { max_kills_per_task = -1 } }), REFUSED)

-- A run that is to end at a time: the policy fails before a job comes, and before the end when one
-- is still to come behind it.
local FAILING <const> = pinion.policy [[return { name = "late", model = "cluster",
  pick = function(s, node, kind)
    if s:now() >= 50 then error "too late" end
    return s:first(kind)
  end }]]
for _, ends in ipairs { 500, 90 } do
    check.raises("a policy that fails before " .. ends, "time 50: too late", pinion.run,
        { model = "cluster", nodes = "1x1x0", policy = FAILING, quiet = true, until_time = ends,
            workload = { { submit = 0, maps = 2, map_ms = 50 },
                { submit = 100, maps = 1, map_ms = 5 } } })
end

-- A job that leaves may limit those that stay.
local function limited(limit)
    return pinion.run { model = "cluster", nodes = "1x2x0", quiet = true, workload = {
        { submit = 0, maps = 1, map_ms = 10 }, { submit = 1, maps = 4, map_ms = 100 } },
        policy = pinion.policy([[return { name = "limits", model = "cluster",
          key = { changes = "arrival", of = function(s, job) return job end },
          leave = function(s, job)
            for other in s:jobs() do if other ~= job then ]] .. limit .. [[ end end
          end }]]) }.jobs[2].finish
end
check.equal("two maps at once", limited "", 210)
check.equal("one at a time from then on", limited "s:limit(other, 'map', 1)", 401)

-- No node will ever be up again: the run ends where nothing happens any more.
local stalled = pinion.run { model = "cluster", nodes = "1x1x0", policy = "fifo", quiet = true,
    workload = { { submit = 0, maps = 2, map_ms = 10 } }, failures = "5:0", timeline = 3 }
check.equal("nothing finishes", stalled.finished, 0)
check.equal("its timeline ends with the failure", stalled:timeline().to, 6.0)

-- Weights of jobs count without rows.
local weighted = { model = "cluster", nodes = "1x1x0", policy = "fifo", quiet = true,
    attributes = { weight = 1 }, workload = { { submit = 0, maps = 1, map_ms = 10 },
    { submit = 0, maps = 1, map_ms = 10, weight = 3 } } }
check.equal("a mean by weight", pinion.run(weighted).weighted_mean_makespan, (10 + 3 * 20) / 4)
local rowless = pinion.run(with(weighted, { keep_jobs = false }))
check.equal("without rows", rowless.weighted_mean_makespan, (10 + 3 * 20) / 4)

-- Slots that are recorded with each job limit how many there is room for at first.
check.contains("few jobs with many slots", select(2, program.run({ "simulate", "--model", "cluster",
    "--workload", "rtmr:I,jobs=40,gap_ms=0", "--policy", "rtmr", "--no-jobs", "--set",
    "nodes=1000x400x30" })), "more than 16 jobs in the system: starting again with room for 32")

check.done()
