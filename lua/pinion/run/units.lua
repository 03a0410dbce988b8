-- Units of work: one policy on one replica of one cell's settings. A unit's key is the hash of all
-- that its value depends on, so that whatever asks for the same unit finds it: a longer sweep, a
-- comparison with one more policy, another machine. Where policies share the bounds of a workload,
-- these are a unit of their own.

local canonical = require "pinion.base.canonical"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local plan_of = require "pinion.run.plan"
local params_of = require "pinion.policy.params"
local policies = require "pinion.policy"
local result_of = require "pinion.run.result"
local single = require "pinion.run.single"
local store_of = require "pinion.base.store"
local summary = require "pinion.run.summary"

local M = {}

-- What a value looks like; another number makes all units new.
local FORMAT = 1

local KEY_DIGITS = 32

-- ---- keys ---------------------------------------------------------------------------------------

-- Settings that are no part of the cell's hash: some have hashes of their own, others do not change
-- what a run computes.
local ASIDE = {}
for name in ([[policy params workload replica bounds metrics extended
    policy_where failures_where params_where params_given chosen attributes
    keep_jobs log quiet checkpoint every resume arguments inputs store_key]]):gmatch "%S+" do
    ASIDE[name] = true
end

-- Returns the name of the file that a distribution's values were read from: its text holds the
-- values.
local function is_name_of_file(owner, key)
    return key == "shown" and owner.text ~= nil and core.distribution_kinds[owner.kind] ~= nil
end

-- What was hashed for one command, by its options: the next one finds other bytes in a file,
-- perhaps.
local hashed = setmetatable({}, { __mode = "k" })

local function hashed_for(options)
    hashed[options] = hashed[options] or { files = {}, workloads = {} }
    return hashed[options]
end

local function file_digest(path, files)
    if not files[path] then
        local digest, why = core.sha256_file(path)
        if not digest then fault.at(path, nil, why) end
        files[path] = digest
    end
    return files[path]
end

local function need_key(settings, what)
    if settings.store_key ~= nil then return end
    fault.usage("store: %s is a function of this script, whose content pinion cannot see (use a "
        .. "built-in one or a file, or give store_key: a text that you change when the function "
        .. "changes)", what)
end

local function plain_text(value, replaced, what)
    local text, path = canonical.text(value, replaced, is_name_of_file)
    if not text then
        fault.usage("store: %s: %s is no plain value, which a store needs", what, path)
    end
    return text
end

-- Where a list of jobs came from, and what messages say of that.
local ABOUT_LIST = { path = true, place = true }

