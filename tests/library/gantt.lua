-- `pinion gantt`: what a decision log says ends up in the chart and in the trace events, however
-- many rows and tasks there are; and what is no such log is refused with its place.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local figure = require "figure"
local gantt_trace = require "pinion.output.gantt.trace"
local reader = require "pinion.output.log"
local pinion = require "pinion"
local program = require "program"

local count, check_xml = figure.count, figure.check_xml

-- ---- logs written by hand -----------------------------------------------------------------------

local HEADER =
    '{"pinion_log":1,"model":"makespan","policy":"%s","params":{},"scenario":"0","level":"%s",'
    .. '"map_slots":%d,"reduce_slots":%d,"ticks":1,"stage_time":"waves_req","share":"conserving",'
    .. '"cap":"%s","task_order":"listed","resplit":0%s}'

local function header(fields)
    return string.format(HEADER, fields.policy or "mk_jr", fields.level or "task", fields.maps,
        fields.reduces,
        fields.cap or "none", fields.more or "")
end

local function shown(time)
    return type(time) == "string" and '"' .. time .. '"' or tostring(time)
end

local function line(kind, job, task, slot, from, to)
    return string.format('{"start":%s,"end":%s,"job":%d,"kind":"%s","task":%d,"slot":%d}',
        shown(from), shown(to), job, kind,
        task, slot)
end

local function finish(job, time)
    return string.format('{"time":%s,"job":%d,"finish":true}', shown(time), job)
end

local function value_of(time)
    local num, den = time:match "^(%d+)/(%d+)$"
    return num and num / den or tonumber(time)
end

