-- Charts of the cluster model: attempts on the slots of their nodes, however they ended; reduces
-- that wait for maps; nodes that are down; deadlines; logs of any length.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"
local program = require "program"

-- ---- logs written by hand -----------------------------------------------------------------------

local function header(nodes, more)
    return '{"pinion_log":1,"model":"cluster","policy":"fifo","params":{},"scenario":"0","nodes":['
        .. nodes .. "]"
        .. (more or "") .. "}"
end

local function nodes(count, map_slots, reduce_slots)
    return string.format('{"count":%d,"map_slots":%d,"reduce_slots":%d}', count, map_slots,
        reduce_slots)
end

local function of_job(time, event, job)
    return string.format('{"time":%d,"event":"%s","job":%d}', time, event, job)
end

local function of_node(time, event, node)
    return string.format('{"time":%d,"event":"%s","node":%d}', time, event, node)
end

local function of_task(time, event, job, kind, task, node, attempt)
    return string.format(
        '{"time":%d,"event":"%s","job":%d,"kind":"%s","task":%d,"node":%d,"attempt":%d}', time,
        event, job, kind,
        task, node, attempt or 0)
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
    return program.file(name, table.concat(lines, "\n") .. "\n")
end

local function chart(name, lines, ...)
    local log, output = log_file(name .. ".log", lines), program.file(name .. ".svg")
    program.succeed(name, { "gantt", log, "--output", output, ... })
    local svg = check.read_file(output)
    check.equal(name .. ": elements end", count(svg, "<%a[^<>]*[^/]>") - count(svg, "</"), 0)
    check.is_true(name .. ": no numbers that are none", not svg:find '[" M]-?nan'
        and not svg:find '[" M]-?inf')
    return svg, log
end

local function trace(name, log)
    local output = program.file(name .. ".json")
    program.succeed(name .. ", trace", { "gantt", log, "--output", output })
    return assert(core.json_decode(check.read_file(output), output))
end

-- ---- a chart ------------------------------------------------------------------------------------

-- Two nodes with two map slots and a reduce slot, one with a map slot. Job 1 starts a reduce that
-- waits, and loses a map to job 2; node 1 goes down with a map of it, and with the output of
-- another.
local LINES = {
    header(nodes(2, 2, 1) .. "," .. nodes(1, 1, 0)),
    of_job(0, "accept", 1),
    of_task(0, "launch", 1, "map", 1, 0), of_task(0, "launch", 1, "map", 2, 1),
    of_task(0, "launch", 1, "map", 3, 2),
    of_task(0, "launch", 1, "map", 4, 0), of_task(1000, "end", 1, "map", 2, 1),
    of_task(1000, "launch", 1, "map", 5, 1),
    of_task(1000, "launch", 1, "reduce", 1, 0), of_task(1500, "fail", 1, "map", 3, 2),
    of_task(1500, "launch", 1, "map", 3, 2, 1),
    of_job(2000, "accept", 2), of_task(2000, "kill", 1, "map", 4, 0),
    of_task(2000, "launch", 2, "map", 1, 0),
    of_task(2500, "end", 2, "map", 1, 0), finish(2, 2500),
    of_task(2500, "launch", 1, "map", 4, 0, 1),
    of_task(3000, "lose", 1, "map", 5, 1), of_node(3000, "node_down", 1),
    of_task(3000, "rerun", 1, "map", 2, 1),
    of_task(3500, "end", 1, "map", 1, 0), of_task(3500, "launch", 1, "map", 2, 0, 1),
    of_node(4000, "node_up", 1),
    of_task(4000, "launch", 1, "map", 5, 1, 1), of_task(5000, "end", 1, "map", 2, 0, 1),
    of_task(5000, "end", 1, "map", 3, 2, 1),
    of_task(5000, "end", 1, "map", 4, 0, 1), of_task(6000, "end", 1, "map", 5, 1, 1),
    of_task(8000, "end", 1, "reduce", 1, 0),
    finish(1, 8000), ending(8000),
}
local svg, log = chart("example", LINES)
check.contains("title", svg, ">fifo, mean response time 4.25 s</text>")
check.contains("what the run was", svg,
    ">5 map slots, 2 reduce slots, 2 jobs, 3 nodes, 1 attempt killed, 1 attempt failed, 1 "
        .. "attempt lost</text>")
