-- Tasks whose values go into a store: those that are missing are run, side by side with other
-- processes on the same store.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local parallel = require "pinion.base.parallel"

local M = {}

---@class pinion.FillTasks
---@field is_stored fun(task: integer): boolean
---@field run fun(task: integer, tick: fun()): boolean|nil stores what the task gives, or why it failed; nil: interrupted
---@field give_up fun(task: integer, problem: any) stores why a task that no process survives failed
---@field name fun(task: integer): string

-- Tasks that lie side by side, which often share a plan, are one block. Processes of which each
-- goes through the blocks in an order of its own, and through some of them backwards, hardly ever
-- meet; those that begin side by side and go the same way would do everything twice from there on.
local BLOCKS = 256

-- Returns the task at each place of an order that no other process has.
local function own_order(count)
    local blocks, ends, order = math.min(count, BLOCKS), {}, {}
    local state = tonumber(core.sha256(core.host() .. core.pid() .. core.clock()):sub(1, 15), 16)
    local function random(below)
        state = state * 6364136223846793005 + 1442695040888963407
        return (state >> 33) % below
    end
    for i = 1, blocks do
        local other = random(i) + 1
        order[i] = order[other]
        order[other] = i
    end
    local place = 0
    for i, block in ipairs(order) do
        local first, last = (block - 1) * count // blocks + 1, block * count // blocks
        place = place + last - first + 1
        local is_backwards = random(2) == 1
        ends[i] = { place = place, task = is_backwards and first or last,
            step = is_backwards and 1 or -1 }
    end
    return function(at)
        local low, high = 1, blocks
        while low < high do
            local middle = (low + high) // 2
            if ends[middle].place < at then low = middle + 1 else high = middle end
        end
        return ends[low].task + ends[low].step * (ends[low].place - at)
    end
end

---Returns the tasks of a part.
---@param count integer of all tasks
---@param shard { part: integer, of: integer }
---@return integer first, integer count
function M.part(count, shard)
    local first = (shard.part - 1) * count // shard.of + 1
    return first, shard.part * count // shard.of - first + 1
end

---Runs what is missing of tasks first..first+count-1.
---@param store pinion.Store
---@param tasks pinion.FillTasks
---@param first integer
---@param count integer
---@param how { shard: any, processes: integer|nil, tick: fun(part: boolean) } processes: default one per core, but one for a part, as others run beside it
---@return boolean complete false: interrupted
function M.run(store, tasks, first, count, how)
    if count == 0 then return true end
    local order = not how.shard and own_order(count) -- a part is this process's alone
    local function at(task) return first - 1 + (order and order(task) or task) end
    local processes = how.processes or how.shard and 1 or core.cores()
    local complete = parallel.run(count, processes, {
        apart = how.shard ~= nil, -- or an engine would start the part again and again
        run = function(task, tick)
            if tasks.is_stored(at(task)) then return true end
            -- Others may have been here.
            if store:look_again() and tasks.is_stored(at(task)) then return true end
            return tasks.run(at(task), tick)
        end,
        tick = how.tick,
        name = function(task) return tasks.name(at(task)) end,
        lost = function(task, why)
            store:refresh()
            if tasks.is_stored(at(task)) then return end
            local _, problem = fault.attempt(fault.run, "%s", why) -- no defect of the program
            tasks.give_up(at(task), problem)
        end,
        finish = function() store:close() end,
    })
    store:close()
    if complete then store:refresh() end
    return complete
end

return M
