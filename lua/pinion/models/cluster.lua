-- The cluster model as the front end sees it: its settings, what its results hold, and the words
-- for it.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local jobs = require "pinion.workload.jobs"
local model = require "pinion.models.common"
local nodes = require "pinion.models.cluster_nodes"
local policies = require "pinion.policy"
local quantity = require "pinion.base.quantity"
local rules = require "pinion.models.rules"
local text = require "pinion.base.text"

local M = { name = "cluster" }

local function read_ms(value)
    return quantity.integer(value, 1, check.INTEGER_MAX)
end

-- ---- settings -----------------------------------------------------------------------------------

M.scalars = { "nodes", "failures", "policy", "seed" }
M.fields = { nodes = nodes.read, failures = nodes.read_failures, policy = model.read_policy,
    seed = model.read_seed }
M.defaults = { seed = 1 }
M.required = { nodes = "is required (an array of { count, map_slots, reduce_slots, speed })" }
M.beside_workload = { nodes = { { count = 57, map_slots = 8, reduce_slots = 2, speed = 1000 } } }
M.default_policies = { "fifo", "fair", "hsrtf-pu", "hsrtf-pr", "hsrtf-prp" }

M.options = { until_time = read_ms }
M.until_option = "until_time"
function M.limit(params)
    local most = math.tointeger(params.max_time_ms)
    return most and most > 0 and most or nil, "max_time_ms"
end
M.read_every = read_ms
M.unit = "ms"
function M.read_warmup_amount(value) return quantity.integer(value, 0, check.INTEGER_MAX) end

-- What the other streams have.
M.lacks = {
    bounds = "the cluster model has no lower bounds (expected none)",
    error = "policies of the cluster model see no sizes of jobs, they estimate them from tasks "
        .. "that ran, or go by "
        .. "est_map_ms and est_reduce_ms of the jobs (workload rtmr: pessimism)",
}

M.read_jobs = jobs.read_cluster

function M.binding(settings)
    return { nodes = settings.nodes }
end

-- The seed may stand among the parameters too; then it is the scenario's own.
local function settle_seed(settings)
    local given = settings.params and settings.params.seed
    if given == nil then return end
    local where = model.where_of(settings, "seed")
    local seed, why = model.read_seed(given)
    if not seed then fault.at(where, "params.seed", why) end
    if settings.seed ~= nil and settings.seed ~= seed then
        fault.at(where, "params.seed",
            string.format("is the same as the scenario's seed, which is %d (got %d)", settings.seed,
            seed))
    end
    local params = {}
    for name, value in next, settings.params do params[name] = value end
    params.seed = nil
    settings.seed, settings.params = seed, params
end

local function check_factors(settings)
    local params = settings.params or {}
    local lo, hi = math.tointeger(params.factor_lo), math.tointeger(params.factor_hi)
    if (lo or 1000) <= (hi or 1000) then return end
    local name = hi and "factor_hi" or "factor_lo"
    local other = hi and string.format("must be >= factor_lo, which is %d%s, got %d", lo or 1000,
        lo and "" or " by default", hi)
    fault.at(model.where_of(settings, name), "params." .. name,
        other or string.format(
            "is %d, and factor_hi is not given, which is 1000 then (expected factor_lo <= "
            .. "factor_hi)", lo))
end

---What is wrong with settings that are right one by one raises a fault; the seed is put in its
---place.
---@param settings pinion.Settings
function M.settle(settings)
    settle_seed(settings)
    check_factors(settings)
    local why = nodes.check_failures(settings.failures or {}, settings.nodes)
    if why then fault.at_element(settings.failures_where, "failures", why) end
end

-- Raises a fault at the first job without a deadline.
local function require_deadlines(settings, policy, opened)
    if opened.without_deadline == nil then
        opened.without_deadline = core.cluster_without_deadline { workload = opened.core } or false
    end
    local id, list, name = opened.without_deadline, settings.workload.list, policy.label
        or policy.name
    if not id then return end
    if list then
        list.place.fail(list.order and list.order[id] or id, "deadline",
            string.format("policy %s needs one (ms after submit)", name))
    end
    fault.usage("workload %s: job %d has no deadline, and policy %s needs one (such as "
        .. "deadline_factor=uniform(1.5,4) or deadline_ms=600000)",
        check.show(settings.workload.text), id, name)
end

---What the jobs must have for a policy, before it runs.
---@param settings pinion.Settings
---@param policy pinion.Policy
---@param opened pinion.Opened
function M.check_jobs(settings, policy, opened)
    if policy.deadlines then require_deadlines(settings, policy, opened) end
end

---Raises a fault for what the core says of a job, where its place is known. A policy may say only
---when it begins what it needs.
---@param settings pinion.Settings
---@param policy pinion.Policy
---@param opened pinion.Opened
---@param message string
function M.explain(settings, policy, opened, message)
    if message:find "^job %d+ has no deadline" then require_deadlines(settings, policy, opened) end
