-- The dag model as the front end sees it: jobs of stages, nodes of several resources.

local check = require "pinion.base.check"
local columns = require "pinion.models.dag.columns"
local core = require "pinion.core"
local failures = require "pinion.models.failures"
local fault = require "pinion.base.fault"
local fields = require "pinion.models.fields"
local jobs = require "pinion.models.dag.jobs"
local json = require "pinion.base.json"
local lazy = require "pinion.base.lazy"
local nodes = require "pinion.models.dag.nodes"
local quantity = require "pinion.base.quantity"
local rows = require "pinion.models.rows"
local text = require "pinion.base.text"
local words = require "pinion.models.dag.words"

local log = lazy.module "pinion.models.dag.log"
local recorded = lazy.module "pinion.models.dag.recorded"

-- ---- settings -----------------------------------------------------------------------------------

local RULES = rows.rules "dag"

local function read_ms(value)
    return quantity.integer(value, 1, check.INTEGER_MAX)
end

-- Settles; what is wrong with settings that are right one by one raises a fault; the seed is put in
-- its place.
local function settle(settings)
    fields.settle_seed(settings)
    fields.check_range(settings, "factor_lo", "factor_hi", 1000)
    fields.check_range(settings, "est_lo", "est_hi", 1000)
    local why = nodes.check(settings.nodes, settings.resources)
    if why then fault.at_element(nil, "nodes", why) end
    why = failures.check(settings.failures or {}, nodes.count(settings.nodes))
    if why then fault.at_element(settings.failures_where, "failures", why) end
end

-- Returns what results say of the nodes: how many there are, what they have, and whether they
-- are the default ones.
local function head(settings, name)
    if name == "default_nodes" then return nodes.is_default(settings.nodes) or nil end
    if name == "nodes" then return nodes.count(settings.nodes) end
    local list = name == "capacity" and nodes.capacity(settings.nodes) or settings[name]
    return type(list) == "table" and json.list(table.move(list, 1, #list, 1, {})) or list
end

local function limit(params)
    local most = math.tointeger(params.max_time_ms)
    return most and most > 0 and most or nil, "max_time_ms"
end

local settings = {
    scalars = { "name", "resources", "nodes", "queues", "failures", "policy", "seed", "timeline" },
    fields = { name = check.text, resources = nodes.read_resources, nodes = nodes.read,
        queues = nodes.read_queues, failures = failures.read },
    texts = { resources = nodes.resources_text, nodes = nodes.text, queues = nodes.queues_text,
        failures = failures.text },
    defaults = { resources = { "cpu" }, seed = 1 },
    required = { nodes = "is required (an array of { count, capacity, speed })" },
    beside_workload = { nodes = nodes.DEFAULT },
    default_policies = { "fifo", "fair", "drf", "srpt", "tetris" },
    options = { until_time = read_ms },
    until_option = "until_time",
    limit = limit,
    read_every = read_ms,
    unit = "ms",
    read_warmup_amount = function(value) return quantity.integer(value, 0, check.INTEGER_MAX) end,
    lacks = {
        error = "policies of the dag model see estimates; set their error with the parameters "
            .. "est_lo and est_hi",
    },
    settle = settle,
    heads = { "name", "resources", "nodes", "capacity", "default_nodes" },
    head = head,
    head_of = { capacity = "nodes", default_nodes = "nodes" },
    rules = { params = RULES },
    shows_rules = true,
    shows_params = true,
}

-- ---- runs ---------------------------------------------------------------------------------------

-- Returns the names as decision logs have them.
local function names_of(resources)
    local names = {}
    for i, name in ipairs(resources) do names[i] = json.encode(name) end
    return "[" .. table.concat(names, ",") .. "]"
end

local function request(given, params, opened)
    local seed = given.seed or opened and opened.seed or 1
    local own = { seed = core.replica_seed(seed, given.replica or 0) }
    for _, rule in ipairs(RULES) do
        local value = (params or given.params or {})[rule.name]
        if value ~= nil then own[rule.name] = value end
    end
    local queues = given.queues
        or nodes.equal_queues(core.dag_queues { workload = opened.core })
    return { resources = #given.resources, resource_names = names_of(given.resources),
        nodes = given.nodes, queues = queues, failures = given.failures, rules = own }
end

-- ---- results ------------------------------------------------------------------------------------

local results = {
    kind = "stream",
    integer = true,
    rows = { "state", "arrival", "first_start", "finish", "jct", "waiting", "alone",
        "slowdown_permille", "deadline", "deadline_met", "kills", "lost" },
    row_lists = { stages = { "ready", "start", "finish" } },
    shown_rows = { "state", "arrival", "first_start", "finish", "jct", "waiting", "alone",
        "slowdown_permille", "deadline", "deadline_met", "kills", "lost" },
    optional_rows = { deadline = true, deadline_met = true },
    row_meanings = { jct = "jct: completion time, finish - arrival",
        alone = "alone: a lower bound of jct", deadline = "deadline: ms after arrival" },
    samples = {
        { name = "jct", words = "completion time", title = "mean jct", stats = "jcts",
            group_stats = "group_jcts", total = "total_jct", mean = "mean_jct",
            label = "completion time (ms)" },
        { name = "waiting", words = "waiting time", title = "waiting", stats = "waitings",
            group_stats = "group_waitings", mean = "mean_waiting", label = "waiting time (ms)" },
        { name = "slowdown_permille", words = "slowdown", title = "slowdown", stats = "slowdowns",
            group_stats = "group_slowdowns", mean = "mean_slowdown_permille",
            write = text.permille_with_half(2), label = "slowdown (permille)" },
    },
    columns = columns,
    slowdown = { time = "jct", alone = function() return function(job) return job.alone end end },
    busy = function(result) return result.utilisation end,
    clock = "time",
    figures = { "cdf", "bars", "convergence" },
}

return {
    name = "dag",
    settings = settings,
    jobs = jobs,
    core = { request = request, run = core.dag_run, verify = core.dag_verify,
        hash = core.dag_scenario_hash, replay = core.dag_replay },
    results = results,
    words = words,
    log = log,
    recorded = function(...) return recorded.scenario(...) end,
}
