-- Ranges of numbers as people write them: 5..160, 10..100:10 (a step), 1..1000:log5 (so many values
-- in equal ratios). Decimals are exact: 0.1..0.9:0.1 has 0.3.

local check = require "pinion.base.check"

local M = {}

-- Splits a decimal into an integer and the number of digits behind its point; nil: it is none.
local function decimal(text)
    local sign, whole, part = text:match "^(-?)(%d+)%.?(%d*)$"
    if not whole or #whole + #part > 15 then return nil end
    return math.tointeger(tonumber(sign .. whole .. part)), #part
end

-- Returns the ratio of integers as a double, or as an integer where no decimal was written.
local function value_of(number, digits)
    return digits == 0 and number or number / 10 ^ digits
end

local function scaled(text, digits)
    local number, own = decimal(text)
    return number * math.tointeger(10 ^ (digits - own))
end

local function linear(first, last, step, most)
    local _, a = decimal(first)
    local _, b = decimal(last)
    local _, c = decimal(step)
    local digits = math.max(a, b, c)
    local from, to, by = scaled(first, digits), scaled(last, digits), scaled(step, digits)
    if by <= 0 then return nil, "the step must be above 0" end
    if (to - from) // by >= most then
        return nil, string.format("has more than %d values", most)
    end
    local values = {}
    for number = from, to, by do values[#values + 1] = value_of(number, digits) end
    return values
end

local function logarithmic(first, last, count, most)
    local low, high = tonumber(first), tonumber(last)
    if low <= 0 then return nil, "equal ratios need values above 0" end
    if count < 2 or count > most then
        return nil, string.format("must have 2 to %d values", most)
    end
    local _, a = decimal(first)
    local _, b = decimal(last)
    local values = {}
    for i = 0, count - 1 do
        local value = low * (high / low) ^ (i / (count - 1))
        if a + b == 0 then
            value = math.floor(value + 0.5)
        else
            value = tonumber(string.format("%.6g", value)) + 0.0 -- the same in every C library
        end
        if value ~= values[#values] then values[#values + 1] = value end
    end
    return values
end

---Returns the values of a range; nil and the reason of a wrong one, nil alone of any other value.
---@param text any
---@param most integer values
---@return number[]|nil values, string|nil reason
function M.read(text, most)
    if type(text) ~= "string" then return nil end
    local first, last, rest = text:match "^%s*(-?%d+%.?%d*)%.%.(-?%d+%.?%d*)(.-)%s*$"
    if not first then return nil end
    local step, count = rest:match "^:(%d+%.?%d*)$", rest:match "^:log(%d+)$"
    if rest == "" then step = "1" end
    if not (step or count) or not decimal(first) or not decimal(last)
            or step and not decimal(step) then
        return nil, "must be FIRST..LAST, FIRST..LAST:STEP or FIRST..LAST:logCOUNT, got "
            .. check.show(text)
    end
    if tonumber(first) > tonumber(last) then return nil, "has no value: " .. check.show(text) end
    local values, why
    if count then
        values, why = logarithmic(first, last, tonumber(count), most)
    else
        values, why = linear(first, last, step, most)
    end
    return values, why and why .. ", got " .. check.show(text)
end

---Returns the values of a list, with those of ranges in their place.
---@param list any[]
---@param most integer values of a range
---@return any[]|nil values, string|nil reason
function M.spread(list, most)
    local values = {}
    for _, value in ipairs(list) do
        local range, why = M.read(value, most)
        if why then return nil, why end
        table.move(range or { value }, 1, range and #range or 1, #values + 1, values)
    end
    return values
end

return M
