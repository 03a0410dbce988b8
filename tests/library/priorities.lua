-- Weights and priorities of jobs in the cluster and the dag model (CL41, DG32): what built-in
-- policies make of them, where attributes have their names, and what is no such number.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"
local program = require "program"

-- ---- the cluster model --------------------------------------------------------------------------

local function cluster(policy, jobs, slots, more)
    local settings = { model = "cluster", policy = policy, quiet = true, workload = jobs,
        nodes = { { map_slots = slots, reduce_slots = 1 } } }
    for name, value in pairs(more or {}) do settings[name] = value end
    return pinion.run(settings)
end

local function finishes(result)
    local times = {}
    for i, job in ipairs(result.jobs) do times[i] = job.finish end
    return table.concat(times, " ")
end

local function equal_jobs(...)
    local jobs = {}
    for i, priority in ipairs { ... } do
        jobs[i] = { submit = 0, maps = 2, map_ms = 1000, deadline = 100000,
            priority = priority ~= 0 and priority or nil }
    end
    return jobs
end

for _, policy in ipairs { "fifo", "fair", "hsrtf-pu", "hsrtf-pup" } do
    check.equal(policy .. ": the highest priority first",
        finishes(cluster(policy, equal_jobs(0, 5, -1), 1)), "4000 2000 6000")
    check.equal(policy .. ": the order of submission decides between equal ones",
        finishes(cluster(policy, equal_jobs(7, 1000000, 7), 1)), "4000 2000 6000")
end
for _, policy in ipairs { "rtmr", "rtmr-live", "dc" } do
    check.equal(policy .. ": who promises knows no priorities",
        cluster(policy, equal_jobs(0, 5, -1), 2).digest,
        cluster(policy, equal_jobs(0, 0, 0), 2).digest)
end

-- A job that comes later takes the slots of one that is shorter, or not.
local function later(priority)
    return cluster("hsrtf-pup", { { submit = 0, maps = 2, map_ms = 10000 },
        { submit = 2000, maps = 4, map_ms = 10000, priority = priority } }, 2)
end
check.equal("priorities kill", later(1).kills > 0, true)
check.equal("… and equal ones do not for a longer job", later(nil).kills, 0)

-- Two of three slots for twice the weight.
local function weighed(policy, slots, first, second, more)
    return finishes(cluster(policy, { { submit = 0, maps = 20, map_ms = 1000, weight = first },
        { submit = 0, maps = 20, map_ms = 1000, weight = second } }, slots, more))
end
check.equal("fair: twice as many slots", weighed("fair", 3, 2, nil), "10000 14000")
check.equal("fair: the same to the other job", weighed("fair", 3, 1, 2), "14000 10000")
-- The one who has slots has no deficit: one more beat until the other one gets its second.
check.equal("fair, by deficit", weighed("fair", 3, 1, 2, { params = { fair_mode = "deficit" } }),
    "14000 11000")
local plain = { params = { starvation = false } }
check.equal("hsrtf-pr: four shares of five", weighed("hsrtf-pr", 10, 4, 1, plain), "3000 4000")
check.equal("… and one of two", weighed("hsrtf-pr", 10, 1, 1, plain), "4000 4000")

-- ---- attributes of the same names ---------------------------------------------------------------

check.equal("an attribute is no priority",
    finishes(cluster("fifo", equal_jobs(0, 5, -1), 1, { attributes = { priority = 0 } })),
    "2000 4000 6000")
check.equal("a policy sees both", cluster(pinion.policy [[return { name = "both", model = "cluster",
    key = { changes = "arrival", of = function(s, job)
        return -s:priority(job) - s:weight(job) - s:attribute(job, "mine")
    end } }]], { { submit = 0, maps = 1, map_ms = 1000, weight = 2 },
    { submit = 0, maps = 1, map_ms = 1000, priority = 3 },
    { submit = 0, maps = 1, map_ms = 1000, mine = 9 } }, 1, { attributes = { mine = 0 } })
    .jobs[2].finish, 2000)

-- ---- the dag model ------------------------------------------------------------------------------

local function graphs(priorities, queues)
    local jobs = {}
    for i, priority in ipairs(priorities) do
        jobs[i] = { arrival = 0, priority = priority, queue = queues and queues[i],
            stages = { { demand = { 1 }, tasks = 2, duration = 1000 } } }
    end
    return jobs
end

local function dag(policy, jobs, more)
    local settings = { model = "dag", policy = policy, quiet = true, workload = jobs,
        resources = { "cpu" }, nodes = { { capacity = { 1 } } } }
    for name, value in pairs(more or {}) do settings[name] = value end
    return pinion.run(settings)
