-- Settings of models: ranges, defaults and texts are those of the kernel's rows (core.settings).

local check = require "pinion.base.check"
local core = require "pinion.core"

local M = {}

---Returns the rules of a model in their order, as parameters of every policy of it.
---@param model string
---@return pinion.PolicyParameter[]
function M.rules(model)
    local settings = core.settings(model)
    return table.move(settings, 1, #settings, 1, {})
end

---@param model string
---@param name string of a setting that is no rule, such as machines
---@return pinion.PolicyParameter
function M.setting(model, name)
    return core.settings(model)[name]
end

---Returns a function that checks values of a setting.
---@param model string
---@param name string
---@return fun(value: any): any, string? reads it: the value, or nil and the reason
function M.reader(model, name)
    local row = M.setting(model, name)
    return function(value)
        if row.choices then return check.choice(value, row.choices) end
        return check.integer(value, row.low, row.high)
    end
end

return M
