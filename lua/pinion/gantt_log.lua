-- What a decision log says for a chart: which rows there are, and the bars on them, in order of their start. Logs are read line
-- by line, so that they may be of any length.
--
-- A model whose log can be drawn says how in MODELS; what draws knows of panels, rows and bars only.

local check = require "pinion.check"
local core = require "pinion.core"
local fault = require "pinion.fault"
local text = require "pinion.text"

local M = {}

---@alias pinion.LoggedTime integer|string an integer, or "p/q" in lowest terms: equal times are equal values

---@class pinion.GanttBar
---@field panel integer
---@field first integer row, from 1
---@field last integer row; a stage takes all rows of its pool
---@field job integer
---@field task integer
---@field from pinion.LoggedTime
---@field to pinion.LoggedTime
---@field start number `from` as a double
---@field finish number

---@class pinion.GanttBand rows that belong together
---@field first integer
---@field last integer
---@field name string

---@class pinion.GanttPanel
---@field name string of its rows
---@field category string of its bars
---@field rows integer
---@field bands pinion.GanttBand[] none when the rows are all alike
---@field row_name fun(row: integer): string

---@class pinion.GanttChart
---@field model string
---@field policy string
---@field rules string[] what a reader should know of the run
---@field panels pinion.GanttPanel[]
---@field bar fun(entry: table): pinion.GanttBar|nil, string|nil
---@field second number microseconds that a viewer of traces is told for a unit of time

---A logged time as a double; nil when it is none.
---@param value any
---@return number|nil
function M.number(value)
    if math.type(value) == "integer" then return value >= 0 and value + 0.0 or nil end
    if type(value) ~= "string" then return nil end
    local num, den = value:match "^(%d+)/(%d+)$"
    num, den = math.tointeger(tonumber(num)), math.tointeger(tonumber(den))
    if not num or not den or den <= 0 then return nil end
    -- The whole part apart, as it may have more digits than a double.
    return num // den + num % den / den
end

-- ---- makespan -------------------------------------------------------------------------------------------

local STAGES = { { kind = "map", slots = "map_slots" }, { kind = "reduce", slots = "reduce_slots" } }