check.contains("an attempt", svg, "<title>J1, map task 1, 0 to 3500 ms</title>")
check.contains("one that was killed", svg,
    'fill="url(#killed)"><title>J1, map task 4, 0 to 2000 ms, killed</title>')
check.contains("one that failed", svg,
    'fill="url(#failed)"><title>J1, map task 3, 0 to 1500 ms, failed</title>')
check.contains("one that was lost", svg,
    'fill="url(#lost)"><title>J1, map task 5, 1000 to 3000 ms, lost</title>')
check.equal("a reduce is faint while it waits, and then not",
    count(svg, "<title>J1, reduce task 1, 1000 to 8000 ms, works from 6000</title>"), 2)
check.equal("faint: the bar and its mark in the legend", count(svg, 'fill%-opacity="0.35"'), 2)
for _, name in ipairs { "waits for maps", "killed", "failed", "lost", "node is down" } do
    check.contains("the legend explains: " .. name, svg, ">" .. name .. "</text>")
end
check.equal("no marks that do not occur", svg:find("dropped", 1, true), nil)
check.equal("a node is down in both panels, and in the legend", count(svg, 'class="down"/>'), 3)
check.contains("the axis is in seconds", svg, ">time, s</text>")
check.contains("the end", svg, ">8</text>")

local events = trace("example", log)
local tasks, waits, downs, names = {}, {}, {}, {}
for _, event in ipairs(events.traceEvents) do
    if event.ph == "M" and event.args.name then
        names[event.pid .. ":" .. event.tid] = event.args.name
    end
    if event.ph == "X" then
        local list = event.cat == "wait" and waits or event.cat == "node" and downs or tasks
        list[#list + 1] = event
    end
end
check.equal("an event for each attempt", #tasks, 11)
check.equal("rows are slots of nodes", names["1:1"] .. ", " .. names["1:4"] .. ", " .. names["1:5"]
    .. ", " .. names["2:1"],
    "node 0, slot 1, node 1, slot 2, node 2, slot 1, node 0, slot 1")
check.equal("a wait within its reduce", waits[1].pid .. ":" .. waits[1].tid .. " " .. waits[1].ts
    .. " " .. waits[1].dur,
    "2:1 1000000 5000000")
check.equal("a node is down on each of its rows", #downs, 3)
check.equal("so long", downs[1].dur, 1000000)
local by_name = {}
for _, task in ipairs(tasks) do by_name[task.name] = task end
check.equal("what was killed says so", by_name["J1 killed"].args.ended, "killed")
check.equal("which attempt", by_name["J2"].args.attempt, 0)
check.equal("on which node", by_name["J1 lost"].args.node, 1)
check.equal("milliseconds are what they are", by_name["J2"].ts .. " " .. by_name["J2"].dur,
    "2000000 500000")

-- A row is free again behind an attempt, and not before: no two bars of a row overlap.
local busy = {}
table.sort(tasks, function(a, b) return a.ts < b.ts end)
for _, task in ipairs(tasks) do
    local row = task.pid .. ":" .. task.tid
    check.is_true("row " .. row .. " is free at " .. task.ts, (busy[row] or 0) <= task.ts)
    busy[row] = task.ts + task.dur
end

-- Equal attempts side by side are one rectangle.
local ALIKE = { header(nodes(1, 300, 300), ',"measured":true'), of_job(0, "accept", 1) }
for task = 1, 300 do ALIKE[#ALIKE + 1] = of_task(0, "launch", 1, "map", task, 0) end
for task = 1, 300 do ALIKE[#ALIKE + 1] = of_task(70, "end", 1, "map", task, 0) end
local alike = chart("alike", program.joined(ALIKE, { finish(1, 70), ending(70) }), "--title", "T")
check.equal("one rectangle", count(alike, "<title>"), 1)
check.contains("for all of them", alike, "<title>J1, 300 map tasks, 0 to 70 ms</title>")
check.contains("a title", alike,
    ">fifo, mean response time 0.07 s; 300 map slots, 300 reduce slots, 1 job, 1 node, "
    .. "measured</text>")

-- A run that was stopped; jobs that were rejected or failed.
local stopped = chart("stopped", {
    header(nodes(1, 1, 1)), of_job(0, "accept", 1), of_job(0, "reject", 2), of_job(5, "accept", 3),
    of_task(5, "launch", 1, "map", 1, 0), of_task(9, "fail", 1, "map", 1, 0),
    of_job(9, "job_failed", 1),
    of_task(9, "launch", 3, "map", 1, 0), of_task(20, "end", 3, "map", 1, 0),
    of_task(20, "launch", 3, "reduce", 1, 0), ending(0, 1),
})
check.contains("nothing to take a mean of", stopped, ">fifo, no job finished (so far)</text>")
check.contains("and why", stopped,
    ">1 map slot, 1 reduce slot, 2 jobs, 1 node, 1 attempt failed, 1 job failed, 1 job rejected: "
    .. "J2, stopped before 1 job finished</text>")
check.contains("what still ran", stopped,
    "<title>J3, reduce task 1, 20 to 20 ms, unfinished</title>")
check.is_true("without a line at its end", not stopped:find('class="end"', 1, true))

-- Low panels have short names beside them, which do not touch.
check.contains("of maps", stopped, ">maps</text>")
check.contains("of reduces", stopped, ">reduces</text>")
check.contains("long ones where there is room", alike, ">map slots of nodes</text>")

-- Nothing finished, and nothing is left: there is no finish to mark.
local failed = chart("failed", {
    header(nodes(1, 1, 0)), of_job(0, "accept", 1), of_job(0, "accept", 2),
    of_task(0, "launch", 1, "map", 1, 0),
    of_task(9, "fail", 1, "map", 1, 0), of_job(9, "job_failed", 1), of_job(9, "job_failed", 2),
    ending(0),
})
check.contains("jobs without bars are counted", failed, ">fifo, no job finished</text>")
check.contains("both of them", failed,
    ">1 map slot, 2 jobs, 1 node, 1 attempt failed, 2 jobs failed</text>")
check.is_true("no line at an end", not failed:find('class="end"', 1, true))

-- The second node comes late with one of its slots, and drains at last.
local function resized(time, node, maps)
    return string.format('{"time":%d,"event":"node_resize","node":%d,"map_slots":%d,'
        .. '"reduce_slots":0}', time, node, maps)
end
local RESIZED = {
    (header(nodes(2, 2, 0)):gsub('"nodes"', '"measured":true,"nodes_absent":1,"nodes"')),
    of_job(0, "accept", 1), of_task(0, "launch", 1, "map", 1, 0),
    resized(10, 1, 1), of_task(10, "launch", 1, "map", 2, 1), resized(20, 1, 0),
    of_task(40, "end", 1, "map", 2, 1), of_task(50, "end", 1, "map", 1, 0), finish(1, 50),
    ending(50),
}
local drained = chart("drained", RESIZED)
check.equal("slots that are not there: two, one, one while it drains, two", count(drained,
    'class="down"/>'), 4)
local REFUSED = { "map_slots must be an integer in 0..2", "node 1 has no free map slot" }
for i, message in ipairs(REFUSED) do
    local copy = table.move(RESIZED, 1, #RESIZED, 1, {})
    copy[4] = resized(10, 1, i == 1 and 3 or 0)
    local path = program.file("refused.log", table.concat(copy, "\n") .. "\n")
    local _, messages = program.run { "gantt", path, "--output", path .. ".svg" }
    check.contains("what no slot is there for", messages, message)
end

-- A host cancels one job that runs and one that does not.
local cancelled = chart("cancelled", {
    header(nodes(1, 1, 0)), of_job(0, "accept", 1), of_job(0, "accept", 2),
    of_task(0, "launch", 1, "map", 1, 0),
    of_task(9, "drop", 1, "map", 1, 0), of_job(9, "job_cancelled", 1),
    of_job(9, "job_cancelled", 2), ending(0),
})
check.contains("cancelled jobs are counted", cancelled,
    ">1 map slot, 2 jobs, 1 node, 1 attempt dropped, 2 jobs cancelled</text>")

-- What is too long for a line continues below, and the panels with it.
local LONG = { header(nodes(1, 5, 1)), of_job(0, "accept", 1), of_job(0, "reject", 2) }
for task, event in ipairs { "kill", "fail", "lose", "drop" } do
    LONG[#LONG + 1] = of_task(0, "launch", 1, "map", task, 0)
    LONG[#LONG + 1] = of_task(0, event, 1, "map", task, 0)
end
local long = chart("long", program.joined(LONG, { finish(1, 7), ending(7) }), "--title", "T")
local first_line, second = long:match(
    '<text x="64" y="42" class="small">([^<]+)</text>\n'
    .. '<text x="64" y="56" class="small">([^<]+)</text>')
check.equal("in two lines", (first_line or "") .. "|" .. (second or ""),
    "fifo, mean response time 0.007 s; 5 map slots, 1 reduce slot, 1 job, 1 node, 1 attempt "
    .. "killed, 1 attempt failed, 1 attempt lost,|1 attempt dropped, 1 job rejected: J2")
check.contains("the panels begin below", long, '<rect x="64" y="82" ')

-- ---- suspended and second attempts --------------------------------------------------------------

-- Map 1 of job 1 is suspended for job 2 and resumes; its map 2 has a copy, which is the first to
-- end. Node 2 goes down with an attempt that is suspended, which has no bar then.
local PAUSED = {
    header(nodes(3, 1, 0)), of_job(0, "accept", 1), of_task(0, "launch", 1, "map", 1, 0),
    of_task(0, "launch", 1, "map", 2, 1), of_task(0, "launch", 1, "map", 3, 2),
    of_job(1000, "accept", 2), of_task(1000, "suspend", 1, "map", 1, 0),
    of_task(1000, "suspend", 1, "map", 3, 2), of_task(1000, "launch", 2, "map", 1, 0),
    of_task(1500, "lose", 1, "map", 3, 2), of_node(1500, "node_down", 2),
    of_task(2000, "end", 2, "map", 1, 0), finish(2, 2000), of_task(2000, "resume", 1, "map", 1, 0),
    of_task(4000, "end", 1, "map", 1, 0), of_task(4000, "launch", 1, "map", 2, 0, 1),
    of_task(5000, "end", 1, "map", 2, 0, 1), of_task(5000, "cancel", 1, "map", 2, 1),
    of_task(5000, "launch", 1, "map", 3, 1, 1), of_task(6000, "end", 1, "map", 3, 1, 1),
    finish(1, 6000), ending(6000),
}
local paused = chart("paused", PAUSED)
check.contains("what was suspended and copied", paused,
    "1 attempt lost, 2 attempts suspended,")
check.contains("and cancelled", paused, "1 attempt copied, 1 attempt cancelled")
check.contains("until it is suspended", paused,
    'fill="url(#suspended)"><title>J1, map task 1, 0 to 1000 ms, suspended</title>')
check.contains("after it has resumed", paused, "<title>J1, map task 1, 2000 to 4000 ms</title>")
check.contains("the slower one", paused,
    'fill="url(#cancelled)"><title>J1, map task 2, 0 to 5000 ms, cancelled</title>')
-- A bar with a mark is drawn twice.
check.equal("one bar of what is lost while suspended, and one of the next attempt",
    count(paused, "<title>J1, map task 3, 0 to 1000 ms, suspended")
        .. count(paused, "<title>J1, map task 3, 5000 to 6000 ms")
        .. count(paused, "<title>J1, map task 3, "), "213")
for what, entry in pairs {
    ["is suspended"] = of_task(1000, "end", 1, "map", 1, 0),
    ["does not run on node 1"] = of_task(1000, "resume", 1, "map", 1, 1),
    ["runs already"] = of_task(1000, "launch", 1, "map", 1, 1, 1),
} do
    local wrong = program.file("wrong.log", table.concat({ header(nodes(3, 1, 0)),
        of_job(0, "accept", 1), of_task(0, "launch", 1, "map", 1, 0),
        of_task(1000, "suspend", 1, "map", 1, 0), entry }, "\n") .. "\n")
    program.fails("a wrong log: " .. what, { "gantt", wrong, "--output", program.file("w.svg") },
        1, wrong .. ":5: map task 1 of job 1 " .. what)
end

-- ---- deadlines ----------------------------------------------------------------------------------

local function told(time, event, job, estimate, deadline)
    return string.format('{"time":%d,"event":"%s","job":%d,"estimate":%d,"deadline":%d}', time,
        event, job, estimate, deadline)
end

-- Job 1 loses its node and misses its deadline, 2 is rejected, 3 is found to be late and is not in
-- the end, 4 fails, 5 has none.
local PROMISED = {
    header(nodes(2, 2, 0)), told(0, "accept", 1, 9000, 10000), of_task(0, "launch", 1, "map", 1, 1),
    told(1000, "reject", 2, 30000, 20000), told(1000, "accept", 3, 11000, 12000),
    of_task(1000, "launch", 3, "map", 1, 0),
    of_job(2000, "accept", 5), of_task(3000, "lose", 1, "map", 1, 1), of_node(3000, "node_down", 1),
    told(3000, "late", 1, 12000, 10000), told(3000, "late", 3, 14000, 12000),
    of_task(3000, "launch", 1, "map", 1, 0, 1),
    told(4000, "accept", 4, 99000, 90000), of_task(8000, "end", 3, "map", 1, 0), finish(3, 8000),
    of_task(8000, "launch", 4, "map", 1, 0), of_task(9000, "fail", 4, "map", 1, 0),
    of_job(9000, "job_failed", 4),
    of_task(9000, "launch", 5, "map", 1, 0), of_task(11000, "end", 5, "map", 1, 0),
    finish(5, 11000),
    of_task(12000, "end", 1, "map", 1, 0, 1), finish(1, 12000), ending(12000),
}
local promised, promised_log = chart("promised", PROMISED)
check.contains("what came of deadlines", promised,
    "1 job failed, 1 job rejected: J2, 2 jobs late: J1 J3, 1 deadline met,</text>")
check.contains("… and its promise", promised, ">1 deadline missed: J1</text>")
check.contains("a mark at one that was missed", promised,
    'd="M-4 -8h8l-4 8z" fill="#0072B2" stroke="#404040" stroke-width="0.8">'
    .. "<title>J1, deadline 10000 ms: missed, estimated finish 9000 ms, late at 3000 ms</title>")
check.contains("… at one that was met, behind the end", promised,
    "<title>J3, deadline 13000 ms: met, estimated finish 11000 ms, late at 3000 ms</title>")
check.contains("… and where a job was rejected", promised,
    "<title>J2, rejected at 1000 ms, deadline 21000 ms, "
    .. "estimated finish 30000 ms</title>")
check.is_true("none where the axis does not reach", not promised:find("deadline 94000", 1, true))
check.equal("a mark where each was late, and in the legend", count(promised, 'd="M0 0l4 '), 3)
check.contains("the legend names those that missed theirs", promised, ">J1 missed</text>")
check.contains("… and those that were late", promised, ">J3 late</text>")
for _, name in ipairs { "deadline", "late", "rejected" } do
    check.contains("the legend explains: " .. name, promised, ">" .. name .. "</text>")
end
for name, stretch in next, { ["beside no work at all"] = { "13000", "13500" },
        ["beside work of others"] = { "9500", "94000" } } do
    local part = program.file "part.svg"
    program.succeed(name, { "gantt", promised_log, "--from", stretch[1], "--to", stretch[2],
        "--output", part })
    check.contains("a deadline " .. name .. " has the colour of no job", check.read_file(part),
        'd="M-4 -8h8l-4 8z" fill="#B9B9B9" stroke="#404040" stroke-width="0.8"><title>J3,')
end
check.equal("charts without deadlines have no marks", count(svg, "M%-4 %-8h8"), 0)

local of_jobs = {}
for _, event in ipairs(trace("promised", promised_log).traceEvents) do
    if event.pid == 2 and event.ph ~= "M" then of_jobs[#of_jobs + 1] = event end
    if event.pid == 2 and event.name == "process_name" then
        check.equal("a process for deadlines", event.args.name, "deadlines")
    end
end
local function written(event)
    return string.format("%s %s %d %d%s", event.ph, event.name, event.tid, event.ts,
        event.dur and " " .. event.dur or "")
end
local lines = {}
for i, event in ipairs(of_jobs) do lines[i] = written(event) end
check.equal("its events", table.concat(lines, ", "),
    "X J1 1 0 12000000, i deadline 1 10000000, i late 1 3000000, "
    .. "i rejected 2 1000000, X J3 3 1000000 7000000, i deadline 3 13000000, i late 3 3000000, "
        .. "X J4 4 4000000 5000000, i deadline 4 94000000")
check.equal("what is known of a job", of_jobs[1].args.state, "missed")
check.equal("… when it came", of_jobs[1].args.estimate, 9000)

-- Of many jobs the first are named, and marks that cannot be told apart are left out.
local CROWD = { header(nodes(1, 1, 0)), of_job(0, "accept", 1),
    of_task(0, "launch", 1, "map", 1, 0) }
for job = 2, 500 do CROWD[job + 2] = told(0, "reject", job, 9, 1) end
local crowd = chart("crowd",
    program.joined(CROWD, { of_task(7, "end", 1, "map", 1, 0), finish(1, 7), ending(7) }))
check.contains("named", crowd, ", 499 jobs rejected: J2 J3 J4 J5 J6 J7 J8 J9 …</text>")
check.equal("without marks", count(crowd, "<path"), 0)

-- ---- more than can be told apart ----------------------------------------------------------------

-- 500 nodes, and 40 jobs whose tasks all differ.
local MANY, state = { header(nodes(500, 5, 1)) }, 7
for job = 1, 40 do MANY[#MANY + 1] = of_job(0, "accept", job) end
local ends = {}
for node = 0, 499 do
    for slot = 1, 5 do
        local job, task = (node + slot) % 40 + 1, node * 5 + slot
        state = (state * 1103515245 + 12345) % 2147483648
        MANY[#MANY + 1] = of_task(0, "launch", job, "map", task, node)
        ends[#ends + 1] = { 1000 + state % 9000, job, task, node }
    end
end
table.sort(ends, function(a, b)
    if a[1] ~= b[1] then return a[1] < b[1] end
    return a[3] < b[3]
end)
local last = {}
for _, at in ipairs(ends) do
    MANY[#MANY + 1] = of_task(at[1], at[3] % 9 == 0 and "kill" or "end", at[2], "map", at[3], at[4])
    last[at[2]] = at[1]
end
for job = 1, 40 do MANY[#MANY + 1] = finish(job, 10000) end
MANY[#MANY + 1] = ending(10000)
local many = chart("many", MANY)
check.is_true("the figure does not grow with the log: " .. #many, #many < 500000)
check.equal("no rectangle for each attempt", count(many, "<rect[^>]*><title>"), 0)
check.equal("shares of the largest jobs, and of the others", count(many, 'class="share"'), 9)
check.contains("what was killed is said", many, "attempts killed")
local lane = many:match '<path class="mark" d="([^"]*)"><title>killed: ' or ""
local columns, kills = {}, 0
for _, at in ipairs(ends) do
    if at[3] % 9 == 0 then
        columns[at[1] / (10000 * 1.03) * 766 // 1], kills = true, kills + 1
    end
end
local marked = 0
for _ in pairs(columns) do marked = marked + 1 end
check.equal("a mark in each column where one was", count(lane, "M"), marked)
check.contains("with all of them", many, "<title>killed: " .. kills .. "</title>")
check.contains("the lane has a name", many, ">killed</text>")
check.contains("machines are counted", many, ">2000</text>")

-- ---- logs of runs -------------------------------------------------------------------------------

local WORK = {
    { submit = 0, maps = 20, reduces = 4, map_ms = 4000, remote_ms = 500, reduce_ms = 3000,
        shuffle_ms = 2000 },
    { submit = 6000, maps = 3, reduces = 1, map_ms = 2000, remote_ms = 500, reduce_ms = 1000 },
    { submit = 9000, maps = 6, map_ms = 1000 },
}
for _, run in ipairs {
    { policy = "fifo" }, { policy = "fair", params = { heartbeat_ms = 3000, factor_lo = 700 } },
    { policy = "hsrtf-pup" },
    { policy = "hsrtf-prp",
        failures = { { time = 5000, node = 1, recover = 12000 }, { time = 30000, node = 0 } } },
    { policy = "hsrtf-pu", params = { attempt_fail_permille = 200, attempts_max = 2 } },
} do
    local path = program.file "run.log"
    local result = pinion.run { model = "cluster", policy = run.policy, params = run.params,
        failures = run.failures,
                                nodes = { { count = 3, map_slots = 2, reduce_slots = 1 } },
                                workload = WORK, log = path,
                                quiet = true }
    pinion.gantt(path, program.file "run.svg")
    local drawing = check.read_file(program.file "run.svg")
    if result.finished > 0 then
        check.contains("mean response time of " .. run.policy, drawing,
            string.format(">%s, mean response time %s", run.policy,
            tostring(result.mean_makespan / 1000):sub(1, 5)))
    end
    check.equal("kills of " .. run.policy, tonumber(drawing:match "(%d+) attempts? killed" or 0),
        result.kills)
    check.equal("lost attempts of " .. run.policy,
        tonumber(drawing:match "(%d+) attempts? lost" or 0), result.lost)
    pinion.gantt(path, program.file "run.json")
    local made = check.read_file(program.file "run.json")
    check.equal("bars of " .. run.policy,
        count(made, '"cat": "map"') + count(made, '"cat": "reduce"'), result.launches)
end

-- What results and charts say of deadlines is the same.
local URGENT = {}
for i = 1, 30 do
    URGENT[i] = { submit = 3000 * i, maps = 1 + i % 5, reduces = i % 3, map_ms = 4000,
        reduce_ms = 3000, deadline = 9000 + 4000 * (i % 7) }
end
local seen = { rejected = 0, late = 0, missed = 0 }
for _, policy in ipairs { "rtmr", "rtmr-live", "dc", "fifo" } do
    local path = program.file "urgent.log"
    local result = pinion.run { model = "cluster", policy = policy, nodes = "3x2x1",
        workload = URGENT, log = path, quiet = true,
                                failures = { { time = 20000, node = 1, recover = 60000 },
                                    { time = 22000, node = 2, recover = 50000 } } }
    pinion.gantt(path, program.file "urgent.svg")
    local drawing = check.read_file(program.file "urgent.svg")
    local missed = result.finished - result.successful
    for words, number in pairs { ["jobs? rejected"] = result.rejected,
        ["deadlines? met"] = result.successful,
                                 ["deadlines? missed"] = missed } do
        check.equal(words .. " under " .. policy, tonumber(drawing:match("(%d+) " .. words) or 0),
            number)
    end
    check.equal("jobs that are late under " .. policy, drawing:find "%d jobs? late" ~= nil,
        (result.late or 0) > 0)
    seen.rejected, seen.late, seen.missed = seen.rejected + result.rejected,
        seen.late + (result.late or 0), seen.missed + missed
    pinion.gantt(path, program.file "urgent.json")
    check.equal("rows of jobs under " .. policy,
        count(check.read_file(program.file "urgent.json"), '"name": "deadline"'), result.accepted)
end
for what, number in pairs(seen) do check.is_true("there are such jobs: " .. what, number > 0) end

-- ---- what is no such log ------------------------------------------------------------------------

local ONE = header(nodes(1, 1, 1))
local COME, START = of_job(0, "accept", 1), of_task(0, "launch", 1, "map", 1, 0)
for _, mistake in ipairs {
    { { '{"pinion_log":1,"model":"cluster"}' }, "1: nodes must be an array" },
    { { header "" }, "1: nodes must be an array" },
    { { header "7" }, "1: nodes[1] must be an object" },
    { { header(nodes(0, 1, 1)) }, "1: nodes[1].count must be an integer in 1..4194304, got 0" },
    { { header '{"count":1,"map_slots":1}' },
        "1: nodes[1].reduce_slots must be an integer in 0..65536, got nothing" },
    { { header(nodes(2, 0, 1)) }, "1: nodes without a map slot" },
    { { ONE, START }, "2: job 1 has not come" },
    { { ONE, COME, COME }, "3: job 1 comes twice" },
    { { ONE, COME, START, START }, "4: map task 1 of job 1 runs already" },
    { { ONE, COME, START, of_task(0, "launch", 1, "map", 2, 0) },
        "4: node 0 has no free map slot" },
    { { ONE, COME, of_task(0, "launch", 1, "map", 1, 1) }, "3: there is no node 1" },
    { { ONE, COME, of_task(0, "launch", 1, "sort", 1, 0) },
        '3: field "kind": expected map or reduce, got "sort"' },
    { { ONE, COME, of_task(0, "launch", 1, "map", 0, 0) },
        '3: field "task": expected an integer in 1..4294967295, got 0' },
    { { ONE, COME, of_task(0, "end", 1, "map", 1, 0) },
        "3: map task 1 of job 1 does not run on node 0" },
    { { ONE, COME, START, of_task(1, "end", 1, "map", 1, 0), of_task(1, "launch", 1, "map", 1, 0) },
      "5: map task 1 of job 1 is done" },
    { { ONE, COME, of_task(1, "rerun", 1, "map", 1, 0) }, "3: map task 1 of job 1 is not done" },
    { { ONE, of_node(0, "node_down", 0), COME, START }, "4: node 0 is down" },
    { { ONE, of_node(0, "node_up", 0) }, "2: node 0 is up already" },
    { { ONE, of_node(0, "node_up", 1) }, "2: there is no node 1" },
    { { ONE, of_job(5, "accept", 1), of_job(4, "accept", 2) },
        "3: lines must be in order of time" },
    { { ONE, COME, START, finish(1, 3) }, "4: job 1 is over while tasks of it run" },
    { { ONE, COME, finish(1, 3), of_task(3, "launch", 1, "map", 1, 0) }, "4: job 1 is over" },
    { { ONE, '{"time":-1,"event":"accept","job":1}' },
        '2: field "time": expected an integer in 0..2^53, got -1' },
    { { ONE, '{"time":0,"event":"accept","job":"1"}' },
        '2: field "job": expected an integer in 1..2^53, got "1"' },
    { { ONE, told(0, "accept", 1, 5, 0) },
        '2: field "deadline": expected an integer in 1..2^53, got 0' },
    { { ONE, told(0, "accept", 1, -1, 5) },
        '2: field "estimate": expected an integer in 0..2^53, got -1' },
    { { ONE, COME, told(0, "late", 1, 5, 4) }, "3: job 1 has no deadline" },
    { { ONE, told(0, "reject", 1, 5, 4), told(0, "late", 1, 5, 4) }, "3: job 1 is over" },
    { { ONE, '{"time":0,"event":"pause","job":1}' }, '2: field "event": unknown word "pause"' },
    { { ONE, '{"note":1}' }, '2: field "event" is missing' },
    { { ONE, COME, finish(1, 3), ending(4) },
        "4: the end is not the last finish (expected 3, got 4)" },
    { { ONE, COME }, '3: the log ends without its last line (expected "end" and "digest")' },
} do
    local path, output = program.file("bad.log", table.concat(mistake[1], "\n")),
        program.file "bad.svg"
    program.fails(mistake[2], { "gantt", path, "--output", output }, 1, path .. ":" .. mistake[2])
    check.is_true("no figure is begun: " .. mistake[2], not io.open(output))
end

-- Lines that look otherwise say the same.
local spaced = {}
for i, written in ipairs(LINES) do spaced[i] = written:gsub(",", ", ") end
check.equal("lines with blanks", chart("spaced", spaced), svg)

check.done()
