-- The makespan model as the front end sees it: its settings, what its results hold, and the words
-- for it. A run may be several of the kernel's: one for every ratio of map to reduce slots, and one
-- that proves a bound.

local check = require "pinion.base.check"
local core = require "pinion.core"
local exact = require "pinion.base.exact"
local jobs = require "pinion.workload.jobs"
local model = require "pinion.models.common"
local quantity = require "pinion.base.quantity"
local rules = require "pinion.models.rules"
local text = require "pinion.base.text"

local M = { name = "makespan", batch = true }

local SLOTS_MOST = 1 << 24

-- ---- settings -----------------------------------------------------------------------------------

local function read_slots(value)
    return check.integer(value, 1, SLOTS_MOST)
end

local function read_time(value)
    local num, den = exact.read(value)
    if not num then return nil, den end
    return core.exact(exact.value(num, den))
end

-- Of both stages at once, such as 30x20 (map x reduce): what a sweep over the size of the cluster
-- varies.
local function read_cluster(value)
    local maps, reduces = tostring(value):match("^%s*(%d+)%s*x%s*(%d+)%s*$")
    maps, reduces = quantity.integer(maps or "", 1, SLOTS_MOST),
        quantity.integer(reduces or "", 1, SLOTS_MOST)
    if maps and reduces then return { map_slots = maps, reduce_slots = reduces } end
    return nil, "must be map slots x reduce slots such as 30x20, got " .. check.show(value)
end

M.scalars = { "map_slots", "reduce_slots", "level", "policy", "seed" }
M.fields = {
    map_slots = read_slots,
    reduce_slots = read_slots,
    level = function(value) return check.choice(value, { "stage", "task" }) end,
    policy = model.read_policy,
    seed = model.read_seed,
}
M.defaults = { level = "stage", seed = 1 }
M.required = { map_slots = "is required (an integer >= 1)",
    reduce_slots = "is required (an integer >= 1)" }
M.beside_workload = { map_slots = 30, reduce_slots = 30 }
M.default_policies = { "fifo", "mk_jr", "uaas", "balanced_pools", "portfolio", "neh",
    "local_search" }

M.options = { until_time = read_time }
M.until_option = "until_time"
M.unit = "time"
M.axes = { slots = read_cluster }
M.prover = "exact"

-- What only streams of jobs have.
M.lacks = {
    checkpoint = "a batch has no checkpoints: it is planned at once and then executed in "
        .. "moments (Ctrl-C stops a long plan)",
    warmup = "a batch has no warm-up: all of its jobs are there at the start",
    error = "policies of the makespan model see the jobs as they are",
}
function M.read_every() return nil, M.lacks.checkpoint end
function M.read_warmup_amount() return nil, M.lacks.warmup end

M.read_jobs = jobs.read_makespan

function M.binding(settings)
    return { map_slots = settings.map_slots, reduce_slots = settings.reduce_slots }
end

-- Parameters of the model: the policy does not see them.
local RULES = rules.names "makespan"

---@param settings pinion.Settings
---@param params table<string, any>|nil of the policy and of the model
function M.request(settings, params)
    local made = {
        map_slots = settings.map_slots, reduce_slots = settings.reduce_slots,
        level = settings.level,
        base_map_slots = settings.map_slots, base_reduce_slots = settings.reduce_slots,
        max_nodes = settings.params and settings.params.max_nodes,
    }
    for _, name in ipairs(params and RULES or {}) do made[name] = params[name] end
    return made
end

-- ---- runs ---------------------------------------------------------------------------------------

local function gcd(a, b)
    while b > 0 do a, b = b, a % b end
    return a
end

local function check_order(request, count)
    local order = request.order
    for _, id in ipairs(order or {}) do
        if id > count then
            return string.format("params.order: there is no job %d, the workload has %d", id, count)
        end
    end
    if order and #order < count then
        return string.format("params.order: names %d of %s (expected each of them)", #order,
            text.count(count, "job"))
    end
end

