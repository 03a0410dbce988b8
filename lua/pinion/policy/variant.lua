-- Variants: a policy with values for some of its parameters. A reference to one is
--   "mlfq.lua:quantum=20:boost=2"            on the command line and in files
--   { "mlfq.lua", quantum = 20, boost = 2 }  in scripts
-- and `as` says what results call it.

local check = require "pinion.base.check"
local quantity = require "pinion.base.quantity"

local M = {}

---@class pinion.Variant
---@field of string|pinion.PolicyText the policy
---@field given table<string, any> values by parameter, as they were given
---@field names string[] of the parameters, in the order in which they were given; of a table, sorted
---@field as string|nil
---@field text boolean|nil true: the values are texts

-- Reads NAME=VALUE:NAME=VALUE; nil and the reason when a name stands there twice.
local function read_pairs(variant, text)
    while text do
        local name, rest = text:match "^([%a_][%w_]*)=(.*)$"
        local value, more = rest:match "^(.-):([%a_][%w_]*=.*)$"
        value, text = value or rest, more
        if name == "as" and not variant.as then
            variant.as = value
        elseif name == "as" or variant.given[name] ~= nil then
            return nil, string.format("%s is given twice", name)
        else
            variant.given[name] = quantity.plain(value)
            variant.names[#variant.names + 1] = name
        end
    end
    return variant
end

local function read_text(reference)
    local of, rest = reference:match "^([^\n]-):([%a_][%w_]*=.*)$"
    if of then return read_pairs({ of = of, given = {}, names = {}, text = true }, rest) end
end

local function read_table(reference)
    local variant = { of = reference[1], given = {}, names = {}, as = reference.as }
    for _, name in ipairs(check.sorted_keys(reference)) do
        if type(name) == "string" and name ~= "as" then
            variant.given[name], variant.names[#variant.names + 1] = reference[name], name
        elseif name ~= 1 and name ~= "as" then
            return nil, "must be { NAME, parameter = value }, got " .. check.key_text(name)
                .. " beside the name"
        end
    end
    return variant
end

---Reads a reference to a variant; nil of any other one, and the reason when it is a wrong one.
---@param reference any
---@return pinion.Variant|nil variant, string|nil reason
function M.read(reference)
    local variant, why
    if type(reference) == "string" then
        variant, why = read_text(reference)
    elseif type(reference) == "table" and not getmetatable(reference) and reference[1] ~= nil then
        variant, why = read_table(reference)
    end
    if variant and variant.as ~= nil then
        local label = check.text(variant.as)
        if not label or label:find "^%s*$" or label:find "%c" then
            return nil, "as: must be what results call the policy, got " .. check.show(variant.as)
        end
    end
    return variant, why
end

---Returns the reference to a policy with these values besides those that its reference has.
---@param reference any
---@param values table<string, any>
---@param as string|nil
---@return table
function M.with(reference, values, as)
    local variant = M.read(reference)
    local made = { variant and variant.of or reference, as = as }
    for name, value in next, variant and variant.given or {} do made[name] = value end
    for name, value in next, values do made[name] = value end
    return made
end

---Returns the text of a reference, as the command line has it.
---@param reference any of a name or a file
---@return string
function M.text(reference)
    local variant = M.read(reference)
    if not variant then return tostring(reference) end
    return M.label(variant, tostring(variant.of))
end

---Returns the policy that a reference is a variant of; of any other reference, itself.
---@param reference any
---@return any
function M.base(reference)
    local variant = M.read(reference)
    return variant and variant.of or reference
end

---Returns what results call a variant of the policy of this label.
---@param variant pinion.Variant
---@param label string
---@return string
function M.label(variant, label)
    if variant.as then return variant.as end
    local words = { label }
    for i, name in ipairs(variant.names) do
        words[i + 1] = name .. "=" .. tostring(variant.given[name])
    end
    return table.concat(words, ":")
end

return M
