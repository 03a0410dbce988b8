-- Why jobs took their time: phases lie end to end and make up the whole time of every job of random
-- runs of all models; small examples by hand; instants; what cannot be explained.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local explain = require "pinion.output.explain"
local log_of = require "pinion.output.log"
local pinion = require "pinion"
local program = require "program"
local single = require "pinion.run.single"
local workload = require "pinion.workload"

local function decoded(name, arguments)
    return assert(core.json_decode(program.succeed(name, arguments), name))
end

-- "waiting for a map slot 0-4, mapping 4-9": the phases in a line.
local function line_of(made)
    local parts = {}
    for i, phase in ipairs(made.phases) do
        parts[i] = string.format("%s %s-%s", phase.phase, phase.from, phase.to)
    end
    return table.concat(parts, ", ")
end

-- ---- by hand ------------------------------------------------------------------------------------

-- Two machines, first in, first out. Job 1 maps in slots 1 and 2, and reduces for three slots on
-- one machine; job 2 maps beside it. Job 3 gets its machine in slot 5.
local slotted = pinion.run { machines = 2, policy = "fifo", quiet = true, workload = {
    { arrival = 1, maps = 4, reduces = { 3 } }, { arrival = 1, maps = 3, reduces = {} },
    { arrival = 2, maps = 1, reduces = { 1 } } } }
check.equal("a job that runs at once", line_of(slotted:explain(1)), "mapping 1-3, reducing 3-6")
check.equal("one that waits", line_of(slotted:explain(2)),
    "waiting for machines to map 1-3, mapping 3-6")
local third = slotted:explain(3)
check.equal("one that comes last", line_of(third),
    "waiting for machines to map 2-6, mapping 6-7, reducing 7-8")
check.equal("who held the machines", string.format("%d %.3f, %d %.3f", third.phases[1].held[1].job,
    third.phases[1].held[1].share, third.phases[1].held[2].job, third.phases[1].held[2].share),
    "1 0.625, 2 0.375")
check.equal("all of them, all the time", third.phases[1].nobody, 0.0)
check.equal("it would have run at once", third.phases[1].first_chance.time, 2)
check.contains("as text", tostring(third),
    "job 3, policy fifo: finished after 6 slots, arrival in slot 2\n")
check.contains("a row of it", tostring(third), "waiting for machines to map")
local instant = slotted:instant(4)
check.equal("an instant: who works", #instant.running .. " " .. instant.running[1].job .. " "
    .. instant.running[1].holds.reduce .. " " .. instant.running[2].holds.map, "2 1 1 1")
