-- What of a log is drawn: all of it, or a stretch of time, some jobs, groups or nodes. Rows of
-- nodes that are not drawn are left out, and what reaches beyond the stretch ends at its edge.

local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local log = require "pinion.output.log"
local text = require "pinion.base.text"

local M = {}

---@class pinion.GanttOptions
---@field title string|nil
---@field from number|nil time, as the log has it
---@field to number|nil
---@field job integer|integer[]|nil only these
---@field group string|string[]|nil only jobs of these
---@field node integer|integer[]|nil only rows of these
---@field jobs table[]|nil of the workload, by id
---@field capacity number|nil of a panel, of models whose logs do not say it
---@field group_of (fun(id: integer): string|nil)|nil

---@class pinion.GanttPanel: pinion.LogPanel
---@field kinds pinion.LogPanel[]|nil of the work that shares its rows
---@field amounts boolean|nil bars have amounts and no rows

---@class pinion.GanttSelection
---@field panels pinion.GanttPanel[] as they are drawn
---@field from number
---@field to number|nil
---@field words string[] what it leaves out
---@field is_whole boolean no job, group or node is left out
---@field each fun(listener: pinion.LogListener): pinion.LogEnd of bars and levels, once over the log
---@field has fun(job: integer): boolean

-- ---- options ------------------------------------------------------------------------------------

local function list_of(value)
    if value == nil then return nil end
    return type(value) == "table" and value or { value }
end

local function set_of(list)
    if not list then return nil end
    local set = {}
    for _, value in ipairs(list) do set[value] = true end
    return set
end

local function integers(name, least)
    return function(value)
        for _, number in ipairs(list_of(value)) do
            local found, why = check.integer(number, least, check.INTEGER_MAX)
            if not found then fault.usage("gantt: %s: %s", name, why) end
        end
    end
end

local function time(name)
    return function(value)
        local found, why = check.number(value, 0, check.INTEGER_MAX)
        if not found then fault.usage("gantt: %s: %s", name, why) end
    end
end

local READ = {
    from = time "from", to = time "to", job = integers("job", 1), node = integers("node", 0),
    title = function(value)
        local title, why = check.text(value)
        if not title then fault.usage("gantt: title: %s", why) end
    end,
    group = function(value)
        for _, name in ipairs(list_of(value)) do
            local group, why = check.text(name)
            if not group then fault.usage("gantt: group: %s", why) end
        end
    end,
}

---@param options any
---@return pinion.GanttOptions
function M.check(options)
    if type(options) ~= "table" then
        fault.usage("gantt: expected a table of options, got %s", check.show(options))
    end
    local key, why = check.unknown_key(options, READ, "option")
    if key ~= nil then fault.usage("gantt: %s: %s", key, why) end
    for _, name in ipairs(check.sorted_keys(options)) do READ[name](options[name]) end
    if options.to and options.to <= (options.from or 0) then
        fault.usage("gantt: to: must be later than %s, got %s", options.from or 0, options.to)
    end
    return options
end

---Names of options that choose a part of a log.
M.CHOICES = { "from", "to", "job", "group", "node" }

-- ---- panels -------------------------------------------------------------------------------------

-- Makes the panels of a chart whose kinds of work share the same machines.
local function shared_panels(chart, capacity)
    return { { name = chart.together, category = chart.together:gsub("s$", ""), rows = capacity,
        bands = {}, kinds = chart.panels } }
end

-- Makes panels of what is in use, in place of rows.
local function amount_panels(panels, capacity)
    local made = {}
    for i, panel in ipairs(panels) do
        made[i] = setmetatable({ rows = capacity, amounts = true }, { __index = panel })
    end
    return made
end

