-- Several policies on the same workload, once or over replicas: one row per policy.
--
-- A plan is a comparison before its first run. What a replica leaves behind are plain values, so
-- that it does not matter which process ran it; they are added up in the order of the replicas. A
-- sweep runs many plans at once.

local check = require "pinion.base.check"
local core = require "pinion.core"
local estimates = require "pinion.run.estimates"
local fault = require "pinion.base.fault"
local lazy = require "pinion.base.lazy"
local inputs = require "pinion.run.inputs"
local models = require "pinion.models"
local parallel = lazy.module "pinion.base.parallel"
local policies = require "pinion.policy"
local result_of = require "pinion.run.result"
local single = require "pinion.run.single"
local slowdowns = lazy.module "pinion.base.slowdowns"
local notices = require "pinion.run.notices"
local statistics = require "pinion.base.statistics"

local M = {}

---@class pinion.Comparison
---@field model string
---@field workload string
---@field error string|nil distribution of the error in sizes
---@field warmup table|nil { jobs = n }, { slots = n } or { time = t }
---@field seed integer
---@field replicas integer that were asked for
---@field completed integer replicas that are in the rows
---@field replica integer the first of them
---@field drawn boolean whether replicas differ, so that there can be several
---@field baseline string the policy that the others are compared to
---@field interrupted boolean
---@field growing boolean whether some policy's number in the system was still growing
---@field admits boolean|nil whether some policy may reject jobs
---@field idle number|nil share of their time that machines, stations or slots worked, where it is so little that policies hardly differ
---@field submitted integer jobs of a replica, on average
---@field lower_bound number|nil of the only replica
---@field lower_bound_tight number|nil of the only replica
---@field rows pinion.ComparisonRow[] in the order in which the policies were given
---@field [string] any the settings in settings.heads of the model
local Comparison = {}
Comparison.__index = Comparison
Comparison.__name = "pinion.Comparison"

---@class pinion.ComparisonRow see lua/meta/results.lua
---@field samples table<string, number[]> the model's measures by replica
---@field by_replica table<string, (number|false)[]>[] numbers of the runs: of all jobs, then of each group
---@field differences number[] the first measure minus the baseline's, by replica
---@field order integer[]|nil of a batch, the only replica's: job ids
---@field complete boolean of a batch: whether every run finished all jobs
---@field optimal integer|nil of a batch: runs whose schedule is proven to be the best; nil: nothing is proven
---@field proofs table<string, integer> of a batch: runs by what keeps them from a proof, see notices.lua
---@field ratios table[]|nil of a batch, the only replica's: what every ratio of slots gave
---@field chosen { map_slots: integer, reduce_slots: integer }|nil the best of them
---@field stalled string|nil why jobs were left in some run that nothing ended, see notices.lua
---@field stalls integer|nil … in how many runs
---@field admits boolean|nil whether the policy may reject jobs
---@field promises boolean|nil whether it admits jobs by estimates
---@field other_jobs boolean|nil true: in some run it or the baseline rejected jobs, so that their means are of different ones
---@field recorded pinion.Timeline|nil of the only replica, see run/timeline.lua
---@field result pinion.Result|nil of the only replica
---@field counts table<number, number>|nil pooled values of the first sample
---@field pooled table<string, table<number, number>>|nil pooled values by name of the sample

-- ---- what a run leaves behind -------------------------------------------------------------------

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

-- Plain values: they may come from another process.
local function summarise(model, result)
    local results = model.results
    local summary = {
        finished = result.finished, measured = result.measured, submitted = result.submitted,
        seed = result.seed, relaxed = result.relaxed, digest = result.digest,
        quarters = result.quarters, lowest_at_end = result.lowest_at_end,
        slowdown_by_size = result.slowdown_by_size, stalled = result.stalled,
        rejected = result.rejected, promises = result.promises, recorded = result.recorded,
        numbers = estimates.of_run(model, result),
        busy = results.busy and results.busy(result),
    }
    result_of.kind_of(model).summarise(summary, result, model)
    for _, column in ipairs(results.columns) do
        if column.settling then summary[column.name] = result[column.name] end
    end
    for _, sample in ipairs(results.samples) do
        summary[sample.name] = unzip(result:counts_of(sample.name))
    end
    if result.groups then
        summary.groups = {}
        for i = 1, #result.groups do summary.groups[i] = group_summary(results, result, i) end
    end
    return summary
end