check.equal("who waits", #instant.waiting .. " " .. instant.waiting[1].job, "1 3")

-- One map slot and one reduce slot. The reduce of job 1 starts when half of its maps are done, and
-- waits in its slot; that of job 2 waits for the slot.
local cluster = program.file("cluster.json", [[{ "model": "cluster",
    "nodes": [{ "count": 1, "map_slots": 1, "reduce_slots": 1 }],
    "params": { "heartbeat_ms": 0 },
    "jobs": [{ "submit": 0, "maps": 2, "map_ms": 1000, "reduces": 1, "reduce_ms": 5000 },
             { "submit": 500, "maps": 1, "map_ms": 1000, "reduces": 1, "reduce_ms": 100 }] }]])
local log = program.file "cluster.log"
program.succeed("run", { "simulate", cluster, "--policy", "fifo", "--log", log, "--quiet" })
local first = decoded("first", { "explain", log, "--job", "1", "--format", "json" })
local second = decoded("second", { "explain", log, "--job", "2", "--format", "json" })
check.equal("phases of the second", line_of(second),
    "waiting for a map slot 500-2000, mapping 2000-3000, waiting for a reduce slot "
    .. string.format("3000-%d, reducing %d-%d", first.finish, first.finish, first.finish + 100))
check.equal("its wait was the first one's", second.phases[1].held[1].share, 1.0)
check.equal("it would have run before", second.phases[1].first_chance.time, 1000)
check.is_true("of a slot that was never free", type(second.phases[3].first_chance) ~= "table")
local of_log = program.succeed("log", { "explain", log, "--job", "2", "--format", "json" })
local of_run = program.succeed("run", { "explain", cluster, "--policy", "fifo", "--job", "2",
    "--format", "json" })
check.contains("a log has no keys", second.unordered, "give the scenario or workload")
check.contains("its run has", of_run, '"ahead": [{"job": 1, ')
local function without_order(text)
    return (text:gsub('"orders": %b[]', '"orders": null')
        :gsub('"unordered": [^\n]*', '"unordered": null'))
end
check.equal("a log and its run say the same else", without_order(of_run), without_order(of_log))

-- What nodes that are down, lost maps, failures and stops do to the phases.
local function explained(name, policy, job, scenario, ...)
    local path = program.file(name .. ".json", scenario)
    return decoded(name, { "explain", path, "--policy", policy, "--job", job, "--format", "json",
        ... })
end
local lost = explained("lost", "fifo", "1", [[{ "model": "cluster",
    "nodes": [{ "count": 2, "map_slots": 1, "reduce_slots": 1 }],
    "failures": [{ "time": 50000, "node": 1 }],
    "jobs": [{ "submit": 0, "maps": 2, "map_ms": 10000, "reduces": 2, "reduce_ms": 60000,
        "shuffle_ms": 45000 }] }]])
check.equal("a map that is lost is mapped again", lost.phases[2].phase .. " "
    .. lost.phases[2].from .. ", " .. lost.phases[3].phase .. " " .. lost.phases[3].from,
    "reducing 10000, mapping, reduces have started 50000")
local down = explained("down", "fifo", "1", [[{ "model": "dag", "nodes": "1x4",
    "failures": [{ "time": 1500, "node": 0, "recover": 10000 }],
    "jobs": [{ "arrival": 0, "stages": [{ "tasks": 1, "duration": 2000, "demand": [1] }] }] }]])
check.equal("the node is down", down.phases[2].phase .. " " .. down.phases[2].down,
    "waiting for room 1.0")
-- Three small tasks take the room of a large one.
check.equal("room is what a node has free", explained("room", "fifo", "3", [[{ "model": "dag",
    "nodes": "1x4", "jobs": [
        { "arrival": 0, "stages": [{ "durations": [1000, 2000, 3000, 4000], "demand": [1] },
            { "durations": [500, 500], "demand": [2], "parents": [0] }] },
        { "arrival": 100, "stages": [{ "tasks": 6, "duration": 1000, "demand": [1] }] },
        { "arrival": 200, "stages": [{ "tasks": 1, "duration": 1000, "demand": [3] }] }] }]])
    .phases[1].first_chance.time, 3000)
local stopped = program.file "stopped.log"
program.succeed("stopped", { "simulate", cluster, "--policy", "fifo", "--until", "1500", "--log",
    stopped, "--quiet" })
check.equal("a run that is stopped goes on until then", line_of(decoded("stopped", { "explain",
    stopped, "--job", "2", "--format", "json" })), "waiting for a slot 500-1500")
check.contains("who works then", program.succeed("then", { "explain", stopped, "--time", "1400" }),
    "1 job running, 1 waiting")
local slots = program.file "slots.json"
check.write_file(slots, [[{ "model": "slotted", "machines": 1, "jobs": [
    { "arrival": 1, "maps": 1, "reduces": [5] }] }]])
local cut = program.file "cut.log"
program.succeed("cut", { "simulate", slots, "--policy", "fifo", "--until", "3", "--log", cut,
    "--quiet" })
check.equal("a reduce that a stop cuts", line_of(decoded("cut", { "explain", slots, cut, "--job",
    "1", "--format", "json" })), "mapping 1-2, reducing 2-4")
check.contains("a job that comes when nothing happens any more", program.succeed("dead", {
    "explain", program.file("dead.json", [[{ "model": "dag", "nodes": "1x4",
        "failures": [{ "time": 5, "node": 0 }], "jobs": [{ "arrival": 7,
            "stages": [{ "tasks": 1, "duration": 2, "demand": [1] }] }] }]]), "--policy", "fifo",
    "--job", "1" }), "the log ends when the job arrives")
check.contains("a time without jobs", program.succeed("late", { "explain", log, "--time",
    "99999" }), "no job is in the system at this time")
-- Jobs 2 and 3 share a pool.
local pools = explained("pools", "fixed_pools", "2", [[{ "model": "makespan", "level": "task",
    "map_slots": 2, "reduce_slots": 2, "params": { "pools": "1:1" }, "jobs": [
        { "maps": [9], "reduces": [1] }, { "maps": [5], "reduces": [1] },
        { "maps": [6], "reduces": [1] }] }]])
for _, phase in ipairs(pools.phases) do
    for _, holder in ipairs(type(phase.held) == "table" and phase.held or {}) do
        check.equal("of the same pool", holder.job, 3)
    end
end

-- ---- the policy's order -------------------------------------------------------------------------

-- What the text says of the order, without what stands before it.
local function order_of(made)
    return (tostring(made):match "\n(ahead.*)" or tostring(made):match "\n(the policy.*)")
end

-- One machine; jobs of 5, 3 and 9 units, the last one a slot later.
local HALF = pinion.policy [[return { name = "half", model = "slotted",
    key = { of = function(s, job) return s:remaining(job) / 2 - 1 end, changes = "served" } }]]
local LEFT = "key: remaining work, machine slots"
for policy, want in next, {
    fifo = "ahead of this job in slot 2: job 1 and job 2\nkey: order of arrival",
    dspt = "ahead of this job in slot 2: job 2 (2) and job 1 (5); its own key: 9\n" .. LEFT,
    asrpt = "ahead of this job in slot 2: job 2 (2) and job 1 (5); its own key: 9\n" .. LEFT
        .. "; maps that virtual SRPT runs go first, then reduces, then other maps",
    fair = "ahead of this job in slot 2: job 1 (0) and job 2 (0); its own key: 0\nkey: machines "
        .. "held",
    rfirst = "ahead of this job in slot 2: job 2 (2, in its maps) and job 1 (5, in its maps); "
        .. "its own key: 9, in its maps\n" .. LEFT .. "; jobs past their maps go first",
    idx = "ahead of this job in slot 2: job 2 (-4) and job 1 (-1); its own key: 2\nkey: index",
    [HALF] = "ahead of this job in slot 2: job 2 (0) and job 1 (1.5); its own key: 3.5\n"
        .. "key: as the policy computes it",
    lrpt = "ahead of this job in slot 7: job 1 (4); its own key: 4\n"
        .. "ahead of this job in slot 9: job 1 (3) and job 2 (3); its own key: 3\n"
        .. "ahead of this job in slot 12: job 1 (2) and job 2 (2); its own key: 2\n"
        .. "ahead of this job in slot 15: job 1 (1) and job 2 (1); its own key: 1\n" .. LEFT
        .. ", the most first",
    srpt = "the policy's order: a virtual run decides, in which jobs need no machines of their own",
} do
    local run = pinion.run { machines = 1, policy = policy, reduce = "preemptive", quiet = true,
        params = policy == "idx" and { wm = 1, wr = -1, wc = -6 } or nil,
        workload = { { arrival = 1, maps = 5, reduces = {} },
            { arrival = 1, maps = 3, reduces = {} },
            { arrival = 2, maps = policy == "idx" and 8 or 6,
                reduces = { policy == "idx" and 0 or 3 } } } }
    check.equal("the order of " .. run.policy, order_of(run:explain(3)), want)
end

local function run_of(model, policy, jobs, more)
    local options = { model = model, policy = policy, workload = jobs, quiet = true }
    for name, value in next, more or {} do options[name] = value end
    return pinion.run(options)
end

check.equal("work left in the tandem model", order_of(run_of("tandem", "srptsum", {
    { arrival = 1, map = 4, shuffle = 2 }, { arrival = 2, map = 3, shuffle = 3 } }):explain(2)),
    "ahead of this job at 2: job 1 (4.5); its own key: 6\nkey: map and shuffle work left")
check.equal("a wait for a share", order_of(run_of("tandem", "klps", {
    { arrival = 1, map = 4, shuffle = 2 }, { arrival = 2, map = 3, shuffle = 3 },
    { arrival = 3, map = 1, shuffle = 0 } }, { params = { k = 1 } }):explain(3)),
    "ahead of this job at 3: job 2\nkey: order of arrival among those that wait for a share")
check.equal("places in a plan", order_of(run_of("makespan", "fifo", {
    { maps = { 4 }, reduces = { 1 } }, { maps = { 3 }, reduces = { 1 } } },
    { level = "task", map_slots = 1, reduce_slots = 1 }):explain(2)),
    "ahead of this job at 0: job 1 (1); its own key: 2\nkey: place in the plan")

local function alone(arrival, duration, demand)
    return { arrival = arrival, stages = { { tasks = 1, duration = duration,
        demand = { demand } } } }
end
local DAG = { alone(0, 8000, 4), alone(1, 6000, 4), alone(2, 2000, 2) }
for policy, want in next, {
    srpt = "ahead of this job at 1 ms: no job; its own key: 6000\n"
        .. "ahead of this job at 8000 ms: job 3 (1000); its own key: 6000\n"
        .. "key: pending work, ms of the whole cluster",
    cp = "ahead of this job at 1 ms: no job; its own key: 6000\n"
        .. "key: critical path, ms, the longest first",
    drf = "ahead of this job at 1 ms: no job; its own key: 0\n"
        .. "key: dominant share for its weight",
    tetris = "the policy's order: nodes are filled one by one with the tasks that suit them",
} do
    check.equal("the order of " .. policy .. ", dag", order_of(run_of("dag", policy, DAG,
        { nodes = "1x4" }):explain(2)), want)
end

-- Queues have keys of their own, which no priority is ahead of; those that a parameter chooses are
-- named, and so is the number that breaks ties.
check.equal("shares of queues", order_of(run_of("dag", "drf", DAG,
    { nodes = "1x4", params = { share_by = "queue" } }):explain(2)),
    "ahead of this job at 1 ms: no job; its own key: 1\n"
    .. "key: dominant share of its queue for its weight")
local BOTH <const> = {
    { arrival = 1, map = 4, shuffle = 2 }, { arrival = 1, map = 4, shuffle = 3 } }
check.equal("a key of two numbers", order_of(run_of("tandem", "srptmap", BOTH):explain(2)),
    "ahead of this job at 1: job 1 (4, then 2); its own key: 4, then 3\n"
    .. "key: map work left, then shuffle work left")
check.equal("the second number", run_of("tandem", "srptmap", BOTH):explain(2).phases[1].orders[1]
    .second, 3.0)

-- Policies in Lua say what their keys are.
local NAMED <const> = pinion.policy [[return { name = "named", model = "slotted",
    key_name = "work left and place, machine slots", key = { changes = "served",
    of = function(s, job) return s:remaining(job), -s:id(job) end } }]]
check.equal("a key with a name", order_of(run_of("slotted", NAMED, {
    { arrival = 1, maps = 3, reduces = {} }, { arrival = 1, maps = 3, reduces = {} } },
    { machines = 1 }):explain(1)), "ahead of this job in slot 1: job 2 (3, then -2); its own key: "
    .. "3, then -1\nkey: work left and place, machine slots")
local _, no_text = pcall(pinion.policy, [[return { name = "named", model = "dag", key_name = 3 }]])
check.contains("a name that is none", tostring(no_text),
    "key_name: must be a text (what the key is, with its unit), got a number")

-- Five are named; at an instant those that wait stand in the order.
local many = {}
for i = 1, 9 do many[i] = { arrival = 1, maps = 10 - i, reduces = {} } end
local queue = run_of("slotted", "dspt", many, { machines = 1 })
check.contains("five and how many more", tostring(queue:explain(1)), "ahead of this job in slot "
    .. "1: job 9 (1), job 8 (2), job 7 (3), job 6 (4), job 5 (5) and 3 others; its own key: 9\n")
local waiting = {}
for i, job in ipairs(queue:instant(1).waiting) do
    waiting[i] = job.job .. " " .. tostring(job.key)
end
check.equal("who waits in the policy's order", table.concat(waiting, ", "),
    "8 2, 7 3, 6 4, 5 5, 4 6, 3 7, 2 8, 1 9")
check.contains("as a table", tostring(queue:instant(1)),
    "  8             1  nothing (waits)  2\n")

-- ---- every job of random runs -------------------------------------------------------------------

local RUNS = {
    { "slotted", "zheng:0,slots=12", { "fifo", "fair", "asrpt", "lrpt" },
        "flow_time", { "--set", "machines=30" } },
    { "slotted", "zheng:0,slots=12", { "srpt", "psrpt" }, "flow_time",
        { "--set", "machines=30", "--set", "reduce=preemptive" } },
    { "tandem", "lin,jobs=40,load=.9", { "fcfs", "maxsrpt", "klps", "splitsrpt" },
        "response_time", {} },
    { "makespan", "rand_few,jobs=8,most=6", { "johnson", "mk_jr" }, "finish",
        { "--set", "level=task", "--set", "map_slots=5", "--set", "reduce_slots=3" } },
    { "makespan", "rand_few,jobs=8,most=6", { "balanced_pools" }, "finish",
        { "--set", "level=stage", "--set", "map_slots=5", "--set", "reduce_slots=5" } },
    { "cluster", "hsrtf", { "fifo", "fair", "hsrtf-prp" }, "makespan",
        { "--set", "nodes=20x4x2" } },
    { "dag", "dag:mixed,jobs=30,load=.9", { "fifo", "drf", "tetris" }, "jct", {} },
}

local function check_phases(name, made)
    local at, sum = made.arrival, 0
    for i, phase in ipairs(made.phases) do
        check.is_true(name .. ", phase " .. i .. " follows", phase.from == at)
        check.is_true(name .. ", phase " .. i .. " takes time", phase.time > 0)
        check.is_true(name .. ", phase " .. i .. " is another one",
            i == 1 or phase.phase ~= made.phases[i - 1].phase)
        at, sum = phase.to, sum + phase.time
        local shares = 0
        for _, holder in ipairs(phase.held or {}) do shares = shares + holder.share end
        check.is_true(name .. ": shares", shares <= 1 + 1e-9)
        local whole = shares + (tonumber(phase.nobody) or 0) + (phase.nobody and phase.down or 0)
        check.is_true(name .. ": with what nobody held and what was down they are all",
            (phase.others or 1) > 0 or #phase.held == 0 or math.abs(whole - 1) < 1e-9)
    end
    check.is_true(name .. ", they end with the job",
        at == made.finish or made.model == "slotted" and at == made.finish + 1)
    return sum
end

-- Runs on which something is asked are as they are without; a wait has somebody ahead or a first
-- chance, and those ahead are others, in order of their keys where these are plain numbers.
local ASCENDING = { dspt = true, fifo = true, maxsrpt = true, johnson = true, srpt = true }
local RUN_OPTIONS = { slotted = { machines = 8, reduce = "preemptive" }, tandem = {},
    makespan = { level = "task", map_slots = 5, reduce_slots = 3 },
    cluster = { nodes = "20x4x2" }, dag = {} }

local ranked = 0

local function check_at(name, id, at, ascending)
    local last = nil
    check.is_true(name .. ": at most five are named", #at.ahead <= 5)
    check.is_true(name .. ": more only behind five", at.more == 0 or #at.ahead == 5)
    for _, other in ipairs(at.ahead) do
        check.is_true(name .. ": another job", other.job ~= id)
        check.is_true(name .. ": in order", not ascending or not last or last <= other.key)
        last = other.key
    end
    check.is_true(name .. ": and before its own", not ascending or not last or last <= at.key)
end

local function check_orders(model, spec, policy, column)
    local options, name = { model = model, policy = policy, quiet = true, workload = spec },
        model .. ", " .. policy
    for key, value in next, RUN_OPTIONS[model] do options[key] = value end
    local result = pinion.run(options)
    local times, asked = {}, nil
    for i = 0, 40 do times[i + 1] = 1 + i * 7.25 end
    for _, deciding in ipairs { true, false } do
        asked = single.ask(single.settings_of(result), nil, { times = times, most = 3,
            deciding = deciding })
        check.equal(name .. ": asking changes nothing", asked.digest, result.digest)
    end
    check.is_true(name .. ": there are answers", #asked.answers > 3)
    local slowest = {}
    for _, job in ipairs(result.jobs) do slowest[#slowest + 1] = job end
    table.sort(slowest, function(a, b) return a[column] > b[column] end)
    for i = 1, 3 do
        for _, phase in ipairs(result:explain(slowest[i].id).phases) do
            for _, at in ipairs(phase.orders or {}) do
                -- With klps nobody waits for a share here, but for a rounding error at arrivals.
                check.is_true(name .. ": it is ranked while it waits",
                    at.key_name ~= nil or policy == "klps" and phase.time < 1e-12)
                check_at(name, slowest[i].id, at, ASCENDING[policy] and at.key)
                ranked = ranked + 1
            end
        end
    end
end

for _, run in ipairs(RUNS) do
    local model, spec, policies, column, set = table.unpack(run)
    for _, policy in ipairs(policies) do
        check_orders(model, spec, policy, column)
        local name = model .. ", " .. policy
        local path = program.file(policy .. ".log")
        local document = decoded(name, program.joined({ "simulate", "--model", model, "--workload",
            spec, "--policy", policy, "--log", path, "--quiet", "--format", "json" }, set))
        local jobs = nil
        if log_of.model(path).log.needs_jobs then
            local opened = workload.spec(spec, model):open { model = model, machines = 30 }
            jobs = opened.core:jobs(1000)
        end
        check.is_true(name .. ": there are jobs", #document.jobs > 5)
        for _, job in ipairs(document.jobs) do
            local made = explain.job(path, job.id, jobs)
            local sum, wanted = check_phases(name .. ", job " .. job.id, made), job[column]
            local same = math.type(wanted) == "integer" and math.type(sum) == "integer"
                and sum == wanted or math.abs(sum - wanted) <= 1e-9 * math.max(1, wanted)
            check.is_true(string.format("%s, job %d: %s is %s", name, job.id, wanted, sum), same)
        end
    end
end

check.is_true("many waits were ranked", ranked > 50)

-- ---- what cannot be explained -------------------------------------------------------------------

local unfinished = pinion.run { machines = 2, policy = "fifo", quiet = true, until_slot = 3,
    workload = { { arrival = 1, maps = 9, reduces = {} },
        { arrival = 2, maps = 1, reduces = {} } } }
check.equal("a job that never ran", line_of(unfinished:explain(2)) .. ", "
    .. unfinished:explain(2).state, "waiting for machines to map 2-4, unfinished")

local of_slotted = program.file "slotted.log"
program.succeed("a log", { "simulate", "--workload", "zheng:0,slots=3", "--policy", "fifo", "--log",
    of_slotted, "--quiet" })
local BESIDE = { "--workload", "zheng:0,slots=3" }
check.contains("a log beside its workload", program.succeed("beside", program.joined({ "explain",
    of_slotted, "--job", "2" }, BESIDE)), "job 2, policy fifo: finished")
for _, case in ipairs {
    { { of_slotted, "--job", "2" }, of_slotted .. ": logs of the slotted model do not contain "
        .. "arrival times" },
    { { log, "--job", "3" }, "there is no job 3 in " .. log },
    { { log }, "give either --job N or --time T" },
    { { log, "--job", "1", "--time", "1" }, "give either --job N or --time T" },
    { { log, "--job", "0" }, "--job: must be an integer >= 1" },
    { { log, "--time", "x" }, "--time: must be a number >= 0" },
    { { log, "--job", "1", "--format", "csv" }, "--format: an explanation cannot be written as "
        .. "csv" },
    { { log, "--job", "1", "--output", log }, "would" },
    { { stopped, "--time", "1500" }, "the log ends at 1500, before this time" },
    { { log, "--job", "1", "--policy", "fair" }, "--policy: cannot be given together with a log" },
    { { "missing.log", "--job", "1" }, "missing.log: No such file or directory" },
    { { cluster, "missing.log", "--job", "1" }, "missing.log: No such file or directory" },
    { { log, log, "--job", "1" }, log .. ": expected one log" },
    { { "--workload", "zheng:0,slots=3", "--policy", "fifo", "--job", "9999" },
        "there is no job 9999 in this run" },
    { { cluster, "--job", "1" }, "no policy given" },
    { { cluster, cluster, "--job", "1" }, "not a decision log" },
    { program.joined({ log, "--job", "1" }, BESIDE), "a log of the cluster model" },
} do
    local output, messages, code = program.run(program.joined({ "explain" }, case[1]))
    check.equal("exit code of " .. case[2], code, 2)
    check.equal("no output of " .. case[2], output, "")
    check.contains(case[2], messages, case[2])
end
check.raises("a job that is none", "explain: job must be an integer >= 1", slotted.explain, slotted,
    "x")
-- A log beside another scenario than its own, and one with a line changed.
for name, arguments in next, {
    ["another scenario"] = { of_slotted, "--job", "2", "--workload", "zheng:1,slots=3" },
    ["a changed line"] = program.joined({ program.file("changed.log", (check.read_file(of_slotted)
        :gsub('"map":%d+', '"map":1', 1))), "--job", "2" }, BESIDE),
} do
    local _, messages, code = program.run(program.joined({ "explain" }, arguments))
    check.equal(name .. ": exit code", code, 1)
    check.contains(name, messages, ".log:")
end
local compared = pinion.compare { machines = 2, policies = { "fifo" }, quiet = true,
    workload = { { arrival = 1, maps = 1, reduces = {} } } }
check.raises("one of a comparison", "explain: only results of pinion.run", slotted.explain,
    compared.policies and compared.policies[1] or {}, 1)

check.done()
