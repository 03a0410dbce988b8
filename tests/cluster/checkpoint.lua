-- Checkpoints of the cluster model: a run that is stopped, killed and resumed ends as the run
-- that was left alone.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
math.randomseed(seed)
print("seed " .. seed .. " (PINION_TEST_SEED=" .. seed .. " repeats the moments)")

local joined = program.joined

local function run(name, arguments)
    return program.succeed(name, arguments)
end

local checkpoint = program.file "run.checkpoint"
local log, whole_log = program.file "parts.log", program.file "whole.log"

-- ---- by steps, with everything that a run keeps -------------------------------------------------

local WORKLOAD = { "--model", "cluster", "--workload", "facebook,jobs=60,bins=6,seed=2", "--set",
    "nodes=12x2x1+3x1x2x800",
                   "--set", "failures=40000:2:200000+100000:13", "--param", "heartbeat_ms=1000",
                   "--param", "factor_lo=600",
                   "--param", "attempt_fail_permille=20" }
local listed = program.file("listed.json",
    run("conversion",
    joined({ "workload", "--jobs", "--format", "json", "hsrtf,large=1,medium=2" })))
for policy, arguments in next,
        { ["hsrtf-prp"] = WORKLOAD, fair = WORKLOAD, ["hsrtf-pr"] = { listed },
        fifo = { listed, "--warmup", "5" },
        ["hsrtf-pup"] = joined(WORKLOAD, { "--param", "preemption=suspend" }),
        late = joined(WORKLOAD, { "--param", "min_ms=1000" }), cloning = WORKLOAD } do
    arguments = joined({ "simulate" }, arguments,
        { "--policy", policy, "--format", "json", "--quiet" })
    local want = run(policy, joined(arguments, { "--log", whole_log }))
    local stop = 100000
    os.remove(checkpoint)
    run(policy .. ", begun",
        joined(arguments,
        { "--checkpoint", checkpoint, "--every", tostring(math.random(20000, 100000)), "--until",
        tostring(stop),
        "--log", log }))
    local header = core.json_decode(check.read_file(checkpoint):match "^[^\n]*", checkpoint)
    check.equal("the model in the first line", header.model, "cluster")
    check.is_true("the time in the first line", math.type(header.time) == "integer"
        and header.time < stop)
    for _ = 1, 3 do
        stop = stop + math.random(1, 150000)
        check.equal(policy .. " until " .. stop,
            run(policy .. ", a step",
            { "resume", checkpoint, "--log", log, "--until", tostring(stop) }),
            run(policy .. ", in one piece", joined(arguments, { "--until", tostring(stop) })))
    end
    -- A fork: the file stays as it is, so that it can be resumed again.
    local fork = program.file "fork.checkpoint"
    os.remove(fork)
    local before = check.read_file(checkpoint)
    os.execute(string.format("cp %s %s.kept", log, log))
    check.equal(policy .. ", a fork",
        run(policy .. ", a fork", { "resume", checkpoint, "--log", log, "--checkpoint", fork,
        "--until", "1000000000" }), want)
    check.is_true("the fork left the file alone", check.read_file(checkpoint) == before)
    os.rename(log .. ".kept", log)
    check.equal(policy .. " at last",
        run(policy .. ", the last step",
        { "resume", checkpoint, "--log", log, "--until", "1000000000" }), want)
    check.equal(policy .. ", the end again",
        run(policy .. ", once more", { "resume", checkpoint, "--log", log }), want)
    check.is_true(policy .. ", the log", check.read_file(log) == check.read_file(whole_log))
end

-- How often it is saved does not show, nor how far apart the instants are.
local far = program.file("far.json",
    '{"model":"cluster","nodes":[{"map_slots":1,"reduce_slots":1}],"jobs":[{"submit":0,"maps":1,'
    .. '"map_ms":5},{"submit":1000000000000,"maps":2,"map_ms":100000000}]}')
for _, every in ipairs { "1", "5", "1000000000000000" } do
    os.remove(checkpoint)
    check.equal("saved every " .. every,
        run("far", { "simulate", far, "--policy", "hsrtf-pu", "--checkpoint", checkpoint, "--every",
        every,
        "--until", "1000000000100" }),
            run("far", { "simulate", far, "--policy", "hsrtf-pu", "--until", "1000000000100" }))
end

-- The room of the first checkpoint is too small for what comes later.
local queue = {}
for i = 1, 7000 do queue[i] = string.format('{"submit":%d,"maps":1,"map_ms":3000}', 1000 * i) end
local crowd = { "simulate",
    program.file("queue.json",
    '{"model":"cluster","nodes":[{"map_slots":1,"reduce_slots":0}],"jobs":['
    .. table.concat(queue, ",") .. "]}"),
                "--policy", "fifo", "--no-jobs", "--format", "json", "--quiet" }