local function check_ids(request, count)
    for i, pool in ipairs(request.pools or {}) do
        for _, id in ipairs(pool.jobs) do
            if id > count then
                return string.format(
                    "params.pools[%d].jobs: there is no job %d, the workload has %d", i, id, count)
            end
        end
    end
end

-- Whether the nodes that the pools ask for are there.
local function check_pools(request, count)
    local nodes, listed = 0, 0
    for _, pool in ipairs(request.pools or {}) do
        nodes, listed = nodes + pool.nodes, listed + #pool.jobs
    end
    local all = request.nodes or gcd(request.map_slots, request.reduce_slots)
    if not request.pools then return nil end
    if nodes > all then
        return string.format("params.pools: %d nodes are asked for, there are %d", nodes, all)
    end
    if nodes == all and listed < count then
        return string.format("params.pools: no node is left for %s",
            text.count(count - listed, "job"))
    end
end

local function check_nodes(request)
    local nodes = request.nodes
    if nodes and (request.map_slots % nodes > 0 or request.reduce_slots % nodes > 0) then
        return string.format(
            "params.nodes: must divide the %d map slots and the %d reduce slots, got %d",
            request.map_slots,
            request.reduce_slots, nodes)
    end
end

-- The request with changes in it.
local function with(request, changes)
    local made = {}
    for name, value in next, request do made[name] = value end
    for name, value in next, changes do made[name] = value end
    return made
end

local function exact_makespan(raw)
    return core.exact(raw.makespan_exact or raw.makespan)
end

