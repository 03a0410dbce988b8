-- What a run leaves behind for comparisons, which do not keep results.

local estimates = require "pinion.run.estimates"
local result_columns = require "pinion.models.columns"
local result_of = require "pinion.run.result"
local statistics = require "pinion.base.statistics"

local M = {}

local function unzip(counts)
    local values = statistics.sorted_values(counts)
    local times = {}
    for i, value in ipairs(values) do times[i] = counts[value] end
    return { values = values, times = times }
end

local function group_summary(results, result, i)
    local group = result.groups[i]
    local summary = { finished = group.finished, sums = group.sums }
    for _, sample in ipairs(results.samples) do
        summary[sample.name] = unzip(result:counts_of(sample.name, i))
        summary[sample.name].mean = group[sample.name].mean
    end
    return summary
end

-- Returns the columns that come from the bounds, which are not a policy's own where policies share
-- them.
local function is_of_bounds(column)
    local kind = result_columns.kind(column)
    return kind.bound or kind.ratio or kind.shared
end

local function drop_bounds(model, summary)
    if not result_of.kind_of(model).shares_bounds then return end
    for _, column in ipairs(model.results.columns) do
        if is_of_bounds(column) then
            summary[column.name], summary.numbers[1][column.name] = nil, nil
        end
    end
end

---Returns what a run leaves behind: plain values, which may go to another process or stay in a
---store. Where policies share the bounds these are not in it: see M.set_bounds.
---@param model pinion.Model
---@param result pinion.Result
---@return table
function M.of_run(model, result)
    local results = model.results
    local total = results.samples[1].total
    local summary = {
        finished = result.finished, measured = result.measured, submitted = result.submitted,
        warmup_jobs = result.warmup_found and result.warmup.jobs or nil, seed = result.seed,
        relaxed = result.relaxed, digest = result.digest,
        quarters = result.quarters, lowest_at_end = result.lowest_at_end,
        slowdown_by_size = result.slowdown_by_size, stalled = result.stalled,
        rejected = result.rejected, promises = result.promises, recorded = result.recorded,
        numbers = estimates.of_run(model, result), complete = result.complete,
        busy = results.busy and results.busy(result),
    }
    if total then summary[total] = result[total] end
    result_of.kind_of(model).summarise(summary, result, model)
    for _, column in ipairs(results.columns) do
        if column.measure then summary[column.name] = result[column.name] end
    end
    for _, sample in ipairs(results.samples) do
        summary[sample.name] = unzip(result:counts_of(sample.name))
    end
    if result.groups then
        summary.groups = {}
        for i = 1, #result.groups do summary.groups[i] = group_summary(results, result, i) end
    end
    drop_bounds(model, summary)
    return summary
end

---Returns the bounds that a result shares with those of other policies on the same jobs: columns by
---name.
---@param model pinion.Model
---@param result pinion.Result
---@return table<string, number>
function M.bounds_of(model, result)
    local bounds = {}
    for _, column in ipairs(model.results.columns) do
        local kind = result_columns.kind(column)
        if kind.bound or kind.shared then bounds[column.name] = result[column.name] end
    end
    return bounds
end

---Puts the bounds into what a run left behind.
---@param model pinion.Model
---@param summary table of M.of_run
---@param bounds table<string, number>|nil of M.bounds_of; nil: there are none, or none that are shared
function M.set_bounds(model, summary, bounds)
    if not bounds or next(bounds) == nil then return end
    local total = model.results.samples[1].total
    local own = { complete = summary.complete, finished = summary.finished,
        submitted = summary.submitted, [total] = summary[total] }
    result_of.set_bounds(model, own, bounds)
    for _, column in ipairs(model.results.columns) do
        if is_of_bounds(column) and column.measure then
            summary[column.name] = own[column.name]
            summary.numbers[1][column.name] = own[column.name]
        end
    end
end

return M
