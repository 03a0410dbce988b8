-- Several policies on the same workload, once or over replicas: one row per policy.

local alone = require "pinion.run.alone"
local grid = require "pinion.run.grid"
local inputs = require "pinion.run.inputs"
local plan_of = require "pinion.run.plan"
local row_of = require "pinion.run.row"

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
---@field differs boolean whether the decisions or the numbers of some replicas differ
---@field stalled string|nil why jobs were left in some run that nothing ended, see notices.lua
---@field stalls integer|nil … in how many runs
---@field admits boolean|nil whether the policy may reject jobs
---@field promises boolean|nil whether it admits jobs by estimates
---@field against pinion.ComparisonRow|nil the baseline's row; nil: it is the baseline
---@field other_jobs boolean|nil true: in some run it or the baseline rejected jobs, so that their means are of different ones
---@field recorded pinion.Timeline|nil of the only replica, see run/timeline.lua
---@field result pinion.Result|nil of the only replica
---@field counts table<number, number>|nil pooled values of the first sample
---@field pooled table<string, table<number, number>>|nil pooled values by name of the sample

-- Returns the bound of every row; nil when they differ.
local function shared_bound(rows, name)
    local bound = rows[1].result[name]
    for _, row in ipairs(rows) do
        if row.result[name] ~= bound then return nil end
    end
    return bound
end

-- Returns the grid of one cell.
local function grid_of(plan)
    return {
        cells = 1, options = plan.options, label = "comparison", quiet = plan.settings.quiet,
        policies = #plan.given, replica = plan.options.replicas > 1 and 0 or plan.settings.replica,
        plan = function() return plan end, settled = function() end,
    }
end

local function new(plan, settings, given)
    local made = setmetatable(plan:settle(), Comparison)
    local baseline
    for _, row in ipairs(made.rows) do
        if row.policy == made.baseline then baseline = row end
    end
    row_of.compare(made.rows, function() return baseline end)
    inputs.note(made, inputs.of(settings, given))
    return made
end

local function over_replicas(plan, settings, given)
    local complete = grid.run(grid_of(plan))
    local made = new(plan, settings, given)
    made.interrupted = not complete
    return made
end

-- Runs; returns the first result of the only replica, and whether it was interrupted.
local function run_only(plan, options)
    if options.store then
        local made
        plan.whole = true
        if not grid.gather(grid_of(plan), function(_, found) made = found end) then
            plan.rows = {}
            return nil, true
        end
        return alone.stored(plan, made), false
    end
    local processes = options.processes or 1
    if processes > 1 and not options.keep_rows then return alone.apart(plan, processes) end
    return alone.here(plan)
end

-- Returns the grid of a comparison with a store.
local function stored_grid(settings, given, options)
    local plan = plan_of.new(settings, given, options)
    plan.whole = options.replicas == 1
    return grid_of(plan)
end

---Runs what is missing of a part of a comparison with a store.
---@param settings pinion.Settings
---@param given any[] policies
---@param options pinion.PlanOptions
---@return boolean complete false when it was interrupted
function M.run_part(settings, given, options)
    return grid.run_part(stored_grid(settings, given, options))
end

---Surveys what there is to do of a comparison with a store.
---@param settings pinion.Settings
---@param given any[] policies
---@param options pinion.PlanOptions
---@return pinion.Survey
function M.survey(settings, given, options)
    return grid.survey(stored_grid(settings, given, options))
end

---@param settings pinion.Settings
---@param given any[] policies
---@param options pinion.PlanOptions
---@return pinion.Comparison
function M.run(settings, given, options)
    local plan = plan_of.new(settings, given, options)
    if options.replicas > 1 then return over_replicas(plan, settings, given) end
    local first, interrupted = run_only(plan, options)
    local made = new(plan, settings, given)
    made.interrupted = interrupted
    made.expected = first and first.expected
    for _, name in ipairs(first and { "lower_bound", "lower_bound_tight" } or {}) do
        made[name] = shared_bound(made.rows, name)
    end
    return made
end

M.class = Comparison

return M
