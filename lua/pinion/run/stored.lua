-- Rounds of runs with a store: what is missing is run and stored, by this machine's processes and
-- by others that work on the same store, and then all of it is read in order.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local filling = require "pinion.run.fill"
local say = require "pinion.base.say"
local text = require "pinion.base.text"
local units = require "pinion.run.units"

local M = {}

---@class pinion.StoreOptions a part of pinion.PlanOptions
---@field store pinion.Store
---@field only_stored boolean|nil nothing is run
---@field retry boolean|nil what failed is run again
---@field shard { part: integer, of: integer }|nil

-- ---- running ------------------------------------------------------------------------------------

-- Runs what is missing of `count` tasks from `first` on. false: interrupted.
local function fill(round, options, first, count)
    local store, retry = options.store, options.retry
    local progress <close>, show = round:progress()
    local function missing_of(task)
        local cell, replica = round:place(task)
        local plan = round.plan_of(cell)
        return units.missing(store, plan, replica, retry), plan, replica
    end
    return filling.run(store, {
        is_stored = function(task) return missing_of(task) == nil end,
        run = function(task, ticked)
            local missing, plan, replica = missing_of(task)
            return units.run(store, plan, replica, missing, ticked)
        end,
        give_up = function(task, problem)
            local missing, plan, replica = missing_of(task)
            units.give_up(store, plan, replica, missing, problem)
        end,
        name = function(task) return round:name(task) end,
    }, first, count, {
        shard = options.shard, processes = options.processes,
        tick = function(part)
            round.ran = round.ran + (part and 1 or 0)
            show(part)
        end,
    })
end

---@class pinion.Left what is not finished of some tasks, in units
---@field missing integer
---@field failed integer
---@field failure pinion.StoredUnit|nil the first that failed
---@field by_policy table<string, integer> missing and failed ones, without bounds

---@param round pinion.Round
---@param store pinion.Store|nil nil: nothing is stored
---@param first integer task
---@param count integer
---@return pinion.Left
local function left_of(round, store, first, count)
    local left = { missing = 0, failed = 0, by_policy = {} }
    local function add(key)
        if not store or store:state(key) ~= "failed" then
            left.missing = left.missing + 1
        else
            left.failed = left.failed + 1
            left.failure = left.failure or store:get(key)
        end
    end
    for task = first, first + count - 1 do
        local cell, replica = round:place(task)
        local plan = round.plan_of(cell)
        local missing = units.missing(store, plan, replica, true)
        if missing and missing.bounds then add(missing.bounds) end
        for i, key in next, missing and missing.keys or {} do
            local policy = plan.rows[i].policy
            add(key)
            left.by_policy[policy] = (left.by_policy[policy] or 0) + 1
        end
    end
    return left
end

---Runs what is missing of a part. Raises what is wrong when the part is not complete then.
---@param round pinion.Round
---@param options pinion.StoreOptions
---@return boolean complete false: interrupted
function M.run_part(round, options)
    local first, count = filling.part(round.tasks, options.shard)
    if not fill(round, options, first, count) then return false end
    local left = left_of(round, options.store, first, count)
    if left.missing + left.failed == 0 then return true end
    fault.run("part %d/%d: %s%s", options.shard.part, options.shard.of,
        left.failed > 0 and string.format("%s failed (--retry repeats them), the first: %s",
            text.count(left.failed, "unit"), left.failure.failed) or "",
        left.missing > 0 and string.format("%s%s not run", left.failed > 0 and "; " or "",
            text.count(left.missing, "unit")) or "")
end

-- ---- gathering ----------------------------------------------------------------------------------

