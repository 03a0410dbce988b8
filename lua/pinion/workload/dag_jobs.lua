-- What the readers of traces for the dag model share.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local jobs = require "pinion.workload.jobs"

local M = {}

---@class pinion.DagTrace
---@field list pinion.JobList
---@field resources string[] what the demands are of
---@field summary table<string, any> what was counted

---The one value of a JSON file, plain or gzip'ed.
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

---Jobs as a scenario has them, checked as those of one.
---@param rows table[]
---@param counts table<string, any>
---@param resources string[]
---@param where fun(index: integer|nil): string where a job stands
---@return pinion.DagTrace
function M.made(rows, counts, resources, where)
    local list = jobs.read(rows, {
        lua = true,
        fail = function(index, field, reason) fault.at(where(index), field, reason) end,
    }, "dag")
    counts.jobs = #list.jobs
    return { list = list, resources = resources, summary = counts }
end

return M
