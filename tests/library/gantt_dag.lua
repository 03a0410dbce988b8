-- Charts of the dag model: attempts on their nodes, as many rows as ran there at one time; attempts
-- that were lost or killed; nodes that are down; logs that cannot be.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"

local function header(nodes)
    return '{"pinion_log":1,"model":"dag","policy":"fifo","params":{},"scenario":"0","nodes":['
        .. nodes .. "]}"
end

local function of_job(time, event, job)
    return string.format('{"time":%d,"event":"%s","job":%d}', time, event, job)
end

local function of_node(time, event, node)
    return string.format('{"time":%d,"event":"%s","node":%d}', time, event, node)
end

local function of_task(time, event, job, stage, task, node, attempt)
    return string.format('{"time":%d,"event":"%s","job":%d,"stage":%d,"task":%d,"node":%d,'
        .. '"attempt":%d}', time, event, job, stage, task, node, attempt or 0)
end

local function finish(job, time)
    return string.format('{"time":%d,"job":%d,"finish":true}', time, job)
end

local function ending(time, unfinished)
    return string.format('{"end":%d,"unfinished":%d,"digest":"0"}', time, unfinished or 0)
end

local function count(text, pattern)
    return select(2, text:gsub(pattern, ""))
end

local function log_file(name, lines)
    return program.file(name .. ".log", table.concat(lines, "\n") .. "\n")
end

local function chart(name, log, ...)
    local output = program.file(name .. ".svg")
    program.succeed(name, { "gantt", log, "--output", output, ... })
    local svg = check.read_file(output)
    check.equal(name .. ": elements end", count(svg, "<%a[^<>]*[^/]>") - count(svg, "</"), 0)
    check.is_true(name .. ": no numbers that are none", not svg:find '[" M]-?nan'
        and not svg:find '[" M]-?inf')
    return svg
end

-- ---- a chart ------------------------------------------------------------------------------------

-- Node 0 runs up to three tasks at one time, node 1 one, node 2 none. Job 1 has a task killed and
-- another one lost with its node.
local NODES = '{"count":2,"capacity":[4,4]},{"count":1,"capacity":[9,9]}'
local LINES = {
    header(NODES),
    of_job(0, "arrive", 1),
    of_task(0, "launch", 1, 0, 1, 0), of_task(0, "launch", 1, 0, 2, 0),
    of_task(0, "launch", 1, 0, 3, 0), of_task(0, "launch", 1, 0, 4, 1),
    of_job(1000, "arrive", 2), of_task(1000, "kill", 1, 0, 2, 0),
    of_task(1000, "launch", 2, 0, 1, 0),
    of_node(1500, "node_down", 1), of_task(1500, "lose", 1, 0, 4, 1),
    of_task(2000, "end", 1, 0, 1, 0), of_task(2000, "end", 1, 0, 3, 0),
    of_task(2000, "launch", 1, 0, 2, 0, 1), of_task(2000, "launch", 1, 0, 4, 0, 1),
    of_task(3000, "end", 2, 0, 1, 0), finish(2, 3000),
    of_node(3500, "node_up", 1),
    of_task(4000, "end", 1, 0, 2, 0, 1), of_task(4000, "end", 1, 0, 4, 0, 1),
    of_task(4000, "launch", 1, 1, 1, 1), of_task(8000, "end", 1, 1, 1, 1), finish(1, 8000),
    ending(8000),
}
local log = log_file("example", LINES)
local svg = chart("example", log)
check.contains("title", svg, ">fifo, mean completion time 5 s</text>")
check.contains("what the run was", svg,
    ">2 jobs, 3 nodes, 1 attempt killed, 1 attempt lost</text>")
check.contains("a task", svg, "<title>J1, stage 1, task 1, 4000 to 8000 ms</title>")
check.contains("a second attempt", svg, "<title>J1, stage 0, task 4, 2000 to 4000 ms</title>")
check.contains("one that was killed", svg,
    'fill="url(#killed)"><title>J1, stage 0, task 2, 0 to 1000 ms, killed</title>')
check.contains("one that was lost", svg,
    'fill="url(#lost)"><title>J1, stage 0, task 4, 0 to 1500 ms, lost</title>')
for _, name in ipairs { "killed", "lost", "node is down" } do
    check.contains("the legend explains: " .. name, svg, ">" .. name .. "</text>")
end
check.equal("a node is down, and in the legend", count(svg, 'class="down"/>'), 2)
check.contains("the axis is in seconds", svg, ">time, s</text>")
check.contains("the end", svg, ">8</text>")
check.contains("equal tasks side by side are one rectangle", chart("alike", log_file("alike", {
    header '{"count":1,"capacity":[4]}', of_job(0, "arrive", 1), of_task(0, "launch", 1, 0, 1, 0),
    of_task(0, "launch", 1, 0, 2, 0), of_task(5, "end", 1, 0, 1, 0), of_task(5, "end", 1, 0, 2, 0),
    finish(1, 5), ending(5) })), "<title>J1, 2 tasks, 0 to 5 ms</title>")
