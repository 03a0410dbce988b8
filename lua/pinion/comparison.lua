-- Several policies on the same workload, once or over replicas: one row per policy.
--
-- A plan is a comparison before its first run. What a replica leaves behind are plain values, so that it does not matter which process
-- ran it; they are added up in the order of the replicas. A sweep runs many plans at once.

local check = require "pinion.check"
local core = require "pinion.core"
local fault = require "pinion.fault"
local files = require "pinion.files"
local models = require "pinion.models"
local parallel = require "pinion.parallel"
local policies = require "pinion.policies"
local restore = require("pinion.result").restore
local statistics = require "pinion.statistics"

local M = {}

---@class pinion.Comparison
---@field model string
---@field machines integer
---@field reduce string
---@field workload string
---@field error string|nil distribution of the error in sizes
---@field warmup table|nil { jobs = n } or { slots = n }
---@field seed integer
---@field replicas integer that were asked for
---@field completed integer replicas that are in the rows
---@field baseline string the policy that the others are compared to
---@field interrupted boolean
---@field growing boolean whether some policy's number in the system was still growing
---@field submitted integer jobs of a replica, on average
---@field lower_bound integer|nil of the only replica
---@field lower_bound_tight integer|nil of the only replica
---@field rows pinion.ComparisonRow[] in the order in which the policies were given
local Comparison = {}
Comparison.__index = Comparison
Comparison.__name = "pinion.Comparison"

---@class pinion.ComparisonRow see lua/meta/pinion.lua
---@field samples table<string, number[]> the measures by replica
---@field differences number[] mean flow time minus the baseline's, by replica
---@field result pinion.Result|nil of the only replica
---@field counts table<number, number>|nil pooled flow times

---What is known of every replica: these become mean, …_sd and …_half.
M.MEASURES = { "mean_flow_time", "efficiency_ratio", "efficiency_ratio_tight" }

-- ---- what a run leaves behind -----------------------------------------------------------------------------

local function unzip(counts)
    local values = statistics.sorted_values(counts)
    local times = {}
    for i, value in ipairs(values) do times[i] = counts[value] end
    return values, times
end

local function group_summary(result, i)
    local group = result.groups[i]
    local values, times = unzip(result:flow_time_counts(i))
    return { finished = group.finished, mean = group.flow_time.mean, values = values, times = times }
end

-- Plain values: they may come from another process.
local function summarise(result)
    local summary = {
        finished = result.finished, measured = result.measured, submitted = result.submitted, seed = result.seed,
        relaxed = result.relaxed, digest = result.digest, quarters = result.quarters, lowest_at_end = result.lowest_at_end,
    }
    for _, measure in ipairs(M.MEASURES) do summary[measure] = result[measure] end
    summary.values, summary.times = unzip(result:flow_time_counts())
    if result.groups then
        summary.groups = {}
        for i = 1, #result.groups do summary.groups[i] = group_summary(result, i) end
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

-- ---- rows -------------------------------------------------------------------------------------------------

-- The kernel's mixing function: the digest of several replicas is mix of theirs, in order.
local function mix(hash, value)
    hash = (hash ~ value) * 0xBF58476D1CE4E5B9
    hash = (hash ~ (hash >> 27)) * 0x94D049BB133111EB
    return hash ~ (hash >> 31)
end

local MIX_START = 0x9E3779B97F4A7C15

local function new_row(label)
    local row = { policy = label, relaxed = false, finished = 0, measured = 0, wins = 0, samples = {}, differences = {},
                  paired = { 0, 0 }, quarters = { 0, 0, 0, 0 }, lowest_at_end = 0, quartered = 0, hash = MIX_START, counts = {} }
    for _, measure in ipairs(M.MEASURES) do row.samples[measure] = {} end
    return row
end

local function pool(counts, summary)
    for i, value in ipairs(summary.values) do counts[value] = (counts[value] or 0) + summary.times[i] end
end

