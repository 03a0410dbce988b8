-- A plan is a comparison before and during its runs: the policies are checked, and what the runs
-- of a replica leave behind, plain values, is added up in the order of the replicas, so that it
-- does not matter which process ran it. A sweep has a plan for each cell.

local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local models = require "pinion.models"
local policies = require "pinion.policy"
local result_of = require "pinion.run.result"
local row_of = require "pinion.run.row"
local single = require "pinion.run.single"
local statistics = require "pinion.base.statistics"
local summary = require "pinion.run.summary"

local M = {}

-- Rows from which the collector, which does not see their memory, is called for.
local ROWS_MANY = 50000

---@class pinion.Plan a comparison before and during its runs
---@field settings pinion.Settings
---@field model pinion.Model
---@field given any[] the policies as the user gave them
---@field policies pinion.Policy[]
---@field baseline integer index of a policy
---@field rows table[]
---@field options pinion.PlanOptions
---@field cells table<string, any>[] of a sweep, by policy: the values by axis that matter to it
---@field whole boolean|nil true: results are kept whole, those of the only replica of a comparison
local Plan = {}
Plan.__index = Plan

---@class pinion.PlanOptions
---@field replicas integer
---@field baseline any|nil a policy; nil: the first
---@field processes integer|nil nil: one per core, but one for the only replica
---@field until_half { metric: string, ratio: number, most: integer }|nil more replicas until the intervals are that narrow
---@field store pinion.Store|nil with the fields of pinion.StoreOptions
---@field keep_rows boolean|nil of the only replica
---@field keep_numbers boolean|nil of sweeps: the numbers of each run, for results in long form; nil: true
---@field open (fun(settings: pinion.Settings): pinion.Opened)|nil
---@field detail (fun(result: pinion.Result, replica: integer, cell: table): any)|nil of replicas: what else to keep of a run, a plain value
---@field take fun(detail: any)|nil gets it, run by run, in the order of the replicas

local function label_of(policy)
    return policy.label or policy.name
end

-- Checks all names before the first run, which may take long.
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

---Finds the policy that others are compared with: an index; nil: the first.
---@param name any
---@param chosen pinion.Policy[]
---@param given any[]
---@return integer
function M.find_baseline(name, chosen, given)
    if name == nil then return 1 end
    local labels = {}
    for i, policy in ipairs(chosen) do
        labels[i] = label_of(policy)
        if name == given[i] or name == labels[i] then return i end
    end
    for i, policy in ipairs(chosen) do
        if name == policy.name then return i end
    end
    local _, why = check.choice(name, labels)
    fault.usage("baseline: %s", why)
end

---Makes a plan. Everything is checked here; nothing has run yet.
---@param settings pinion.Settings
---@param given any[] policies
---@param options pinion.PlanOptions
---@return pinion.Plan
function M.new(settings, given, options)
    local chosen = check_policies(settings, given)
    local model = models.of(settings)
    local draws = model.jobs.draws
    local drawn = settings.workload.random or settings.error or draws and draws(settings)
    if options.replicas > 1 and not drawn then
        fault.usage("replicas must be 1 for a fixed workload (%s%s)", draws
            and "nothing is drawn: no factors, failing attempts or nodes of inputs"
            or string.format("all %d would be the same", options.replicas),
            settings.workload:is_recorded(settings.model)
            and "; resample=blocks in the workload draws different ones" or "")
    end
    if options.replicas > 1 and settings.timeline then
        fault.usage("timeline: has no meaning over %d replicas, which have different arrivals "
            .. "(choose one with replica)", options.replicas)
    end
    local self = setmetatable({
        settings = settings, model = model, given = given, policies = chosen, options = options,
        baseline = M.find_baseline(options.baseline, chosen, given), rows = {}, completed = 0,
        cells = {}, drawn = drawn and true or false,
        submitted = 0,
    }, Plan)
    for i, policy in ipairs(chosen) do
        self.rows[i] = row_of.new(model, label_of(policy))
        self.rows[i].index, self.rows[i].admits = i, policy.admits
    end
    return self
end

---Opens the jobs, which are checked against all policies before the first run.
---@param settings pinion.Settings
---@return pinion.Opened
function Plan:open(settings)
    local opened = (self.options.open or single.open)(settings)
    for _, policy in ipairs(self.policies) do single.check_jobs(settings, policy, opened) end
    return opened
end

---@return boolean whether the first run computes the bounds for all
function Plan:shares_bounds()
    return result_of.kind_of(self.model).shares_bounds
end

---Returns the settings of one policy's run.
---@param settings pinion.Settings
---@param i integer index of the policy
---@param bounds string
---@return pinion.Settings
function Plan:own_settings(settings, i, bounds)
    return setmetatable({ policy = self.given[i], policy_where = false, bounds = bounds },
        { __index = settings }) -- no file names the policy
end

