-- Parameters of policies: the check of a value, and of names among those of several policies.

local check = require "pinion.base.check"
local core = require "pinion.core"

local M = {}

---Collects parameters by name over a list of policies: the names in order of appearance, and all
---parameters of each.
---@param list pinion.Policy[]
---@return string[] names, table<string, pinion.PolicyParameter[]> known
function M.collect(list)
    local names, known = {}, {}
    for _, policy in ipairs(list) do
        for _, parameter in ipairs(policy.params) do
            local name = parameter.name
            if not known[name] then names[#names + 1], known[name] = name, {} end
            table.insert(known[name], parameter)
        end
    end
    return names, known
end

---@param choices (boolean|string)[]
---@return boolean|string|nil value, string|nil reason
local function choice(value, choices)
    if type(choices[1]) ~= "boolean" then return check.choice(value, choices) end
    if value == "true" then return true end
    if value == "false" then return false end
    return check.boolean(value)
end

-- Checks an integer; of a parameter of the user's own the reason says how it would be a real
-- number.
local function integer(parameter, value, low, high)
    local checked, why = check.integer(value, low, high)
    if not checked and parameter.automatic then
        why = why:gsub("^must be ", "must be " .. parameter.automatic .. " or ")
    elseif not checked and parameter.scripted and math.type(value) == "float" then
        why = string.format("%s (default = %.1f in the policy allows real numbers)", why,
            parameter.value)
    end
    return checked, why
end

---Checks a parameter's value.
---@param parameter pinion.PolicyParameter
---@return number|boolean|string|table|nil value, string|nil reason
function M.value(parameter, value)
    if value == parameter.automatic or parameter.null and value == core.null then return value end
    if parameter.read then return parameter.read(value) end
    if parameter.choices then return choice(value, parameter.choices) end
    if not parameter.float then return integer(parameter, value, parameter.low, parameter.high) end
    local number, why = check.number(value, parameter.low, parameter.high)
    if number and math.abs(number) == math.huge then
        return nil, "must be finite, got " .. check.show(value)
    end
    return number and number + 0.0, why
end

-- Says what is wrong with a parameter, with the path of the element that it is about.
local function fail_at(parameter, why, fail)
    local path, reason = (parameter.path and why or ""):match("^([%[.][^:]*): (.*)$")
    if parameter.path and not path then reason = why:match("^: (.*)$") end
    fail(parameter.name .. (path or ""), reason or why)
end

-- Returns whether a value is in the range of any of the parameters of one name; nil and the reason
-- of the last otherwise.
local function is_in_some(known, value)
    local reason
    for _, parameter in ipairs(known) do
        local checked, why = M.value(parameter, value)
        if checked ~= nil then return true end
        reason = why
    end
    return nil, reason
end

-- Returns whether any of the parameters of one name could be of this kind of value; nil and the
-- reason of the first otherwise.
local function fits_some(known, value)
    local reason
    for _, parameter in ipairs(known) do
        local checked, why
        if parameter.read or parameter.choices or parameter.automatic or parameter.null then
            checked, why = M.value(parameter, value)
        elseif parameter.float then
            checked, why = check.number(value, -math.huge, math.huge)
        else
            checked, why = integer(parameter, value, -check.INTEGER_MAX, check.INTEGER_MAX)
        end
        if checked ~= nil then return true end
        reason = parameter.float and why or reason or why
    end
    return nil, reason
end

---Checks that every name belongs to one of the policies, and that its value is of its kind and in
---some policy's range. The range of the policy that runs is checked by M.values.
---@param params table<string, any>
---@param list pinion.Policy[]
---@param hint fun(name: string, names: string[]): string what is said behind an unknown name
---@param fail fun(name: string, reason: string)
function M.check_known(params, list, hint, fail)
    local names, known = M.collect(list)
    for _, name in ipairs(check.sorted_keys(params)) do
        if not known[name] then
            fail(check.key_text(name), "unknown parameter " .. hint(tostring(name), names))
        end
        local fits, why = fits_some(known[name], params[name])
        if fits then fits, why = is_in_some(known[name], params[name]) end
        if not fits then fail_at(known[name][1], why, fail) end
    end
end

---Checks that every name in `params` belongs to one of the policies chosen.
---@param params table<string, any>
---@param chosen pinion.Policy[]
---@param fail fun(name: string, reason: string)
function M.check_used(params, chosen, fail)
    local names, known = M.collect(chosen)
    for _, name in ipairs(check.sorted_keys(params)) do
        if not known[name] then
            local who = #chosen == 1 and "policy '" .. chosen[1].label .. "' has"
                or "the chosen policies have"
            local which = #names == 0 and "none" or table.concat(names, ", ")
            fail(name, string.format("%s no such parameter (%s: %s)", who,
                #chosen == 1 and "it has" or "they have", which))
        end
    end
end

---Returns the values of a policy's own parameters, those of a variant before those that are given
---for all; those of others are ignored.
---@param policy pinion.Policy
---@param params table<string, any>|nil
---@param fail fun(name: string, reason: string)
---@return table<string, any>|nil nil when nothing differs from the defaults
function M.values(policy, params, fail)
    local values, differs = {}, false
    for _, parameter in ipairs(policy.params) do
        local value = policy.given and policy.given[parameter.name]
        if value == nil then value = params and params[parameter.name] end
        if value ~= nil then
            local checked, why = M.value(parameter, value)
            if checked == nil then fail_at(parameter, why, fail) end
            values[parameter.name] = checked
            differs = differs or checked ~= parameter.value
        end
    end
    return differs and values or nil
end

return M