-- Returns the hash of a workload: a list of jobs is hashed as it is, files by what is in them.
local function workload_digest(plan)
    local settings, known = plan.settings, hashed_for(plan.options)
    local work, workloads = settings.workload, known.workloads
    if workloads[work] then return workloads[work] end
    local identity = work:identity()
    if not identity then need_key(settings, "the workload") end
    local list, replaced, digests = nil, {}, {}
    for name, value in next, work.list or {} do
        list = list or {}
        list[name] = not ABOUT_LIST[name] and value or nil
    end
    for _, path in ipairs(list and {} or work:files()) do
        digests[#digests + 1] = file_digest(path, known.files)
        replaced[path] = digests[#digests]
    end
    workloads[work] = core.sha256(plain_text({
        identity = identity or "script", kind = work.kind, options = work.options,
        list = list, blocks = work.blocks, files = digests,
    }, replaced, "the workload"))
    return workloads[work]
end

local function metric_names(settings)
    local names = {}
    for i, metric in ipairs(settings.metrics or {}) do
        if metric.of and not metric.text then need_key(settings, "metrics: " .. metric.name) end
        names[i] = metric.name .. (metric.text and " " .. core.sha256(metric.text) or "")
    end
    return names
end

local function values_of(policy, params)
    return params_of.values(policy, params, function(path, reason)
        fault.at(nil, "params." .. path, reason)
    end)
end

-- Returns a policy as far as it matters: a file's text and not its name.
local function identity_of(policy, params)
    return { policy.text and core.sha256(policy.text) or policy.model .. "/" .. policy.name,
        values_of(policy, params) }
end

-- Returns what all policies of a cell have in common.
local function cell_digest(plan)
    local settings, common = plan.settings, {}
    local work = settings.workload
    for name, value in next, settings do
        if not ASIDE[name] then common[name] = value end
    end
    -- Such jobs are made against a policy, with its parameters.
    local watches = work.generator and work.generator.watches
    local watched = watches and watches(work.options)
    return core.sha256(plain_text({
        FORMAT, store_of.BUILD, core.version, common, workload_digest(plan),
        metric_names(settings),
        watched and identity_of(policies.require(watched, settings.model), settings.params),
        settings.store_key,
    }, {}, "the settings"))
end

local function policy_digest(plan, policy)
    local settings, prover = plan.settings, nil
    if settings.bounds == "tight" then prover = plan.model.settings.prover end
    return core.sha256(plain_text({
        identity_of(policy, settings.params),
        prover and values_of(policies.require(prover, settings.model), settings.params),
    }, {}, "the policy's parameters"))
end

-- Returns what a value holds: results of the only replica are kept whole, and what sweeps of one
-- replica keep is more than what they keep of several.
local function form_of(plan)
    return plan.whole and "result" or plan.options.replicas > 1 and "several" or "one"
end

-- Returns the bounds that are a part of the unit, as they are not shared.
local function own_bounds(plan)
    return plan:shares_bounds() and "" or plan.settings.bounds
end

local heads = setmetatable({}, { __mode = "k" })

-- Returns what is hashed for the keys of a plan, in front of the replica.
local function heads_of(plan)
    local made = heads[plan]
    if made then return made end
    local cell, first = cell_digest(plan), nil
    made = {}
    for i, policy in ipairs(plan.policies) do
        local digest = policy_digest(plan, policy)
        local name = plan.whole and plan.rows[i].policy or "" -- which a whole result shows
        made[i] = string.format("%s %s %s %s %s ", cell, digest, form_of(plan), own_bounds(plan),
            name)
        first = first or digest
    end
    if plan:shares_bounds() and plan.settings.bounds ~= "none" then
        made.bounds = string.format("%s %s bounds %s ", cell, first, plan.settings.bounds)
    end
    heads[plan] = made
    return made
end

---@param plan pinion.Plan
---@param i integer index of the policy
---@param replica integer
---@return string 32 hex digits
function M.key(plan, i, replica)
    return core.sha256(heads_of(plan)[i] .. replica):sub(1, KEY_DIGITS)
end

---Returns the key of the bounds of a replica; nil where there are none that policies share. They
---come with a run of the first policy, which decides whether there are any.
---@param plan pinion.Plan
---@param replica integer
---@return string|nil
function M.bounds_key(plan, replica)
    local head = heads_of(plan).bounds
    return head and core.sha256(head .. replica):sub(1, KEY_DIGITS)
end

-- ---- running what is missing --------------------------------------------------------------------

---@class pinion.Missing what there is to do of a replica
---@field keys table<integer, string> of the units that are missing, by policy
---@field bounds string|nil key of the bounds when these are missing

local function is_missing(store, key, retry)
    local state = store and store:state(key)
    return state == nil or retry and state == "failed"
end

---Returns how many units a replica of a plan has.
---@param plan pinion.Plan
---@return integer
function M.count(plan)
    return #plan.given + (M.bounds_key(plan, 0) and 1 or 0)
end

---@param store pinion.Store|nil nil: everything is missing
---@param plan pinion.Plan
---@param replica integer
---@param retry boolean|nil whether what has failed counts as missing
---@return pinion.Missing|nil nil: nothing is missing
function M.missing(store, plan, replica, retry)
    local keys, bounds = {}, M.bounds_key(plan, replica)
    for i in ipairs(plan.given) do
        local key = M.key(plan, i, replica)
        if is_missing(store, key, retry) then keys[i] = key end
    end
    bounds = bounds and is_missing(store, bounds, retry) and bounds or nil
    if bounds or next(keys) then return { keys = keys, bounds = bounds } end
end

local function describe(plan, i, replica, is_bounds)
    return { model = plan.settings.model, policy = not is_bounds and plan.rows[i].policy or nil,
        replica = replica, cell = plan.cells[i] or {}, bounds = is_bounds }
end

-- Returns the value of a unit. Nothing in it may tell whether its run brought the bounds along.
local function value_of(plan, i, result, replica)
    local made = plan:summary(i, result, replica)
    if not plan.whole then return made end
    if plan:shares_bounds() then
        result_of.set_bounds(plan.model, result, {})
        result.bounds = nil
    end
    return { result = result:portable(), summary = made }
end

-- Runs a policy: the value of its unit and, with the first policy, the bounds; nil: interrupted.
local function run_one(plan, settings, opened, i, with_bounds)
    local bounds = plan:shares_bounds() and not with_bounds and "none" or settings.bounds
    local result = single.run(plan:own_settings(settings, i, bounds), opened)
    if result.interrupted then return nil end
    local found = with_bounds and summary.bounds_of(plan.model, result)
    local made = { value = value_of(plan, i, result, settings.replica), bounds = found }
    plan_of.let_go(result)
    return made
end

---Runs what is missing of a replica, and stores it unit by unit. A failure is stored and does not
---stop the others.
---@param store pinion.Store
---@param plan pinion.Plan
---@param replica integer
---@param missing pinion.Missing
---@param tick fun() called after each run
---@return boolean|nil true; nil: interrupted
function M.run(store, plan, replica, missing, tick)
    local settings, began = plan:replica_settings(replica), core.clock()
    local opened, broken = fault.attempt(plan.open, plan, settings)
    for i in ipairs(plan.given) do
        local key, bounds = missing.keys[i], i == 1 and missing.bounds or nil
        local of = describe(plan, i, replica)
        if key or bounds then
            local made, problem = nil, broken
            if not broken then
                made, problem = fault.attempt(run_one, plan, settings, opened, i, bounds ~= nil)
            end
            if not made and not problem then return nil end
            local seconds = core.clock() - began
            local of_bounds = bounds and describe(plan, i, replica, plan.settings.bounds)
            if bounds and made then store:put(bounds, of_bounds, 0, made.bounds) end
            if bounds and problem then store:put_failed(bounds, of_bounds, seconds, problem) end
            if key and made then store:put(key, of, seconds, made.value) end
            if key and problem then store:put_failed(key, of, seconds, problem) end
            tick()
            began = core.clock()
        end
    end
    return true
end

---Gives up: a task that no process survives is stored as failed.
---@param store pinion.Store
---@param plan pinion.Plan
---@param replica integer
---@param missing pinion.Missing
---@param problem any
function M.give_up(store, plan, replica, missing, problem)
    for i, key in next, missing.keys do
        store:put_failed(key, describe(plan, i, replica), 0, problem)
    end
    if missing.bounds then
        store:put_failed(missing.bounds, describe(plan, 1, replica, plan.settings.bounds), 0,
            problem)
    end
end

-- ---- gathering ----------------------------------------------------------------------------------

-- Returns the value of a finished unit; nil when it is missing. What failed is raised.
local function value_at(store, key)
    local unit = store:get(key)
    if unit and unit.failed then store_of.raise(unit) end
    return unit and unit.value
end

---Gathers what Plan:run would have returned; nil when something is missing. Raises what some unit
---failed with.
---@param store pinion.Store
---@param plan pinion.Plan
---@param replica integer
---@return pinion.ReplicaMade|nil
function M.gather(store, plan, replica)
    local made, key = { rows = {} }, M.bounds_key(plan, replica)
    for i in ipairs(plan.given) do
        made.rows[i] = value_at(store, M.key(plan, i, replica))
        if not made.rows[i] then return nil end
    end
    if key then
        made.bounds = value_at(store, key)
        if not made.bounds then return nil end
    elseif plan:shares_bounds() then
        made.bounds = {}
    end
    return made
end

return M
