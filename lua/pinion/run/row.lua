-- A row of a comparison: a policy, over one run or many. What runs leave behind is added up in the
-- order of the replicas.

local core = require "pinion.core"
local estimates = require "pinion.run.estimates"
local lazy = require "pinion.base.lazy"
local notices = require "pinion.run.notices"
local result_of = require "pinion.run.result"
local significance = require "pinion.base.significance"
local slowdowns = lazy.module "pinion.base.slowdowns"
local statistics = require "pinion.base.statistics"

local M = {}

-- Mixes as the kernel: the digest of several replicas is mix of theirs, in order.
local function mix(hash, value)
    hash = (hash ~ value) * 0xBF58476D1CE4E5B9
    hash = (hash ~ (hash >> 27)) * 0x94D049BB133111EB
    return hash ~ (hash >> 31)
end

local MIX_START = 0x9E3779B97F4A7C15

---@param model pinion.Model
---@param label string
---@return table row
function M.new(model, label)
    local row = {
        policy = label, relaxed = false, finished = 0, measured = 0,
        samples = {}, firsts = {},
        quarters = { 0, 0, 0, 0 }, lowest_at_end = 0, quartered = 0,
        hash = MIX_START, pooled = {}, by_replica = {}, runs = 0,
    }
    result_of.kind_of(model).begin(row)
    for _, column in ipairs(model.results.columns) do
        if column.measure then row.samples[column.name] = {} end
    end
    for _, sample in ipairs(model.results.samples) do row.pooled[sample.name] = {} end
    row.counts = row.pooled[model.results.samples[1].name]
    return row
end

