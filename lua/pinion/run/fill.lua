-- Tasks whose values go into a store: those that are missing are run, side by side with whoever
-- else works on the same store.

local core = require "pinion.core"
local parallel = require "pinion.base.parallel"

local M = {}

---@class pinion.FillTasks
---@field is_stored fun(task: integer): boolean
---@field run fun(task: integer, tick: fun()): boolean|nil stores what the task gives, or why it failed; nil: interrupted
---@field give_up fun(task: integer, text: string) stores why a task that no process survives failed
---@field name fun(task: integer): string

-- Where this process begins: processes that begin elsewhere meet late, and then see what the others
-- have stored.
local function start_of(count)
    return tonumber(core.sha256(core.host() .. core.pid()):sub(1, 12), 16) % count
end

---The tasks of a part.
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
    local start = how.shard and 0 or start_of(count) -- a part is this process's alone
    local function at(task) return first + (task - 1 + start) % count end
    local processes = how.processes or how.shard and 1 or core.cores()
    local complete = parallel.run(count, processes, {
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
            if not tasks.is_stored(at(task)) then tasks.give_up(at(task), why) end
        end,
        finish = function() store:close() end,
    })
    store:close()
    store:refresh()
    return complete
end

return M
