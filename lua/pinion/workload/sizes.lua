-- Groups of jobs by their size: classes of a factor of ten, the same for all workloads of a model.
-- The size of a job is its work in the slotted and the tandem model, else its number of tasks.

local core = require "pinion.core"
local models = require "pinion.models"

local M = {}

-- Where classes begin, but for the first; sizes are integers.
local BOUNDS = { 10, 100, 1000, 10000 }

---@param model string
---@return number[]
local function bounds_of(model)
    return models.find(model).jobs.size_bounds or BOUNDS
end

---Returns names of the groups.
---@param model string
---@return string[]
function M.names(model)
    local bounds, names = bounds_of(model), {}
    local whole = bounds == BOUNDS
    for i, bound in ipairs(bounds) do
        local low, high = bounds[i - 1] or 1, whole and bound - 1 or bound
        names[i] = (whole or i > 1) and string.format("size %g-%g", low, high)
            or string.format("size below %g", bound)
    end
    names[#names + 1] = string.format("size %g and more", bounds[#bounds])
    return names
end

---Returns the same jobs in groups by their size.
---@param source any the core's side of the jobs
---@param model string
---@return any
function M.group(source, model)
    return core.workload_sized { workload = source, bounds = bounds_of(model) }
end

return M
