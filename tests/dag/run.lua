-- Runs of the dag model through the library and the program: results in all forms, settings and
-- what is wrong with them.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"
local pinion = require "pinion"

local with = check.with

-- ---- a run by hand ------------------------------------------------------------------------------

-- One node with 2 cores and 4 of memory. Job 1: two tasks 0-10, then 10-15 and 10-17, which leave
-- nothing to job 2 before 15: 15-19. Its area of the cores is 32, so that alone it is bound by its
-- path, 10 + 7.
local JOBS = {
    { arrival = 0, group = "a", name = "first", deadline = 17, queue = "prod", stages = {
        { tasks = 2, duration = 10, demand = { 1, 1 } },
        { durations = { 5, 7 }, demand = { 1, 2 }, parents = { 0 } } } },
    { arrival = 1, group = "b", deadline = 5, queue = "dev",
        stages = { { tasks = 1, duration = 4, demand = { 1, 1 } } } },
}
local BASE = { model = "dag", policy = "fifo", resources = { "cpu", "memory" },
    nodes = { { capacity = { 2, 4 } } }, workload = JOBS, quiet = true }
local result = pinion.run(BASE)
for id, want in ipairs {
    { id = 1, state = "finished", arrival = 0, first_start = 0, finish = 17, jct = 17, waiting = 0,
        alone = 17, slowdown_permille = 1000, deadline = 17, deadline_met = true, kills = 0,
        lost = 0, name = "first", group = "a" },
    { id = 2, state = "finished", arrival = 1, first_start = 15, finish = 19, jct = 18,
        waiting = 14, alone = 4, slowdown_permille = 4500, deadline = 5, deadline_met = false,
        group = "b" },
} do
    for name, value in next, want do
        check.equal(name .. " of job " .. id, result.jobs[id][name], value)
    end
end
local stages = result.jobs[1].stages
for s, want in ipairs { { 0, 0, 10 }, { 10, 10, 17 } } do
    check.equal("a stage is ready", stages[s].ready, want[1])
    check.equal("a stage starts", stages[s].start, want[2])
    check.equal("a stage is finished", stages[s].finish, want[3])
end
for name, want in next, {
    nodes = 1, total_jct = 35, mean_jct = 17.5, mean_waiting = 7.0, mean_slowdown_permille = 2750.0,
    jain_permille = 711, utilisation = 0.947, in_time = 0.5, kills = 0, lost_attempts = 0,
    unfinished = 0, makespan = 19, bound_total_jct = 21, lower_bound = 21, bound_makespan = 18,
    relative_jct = 35 / 21, slowdown_sum_permille = 5500, launches = 5, seed = 1, complete = true,
} do
    check.equal(name, result[name], want)
end
for name, want in next, { used = "36 48", lost = "0 0", utilisation_permille = "947 631",
        resources = "cpu memory", capacity = "2 4" } do
    check.equal(name, table.concat(result[name], " "), want)
end
check.equal("queues, as the jobs name them", result.queues[1].name .. " " .. result.queues[2].name,
    "prod dev")
check.equal("of a queue", result.queues[2].total_jct, 18)
check.equal("the median", result:quantile("jct", 0.5), 17)
check.equal("groups", result.groups[2].slowdown_permille.mean, 4500.0)
check.equal("in time, of a group", result.groups[1].in_time, 1.0)

local text = tostring(result)
for _, line in ipairs {
    "fifo on 1 node with cpu 2, memory 4, table\n", "jobs finished             2 of 2\n",
    "mean completion time      17.5 ms (sd 0.7 ms)\n", "mean slowdown             2.75 (sd 2.47)\n",
    "in time                   50.0 % of the jobs with a deadline\n",
    "fairness                  0.711 (Jain's index of the slowdowns)\n",
    "utilisation               94.7 % of cpu, 63.1 % of memory\n",
    "makespan at least         18 ms\n", "queue dev                 1 of 1 job finished, mean ",
    "relative completion time  1.667 (total 35 ms / lower bound 21 ms)\n",
    "a         1     17 ms  17 ms  17 ms  17 ms  17 ms  17 ms\n",
} do
    check.contains("text", text, line)
end

-- ---- the program --------------------------------------------------------------------------------

local SCENARIO = [[{"model":"dag","policy":"fifo","name":"by hand","resources":["cpu","memory"],
 "nodes":[{"capacity":[2,4]}],"jobs":[
 {"arrival":1,"group":"b","deadline":5,"queue":"dev",
  "stages":[{"tasks":1,"duration":4,"demand":[1,1]}]},
 {"arrival":0,"group":"a","name":"first","deadline":17,"queue":"prod","stages":[
  {"tasks":2,"duration":10,"demand":[1,1]},
  {"durations":[5,7],"demand":[1,2],"parents":[0],"name":"last"}]}]}]]
