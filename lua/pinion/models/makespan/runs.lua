-- Runs of the makespan model. One may be several of the kernel's: one for every ratio of map to
-- reduce slots, and one that proves a bound.

local core = require "pinion.core"
local rules = require "pinion.models.makespan.rules"
local text = require "pinion.base.text"

local M = {}

---The policy that finds tight bounds.
M.PROVER = "exact"

local PROVER = M.PROVER

-- Parameters of the model: the policy does not see them.
local RULES = {}
for i, parameter in ipairs(rules.params) do RULES[i] = parameter.name end

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

-- ---- what a request cannot be run for -----------------------------------------------------------

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

-- Checks whether the nodes that the pools ask for are there.
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

-- Returns the request with changes in it.
local function with(request, changes)
    local made = {}
    for name, value in next, request do made[name] = value end
    for name, value in next, changes do made[name] = value end
    return made
end

local function exact_makespan(raw)
    return core.exact(raw.makespan_exact or raw.makespan)
end

-- Returns the ratio of map to reduce slots with the smallest makespan, the one with fewest map
-- slots among several, and what was found with each (MK29). Ratios that the nodes do not divide, or
-- at which the pools do not have their nodes, are none. Jobs that are given by their times keep
-- what they are on the scenario's own slots. A run that was interrupted or failed comes back in
-- place of the ratio.
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

-- Returns why nothing more is proven, see run/notices.lua: the search did not begin, or gave up.
local function shortfall(raw)
    if not raw.order then return nil end
    if raw.lower_bound_tight == nil then return "large" end
    return raw.complete and not raw.optimal and "gave_up" or nil
end

-- Proves { bound, lacks } of policy exact, which can prove nothing of fluid stages, and of tasks
-- that are cut anew. Nil when it failed.
local function prove(request)
    if request.level ~= "task" then return { lacks = "level" } end
    if (request.resplit or 0) > 0 then return { lacks = "resplit" } end
    local known, key = proofs[request.workload] or {}, proof_key(request)
    proofs[request.workload] = known
    if known[key] == nil then
        local raw, kind, message = core.makespan_run {
            workload = request.workload, policy = PROVER,
            params = { max_nodes = request.max_nodes }, level = "task", bounds = "none",
            map_slots = request.map_slots, reduce_slots = request.reduce_slots,
            base_map_slots = request.base_map_slots,
            base_reduce_slots = request.base_reduce_slots, quiet = request.quiet, label = PROVER,
        }
        if not raw then return nil, kind, message end
        if raw.interrupted then return {} end
        local proven = raw.lower_bound_tight_exact or raw.lower_bound_tight
        known[key] = { bound = proven and core.exact(proven), lacks = shortfall(raw) }
    end
    return known[key]
end

local function is_exact(request)
    return request.policy == PROVER and not request.lua_policy
end

local POOLED = { balanced_pools = true, fixed_pools = true }

-- Removes nodes: what has no pools needs none either, unless they say which ratios there are.
local function without_nodes(request)
    if request.lua_policy or POOLED[request.policy] then return request end
    request = with(request, {})
    request.pools = nil
    if not request.search_ratio then request.nodes = nil end
    return request
end

-- Checks what a request cannot be run for; with a search for a ratio the slots are not known yet.
local function check_request(request, count)
    return check_order(request, count) or not request.search_ratio
        and (check_nodes(request) or check_pools(request, count)) or nil
end

---Returns a run of the core, with the search for a ratio and the proof of a bound around it.
---@param request table
---@return table|nil raw, string|nil kind, string|nil message
function M.run(request)
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

return M