-- Returns the units of all tasks: runs, and bounds where policies share them.
local function units_of(round, plan)
    return round:runs() + round.tasks * (units.count(plan) - #plan.given)
end

-- Runs a task that a lost process has left.
local function run_left(round, options, task, plan, replica)
    local store = options.store
    local missing = units.missing(store, plan, replica)
    if missing and not units.run(store, plan, replica, missing, function() end) then return nil end
    store:close()
    store:refresh()
    return units.gather(store, plan, replica)
        or fault.run("%s: the stored result of %s cannot be read", store.path, round:name(task))
end

-- Says what of a round was there already, when that was something.
local function say_ran(round, store)
    local runs = round:runs()
    if round.grid.quiet or round.grid.own_progress or round.ran >= runs then return end
    say("%s: %s of %s were stored already", store.path, text.amount(runs - round.ran),
        text.count(runs, "run"))
end

---Takes what is stored, and runs what is missing unless nothing is to be run; delivers all of it in
---order.
---@param round pinion.Round
---@param deliver fun(task: integer, made: pinion.ReplicaMade)
---@param options pinion.StoreOptions
---@return boolean complete false: interrupted
function M.run(round, deliver, options)
    local store = options.store
    if not options.only_stored then
        if not fill(round, options, 1, round.tasks) then return false end
        say_ran(round, store)
    end
    local progress <close> = core.progress("gathering",
        round.grid.quiet or round.grid.own_progress)
    for task = 1, round.tasks do
        local cell, replica = round:place(task)
        local plan = round.plan_of(cell)
        local made = units.gather(store, plan, replica)
        if not made and options.only_stored then
            local left = left_of(round, store, task, round.tasks - task + 1)
            fault.run("%s: %s of %s are missing%s", store.path, text.amount(left.missing),
                text.count(units_of(round, plan), "unit"),
                left.failed > 0 and string.format(", %s have failed", text.amount(left.failed))
                    or "")
        end
        made = made or run_left(round, options, task, plan, replica)
        if not made or core.interrupted() then return false end
        deliver(task, made)
        progress:show(task, round.tasks, "replicas")
    end
    return true
end

-- ---- what there is to do ------------------------------------------------------------------------

---@class pinion.Survey
---@field cells integer
---@field policies integer
---@field replicas integer
---@field bounds boolean whether bounds are units, too
---@field units integer
---@field stored integer
---@field failed integer
---@field missing integer
---@field measured integer stored units whose time was looked at
---@field seconds number|nil of one core for what is missing or has failed, by those
---@field longest number|nil of these units
---@field gather number|nil seconds to gather all, by some
---@field part integer|nil
---@field parts integer|nil
---@field part_missing integer|nil
---@field part_failed integer|nil
---@field incomplete integer[]|nil parts

-- So many units, spread over all of them, tell how long the others take.
local LOOKED_AT = 1000

-- Measures how long units take that are stored: by policy, and the longest; and how long a replica
-- takes to gather.
local function measure(round, store)
    local found = { by_policy = {}, count = 0, longest = 0, gathered = 0, gathering = 0 }
    for task = 1, round.tasks, math.max(1, round:runs() // LOOKED_AT) do
        local cell, replica = round:place(task)
        local plan = round.plan_of(cell)
        for i in ipairs(plan.given) do
            local unit = store:get(units.key(plan, i, replica))
            if unit and not unit.failed then
                local policy = plan.rows[i].policy
                local sum = found.by_policy[policy] or { seconds = 0, count = 0 }
                found.by_policy[policy] = sum
                sum.seconds, sum.count = sum.seconds + unit.seconds, sum.count + 1
                found.count = found.count + 1
                found.longest = math.max(found.longest, unit.seconds)
            end
        end
        local began = core.clock()
        local made = not units.missing(store, plan, replica, true) and not plan.whole
            and units.gather(store, plan, replica)
        if made then
            plan:add(made)
            found.gathering = found.gathering + core.clock() - began
            found.gathered = found.gathered + 1
        end
    end
    return found
end

-- Returns the seconds that what is left takes. A policy of which nothing is known takes what others
-- do.
local function seconds_of(left, measured)
    local seconds, all = 0, { seconds = 0, count = 0 }
    for _, sum in next, measured.by_policy do
        all.seconds, all.count = all.seconds + sum.seconds, all.count + sum.count
    end
    for policy, count in next, left.by_policy do
        local sum = measured.by_policy[policy] or all
        seconds = seconds + count * sum.seconds / sum.count
    end
    return seconds
end

---Surveys what there is to do, and how long it may take. Nothing is run.
---@param round pinion.Round
---@param options pinion.StoreOptions
---@return pinion.Survey
function M.survey(round, options)
    local store, grid, first = options.store, round.grid, round.grid.plan(1)
    local left = left_of(round, store, 1, round.tasks)
    local found = {
        cells = grid.cells, policies = grid.policies, replicas = round.count,
        bounds = units.count(first) > #first.given, units = units_of(round, first),
        failed = left.failed,
        missing = left.missing, measured = 0,
    }
    found.stored = found.units - left.missing - left.failed
    local measured = store and measure(round, store)
    if measured and measured.count > 0 then
        found.measured, found.longest = measured.count, measured.longest
        found.seconds = seconds_of(left, measured)
    end
    if measured and measured.gathered > 0 then
        found.gather = measured.gathering / measured.gathered * round.tasks
    end
    if options.shard then
        found.part, found.parts, found.incomplete = options.shard.part, options.shard.of, {}
        for part = 1, options.shard.of do
            local from, count = filling.part(round.tasks, { part = part, of = options.shard.of })
            local of_part = left_of(round, store, from, count)
            if of_part.missing + of_part.failed > 0 then
                found.incomplete[#found.incomplete + 1] = part
            end
            if part == found.part then
                found.part_missing, found.part_failed = of_part.missing, of_part.failed
            end
        end
    end
    return found
end

return M