local function add_groups(row, summary, names)
    if not summary.groups then return end
    row.groups = row.groups or {}
    for i, one in ipairs(summary.groups) do
        local group = row.groups[i] or { group = names[i] or nil, finished = 0, means = {}, counts = {} }
        row.groups[i] = group
        group.finished = group.finished + one.finished
        if one.mean then group.means[#group.means + 1] = one.mean end
        pool(group.counts, one)
    end
end

-- One run of the row's policy, beside the baseline's run of the same replica.
local function add_summary(row, summary, baseline, names)
    row.relaxed = summary.relaxed
    row.finished = row.finished + summary.finished
    row.measured = row.measured + summary.measured
    row.hash = mix(row.hash, tonumber(summary.digest, 16))
    for _, measure in ipairs(M.MEASURES) do
        local samples = row.samples[measure]
        if summary[measure] then samples[#samples + 1] = summary[measure] end
    end
    local mean, other = summary.mean_flow_time, baseline.mean_flow_time
    if mean and other then
        row.differences[#row.differences + 1] = mean - other
        row.paired[1], row.paired[2] = row.paired[1] + mean, row.paired[2] + other
        if mean < other then row.wins = row.wins + 1 end
    end
    if summary.quarters then
        row.quartered = row.quartered + 1
        row.lowest_at_end = row.lowest_at_end + summary.lowest_at_end
        for q = 1, 4 do row.quarters[q] = row.quarters[q] + summary.quarters[q] end
    end
    pool(row.counts, summary)
    add_groups(row, summary, names)
end

local function settle_group(group)
    local flow_time = statistics.quantiles(group.counts)
    flow_time.mean, flow_time.mean_half = statistics.interval(group.means)
    return { group = group.group, finished = group.finished, flow_time = flow_time }
end

local function settle_row(row, plan)
    for _, measure in ipairs(M.MEASURES) do
        row[measure], row[measure .. "_half"], row[measure .. "_sd"] = statistics.interval(row.samples[measure])
    end
    if plan.policies[plan.baseline] ~= plan.policies[row.index] then
        row.difference, row.difference_half = statistics.interval(row.differences)
        row.relative = row.paired[2] > 0 and row.paired[1] / row.paired[2] or nil
    else
        row.wins, row.differences = nil, {}
    end
    for name, value in next, statistics.quantiles(row.counts) do row[name] = value end
    if row.result then
        -- The run's own are exact while it has its rows, and as good as its statistics when it has not.
        for _, name in ipairs { "p50", "p90", "p99", "p999", "max" } do row[name] = row.result.flow_time[name] end
        row.groups = row.result.groups
    else
        for i, group in ipairs(row.groups or {}) do row.groups[i] = settle_group(group) end
    end
    if row.quartered > 0 then
        row.lowest_at_end = row.lowest_at_end / row.quartered
        for q = 1, 4 do row.quarters[q] = row.quarters[q] / row.quartered end
    else
        row.quarters, row.lowest_at_end = nil, nil
    end
    row.growing = statistics.is_growing(row.quarters, row.lowest_at_end)
    row.digest = row.result and row.result.digest or string.format("%016x", row.hash)
    row.paired, row.quartered, row.hash, row.index = nil, nil, nil, nil
end

-- ---- a plan -----------------------------------------------------------------------------------------------

---@class pinion.Plan a comparison before and during its runs
---@field settings pinion.Settings
---@field given any[] the policies as the user gave them
---@field policies pinion.Policy[]
---@field baseline integer index of a policy
---@field rows table[]
---@field options pinion.PlanOptions
local Plan = {}
Plan.__index = Plan

---@class pinion.PlanOptions
---@field replicas integer
---@field baseline any|nil a policy; nil: the first
---@field processes integer|nil nil: one per core, but one for the only replica
---@field keep_rows boolean|nil of the only replica
---@field open (fun(settings: pinion.Settings): pinion.Opened)|nil

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
    if options.replicas > 1 and not settings.workload.random and not settings.error then
        fault.usage("replicas must be 1 for a fixed workload (only a generator can draw %d different ones)", options.replicas)
    end
    local self = setmetatable({
        settings = settings, given = given, policies = chosen, options = options,
        baseline = find_baseline(options.baseline, chosen, given), rows = {}, completed = 0, submitted = 0,
    }, Plan)
    for i, policy in ipairs(chosen) do
        self.rows[i] = new_row(label_of(policy))
        self.rows[i].index = i
    end
    return self
end

-- One replica through all policies, each result to `each`. The bounds belong to the workload, so the first run pays for them all.
local function run_policies(plan, changes, each)
    local model = models.find(plan.settings.model)
    local settings = setmetatable(changes, { __index = plan.settings })
    local opened = (plan.options.open or model.open)(settings)
    local first
    for i, given in ipairs(plan.given) do
        local own = setmetatable({ policy = given, bounds = first and "none" or settings.bounds }, { __index = settings })
        local result = model.run(own, opened)
        first = first or result
        result:set_bounds(first.lower_bound, first.lower_bound_tight)
        each(i, result)
        if result.interrupted then break end
    end
    return first
end

---What every policy leaves behind of a replica; nil when it was interrupted. Many short runs show no progress of their own.
---@param replica integer from 0
---@param tick fun() called after each run
---@return table[]|nil
function Plan:run(replica, tick)
    local summaries, interrupted = {}, false
    run_policies(self, { replica = replica, quiet = true }, function(i, result)
        interrupted = result.interrupted
        if interrupted then return end
        summaries[i] = summarise(result)
        let_go(result)
        tick()
    end)
    return not interrupted and summaries or nil
end

---Adds what Plan:run returned. Replicas are added in ascending order.
function Plan:add(summaries)
    local names = self:group_names()
    for i, row in ipairs(self.rows) do add_summary(row, summaries[i], summaries[self.baseline], names) end
    self.completed = self.completed + 1
    self.submitted = self.submitted + summaries[1].submitted
    self.seed = summaries[1].seed
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
            add_summary(row, summaries[i], baseline, names)
            row.result, result.counts = result, row.counts
            rows[#rows + 1] = row
            plan.submitted, plan.seed = result.submitted, result.seed
        end
    end
    plan.rows, plan.completed = rows, 1
end

-- The only replica, in this process, with its results. One that was interrupted keeps what it has.
local function run_alone(plan)
    local interrupted, results, summaries = false, {}, {}
    run_policies(plan, { replica = plan.settings.replica }, function(i, result)
        results[i], summaries[i] = result, summarise(result)
        interrupted = result.interrupted
        if not plan.options.keep_rows then let_go(result) end
    end)
    add_results(plan, results, summaries)
    return results[1], interrupted
end

-- The only replica with each policy in a process of its own, as far as there are any. The workload is made once, before them.
local function run_apart(plan, processes)
    local settings = plan.settings
    local model = models.find(settings.model)
    local opened = (plan.options.open or model.open)(settings)
    local results, summaries, done = {}, {}, 0
    local progress <close> = core.progress("comparison", settings.quiet)
    local complete = parallel.run(#plan.given, processes, {
        run = function(i, tick)
            local own = { policy = plan.given[i], bounds = i > 1 and "none" or settings.bounds, quiet = true }
            local result = model.run(setmetatable(own, { __index = settings }), opened)
            if result.interrupted then return nil end
            tick()
            return { result = result:portable(), summary = summarise(result) }
        end,
        deliver = function(i, value)
            local counts = {}
            pool(counts, value.summary)
            results[i], summaries[i] = restore(value.result, counts), value.summary
        end,
        tick = function(part)
            done = done + (part and 1 or 0)
            progress:show(done, #plan.given, "runs")
        end,
        name = function(i) return "policy " .. plan.rows[i].policy end,
    })
    for i, result in next, results do
        if results[1] then result:set_bounds(results[1].lower_bound, results[1].lower_bound_tight) end
        for _, measure in ipairs(M.MEASURES) do summaries[i][measure] = result[measure] end
    end
    add_results(plan, results, summaries)
    return results[1], not complete
end

---The comparison, from what was added.
---@return pinion.Comparison
function Plan:settle()
    local settings = self.settings
    local made = setmetatable({
        model = settings.model, machines = settings.machines, reduce = settings.reduce, workload = settings.workload.text,
        error = settings.error and settings.error.text, warmup = settings.warmup, bounds = settings.bounds,
        replicas = self.options.replicas, completed = self.completed, baseline = label_of(self.policies[self.baseline]),
        interrupted = false, growing = false, rows = self.rows, seed = self.seed or settings.seed or 1,
        submitted = self.completed > 0 and self.submitted / self.completed or 0,
    }, Comparison)
    made.submitted = math.tointeger(made.submitted) or made.submitted
    for _, row in ipairs(self.rows) do
        settle_row(row, self)
        made.growing = made.growing or row.growing
    end
    return made
end

-- ---- all of it --------------------------------------------------------------------------------------------

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
    -- All plans' first replicas, then all second ones, …: what is interrupted has something of each. The turns keep every process from
    -- always meeting the same plans, some of which may be slower than others.
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
            return string.format("replica %d", replica) .. (#plans > 1 and string.format(" of cell %d", cell) or "")
        end,
    })
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
    if first then made.expected, made.lower_bound, made.lower_bound_tight = first.expected, first.lower_bound, first.lower_bound_tight end
    return made
end

function Comparison:__tostring()
    return (require("pinion.report").comparison_text(self):gsub("\n$", ""))
end

---Writes one row per policy.
---@param path string
Comparison.csv = fault.public(function(self, path)
    local name, why = check.text(path)
    if not name then fault.usage("csv: file name %s", why) end
    local sink = files.output(name)
    require("pinion.report").comparison_csv(self, sink.write)
    sink.close()
end)

---Writes the comparison as JSON.
---@param path string
Comparison.json = fault.public(function(self, path)
    local name, why = check.text(path)
    if not name then fault.usage("json: file name %s", why) end
    local sink = files.output(name)
    require("pinion.report").comparison_json(self, sink.write, false)
    sink.close()
end)

---Draws a figure with gnuplot and leaves its data (.dat) and script (.gp) beside it.
---@param path string .svg, .png or .pdf
---@param options pinion.PlotOptions|nil
---@return boolean drawn false when gnuplot is not installed
Comparison.plot = fault.public(function(self, path, options)
    return require("pinion.plot").draw(self, path, options or {})
end)

return M