local function add_groups(model, row, summary, names)
    if not summary.groups then return end
    row.groups = row.groups or {}
    for i, one in ipairs(summary.groups) do
        local group = row.groups[i] or { group = names[i] or nil, finished = 0 }
        row.groups[i] = group
        group.finished = group.finished + one.finished
        if one.sums then
            group.sums = group.sums or {}
            for name, sum in next, one.sums do group.sums[name] = (group.sums[name] or 0) + sum end
        end
        for _, sample in ipairs(model.results.samples) do
            local into, from = group[sample.name] or { means = {}, counts = {} }, one[sample.name]
            group[sample.name] = into
            into.means[#into.means + 1] = from.mean
            core.pool(into.counts, from.values, from.times)
        end
    end
end

---Returns the measure that comparisons go by.
---@param model pinion.Model
---@return string
function M.first_measure(model)
    for _, column in ipairs(model.results.columns) do
        if column.measure then return column.name end
    end
end

---Adds one run of the row's policy.
---@param model pinion.Model
---@param row table
---@param summary table of summary.of_run
---@param names any[] of the groups
function M.add(model, row, summary, names)
    local kind = result_of.kind_of(model)
    row.relaxed = summary.relaxed
    kind.add(row, summary)
    notices.add_stall(row, summary.stalled)
    row.promises = row.promises or summary.promises
    row.first_digest = row.first_digest or summary.digest
    if (summary.rejected or 0) > 0 then row.other_jobs = true end
    row.runs = row.runs + 1
    estimates.add(row.by_replica, summary.numbers, row.runs)
    row.differs = row.differs or summary.digest ~= row.first_digest
        or estimates.differ(row.by_replica, row.runs)
    if summary.warmup_jobs then
        row.warmup_jobs = row.warmup_jobs or {}
        row.warmup_jobs[#row.warmup_jobs + 1] = summary.warmup_jobs
    end
    row.finished = row.finished + summary.finished
    row.measured = row.measured + summary.measured
    row.hash = mix(row.hash, tonumber(summary.digest, 16))
    for name, samples in next, row.samples do samples[#samples + 1] = summary[name] end
    row.firsts[row.runs] = kind.is_comparable(summary) and summary[M.first_measure(model)] or false
    if summary.quarters then
        row.quartered = row.quartered + 1
        row.lowest_at_end = row.lowest_at_end + summary.lowest_at_end
        for q = 1, 4 do row.quarters[q] = row.quarters[q] + summary.quarters[q] end
    end
    for _, sample in ipairs(model.results.samples) do
        local of_run = summary[sample.name]
        core.pool(row.pooled[sample.name], of_run.values, of_run.times)
    end
    if summary.slowdown_by_size then
        row.slowdown_by_size = row.slowdown_by_size and slowdowns.pool { row.slowdown_by_size,
            summary.slowdown_by_size }
            or summary.slowdown_by_size
    end
    add_groups(model, row, summary, names)
    row.last = summary
end

-- Adds how well the quantiles of a sample, over the jobs of all replicas, are known.
local function add_halves(quantiles, sample, by_replica)
    for _, entry in ipairs(statistics.QUANTILES) do
        local name = entry[1]
        quantiles[name .. "_half"] = by_replica and estimates.quantile_half(
            by_replica[estimates.quantile_name(sample, name)], quantiles[name])
    end
end

local function settle_group(model, group, by_replica)
    local settled = { group = group.group, finished = group.finished }
    for _, sample in ipairs(model.results.samples) do
        local made = statistics.quantiles(group[sample.name].counts)
        made.mean, made.mean_half = statistics.interval(group[sample.name].means)
        add_halves(made, sample, by_replica)
        settled[sample.name] = made
    end
    settled.sums = group.sums
    for name, value in next, group.sums and result_of.from_sums(model.results, group.sums) or {} do
        settled[name] = value
    end
    return settled
end

-- Settles quantiles of the samples over all replicas; those of the first stand in the row itself.
local function settle_quantiles(model, row)
    for i, sample in ipairs(model.results.samples) do
        local quantiles = statistics.quantiles(row.pooled[sample.name])
        if row.result then
            -- The run's own are exact while it has its rows, and as good as its statistics when it
            -- has not.
            for _, name in ipairs(statistics.QUANTILE_NAMES) do
                quantiles[name] = row.result[sample.name][name]
            end
        end
        add_halves(quantiles, sample, row.by_replica[1])
        if i > 1 then row[sample.name] = quantiles end
        for name, value in next, i == 1 and quantiles or {} do row[name] = value end
    end
end

-- What a row has only while runs are added.
local ONLY_BEFORE = { "first_digest", "runs", "quartered", "hash", "index", "last" }

-- Compares a row with the baseline's, replica by replica: both had the same jobs, unless one of the
-- policies rejected some.
local function compare(row, baseline)
    row.differences = {}
    if not baseline or baseline == row then return end
    row.against, row.wins = baseline, 0
    row.other_jobs = row.other_jobs or baseline.other_jobs
    local means, others = {}, {}
    for i, mean in ipairs(row.firsts) do
        local other = mean and baseline.firsts[i]
        if other then
            row.differences[#row.differences + 1] = mean - other
            means[#means + 1], others[#others + 1] = mean, other
            if mean < other then row.wins = row.wins + 1 end
        end
    end
    if row.other_jobs then
        row.wins, row.differences = nil, {}
        return
    end
    row.difference, row.difference_half = statistics.interval(row.differences)
    row.relative, row.relative_half = statistics.ratio(means, others)
    if row.differs then row.difference_p, row.wins_p = significance.chances(row.differences) end
end

-- Returns whether all replicas gave a row the same first measure.
local function is_constant(firsts)
    for _, mean in ipairs(firsts) do
        if mean ~= firsts[1] then return false end
    end
    return #firsts > 1
end

-- Takes away intervals without width, which would look like certainty where nothing was drawn. The
-- mean of equal numbers is rounded.
local function drop_halves(entry)
    for name, value in next, entry do
        if type(value) == "table" and value.p50 then
            drop_halves(value) -- the quantiles of a sample
        elseif name:find "_half$" or name:find "_sd$" then
            local mean = entry[name:gsub("_%a+$", "")]
            if value <= 1e-12 * math.abs(mean or 0) then entry[name] = nil end
        end
    end
end

-- Takes away what replicas cannot tell when they are the same to all rows.
local function settle_alike(rows)
    for _, row in ipairs(rows) do
        if not is_constant(row.firsts) then return end
    end
    for _, row in ipairs(rows) do
        row.alike, row.wins = true, nil
        drop_halves(row)
        for _, group in ipairs(row.groups or {}) do drop_halves(group) end
    end
end

-- Returns the rows that are compared with the same one: those of a cell, as a rule.
local function families_of(rows)
    local families, by_baseline = {}, {}
    for _, row in ipairs(rows) do
        local family = row.against and by_baseline[row.against]
        if row.against and not family then
            family = {}
            families[#families + 1], by_baseline[row.against] = family, family
        end
        if family then family[#family + 1] = row end
    end
    return families
end

---Compares settled rows with their baselines.
---@param rows table[]
---@param baseline_of fun(row: table): table|nil
function M.compare(rows, baseline_of)
    for _, row in ipairs(rows) do compare(row, baseline_of(row)) end
    for _, family in ipairs(families_of(rows)) do significance.mark(family) end
    settle_alike(rows)
    for _, row in ipairs(rows) do row.firsts = nil end
end

---Settles what the row shows, from what was added.
---@param model pinion.Model
---@param row table
---@param plan pinion.Plan
function M.settle(model, row, plan)
    for name, samples in next, row.samples do
        row[name], row[name .. "_half"], row[name .. "_sd"] = statistics.interval(samples)
    end
    settle_quantiles(model, row)
    row.group_counts = {}
    for i, group in ipairs(row.groups or {}) do
        row.group_counts[i] = {}
        for _, sample in ipairs(model.results.samples) do
            row.group_counts[i][sample.name] = group[sample.name].counts
        end
    end
    if row.result then
        row.groups = row.result.groups
    else
        for i, group in ipairs(row.groups or {}) do
            row.groups[i] = settle_group(model, group, row.by_replica[i + 1])
        end
    end
    if row.quartered > 0 then
        row.lowest_at_end = row.lowest_at_end / row.quartered
        for q = 1, 4 do row.quarters[q] = row.quarters[q] / row.quartered end
    else
        row.quarters, row.lowest_at_end = nil, nil
    end
    row.growing = statistics.is_growing(row.quarters, row.lowest_at_end)
    row.digest = row.result and row.result.digest or string.format("%016x", row.hash)
    if plan.options.replicas == 1 and row.last then
        row.order, row.pools, row.ratios, row.chosen = row.last.order, row.last.pools,
            row.last.ratios, row.last.chosen
        row.lower_bound, row.lower_bound_tight = row.last.lower_bound, row.last.lower_bound_tight
        row.recorded = row.last.recorded
        for name, value in next, row.last.exact or {} do row[name] = value end
    end
    for _, name in ipairs(ONLY_BEFORE) do row[name] = nil end
end

return M
