-- Decision logs as trace events of Chrome's format, which Perfetto and chrome://tracing show: a
-- process for each panel, a thread for each row, or for each job of a panel without rows; a process
-- for deadlines, with a thread for each job that has one; and counters of what happens over time.
-- https://github.com/google/perfetto names the format "Chrome JSON".

local deadlines = require "pinion.output.gantt.deadlines"
local json = require "pinion.base.json"
local lines = require "pinion.models.log_line"
local log = require "pinion.output.log"
local steps = require "pinion.output.timeline.steps"

local M = {}

-- Events are written in portions, not one by one.
local PORTION = 1000

-- Returns microseconds, an integer where they are one.
local function microseconds(time, second)
    local value = time * second
    return math.tointeger(value) or value
end

local function named(what, name, pid, tid)
    return json.object { { "name", what .. "_name" }, { "ph", "M" }, { "pid", pid }, { "tid", tid },
                         { "args", json.object { { "name", name } } } }
end

local function sorted(what, index, pid, tid)
    return json.object { { "name", what .. "_sort_index" }, { "ph", "M" }, { "pid", pid },
        { "tid", tid },
                         { "args", json.object { { "sort_index", index } } } }
end

-- There are as many events as tasks: they are written without the steps by way of a table.
local EVENT = '{"name": "J%d%s", "cat": %s, "ph": "X", "pid": %d, "tid": %d, "ts": %s, "dur": %s, '
    .. '"args": {"job": %d%s, "start": %s, "end": %s}}'

-- Writes integers, doubles, and ratios, which need no quoting but the marks.
local function written(value)
    local kind = math.type(value)
    if kind == "integer" then return value end
    return kind and json.encode(value) or '"' .. value .. '"'
end

-- Writes what a bar says of its task or of how much it holds, and of its job's group; an attempt
-- says more than every task does.
local function details(bar, group)
    local of = bar.task and string.format(', "task": %d', bar.task)
        or ', "amount": ' .. json.encode(bar.amount)
    if group then of = of .. ', "group": ' .. json.encode(group) end
    if not bar.attempt then return of end
    local stage = bar.stage and string.format(', "stage": %d', bar.stage) or ""
    return of .. stage .. string.format(', "attempt": %d, "node": %d, "ended": "%s"', bar.attempt,
        bar.node, bar.fate or "done")
end

-- Writes an event. Of a group, events have a second category: its name.
local function event(category, bar, row, second, group)
    local start = microseconds(bar.start, second)
    if group then category = category .. "," .. group:gsub(",", " ") end
    return string.format(EVENT, bar.job, bar.fate and " " .. bar.fate or "", json.encode(category),
        bar.panel, row, written(start), written(microseconds(bar.finish, second) - start), bar.job,
        details(bar, group), written(bar.from), written(bar.to))
end

-- Writes a part of a row's time that is inside of another event, or alone.
local function stretch(name, category, pid, tid, start, finish)
    return json.encode(json.object { { "name", name }, { "cat", category }, { "ph", "X" },
        { "pid", pid }, { "tid", tid },
                                     { "ts", start }, { "dur", finish - start } })
end

-- Writes a process behind those of the panels, if any job has a deadline.
local function write_promises(outcome, chart, last, add)
    if #(outcome.promises or {}) == 0 then return end
    local pid = #chart.panels + 1
    add(json.encode(named("process", "deadlines", pid, 0)))
    add(json.encode(sorted("process", pid, pid, 0)))
    deadlines.trace(outcome.promises, pid, last, chart.second, function(tid, name)
        add(json.encode(named("thread", name, pid, tid)))
        add(json.encode(sorted("thread", tid, pid, tid)))
    end, function(made) add(json.encode(made)) end)
end

local function counter(name, pid, time, what, value)
    return json.encode(json.object { { "name", name }, { "ph", "C" }, { "pid", pid },
        { "ts", time }, { "args", json.object { { what, value } } } })
end