-- The ratio of map to reduce slots with the smallest makespan, the one with fewest map slots among
-- several, and what was found with each (MK29). Ratios that the nodes do not divide, or at which
-- the pools do not have their nodes, are none. Jobs that are given by their times keep what they
-- are on the scenario's own slots. A run that was interrupted or failed comes back in place of the
-- ratio.
local function find_ratio(request, count)
    local total, nodes = request.total_slots or request.map_slots + request.reduce_slots,
        request.nodes or 1
    local progress <close> = core.progress(request.label, request.quiet)
    local best, least, ratios, unfit = nil, nil, {}, nil
    for maps = nodes, total - 1, nodes do
        local one = with(request, { map_slots = maps, reduce_slots = total - maps, bounds = "none",
            keep_jobs = false, quiet = true })
        one.log, one.until_time = nil, nil
        local divided = (total - maps) % nodes == 0
        local pools = divided and check_pools(one, count)
        unfit = unfit or pools
        if divided and not pools then
            local raw, kind, message = core.makespan_run(one)
            if not raw or raw.interrupted then return nil, ratios, raw, kind, message end
            local ratio = { map_slots = maps, reduce_slots = total - maps, makespan = raw.makespan,
                makespan_exact = raw.makespan_exact }
            ratios[#ratios + 1] = ratio
            local makespan = exact_makespan(raw)
            if not least or makespan < least then best, least = ratio, makespan end
            progress:show(maps, total - 1, "ratios")
        end
    end
    if best then return best, ratios end
    local why = string.format("params.search_ratio: %d nodes cannot share out %d slots", nodes,
        total)
    if unfit then
        why = string.format("params.pools: fit no ratio of %d slots (%s)", total,
            unfit:match("^[^:]+: (.*)$"))
    end
    return nil, ratios, nil, "usage", why
end

-- What was proven, by workload and slots: it is the same for every policy.
local proofs = setmetatable({}, { __mode = "k" })

local function proof_key(request)
    local parts = {}
    for i, name in ipairs { "map_slots", "reduce_slots", "base_map_slots", "base_reduce_slots",
            "max_nodes" } do
        parts[i] = tostring(request[name])
    end
    return table.concat(parts, " ")
end

-- Why nothing more is proven, see run/notices.lua: the search did not begin, or gave up.
local function shortfall(raw)
    if not raw.order then return nil end
    if raw.lower_bound_tight == nil then return "large" end
    return raw.complete and not raw.optimal and "gave_up" or nil
end

-- { bound, lacks } of policy exact, which can prove nothing of fluid stages, and of tasks that are
-- cut anew. Nil when it failed.
local function prove(request)
    if request.level ~= "task" then return { lacks = "level" } end
    if (request.resplit or 0) > 0 then return { lacks = "resplit" } end
    local known, key = proofs[request.workload] or {}, proof_key(request)
    proofs[request.workload] = known
    if known[key] == nil then
        local raw, kind, message = core.makespan_run {
            workload = request.workload, policy = M.prover,
            params = { max_nodes = request.max_nodes }, level = "task", bounds = "none",
            map_slots = request.map_slots, reduce_slots = request.reduce_slots,
            base_map_slots = request.base_map_slots,
            base_reduce_slots = request.base_reduce_slots, quiet = request.quiet, label = M.prover,
        }
        if not raw then return nil, kind, message end
        if raw.interrupted then return {} end
        local proven = raw.lower_bound_tight_exact or raw.lower_bound_tight
        known[key] = { bound = proven and core.exact(proven), lacks = shortfall(raw) }
    end
    return known[key]
end

local function is_exact(request)
    return request.policy == M.prover and not request.lua_policy
end

local POOLED = { balanced_pools = true, fixed_pools = true }

-- What has no pools needs no nodes either, unless they say which ratios there are.
local function without_nodes(request)
    if request.lua_policy or POOLED[request.policy] then return request end
    request = with(request, {})
    request.pools = nil
    if not request.search_ratio then request.nodes = nil end
    return request
end

-- What a request cannot be run for; with a search for a ratio the slots are not known yet.
local function check_request(request, count)
    return check_order(request, count) or not request.search_ratio
        and (check_nodes(request) or check_pools(request, count)) or nil
end

---A run of the core, with the search for a ratio and the proof of a bound around it.
function M.run_core(request)
    local count, ratios = request.workload:count(), nil
    local wrong = check_ids(request, count)
    request = without_nodes(request)
    wrong = wrong or check_request(request, count)
    if wrong then return nil, "usage", wrong end
    if request.search_ratio then
        local best, found, raw, kind, message = find_ratio(request, count)
        if raw then raw.ratios = found end
        if not best then return raw, kind, message end
        ratios = found
        request = with(request, { map_slots = best.map_slots, reduce_slots = best.reduce_slots })
    end
    local proof
    if request.bounds == "tight" and not is_exact(request) then
        local found, kind, message = prove(request)
        if not found then return nil, kind, "the tight bound: " .. message end
        proof, request = found.lacks, with(request, { proven = found.bound })
    end
    local raw, kind, message = core.makespan_run(request)
    if raw then
        raw.ratios, raw.proof = ratios, proof
        if is_exact(request) then raw.proof = shortfall(raw) end
        if request.level == "task" then raw.stage_time = nil end -- which nothing asks for there
    end
    return raw, kind, message
end

M.verify_core, M.hash_core = core.makespan_verify, core.makespan_scenario_hash

-- ---- results ------------------------------------------------------------------------------------

local function percent(value, half)
    if value == nil then return "-" end
    if not half and value > 0 and value < 0.00005 then return "<0.01" end -- which is not none
    return text.with_half(100 * value, half and 100 * half, 2)
end

local function fraction(value, half)
    return text.with_half(value, half, 3)
end

local function count(value, half)
    if half then return text.with_half(value, half, 1) end
    return text.amount(value)
end

M.heads = { "map_slots", "reduce_slots", "level" }
M.shows_params = true
M.integer = false
M.columns = { "map_start", "map_finish", "reduce_start", "finish" }
M.samples = {
    { name = "completion_time", column = "finish", words = "completion time",
        title = "mean completion", stats = "completion_times",
      group_stats = "group_completion_times", total = "total_completion_time",
      mean = "mean_completion_time" },
}
M.measures = {
    { name = "makespan", title = "makespan", settling = "makespan, mean so far" },
    { name = "gap", title = "gap %", write = percent,
        settling = "gap to the lower bound, mean so far" },
    { name = "gap_tight", title = "tight gap %", write = percent, bounds = "tight",
        settling = "gap to the tight bound, mean so far" },
    { name = "total_completion_time", title = "total completion",
        settling = "total completion time, mean so far" },
    { name = "map_utilisation", title = "map use", write = fraction,
        settling = "utilisation of the map slots, mean so far" },
    { name = "reduce_utilisation", title = "reduce use", write = fraction,
        settling = "utilisation of the reduce slots, mean so far" },
    { name = "evaluations", title = "evaluations", write = count,
        settling = "orders tried, mean so far" },
}
M.ratio, M.ratio_tight = "gap", "gap_tight"
-- Values that come with their exact form where they are no integers.
M.exact = { "makespan", "total_completion_time", "mean_completion_time", "map_utilisation",
    "reduce_utilisation", "utilisation",
            "lower_bound", "gap", "lower_bound_tight", "gap_tight" }
M.totals = { "makespan", "total_completion_time", "mean_completion_time", "map_utilisation",
    "reduce_utilisation", "utilisation",
             "lower_bound", "gap", "lower_bound_tight", "gap_tight", "optimal", "map_slots",
             "reduce_slots", "order", "pools", "ratios",
             "evaluations", "nodes_searched", "tasks_started", "instants", "stage_time", "proof" }
-- What rows of comparisons and sweeps have of their runs' settings, as far as these agree.
M.facts = { "map_slots", "reduce_slots", "level", "stage_time" }
M.last = "makespan"
M.clock = "time"
M.result_columns = { "policy", "submitted", "finished", "complete", "level", "map_slots",
    "reduce_slots", "stage_time" }
for _, name in ipairs { "makespan", "lower_bound", "gap", "lower_bound_tight", "gap_tight",
    "total_completion_time",
                        "mean_completion_time", "map_utilisation", "reduce_utilisation",
                        "utilisation" } do
    table.move({ name, name .. "_exact" }, 1, 2, #M.result_columns + 1, M.result_columns)
end
table.move({ "optimal", "evaluations", "nodes_searched", "seed", "digest" }, 1, 5,
    #M.result_columns + 1, M.result_columns)
M.kinds = { "bars", "cdf", "convergence", "ratio" }

-- ---- words --------------------------------------------------------------------------------------

function M.title(it)
    local parts = {}
    if it.map_slots and it.reduce_slots then
        parts[1] = string.format("%d map and %s", it.map_slots,
            text.count(it.reduce_slots, "reduce slot"))
    elseif it.map_slots then
        parts[1] = text.count(it.map_slots, "map slot")
    elseif it.reduce_slots then
        parts[1] = text.count(it.reduce_slots, "reduce slot")
    end
    if it.level then parts[#parts + 1] = "level " .. it.level end
    return parts
end

M.time_unit = ""
M.ratio_words = "gap to the lower bound"
M.legend = "makespan: the last completion, in units of time"
M.ratio_legend = "gap %: above the lower bound, which no schedule beats"
M.amount, M.number, M.moment, M.mean, M.difference = text.real, text.real, text.real,
    text.real_with_half, text.real_signed

function M.last_words(result)
    return "makespan", text.real(result.makespan)
end

---What an interrupted run has come to.
---@param result pinion.Result
function M.interrupted_words(result)
    if result.order then
        return string.format("%d jobs finished with policy %s", result.finished, result.policy)
    end
    return string.format("policy %s has no plan yet", result.policy)
end

function M.end_words(summary)
    return "makespan " .. summary.makespan
end

M.labels = {
    makespan = "makespan", gap = "makespan above the lower bound",
    gap_tight = "makespan above the proven bound",
    total_completion_time = "total completion time", mean_completion_time = "mean completion time",
    map_utilisation = "utilisation of the map slots",
    reduce_utilisation = "utilisation of the reduce slots",
    evaluations = "orders tried", difference = "makespan minus the baseline's",
    relative = "makespan / the baseline's",
    p50 = "median completion time", p90 = "90th percentile of completion time",
    p99 = "99th percentile of completion time",
    p999 = "99.9th percentile of completion time", max = "longest completion time",
    completion_time = "completion time",
}
M.axis_labels = { map_slots = "map slots", reduce_slots = "reduce slots",
    slots = "map x reduce slots", level = "level",
                  until_time = "end of the run" }

return model.complete(M)
