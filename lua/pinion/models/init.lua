-- The models of this version by name.

local lazy = require "pinion.base.lazy"
local suggest = require "pinion.base.suggest"

local M = {}

local NAMES = { "slotted", "tandem", "makespan", "cluster" }
local MODELS = {}
for _, name in ipairs(NAMES) do MODELS[name] = "pinion.models." .. name end
MODELS = lazy.modules(MODELS)

M.default = "slotted"

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