local scenario = program.file("s.json", SCENARIO)
local json = program.succeed("json", { "simulate", scenario, "--format", "json" })
local object = core.json_decode(json, "json")
check.equal("the digest of the file", object.digest, result.digest)
check.equal("the name of the file", object.name, "by hand")
for _, name in ipairs { "mean_jct", "bound_total_jct", "bound_makespan", "jain_permille",
    "makespan", "launches", "utilisation" } do
    check.equal("json: " .. name, object[name], result[name])
end
for _, part in ipairs {
    '{"id": 1, "name": "first", "group": "a", "state": "finished", "arrival": 0, "first_start": 0, '
        .. '"finish": 17, "jct": 17, "waiting": 0, "alone": 17, "slowdown_permille": 1000, '
        .. '"deadline": 17, "deadline_met": true, "kills": 0, "lost": 0, "stages": [{"ready": 0, '
        .. '"start": 0, "finish": 10}, {"ready": 10, "start": 10, "finish": 17}]}',
    '"used": [36, 48]', '"utilisation_permille": [947, 631]',
    '{"name": "dev", "jobs": 1, "finished": 1, "total_jct": 18, "used": [4, 4]}',
} do
    check.contains("json", json, part)
end
local rows = program.succeed("csv", { "simulate", scenario, "--format", "csv", "--jobs-detail" })
check.equal("csv of jobs", rows,
    "policy,id,state,arrival,first_start,finish,jct,waiting,alone,slowdown_permille,deadline,"
    .. "deadline_met,kills,lost,name,group\n"
    .. "fifo,1,finished,0,0,17,17,0,17,1000,17,true,0,0,first,a\n"
    .. "fifo,2,finished,1,15,19,18,14,4,4500,5,false,0,0,,b\n")
check.contains("csv of results",
    program.succeed("csv", { "simulate", scenario, "--format", "csv" }), ",36 48,0 0,947 631,5,1,")
check.contains("rows in a table",
    program.succeed("detail", { "simulate", scenario, "--format", "table", "--jobs-detail" }),
    "  2  finished        1           15      19   18       14      4               4500         5"
    .. "            no      0     0         b\n")

-- ---- settings -----------------------------------------------------------------------------------

check.equal("text for lists", pinion.run(with(BASE, { resources = "cpu+memory", nodes = "1x2/4",
    queues = "prod+dev" })).digest, result.digest)
local queued = pinion.run(with(BASE,
    { policy = "capacity", queues = "prod:1:500:500+dev:2:500" }))
check.equal("a maximum", queued.jobs[1].stages[1].finish, 20)
check.is_true("the seed is the scenario's own", pinion.run(with(BASE,
    { params = { seed = 7, factor_lo = 500, factor_hi = 1500 } })).digest == pinion.run(with(BASE,
    { seed = 7, params = { factor_lo = 500, factor_hi = 1500 } })).digest)
local stopped = pinion.run(with(BASE, { until_time = 12 }))
check.equal("stopped", stopped.stopped, "before 12 ms (until_time)")
check.equal("… with a stage that has begun", stopped.jobs[1].stages[2].start, 10)
check.equal("… and not ended", stopped.jobs[1].stages[2].finish, nil)
check.equal("… without a bound of its own", stopped.jobs[1].alone, nil)
stopped = pinion.run(with(BASE, { params = { max_time_ms = 1 } }))
check.equal("jobs that come too late count", stopped.queues[2].jobs, 1)
check.equal("… have rows", stopped.jobs[2].alone, 4)
check.equal("… and bounds", stopped.bound_total_jct, 21)
stopped = pinion.run(with(BASE, { failures = "11:0" }))
check.equal("why jobs are left", stopped.stalled, "node")
check.equal("attempts that are lost", stopped.lost_attempts, 2)
stopped = pinion.run(with(BASE, { policy = "capacity", queues = "prod:1:0:1+dev" }))
check.equal("why others are left", stopped.stalled, "node with room")

for _, case in ipairs {
    { { nodes = { { capacity = { 2 } } } },
        "nodes[1].capacity: has 1 value (expected one for each of cpu, memory)" },
    { { nodes = "1x2/0" }, "nodes: no node has 'memory'" },
    { { nodes = "2y3" }, "nodes: must be an array of { count, capacity, speed }" },
    { { resources = {} }, "resources: must be an array of 1 to 4 names" },
    { { queues = "prod" }, "workload[2].queue: there is no queue 'dev' (expected one of the" },
    { { queues = "prod:1:900+dev:1:101" },
        "queues: must guarantee at most 1000 permille together, got 1001" },
    { { failures = "5:1" }, "failures[1].node: there is no node 1 (expected 0..0" },
    { { params = { est_lo = 2000 } },
        "params.est_lo: must be <= est_hi, which is 1000 by default, got 2000" },
    { { error = "uniform(1,2)" }, "error: policies of the dag model see estimates; set their "
        .. "error" },
} do
    check.raises(case[2], case[2], pinion.run, with(BASE, case[1]))