-- Rows from which the collector, which does not see their memory, is called for.
local ROWS_MANY = 50000

local function let_go(result)
    local many = result.rows and #result.rows >= ROWS_MANY
    result:drop_rows()
    if many then collectgarbage() end
end

-- ---- rows ---------------------------------------------------------------------------------------

-- The kernel's mixing function: the digest of several replicas is mix of theirs, in order.
local function mix(hash, value)
    hash = (hash ~ value) * 0xBF58476D1CE4E5B9
    hash = (hash ~ (hash >> 27)) * 0x94D049BB133111EB
    return hash ~ (hash >> 31)
end

local MIX_START = 0x9E3779B97F4A7C15

local function new_row(model, label)
    local row = {
        policy = label, relaxed = false, finished = 0, measured = 0, wins = 0,
        samples = {}, differences = {}, means = {}, others = {},
        quarters = { 0, 0, 0, 0 }, lowest_at_end = 0, quartered = 0,
        hash = MIX_START, pooled = {}, by_replica = {}, runs = 0,
    }
    result_of.kind_of(model).begin(row)
    for _, column in ipairs(model.results.columns) do
        if column.settling then row.samples[column.name] = {} end
    end
    for _, sample in ipairs(model.results.samples) do row.pooled[sample.name] = {} end
    row.counts = row.pooled[model.results.samples[1].name]
    return row
end

local function pool(counts, unzipped)
    for i, value in ipairs(unzipped.values) do
        counts[value] = (counts[value] or 0) + unzipped.times[i]
    end
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
            pool(into.counts, from)
        end
    end
end

-- The measure that comparisons go by.
local function first_measure(model)
    for _, column in ipairs(model.results.columns) do
        if column.settling then return column.name end
    end
end

-- Whether means are over the same jobs.
local function takes_all(summary)
    return (summary.rejected or 0) == 0
end