-- Writes jobs in the system and what is in use of each kind, whenever it changes, in a process
-- behind all others.
local function write_steps(chart, sums, add)
    local pid, times, series = #chart.panels + 2, steps.settle(sums.deltas)
    add(json.encode(named("process", "over time", pid, 0)))
    add(json.encode(sorted("process", pid, pid, 0)))
    local function track(name, title, what)
        local before
        for i, value in ipairs(series[name] or {}) do
            if value ~= before then
                add(counter(title, pid, microseconds(times[i], chart.second), what, value))
            end
            before = value
        end
    end
    track("jobs", "jobs in the system", "jobs")
    for _, panel in ipairs(chart.panels) do track(panel.category, panel.name, "in use") end
end

-- Writes what is in use of each resource over time, in a process behind those of panels.
local function counters(chart, add)
    local pid, before = #chart.panels + 1, {}
    add(json.encode(named("process", "resources", pid, 0)))
    add(json.encode(sorted("process", pid, pid, 0)))
    return function(from, _, used)
        for r, resource in ipairs(chart.resources) do
            if used[r] ~= before[r] then
                add(counter(resource.name, pid, microseconds(from, chart.second), "in use",
                    used[r]))
            end
            before[r] = used[r]
        end
    end
end

---@param path string the log
---@param chart pinion.LogChart
---@param options { title: string|nil, group_of: (fun(job: integer): string|nil)|nil } the group of a job, where jobs have groups
---@param write fun(text: string)
function M.write(path, chart, options, write)
    local portion, rows_seen, sums = {}, {}, steps.new()
    local separator = "\n"
    local function flush()
        if #portion == 0 then return end
        write(separator .. table.concat(portion, ",\n"))
        separator, portion = ",\n", {}
    end
    local function add(made)
        portion[#portion + 1] = made
        if #portion == PORTION then flush() end
    end
    local about = { { "model", chart.model }, { "policy", chart.policy } }
    if options.title then table.insert(about, 1, { "title", options.title }) end
    write(string.format('{"displayTimeUnit": "ms", "otherData": %s, "traceEvents": [',
        json.encode(json.object(about))))
    for i, panel in ipairs(chart.panels) do
        rows_seen[i] = {}
        add(json.encode(named("process", panel.name, i, 0)))
        add(json.encode(sorted("process", i, i, 0)))
    end
    local function name_row(panel, row)
        if rows_seen[panel][row] then return end
        local name_of = chart.panels[panel].row_name
        rows_seen[panel][row] = true
        add(json.encode(named("thread", name_of and name_of(row) or "J" .. row, panel, row)))
        add(json.encode(sorted("thread", row, panel, row)))
    end
    local last = 0.0
    local function show(bar)
        local panel = chart.panels[bar.panel]
        local category, row = panel.category, panel.row_name and bar.row or bar.job
        name_row(bar.panel, row)
        add(event(category, bar, row, chart.second,
            options.group_of and options.group_of(bar.job)))
        sums.add(category, bar.start, bar.finish, bar.amount or bar.last - bar.first + 1)
        if bar.works then
            add(stretch("waits for maps", "wait", bar.panel, bar.row,
                microseconds(bar.start, chart.second),
                microseconds(bar.works, chart.second)))
        end
        last = math.max(last, bar.finish)
    end
    local outcome = log.each(path, chart, { bar = show,
        level = chart.resources and counters(chart, add),
        job = function(_, arrival, finish)
            sums.add("jobs", lines.double(arrival), finish and lines.double(finish) or math.huge, 1)
        end })
    for _, down in ipairs(outcome.downs or {}) do
        for row = down.band.first, down.band.last do
            name_row(down.panel, row)
            add(stretch("node is down", "node", down.panel, row,
                microseconds(down.start, chart.second),
                microseconds(math.max(down.start, down.finish or last), chart.second)))
        end
    end
    write_promises(outcome, chart, last, add)
    write_steps(chart, sums, add)
    flush()
    write("\n]}\n")
end

return M