end

---Whether a run draws anything, so that replicas of fixed jobs differ.
---@param settings pinion.Settings
---@return boolean
function M.draws(settings)
    local params = settings.params or {}
    local function number(name, missing) return math.tointeger(params[name]) or missing end
    if number("factor_lo", 1000) < number("factor_hi", 1000)
            or number("attempt_fail_permille", 0) > 0 then
        return true
    end
    if number("replication", 3) >= nodes.sums(settings.nodes).nodes then return false end
    local list = settings.workload.list
    for _, job in ipairs(list and list.jobs or {}) do
        if job.blocks == nil then return true end
    end
    return list == nil
end

local RULES = rules.names "cluster"

-- The value that was given for a parameter, unless it is the default.
local function other_value(settings, parameter)
    local given = settings.params and settings.params[parameter.name]
    local value = given ~= nil and given ~= core.null and policies.value(parameter, given)
    if given == nil or given == core.null or value == nil or value == parameter.value then
        return nil
    end
    return value
end

---The rules that differ from their defaults, and then parameters of the policies that do: { name,
---value }, … as they are listed.
---@param settings pinion.Settings
---@param chosen pinion.Policy[]
---@return { [1]: string, [2]: any }[]
function M.rules_of(settings, chosen)
    local found, seen = {}, {}
    local function add(parameters)
        for _, parameter in ipairs(parameters) do
            local name = parameter.name
            local value = not seen[name] and other_value(settings, parameter)
            if value ~= nil and not seen[name] then
                found[#found + 1], seen[name] = { name, value }, true
            end
        end
    end
    add(rules.params "cluster")
    for _, policy in ipairs(chosen) do add(policy.params) end
    return found
end

---@param settings pinion.Settings
---@param params table<string, any>|nil of the policy and of the model
---@param opened pinion.Opened|nil
function M.request(settings, params, opened)
    local seed = settings.seed or opened and opened.seed or 1
    local own = { seed = core.cluster_seed(seed, settings.replica or 0) }
    for _, name in ipairs(RULES) do
        local value = (params or settings.params or {})[name]
        if value ~= nil and value ~= core.null then own[name] = value end
    end
    return { nodes = settings.nodes, failures = settings.failures, rules = own }
end

M.run_core, M.verify_core, M.hash_core = core.cluster_run, core.cluster_verify,
    core.cluster_scenario_hash

-- ---- results ------------------------------------------------------------------------------------

local function percent(value, half)
    return text.with_half(value and 100 * value, half and 100 * half, 1)
end

-- Of one run an integer, over replicas a mean.
local function count(value, half)
    return half and text.with_half(value, half, 1) or text.amount(value)
end

M.heads = { "nodes", "map_slots", "reduce_slots", "default_nodes" }
M.head_of = { map_slots = "nodes", reduce_slots = "nodes", default_nodes = "nodes" }
M.shows_params = true
M.integer = true

---What results say of a setting: of the nodes, how many there are and their slots, and whether
---nobody said which.
function M.head(settings, name)
    -- the very list
    if name == "default_nodes" then return settings.nodes == M.beside_workload.nodes or nil end
    return nodes.sums(settings.nodes)[name]
end

M.columns = { "state", "submit", "first_map_start", "map_finish", "first_reduce_start", "finish",
    "waiting_time", "execution_time",
              "makespan", "deadline", "deadline_met", "promise", "local_maps", "colocated_reduces",
              "kills", "slot_ms" }
M.table_columns = { "state", "submit", "first_map_start", "map_finish", "first_reduce_start",
    "finish", "promise", "makespan",
                    "deadline", "deadline_met", "local_maps", "kills" }
M.table_optional = { promise = true, deadline = true, deadline_met = true }
M.table_meanings = { promise = "promise: the finish estimated at acceptance",
    deadline = "deadline: ms after submission" }
M.samples = {
    { name = "makespan", words = "makespan", title = "mean makespan", stats = "makespans",
        group_stats = "group_makespans",
      total = "total_makespan", mean = "mean_makespan" },
    { name = "waiting_time", words = "waiting time", title = "waiting", stats = "waitings",
        group_stats = "group_waitings",
      mean = "mean_waiting_time" },
    { name = "execution_time", words = "execution time", title = "execution", stats = "executions",
        group_stats = "group_executions",
      mean = "mean_execution_time" },
}
M.measures = {
    { name = "mean_makespan", settling = "mean makespan so far (ms)" },
    { name = "mean_waiting_time", title = "waiting", settling = "mean waiting time so far (ms)" },
    { name = "mean_execution_time", title = "execution",
        settling = "mean execution time so far (ms)" },
    { name = "locality", title = "local %", write = percent, settling = "local maps, mean so far" },
    { name = "accept_ratio", title = "accepted %", write = percent, beside = 1.0, admission = true,
      settling = "accepted / submitted jobs, mean so far" },
    { name = "success_ratio", title = "success %", write = percent, beside = 1.0, admission = true,
      settling = "successful / accepted jobs, mean so far" },
    { name = "utilisation", title = "use %", write = percent, admission = true,
        settling = "utilisation, mean so far" },
    { name = "accepted", hidden = true, settling = "accepted jobs, mean so far" },
    { name = "rejected", hidden = true, settling = "rejected jobs, mean so far" },
    { name = "late", hidden = true, settling = "jobs told they are late, mean so far" },
    { name = "kills", title = "kills", write = count, settling = "kills, mean so far" },
    { name = "unfinished", title = "unfinished", write = count, beside = 0,
        settling = "unfinished jobs, mean so far" },
}
M.totals = { "accept_ratio", "success_ratio", "utilisation", "locality", "colocation", "accepted",
    "rejected", "late",
             "feedback_fired", "successful", "failed", "unfinished", "slot_ms", "span", "kills",
             "failures", "lost", "reruns",
             "launches", "time", "instants", "ticks", "peak_jobs", "peak_tasks", "stalled" }
M.tail = { "time", "instants", "ticks", "peak_jobs", "peak_tasks" }
M.last = "span"
M.clock = "time"
M.result_columns = { "policy", "submitted", "finished", "mean_makespan", "p50", "p90", "p99",
    "p999", "max", "mean_waiting_time",
                     "mean_execution_time", "accept_ratio", "success_ratio", "utilisation",
                     "locality", "colocation", "accepted",
                     "rejected", "late", "feedback_fired", "successful", "failed", "unfinished",
                     "slot_ms", "span", "kills",
                     "failures", "lost", "reruns", "launches",
                     "in_wait", "in_maps", "in_blocked", "in_reduces", "seed", "digest", "measured",
                     "growing" }

-- What results have of the finished jobs of a group, or of all, by sums over them: shares of their
-- tasks, and means over jobs.
M.sums = {
    { name = "locality", of = "local_maps", over = "maps" },
    { name = "colocation", of = "colocated_reduces", over = "reduces" },
    { name = "kills", of = "kills" },
    { name = "slot_ms", of = "slot_ms" },
    { name = "utilisation", of = "slot_ms", over = "slots" },
    { name = "in_wait", of = "in_wait", over = "jobs" },
    { name = "in_maps", of = "in_maps", over = "jobs" },
    { name = "in_blocked", of = "in_blocked", over = "jobs" },
    { name = "in_reduces", of = "in_reduces", over = "jobs" },
}
M.parts = { "in_wait", "in_maps", "in_blocked", "in_reduces" }

-- ---- words --------------------------------------------------------------------------------------

function M.title(it)
    if not it.nodes then return {} end
    return { string.format("%s%s, %d map and %s", text.count(it.nodes, "node"), it.default_nodes
        and " by default" or "", it.map_slots,
        text.count(it.reduce_slots, "reduce slot")) }
end

M.time_unit = " ms"
M.legend = "times in ms"
M.amount, M.difference = text.amount, text.signed

function M.number(value)
    return text.rounded(value, 1)
end

function M.mean(value, half)
    return text.with_half(value, half, 1)
end

-- What has not happened, and what is no time.
function M.moment(value)
    if type(value) == "string" then return value end
    if type(value) == "boolean" then return value and "yes" or "no" end
    return text.amount(value)
end

function M.last_words(result)
    return "span", string.format("%d ms", result.span)
end

function M.end_words(summary)
    local left = summary.unfinished > 0
        and string.format(", %s unfinished", text.count(summary.unfinished, "job")) or ""
    return string.format("last finish %d ms%s", summary["end"], left)
end

M.labels = {
    mean_makespan = "mean makespan (ms)", mean_waiting_time = "mean waiting time (ms)",
    mean_execution_time = "mean execution time (ms)",
    locality = "local maps / maps", utilisation = "utilisation of the slots",
    kills = "tasks killed",
    accept_ratio = "accepted / submitted jobs", success_ratio = "successful / accepted jobs",
    unfinished = "unfinished jobs",
    accepted = "accepted jobs", rejected = "rejected jobs", late = "jobs told they are late",
    difference = "mean makespan minus the baseline's (ms)",
    relative = "mean makespan / the baseline's", p50 = "median makespan (ms)",
    p90 = "90th percentile of makespan (ms)", p99 = "99th percentile of makespan (ms)",
    p999 = "99.9th percentile of makespan (ms)",
    max = "longest makespan (ms)", makespan = "makespan (ms)", waiting_time = "waiting time (ms)",
    execution_time = "execution time (ms)",
}
M.axis_labels = { nodes = "nodes x map slots x reduce slots", failures = "failures of nodes",
    warmup = "warm-up",
                  until_time = "end of the run (ms)" }

return model.complete(M)
