-- Charts of the dag model: attempts on their nodes, as many rows as ran there at one time; attempts
-- that were lost or killed; nodes that are down; resources over time; logs that cannot be.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"

local function header(nodes, resources)
    return '{"pinion_log":1,"model":"dag","policy":"fifo","params":{},"scenario":"0","resources":['
        .. (resources or '"cpu"') .. '],"nodes":[' .. nodes .. "]}"
end

-- Two stages; a task of each holds 1 where nothing else is said.
local function arrival(time, job, demands)
    return string.format('{"time":%d,"event":"arrive","job":%d,"demands":[%s]}', time, job,
        demands or "[1],[1]")
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
    return string.format(
        '{"end":%d,"unfinished":%d,"digest":"0000000000000000"}', time,
        unfinished or 0)
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
local NODES = '{"count":2,"capacity":[4,4]},{"count":1,"capacity":[8,12]}'
local LINES = {
    header(NODES, '"cpu","<&>"'),
    arrival(0, 1, "[1,2],[4,0]"),
    of_task(0, "launch", 1, 0, 1, 0), of_task(0, "launch", 1, 0, 2, 0),
    of_task(0, "launch", 1, 0, 3, 0), of_task(0, "launch", 1, 0, 4, 1),
    arrival(1000, 2, "[2,3]"), of_task(1000, "kill", 1, 0, 2, 0),
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
    header '{"count":1,"capacity":[4]}', arrival(0, 1), of_task(0, "launch", 1, 0, 1, 0),
    of_task(0, "launch", 1, 0, 2, 0), of_task(5, "end", 1, 0, 1, 0), of_task(5, "end", 1, 0, 2, 0),
    finish(1, 5), ending(5) })), "<title>J1, 2 tasks, 0 to 5 ms</title>")
check.contains("a title", chart("titled", log, "--title", "T"), ">T</text>")

-- ---- resources over time ------------------------------------------------------------------------

-- Of 16 cpu are in use: 4 until 1 s, 5 until 1.5 s, 4 until 3 s, 2 until 4 s, 4 until 8 s.
check.contains("a resource in the mean and at most", svg,
    "<title>cpu: 23.8 % in use in the mean, at most 31.2 %</title>")
check.contains("a name that would be markup", svg,
    "<title>&lt;&amp;&gt;: 16.9 % in use in the mean, at most 45 %</title>")
check.contains("its axis", svg, ">cpu, %</text>")
check.contains("its mean", svg, ">mean 23.8 %</text>")

