-- One run as a page holds it, from its decision log: bars on places, the phases of jobs, and what
-- explains these.

local columns = require "pinion.output.page.columns"
local core = require "pinion.core"
local lines = require "pinion.models.log_line"
local lives = require "pinion.output.explain.lives"
local log = require "pinion.output.log"
local models = require "pinion.models"
local palette = require "pinion.output.palette"
local parts = require "pinion.output.parts"

local M = {}

---Runs with more bars are too large for a page.
M.BARS_MOST = 400000

local TOO_MANY = string.format("it has too many bars for a page (at most %d in total; `pinion "
    .. "gantt` draws any number)", M.BARS_MOST)

local CLASSES_MOST = #palette.LIGHT

local STATES = { "finished", "unfinished", "failed", "rejected", "cancelled" }

local function place_of(list)
    local places = {}
    for i, name in ipairs(list) do places[name] = i - 1 end
    return places
end

-- ---- panels -------------------------------------------------------------------------------------

local function competing_of(chart, words, kind)
    local competing, places = words.competing and words.competing[kind], {}
    for i, panel in ipairs(chart.panels) do
        local other = panel.category
        if competing and competing[other] or not competing and other == kind then
            places[#places + 1] = i - 1
        end
    end
    return places
end

local function panels_of(chart, words, machines)
    local made = {}
    for i, panel in ipairs(chart.panels) do
        local bands = {}
        for k, band in ipairs(panel.bands or {}) do
            bands[k] = { first = band.first, last = band.last, name = band.name }
        end
        made[i] = { name = panel.name, category = panel.category, rows = panel.rows or 0,
            bands = bands,
            capacity = panel.slots ~= false and panel.rows or machines or core.null,
            competing = competing_of(chart, words, panel.category) }
    end
    return made
end

-- ---- classes of colour --------------------------------------------------------------------------

local function by_weight(weights)
    local names = {}
    for name in next, weights do names[#names + 1] = name end
    table.sort(names, function(a, b)
        if weights[a] ~= weights[b] then return weights[a] > weights[b] end
        return a < b
    end)
    return names
end

-- Makes a class for each group, or for each of the few jobs with the most work; all others share
-- one.
local function classes_of(ids, work, name_of, title_of, others)
    local weights = {}
    for _, id in ipairs(ids) do
        local name = name_of(id)
        if name ~= nil then weights[name] = (weights[name] or 0) + (work[id] or 0) end
    end
    local names, classes, place = by_weight(weights), {}, {}
    for i = 1, math.min(#names, CLASSES_MOST) do
        classes[i] = { name = title_of(names[i]), other = false }
        place[names[i]] = i - 1
    end
    local has_others = #names > CLASSES_MOST
    for _, id in ipairs(ids) do has_others = has_others or name_of(id) == nil end
    if has_others then classes[#classes + 1] = { name = others, other = true } end
    return classes, function(id) return place[name_of(id)] or #classes - 1 end
end

-- ---- columns ------------------------------------------------------------------------------------

-- Returns bars in the order of their start: differences of columns are small.
local function bar_columns(bars, fates, optional)
    table.sort(bars, function(a, b)
        if a.start ~= b.start then return a.start < b.start end
        return a.number < b.number
    end)
    local lists = { panel = {}, row = {}, job = {}, start = {}, length = {}, fate = {} }
    for name in next, optional do lists[name] = {} end
    for i, bar in ipairs(bars) do
        lists.panel[i], lists.row[i], lists.job[i] = bar.panel, bar.row, bar.job
        lists.start[i], lists.length[i] = bar.start, bar.finish - bar.start
        lists.fate[i] = bar.fate and fates[bar.fate] + 1 or 0
        for name in next, optional do lists[name][i] = bar[name] or false end
    end
    local made = {}
    for name, list in next, lists do made[name] = columns.pack(list, #bars) end
    return made
end

local function job_columns(ids, jobs, class_of, group_place)
    local lists = { id = ids, arrival = {}, finish = {}, state = {}, cls = {} }
    local states = place_of(STATES)
    for i, id in ipairs(ids) do
        local life = jobs[id]
        lists.arrival[i] = lines.double(life.arrival)
        lists.finish[i] = life.finish and lines.double(life.finish) or false
        lists.state[i], lists.cls[i] = states[life.state], class_of(id)
    end
    if group_place then
        lists.group = {}
        for i, id in ipairs(ids) do lists.group[i] = group_place(id) end
    end
    local made = {}
    for name, list in next, lists do made[name] = columns.pack(list, #ids) end
    return made
end

local function phase_columns(chart, all)
    local words, places = {}, {}
    local panel_of = {}
    for i, panel in ipairs(chart.panels) do panel_of[panel.category] = i - 1 end
    local lists = { count = {}, word = {}, start = {}, length = {} }
    for i, list in ipairs(all) do
        lists.count[i] = #list
        for _, phase in ipairs(list) do
            if not places[phase.phase] then
                words[#words + 1] = { name = phase.phase,
                    waits = phase.waits_for and panel_of[phase.waits_for] or core.null }
                places[phase.phase] = #words - 1
            end
            local at = #lists.word + 1
            lists.word[at], lists.start[at] = places[phase.phase], phase.start
            lists.length[at] = phase.finish - phase.start
        end
    end
    local made = {}
    for name, list in next, lists do made[name] = columns.pack(list) end
    return made, words
end

-- ---- the parts of a run -------------------------------------------------------------------------

local function read_bars(path, chart, most)
    local bars, fates, optional = {}, {}, {}
    local work, last = {}, 0.0
    local found = lives.read(path, chart, most, function(bar, kept)
        kept.number, kept.id, kept.panel = #bars + 1, bar.job, bar.panel - 1
        kept.row, kept.stage, kept.attempt = bar.first or 0, bar.stage, bar.attempt
        if kept.amount ~= 1 then optional.amount = true end
        for _, name in ipairs { "stage", "task", "attempt" } do
            optional[name] = optional[name] or bar[name] ~= nil or nil
        end
        if bar.fate and not fates[bar.fate] then
            fates[#fates + 1] = bar.fate
            fates[bar.fate] = #fates - 1
        end
        work[bar.job] = (work[bar.job] or 0) + kept.amount * (bar.finish - bar.start)
        last = math.max(last, bar.finish)
        bars[#bars + 1] = kept
    end)
    return found, { bars = bars, fates = fates, optional = optional, work = work, last = last }
end

local function downs_of(outcome)
    local made = {}
    for i, down in ipairs(outcome.downs or {}) do
        made[i] = { down.panel - 1, down.band.first, down.band.last, down.start,
            down.finish or core.null }
    end
    return made
end

local function group_columns(ids, group_of)
    local names, place = {}, {}
    for _, id in ipairs(ids) do
        local name = group_of(id) or parts.NO_GROUP
        if not place[name] then
            names[#names + 1] = name
            place[name] = #names - 1
        end
    end
    return names, function(id) return place[group_of(id) or parts.NO_GROUP] end
end

local function names_of(ids, name_of)
    local names = {}
    for i, id in ipairs(ids) do names[i] = name_of(id) or "" end
    return names
end

---@class pinion.PageRunOptions
---@field name string
---@field jobs table[]|nil of the workload by id
---@field machines integer|nil
---@field clock pinion.Clock
---@field group_of (fun(id: integer): string|nil)|nil
---@field name_of (fun(id: integer): string|nil)|nil

---@param path string a decision log
---@param options pinion.PageRunOptions
---@param most integer|nil bars
---@return table|nil run, integer|string bars, or why there is none
function M.read(path, options, most)
    local chart = log.chart(path, options.jobs)
    local words = models.find(chart.model).log.phases
    local found, read = read_bars(path, chart, most or M.BARS_MOST)
    if not found then return nil, TOO_MANY end
    local ids, index = found.ids, {}
    if #ids == 0 then return nil, "no job came" end
    for i, id in ipairs(ids) do index[id] = i - 1 end
    for _, bar in ipairs(read.bars) do bar.job = index[bar.id] end
    local last = found.outcome.now or read.last
    local groups, group_place
    if options.group_of then groups, group_place = group_columns(ids, options.group_of) end
    local by_group = groups and #groups > 1
    local classes, class_of = classes_of(ids, read.work,
        by_group and options.group_of or function(id) return id end,
        by_group and tostring or function(id) return "job " .. id end,
        by_group and "other groups" or "other jobs")
    local phases, phase_words = phase_columns(chart, lives.phases(found, chart, last))
    local from = math.huge
    for _, id in ipairs(ids) do
        from = math.min(from, lines.double(found.jobs[id].arrival))
        last = math.max(lines.double(last), lines.double(found.jobs[id].last))
    end
    local pool = {}
    for i, id in ipairs(ids) do pool[i] = chart.pool_of and chart.pool_of[id] - 1 end
    return {
        name = options.name or chart.policy, axis = options.clock.axis,
        unit = options.clock.unit, suffix = options.clock.suffix,
        slots = words.slots or false,
        from = from, to = math.max(last, from + math.max(1e-9, from * 0x1p-50)),
        places = chart.panels[1].rows ~= nil, panels = panels_of(chart, words, options.machines),
        jobs = job_columns(ids, found.jobs, class_of, group_place), groups = groups,
        names = options.name_of and names_of(ids, options.name_of),
        bars = bar_columns(read.bars, read.fates, read.optional), fates = read.fates,
        phases = phases, words = phase_words, classes = classes, states = STATES,
        downs = downs_of(found.outcome), pool = chart.pool_of and columns.pack(pool) or nil,
    }, #read.bars
end

return M
