-- What single runs give numbers of, and what replicas estimate of these: means and quantiles, of
-- all jobs and of each group, and differences to the baseline, each with its 95 % interval.

local statistics = require "pinion.base.statistics"

local M = {}

-- ---- one run ------------------------------------------------------------------------------------

-- Measures of a run: what has a number beside its jobs' statistics.
local function add_measures(model, from, into)
    for _, column in ipairs(model.results.columns) do
        local value = from[column.name]
        if (column.measure or column.group) and math.type(value) then
            into[column.name] = value
        end
    end
end

---Returns what the quantile of a sample is called.
---@param sample pinion.Sample
---@param quantile string
---@return string such as "flow_time_p50"
function M.quantile_name(sample, quantile)
    return sample.name .. "_" .. quantile
end

local function add_samples(model, from, into)
    for _, sample in ipairs(model.results.samples) do
        local of = from[sample.name] or {}
        into[sample.mean] = into[sample.mean] or of.mean
        for _, quantile in ipairs(statistics.QUANTILE_NAMES) do
            into[M.quantile_name(sample, quantile)] = of[quantile]
        end
    end
end

local function numbers_of(model, from)
    local into = { finished = from.finished }
    add_measures(model, from, into)
    add_samples(model, from, into)
    return into
end

---Returns the numbers of a run by name: first those of all jobs, then those of each group.
---@param model pinion.Model
---@param result pinion.Result
---@return table<string, number>[]
function M.of_run(model, result)
    local made = { numbers_of(model, result) }
    for i, group in ipairs(result.groups or {}) do made[i + 1] = numbers_of(model, group) end
    return made
end

---Lists the names in a fixed order: as the model has its columns, then quantiles.
---@param model pinion.Model
---@return string[]
function M.names(model)
    local names, seen = {}, {}
    local function add(name)
        if not seen[name] then names[#names + 1], seen[name] = name, true end
    end
    add "finished"
    for _, column in ipairs(model.results.columns) do
        if column.measure or column.group then add(column.name) end
    end
    for _, sample in ipairs(model.results.samples) do
        add(sample.mean)
        for _, quantile in ipairs(statistics.QUANTILE_NAMES) do
            add(M.quantile_name(sample, quantile))
        end
    end
    return names
end

-- ---- replicas -----------------------------------------------------------------------------------

---Adds the numbers of one more run. What it does not have is false.
---@param by_replica table<string, (number|false)[]>[] first of all jobs, then of each group
---@param numbers table<string, number>[] of M.of_run
---@param count integer runs so far, this one among them
function M.add(by_replica, numbers, count)
    for part, values in ipairs(numbers) do
        local lists = by_replica[part] or {}
        by_replica[part] = lists
        for name, value in next, values do
            local list = lists[name] or {}
            lists[name] = list
            if count > 1 and list[count - 1] == nil then
                for i = #list + 1, count - 1 do list[i] = false end
            end
            list[count] = value
        end
    end
end

---Returns whether the last run's numbers differ from those of the first.
---@param by_replica table<string, (number|false)[]>[]
---@param count integer runs
---@return boolean
function M.differ(by_replica, count)
    for _, lists in ipairs(by_replica) do
        for _, list in next, lists do
            if list[count] ~= list[1] then return true end
        end
    end
    return false
end

local function present(values)
    local found = {}
    for _, value in ipairs(values or {}) do
        if value then found[#found + 1] = value end
    end
    return found
end

---Returns mean over replicas and half the width of its interval.
---@param values (number|false)[]
---@return number|nil mean, number|nil half
function M.mean(values)
    return statistics.interval(present(values))
end

---Returns half the width of the interval of a quantile of all replicas' jobs pooled, from the
---replicas' own quantiles around it.
---@param values (number|false)[]
---@param pooled number|nil
---@return number|nil
function M.quantile_half(values, pooled)
    return pooled and statistics.section(present(values), pooled)
end

---Returns mean and half width of the paired differences, and the ratio of the means with its half
---width.
---@param values (number|false)[]
---@param baseline (number|false)[]
---@return { difference: number, difference_half: number|nil, relative: number|nil, relative_half: number|nil }|nil
function M.paired(values, baseline)
    local ours, theirs, differences = {}, {}, {}
    for i, value in ipairs(values or {}) do
        if value and baseline and baseline[i] then
            ours[#ours + 1], theirs[#theirs + 1] = value, baseline[i]
            differences[#differences + 1] = value - baseline[i]
        end
    end
    if #differences == 0 then return nil end
    local made = {}
    made.difference, made.difference_half = statistics.interval(differences)
    made.relative, made.relative_half = statistics.ratio(ours, theirs)
    return made
end

return M
