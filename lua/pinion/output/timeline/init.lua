-- What happened over time, from decision logs: jobs in the system, jobs that wait, and what is in
-- use of each kind, in buckets of equal length or as exact step functions.

local buckets = require "pinion.output.buckets"
local fault = require "pinion.base.fault"
local join = require "pinion.run.timeline".join
local log = require "pinion.output.log"
local models = require "pinion.models"
local pieces = require "pinion.output.timeline.pieces"
local print_timeline = require "pinion.output.timeline.print"
local steps = require "pinion.output.timeline.steps"

local M = {}

---@class pinion.TimelineSteps
---@field model string
---@field names string[] of the series
---@field runs pinion.StepsOfRun[]

M.COUNT, M.COUNT_MOST = 200, 1000000

local Timeline = { __tostring = fault.plain(function(self)
    return (print_timeline.document(self):text "table":gsub("\n$", ""))
end) }

---@class pinion.TimelineRequest
---@field jobs table[]|nil of the workload
---@field machines integer|nil
---@field count integer|nil buckets
---@field width number|nil of each, in place of their number
---@field may_be_empty boolean|nil nil is returned where no job finished, in place of a fault
---@field whole boolean|nil as about M.COUNT of whole slots, where times are slots
---@field group_of (fun(id: integer): string|nil)|nil

-- Opens the logs, which must be of one model and come to something. nil: they may come to nothing.
local function open_runs(paths, options)
    local runs, model, from, to = {}, nil, math.huge, 0.0
    for i, path in ipairs(paths) do
        local name = log.model(path).name
        if model and model ~= name then
            fault.usage("%s is of the %s model, %s of the %s model", paths[1], model, path, name)
        end
        runs[i], model = pieces.open(path, options.jobs), name
        from, to = math.min(from, runs[i].first), math.max(to, runs[i].last)
    end
    if to <= from then
        if options.may_be_empty then return nil end
        fault.usage("%s: no job finished, so there is nothing to show", paths[1])
    end
    return runs, { model = model, from = from, to = to, runs = {} }
end

-- Returns so many slots that buckets end where slots do, where times are slots.
local function whole_slots(made)
    local slots = models.find(made.model).log.phases.slots
    return slots and math.ceil((made.to - made.from) / M.COUNT)
end

-- Fills buckets that begin at made.from.
local function fill(made, run, group_of)
    local series, scale = {}, made.count / (made.to - made.from)
    pieces.each(run, group_of, function(name, start, finish, value)
        series[name] = series[name] or buckets.new(made.count)
        buckets.add(series[name], (start - made.from) * scale, (finish - made.from) * scale, value)
    end)
    return series
end

---@param paths string[] decision logs of one model
---@param options pinion.TimelineRequest
---@return pinion.Timeline|nil
function M.read(paths, options)
    local runs, made = open_runs(paths, options)
    if not runs then return nil end
    local width = options.width or options.whole and whole_slots(made)
    made.count = options.count or M.COUNT
    if width then
        made.count = math.ceil((made.to - made.from) / width)
        made.to = made.from + made.count * width
    end
    made.width = width or (made.to - made.from) / made.count
    for i, run in ipairs(runs) do
        made.runs[i] = { policy = run.chart.policy, series = fill(made, run, options.group_of),
            capacity = pieces.capacity(run.chart, options.machines) }
    end
    made.unit, made.axis = runs[1].chart.unit, runs[1].chart.axis
    made.names, made.titles = pieces.names(made.runs, runs[1].chart), {}
    for i, name in ipairs(made.names) do made.titles[i] = pieces.title(runs[1].chart, name) end
    return setmetatable(made, Timeline)
end

---Reads the same as step functions: a value whenever one of them changes. Memory grows with the
---log.
---@param paths string[]
---@param options pinion.TimelineRequest
---@return pinion.TimelineSteps
function M.read_steps(paths, options)
    local runs, made = open_runs(paths, options)
    for i, run in ipairs(runs) do
        local sums = steps.new()
        pieces.each(run, options.group_of, sums.add)
        local times, series = steps.settle(sums.deltas)
        made.runs[i] = { policy = run.chart.policy, times = times, series = series,
            capacity = pieces.capacity(run.chart, options.machines) }
    end
    made.names = pieces.names(made.runs, runs[1].chart)
    return made
end

---Joins those that runs recorded as one.
---@param recorded pinion.Timeline[] of one workload, at least one
---@return pinion.Timeline
function M.of_runs(recorded)
    return setmetatable(join(recorded), Timeline)
end

return M
