-- The slotted model as the front end sees it: its scenario fields, its settings, one run.

local check = require "pinion.check"
local core = require "pinion.core"
local fault = require "pinion.fault"
local jobs = require "pinion.jobs"
local policies = require "pinion.policies"
local result = require "pinion.result"

local M = { name = "slotted" }

local REDUCES = { "preemptive", "nonpreemptive" }
local BOUNDS = { "none", "fast", "tight" }

-- Rows are kept up to this many jobs: 40 MB at 40 bytes each.
M.ROWS_MAX = 1000000

---Top-level fields of a scenario that hold one value each, in the order in which they are checked.
M.scalars = { "machines", "reduce", "policy", "seed" }

---Checks of these fields.
M.fields = {
    machines = function(value) return check.integer(value, 1, 1 << 24) end,
    reduce = function(value) return check.choice(value, REDUCES) end,
    policy = check.text,
    seed = function(value) return check.integer(value, 0, check.INTEGER_MAX) end,
}

---What a scenario without the field means; machines has no default there, but has one beside --workload.
M.defaults = { reduce = "nonpreemptive", seed = 1 }
M.default_machines = 100

---Policies that a comparison shows when none are named.
M.default_policies = { "fifo", "fair", "lrpt", "asrpt", "psrpt" }

M.read_jobs = jobs.read

---@return string|nil bounds, string|nil reason
function M.read_bounds(value)
    return check.choice(value, BOUNDS)
end

---@class pinion.Settings of one run, all checked
---@field model string
---@field machines integer
---@field reduce "preemptive"|"nonpreemptive"
---@field policy string
---@field params table<string, any>
---@field policy_where string|nil the file that names the policy
---@field params_where string|nil what messages about parameters begin with
---@field workload pinion.Workload
---@field seed integer|nil overrides the workload's own
---@field replica integer
---@field bounds "none"|"fast"|"tight"
---@field keep_jobs boolean|nil nil: up to ROWS_MAX jobs
---@field until_slot integer|nil
---@field log string|nil
---@field quiet boolean

---Makes the jobs of the settings. The outcome serves any number of runs.
---@param settings pinion.Settings
---@return pinion.Opened
function M.open(settings)
    return settings.workload:open { seed = settings.seed, replica = settings.replica, machines = settings.machines }
end

local function own_params(policy, settings)
    return policies.values(policy, settings.params, function(name, reason)
        fault.at(settings.params_where, "params." .. name, reason)
    end)
end

---Runs one policy. Raises a fault when the run fails; an interrupted run returns what there is.
---@param settings pinion.Settings
---@param opened pinion.Opened|nil from M.open
---@return pinion.Result
function M.run(settings, opened)
    local policy = policies.require(settings.policy, M.name, settings.reduce)
    local params = own_params(policy, settings)
    opened = opened or M.open(settings)
    local keep = settings.keep_jobs
    if keep == nil then keep = opened.expected <= M.ROWS_MAX end
    local raw, kind, message = core.slotted_run {
        workload = opened.core, machines = settings.machines, reduce = settings.reduce,
        policy = policy.name, params = params, bounds = settings.bounds,
        keep_jobs = keep, groups = #opened.groups, estimates = opened.estimates,
        until_slot = settings.until_slot, log = settings.log, quiet = settings.quiet, label = policy.name,
    }
    if not raw then fault.from_core(kind, message) end
    return result.new(settings, policy, opened, raw)
end

---Replays a decision log through the checker.
---@param settings pinion.Settings
---@param log string path
---@return table summary decisions, jobs, slots, policy, digest
function M.verify(settings, log)
    local source = M.open(settings).core
    local summary, message, kind = core.slotted_verify {
        workload = source, machines = settings.machines, reduce = settings.reduce, log = log,
        hash_of = function(policy, params)
            return core.scenario_hash {
                workload = source, machines = settings.machines, reduce = settings.reduce, policy = policy, params = params,
            }
        end,
    }
    if not summary then fault.located(kind or "run", message) end
    return summary
end

return M
