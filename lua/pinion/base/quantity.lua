-- Numbers as people write them: 500, 2e3, 128MiB, 1/100. Numbers of Lua pass through the same
-- checks. Ratios come out exact, as two integers, because sizes scaled by them must not depend on
-- rounding.

local check = require "pinion.base.check"

local M = {}

local SUFFIXES = { [""] = 1, B = 1, KiB = 1 << 10, MiB = 1 << 20, GiB = 1 << 30, TiB = 1 << 40,
                   kB = 1000, KB = 1000, MB = 1000000, GB = 1000000000, TB = 1000000000000 }
local RATIO_MAX = 1000000000

-- Times and sizes that are real numbers are 0 or within these.
local AMOUNT_LEAST, AMOUNT_MOST = 2.0 ^ -256, 2.0 ^ 256

-- Reads decimal notation only: Lua would also read "0x10", "inf" and blanks.
local function decimal(text)
    if text:find("^%d+$") or text:find("^[+-]?%d*%.?%d*[eE]?[+-]?%d*$") and text:find("%d") then
        return tonumber(text)
    end
    return nil
end

---Returns the number a text stands for, or the value itself when it is none.
function M.plain(value)
    if type(value) ~= "string" then return value end
    return decimal(value) or value
end

---Reads a field of a scenario that is given as text likewise: also true and false.
function M.literal(value)
    if value == "true" then return true end
    if value == "false" then return false end
    return M.plain(value)
end

---@return integer|nil value, string|nil reason
function M.integer(value, low, high)
    return check.integer(M.plain(value), low, high)
end

---@return number|nil value, string|nil reason
function M.number(value, low, high, open)
    return check.number(M.plain(value), low, high, open)
end

---Reads bytes: an integer, or a number with a suffix such as MiB (2^20) or MB (10^6).
---@return integer|nil bytes, string|nil reason
function M.bytes(value)
    local number = value
    if type(value) == "string" then
        local digits, suffix = value:match("^([%d.]+)%s*(%a*)$")
        local factor = SUFFIXES[suffix or "?"]
        number = digits and factor and decimal(digits)
        if number then number = number * factor end
    end
    local bytes = check.integer(number or value, 1, check.INTEGER_MAX)
    if bytes then return bytes end
    return nil, "must be a number of bytes >= 1 such as 134217728 or 128MiB, got "
        .. check.show(value)
end

local MS = { ms = 1, s = 1000, min = 60000, h = 3600000, d = 86400000 }

---@class pinion.Time
---@field number number > 0
---@field unit string as it was written; "": none
---@field ms number|nil the same in ms, where the unit is one of a clock

---Reads a time > 0: a number, or one with a unit such as 90min, 1h or 500slots.
---@return pinion.Time|nil time, string|nil reason
function M.time(value)
    local digits, unit = tostring(value):match "^%s*([%d.]+)%s*(%a*)%s*$"
    local number = digits and decimal(digits)
    if number and number > 0 and number <= check.INTEGER_MAX then
        return { number = number, unit = unit, ms = MS[unit] and number * MS[unit] }
    end
    return nil, "must be a time > 0 such as 500, 90min or 1h, got " .. check.show(value)
end

-- Returns a ratio of integers that doubles hold exactly: the quotient is then the double nearest to
-- it.
local function quotient(text)
    local num, den = text:match("^([+-]?%d+)/(%d+)$")
    num, den = tonumber(num), tonumber(den)
    if num and den ~= 0 and math.abs(num) <= check.INTEGER_MAX and den <= check.INTEGER_MAX then
        return num / den
    end
    return nil
end

---Reads a time or size that is a real number: a finite number >= 0, or text such as "107/3".
---@return number|nil amount a float, string|nil reason
function M.amount(value)
    local number = value
    if type(value) == "string" then number = quotient(value) end
    if type(number) ~= "number" then
        return nil, 'must be a number >= 0 or a ratio of integers <= 2^53 such as "107/3", got '
            .. check.show(value)
    end
    if number == 0 then return 0.0 end
    if number >= AMOUNT_LEAST and number <= AMOUNT_MOST then return number + 0.0 end
    return nil, string.format("must be %s, got %s", number < 0 and "a number >= 0"
        or "0 or a number in 2^-256..2^256", check.show(value))
end

local function reduced(num, den)
    local a, b = num, den
    while b > 0 do a, b = b, a % b end
    return num // a, den // a
end

-- Returns the fraction with the smallest denominator that is this very double, by continued
-- fractions: 1/3 in Lua means 1/3.
local function fraction_of(x)
    local p0, q0, p1, q1 = 0, 1, 1, 0
    local rest = x
    while true do
        local whole = math.floor(rest)
        if whole > RATIO_MAX then return nil end
        p0, q0, p1, q1 = p1, q1, whole * p1 + p0, whole * q1 + q0
        if p1 > RATIO_MAX or q1 > RATIO_MAX then return nil end
        if p1 / q1 == x then return math.tointeger(p1), math.tointeger(q1) end
        rest = 1 / (rest - whole)
    end
end

local function ratio_of_text(text)
    local num, den = text:match("^(%d+)/(%d+)$")
    if num then return math.tointeger(tonumber(num)), math.tointeger(tonumber(den)) end
    local whole, part = text:match("^(%d*)%.?(%d*)$")
    if not whole or #whole + #part == 0 or #whole > 10 or #part > 9 then return nil end
    return math.tointeger(tonumber(whole .. part)), math.tointeger(10 ^ #part)
end

---Reads a ratio > 0 such as "1/100", "0.01", 0.01 or 3, in lowest terms.
---@return integer[]|nil ratio numerator and denominator, string|nil reason
function M.ratio(value)
    local num, den
    if type(value) == "string" then
        num, den = ratio_of_text(value)
    elseif type(value) == "number" and value > 0 and value <= RATIO_MAX then
        num, den = fraction_of(value)
    end
    if num and den and num > 0 and den > 0 then
        num, den = reduced(num, den)
        if num <= RATIO_MAX and den <= RATIO_MAX then return { num, den } end
    end
    return nil, string.format("must be a ratio > 0 of integers <= %d such as 1/100 or 0.01, got %s",
        RATIO_MAX, check.show(value))
end

return M
