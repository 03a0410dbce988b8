-- Exact numbers where a model reads them: 3, 0.1 (which means 1/10), "107/3", "0.1", or a value of
-- pinion.exact.

local check = require "pinion.base.check"
local core = require "pinion.core"

local M = {}

---Largest numerator, and largest sum, that the kernel takes.
M.MOST = 1 << 62

---Largest denominator.
M.DEN_MOST = 1 << 53

local DIGITS =
    "must have at most 15 significant digits, all that a double keeps (text is read exactly: "
    .. "\"1/3\"), got "

local TINY = "is too small for a double (text is read exactly: \"1/3\")"

local REASONS = {
    none = "must be a number >= 0 or a ratio of integers such as \"107/3\", got ",
    negative = "must be >= 0, got ",
    large = "is too large to be exact (expected at most 2^62): ",
    fine = "is too fine to be exact (expected a fraction with a denominator of at most 2^53): ",
    rounded = DIGITS,
}

local function show(value)
    return type(value) == "userdata" and value ~= core.null and tostring(value) or check.show(value)
end

-- Writes a value of pinion.exact, which says what it is.
local function plain(value)
    if type(value) ~= "userdata" then return value end
    return tostring(value):match("^%-?%d+/?%d*$")
end

---Reads a number >= 0 in lowest terms.
---@param value any
---@param inexact table<number, integer>|nil floats that a file gives by longer literals, with their lines (core.json_decode)
---@return integer|nil numerator, integer|string denominator or the reason
function M.read(value, inexact)
    if inexact and math.type(value) == "float" and inexact[value] then
        if value == 0 then return nil, string.format("%s (line %d)", TINY, inexact[value]) end
        return nil, string.format("%sa longer one near %s (line %d)", DIGITS, show(value),
            inexact[value])
    end
    local num, den = core.read_exact(plain(value))
    if not num then return nil, REASONS[den] .. show(value) end
    if num < 0 then return nil, REASONS.negative .. show(value) end
    if num > M.MOST then return nil, REASONS.large .. show(value) end
    if den > M.DEN_MOST then return nil, REASONS.fine .. show(value) end
    return num, den
end

---@param num integer
---@param den integer
---@return integer|string as a scenario file has it
function M.value(num, den)
    if den == 1 then return num end
    return string.format("%d/%d", num, den)
end

return M
