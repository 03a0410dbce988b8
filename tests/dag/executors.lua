-- Nodes that are executors (DG35, DG36): what a run and its log say, what the checker finds wrong
-- in an altered log, and what is refused.

package.path = "tests/support/?.lua;" .. package.path
local altered = require "altered"
local check = require "check"
local program = require "program"
local pinion = require "pinion"

local with = check.with

-- Job 1: a task of 10 ms, then two of 5; job 2: a task of 20.
local JOBS = {
    { arrival = 0, stages = { { tasks = 1, duration = 10, demand = { 1 } },
        { tasks = 2, duration = 5, demand = { 1 }, parents = { 0 } } } },
    { arrival = 0, stages = { { tasks = 1, duration = 20, demand = { 1 } } } },
}
local log = program.file "run.log"
local BASE = { model = "dag", policy = "fifo", workload = JOBS, resources = { "executor" },
    nodes = { { count = 2, capacity = { 1 } } }, quiet = true }

local function finishes(params, policy)
    local result = pinion.run(with(BASE, { params = params, policy = policy or "fifo" }))
    return result.jobs[1].finish .. " " .. result.jobs[2].finish
end

-- The executors of job 1 wait for its second stage; without it job 2 would have had one at once.
check.equal("no executors", finishes {}, "20 20")
check.equal("no executors, delays have no effect", finishes { move_ms = 2 }, "20 20")
check.equal("free", finishes { executors = "free" }, "20 20")
check.equal("sticky", finishes { executors = "sticky" }, "15 35")
-- 2 ms until an executor is there, and 1 more for its first task: 0-13, then 13-18 and 13-19.
check.equal("sticky, with delays",
    finishes { executors = "sticky", move_ms = 2, fresh_ms = 1 }, "19 41")
check.equal("free, with delays", finishes { executors = "free", move_ms = 2, fresh_ms = 1 },
    "23 23")
check.equal("partition", finishes({ executors = "sticky" }, "policies/dag/partition.lua"), "20 20")

-- ---- logs ---------------------------------------------------------------------------------------

local scenario = program.file("executors.json", [[
{ "model": "dag", "policy": "fifo", "resources": ["executor"],
  "nodes": [{ "count": 2, "capacity": [1] }], "params": { "executors": "sticky", "move_ms": 2 },
  "jobs": [
    { "arrival": 0, "stages": [{ "tasks": 1, "duration": 10, "demand": [1] },
      { "tasks": 2, "duration": 5, "demand": [1], "parents": [0] }] },
    { "arrival": 0, "stages": [{ "tasks": 1, "duration": 20, "demand": [1] }] }] }]])
