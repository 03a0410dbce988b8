-- Decision logs as trace events of Chrome's format, which Perfetto and chrome://tracing show: a process for each panel, a thread
-- for each row. https://github.com/google/perfetto names the format "Chrome JSON".

local json = require "pinion.json"
local log = require "pinion.gantt_log"

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
    return json.object { { "name", what .. "_sort_index" }, { "ph", "M" }, { "pid", pid }, { "tid", tid },
                         { "args", json.object { { "sort_index", index } } } }
end

-- There are as many events as tasks: they are written without the steps by way of a table.
local EVENT = '{"name": "J%d", "cat": %s, "ph": "X", "pid": %d, "tid": %d, "ts": %s, "dur": %s, '
    .. '"args": {"job": %d, "task": %d, "start": %s, "end": %s}}'

-- Integers, doubles, and ratios, which need no quoting but the marks.
local function written(value)
    local kind = math.type(value)
    if kind == "integer" then return value end
    return kind and json.encode(value) or '"' .. value .. '"'
end

local function event(category, bar, second)
    local start = microseconds(bar.start, second)
    return string.format(EVENT, bar.job, category, bar.panel, bar.row, written(start),
        written(microseconds(bar.finish, second) - start), bar.job, bar.task, written(bar.from), written(bar.to))
end

---@param path string the log
---@param chart pinion.GanttChart
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
    write(string.format('{"displayTimeUnit": "ms", "otherData": %s, "traceEvents": [', json.encode(json.object(about))))
    for i, panel in ipairs(chart.panels) do
        rows_seen[i], categories[i] = {}, json.encode(panel.category)
        add(json.encode(named("process", panel.name, i, 0)))
        add(json.encode(sorted("process", i, i, 0)))
    end
    log.each(path, chart, function(bar)
        if not rows_seen[bar.panel][bar.row] then
            rows_seen[bar.panel][bar.row] = true
            add(json.encode(named("thread", chart.panels[bar.panel].row_name(bar.row), bar.panel, bar.row)))
            add(json.encode(sorted("thread", bar.row, bar.panel, bar.row)))
        end
        add(event(categories[bar.panel], bar, chart.second))
    end)
    flush()
    write("\n]}\n")
end

return M
