-- Timelines that runs recorded: the shape of those of decision logs, see output/timeline, as plain
-- values that other processes can send.

local fault = require "pinion.base.fault"

local M = {}

---@class pinion.Timeline
---@field model string
---@field from number the first arrival
---@field to number where the last bucket ends
---@field count integer buckets
---@field width number of each
---@field unit number of time on the axis of figures, and what stands there
---@field axis string
---@field names string[] of the series
---@field runs { policy: string, series: table<string, number[]>, capacity: table<string, number> }[] the mean of each bucket; what there is, where that is known
---@field recorded boolean|nil true: during the run, not from a log

---Returns the timeline of a run; nil where none was recorded, or the run came to nothing.
---@param model pinion.Model
---@param settings pinion.Settings
---@param policy string
---@param raw table what the core returned
---@return pinion.Timeline|nil
function M.of_run(model, settings, policy, raw)
    local made = raw.timeline
    if not made or #made.means[1] == 0 then return nil end
    local ticks, time = raw.fine_ticks or 1, model.log.time
    local names, series, capacity = {}, {}, {}
    for i, about in ipairs(model.log.levels(settings)) do
        local name, most = about[1], about[2]
        names[i], series[name], capacity[name] = name, made.means[i], most
    end
    local from, width, count = made.from / ticks, made.width / ticks, #made.means[1]
    return { model = model.name, from = from, to = from + count * width, count = count,
        width = width, unit = time.unit, axis = time.axis, names = names, recorded = true,
        runs = { { policy = policy, series = series, capacity = capacity } } }
end

-- Returns the means of buckets that are so many times as wide, in so many of them.
local function widened(means, times, count)
    local made = {}
    for i = 1, count do
        local sum = 0.0
        for k = (i - 1) * times + 1, i * times do sum = sum + (means[k] or 0.0) end
        made[i] = sum / times
    end
    return made
end

-- Returns how many buckets of a run are one of so wide ones; raises a fault where they do not begin
-- or end together.
local function times_of(one, widest, from)
    local times = math.tointeger(widest / one.width)
    if times and one.from == from then return times end
    fault.usage("timeline: the timeline of %s does not match the others: buckets of %s from %s "
        .. "on, not of %s from %s on", one.runs[1].policy, one.width, one.from, widest,
        from)
end

---Joins timelines of several runs of one workload as one, in the widest buckets of any. Widths are
---powers of two of one unit and times begin with the first arrival, so that nothing is split; but
---where policies of the makespan model count in ticks of different fineness, or one rejects the
---first jobs, they have no buckets in common.
---@param timelines pinion.Timeline[] at least one
---@return pinion.Timeline
function M.join(timelines)
    local made = {}
    for name, value in next, timelines[1] do made[name] = value end
    made.runs, made.count = {}, 0
    for _, one in ipairs(timelines) do made.width = math.max(made.width, one.width) end
    for _, one in ipairs(timelines) do
        made.count = math.max(made.count,
            (one.count - 1) // times_of(one, made.width, made.from) + 1)
    end
    made.to = made.from + made.count * made.width
    for i, one in ipairs(timelines) do
        local series = {}
        for name, means in next, one.runs[1].series do
            series[name] = widened(means, times_of(one, made.width, made.from), made.count)
        end
        made.runs[i] = { policy = one.runs[1].policy, series = series,
            capacity = one.runs[1].capacity }
    end
    return made
end

return M
