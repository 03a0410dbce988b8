-- The slotted model as the front end sees it: its scenario fields, its settings, one run.

local check = require "pinion.check"
local checkpoint = require "pinion.checkpoint"
local core = require "pinion.core"
local distribution = require "pinion.distribution"
local fault = require "pinion.fault"
local jobs = require "pinion.jobs"
local policies = require "pinion.policies"
local quantity = require "pinion.quantity"
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
    policy = function(value)
        if policies.is_reference(value) then return value end
        return nil, (select(2, policies.lookup(value)))
    end,
    seed = function(value) return check.integer(value, 0, check.INTEGER_MAX) end,
}

---What a scenario without the field means; machines has no default there, but has one beside --workload.
M.defaults = { reduce = "nonpreemptive", seed = 1 }
M.default_machines = 100

---Policies that a comparison shows when none are named.
M.default_policies = { "fifo", "fair", "lrpt", "asrpt", "psrpt" }

M.read_jobs = jobs.read

---Instructions of one call of a policy written in Lua; 0 or false: no limit.
---@return integer|nil budget, string|nil reason
function M.read_budget(value)
    if value == false then return 0 end
    return quantity.integer(value, 0, check.INTEGER_MAX)
end

---Bytes that a policy written in Lua may hold: a number, or text such as "64MiB".
M.read_memory = quantity.bytes

---@return string|nil bounds, string|nil reason
function M.read_bounds(value)
    return check.choice(value, BOUNDS)
end

---A distribution of factors by which policies see the sizes of jobs wrongly.
M.read_error = distribution.read_factor

-- { jobs = n } or { slots = n }
local function read_warmup_table(value)
    local key, why = check.unknown_key(value, { jobs = true, slots = true })
    if key ~= nil then return nil, string.format("%s: %s", key, why) end
    if (value.jobs == nil) == (value.slots == nil) then return nil, "must say either jobs or slots" end
    local unit = value.jobs ~= nil and "jobs" or "slots"
    local amount, reason = quantity.integer(value[unit], 0, check.INTEGER_MAX)
    if not amount then return nil, string.format("%s: %s", unit, reason) end
    return { [unit] = amount }
end

---What the statistics leave out at the start: a number of jobs, or text such as "500slots", or { slots = 500 }.
---@return { jobs: integer?, slots: integer? }|nil warmup, string|nil reason
function M.read_warmup(value)
    if type(value) == "table" then return read_warmup_table(value) end
    local amount, unit = value, "jobs"
    if type(value) == "string" then
        local digits, word = value:match("^%s*([%d.eE+]-)%s*(%a*)%s*$")
        if word == "jobs" or word == "slots" then amount, unit = digits, word end
    end
    local number = quantity.integer(amount, 0, check.INTEGER_MAX)
    if number then return { [unit] = number } end
    return nil, "must be a number of jobs such as 1000, or of slots such as 500slots, got " .. check.show(value)
end

---@class pinion.Settings of one run, all checked
---@field model string
---@field machines integer
---@field reduce "preemptive"|"nonpreemptive"
---@field policy string|pinion.PolicyText
---@field budget integer|nil instructions of one call of a policy written in Lua; 0: no limit
---@field memory integer|nil bytes that it may hold
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
---@field error table|nil distribution of the factor by which policies see sizes
---@field warmup { jobs: integer?, slots: integer? }|nil
---@field checkpoint string|nil
---@field every integer|nil slots between two checkpoints
---@field resume boolean|pinion.Checkpoint|nil true: go on from `checkpoint` when that file is there
---@field arguments string[]|nil the command line, for the checkpoint
---@field inputs pinion.Input[]|nil files that the run reads, for the checkpoint

---Makes the jobs of the settings. The outcome serves any number of runs.
---@param settings pinion.Settings
---@return pinion.Opened
function M.open(settings)
    local opened = settings.workload:open { seed = settings.seed, replica = settings.replica, machines = settings.machines }
    if settings.error then
        opened.core = core.workload_error {
            workload = opened.core, factor = settings.error, seed = settings.seed or opened.seed or 1, replica = settings.replica,
        }
        opened.estimates = true
    end
    return opened
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
    local from = checkpoint.open(settings)
    local policy = checkpoint.policy(from, settings) or policies.require(settings.policy, M.name, settings.reduce)
    local params = own_params(policy, settings)
    opened = opened or M.open(settings)
    local keep = settings.keep_jobs
    if keep == nil then keep = opened.expected <= M.ROWS_MAX end
    local saving = checkpoint.plan(settings, opened, { policy = policy, params = params, keep_jobs = keep }, from)
    local scripted = policy.text and policies.instantiate(policy, settings)
    local raw, kind, message = core.slotted_run {
        lua_policy = scripted or nil,
        workload = opened.core, machines = settings.machines, reduce = settings.reduce,
        policy = policy.label, params = params, bounds = settings.bounds,
        keep_jobs = keep, groups = #opened.groups, estimates = opened.estimates,
        seed = settings.seed or opened.seed or 1, replica = settings.replica,
        warmup_jobs = settings.warmup and settings.warmup.jobs, warmup_slots = settings.warmup and settings.warmup.slots,
        until_slot = settings.until_slot, log = settings.log, quiet = settings.quiet, label = policy.label,
        checkpoint = saving.path, every = saving.every, about = saving.about, resume = saving.resume,
    }
    if scripted then scripted:close() end
    if not raw then
        local located = scripted and message:sub(1, #policy.chunk + 1) == policy.chunk .. ":"
        local raise = located and fault.located or fault.from_core
        raise(kind, message)
    end
    local made = result.new(settings, policy, opened, raw)
    made.continue_from = raw.saved and settings.checkpoint or from and from.path
    return made
end

---Replays a decision log through the checker.
---@param settings pinion.Settings
---@param log string path
---@return table summary decisions, jobs, slots, policy, digest
function M.verify(settings, log)
    local source = M.open(settings).core
    local summary, message, kind = core.slotted_verify {
        workload = source, machines = settings.machines, reduce = settings.reduce, log = log,
        hash_of = function(policy, params, scripted)
            return core.scenario_hash {
                workload = source, machines = settings.machines, reduce = settings.reduce, policy = policy, params = params,
                lua = scripted,
            }
        end,
    }
    if not summary then fault.located(kind or "run", message) end
    return summary
end

return M
