-- Decision logs as trace events of Chrome's format, which Perfetto and chrome://tracing show: a
-- process for each panel, a thread for each row; and a process for deadlines, with a thread for
-- each job that has one. https://github.com/google/perfetto names the format "Chrome JSON".

local deadlines = require "pinion.output.gantt.deadlines"
local json = require "pinion.base.json"
local log = require "pinion.output.log"

local M = {}

-- Events are written in portions, not one by one.
local PORTION = 1000

-- Microseconds, an integer where they are one.
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
    .. '"args": {"job": %d, "task": %d%s, "start": %s, "end": %s}}'

-- Integers, doubles, and ratios, which need no quoting but the marks.
local function written(value)
    local kind = math.type(value)
    if kind == "integer" then return value end
    return kind and json.encode(value) or '"' .. value .. '"'
end

-- What an attempt says beside what every task does.
local function details(bar)
    if not bar.attempt then return "" end
    local stage = bar.stage and string.format(', "stage": %d', bar.stage) or ""
    return stage .. string.format(', "attempt": %d, "node": %d, "ended": "%s"', bar.attempt,
        bar.node, bar.fate or "done")
end

local function event(category, bar, second)
    local start = microseconds(bar.start, second)
    return string.format(EVENT, bar.job, bar.fate and " " .. bar.fate or "", category, bar.panel,
        bar.row, written(start),
        written(microseconds(bar.finish, second) - start), bar.job, bar.task, details(bar),
        written(bar.from), written(bar.to))
end

-- A part of a row's time that stands inside of another event, or alone.
local function stretch(name, category, pid, tid, start, finish)
    return json.encode(json.object { { "name", name }, { "cat", category }, { "ph", "X" },
        { "pid", pid }, { "tid", tid },
                                     { "ts", start }, { "dur", finish - start } })
end

-- A process behind those of the panels, if any job has a deadline.
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

-- What is in use of each resource over time, in a process behind those of panels.
local function counters(chart, add)
    local pid, before = #chart.panels + 1, {}
    add(json.encode(named("process", "resources", pid, 0)))
    add(json.encode(sorted("process", pid, pid, 0)))
    return function(from, _, used)
        for r, resource in ipairs(chart.resources) do
            if used[r] ~= before[r] then
                add(json.encode(json.object { { "name", resource.name }, { "ph", "C" },
                    { "pid", pid }, { "ts", microseconds(from, chart.second) },
                    { "args", json.object { { "in use", used[r] } } } }))
            end
            before[r] = used[r]
        end
    end
end

---@param path string the log
---@param chart pinion.LogChart
---@param options { title: string|nil }
---@param write fun(text: string)
function M.write(path, chart, options, write)
    local portion, rows_seen, categories = {}, {}, {}
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
        rows_seen[i], categories[i] = {}, json.encode(panel.category)
        add(json.encode(named("process", panel.name, i, 0)))
        add(json.encode(sorted("process", i, i, 0)))
    end
    local function name_row(panel, row)
        if rows_seen[panel][row] then return end
        rows_seen[panel][row] = true
        add(json.encode(named("thread", chart.panels[panel].row_name(row), panel, row)))
        add(json.encode(sorted("thread", row, panel, row)))
    end
    local last = 0.0
    local function show(bar)
        name_row(bar.panel, bar.row)
        add(event(categories[bar.panel], bar, chart.second))
        if bar.works then
            add(stretch("waits for maps", "wait", bar.panel, bar.row,
                microseconds(bar.start, chart.second),
                microseconds(bar.works, chart.second)))
        end
        last = math.max(last, bar.finish)
    end
    local outcome = log.each(path, chart,
        { bar = show, level = chart.resources and counters(chart, add) })
    for _, down in ipairs(outcome.downs) do
        for row = down.band.first, down.band.last do
            name_row(down.panel, row)
            add(stretch("node is down", "node", down.panel, row,
                microseconds(down.start, chart.second),
                microseconds(math.max(down.start, down.finish or last), chart.second)))
        end
    end
    write_promises(outcome, chart, last, add)
    flush()
    write("\n]}\n")
end

return M
