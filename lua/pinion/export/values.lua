---Expressions of C: what one is in Lua (`type`), how strongly it binds, and between which numbers
---it lies, so that arithmetic is plain where it cannot overflow.
local M = {}

---@class pinion.export.Value
---@field type string int, float, bool, job, cell, text, nil, view, params, state, per_job, cells, function
---@field c string
---@field binds integer
---@field low number|nil of an int
---@field high number|nil
---@field last string|nil of an int: what it is at most, in C
---@field index string|nil of an int: itself as one of 32 bits, which exists
---@field text string|nil a text that is known
---@field number number|nil a number that is known
---@field cell string|nil of a text: the number of the cell of that name
---@field kind string|nil of a text: the number of the kind of tasks of that name
---@field [string] any

M.ATOM, M.UNARY, M.PRODUCT, M.SUM, M.SHIFT, M.ORDER, M.EQUAL, M.BITS, M.AND, M.OR, M.TERNARY =
    100, 90, 80, 70, 60, 50, 45, 40, 30, 25, 20

M.SAFE = 2.0 ^ 62 -- sums and differences of two such integers do not wrap around
M.MOST = 2.0 ^ 53 -- amounts of the kernel, as pn_base.h has them

M.MAYBE = "integer or nil" -- integers from 0 on; in C those below 0 are nil

M.BOUND = "integer or math.huge" -- in C the largest and the smallest integer are infinite

M.C_TYPES = { int = "int64_t", float = "double", bool = "bool", job = "uint32_t",
    cell = "uint32_t", kind = "uint32_t", stage = "uint32_t", [M.MAYBE] = "int64_t",
    [M.BOUND] = "int64_t" }

---@return pinion.export.Value
function M.new(type, c, binds, more)
    local made = more or {}
    made.type, made.c, made.binds = type, c, binds or M.ATOM
    return made
end

function M.int(c, binds, low, high)
    return M.new("int", c, binds, { low = low or -math.huge, high = high or math.huge })
end

---Returns what is not there.
function M.none() return M.new("nil", "") end

---Returns an integer from 0 on, of any size.
function M.not_negative(c, binds) return M.int(c, binds, 0, math.huge) end

---Returns an amount that the kernel told.
function M.amount(c, binds) return M.int(c, binds, 0, M.MOST) end

---Returns whether a number of C is not 0.
function M.flag(c) return M.new("bool", c .. " != 0", M.EQUAL, { unless = c .. " == 0" }) end

---Returns a number of a node, or the like, that the kernel gave.
function M.index(name, count)
    local made = M.amount("(int64_t)" .. name, M.UNARY)
    made.index, made.last = name, "(int64_t)" .. count .. " - 1"
    return made
end

local NOT_FINITE = { [math.huge] = "INFINITY", [-math.huge] = "-INFINITY" }

---Returns the fewest digits that read back as the same double.
local function float_text(number)
    if NOT_FINITE[number] then return NOT_FINITE[number] end
    for digits = 1, 17 do
        local text = string.format("%." .. digits .. "g", number)
        if tonumber(text) == number then
            return text:find "[.e]" and text or text .. ".0"
        end
    end
    return tostring(number)
end

---Returns a number that is known.
function M.number(number)
    local is_int = math.type(number) == "integer"
    local c = is_int and string.format("%d", number) or float_text(number)
    if is_int and (number > 2147483647 or number < -2147483647) then
        c = number == math.mininteger and "INT64_MIN" or string.format("INT64_C(%d)", number)
    end
    return M.new(is_int and "int" or "float", c, number < 0 and M.UNARY or M.ATOM,
        { number = number, low = number, high = number })
end

---Returns math.huge, and its negative, as what a variable begins with that may hold integers.
function M.bound(value)
    local c = value.type == "float" and value.number
        and ({ [math.huge] = "INT64_MAX", [-math.huge] = "INT64_MIN" })[value.number]
    return c and M.new(M.BOUND, c, M.ATOM, { number = value.number }) or value
end

---Returns the C of a value as an operand that must bind at least so strongly.
function M.operand(value, binds)
    return value.binds >= binds and value.c or "(" .. value.c .. ")"
end

