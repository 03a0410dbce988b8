-- The policies of the kernel by name, and the check of their parameters.

local check = require "pinion.check"
local core = require "pinion.core"
local fault = require "pinion.fault"
local suggest = require "pinion.suggest"

local M = {}

---@class pinion.PolicyParameter
---@field name string
---@field value integer default
---@field low integer
---@field high integer
---@field doc string

---@class pinion.Policy
---@field model string
---@field name string
---@field summary string one line
---@field source string where it comes from
---@field preemptive boolean defined with preemptive reduces
---@field nonpreemptive boolean defined with non-preemptive reduces
---@field work_conserving boolean
---@field relaxed boolean a lower bound, not a feasible schedule
---@field params pinion.PolicyParameter[]

---All policies in the kernel's order, or those of a model.
---@param model string|nil
---@return pinion.Policy[]
function M.list(model)
    local found = {}
    for _, policy in ipairs(core.policies()) do
        if not model or policy.model == model then found[#found + 1] = policy end
    end
    return found
end

---@param model string|nil
---@return string[]
function M.names(model)
    local names = {}
    for i, policy in ipairs(M.list(model)) do names[i] = policy.name end
    return names
end

---The policy called `name` or `model/name`, or nil and the reason.
---@param name string
---@param model string|nil
---@return pinion.Policy|nil policy, string|nil reason
function M.lookup(name, model)
    for _, policy in ipairs(M.list(model)) do
        if name == policy.name or name == policy.model .. "/" .. policy.name then return policy end
    end
    if name:find("%.lua$") or name:find("/") then
        return nil, string.format("unknown policy '%s' (only built-in policies are available in this version)", name)
    end
    return nil, string.format("unknown policy '%s' %s", name, suggest.hint(name, M.names(model)))
end

---Whether a policy is defined in a mode of the slotted model: true, or nil and the reason.
function M.defined(policy, reduce)
    if policy[reduce] then return true end
    local other = reduce == "preemptive" and "nonpreemptive" or "preemptive"
    return nil, string.format("policy '%s' is not defined for reduce=%s (only for %s)", policy.name, reduce, other)
end

local function parameter_names(list)
    local seen, names = {}, {}
    for _, policy in ipairs(list) do
        for _, parameter in ipairs(policy.params) do
            if not seen[parameter.name] then
                seen[parameter.name] = true
                names[#names + 1] = parameter.name
            end
        end
    end
    return names, seen
end

---Checks that every name in `params` belongs to some policy of the model and that its value is an integer. Ranges are checked by M.values,
---policy by policy.
---@param params table<string, any>
---@param model string
---@param fail fun(name: string, reason: string)
function M.check_names(params, model, fail)
    local names, seen = parameter_names(M.list(model))
    for _, name in ipairs(check.sorted_keys(params)) do
        if not seen[name] then
            fail(check.key_text(name), "unknown parameter " .. suggest.hint(tostring(name), names))
        end
        local value, why = check.integer(params[name], -check.INTEGER_MAX, check.INTEGER_MAX)
        if not value then fail(name, why) end
    end
end

---Checks that every name in `params` belongs to one of the policies chosen.
---@param params table<string, any>
---@param chosen pinion.Policy[]
---@param fail fun(name: string, reason: string)
function M.check_used(params, chosen, fail)
    local names, seen = parameter_names(chosen)
    for _, name in ipairs(check.sorted_keys(params)) do
        if not seen[name] then
            local who = #chosen == 1 and "policy '" .. chosen[1].name .. "' has" or "the chosen policies have"
            local which = #names == 0 and "none" or table.concat(names, ", ")
            fail(name, string.format("%s no such parameter (%s: %s)", who, #chosen == 1 and "it has" or "they have", which))
        end
    end
end

---The values of a policy's own parameters; those of others are ignored.
---@param policy pinion.Policy
---@param params table<string, any>|nil
---@param fail fun(name: string, reason: string)
---@return table<string, integer>|nil nil when nothing differs from the defaults
function M.values(policy, params, fail)
    local values, differs = {}, false
    for _, parameter in ipairs(policy.params) do
        local value = params and params[parameter.name]
        if value ~= nil then
            local checked, why = check.integer(value, parameter.low, parameter.high)
            if not checked then fail(parameter.name, why) end
            values[parameter.name] = checked
            differs = differs or checked ~= parameter.value
        end
    end
    return differs and values or nil
end

---Raises unless a policy exists and is defined in the mode.
---@param where string|nil the file that names it
function M.require(name, model, reduce, where)
    local policy, why = M.lookup(name, model)
    local defined = policy
    if policy then defined, why = M.defined(policy, reduce) end
    if not defined then fault.at(where, where and "policy", why) end
    return policy
end

return M