end

for _, policy in ipairs { "fifo", "fair", "drf", "sjf-cp", "cp", "srpt", "wfair", "hfsp", "las" } do
    check.equal("dag, " .. policy .. ": the highest priority first",
        finishes(dag(policy, graphs { 0, 5, -1 })), "4000 2000 6000")
end
check.equal("tetris orders no jobs", dag("tetris", graphs { 0, 5, -1 }).digest,
    dag("tetris", graphs { 0, 0, 0 }).digest)
local queues = { queues = { { name = "a", guaranteed = 900 }, { name = "b", guaranteed = 100 } } }
check.equal("capacity: within the queue",
    finishes(dag("capacity", graphs({ -9, 5, 9 }, { "a", "a", "b" }), queues)),
    finishes(dag("capacity", graphs({ 0, 1, 0 }, { "a", "a", "b" }), queues)))
check.is_true("… and there it counts",
    finishes(dag("capacity", graphs({ 0, 1, 0 }, { "a", "a", "b" }), queues))
    ~= finishes(dag("capacity", graphs({ 0, 0, 0 }, { "a", "a", "b" }), queues)))

-- ---- scenario files -----------------------------------------------------------------------------

local CLUSTER = '{"model":"cluster","policy":"fifo","nodes":[{"map_slots":1,"reduce_slots":0}],\n'
    .. '"jobs":[{"submit":0,"maps":1,"map_ms":5},\n{"submit":0,"maps":1,"map_ms":5%s}]}\n'
local DAG = '{"model":"dag","policy":"fifo","resources":["cpu"],"nodes":[{"capacity":[1]}],\n'
    .. '"jobs":[{"arrival":0,"stages":[{"demand":[1],"tasks":1,"duration":5}]},\n'
    .. '{"arrival":0%s,"stages":[{"demand":[1],"tasks":1,"duration":5}]}]}\n'
local WEIGHT = "must be an integer in 1..1000000"
local PRIORITY = "must be an integer in -1000000..1000000"
for _, case in ipairs {
    { CLUSTER, ',"priority":1.5', "priority", PRIORITY },
    { CLUSTER, ',"priority":"high"', "priority", PRIORITY },
    { CLUSTER, ',"priority":1000001', "priority", PRIORITY },
    { CLUSTER, ',"priority":-1000001', "priority", PRIORITY },
    { CLUSTER, ',"weight":0', "weight", WEIGHT .. ", got 0 (leave it out for a weight of 1)" },
    { CLUSTER, ',"weight":1000001', "weight", WEIGHT },
    { DAG, ',"priority":0.5', "priority", PRIORITY },
    { DAG, ',"priority":1000001', "priority", PRIORITY },
} do
    local path = program.file("wrong.json", case[1]:format(case[2]))
    local _, message, code = program.run { "simulate", path, "--quiet" }
    check.equal(case[2] .. " is refused", code, 2)
    check.contains(case[2] .. ": where and why", message,
        path .. ": jobs[2]." .. case[3] .. ": " .. case[4])
end

-- A log belongs to the scenario with these priorities; without any, hashes are as they were.
for model, text in pairs { cluster = CLUSTER, dag = DAG } do
    local ranked = program.file(model .. ".json", text:format ',"priority":3')
    local plain = program.file(model .. "_plain.json", text:format "")
    local zero = program.file(model .. "_zero.json", text:format ',"priority":0')
    local log = program.file(model .. ".log")
    program.succeed(model .. ": a run", { "simulate", ranked, "--log", log, "--quiet" })
    check.contains(model .. ": verified", program.succeed(model, { "verify", ranked, log }), "ok")
    local _, message = program.run { "verify", plain, log }
    check.contains(model .. ": of another scenario", message, "scenario")
    program.succeed(model .. ": a plain run", { "simulate", plain, "--log", log, "--quiet" })
    check.contains(model .. ": 0 is none", program.succeed(model, { "verify", zero, log }), "ok")
    local listed = program.succeed(model .. ": listed", { "workload", ranked, "--jobs",
        "--format", "json" })
    check.contains(model .. ": written as it is read", listed, '"priority": 3')
end
local _, message, code = program.run { "workload", program.file "cluster.json", "--jobs",
    "--format", "csv" }
check.equal("csv files have none", code, 2)
check.contains("… which is said", message, "job 2 has a priority, and in csv files that is an "
    .. "attribute (expected --format json)")

check.done()