-- One run of the row's policy, beside the baseline's run of the same replica.
local function add_summary(model, row, summary, baseline, names)
    local kind = result_of.kind_of(model)
    row.relaxed = summary.relaxed
    kind.add(row, summary)
    notices.add_stall(row, summary.stalled)
    row.promises = row.promises or summary.promises
    if not (takes_all(summary) and takes_all(baseline)) then row.other_jobs = true end
    row.runs = row.runs + 1
    estimates.add(row.by_replica, summary.numbers, row.runs)
    row.finished = row.finished + summary.finished
    row.measured = row.measured + summary.measured
    row.hash = mix(row.hash, tonumber(summary.digest, 16))
    for name, samples in next, row.samples do samples[#samples + 1] = summary[name] end
    local first = first_measure(model)
    local mean, other = summary[first], baseline[first]
    if mean and other and kind.are_comparable(summary, baseline) then
        row.differences[#row.differences + 1] = mean - other
        row.means[#row.means + 1], row.others[#row.others + 1] = mean, other
        if mean < other then row.wins = row.wins + 1 end
    end
    if summary.quarters then
        row.quartered = row.quartered + 1
        row.lowest_at_end = row.lowest_at_end + summary.lowest_at_end
        for q = 1, 4 do row.quarters[q] = row.quarters[q] + summary.quarters[q] end
    end
    for _, sample in ipairs(model.results.samples) do
        pool(row.pooled[sample.name], summary[sample.name])
    end
    if summary.slowdown_by_size then
        row.slowdown_by_size = row.slowdown_by_size and slowdowns.pool { row.slowdown_by_size,
            summary.slowdown_by_size }
            or summary.slowdown_by_size
    end
    add_groups(model, row, summary, names)
    row.last = summary
end

-- How well the quantiles of a sample, over the jobs of all replicas, are known.
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

-- Quantiles of the samples over all replicas; those of the first stand in the row itself.
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
local ONLY_BEFORE = { "runs", "means", "others", "quartered", "hash", "index", "last" }

local function settle_row(model, row, plan)
    for name, samples in next, row.samples do
        row[name], row[name .. "_half"], row[name .. "_sd"] = statistics.interval(samples)
    end
    if plan.policies[plan.baseline] ~= plan.policies[row.index] and not row.other_jobs then
        row.difference, row.difference_half = statistics.interval(row.differences)
        row.relative, row.relative_half = statistics.ratio(row.means, row.others)
    else
        row.wins, row.differences = nil, {}
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

-- ---- a plan -------------------------------------------------------------------------------------

---@class pinion.Plan a comparison before and during its runs
---@field settings pinion.Settings
---@field model pinion.Model
---@field given any[] the policies as the user gave them
---@field policies pinion.Policy[]
---@field baseline integer index of a policy
---@field rows table[]
---@field options pinion.PlanOptions
---@field cell table<string, any> of a sweep: its values by axis
local Plan = {}
Plan.__index = Plan

---@class pinion.PlanOptions
---@field replicas integer
---@field baseline any|nil a policy; nil: the first
---@field processes integer|nil nil: one per core, but one for the only replica
---@field keep_rows boolean|nil of the only replica
---@field open (fun(settings: pinion.Settings): pinion.Opened)|nil
---@field detail (fun(result: pinion.Result, replica: integer, cell: table): any)|nil of replicas: what else to keep of a run, a plain value
---@field take fun(detail: any)|nil gets it, run by run, in the order of the replicas

local function label_of(policy)
    return policy.label or policy.name
end

-- All names are checked before the first run, which may take long.
local function check_policies(settings, given)
    local chosen, seen = {}, {}
    for i, name in ipairs(given) do
        local policy = policies.require(name, settings.model, settings.reduce)
        local label = label_of(policy)
        if seen[label] then fault.usage("policy '%s' is named twice", label) end
        seen[label] = true
        chosen[i] = policy
    end
    if #chosen == 0 then fault.usage("no policies to compare") end
    return chosen
end

local function find_baseline(name, chosen, given)
    if name == nil then return 1 end
    local labels = {}
    for i, policy in ipairs(chosen) do
        if name == given[i] or name == policy.name or name == label_of(policy) then return i end
        labels[i] = label_of(policy)
    end
    local _, why = check.choice(name, labels)
    fault.usage("baseline: %s", why)
end

---Everything is checked here; nothing has run yet.
---@param settings pinion.Settings
---@param given any[] policies
---@param options pinion.PlanOptions
---@return pinion.Plan
function M.plan(settings, given, options)
    local chosen = check_policies(settings, given)
    local model = models.of(settings)
    local draws = model.jobs.draws
    local drawn = settings.workload.random or settings.error or draws and draws(settings)
    if options.replicas > 1 and not drawn then
        fault.usage("replicas must be 1 for a fixed workload (%s)", draws
            and "nothing is drawn: no factors, failing attempts or nodes of inputs"
            or string.format("only a generator can draw %d different ones", options.replicas))
    end
    if options.replicas > 1 and settings.timeline then
        fault.usage("timeline: means nothing over %d replicas: each has its own arrivals and its "
            .. "own end (expected one of them: replica)", options.replicas)
    end
    local self = setmetatable({
        settings = settings, model = model, given = given, policies = chosen, options = options,
        baseline = find_baseline(options.baseline, chosen, given), rows = {}, completed = 0,
        cell = {}, drawn = drawn and true or false,
        submitted = 0,
    }, Plan)
    for i, policy in ipairs(chosen) do
        self.rows[i] = new_row(model, label_of(policy))
        self.rows[i].index, self.rows[i].admits = i, policy.admits
    end
    return self
end

-- The jobs, which are checked against all policies before the first run.
local function open(plan, settings)
    local opened = (plan.options.open or single.open)(settings)
    for _, policy in ipairs(plan.policies) do single.check_jobs(settings, policy, opened) end
    return opened
end

-- One replica through all policies, each result to `each`. Where policies share the bounds, the
-- first run computes them for all.
local function run_policies(plan, changes, each)
    local shares = result_of.kind_of(plan.model).shares_bounds
    local settings = setmetatable(changes, { __index = plan.settings })
    local opened = open(plan, settings)
    local first
    for i, given in ipairs(plan.given) do
        local bounds = first and shares and "none" or settings.bounds
        local own = { policy = given, policy_where = false, bounds = bounds } -- no file names it
        local result = single.run(setmetatable(own, { __index = settings }), opened)
        first = first or result
        result:share_bounds(first)
        each(i, result)
        if result.interrupted then break end
    end
    return first
end

---What every policy leaves behind of a replica; nil when it was interrupted. Many short runs show
---no progress of their own.
---@param replica integer from 0
---@param tick fun() called after each run
---@return table[]|nil
function Plan:run(replica, tick)
    local summaries, interrupted = {}, false
    run_policies(self, { replica = replica, quiet = true }, function(i, result)
        interrupted = result.interrupted
        if interrupted then return end
        local summary = summarise(self.model, result)
        summary.detail = self.options.detail and self.options.detail(result, replica, self.cell)
        -- which no row shows
        if self.options.replicas > 1 then
            summary.order, summary.pools, summary.ratios = nil, nil, nil
        end
        summaries[i] = summary
        let_go(result)
        tick()
    end)
    return not interrupted and summaries or nil
end

---Adds what Plan:run returned. Replicas are added in ascending order.
function Plan:add(summaries)
    local names = self:group_names()
    for i, row in ipairs(self.rows) do
        if summaries[i].detail then self.options.take(summaries[i].detail) end
        summaries[i].detail = nil
        add_summary(self.model, row, summaries[i], summaries[self.baseline], names)
    end
    self.completed = self.completed + 1
    self.submitted = self.submitted + summaries[1].submitted
    self.seed = summaries[1].seed
    self:add_busy(summaries[1])
end

-- Of the first policy's runs: where hardly anything is to be done, the others' are like them.
---@private
function Plan:add_busy(summary)
    self.busy = summary.busy and (self.busy or 0) + summary.busy
end

-- Names do not change from replica to replica, nor are they sent from process to process.
function Plan:group_names()
    self.names = self.names or self.settings.workload:group_names()
    return self.names
end

-- Adds the only replica. A row without a result is one that was interrupted before it had any.
local function add_results(plan, results, summaries)
    local names, rows = plan:group_names(), {}
    local baseline = results[plan.baseline] or {}
    for i, row in ipairs(plan.rows) do
        local result = results[i]
        if result then
            add_summary(plan.model, row, summaries[i], baseline, names)
            row.result, result.counts = result, row.pooled
            rows[#rows + 1] = row
            plan.submitted, plan.seed = result.submitted, result.seed
            if i == 1 then plan:add_busy(summaries[i]) end
        end
    end
    plan.rows, plan.completed = rows, 1
end

-- The only replica, in this process, with its results. One that was interrupted keeps what it has.
local function run_alone(plan)
    local interrupted, results, summaries = false, {}, {}
    run_policies(plan, { replica = plan.settings.replica }, function(i, result)
        results[i], summaries[i] = result, summarise(plan.model, result)
        interrupted = result.interrupted
        if not plan.options.keep_rows then let_go(result) end
    end)
    add_results(plan, results, summaries)
    return results[1], interrupted
end

-- The only replica with each policy in a process of its own, as far as there are any. The workload
-- is made once, before them.
local function run_apart(plan, processes)
    local settings, model = plan.settings, plan.model
    local shares = result_of.kind_of(model).shares_bounds
    local opened = open(plan, settings)
    local results, summaries, done = {}, {}, 0
    local function own_settings(i, bounds)
        return setmetatable({ policy = plan.given[i], policy_where = false, bounds = bounds,
            quiet = true }, { __index = settings })
    end
    local progress <close> = core.progress("comparison", settings.quiet)
    local complete = parallel.run(#plan.given, processes, {
        run = function(i, tick)
            local bounds = i > 1 and shares and "none" or settings.bounds
            local result = single.run(own_settings(i, bounds), opened)
            if result.interrupted then return nil end
            tick()
            return { result = result:portable(), summary = summarise(model, result) }
        end,
        deliver = function(i, value)
            local counts = {}
            for _, sample in ipairs(model.results.samples) do
                counts[sample.name] = {}
                pool(counts[sample.name], value.summary[sample.name])
            end
            results[i], summaries[i] = result_of.restore(value.result, counts, settings.extended),
                value.summary
            single.note(results[i], own_settings(i, settings.bounds))
        end,
        tick = function(part)
            done = done + (part and 1 or 0)
            progress:show(done, #plan.given, "runs")
        end,
        name = function(i) return "policy " .. plan.rows[i].policy end,
    })
    for i, result in next, results do
        if results[1] then
            result:share_bounds(results[1])
        end
        for _, column in ipairs(model.results.columns) do
            if column.settling then summaries[i][column.name] = result[column.name] end
        end
        summaries[i].numbers = estimates.of_run(model, result)
    end
    add_results(plan, results, summaries)
    return results[1], not complete
end

-- Where the machines have so little to do, and policies differ by so little. Of fewer jobs a load
-- says little.
local IDLE, ALIKE, FEW = 0.1, 0.01, 30

-- Whether the means of the rows are nearly the same; relaxed policies, which are no schedules,
-- aside.
local function are_alike(rows, measure)
    local least, most, count = math.huge, 0, 0
    for _, row in ipairs(rows) do
        local mean = row[measure]
        if row.stalled or row.other_jobs or not mean then return false end
        if not row.relaxed then
            least, most, count = math.min(least, mean), math.max(most, mean), count + 1
        end
    end
    return count > 1 and most - least <= ALIKE * least
end

---The comparison, from what was added.
---@return pinion.Comparison
function Plan:settle()
    local settings = self.settings
    local made = setmetatable({
        model = settings.model, extended = settings.extended, workload = settings.workload.text,
        error = settings.error and settings.error.text, warmup = settings.warmup,
        bounds = settings.bounds,
        replicas = self.options.replicas, completed = self.completed,
        replica = self.options.replicas == 1 and settings.replica or 0, drawn = self.drawn,
        baseline = label_of(self.policies[self.baseline]),
        interrupted = false, growing = false, rows = self.rows, seed = self.seed or settings.seed
            or 1,
        submitted = self.completed > 0 and self.submitted / self.completed or 0,
    }, Comparison)
    for _, name in ipairs(self.model.settings.heads) do
        made[name] = result_of.head(self.model, settings, name)
    end
    made.submitted = math.tointeger(made.submitted) or made.submitted
    made.rules = result_of.rules_of(self.model, settings, self.policies)
    for _, row in ipairs(self.rows) do
        settle_row(self.model, row, self)
        made.growing = made.growing or row.growing
        made.admits = made.admits or row.admits
    end
    local busy = self.completed > 0 and self.busy and self.busy / self.completed
    local many = made.submitted >= FEW
    if busy and busy < IDLE and many and are_alike(self.rows, first_measure(self.model)) then
        made.idle = busy
    end
    return made
end

-- ---- all of it ----------------------------------------------------------------------------------

---Runs every replica of every plan, on as many processes as asked for, and adds it up.
---@param plans pinion.Plan[]
---@param what string what the progress line calls it
---@param processes integer|nil nil: all cores
---@param quiet boolean
---@return boolean complete false when it was interrupted
function M.run_plans(plans, what, processes, quiet)
    local replicas, runs, done = plans[1].options.replicas, 0, 0
    for _, plan in ipairs(plans) do runs = runs + replicas * #plan.rows end
    local progress <close> = core.progress(what, quiet)
    -- All plans' first replicas, then all second ones, …: what is interrupted has something of
    -- each. The turns keep every process from always meeting the same plans, some of which may be
    -- slower than others.
    local function place(task)
        local replica = (task - 1) // #plans
        return (task - 1 + replica) % #plans + 1, replica
    end
    return parallel.run(#plans * replicas, processes or core.cores(), {
        run = function(task, tick)
            local cell, replica = place(task)
            return plans[cell]:run(replicas > 1 and replica or plans[cell].settings.replica, tick)
        end,
        deliver = function(task, summaries) plans[place(task)]:add(summaries) end,
        tick = function(part)
            done = done + (part and 1 or 0)
            progress:show(done, runs, "runs")
        end,
        name = function(task)
            local cell, replica = place(task)
            return string.format("replica %d", replica)
                .. (#plans > 1 and string.format(" of cell %d", cell) or "")
        end,
    })
end

-- The bound of every row; nil when they differ.
local function shared_bound(rows, name)
    local bound = rows[1].result[name]
    for _, row in ipairs(rows) do
        if row.result[name] ~= bound then return nil end
    end
    return bound
end

---@param settings pinion.Settings
---@param given any[] policies
---@param options pinion.PlanOptions
---@return pinion.Comparison
function M.run(settings, given, options)
    local plan = M.plan(settings, given, options)
    if options.replicas > 1 then
        local complete = M.run_plans({ plan }, "comparison", options.processes, settings.quiet)
        local made = plan:settle()
        made.interrupted = not complete
        inputs.note(made, inputs.of(settings, given))
        return made
    end
    local first, interrupted
    if (options.processes or 1) > 1 and not options.keep_rows then
        first, interrupted = run_apart(plan, options.processes)
    else
        first, interrupted = run_alone(plan)
    end
    local made = plan:settle()
    made.interrupted = interrupted
    inputs.note(made, inputs.of(settings, given))
    made.expected = first and first.expected
    for _, name in ipairs(first and { "lower_bound", "lower_bound_tight" } or {}) do
        made[name] = shared_bound(made.rows, name)
    end
    return made
end

M.class = Comparison

return M