-- Rules that are not everybody's.
local function rules_of(header)
    local rules = {}
    local function add(condition, format, ...)
        if condition then rules[#rules + 1] = string.format(format, ...) end
    end
    add(header.level == "stage", "stage level")
    add(header.share == "exclusive", "exclusive stages")
    add(header.cap == "requested", "at most the requested slots")
    add(header.task_order == "lpt", "longest tasks first")
    add(math.type(header.resplit) == "integer" and header.resplit > 0, "tasks split anew")
    return rules
end

local function nodes_of(header)
    local nodes = 0
    for _, pool in ipairs(header.pools) do
        if type(pool) ~= "table" or math.type(pool.nodes) ~= "integer" or pool.nodes < 1 then return nil end
        nodes = nodes + pool.nodes
    end
    -- Pools may leave nodes to nobody.
    return math.type(header.nodes) == "integer" and math.max(nodes, header.nodes) or nodes
end

-- The slots of each pool, one pool after the other (P1).
local function bands_of(header, slots, nodes)
    local bands, at = {}, 0
    for i, pool in ipairs(header.pools) do
        local size = pool.nodes * (slots // nodes)
        bands[i] = { first = at + 1, last = at + size, name = "pool " .. i }
        at = at + size
    end
    return bands
end

local function makespan_panels(header)
    local nodes = header.pools and nodes_of(header)
    if header.pools and (not nodes or nodes < 1) then return nil, "pools without nodes" end
    local panels, staged = {}, header.level == "stage"
    for i, stage in ipairs(STAGES) do
        local slots = header[stage.slots]
        if math.type(slots) ~= "integer" or slots < 1 then return nil, stage.slots .. " must be an integer >= 1" end
        if nodes and slots % nodes ~= 0 then return nil, string.format("%d nodes do not divide %s", nodes, stage.slots) end
        panels[i] = {
            name = stage.kind .. " slots", category = stage.kind, rows = slots,
            bands = nodes and bands_of(header, slots, nodes) or {},
            row_name = function(row) return string.format(staged and "pool %d" or "slot %d", row) end,
        }
    end
    return panels
end

-- At the stage level a bar names its pool, and takes all of it.
local function rows_of(panel, slot, staged)
    if math.type(slot) ~= "integer" then return nil end
    if not staged then return slot >= 1 and slot <= panel.rows and slot or nil, slot end
    local band = panel.bands[slot] or slot == 1 and { first = 1, last = panel.rows }
    if not band then return nil end
    return band.first, band.last
end

local function makespan(header)
    local panels, why = makespan_panels(header)
    if not panels then return nil, why end
    local staged = header.level == "stage"
    local index = {}
    for i, stage in ipairs(STAGES) do index[stage.kind] = i end
    return {
        rules = rules_of(header), panels = panels, second = 1e6,
        bar = function(entry)
            local panel = index[entry.kind]
            if not panel then return nil, "kind must be map or reduce" end
            local first, last = rows_of(panels[panel], entry.slot, staged)
            if not first then return nil, "there is no slot " .. check.show(entry.slot) end
            return { panel = panel, first = first, last = last, row = entry.slot, job = entry.job, task = entry.task,
                     from = entry.start, to = entry["end"] }
        end,
    }
end

local MODELS = { makespan = makespan }

-- ---- reading --------------------------------------------------------------------------------------------

local function fail(path, line, format, ...)
    fault.at(string.format("%s:%d", path, line), nil, string.format(format, ...))
end

local function decode(path, line, written)
    local entry, problem = core.json_decode(written, path)
    if not check.is_object(entry) then
        -- The reader counts lines from the one it was given.
        fail(path, line, "%s", problem and tostring(problem):gsub("^.-:%d+: ", "") or "expected an object")
    end
    return entry
end

local function chart_of(path, header)
    if header.pinion_log ~= 1 then fail(path, 1, "not a decision log of this version (expected \"pinion_log\": 1)") end
    local describe = type(header.model) == "string" and MODELS[header.model]
    if not describe then
        fail(path, 1, "logs of model %s cannot be drawn (expected %s)", check.show(header.model),
            table.concat(check.sorted_keys(MODELS), " or "))
    end
    local chart, why = describe(header)
    if not chart then fail(path, 1, "%s", why) end
    chart.model, chart.policy = header.model, type(header.policy) == "string" and header.policy or "?"
    return chart
end

local function open(path)
    local file, why = io.open(path, "rb")
    if not file then fault.located("usage", why) end
    return file
end

---The chart of a log, from its first line.
---@param path string
---@return pinion.GanttChart
function M.chart(path)
    local file <close> = open(path)
    local first, why = file:read "l"
    if not first then fail(path, 1, "%s", why or "expected the first line of a decision log") end
    return chart_of(path, decode(path, 1, first))
end

local function bar_of(chart, path, line, entry)
    local bar, why = chart.bar(entry)
    if not bar then fail(path, line, "%s", why) end
    bar.start, bar.finish = M.number(bar.from), M.number(bar.to)
    if not bar.start or not bar.finish or bar.finish < bar.start then
        fail(path, line, "no time from %s to %s", check.show(bar.from), check.show(bar.to))
    end
    for _, name in ipairs { "job", "task" } do
        if math.type(bar[name]) ~= "integer" or bar[name] < 1 then
            fail(path, line, "%s must be an integer >= 1, got %s", name, check.show(bar[name]))
        end
    end
    return bar
end

---Goes through the bars of a log, in its order.
---@param path string
---@param chart pinion.GanttChart
---@param visit fun(bar: pinion.GanttBar)
---@return pinion.LoggedTime|nil finish of the run; nil: the log ends before the run does
function M.each(path, chart, visit)
    local file <close> = open(path)
    local line, finish = 0, nil
    for written in file:lines "l" do
        line = line + 1
        if line % 4096 == 0 and core.interrupted() then fault.interrupted() end
        if finish ~= nil then fail(path, line, "expected nothing behind the line with the end") end
        if line > 1 and not written:find "^%s*$" then
            local entry = decode(path, line, written)
            if entry.start ~= nil then
                visit(bar_of(chart, path, line, entry))
            elseif entry["end"] ~= nil then
                finish = entry["end"]
                if not M.number(finish) then fail(path, line, "no time: %s", check.show(finish)) end
            end
        end
    end
    return finish
end

---A time as people read it: "47", "107/3 (35.667)".
---@param value pinion.LoggedTime
---@return string
function M.time_text(value)
    if type(value) == "string" then return string.format("%s (%s)", value, text.number(M.number(value), 3)) end
    return tostring(value)
end

return M
