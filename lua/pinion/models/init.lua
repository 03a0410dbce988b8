-- The models of this version by name.

local suggest = require "pinion.base.suggest"

local M = {}

local MODELS = { slotted = require "pinion.models.slotted", tandem = require "pinion.models.tandem", makespan = require "pinion.models.makespan",
                 cluster = require "pinion.models.cluster" }
local NAMES = { "slotted", "tandem", "makespan", "cluster" }

M.default = MODELS.slotted

---@return string[]
function M.names()
    return NAMES
end

---@param name string
---@return pinion.Model|nil model, string|nil reason
function M.find(name)
    local model = MODELS[name]
    if model then return model end
    return nil, string.format("unknown model '%s' %s", name, suggest.hint(name, NAMES))
end

return M
