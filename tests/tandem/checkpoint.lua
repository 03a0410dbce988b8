-- Checkpoints of the tandem model: a run that is stopped, killed and resumed ends as the run
-- that was left alone.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
math.randomseed(seed)
print("seed " .. seed .. " (PINION_TEST_SEED=" .. seed .. " repeats the moments)")

local function run(name, arguments)
    local output, messages, code = program.run(arguments)
    check.equal("exit code of " .. name .. " " .. messages, code, 0)
    check.equal("silence of " .. name, messages, "")
    return output
end

local function joined(...)
    local made = {}
    for _, list in ipairs { ... } do table.move(list, 1, #list, #made + 1, made) end
    return made
end

local function header_of(path)
    return core.json_decode(check.read_file(path):match "^[^\n]*", path)
end

local checkpoint = program.file "run.checkpoint"

-- ---- by steps, with everything that a run keeps -------------------------------------------------

local listed = program.file("listed.json",
    run("conversion", { "workload", "lin,jobs=250,load=0.9", "--jobs", "--format", "json" }))
-- Shares, a table of jobs, errors in sizes, sizes in classes.
local log, whole_log = program.file "parts.log", program.file "whole.log"
for policy, workload in next, { klps = { "--workload", "lin,jobs=250" }, bsrpt = { listed },
    maxsrpt = { "--workload", "lin,jobs=250" },
                                splitsrpt = { listed } } do
    local arguments = joined({ "simulate" }, workload,
        { "--policy", policy, "--bounds", "tight", "--slowdown-by-size", "6x1", "--format", "json",
        "--quiet" }, policy == "maxsrpt" and { "--error", "lognormal(1,0.5)", "--warmup", "20" }
            or {})
    local name = policy .. " on " .. workload[#workload]
    local want = run(name, joined(arguments, { "--log", whole_log }))
    os.remove(checkpoint)
    run(name .. ", begun",
        joined(arguments,
        { "--checkpoint", checkpoint, "--every", tostring(20 + 40 * math.random()), "--until", "30",
        "--log", log }))
    check.equal("the model in the first line", header_of(checkpoint).model, "tandem")
    check.is_true("the time in the first line", header_of(checkpoint).time < 30)
    local stop = 30
    for _ = 1, 3 do
        stop = stop + 80 * math.random()
        local text = string.format("%.17g", stop)
        check.equal(name .. " until " .. text,
            run(name .. ", a step", { "resume", checkpoint, "--log", log, "--until", text }),
            run(name .. ", in one piece", joined(arguments, { "--until", text })))
    end
    check.equal(name .. " at last",
        run(name .. ", the last step", { "resume", checkpoint, "--log", log, "--until", "1e9" }),
        want)
    check.equal(name .. ", the end again",
        run(name .. ", once more", { "resume", checkpoint, "--log", log }), want)
    check.is_true(name .. ", the log", check.read_file(log) == check.read_file(whole_log))
end

-- How often it is saved does not show, nor how far apart the instants are.
local far = program.file("far.json",
    '{"model":"tandem","jobs":[{"arrival":0,"map":1},{"arrival":1e12,"map":1e11,"shuffle":3}]}')
for _, every in ipairs { "0.001", "1", "1e15" } do
    os.remove(checkpoint)
    check.equal("saved every " .. every,
        run("far", { "simulate", far, "--policy", "ps", "--checkpoint", checkpoint, "--every",
        every }),
        run("far", { "simulate", far, "--policy", "ps" }))
end

-- The room of the first checkpoint is too small for what comes later.
local crowd = { "simulate", "--workload", "lin,load=1.5,jobs=2000,map=exp(1),ratio=1", "--policy",
    "ps", "--no-jobs", "--format", "json", "--quiet" }
local crowded = run("a crowd", crowd)
os.remove(checkpoint)
run("a crowd, begun",
    joined(crowd, { "--checkpoint", checkpoint, "--every", "100", "--until", "300" }))
check.equal("a crowd, resumed", run("resumed", { "resume", checkpoint, "--until", "1e9" }),
    crowded)

-- ---- killed -------------------------------------------------------------------------------------

do
    local arguments = { "simulate", "--workload", "lin,jobs=60000", "--policy", "bsrpt",
        "--no-jobs", "--format", "json", "--quiet" }
    local want = run("left alone", arguments)
    local begin = joined(arguments, { "--checkpoint", checkpoint, "--every", "3000" })
    local output, kills = program.survive("a run", begin, { "resume", checkpoint }, checkpoint)
    check.equal("the outcome of a run that was killed " .. kills .. " times", output, want)
end

-- ---- the library --------------------------------------------------------------------------------

local path = program.file "library.checkpoint"
local function settings(over)
    local made = { policy = "splitsrpt", workload = "lin,jobs=300,seed=4", quiet = true }
    for name, value in next, over or {} do made[name] = value end
    return made
end
local alone = pinion.run(settings())
local keeping = { checkpoint = path, every = 60, resume = true, until_time = 200.5 }
check.equal("a part", pinion.run(settings(keeping)).complete, false)
keeping.until_time = nil
local made = pinion.run(settings(keeping))
for _, field in ipairs { "digest", "total_response_time", "mean_slowdown", "mean_in_system",
        "lower_bound", "makespan", "instants", "decisions" } do
    check.equal(field, made[field], alone[field])
end
for _, difference in ipairs {
    { { policy = "fcfs" }, "params.lend is full there and not given here" },
    { { speed = 2 }, "speed is 1 there and 2 here" },
    { { overlap = false }, "overlap is true there and false here" },
    { { params = { lend = "none" } }, "params.lend is full there and none here" },
    { { slowdown_by_size = "4x1" },
        "slowdown_by_size is not given there and {buckets=4,width=1} here" },
    { { warmup = { time = 9 } }, "warmup is not given there and {time=9} here" },
    { { workload = "lin,jobs=301,seed=4" }, "workload is lin{" },
} do
    local over = difference[1]
    over.checkpoint, over.every, over.resume = path, 60, true
    check.raises("another run: " .. difference[2], difference[2], pinion.run, settings(over))
end
check.raises("an end before the checkpoint", "(expected an end there or later, got 5.0)",
    pinion.run,
    settings { checkpoint = path, every = 60, resume = true, until_time = 5 })
pinion.run(settings { policy = "priority", params = { order_map = { 2, 1 } }, checkpoint = path,
    every = 60 })
check.raises("another order", "params.order_map is {1=2,2=1} there and {1=1,2=2} here", pinion.run,
    settings { policy = "priority", params = { order_map = { 1, 2 } }, checkpoint = path,
        every = 60, resume = true })
check.raises("every is required", "every: is required with checkpoint (time from one to the next)",
    pinion.run, settings { checkpoint = path })

-- A policy written in Lua, with memory of its own.
local COUNTING = [[
-- Serves the job that was preempted least; what it counts lives in the block.
return {
  name = "counting", model = "tandem", state = { "seen" }, per_job = { "turn" },
  arrive = function(s, job) s.state.seen = s.state.seen + 1; s.per_job.turn[job] = s.state.seen % 7 end,
  map = { changes = "arrival", key = function(s, job) return s.per_job.turn[job] end },
  shuffle = { changes = "served", key = function(s, job) return s:shuffle_left(job) end },
}]]
local scripted = pinion.policy(COUNTING)
local counted = pinion.run(settings { policy = scripted })
os.remove(path)
for stop = 60, 360, 100 do
    pinion.run(settings { policy = scripted, checkpoint = path, every = 50, resume = true,
        until_time = stop })
end
check.equal("a policy in Lua",
    pinion.run(settings { policy = scripted, checkpoint = path, every = 50, resume = true }).digest,
    counted.digest)

check.done()
