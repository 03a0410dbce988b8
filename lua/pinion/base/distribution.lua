-- Distributions of sizes by name: exp(5), uniform(1,9), lognormal(10,4), … A bare number is a
-- constant. Here they are only described; the draws are made by the kernel, rounded up to integers
-- of at least 1. Sizes that are real numbers are read as factors are.

local check = require "pinion.base.check"
local quantity = require "pinion.base.quantity"
local suggest = require "pinion.base.suggest"

local M = {}

local SIZE_MAX = 2 ^ 53

-- Each argument: its name, its range, whether the lower end is excluded, whether it must be an
-- integer.
local KINDS = {
    exp = { { "mean", 0, SIZE_MAX, true } },
    uniform = { { "low", 1, SIZE_MAX, false, true }, { "high", 1, SIZE_MAX, false, true } },
    lognormal = { { "mean", 0, SIZE_MAX, true }, { "sd", 0, SIZE_MAX } },
    normal = { { "mean", 0, SIZE_MAX }, { "sd", 0, SIZE_MAX } },
    pareto = { { "shape", 0, 1000, true }, { "scale", 0, SIZE_MAX, true } },
    poisson = { { "mean", 0, 1e6 } },
    constant = { { "value", 0, SIZE_MAX, true } },
}

-- A distribution of factors differs in one kind: its bounds are real numbers, and 0 is one of them.
local FACTOR_KINDS = setmetatable({
    uniform = { { "low", 0, SIZE_MAX }, { "high", 0, SIZE_MAX } },
    constant = { { "value", 0, SIZE_MAX } },
}, { __index = KINDS })

local ALIASES = { exponential = "exp" }

local function names()
    return check.sorted_keys(KINDS)
end

local function signature(kind)
    local arguments = {}
    for i, argument in ipairs(KINDS[kind]) do arguments[i] = argument[1] end
    return kind .. "(" .. table.concat(arguments, ",") .. ")"
end

local function read_argument(text, argument)
    local name, low, high, open, integer = table.unpack(argument)
    local value, why
    if integer then
        value, why = quantity.integer(text, low, check.INTEGER_MAX)
    else
        value, why = quantity.number(text, low, high, open)
    end
    if not value then return nil, name .. " " .. why end
    return value
end

local function from_arguments(kind, arguments, kinds)
    local expected = kinds[kind]
    if #arguments ~= #expected then
        return nil, string.format("takes %d argument%s: %s", #expected, #expected == 1 and ""
            or "s", signature(kind))
    end
    local values = {}
    for i, argument in ipairs(expected) do
        local value, why = read_argument(arguments[i], argument)
        if not value then return nil, string.format("%s: %s", kind, why) end
        values[i] = value
    end
    if kind == "uniform" and values[1] > values[2] then
        return nil, "uniform: low must not be above high"
    end
    return { kind = kind, a = values[1], b = values[2] or 0 }
end

local function read(value, kinds)
    if type(value) == "table" and kinds[value.kind] then
        return from_arguments(value.kind, { value.a, #kinds[value.kind] == 2 and value.b or nil },
            kinds)
    end
    value = quantity.plain(value)
    if type(value) == "number" then return from_arguments("constant", { value }, kinds) end
    local name, inside = nil, nil
    if type(value) == "string" then name, inside = value:match("^%s*(%a+)%s*%((.*)%)%s*$") end
    if not name then
        return nil, "must be a distribution such as exp(5) or uniform(1,9), got "
            .. check.show(value)
    end
    local kind = ALIASES[name] or name
    if not kinds[kind] then
        return nil, string.format("unknown distribution '%s' %s", name, suggest.hint(name, names()))
    end
    local arguments = {}
    for piece in (inside .. ","):gmatch("%s*([^,]-)%s*,") do arguments[#arguments + 1] = piece end
    return from_arguments(kind, arguments, kinds)
end

---Reads a distribution of sizes: text such as "exp(5)", a number, or a table { kind =, a =, b = }
---as returned from here.
---@param value string|number|table
---@return table|nil distribution { kind =, a =, b = }, string|nil reason
function M.read(value)
    return read(value, KINDS)
end

---Reads a distribution of factors on sizes, or of sizes that are real numbers >= 0.
---@param value string|number|table
---@return table|nil distribution { kind =, a =, b =, text = }, string|nil reason
function M.read_factor(value)
    local factor, why = read(value, FACTOR_KINDS)
    if not factor then return nil, why end
    factor.text = M.text(factor)
    return factor
end

---@param distribution table { kind =, a =, b = }
---@return string as M.read reads it
function M.text(distribution)
    local values = {}
    for i in ipairs(KINDS[distribution.kind]) do
        local value = i == 1 and distribution.a or distribution.b
        values[i] = math.tointeger(value) and string.format("%d", math.tointeger(value))
            or check.float_text(value)
    end
    return distribution.kind .. "(" .. table.concat(values, ",") .. ")"
end

return M
