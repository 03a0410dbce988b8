-- What the readers of traces for the dag model share.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local jobs = require "pinion.workload.jobs"

local M = {}

---@class pinion.DagTrace
---@field list pinion.JobList
---@field resources string[] what the demands are of
---@field summary table<string, any> what was counted

---Reads the one value of a JSON file, plain or gzip'ed.
---@param path string
---@param what string what the file should hold, for messages
---@return any
function M.read_json(path, what)
    local stream <close>, why = core.json_stream(path)
    if not stream then fault.located("usage", why) end
    local root, line = stream()
    if root == nil and line then fault.located("usage", line) end
    if root == nil then
        fault.at(path, nil, string.format("is empty (expected %s as one JSON object)", what))
    end
    local more, wrong = stream()
    if more == nil and wrong then fault.located("usage", wrong) end
    if more ~= nil then
        fault.at(path .. ":" .. wrong, nil, "something follows the value (expected the end of the "
            .. "file)")
    end
    return root
end

---Returns whether some stages wait for each other.
---@param stages table[] with parents, which count from 0
---@return boolean
function M.is_cyclic(stages)
    local waiting, children, free = {}, {}, {}
    for s, stage in ipairs(stages) do
        waiting[s] = #stage.parents
        for _, parent in ipairs(stage.parents) do
            local list = children[parent + 1] or {}
            list[#list + 1], children[parent + 1] = s, list
        end
        if waiting[s] == 0 then free[#free + 1] = s end
    end
    for done = 1, #stages do
        if not free[done] then return true end
        for _, child in ipairs(children[free[done]] or {}) do
            waiting[child] = waiting[child] - 1
            if waiting[child] == 0 then free[#free + 1] = child end
        end
    end
    return false
end

---Makes jobs as a scenario has them, checked as those of one.
---@param rows table[]
---@param counts table<string, any>
---@param resources string[]
---@param where fun(index: integer|nil): string where a job stands
---@return pinion.DagTrace
function M.made(rows, counts, resources, where)
    for i, row in ipairs(rows) do
        if M.is_cyclic(row.stages) then
            fault.at(where(i), nil, "its stages wait for each other in a circle")
        end
    end
    local list = jobs.read(rows, {
        lua = true,
        fail = function(index, field, reason) fault.at(where(index), field, reason) end,
    }, "dag")
    counts.jobs = #list.jobs
    return { list = list, resources = resources, summary = counts }
end

return M
