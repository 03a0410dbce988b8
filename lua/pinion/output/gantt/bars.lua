-- What a chart shows of the bars of a log. Equal bars on neighbouring rows are one rectangle. Where
-- even so more rectangles remain than can be told apart, nothing is kept of them but what each job
-- has worked: the shares of jobs are drawn then, and a figure does not grow with its log.

local lines = require "pinion.models.log_line"
local places = require "pinion.output.gantt.places"

local M = {}

-- So many rectangles are drawn one by one; and so many that are too small to be told apart, unless
-- most are large enough.
local RECTANGLES_MOST, SMALL_MOST = 12000, 400
local LOW, NARROW = 1.0, 1.0

---@class pinion.GanttRectangle: pinion.LogBar
---@field tasks integer
---@field kind integer|nil which of the panel's kinds of work

---How much of a bar's colour it has while it waits.
M.WAITING = 0.35
---And of work of another than the first kind, where several share rows.
M.SECOND = 0.55

local function before(a, b)
    if a.panel ~= b.panel then return a.panel < b.panel end
    return a.first < b.first
end

local function are_alike(a, b)
    return a.job == b.job and a.from == b.from and a.to == b.to and a.fate == b.fate
        and a.works == b.works and a.kind == b.kind
end

-- Merges bars that start, or end, at one time, as rectangles.
local function merge(bars, add)
    table.sort(bars, before)
    local made
    for _, bar in ipairs(bars) do
        if made and made.panel == bar.panel and made.last + 1 == bar.first
                and are_alike(made, bar) then
            made.last, made.tasks = bar.last, made.tasks + bar.tasks
        else
            if made then add(made) end
            made = bar
        end
    end
    if made then add(made) end
end

---@class pinion.GanttFound
---@field outcome pinion.LogEnd
---@field last number the end of the last bar, and not before the last finish
---@field work table<integer, number> by job: rows or amounts, times their time; without what came to nothing
---@field jobs integer that have bars
---@field fates table<string, boolean> that bars have; also "waits", where one begins to work after its start
---@field fates_of table<string, boolean>[] by panel
---@field times number[]|nil when bars begin and end, of amounts, as long as these are few
---@field rectangles pinion.GanttRectangle[]|nil nil: what is drawn are shares

local function copy(bar, first, last)
    return { panel = bar.panel, first = first, last = last, job = bar.job, task = bar.task,
        stage = bar.stage, from = bar.from, to = bar.to, start = bar.start, finish = bar.finish,
        fate = bar.fate, works = bar.works, kind = bar.kind,
        tasks = bar.amount and last - first + 1 or 1 }
end

-- Keeps rectangles as long as there are few of them.
local function new_keeper(row_height)
    local kept, many = {}, false
    local function add(rectangle)
        many = many or #kept == RECTANGLES_MOST
        if many then kept = {} else kept[#kept + 1] = rectangle end
    end
    -- Finishes; returns whether they can be told apart, given the width of a unit of time.
    local function finish(unit_width)
        local small = 0
        for _, bar in ipairs(kept) do
            if (bar.last - bar.first + 1) * row_height[bar.panel] < LOW
                    or (bar.finish - bar.start) * unit_width < NARROW then
                small = small + 1
            end
        end
        local crowded = many or small > SMALL_MOST and small > #kept // 2
        return not crowded and kept or nil
    end
    return add, finish, function() return many end
end

-- So many moments are drawn as they are, and not as columns.
local TIMES_MOST = 300

local function new_times()
    local seen, list = {}, {}
    return function(time)
        if seen[time] or not list then return end
        seen[time], list[#list + 1] = true, time
        if #list > TIMES_MOST then list = nil end
    end, function()
        if list then table.sort(list) end
        return list
    end
end

---Collects the rectangles of a log, and what is known of all of its bars.
---@param chart pinion.LogChart
---@param selection pinion.GanttSelection
---@param row_height number[] by panel
---@param width number of the drawing
---@return pinion.GanttFound
function M.collect(chart, selection, row_height, width)
    local add, finish, is_many = new_keeper(row_height)
    local panel = selection.panels[1]
    local place = panel.kinds and places.new(panel.rows)
    local together, moment, fixed = {}, nil, not place
    local work, fates, jobs, last = {}, {}, 0, selection.from
    local fates_of, note_time, times = {}, new_times()
    for i in ipairs(selection.panels) do fates_of[i] = {} end
    local outcome = selection.each { bar = function(bar)
        local amount = bar.amount or bar.last - bar.first + 1
        if not work[bar.job] then work[bar.job], jobs = 0.0, jobs + 1 end
        if not bar.fate or bar.fate == "unfinished" then
            work[bar.job] = work[bar.job] + amount * (bar.finish - bar.start)
        end
        if bar.finish > last then last = bar.finish end
        if bar.fate then
            fates[bar.fate], fates_of[bar.panel][bar.fate] = true, true
        end
        if bar.works then fates.waits = true end
        fixed = fixed or bar.preemptive == false
        if panel.amounts then
            note_time(bar.start)
            note_time(bar.finish)
        end
        if is_many() or panel.amounts then return end
        local at = bar.to
        if not chart.by_end then at = bar.from end
        if at ~= moment then
            merge(together, add)
            together, moment = {}, at
        end
        if place then
            place(bar, function(first, upto) together[#together + 1] = copy(bar, first, upto) end)
        else
            together[#together + 1] = copy(bar, bar.first, bar.last)
        end
    end }
    merge(together, add)
    local ended = outcome.end_time or lines.double(outcome.finish)
    if not selection.to then last = math.max(last, ended) end
    last = math.min(last, selection.to or last)
    local span = (selection.to or last) - selection.from
    return { outcome = outcome, last = last, ended = ended, work = work, jobs = jobs, fates = fates,
        fates_of = fates_of, times = panel.amounts and times(),
        rectangles = fixed and not panel.amounts and finish(span > 0 and width / span or 0)
            or nil }
end

return M