---Returns the settings of a replica without its policy.
---@param replica integer
---@return pinion.Settings
function Plan:replica_settings(replica)
    return setmetatable({ replica = replica, quiet = true }, { __index = self.settings })
end

---Lets go of a result's rows.
function M.let_go(result)
    local many = result.rows and #result.rows >= ROWS_MANY
    result:drop_rows()
    if many then collectgarbage() end
end

---Returns what a result of policy i, of one of several replicas, leaves behind.
---@return table
function Plan:summary(i, result, replica)
    local made = summary.of_run(self.model, result)
    made.detail = self.options.detail
        and self.options.detail(result, replica, self.cells[i] or {})
    -- which no row shows
    if self.options.replicas > 1 then made.order, made.pools, made.ratios = nil, nil, nil end
    return made
end

---@class pinion.ReplicaMade plain values
---@field rows table[] what each policy leaves behind, of summary.of_run
---@field bounds table<string, number>|nil that the policies share

---Runs; returns what every policy leaves behind of a replica; nil when it was interrupted. Many
---short runs show no progress of their own.
---@param replica integer from 0
---@param tick fun() called after each run
---@return pinion.ReplicaMade|nil
function Plan:run(replica, tick)
    local settings, shares = self:replica_settings(replica), self:shares_bounds()
    local opened, made = self:open(settings), { rows = {} }
    for i in ipairs(self.given) do
        local bounds = i > 1 and shares and "none" or settings.bounds
        local result = single.run(self:own_settings(settings, i, bounds), opened)
        if result.interrupted then return nil end
        if i == 1 and shares then made.bounds = summary.bounds_of(self.model, result) end
        made.rows[i] = self:summary(i, result, replica)
        M.let_go(result)
        tick()
    end
    return made
end

---Adds what Plan:run returned. Replicas are added in ascending order.
---@param made pinion.ReplicaMade
function Plan:add(made)
    local names, summaries = self:group_names(), made.rows
    for i, row in ipairs(self.rows) do
        summary.set_bounds(self.model, summaries[i], made.bounds)
        if summaries[i].detail then self.options.take(summaries[i].detail) end
        summaries[i].detail = nil
        row_of.add(self.model, row, summaries[i], names)
    end
    self.completed = self.completed + 1
    self.submitted = self.submitted + summaries[1].submitted
    self.seed = summaries[1].seed
    self:add_busy(summaries[1])
end

---Returns whether every policy's mean over the replicas so far is known well enough.
---@param metric string a measure
---@param ratio number the largest half width of the interval, as a share of the mean
---@return boolean
function Plan:is_narrow(metric, ratio)
    for _, row in ipairs(self.rows) do
        local mean, half = statistics.interval(row.samples[metric])
        if not half or half > ratio * math.abs(mean) then return false end
    end
    return true
end

---Adds of the first policy's runs: where hardly anything is to be done, the others' are like them.
function Plan:add_busy(made)
    self.busy = made.busy and (self.busy or 0) + made.busy
end

---Names do not change from replica to replica, nor are they sent from process to process.
---@return any[]
function Plan:group_names()
    self.names = self.names or self.settings.workload:group_names(self.model.name)
    return self.names
end

-- Where the machines have so little to do, and policies differ by so little. Of fewer jobs a load
-- says little.
local IDLE, ALIKE, FEW = 0.1, 0.01, 30

-- Returns whether the means of the rows are nearly the same; relaxed policies, which are no
-- schedules, aside.
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

---Settles the fields of the comparison, from what was added.
---@return pinion.Comparison
function Plan:settle()
    local settings = self.settings
    local made = {
        model = settings.model, extended = settings.extended, workload = settings.workload.text,
        error = settings.error and settings.error.text, warmup = settings.warmup,
        bounds = settings.bounds,
        replicas = math.max(self.options.replicas, self.completed), completed = self.completed,
        replica = self.options.replicas == 1 and settings.replica or 0, drawn = self.drawn,
        baseline = label_of(self.policies[self.baseline]),
        interrupted = false, growing = false, rows = self.rows, seed = self.seed or settings.seed
            or 1,
        submitted = self.completed > 0 and self.submitted / self.completed or 0,
    }
    for _, name in ipairs(self.model.settings.heads) do
        made[name] = result_of.head(self.model, settings, name)
    end
    made.submitted = math.tointeger(made.submitted) or made.submitted
    made.rules = result_of.rules_of(self.model, settings, self.policies)
    for _, row in ipairs(self.rows) do
        row_of.settle(self.model, row, self)
        made.growing = made.growing or row.growing
        made.admits = made.admits or row.admits
    end
    local busy = self.completed > 0 and self.busy and self.busy / self.completed
    local many = made.submitted >= FEW
    if busy and busy < IDLE and many and are_alike(self.rows, row_of.first_measure(self.model)) then
        made.idle = busy
    end
    return made
end

return M