-- The lines of a whole log: all jobs finish with their last tasks, and the run with them.
local function ended(lines)
    local last, ids, finish_of_all = {}, {}, "0"
    for _, written in ipairs(lines) do
        local to, job = written:match '"end":"?([%d/]+)"?,"job":(%d+)'
        if to and not last[job] then ids[#ids + 1] = job end
        if to and (not last[job] or value_of(to) > value_of(last[job])) then last[job] = to end
    end
    local function shown_text(time)
        return time:find("/", 1, true) and '"' .. time .. '"' or time
    end
    for _, id in ipairs(ids) do
        lines[#lines + 1] = string.format('{"time":%s,"job":%s,"finish":true}',
            shown_text(last[id]), id)
        if value_of(last[id]) > value_of(finish_of_all) then finish_of_all = last[id] end
    end
    lines[#lines + 1] =
        string.format('{"end":%s,"digest":"0000000000000000"}',
        shown_text(finish_of_all))
    return lines
end

local function log_file(name, lines)
    return program.file(name, table.concat(lines, "\n") .. "\n")
end

-- Five jobs on 30 x 30 slots: job, slots, maps from and to, reduces from and to.
local EXAMPLE = { { 2, 30, 0, 1, 1, 5 }, { 5, 30, 1, 3, 5, 8 }, { 1, 30, 3, 7, 8, 13 },
    { 4, 20, 7, 13, 13, 43 },
                  { 3, 20, 13, 43, 43, 47 } }

-- In order of start, maps before reduces; `factor` times as many slots.
local function example_lines(factor)
    local starts = {}
    for _, job in ipairs(EXAMPLE) do
        starts[#starts + 1] = { "map", job[1], job[2] * factor, job[3], job[4] }
        starts[#starts + 1] = { "reduce", job[1], job[2] * factor, job[5], job[6] }
    end
    table.sort(starts, function(a, b)
        if a[4] ~= b[4] then return a[4] < b[4] end
        return a[1] < b[1]
    end)
    local lines = { header { maps = 30 * factor, reduces = 30 * factor, cap = "requested" } }
    for _, start in ipairs(starts) do
        for slot = 1, start[3] do
            lines[#lines + 1] = line(start[1], start[2], slot, slot, start[4], start[5])
        end
    end
    return ended(lines)
end

local function chart(name, lines, ...)
    local log, output = log_file(name .. ".log", lines), program.file(name .. ".svg")
    program.succeed(name, { "gantt", log, "--output", output, ... })
    local svg = check.read_file(output)
    check_xml(name, svg)
    return svg, log
end

-- ---- a chart ------------------------------------------------------------------------------------

local svg, log = chart("example", example_lines(1))
check.contains("title", svg, ">mk_jr, makespan 47</text>")
check.contains("what the run was", svg,
    ">30 map slots, 30 reduce slots, 5 jobs, at most the requested slots</text>")
check.equal("equal tasks side by side are one rectangle", count(svg, "<title>"), 10)
check.contains("what a rectangle is", svg, "<title>J3, 20 map tasks, 13 to 43</title>")
for id = 1, 5 do
    check.equal("J" .. id .. " is named in both panels and in the legend",
        count(svg, ">J" .. id .. "</text>"), 3)
end
check.contains("ticks in nice steps", svg, ">45</text>")
check.is_true("no tick in between", not svg:find(">44</text>", 1, true))

-- The same schedule on many slots is the same picture.
local wide = chart("wide", example_lines(300))
check.equal("rectangles of 9000 slots", count(wide, "<title>"), 10)
check.is_true("no larger figure", math.abs(#wide - #svg) < 1000)

local titled = chart("titled", example_lines(1), "--title", "a < b & c > \"d\"\n")
check.contains("a title is text", titled, ">a &lt; b &amp; c &gt; &quot;d&quot;\\n</text>")
check.contains("policy and makespan below it", titled,
    ">mk_jr, makespan 47; 30 map slots, 30 reduce slots, 5 jobs, ")

-- Fractions, a task alone on its slot, a gap between slots.
local FEW = {
    header { policy = "uaas", maps = 3, reduces = 2 }, line("map", 1, 1, 1, 0, "7/2"),
    line("map", 1, 2, 3, 0, "7/2"),
    line("map", 2, 1, 2, 0, 1), line("reduce", 2, 1, 1, 1, "107/3"), finish(1, "7/2"),
    finish(2, "107/3"),
    '{"end":"107/3","digest":"0000000000000000"}',
}
local few = chart("few", FEW)
check.contains("an exact makespan", few, ">uaas, makespan 107/3 (35.667)</text>")
check.contains("one task", few, "<title>J1, map task 2, 0 to 7/2</title>")
check.equal("tasks on slots apart are two rectangles", count(few, "<title>J1"), 2)

-- A stage is as tall as its pool.
local POOLS = {
    header { policy = "balanced_pools", level = "stage", maps = 30, reduces = 60,
             more = ',"pools":[{"nodes":1,"jobs":[2]},{"nodes":2,"jobs":[1]}]' },
    line("map", 2, 1, 1, 0, 3), line("map", 1, 1, 2, 0, 6), line("reduce", 2, 1, 1, 3, 9),
    line("reduce", 1, 1, 2, 6, 7),
}
local pools = chart("pools", ended(POOLS))
check.contains("pools are named", pools, ">pool 2</text>")
check.contains("the level is said", pools, ", stage level</text>")
local small, large = pools:match 'height="([%d.]+)"><title>J2, map',
    pools:match 'height="([%d.]+)"><title>J1, map'
check.is_true("two nodes are twice as tall as one",
    math.abs(tonumber(large) / tonumber(small) - 2) < 0.01)

-- A run that takes no time, and one that was stopped.
check.contains("no time",
    chart("instant", ended { header { maps = 1, reduces = 1 }, line("map", 1, 1, 1, 0, 0) }),
    ", makespan 0</text>")
local STOPPED = { header { maps = 1, reduces = 1 }, line("map", 1, 1, 1, 0, 4),
    line("map", 2, 1, 1, 4, 9), finish(1, 4),
                  '{"end":4,"digest":"0000000000000000"}' }
local stopped = chart("stopped", STOPPED)
check.contains("a run that was stopped", stopped, ">mk_jr, makespan 4 (so far)</text>")
check.contains("and says so", stopped,
    ">1 map slot, 1 reduce slot, 2 jobs, stopped before 1 job finished</text>")
check.is_true("without a line at its end", not stopped:find('class="end"', 1, true))

-- ---- more than can be told apart ----------------------------------------------------------------

-- 2000 slots, 60 jobs: all tasks differ.
local function crowd(slots, jobs)
    local lines, starts = { header { maps = slots, reduces = slots } }, {}
    for slot = 1, slots do
        local time = 0
        for wave = 1, 6 do
            local length = 5 + (slot * 7 + wave * 13) % 11
            starts[#starts + 1] = { time, wave % jobs + 1 + 6 * (slot % (jobs // 6)), wave, slot,
                time + length }
            time = time + length
        end
    end
    table.sort(starts, function(a, b)
        if a[1] ~= b[1] then return a[1] < b[1] end
        return a[4] < b[4]
    end)
    for i, start in ipairs(starts) do
        lines[i + 1] = line("map", start[2], 10 * start[4] + start[3], start[4], start[1], start[5])
    end
    return ended(lines)
end

local many = chart("many", crowd(2000, 60))
check.is_true("the figure does not grow with the log: " .. #many, #many < 1000000)
check.equal("no rectangle for each task", count(many, "<rect[^>]*><title>"), 0)
check.equal("a share for each of the largest jobs, and one for the others", count(many,
    'class="share"'), 9)
check.contains("more jobs than colours share one", many, ">52 other jobs</text>")

-- Areas are where their tasks are: one job on the first half of the rows, for half of the time.
local halves = { header { maps = 4000, reduces = 1 } }
local worked = 0
for slot = 1, 2000 do
    -- Every other slot ends a little later, so that nothing can be merged.
    local length = slot % 2 == 0 and 100 or 101
    halves[#halves + 1] = line("map", 1, slot, slot, 0, length)
    worked = worked + length
end
halves[#halves + 1] = line("map", 2, 1, 1, 101, 202)
local half = chart("half", ended(halves))
local tall = tonumber(
    half:match '<rect x="64" y="[%d.]+" width="[%d.]+" height="([%d.]+)" class="panel"')
local areas, all = figure.shares(half)
local point = 766 / (202 * 1.03) * tall / 4000 -- square points of a slot in a unit of time
check.is_true("the area of a job is what it works", math.abs(areas.J1 / point / worked - 1)
    < 1e-4)
check.is_true("of one task, too, within the digits of a path",
    math.abs(areas.J2 / point - 101) < 40)
check.is_true("and all of them what is in use", math.abs(all / point / (worked + 101) - 1) < 1e-4)
check.matches("what it is in the mean", half, "<title>J1: 995%.05 map slots in the mean</title>")

-- ---- trace events -------------------------------------------------------------------------------

local function trace(name, lines)
    local path, output = log_file(name .. ".log", lines), program.file(name .. ".json")
    program.succeed(name .. ", trace", { "gantt", path, "--output", output, "--title", "T" })
    return assert(core.json_decode(check.read_file(output), output))
end

local events = trace("few", FEW)
check.equal("unit", events.displayTimeUnit, "ms")
check.equal("title", events.otherData.title, "T")
local tasks, names, counted = {}, {}, {}
for _, event in ipairs(events.traceEvents) do
    if event.ph == "C" then
        counted[event.name] = (counted[event.name] or "") .. string.format("%g:%d ",
            event.ts / 1e6, event.args.jobs or event.args["in use"])
    end
    if event.ph == "X" then tasks[#tasks + 1] = event end
    if event.ph == "M" and event.args.name then
        names[#names + 1] = event.pid .. ":" .. event.tid .. " " .. event.args.name
    end
end
check.equal("names of processes and threads", table.concat(names, ", "),
    "1:0 map slots, 2:0 reduce slots, 1:1 slot 1, 1:3 slot 3, 1:2 slot 2, 2:1 slot 1, "
    .. "4:0 over time")
check.equal("jobs over time", counted["jobs in the system"],
    "0:2 3.5:1 35.6667:0 ")
check.equal("maps over time", counted["map slots"], "0:3 1:2 3.5:0 ")
check.equal("reduces over time", counted["reduce slots"], "0:0 1:1 35.6667:0 ")
check.equal("a task each", #tasks, 4)
check.equal("its name", tasks[4].name, "J2")
check.equal("its kind", tasks[4].cat, "reduce")
check.equal("where", tasks[4].pid .. ":" .. tasks[4].tid, "2:1")
check.equal("when", tasks[4].ts, 1000000)
check.is_true("how long, as the nearest double", math.abs(tasks[4].dur - 104e6 / 3) < 1e-7)
check.equal("exactly", tasks[4].args["end"], "107/3")
local large_times = trace("large",
    ended { header { maps = 1, reduces = 1 }, line("map", 1, 1, 1, 0, "9007199254740993/2") })
for _, event in ipairs(large_times.traceEvents) do
    if event.ph == "X" then
        check.equal("a time with more digits than a double", event.dur, 4503599627370496.5 * 1e6)
    end
end

-- Who knows the jobs' groups has them in the events.
local of_groups = {}
gantt_trace.write(log_file("groups.log", FEW), reader.chart(program.file "groups.log"),
    { group_of = function(job) return job == 2 and 'wide, "or so"' or nil end },
    function(text) of_groups[#of_groups + 1] = text end)
for _, event in ipairs(core.json_decode(table.concat(of_groups), "groups").traceEvents) do
    if event.ph == "X" then
        check.equal("group of job " .. event.args.job, event.args.group,
            event.args.job == 2 and 'wide, "or so"' or nil)
        check.contains("categories of job " .. event.args.job, event.cat .. ";",
            event.args.job == 2 and ',wide  "or so";' or event.cat .. ";")
    end
end

-- ---- logs of runs -------------------------------------------------------------------------------

local BATCH = { { maps = { 3, "7/2", 4 }, reduces = { 7 } },
    { maps = { 2, 2 }, reduces = { 1, 6 } }, { maps = { 1 } } }
local function tasks_of(batch)
    local number = 0
    for _, job in ipairs(batch) do number = number + #job.maps + #(job.reduces or {}) end
    return number
end

for _, run in ipairs {
    { policy = "uaas", level = "task", bars = tasks_of(BATCH) },
    { policy = "uaas", level = "stage", bars = 5 },
    { policy = "balanced_pools", level = "task", params = { bp_allow_single = false },
        bars = tasks_of(BATCH) },
    { policy = "balanced_pools", level = "stage", params = { bp_allow_single = false }, bars = 5 },
    { policy = "exact", level = "task", bars = tasks_of(BATCH) },
    { policy = "mk_jr", level = "task", params = { resplit = 2 }, bars = 5 * 8 },
} do
    local name = run.policy .. ", level " .. run.level
    local path, output = program.file "run.log", program.file "run.svg"
    local result = pinion.run { model = "makespan", policy = run.policy, level = run.level,
        params = run.params, map_slots = 4,
                                reduce_slots = 4, workload = BATCH, log = path, quiet = true }
    pinion.gantt(path, output)
    local drawing = check.read_file(output)
    check_xml(name, drawing)
    check.contains("makespan of " .. name, drawing,
        string.format(">%s, makespan %s", run.policy, result.makespan_exact
        or math.tointeger(result.makespan)))
    check.equal("pools of " .. name, drawing:find(">pool 2<", 1, true) ~= nil,
        run.policy == "balanced_pools")
    pinion.gantt(path, program.file "run.json")
    check.equal("bars of " .. name, count(check.read_file(program.file "run.json"), '"ph": "X"'),
        run.bars)
end

-- ---- the library --------------------------------------------------------------------------------

local drawn = program.file "library.svg"
check.equal("pinion.gantt returns nothing", pinion.gantt(log, drawn), nil)
check.equal("the library draws the same", check.read_file(drawn), svg)
for _, mistake in ipairs {
    { { 7, drawn }, "gantt: the log's file name must be a string, got 7" },
    { { log, "chart.png" }, "gantt: file name must end in .svg or .json, got 'chart.png'" },
    { { log, drawn, { size = 1 } },
        "gantt: size: unknown option (known: from, group, job, node, title, to)" },
    { { log, drawn, { title = 5 } }, "gantt: title: must be a string, got 5" },
    { { log, drawn, "big" }, "gantt: expected a table of options, got 'big'" },
    { { "same.json", "same.json" }, "gantt: same.json is read (expected another file)" },
} do
    check.raises(mistake[2], mistake[2], pinion.gantt, table.unpack(mistake[1]))
end
local without = program.file("without.log", '{"pinion_log":1,"model":"slotted"}\n')
check.raises("a log that does not say enough", without .. ":1: logs of the slotted model do not "
    .. "contain arrival times (give the workload too, or use `gantt` of the run's result)",
    pinion.gantt, without, drawn)
program.fails("nor on the command line", { "gantt", without, "--output", drawn }, 2,
    "pinion: " .. without .. ": logs of the slotted model do not contain arrival times (give the "
        .. "scenario or --workload too, as for `pinion verify`)")

-- ---- what is no such log ------------------------------------------------------------------------

program.fails("no output", { "gantt", log }, 2,
    "pinion: --output FILE is missing (.svg: a chart; .html: a page; .json: trace "
    .. "events for Perfetto)")
program.fails("no log", { "gantt", "/no/such.log", "--output", drawn }, 2,
    "pinion: /no/such.log: No such file or directory")

local ONE = { header { maps = 1, reduces = 1 }, line("map", 1, 1, 1, 0, 2), finish(1, 2),
    '{"end":2,"digest":"0000000000000000"}' }
local TWO_POOLS = header { maps = 2, reduces = 2,
    more = ',"pools":[{"nodes":1,"jobs":[2]},{"nodes":1,"jobs":[1]}]' }

-- A log with other lines from the second on.
local function instead(...)
    return { header { maps = 2, reduces = 1 }, ... }
end

for _, mistake in ipairs {
    { {}, "1: expected the first line of a decision log" },
    { { "job,finish", "1,7" },
        "1: not a decision log (expected a file that simulate --log wrote)" },
    { { '[]' }, "1: not a decision log (expected a file that simulate --log wrote)" },
    { { '{"pinion_log":2}' }, '1: not a decision log of this version (expected "pinion_log": 1)' },
    { { '{"pinion_log":1,"model":"makespan","map_slots":0,"reduce_slots":1}' },
        "1: map_slots must be an integer >= 1" },
    { { header { maps = 3, reduces = 4, more = ',"pools":[{"nodes":2,"jobs":[1]}]' } },
        "1: 2 nodes do not divide map_slots" },
    { { header { maps = 3, reduces = 3, more = ',"pools":[{"nodes":0,"jobs":[1]}]' } },
        "1: pools without nodes" },
    { { header { maps = 3, reduces = 3, more = ',"pools":[]' } }, "1: pools without nodes" },
    { { header { maps = 3, reduces = 3, more = ',"pools":1' } }, "1: pools must be an array" },
    { { header { maps = 3, reduces = 3, more = ',"pools":[{"nodes":1,"jobs":[1,1]}]' } },
        "1: pools[1]: jobs must be ids, each once" },
    { instead(line("map", 1, 1, 3, 0, 1)), "2: there is no slot 3" },
    { instead(line("sort", 1, 1, 1, 0, 1)), '2: field "kind": expected map or reduce, got "sort"' },
    { instead(line("map", 1, 1, 1, 3, 2)), "2: no time from 3 to 2" },
    { instead(line("map", 1, 1, 1, 0, "1/0")),
        '2: field "end": expected an integer >= 0 or "p/q" in lowest terms, got "1/0"' },
    { instead(line("map", 1, 1, 1, 0, 1):gsub('"end":1', '"end":"1"')),
        '2: field "end": expected an integer >= 0 or "p/q" in lowest terms, got "1"' },
    { instead(line("map", 0, 1, 1, 0, 1)),
        '2: field "job": expected an integer in 1..2^53, got 0' },
    { instead(line("map", 1, 0, 1, 0, 1)),
        '2: field "task": expected an integer in 1..4294967295, got 0' },
    { instead(line("map", 1, 1, 1, 3, 4), line("map", 1, 2, 2, 2, 4)),
        "3: lines must be in order of start" },
    { instead(line("map", 1, 1, 1, 0, 4), line("map", 1, 2, 1, 3, 4)), "3: slot 1 is taken" },
    { instead(line("map", 1, 1, 1, 0, "7/2"), line("map", 2, 1, 1, "10/3", 4)),
        "3: slot 1 is taken" },
    { instead(line("map", 1, 1, 1, 0, 4), line("map", 1, 1, 2, 0, 4)),
        "3: map task 1 of job 1 starts twice" },
    { instead(line("map", 1, 1, 1, 0, 4), finish(1, 4), line("map", 1, 2, 2, 4, 4)),
        "4: job 1 has finished before" },
    { instead(line("map", 1, 1, 1, 0, 4), finish(1, 4), finish(1, 4)),
        "4: job 1 has finished before" },
    { instead(line("map", 1, 1, 1, 0, 4), finish(1, 5)),
        "3: job 1 does not finish with its last task" },
    { instead(finish(0, 5)), '2: field "job": expected an integer in 1..2^53, got 0' },
    { instead(finish(1, "x")),
        '2: field "time": expected an integer >= 0 or "p/q" in lowest terms, got "x"' },
    { instead '{"note":1}', '2: expected one of "start", "finish", "end"' },
    { { TWO_POOLS, line("map", 3, 1, 1, 0, 1) }, "2: there is no job 3" },
    { { TWO_POOLS, line("map", 2, 1, 2, 0, 1) }, "2: slot 2 belongs to another pool than job 2" },
    { { ONE[1], ONE[2], ONE[3] },
        '4: the log ends without its last line (expected "end" and "digest")' },
    { { ONE[1] }, '2: the log ends without its last line (expected "end" and "digest")' },
    { { ONE[1], ONE[2], ONE[3], '{"end":3,"digest":"0000000000000000"}' },
        "4: the end is not the last finish (expected 2, got 3)" },
    { { ONE[1], ONE[2], ONE[3], '{"end":-1,"digest":"0000000000000000"}' },
        '4: field "end": expected an integer >= 0 or "p/q" in lowest terms, got -1' },
    { { ONE[1], ONE[2], ONE[3], ONE[4], line("map", 1, 2, 1, 2, 3) },
        "5: expected nothing after the line with the end" },
    { { header { maps = 1, reduces = 1 }, "[1]" }, "2: not an object (expected one JSON object)" },
} do
    local path = program.file("bad.log", table.concat(mistake[1], "\n"))
    program.fails(mistake[2], { "gantt", path, "--output", drawn }, 1, path .. ":" .. mistake[2])
    check.equal("the old figure outlives it", check.read_file(drawn), svg)
end
local bad, none = program.file("bad.log", header { maps = 1, reduces = 1 } .. "\n{]"),
    program.file "none.svg"
local _, messages, code = program.run { "gantt", bad, "--output", none }
check.equal("exit code of a line that is no JSON", code, 1)
check.matches("its place", messages, "bad%.log:2: ")
check.is_true("no figure is begun", not io.open(none) and not io.open(none .. ".tmp"))

-- Lines that look otherwise say the same.
local spaced = {}
for i, written in ipairs(FEW) do spaced[i] = written:gsub(",", ", ") end
check.equal("lines with blanks", chart("spaced", spaced), few)

check.done()
