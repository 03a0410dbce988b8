-- The cluster model as the front end sees it.

local check = require "pinion.base.check"
local columns = require "pinion.models.cluster.columns"
local core = require "pinion.core"
local failures = require "pinion.models.failures"
local fault = require "pinion.base.fault"
local fields = require "pinion.models.fields"
local jobs = require "pinion.models.cluster.jobs"
local lazy = require "pinion.base.lazy"
local nodes = require "pinion.models.cluster.nodes"
local quantity = require "pinion.base.quantity"
local rows = require "pinion.models.rows"
local words = require "pinion.models.cluster.words"

local log = lazy.module "pinion.models.cluster.log"

-- ---- settings -----------------------------------------------------------------------------------

local RULES = rows.rules "cluster"
for _, rule in ipairs(RULES) do
    rule.null = rule.absent ~= nil -- in files null is the default
end

local function read_ms(value)
    return quantity.integer(value, 1, check.INTEGER_MAX)
end

-- Settles; what is wrong with settings that are right one by one raises a fault; the seed is put in
-- its place.
local function settle(settings)
    fields.settle_seed(settings)
    fields.check_range(settings, "factor_lo", "factor_hi", 1000)
    local why = failures.check(settings.failures or {}, nodes.sums(settings.nodes).nodes)
    if why then fault.at_element(settings.failures_where, "failures", why) end
end

-- Returns what results say of the nodes: how many there are, their slots, and whether they are
-- the default ones.
local function head(settings, name)
    if name == "default_nodes" then return nodes.is_default(settings.nodes) or nil end
    return nodes.sums(settings.nodes)[name]
end

local function limit(params)
    local most = math.tointeger(params.max_time_ms)
    return most and most > 0 and most or nil, "max_time_ms"
end

local settings = {
    scalars = { "nodes", "failures", "policy", "seed", "timeline" },
    fields = { nodes = nodes.read, failures = failures.read },
    texts = { nodes = nodes.text, failures = failures.text },
    defaults = { seed = 1 },
    required = { nodes = "is required (an array of { count, map_slots, reduce_slots, speed })" },
    beside_workload = { nodes = nodes.DEFAULT },
    default_policies = { "fifo", "fair", "hsrtf-pu", "hsrtf-pr", "hsrtf-prp" },
    options = { until_time = read_ms },
    until_option = "until_time",
    limit = limit,
    read_every = read_ms,
    unit = "ms",
    read_warmup_amount = function(value) return quantity.integer(value, 0, check.INTEGER_MAX) end,
    lacks = {
        error = "policies of the cluster model do not see job sizes; they estimate them from tasks "
            .. "that ran, or go by est_map_ms and est_reduce_ms of the jobs (workload rtmr: "
            .. "pessimism)",
    },
    settle = settle,
    heads = { "nodes", "map_slots", "reduce_slots", "default_nodes" },
    head = head,
    head_of = { map_slots = "nodes", reduce_slots = "nodes", default_nodes = "nodes" },
    rules = { params = RULES },
    shows_rules = true,
    shows_params = true,
}

-- ---- runs ---------------------------------------------------------------------------------------

local function request(given, params, opened)
    local seed = given.seed or opened and opened.seed or 1
    local own = { seed = core.replica_seed(seed, given.replica or 0) }
    for _, rule in ipairs(RULES) do
        local value = (params or given.params or {})[rule.name]
        if value ~= nil and value ~= core.null then own[rule.name] = value end
    end
    return { nodes = given.nodes, failures = given.failures, rules = own }
end

-- ---- results ------------------------------------------------------------------------------------

-- Returns a stage alone: as long as its longest task, and as its work shared out over all slots.
local function stage_alone(count, slots, ms_of)
    local sum, longest = 0, 0
    for i = 1, count do
        local ms = ms_of(i)
        sum, longest = sum + ms, math.max(longest, ms)
    end
    return count > 0 and math.max(longest, sum / slots) or 0
end

-- Returns a job alone: every task as long as on the fastest node with its input there, in any slot,
-- without heartbeats, failures and factors; first all maps, then all reduces.
local function alone(result, given)
    local speed = nodes.fastest(given.nodes) / 1000
    return function(job)
        local maps, reduces, shuffles = job.map_times, job.reduce_times, job.shuffle_times
        local map_ms, reduce_ms, shuffle_ms = job.map_ms, job.reduce_ms or 0, job.shuffle_ms or 0
        return stage_alone(job.maps, result.map_slots, function(i)
            return (maps and maps[i] or map_ms) / speed
        end) + stage_alone(job.reduces, result.reduce_slots, function(i)
            return (shuffles and shuffles[i] or shuffle_ms)
                + (reduces and reduces[i] or reduce_ms) / speed
        end)
    end
end

local results = {
    kind = "stream",
    integer = true,
    rows = { "state", "submit", "first_map_start", "map_finish", "first_reduce_start", "finish",
        "waiting_time", "execution_time", "makespan", "deadline", "deadline_met", "promise",
        "local_maps", "colocated_reduces", "kills", "slot_ms" },
    shown_rows = { "state", "submit", "first_map_start", "map_finish", "first_reduce_start",
        "finish", "promise", "makespan", "deadline", "deadline_met", "local_maps", "kills" },
    optional_rows = { promise = true, deadline = true, deadline_met = true },
    row_meanings = { promise = "promise: the finish estimated at acceptance",
        deadline = "deadline: ms after submission" },
    samples = {
        { name = "makespan", words = "response time", title = "mean response",
            stats = "makespans", group_stats = "group_makespans", total = "total_makespan",
            mean = "mean_makespan", label = "response time (ms)" },
        { name = "waiting_time", words = "waiting time", title = "waiting", stats = "waitings",
            group_stats = "group_waitings", mean = "mean_waiting_time",
            label = "waiting time (ms)" },
        { name = "execution_time", words = "execution time", title = "execution",
            stats = "executions", group_stats = "group_executions", mean = "mean_execution_time",
            label = "execution time (ms)" },
    },
    columns = columns,
    slowdown = { time = "makespan", alone = alone },
    busy = function(result) return result.utilisation end,
    clock = "time",
    figures = { "cdf", "bars", "convergence" },
}

return {
    name = "cluster",
    settings = settings,
    jobs = jobs,
    core = { request = request, run = core.cluster_run, verify = core.cluster_verify,
        hash = core.cluster_scenario_hash, replay = core.cluster_replay },
    results = results,
    words = words,
    log = log,
}