check.contains("a title", chart("titled", log, "--title", "T"), ">T</text>")

-- ---- trace events -------------------------------------------------------------------------------

local output = program.file("example.json")
program.succeed("trace", { "gantt", log, "--output", output })
local tasks, rows, downs = {}, {}, {}
for _, event in ipairs(assert(core.json_decode(check.read_file(output), output)).traceEvents) do
    if event.ph == "M" and event.name == "thread_name" then
        rows[event.tid] = event.args.name
    end
    if event.ph == "X" then
        local list = event.cat == "node" and downs or tasks
        list[#list + 1] = event
    end
end
check.equal("an event for each attempt", #tasks, 8)
check.equal("rows are tasks beside each other on a node", table.concat(rows, "; "),
    "node 0, 1; node 0, 2; node 0, 3; node 1, 1")
check.equal("a node is down", #downs .. " for " .. downs[1].dur, "1 for 2000000")
local killed = 0
for _, task in ipairs(tasks) do
    killed = killed + (task.args.ended == "killed" and 1 or 0)
    if task.args.stage == 1 then
        check.equal("which task it is", string.format("J%d stage %d task %d attempt %d node %d",
            task.args.job, task.args.stage, task.args.task, task.args.attempt, task.args.node),
            "J1 stage 1 task 1 attempt 0 node 1")
    end
end
check.equal("what was killed says so", killed, 1)

local busy = {}
table.sort(tasks, function(a, b) return a.ts < b.ts end)
for _, task in ipairs(tasks) do
    check.is_true("row " .. task.tid .. " is free at " .. task.ts, (busy[task.tid] or 0) <= task.ts)
    busy[task.tid] = task.ts + task.dur
end

-- ---- real runs ----------------------------------------------------------------------------------

-- Whatever happens in a run, its log can be drawn, and shows all attempts.
for _, policy in ipairs { "fifo", "drf", "capacity", "tetris" } do
    local name = "run of " .. policy
    local path, drawn = program.file(policy .. ".log"), program.file(policy .. ".json")
    local document = program.succeed(name, { "simulate", "--workload", "dag:mixed,jobs=40,load=.8",
        "--policy", policy, "--log", path, "--quiet" })
    program.succeed(name .. ", drawn", { "gantt", path, "--output", drawn })
    chart(name, path)
    check.equal(name .. ", attempts", count(check.read_file(drawn), '"cat": "task"'),
        assert(core.json_decode(document, name)).launches)
end

-- ---- logs that cannot be ------------------------------------------------------------------------

local ARRIVED = { header '{"count":1,"capacity":[4]}', of_job(0, "arrive", 1) }
for _, case in ipairs {
    { { header "" }, ":1: nodes must be an array" },
    { { header '{"count":0,"capacity":[4]}' }, ":1: nodes[1].count must be" },
    { { ARRIVED[1], of_job(0, "arrive", 0) }, ":2: job must be an integer >= 1" },
    { { ARRIVED[1], ARRIVED[2], of_job(0, "arrive", 1) }, ":3: job 1 comes twice" },
    { { ARRIVED[1], of_task(0, "launch", 1, 0, 1, 0) }, ":2: job 1 has not come" },
    { { ARRIVED[1], ARRIVED[2], of_task(0, "launch", 1, 0, 1, 7) }, ":3: there is no node 7" },
    { { ARRIVED[1], ARRIVED[2], of_task(0, "launch", 1, 0, 1, 0),
        of_task(0, "launch", 1, 0, 1, 0) }, ":4: stage 0, task 1 runs already" },
    { { ARRIVED[1], ARRIVED[2], of_task(0, "end", 1, 0, 1, 0) },
        ":3: stage 0, task 1 of job 1 does not run on node 0" },
    { { ARRIVED[1], ARRIVED[2], of_node(0, "node_down", 0), of_task(0, "launch", 1, 0, 1, 0) },
        ":4: node 0 is down" },
    { { ARRIVED[1], ARRIVED[2], of_node(0, "node_up", 0) }, ":3: node 0 is up already" },
    { { ARRIVED[1], ARRIVED[2], of_task(9, "launch", 1, 0, 1, 0), finish(1, 9) },
        ":4: job 1 is over while tasks of it run" },
    { { ARRIVED[1], ARRIVED[2], finish(1, 9), of_job(8, "arrive", 2) },
        ":4: lines must be in order of time" },
    { { ARRIVED[1], ARRIVED[2], of_job(0, "dance", 1) }, ":3: unknown event" },
} do
    local path = log_file("wrong", program.joined(case[1], { ending(9, 1) }))
    local _, messages, code = program.run { "gantt", path, "--output", program.file "wrong.svg" }
    check.equal("wrong: " .. case[2], code, 1)
    check.contains("wrong: " .. case[2], messages, case[2])
end
check.done()
