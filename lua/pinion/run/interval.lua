-- The interval of the mean of a single run, or why there is none: it is given only where it holds.

local batch_means = require "pinion.base.batch_means"
local statistics = require "pinion.base.statistics"
local tails = require "pinion.workload.tails"
local text = require "pinion.base.text"

local M = {}

-- A queue forgets its state after about v / (1 - load)^2 jobs, where v is the variability of the
-- sizes (Whitt, Planning Queueing Simulations, Management Science 35, 1989). A run needs so many
-- times that; docs/results.md says what was measured.
local TIMES <const> = 500

-- Returns what gives an interval where jobs are drawn.
local function advice(settings, words)
    return settings.workload.random and "; " .. words .. " give one" or ""
end

-- Returns why the sizes of jobs leave no interval.
local function heavy_tail(result, settings, holds_up)
    local jobs, option = tails.jobs_needed(settings.workload, holds_up)
    if jobs == math.huge and tails.without_variance(settings.workload) then
        return option .. " has no variance, so no run is long enough"
    end
    if jobs > result.measured then
        return option .. " has so heavy a tail that rare jobs, which hold up all others, determine "
            .. "the mean" .. advice(settings, "replicas")
    end
end

-- Returns the number rounded up to two digits.
local function rounded_up(number)
    local unit = 1
    while number / unit > 100 do unit = 10 * unit end
    return math.ceil(number / unit) * unit
end

-- Returns why the run is too short for its load.
local function high_load(result, settings, busy)
    local idle = 1 - busy
    local jobs = idle > 0.001 and TIMES * tails.variability(settings.workload) / (idle * idle)
    if jobs and result.measured >= jobs then return nil end
    return string.format("%s are too few at a load of %.2f", text.count(result.measured, "job"),
        busy) .. advice(settings, jobs and string.format("about %d jobs, or replicas,",
            rounded_up(jobs)) or "replicas")
end

---Returns half the width of the 95 % interval of the mean of a run, and the means of the batches
---behind it; without an interval, why there is none.
---@param result pinion.Result
---@param model pinion.Model
---@param settings pinion.Settings
---@param means number[] of batches as the core made them
---@return number|nil half, number[] means, string|nil reason
function M.of_run(result, model, settings, means)
    local results = model.results
    local isolating = results.isolating
    local reason = heavy_tail(result, settings,
        isolating ~= nil and not isolating[result.policy])
    if not reason and statistics.is_growing(result.quarters, result.lowest_at_end) then
        reason = "the number of jobs was still growing when arrivals ended"
    end
    if not reason and settings.warmup_found == "half" then
        reason = "the warm-up may be longer than half of the run"
            .. advice(settings, "more jobs, or replicas,")
    end
    reason = reason or high_load(result, settings, results.busy and results.busy(result) or 0.0)
    if reason then return nil, means, reason end
    local half, behind, why = batch_means.interval(means)
    return half, behind, why and why .. advice(settings, "more jobs, or replicas,")
end

return M
