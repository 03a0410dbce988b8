-- Results of jobs that come one by one: means over the jobs measured, bounds that belong to the
-- workload, and whether the system kept up with its arrivals.

local batch_means = require "pinion.base.batch_means"
local interval = require "pinion.run.interval"
local result_columns = require "pinion.models.columns"
local statistics = require "pinion.base.statistics"

local M = {}

---Policies on the same jobs share the bounds: the first run computes them for all.
M.shares_bounds = true

-- Fewer batches do not tell whether jobs are independent.
local BATCHES_LEAST = 10

-- Sets the means of consecutive samples, in order of finish, and what they say about the mean of
-- one long run.
local function set_batches(result, model, settings, raw)
    if not raw or #raw.means == 0 then return end
    local half, means
    half, means, result.no_interval = interval.of_run(result, model, settings, raw.means)
    result.batches = {
        size = #means == #raw.means and raw.size or 2 * raw.size, count = #means,
        mean = statistics.interval(means), half = half, means = means,
    }
end

-- Sets how many jobs a warm-up should leave out, where they move the mean by more than half of the
-- half width that it has without them.
local function suggest_warmup(result, model, settings, raw)
    local means = raw and not settings.warmup and raw.means or {}
    local cut = batch_means.warmup(means)
    if cut == 0 then return end
    local rest = table.move(means, cut + 1, #means, 1, {})
    local half = interval.of_run(result, model, settings, rest)
    local shift = statistics.interval(rest) - result[model.results.samples[1].mean]
    if half and math.abs(shift) > half / 2 then result.warmup_suggested = cut * raw.size end
end

-- Computes the interval of each quantile of the first sample, by the order of the jobs' values; or
-- why there is none.
local function limit_quantiles(result, model, batches)
    local first = model.results.samples[1]
    if not result.rows then return nil, "the rows of jobs are not stored" end
    if not batches or #batches.means < BATCHES_LEAST then
        return nil, "too few jobs to test whether they are independent"
    end
    local independent, factor = statistics.look_independent(batches.means, batches.size,
        result[first.name].sd or 0)
    if not independent then
        return nil, string.format("consecutive jobs depend on each other (batch means vary %.1f "
            .. "times as much as those of independent jobs); replicas give intervals", factor)
    end
    local limits = {}
    for _, entry in ipairs(statistics.QUANTILES) do
        local n = result.measured
        local low, high = statistics.order_limits(n, entry[2])
        -- the middle of a rank, so that rounding does not pass into the next one
        limits[entry[1]] = low and { result:quantile(first.name, (low - 0.5) / n),
            result:quantile(first.name, (high - 0.5) / n) }
    end
    return limits
end

local function ratio(total, bound)
    if not total or not bound or bound == 0 then return nil end
    return total / bound
end

---Gives a result the bounds of its workload and, where no job was rejected or failed, its ratios to
---them.
---@param result pinion.Result
---@param model pinion.Model
---@param bounds { fast: number|nil, tight: number|nil }
function M.set_bounds(result, model, bounds)
    if not result.complete then return end
    local total = result.finished == result.submitted and result[model.results.samples[1].total]
    for _, column in ipairs(model.results.columns) do
        local kind = result_columns.kind(column)
        if kind.bound then result[column.name] = bounds[kind.bound] end
        if kind.ratio then result[column.name] = ratio(total, bounds[kind.ratio]) end
    end
end

-- Sets the mean of the first sample, which comes from the exact total, unless some jobs are left
-- out.
local function set_means(result, model, raw)
    local first = model.results.samples[1]
    for _, sample in ipairs(model.results.samples) do
        result[sample.mean] = result[sample.name].mean
    end
    if result.warmup then return end
    result[first.mean] = raw.finished > 0 and raw[first.total] / raw.finished or nil
    result[first.name].mean = result[first.mean]
end

-- Describes what ended a run with jobs left: the end that it was given, or the model's own limit
-- where that comes first.
local function describe_stop(model, settings, raw, params)
    if raw.complete or raw.interrupted or raw.stalled then return nil end
    local name, words = model.settings.until_option, model.words
    local time, limit, limit_name = settings[name], nil, nil
    if model.settings.limit then limit, limit_name = model.settings.limit(params or {}) end
    if limit and limit < (time or math.huge) then time, name = limit, limit_name end
    if not time then return nil end
    local stopped = words.stopped and words.stopped(time)
        or "before " .. words.amount(time) .. words.time_unit
    return string.format("%s (%s)", stopped, name)
end

---Sets what results of this kind have besides the columns, from what the core returned.
---@param result pinion.Result
---@param model pinion.Model
---@param settings pinion.Settings
---@param raw table
---@param params table<string, any>|nil
function M.set(result, model, settings, raw, params)
    result.number_in_system = raw.number_in_system
    result.stopped = describe_stop(model, settings, raw, params)
    set_means(result, model, raw)
    result.quantile_limits, result.no_quantile_limits = limit_quantiles(result, model,
        raw.batches)
    result.quarters, result.lowest_at_end = statistics.quarters(raw.number_in_system,
        raw.number_in_system.jobs)
    set_batches(result, model, settings, raw.batches)
    suggest_warmup(result, model, settings, raw.batches)
    if raw.complete then
        M.set_bounds(result, model, { fast = raw.lower_bound, tight = raw.lower_bound_tight })
    end
end

-- ---- rows of comparisons ------------------------------------------------------------------------

---Returns what a run leaves behind besides its measures.
function M.summarise()
end

---Begins a row with what it has before its first run.
function M.begin()
end

---Adds a run to its row.
function M.add()
end

---@return boolean whether a run can be compared with others
function M.is_comparable()
    return true
end

return M