check.equal("exit code", select(3, program.run { "simulate", scenario, "--log", log }), 0)
local lines = {}
for line in io.lines(log) do lines[#lines + 1] = line end
check.contains("a move", lines[4], '{"time":0,"event":"move","job":1,"node":0}')

-- Alters a copy of the log, which the checker rejects at a line with this message.
local function rejects(line, message, change)
    local copy = table.move(lines, 1, #lines, 1, {})
    change(copy)
    local path = program.file("altered.log", table.concat(copy, "\n") .. "\n")
    local _, messages, code = program.run { "verify", scenario, path }
    check.equal("exit code of " .. message, code, 1)
    check.contains("message", messages, string.format("%s:%d: ", path, line))
    check.contains("message", messages, message)
end

local function line_of(pattern)
    for number, line in ipairs(lines) do
        if line:find(pattern) then return number end
    end
end

local waits = line_of '"move","job":1,"node":1'
rejects(waits + 1, "a task waits though it fits on a node", function(copy)
    copy[waits] = copy[waits]:gsub('"job":1', '"job":2')
end)
rejects(waits, "no such node", function(copy)
    copy[waits] = copy[waits]:gsub('"node":1', '"node":2')
end)
rejects(waits + 1, "the executor belongs to the job already", function(copy)
    table.insert(copy, waits, copy[waits])
end)
rejects(waits + 1, "the job to which the executor belongs can use it", function(copy)
    table.insert(copy, waits + 1, (copy[waits]:gsub('"job":1', '"job":2')))
end)
rejects(4, "the executor does not belong to the job", function(copy) table.remove(copy, 4) end)
rejects(waits, "the executor runs a task", function(copy)
    table.insert(copy, waits, (copy[waits]:gsub('"job":1,"node":1', '"job":2,"node":0')))
end)

-- An executor of which its job has no more use, while no node has more room than before.
local kept = program.file("kept.json", [[
{ "model": "dag", "policy": "fifo", "resources": ["executor"],
  "nodes": [{ "count": 2, "capacity": [1] }], "params": { "executors": "sticky" },
  "jobs": [
    { "arrival": 0, "stages": [{ "tasks": 1, "duration": 10, "demand": [1] },
      { "tasks": 1, "duration": 20, "demand": [1], "parents": [0] }] },
    { "arrival": 0, "stages": [{ "tasks": 1, "duration": 5, "demand": [1] }] }] }]])
local staying = program.file "staying.log"
check.equal("exit code", select(3, program.run { "simulate", kept, "--log", staying }), 0)
local text = check.read_file(staying):gsub('{"time":10,"event":"%a+","job":2[^\n]*\n', "")
check.write_file(staying, text)
local _, messages = program.run { "verify", kept, staying }
check.contains("an executor that stays", messages,
    "a task waits though it fits on a node (time 10, job 2)")

-- Who holds what a job waits for: executor 1 and, without a task, executor 2, until both work from
-- 12 to 17.
local told = program.run { "explain", scenario, log, "--job", "2" }
check.contains("idle executors hold it", told, "job 1 64.7 %, idle executors of job 1 35.3 %")
local json = program.run { "explain", scenario, log, "--job", "2", "--format", "json" }
check.contains("in JSON, too", json, '"idle": true}')

-- Logs of all policies, with failures of nodes.
local WORKLOAD = "dag:mixed,jobs=30,gap_ms=3000,demand=cpu:1"
local SETTINGS = { resources = "cpu", nodes = "6x1+2x1x800",
    failures = "9000:1:20000+15000:7:30000" }
local FROM = { "--workload", WORKLOAD }
for name, value in next, SETTINGS do
    FROM[#FROM + 1], FROM[#FROM + 2] = "--set", name .. "=" .. value
end
for _, policy in ipairs { "fifo", "fair", "drf", "wfair", "srpt", "sjf-cp", "cp", "hfsp", "las" } do
    for _, params in ipairs { {}, { move_ms = 300, fresh_ms = 100, order = "ready" } } do
        for _, executors in ipairs { "free", "sticky" } do
            local options = with(SETTINGS, { model = "dag", workload = WORKLOAD, policy = policy,
                params = with(params, { executors = executors }) })
            altered.passes(policy .. " " .. executors, options, FROM, function()
                return "%d+ decisions, 30 jobs, last finish %d+ ms[%w, ]*"
            end)
        end
    end
end

-- ---- what is refused ----------------------------------------------------------------------------

local function refused(name, message, options)
    check.raises(name, message, pinion.run, with(BASE, options))
end

for _, policy in ipairs { "capacity", "tetris", "policies/dag/tetris.lua" } do
    refused(policy, "executors=sticky needs a policy that orders jobs",
        { policy = policy, params = { executors = "sticky" } })
end
refused("queues", "executors=sticky needs a policy that orders jobs",
    { policy = "fair", params = { executors = "sticky", share_by = "queue" } })
refused("two on a node", "demand: with executors at most the capacity of every node",
    { nodes = { { capacity = { 2 } } }, params = { executors = "free" } })
refused("a word", "params.executors", { params = { executors = "stuck" } })

check.done()
