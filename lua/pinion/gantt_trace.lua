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

local function event(panel, bar, second)
    local start = microseconds(bar.start, second)
    return json.object {
        { "name", "J" .. bar.job }, { "cat", panel.category }, { "ph", "X" }, { "pid", bar.panel }, { "tid", bar.row },
        { "ts", start }, { "dur", microseconds(bar.finish, second) - start },
        { "args", json.object { { "job", bar.job }, { "task", bar.task }, { "start", bar.from }, { "end", bar.to } } },
    }
end

---@param path string the log
---@param chart pinion.GanttChart
---@param options { title: string|nil }
---@param write fun(text: string)
function M.write(path, chart, options, write)
    local portion, rows_seen = {}, {}
    local separator = "\n"
    local function flush()
        if #portion == 0 then return end
        write(separator .. table.concat(portion, ",\n"))
        separator, portion = ",\n", {}
    end
    local function add(made)
        portion[#portion + 1] = json.encode(made)
        if #portion == PORTION then flush() end
    end
    local about = { { "model", chart.model }, { "policy", chart.policy } }
    if options.title then table.insert(about, 1, { "title", options.title }) end
    write(string.format('{"displayTimeUnit": "ms", "otherData": %s, "traceEvents": [', json.encode(json.object(about))))
    for i, panel in ipairs(chart.panels) do
        rows_seen[i] = {}
        add(named("process", panel.name, i, 0))
        add(sorted("process", i, i, 0))
    end
    log.each(path, chart, function(bar)
        if not rows_seen[bar.panel][bar.row] then
            rows_seen[bar.panel][bar.row] = true
            add(named("thread", chart.panels[bar.panel].row_name(bar.row), bar.panel, bar.row))
            add(sorted("thread", bar.row, bar.panel, bar.row))
        end
        add(event(chart.panels[bar.panel], bar, chart.second))
    end)
    flush()
    write("\n]}\n")
end

return M
