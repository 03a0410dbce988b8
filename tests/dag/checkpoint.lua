-- Checkpoints of the dag model: a run that is stopped and resumed ends as the run that was left
-- alone, with all that its rows list.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"
local pinion = require "pinion"

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
math.randomseed(seed)
print("seed " .. seed .. " (PINION_TEST_SEED=" .. seed .. " repeats the moments)")

local joined = program.joined

local checkpoint = program.file "run.checkpoint"
local log, whole_log = program.file "parts.log", program.file "whole.log"

local GENERATED = { "--workload", "dag:layered,jobs=80,seed=3", "--set",
    "failures=30000:2:60000+50000:7", "--param", "factor_lo=500", "--param", "factor_hi=1500" }
local ONE = [[{"model":"dag","resources":["cpu"],"nodes":"2x3","queues":"a:1:500+b:1:500","jobs":[
 {"arrival":0,"queue":"a","stages":[{"tasks":40,"duration":700,"demand":[1]}]},
 {"arrival":900,"queue":"b","stages":[{"durations":[300,200,100],"demand":[2]},
  {"tasks":9,"duration":400,"demand":[1],"parents":[0]}]}]}]]
local listed = { program.file("listed.json", ONE), "--param", "preempt=true", "--param",
    "tick_ms=100", "--jobs-detail" }

for name, case in next, {
    drf = { GENERATED, 100000, "drf" }, hfsp = { GENERATED, 100000, "hfsp" },
    las = { GENERATED, 100000, "las" }, lua = { GENERATED, 100000, "policies/dag/srpt.lua" },
    capacity = { listed, 3000, "capacity" },
    warm = { joined(GENERATED, { "--warmup", "9", "--bounds", "none" }), 100000, "tetris" },
} do
    local arguments = joined({ "simulate" }, case[1],
        { "--policy", case[3], "--format", "json", "--quiet" })
    local want = program.succeed(name, joined(arguments, { "--log", whole_log }))
    local stop = math.random(case[2] // 4, case[2])
    os.remove(checkpoint)
    program.succeed(name .. ", begun", joined(arguments, { "--checkpoint", checkpoint, "--every",
        tostring(math.random(case[2] // 50, case[2] // 5)), "--until", tostring(stop), "--log",
        log }))
    local header = core.json_decode(check.read_file(checkpoint):match "^[^\n]*", checkpoint)
    check.equal("the model in the first line", header.model, "dag")
    for _ = 1, 2 do
        stop = stop + math.random(1, case[2] // 2)
        check.equal(name .. " until " .. stop,
            program.succeed(name .. ", a step",
            { "resume", checkpoint, "--log", log, "--until", tostring(stop) }),
            program.succeed(name .. ", in one piece",
            joined(arguments, { "--until", tostring(stop) })))
    end
    check.equal(name .. " at last", program.succeed(name .. ", the last step",
        { "resume", checkpoint, "--log", log, "--until", "1000000000" }), want)
    check.is_true(name .. ", the log", check.read_file(log) == check.read_file(whole_log))
end

-- In a script, and refused where it is another run.
local RUN = { model = "dag", policy = "srpt", workload = "dag:layered,jobs=40", quiet = true,
    checkpoint = checkpoint, every = 5000 }
os.remove(checkpoint)
local function run(changes)
    local options = {}
    for _, part in ipairs { RUN, changes } do
        for name, value in next, part do options[name] = value end
    end
    return pinion.run(options)
end
local stopped, whole = run { until_time = 9000 }, run { checkpoint = program.file "other" }
check.is_true("stopped before its end", stopped.unfinished > 0)
check.equal("resumed", run { resume = true }.digest, whole.digest)
check.equal("stages of rows", run { resume = true }.jobs[1].stages[1].finish,
    whole.jobs[1].stages[1].finish)
check.raises("another policy", "belongs to another run", run, { resume = true, policy = "drf" })
check.raises("other nodes", "belongs to another run", run,
    { resume = true, nodes = "9x16000/32768" })

check.done()