local crowded = run("a crowd", joined(crowd, { "--until", "8000000" }))
check.is_true("a crowd indeed", core.json_decode(crowded, "").peak_jobs > 4096)
os.remove(checkpoint)
run("a crowd, begun",
    joined(crowd, { "--checkpoint", checkpoint, "--every", "1000000", "--until", "3000000" }))
check.equal("a crowd, resumed", run("resumed", { "resume", checkpoint, "--until", "8000000" }),
    crowded)

-- ---- killed -------------------------------------------------------------------------------------

do
    local arguments = { "simulate", "--model", "cluster", "--workload", "facebook,jobs=4000,bins=6",
        "--set", "nodes=20x2x1", "--policy", "hsrtf-pr",
                        "--no-jobs", "--format", "json", "--quiet" }
    local want = run("left alone", arguments)
    local begin = joined(arguments, { "--checkpoint", checkpoint, "--every", "3000000" })
    local output, kills = program.survive("a run", begin, { "resume", checkpoint }, checkpoint)
    check.equal("the outcome of a run that was killed " .. kills .. " times", output, want)
end

-- ---- the library --------------------------------------------------------------------------------

local path = program.file "library.checkpoint"
local JOBS = { { submit = 0, maps = 20, reduces = 3, map_ms = 100, remote_ms = 50,
    reduce_ms = 300 }, { submit = 90, maps = 4, map_ms = 200 } }
local function settings(over)
    local made = { model = "cluster", policy = "fair", nodes = "3x2x1", workload = JOBS,
        quiet = true, params = { factor_lo = 700 } }
    for name, value in next, over or {} do made[name] = value end
    return made
end
local alone = pinion.run(settings())
local keeping = { checkpoint = path, every = 60, resume = true, until_time = 400 }
check.equal("a part", pinion.run(settings(keeping)).complete, false)
keeping.until_time = nil
local made = pinion.run(settings(keeping))
for _, field in ipairs { "digest", "total_makespan", "mean_waiting_time", "mean_execution_time",
        "slot_ms", "launches", "instants", "utilisation" } do
    check.equal(field, made[field], alone[field])
end
for _, difference in ipairs {
    { { policy = "fifo" }, "params.fair_mode is running there and not given here" },
    { { nodes = "3x2x2" }, "nodes is {1={count=3,map_slots=2,reduce_slots=1," },
    { { params = { factor_lo = 800 } }, "params.factor_lo is 700 there and 800 here" },
    { { seed = 2 }, "seed is 1 there and 2 here" },
    { { params = { factor_lo = 700, heartbeat_ms = 5 } },
        "params.heartbeat_ms is 0 there and 5 here" },
    { { failures = "9:1" }, "failures is not given there and {1={node=1,time=9}} here" },
    { { warmup = { ms = 9 } }, "warmup is not given there and {ms=9} here" },
    { { workload = { JOBS[1] } }, "workload is 2 jobs with hash " },
    { { replica = 1 }, "replica is 0 there and 1 here" },
} do
    local over = difference[1]
    over.checkpoint, over.every, over.resume = path, 60, true
    check.raises("another run: " .. difference[2], difference[2], pinion.run, settings(over))
end
check.raises("an end before the checkpoint", "(expected an end there or later, got 5)",
    pinion.run,
    settings { checkpoint = path, every = 60, resume = true, until_time = 5 })
check.raises("every is required", "every: is required with checkpoint (ms from one to the next)",
    pinion.run, settings { checkpoint = path })

-- A policy written in Lua, with memory of its own.
local scripted = pinion.policy [[
-- Jobs in an order that depends on what came before; what it counts lives in the block.
return {
  name = "counting", model = "cluster", state = { "seen" }, per_job = { "turn" },
  arrive = function(s, job) s.state.seen = s.state.seen + 1; s.per_job.turn[job] = s.state.seen * 5 % 7 end,
  key = { changes = "served", of = function(s, job, kind) return s.per_job.turn[job], s:running(job, kind) end },
}]]
local work = { model = "cluster", policy = scripted, nodes = "9x2x1", workload = "facebook,jobs=50",
    quiet = true }
local counted = pinion.run(work)
os.remove(path)
work.checkpoint, work.every, work.resume = path, 10000, true
for stop = 60000, 360000, 100000 do
    work.until_time = stop
    pinion.run(work)
end
work.until_time = nil
check.equal("a policy in Lua", pinion.run(work).digest, counted.digest)

check.done()