-- Makes panels of these nodes alone; and for each panel and node where its rows are now.
local function panels_of_nodes(panels, nodes)
    local made, places = {}, {}
    for i, panel in ipairs(panels) do
        local bands, rows, shifts = {}, 0, {}
        for _, band in ipairs(panel.bands) do
            if band.number and nodes[band.number] then
                local size = band.last - band.first + 1
                shifts[band.number] = rows + 1 - band.first
                bands[#bands + 1] = { first = rows + 1, last = rows + size, name = band.name,
                    number = band.number }
                rows = rows + size
            end
        end
        if rows > 0 then
            made[#made + 1] = setmetatable({ rows = rows, bands = bands }, { __index = panel })
            places[i] = { panel = #made, shifts = shifts }
        end
    end
    return made, places
end

local function check_nodes(chart, nodes)
    for _, node in ipairs(nodes) do
        local found = false
        for _, panel in ipairs(chart.panels) do
            for _, band in ipairs(panel.bands or {}) do found = found or band.number == node end
        end
        if not found then fault.usage("gantt: node: the log has no node %d", node) end
    end
end

-- ---- bars ---------------------------------------------------------------------------------------

-- Clips a bar as far as the stretch of time reaches; false when it lies beside it.
local function clip(bar, from, to)
    if bar.finish < from or bar.start > to or bar.start == to and bar.finish > to
            or bar.finish == from and bar.start < from then
        return false
    end
    bar.start, bar.finish = math.max(bar.start, from), math.min(bar.finish, to)
    if bar.works then bar.works = math.max(bar.start, math.min(bar.works, bar.finish)) end
    return true
end

local function move(thing, place)
    local shift = place and place.shifts[thing.node or thing.band.number]
    if not shift then return false end
    thing.panel = place.panel
    if thing.first then thing.first, thing.last = thing.first + shift, thing.last + shift end
    if thing.band then
        thing.band = { first = thing.band.first + shift, last = thing.band.last + shift,
            number = thing.band.number, name = thing.band.name }
    end
    return true
end

local function words_of(options, unit, suffix)
    local words = {}
    local function at(value) return text.plain(value / unit) .. suffix end
    if options.from or options.to then
        words[1] = options.to and string.format("from %s to %s", at(options.from or 0),
            at(options.to)) or "from " .. at(options.from)
    end
    for _, choice in ipairs { { options.job, "job" }, { options.group, "group" },
        { options.node, "node" } } do
        local list = list_of(choice[1])
        if list then
            words[#words + 1] = string.format("only %s%s %s", choice[2], #list == 1 and "" or "s",
                table.concat(list, " "))
        end
    end
    if words[1] then words[1] = "drawn: " .. words[1] end
    return words
end

-- Refuses what was asked for and not met.
local function refuse_absent(name, absent)
    for _, value in ipairs(check.sorted_keys(absent or {})) do
        fault.usage("gantt: %s: the log has no work of %s %s", name, name, value)
    end
end

---@param path string
---@param chart pinion.LogChart
---@param options pinion.GanttOptions
---@return pinion.GanttSelection
function M.new(path, chart, options)
    local jobs, groups = set_of(list_of(options.job)), set_of(list_of(options.group))
    local nodes = list_of(options.node)
    local panels, places = chart.panels, nil
    if groups and not options.group_of then
        fault.usage("gantt: group: the groups of the jobs are not known (expected a workload whose "
            .. "jobs have groups; a log does not name them)")
    end
    if nodes then
        check_nodes(chart, nodes)
        panels, places = panels_of_nodes(chart.panels, set_of(nodes))
    elseif chart.together then
        panels = shared_panels(chart, options.capacity)
    elseif not chart.panels[1].rows then
        panels = amount_panels(chart.panels, options.capacity)
    end
    local function has(job)
        return not (jobs and not jobs[job])
            and not (groups and not groups[options.group_of(job) or false])
    end
    local from, to = options.from or chart.first_time or 0, options.to
    local function each(listener)
        local absent_jobs, absent_groups = set_of(list_of(options.job)),
            set_of(list_of(options.group))
        local outcome = log.each(path, chart, { level = listener.level,
            bar = listener.bar and function(bar)
                if jobs then absent_jobs[bar.job] = nil end
                if groups then absent_groups[options.group_of(bar.job) or false] = nil end
                if not has(bar.job) then return end
                if places and not move(bar, places[bar.panel]) then return end
                if chart.together then bar.kind, bar.panel = bar.panel, 1 end
                if clip(bar, from, to or math.huge) then listener.bar(bar) end
            end })
        if listener.bar then
            refuse_absent("job", absent_jobs)
            refuse_absent("group", absent_groups)
        end
        local downs = {}
        for _, down in ipairs(outcome.downs or {}) do
            if (not places or move(down, places[down.panel]))
                    and (down.finish or math.huge) >= from and down.start <= (to or math.huge) then
                down.start = math.max(down.start, from)
                downs[#downs + 1] = down
            end
        end
        outcome.downs = downs
        return outcome
    end
    local unit = chart.unit or 1
    return { panels = panels, from = from + 0.0, to = to and to + 0.0, each = each, has = has,
        is_whole = not (jobs or groups or nodes),
        words = words_of(options, unit, unit == 1 and "" or " s") }
end

return M
