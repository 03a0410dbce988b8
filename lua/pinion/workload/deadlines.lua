-- Deadlines for jobs of the cluster model, as options that all of its generators and traces take.

local check = require "pinion.base.check"
local cluster_nodes = require "pinion.models.cluster.nodes"
local core = require "pinion.core"
local distribution = require "pinion.base.distribution"

local M = {}

local CLUSTER = { cluster = true }

-- Reads a factor; one of 0 on everything would be no deadline.
local function read_factor(value)
    local factor, why = distribution.read_factor(value)
    if factor and factor.a == 0 and factor.b == 0 then
        return nil, "must be above 0, got " .. check.show(value)
    end
    return factor, why
end

M.fields = {
    { name = "deadline_factor", models = CLUSTER, read = read_factor,
      doc = "deadline of each job, as a factor on its estimated duration alone on the idle "
          .. "cluster" },
    { name = "deadline_ms", models = CLUSTER, read = distribution.read,
        doc = "deadline of each job, ms after its submission" },
}

---@param options table<string, any>
---@return string|nil field, string|nil reason
function M.settle(options)
    if options.deadline_factor and options.deadline_ms then
        return "deadline_ms", "cannot be given together with deadline_factor"
    end
end

---Returns whether they differ from replica to replica.
---@param options table<string, any>
---@return boolean
function M.random(options)
    local drawn = options.deadline_factor or options.deadline_ms
    return drawn ~= nil and drawn.kind ~= "constant"
end

---Returns the jobs with the deadlines that these options say; as they are where they say none.
---@param source any the kernel's side of the jobs
---@param options table<string, any>
---@param binding table
---@return any source, string|nil reason nil, and what is missing
function M.apply(source, options, binding)
    local relative = options.deadline_factor ~= nil
    local drawn = options.deadline_factor or options.deadline_ms
    if not drawn or binding.model ~= "cluster" then return source end
    if relative and not binding.nodes then
        return nil, "deadline_factor: needs the nodes of a cluster"
    end
    local sums = relative and cluster_nodes.sums(binding.nodes) or {}
    return core.workload_deadlines {
        workload = source, draw = drawn, relative = relative, map_slots = sums.map_slots,
        reduce_slots = sums.reduce_slots,
        slowest = relative and cluster_nodes.slowest(binding.nodes) or nil,
        seed = binding.seed or options.seed or 1, replica = binding.replica,
    }
end

return M
