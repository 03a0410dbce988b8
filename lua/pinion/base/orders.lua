-- Orders that are given: lists of job ids for policies that serve jobs in an order which the run
-- gives. They are parameters of a run that no policy's table holds, as they are as long as the
-- workload.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local quantity = require "pinion.base.quantity"

local M = {}

-- Ids beyond this are no list that anybody wrote.
local IDS_MOST = 1 << 28

---Reads job ids, each at most once: an array, or text such as "3;1;2".
---@param value any
---@return integer[]|nil ids, string|nil reason
function M.read(value)
    local list = value
    if type(value) == "string" then
        list = {}
        for piece in value:gmatch("[^%s;]+") do list[#list + 1] = piece end
    end
    if type(value) == "number" then list = { value } end
    if type(list) == "table" and next(list) == nil then
        return nil, "is empty (expected job ids)"
    end
    if type(value) == "string" and value:find("^%s*%d+%s*,") then
        return nil, "expected ; between job ids, such as 3;1;2, got " .. check.show(value)
    end
    if type(list) ~= "table" or not check.is_array(list, true) then
        return nil, "must be an array of job ids, or text such as 3;1;2, got " .. check.show(value)
    end
    local ids, seen = {}, {}
    for i, entry in ipairs(list) do
        local id, why = quantity.integer(entry, 1, IDS_MOST)
        if not id then return nil, string.format("[%d]: %s", i, why) end
        if seen[id] then return nil, string.format("[%d]: job %d is listed twice", i, id) end
        ids[i], seen[id] = id, true
    end
    return ids
end

---The parameters that hold such a list, with the station that each is for.
M.PARAMS = { order_map = "map", order_shuffle = "shuffle" }

---Returns the jobs with their places in these orders; without any order the jobs as they are. Jobs
---that are not listed come last, by id.
---@param source any the core's side of a workload
---@param params table<string, any>|nil
---@return any source
function M.apply(source, params)
    local request, jobs = { workload = source, count = 0 }, source:count()
    for name, station in next, M.PARAMS do
        local given = params and params[name]
        local ids, why = nil, nil
        if given ~= nil then ids, why = M.read(given) end
        if why then fault.usage("params.%s: %s", name, why) end
        request[station] = ids
        for _, id in ipairs(ids or {}) do
            if jobs and id > jobs then
                fault.usage("params.%s: there is no job %d, the workload has %d", name, id, jobs)
            end
            request.count = math.max(request.count, id)
        end
    end
    return request.count > 0 and core.workload_ranks(request) or source
end

return M
