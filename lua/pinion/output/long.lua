-- Results in long form, one number a row: the settings of the cell, policy, replica, group, metric,
-- value, and the limits of the 95 % interval of what is estimated. A row without a replica is over
-- all of them.

local csv = require "pinion.base.csv"
local estimates = require "pinion.run.estimates"
local parts = require "pinion.output.parts"
local statistics = require "pinion.base.statistics"

local M = {}

local COLUMNS = { "policy", "replica", "group", "metric", "value", "low", "high" }

local function write_header(axes, write)
    local header = {}
    for i, axis in ipairs(axes) do header[i] = csv.quote(axis.name) end
    write(table.concat(table.move(COLUMNS, 1, #COLUMNS, #header + 1, header), ",") .. "\n")
end

-- Returns what writes rows of a policy: the cell's values and the policy stand in front of each.
local function row_writer(axes, cell, policy, write)
    local columns = {}
    for i, axis in ipairs(axes) do columns[i] = axis.name end
    table.move(COLUMNS, 1, #COLUMNS, #columns + 1, columns)
    local values = setmetatable({}, { __index = cell })
    return function(replica, group, metric, value, low, high)
        if value == nil then return end
        values.policy, values.replica, values.group, values.metric = policy, replica, group, metric
        values.value, values.low, values.high = value, low, high
        parts.csv_line(columns, values, write)
    end
end

-- Returns the name of part i of the numbers: all jobs have none.
local function group_of(groups, i)
    if i == 1 then return nil end
    return parts.group_name(groups[i - 1])
end

-- Returns all jobs, or a group that is shown.
local function has_part(groups, i)
    return i == 1 or parts.is_shown(groups[i - 1])
end

-- ---- one run ------------------------------------------------------------------------------------

-- Returns the intervals that a single run has: of the mean by batches, of quantiles by order.
local function limits_of(model, result, name)
    local first = model.results.samples[1]
    local half = name == first.mean and result.batches and result.batches.half
    if half then return result[name] - half, result[name] + half end
    for _, quantile in ipairs(statistics.QUANTILE_NAMES) do
        if name == estimates.quantile_name(first, quantile) then
            local limits = (result.quantile_limits or {})[quantile]
            if limits then return limits[1], limits[2] end
        end
    end
end

local function write_run(result, add)
    local model = parts.model_of(result)
    for i, numbers in ipairs(estimates.of_run(model, result)) do
        for _, name in ipairs(has_part(result.groups, i) and estimates.names(model) or {}) do
            local low, high
            if i == 1 then low, high = limits_of(model, result, name) end
            add(result.replica, group_of(result.groups, i), name, numbers[name], low, high)
        end
    end
end


-- ---- replicas -----------------------------------------------------------------------------------

-- Returns the pooled quantiles of a part by the names of its numbers.
local function pooled_of(model, row, part)
    local made = {}
    local from = part == 1 and row or row.groups[part - 1]
    for i, sample in ipairs(model.results.samples) do
        local of = part == 1 and i == 1 and row or from[sample.name] or {}
        for _, quantile in ipairs(statistics.QUANTILE_NAMES) do
            made[estimates.quantile_name(sample, quantile)] =
                { of[quantile], of[quantile .. "_half"] }
        end
    end
    return made
end

local function write_estimate(add, group, name, value, half)
    add(nil, group, name, value, half and value - half, half and value + half)
end

-- Returns whether the policy is compared. Policies that rejected jobs have other jobs in their
-- means, and a batch that did not end has none.
local function is_compared(row)
    local baseline = row.against
    return baseline and not row.other_jobs and row.complete ~= false and baseline.complete ~= false
end

-- Writes a number of all replicas: over each, their mean, and against the baseline.
local function write_number(add, first, group, name, values, pooled, baseline)
    for i, value in ipairs(values) do add(first + i - 1, group, name, value or nil) end
    if pooled then
        write_estimate(add, group, name, pooled[1], pooled[2])
    else
        write_estimate(add, group, name, estimates.mean(values))
    end
    local paired = baseline and estimates.paired(values, baseline)
    if not paired then return end
    write_estimate(add, group, name .. "_difference", paired.difference, paired.difference_half)
    write_estimate(add, group, name .. "_relative", paired.relative, paired.relative_half)
end

local function write_row(it, row, add)
    local model = parts.model_of(it)
    local against = is_compared(row) and row.against.by_replica or {}
    for part, lists in ipairs(row.by_replica) do
        local pooled, group = pooled_of(model, row, part), group_of(row.groups, part)
        for _, name in ipairs(has_part(row.groups, part) and estimates.names(model) or {}) do
            if lists[name] then
                write_number(add, it.replica, group, name, lists[name], pooled[name],
                    against[part] and against[part][name])
            end
        end
    end
end

-- ---- all of them --------------------------------------------------------------------------------

---Writes what has one result for each policy: a result itself, or a comparison of one replica.
---@param it pinion.Result|pinion.Comparison|pinion.Sweep
---@return pinion.Result[]|nil nil: numbers are by replica
function M.single_results(it)
    if it.over or (it.replicas or 1) > 1 then return nil end
    if not it.replicas then return { it } end
    local results = {}
    for i, row in ipairs(it.rows) do results[i] = row.result end
    return results
end

---Writes every number, policy by policy, to what `begin` makes of the policy's row or result: a
---function of replica (nil: over all of them), group, metric, value, low and high.
---@param it pinion.Result|pinion.Comparison|pinion.Sweep
---@param begin fun(row: table): fun(replica: integer|nil, group: string|nil, metric: string, value: number|nil, low: number|nil, high: number|nil)
function M.numbers(it, begin)
    local results = M.single_results(it)
    for _, result in ipairs(results or {}) do write_run(result, begin(result)) end
    for _, row in ipairs(results and {} or it.rows) do
        write_row(it, row, begin(row))
    end
end

---Writes one number a row, with a header.
---@param it pinion.Result|pinion.Comparison|pinion.Sweep
---@param write fun(text: string)
function M.csv(it, write)
    local axes = it.over or {}
    write_header(axes, write)
    M.numbers(it, function(row) return row_writer(axes, row, row.policy, write) end)
end

return M