---Returns a value as an expression of C of that type; nil: it is none.
function M.convert(value, type)
    if value.type == type then return value.c end
    if type == "job" and value.number == 0 then return "PN_NO_JOB" end
    if type == "float" and value.type == "int" then
        if value.number then return M.number(value.number + 0.0).c end
        return "(double)" .. M.operand(value, M.UNARY)
    elseif type == "job" and value.type == "nil" then
        return "PN_NO_JOB"
    elseif type == "bool" and value.type == "nil" then
        return "false"
    elseif type == M.MAYBE and value.type == "nil" then
        return "-1"
    elseif type == M.BOUND and value.type == "int" then
        return value.c
    elseif type == "float" and value.type == M.BOUND and value.number then
        return M.number(value.number).c
    elseif type == M.MAYBE and value.type == "int" and value.low >= 0 then
        return value.c
    elseif (type == "cell" or type == "kind") and value[type] then
        return value[type]
    end
    return nil
end

---Returns the type that holds values of both; nil: there is none.
function M.join(a, b)
    if a == b or not a or a == "nil" then return b end
    if b == "nil" then return a end
    if (a == "int" and b == "float") or (a == "float" and b == "int") then return "float" end
    for _, wide in ipairs { M.MAYBE, M.BOUND } do
        if (a == "int" and b == wide) or (a == wide and b == "int") then return wide end
    end
    if (a == "float" and b == M.BOUND) or (a == M.BOUND and b == "float") then return "float" end
    for _, of_text in ipairs { "cell", "kind" } do
        if (a == "text" and b == of_text) or (a == of_text and b == "text") then return of_text end
    end
    return nil
end

local function is_safe(low, high) return low >= -M.SAFE and high <= M.SAFE end

-- By sign: the result of two numbers, and between which numbers it lies; floats, as sums and
-- products of integers would wrap around.
local COMPUTE = {
    ["+"] = function(a, b) return a + b end,
    ["-"] = function(a, b) return a - b end,
    ["*"] = function(a, b) return a * b end,
}
local RANGES = {
    ["+"] = function(a, b) return 0.0 + a.low + b.low, 0.0 + a.high + b.high end,
    ["-"] = function(a, b) return 0.0 + a.low - b.high, 0.0 + a.high - b.low end,
    ["*"] = function(a, b)
        local low, high = 1.0 * a.low, 1.0 * a.high
        local ends = { low * b.low, low * b.high, high * b.low, high * b.high }
        for _, one in ipairs(ends) do if one ~= one then return -math.huge, math.huge end end
        return math.min(table.unpack(ends)), math.max(table.unpack(ends))
    end,
}
local NAMES = { ["+"] = "add", ["-"] = "subtract", ["*"] = "multiply" }

---Returns an integer as one of C without a sign, of that type.
function M.unsigned(value, c_type)
    local bare = value.c:match "^%(int64_t%)([%w_]+%b())$" or value.c:match "^saturated(%b())$"
        or value.c:match "^%(int64_t%)([%w_]+)$"
    return "(" .. c_type .. ")" .. (bare or M.operand(value, M.UNARY))
end

---Adds, subtracts or multiplies integers, by a function where they may wrap around.
function M.calculate(sign, a, b)
    if a.number and b.number then return M.number(COMPUTE[sign](a.number, b.number)) end
    local low, high = RANGES[sign](a, b)
    local binds = sign == "*" and M.PRODUCT or M.SUM
    local is_less = sign == "-" and b.low >= 0 and low >= -M.SAFE -- it cannot be too large
    if is_safe(low, high) or is_less then
        return M.int(M.operand(a, binds) .. " " .. sign .. " " .. M.operand(b, binds + 1), binds,
            low, high)
    end
    return M.int(string.format("%s(%s, %s)", NAMES[sign], a.c, b.c))
end

---Divides integers, down.
function M.divide(sign, a, b)
    if b.number and b.number > 0 and a.low >= 0 then
        local c_sign = sign == "//" and "/" or "%"
        return M.int(M.operand(a, M.PRODUCT) .. " " .. c_sign .. " " .. M.operand(b, M.UNARY),
            M.PRODUCT, 0, sign == "//" and a.high or b.number - 1)
    end
    local name = sign == "//" and "quotient" or "rest"
    return M.int(string.format("%s(view, %s, %s)", name, a.c, b.c), M.ATOM,
        sign == "%" and b.low > 0 and 0 or nil, sign == "%" and b.low > 0 and b.high or nil)
end

return M