end

-- ---- room ---------------------------------------------------------------------------------------

-- Jobs of 1 ms that are taken to last a quarter of an hour: the cluster is empty most of the time,
-- and none of them ends in the virtual cluster before the last one comes.
local over = program.file("over.lua", [[
return { name = "over", model = "dag", generate = function(g)
    for i = 1, 2500 do
      g:job { arrival = 2 * i,
        stages = { { tasks = 1, duration = 1, estimate = 1000000, demand = { 1 } } } }
    end
  end }]])
local output, messages, code = program.run { "simulate", "--workload", over, "--set", "nodes=1x1",
    "--policy", "hfsp", "--no-jobs", "--format", "json" }
check.equal("overestimates: exit code " .. messages, code, 0)
check.equal("the virtual cluster grows", core.json_decode(output, "").total_jct, 2500)
for _, room in ipairs { 1024, 2048 } do
    check.contains("… and says so", messages, string.format("pinion: more than %d jobs, for the "
        .. "virtual cluster, in the system: starting again with room for %d\n", room, 2 * room))
end

-- Jobs of a thousand demands each, all different: the last one adds more of them than are left. The
-- first one takes the node, so that nothing else is looked at.
local jobs = { '{"arrival":0,"stages":[{"tasks":1,"duration":9,"demand":[70000]}]}' }
for first = 0, 65000, 1000 do
    local list = {}
    for i = 1, 1000 do
        list[i] = string.format('{"tasks":1,"duration":1,"demand":[%d]}', first + i)
    end
    jobs[#jobs + 1] = string.format('{"arrival":0,"stages":[%s]}', table.concat(list, ","))
end
output, messages, code = program.run({ "simulate", "-", "--policy", "fifo", "--until", "5",
    "--no-jobs", "--format", "json" }, string.format('{"model":"dag","nodes":"1x70000",'
    .. '"params":{"backfill":false},"jobs":[%s]}', table.concat(jobs, ",")))
check.equal("demands: exit code", code, 0)
check.equal("the demands have room", core.json_decode(output, "").unfinished, 67)
check.equal("… and only they", messages, "pinion: more than 65536 pairs of queue and demand in the "
    .. "system: starting again with room for 131072\n")

-- ---- what is wrong ------------------------------------------------------------------------------

-- What is wrong with a job, with its place.
local function refused(field, value, message)
    local stage = { tasks = 1, duration = 1, demand = { 1, 1 }, [field] = value }
    local jobs = { JOBS[1], { arrival = 0, queue = "prod", stages = { JOBS[2].stages[1], stage } } }
    check.raises(message, "workload[2].stages[1]" .. message, pinion.run, with(BASE,
        { workload = jobs }))
end
refused("tasks", 0, ".tasks: must be an integer in 1..1048576, got 0")
refused("demand", { 1 }, ".demand: has 1 value (expected 2, as the first one has)")
refused("demand", { 3, 1 }, ".demand: is more than any node has")
refused("demand", { 0, 0 }, ".demand: ")
refused("parents", { 2 }, ".parents[1]: must be an integer in 0..1, got 2")
refused("parents", { 1 }, ".parents[1]: is the stage itself")
refused("parents", { 0, 0 }, ".parents[2]: names stage 0 again")
refused("durations", { 1 }, ".durations: cannot be given together with tasks")
refused("job", 1, ".job: unknown field")
refused("estimate", 0, ".estimate: must be an integer in 1..1099511627776, got 0")
check.raises("a cycle", "workload[1].stages: their parents form a cycle", pinion.run, with(BASE,
    { workload = { { arrival = 0, stages = {
        { tasks = 1, duration = 1, demand = { 1, 1 }, parents = { 1 } },
        { tasks = 1, duration = 1, demand = { 1, 1 }, parents = { 0 } } } } } }))

-- ---- metrics, warm-up ---------------------------------------------------------------------------

local measured = pinion.run(with(BASE, { metrics = { "slowdown", "deadlines_met",
    stages_of = function(job) return #job.stages end } }))
check.equal("slowdown", measured.mean_slowdown, (1 + 4.5) / 2)
check.equal("deadlines met", measured.mean_deadlines_met, 0.5)
check.equal("a metric of the stages", measured.mean_stages_of, 1.5)
local warm = pinion.run(with(BASE, { warmup = 1 }))
check.equal("jobs behind the warm-up", warm.measured, 1)
check.equal("their mean", warm.mean_jct, 18.0)
check.equal("totals are of all", warm.total_jct, 35)

-- ---- policies of one's own, sums that are large -------------------------------------------------

-- Places are scored with what other stages are, too: the same as when their jobs came.
local SUMS <const> = pinion.policy [[return { name = "sums", model = "dag", state = { "tasks" },
  arrive = function(s, job)
    for i = 0, s:stages(job) - 1 do s.state.tasks = s.state.tasks + s:tasks(job, i) * (i + 1) end
  end,
  score = function(s, job, stage, node)
    local sum = 0
    for other = 1, 2 do
      for i = 0, s:stages(other) - 1 do sum = sum + s:tasks(other, i) * (i + 1) end
    end
    if sum ~= s.state.tasks then error("they are " .. sum) end
    return node
  end }]]
local TWO <const> = { { duration = 10, tasks = 2, demand = { 1 } },
    { duration = 20, tasks = 3, demand = { 1 }, parents = { 0 } } }
local PAIR <const> = { { arrival = 0, stages = TWO }, { arrival = 0, stages = TWO } }
check.equal("scores by all stages", pinion.run { model = "dag", policy = SUMS, nodes = "2x9",
    workload = PAIR, quiet = true }.finished, 2)
-- A score may ask about a stage that is not the one to be placed.
local function scored(score)
    return pinion.run { model = "dag", nodes = "2x9", workload = PAIR, quiet = true,
        policy = pinion.policy('return { name = "scored", model = "dag", '
            .. "score = function(s, job, stage, node) return " .. score .. " end }") }.digest
end
for _, stage in ipairs { "0", "stage" } do
    check.equal("scores by stage " .. stage, scored("s:demand(job, " .. stage .. ", 1) * node"),
        scored "node")
end

-- A run that is to end at a time: the policy fails before a job comes, and before the end when one
-- is still to come behind it.
local FAILING <const> = pinion.policy [[return { name = "late", model = "dag",
  score = function(s) if s:now() >= 50 then error "too late" end return 1 end }]]
local LATER <const> = { { duration = 50, tasks = 2, demand = { 1 } } }
for _, ends in ipairs { 500, 90 } do
    check.raises("a policy that fails before " .. ends, "time 50: too late", pinion.run,
        { model = "dag", nodes = "1x1", policy = FAILING, quiet = true, until_time = ends,
            workload = { { arrival = 0, stages = LATER }, { arrival = 100, stages = LATER } } })
end

-- Jobs that come when the scenario has ended are looked at, too.
local function ended(demand)
    local jobs = {}
    for i, size in ipairs { 1, 1, demand } do
        jobs[i] = { arrival = 100 * (i - 1), queue = "default",
            stages = { { tasks = 1, duration = 1, demand = { size } } } }
    end
    return core.dag_run { workload = core.workload_dag_table(jobs, 1), policy = "fifo",
        quiet = true, resources = 1, resource_names = "[\"slots\"]", rules = { max_time_ms = 50 },
        nodes = { { count = 1, capacity = { 1 }, speed = 1000 } },
        queues = { { name = "default", weight = 1 } } }
end
check.equal("jobs behind the end", ended(1).unfinished, 2)
check.equal("one that is none", select(3, ended(0)),
    "job 3, stage 0: demand: 0..2^40 of each resource, not all 0, nothing of others")

-- Of any job in the system, or the number of one, a score may ask.
check.equal("scores by all jobs", scored [[(function()
    for other in s:jobs() do if s:tasks(other, 0) ~= 2 then error "they are two" end end
    return node end)()]], scored "node")
for _, body in ipairs { "local sum = 0 for other in s:jobs() do sum = sum + s:tasks(other, 0) end "
    .. "return node * sum // sum", "return node * s:tasks(1, stage) // s:tasks(1, stage)" } do
    check.equal(body, pinion.run { model = "dag", nodes = "2x9", quiet = true,
        workload = { PAIR[1] }, policy = pinion.policy('return { name = "scored", model = "dag", '
            .. "score = function(s, job, stage, node) " .. body .. " end }") }.digest,
        pinion.run { model = "dag", nodes = "2x9", quiet = true, workload = { PAIR[1] },
            policy = pinion.policy('return { name = "scored", model = "dag", '
                .. "score = function(s, job, stage, node) return node end }") }.digest)
end

-- Sums of more than 2^63 and 2^64 ms are the nearest floats.
local FOREVER <const> = { { duration = 1 << 32, tasks = 1, demand = { 1 } } }
for _, count in ipairs { 10, 70000, 100000 } do
    local total = pinion.run { model = "dag", nodes = "1x1", policy = "fifo", quiet = true,
        keep_jobs = false, bounds = "none", workload = { model = "dag", generate = function(g)
            for _ = 1, count do g:job { arrival = 0, stages = FOREVER } end
        end } }.total_jct
    check.is_true("a sum of " .. count, total == count * (count + 1) // 2 * 2.0 ^ 32)
    check.equal("its kind", math.type(total), count == 10 and "integer" or "float")
end

check.done()