-- The heights of an area, as shares of the panel: { column, share } where they change.
local function heights(path)
    local steps, left, edge = {}, path:match "^M([%d.]+) ([%d.]+)"
    for x, y in path:gmatch "H([%d.]+)V([%d.]+)" do
        steps[#steps + 1] = string.format("%.0f:%.2f", x - left, math.abs(edge - y) / 60)
    end
    return table.concat(steps, " ")
end

-- A run of 1000 ms whose axis ends 3 % behind it: 766 columns, so that 500 ms are 371.84 of them.
local small = chart("levels", log_file("levels", {
    header '{"count":2,"capacity":[4]}', arrival(0, 1, "[2]"), of_task(0, "launch", 1, 0, 1, 0),
    of_node(0, "node_down", 1),
    of_task(500, "end", 1, 0, 1, 0), of_task(500, "launch", 1, 0, 2, 0),
    of_task(500, "launch", 1, 0, 3, 0), of_node(750, "node_up", 1),
    of_task(1000, "end", 1, 0, 2, 0), of_task(1000, "end", 1, 0, 3, 0), finish(1, 1000),
    ending(1000) }))
check.equal("a column where it changes has its mean",
    heights(small:match 'class="level" d="([^"]*)"'),
    "0:0.25 371:0.29 372:0.50 743:0.34 744:0.00 766:0.00")
check.equal("above it what is down", heights(small:match 'class="down" d="([^"]*)"'),
    "0:0.50 557:0.38 558:0.00 766:0.00")

-- A host's log: its second node has nothing at first, then half of it; a job is cancelled.
local hosted = chart("resized", log_file("resized", {
    (header('{"count":2,"capacity":[4]}'):gsub('"nodes"', '"nodes_absent":1,"nodes"')),
    arrival(0, 1, "[2]"), of_task(0, "launch", 1, 0, 1, 0), arrival(0, 2, "[2]"),
    '{"time":500,"event":"node_resize","node":1,"capacity":[2]}',
    of_task(500, "launch", 2, 0, 1, 1), of_task(750, "drop", 2, 0, 1, 1),
    '{"time":750,"event":"cancel","job":2}', of_task(1000, "end", 1, 0, 1, 0), finish(1, 1000),
    ending(1000) }))
check.equal("above it what is not there", heights(hosted:match 'class="down" d="([^"]*)"'),
    "0:0.50 371:0.46 372:0.25 766:0.00")
check.contains("who was cancelled", hosted, "1 attempt dropped, 1 job cancelled")

-- ---- trace events -------------------------------------------------------------------------------

local output = program.file("example.json")
program.succeed("trace", { "gantt", log, "--output", output })
local tasks, rows, downs, counters = {}, {}, {}, {}
for _, event in ipairs(assert(core.json_decode(check.read_file(output), output)).traceEvents) do
    if event.ph == "M" and event.name == "thread_name" then
        rows[event.tid] = event.args.name
    end
    if event.ph == "X" then
        local list = event.cat == "node" and downs or tasks
        list[#list + 1] = event
    end
    if event.ph == "C" and event.name == "cpu" then
        counters[#counters + 1] = string.format("%d:%d", event.ts // 1000000, event.args["in use"])
    end
end
check.equal("cpu in use, where it changes", table.concat(counters, " "),
    "0:4 1:5 1:4 3:2 4:4 8:0")
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
    local result = assert(core.json_decode(document, name))
    check.equal(name .. ", attempts", count(check.read_file(drawn), '"cat": "task"'),
        result.launches)
    local picture = chart(name, path)
    for r, resource in ipairs { "cpu", "memory" } do
        local drawn_mean = 10 * tonumber(picture:match(resource .. ": ([%d.]+) %% in use"))
        check.equal(name .. ", in use of " .. resource,
            math.abs(drawn_mean - result.utilisation_permille[r] - 0.5) <= 1.0, true)
    end
end

-- ---- logs that cannot be ------------------------------------------------------------------------

local ARRIVED = { header '{"count":1,"capacity":[4]}', arrival(0, 1) }
for _, case in ipairs {
    { { header "" }, ":1: nodes must be an array" },
    { { header '{"count":0,"capacity":[4]}' }, ":1: nodes[1].count must be" },
    { { ARRIVED[1], arrival(0, 0) }, ':2: field "job": expected an integer in 1..2^53' },
    { { ARRIVED[1], ARRIVED[2], arrival(0, 1) }, ":3: job 1 comes twice" },
    { { ARRIVED[1], of_task(0, "launch", 1, 0, 1, 0) }, ":2: job 1 has not come" },
    { { ARRIVED[1], ARRIVED[2], of_task(0, "launch", 1, 0, 1, 7) }, ":3: there is no node 7" },
    { { ARRIVED[1], ARRIVED[2], of_task(0, "launch", 1, 0, 1, 0),
        of_task(0, "launch", 1, 0, 1, 0) }, ":4: stage 0, task 1 runs already" },
    { { ARRIVED[1], ARRIVED[2], of_task(0, "end", 1, 0, 1, 0) },
        ":3: stage 0, task 1 of job 1 does not run on node 0" },
    { { ARRIVED[1], ARRIVED[2], of_node(0, "node_down", 0), of_task(0, "launch", 1, 0, 1, 0) },
        ":4: node 0 is down" },
    { { ARRIVED[1], ARRIVED[2], of_node(0, "node_up", 0) }, ":3: node 0 is up already" },
    { { ARRIVED[1], '{"time":0,"event":"node_resize","node":0,"capacity":[4,4]}' },
        ":2: capacity must be a number for each resource" },
    { { (ARRIVED[1]:gsub('"nodes"', '"nodes_absent":2,"nodes"')) },
        ":1: nodes_absent must be an integer in 0..1, got 2" },
    { { ARRIVED[1], ARRIVED[2], '{"time":0,"event":"cancel","job":2}' },
        ":3: job 2 has not come" },
    { { ARRIVED[1], ARRIVED[2], of_task(9, "launch", 1, 0, 1, 0), finish(1, 9) },
        ":4: job 1 is over while tasks of it run" },
    { { ARRIVED[1], ARRIVED[2], finish(1, 9), arrival(8, 2) },
        ":4: lines must be in order of time" },
    { { ARRIVED[1], '{"time":0,"event":"dance","job":1}' },
        ':2: field "event": unknown word "dance"' },
    { { header('{"count":1,"capacity":[4]}', "") }, ":1: resources must be an array" },
    { { header('{"count":1,"capacity":[4]}', "7") }, ":1: resources[1] must be text" },
    { { header('{"count":1,"capacity":[4]}', '"cpu","memory"') }, ":1: nodes[1].capacity must be" },
    { { header '{"count":1,"capacity":[0]}' }, ":1: nodes have 0 of 'cpu', expected 1 to 2^50" },
    { { ARRIVED[1], '{"time":0,"event":"arrive","job":1}' }, ':2: field "demands" is missing' },
    { { ARRIVED[1], arrival(0, 1, "") }, ':2: field "demands": expected an array of arrays' },
    { { ARRIVED[1], arrival(0, 1, "[1],[1,2]") }, ":2: demands of job 1 must be" },
    { { ARRIVED[1], arrival(0, 1, "[1],[-1]") },
        ':2: field "demands": expected an array of arrays' },
    { { ARRIVED[1], ARRIVED[2], of_task(0, "launch", 1, 2, 1, 0) }, ":3: job 1 has no stage 2" },
} do
    local path = log_file("wrong", program.joined(case[1], { ending(9, 1) }))
    local _, messages, code = program.run { "gantt", path, "--output", program.file "wrong.svg" }
    check.equal("wrong: " .. case[2], code, 1)
    check.contains("wrong: " .. case[2], messages, case[2])
end
check.done()
