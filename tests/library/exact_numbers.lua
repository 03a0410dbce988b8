-- Numbers that are read exactly: integers, decimals, ratios, values of pinion.exact; and literals
-- that a double does not keep.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local exact = require "pinion.base.exact"
local pinion = require "pinion"

local function text_of(value, inexact)
    local num, den = exact.read(value, inexact)
    return num and string.format("%d/%d", num, den) or den
end

for _, case in ipairs {
    { 7, "7/1" }, { 0, "0/1" }, { 1 << 62, "4611686018427387904/1" }, { 0.1, "1/10" },
    { 0.125, "1/8" }, { 1e15, "1000000000000000/1" },
    { 2.0 ^ 53, "9007199254740992/1" }, { 123456.789012345, "24691357802469/200000000" },
    { -0.0, "0/1" }, { 5e-5, "1/20000" },
    { "107/3", "107/3" }, { "6/4", "3/2" }, { "0/7", "0/1" }, { "+3/2", "3/2" },
    { "4611686018427387904", "4611686018427387904/1" },
    { "0.1", "1/10" }, { "12.50", "25/2" }, { ".5", "1/2" }, { "5.", "5/1" }, { "1e3", "1000/1" },
    { "1.5E-3", "3/2000" },
    { "2500e-2", "25/1" }, { "000.000", "0/1" }, { "0e999999999999", "0/1" },
    { "0.0000000000000524288", "1/19073486328125" },
    { "1.0000000000000000000000000000", "1/1" }, { "100000000000000000000000e-23", "1/1" },
    { "0.12345678901234567e17", "12345678901234567/1" },
    { "-0", "0/1" }, { "-0/5", "0/1" },
    { pinion.exact "107/3", "107/3" }, { pinion.exact(4), "4/1" }, { pinion.exact(0.1), "1/10" },
} do
    check.equal(tostring(case[1]), text_of(case[1]), case[2])
end

local NO_NUMBER = 'must be a number >= 0 or a ratio of integers such as "107/3", got '
for _, case in ipairs {
    { "", NO_NUMBER .. "''" }, { "x", NO_NUMBER .. "'x'" }, { "1/", NO_NUMBER },
    { "/2", NO_NUMBER }, { "1/0", NO_NUMBER }, { "1/2/3", NO_NUMBER },
    { "1.5/2", NO_NUMBER }, { " 1", NO_NUMBER }, { "1 ", NO_NUMBER }, { "1e", NO_NUMBER },
    { "1e+", NO_NUMBER }, { "e5", NO_NUMBER },
    { ".", NO_NUMBER }, { "1.2.3", NO_NUMBER }, { "0x10", NO_NUMBER }, { "inf", NO_NUMBER },
    { "--1", NO_NUMBER }, { "1/-2", NO_NUMBER },
    { "1\0", NO_NUMBER }, { true, NO_NUMBER .. "true" }, { {}, NO_NUMBER .. "an object" },
    { core.null, NO_NUMBER .. "null" },
    { math.huge, NO_NUMBER .. "Infinity" }, { 0 / 0, NO_NUMBER .. "NaN" }, { io.stdout, NO_NUMBER },
    { -1, "must be >= 0, got -1" }, { -0.5, "must be >= 0, got -0.5" },
    { "-1/2", "must be >= 0, got '-1/2'" },
    { pinion.exact "-1/2", "must be >= 0, got -1/2" },
    { (1 << 62) + 1, "is too large to be exact (expected at most 2^62): 4611686018427387905" },
    { "1e19", "is too large" },
    { 1e19, "is too large" }, { "99999999999999999999", "is too large" },
    { "99999999999999999999/3", "is too large" },
    { "1e999999999", "is too large" },
    { "1e-19", "is too fine to be exact (expected a fraction with a denominator of at most "
        .. "2^53): '1e-19'" },
    { "1/9007199254740993", "is too fine" }, { "1/99999999999999999999", "is too fine" },
    { "1e-999999999", "is too fine" },
    { 1e-300, "is too fine" }, { 5e-324, "is too fine" },
    { "0.1234567890123456789012", "is too fine" },
    { 0.1 + 0.2, "must have at most 15 significant digits, all that a double keeps (text is "
        .. "read exactly: \"1/3\"), got 0.30000000000000004" },
    { 1 / 3, "must have at most 15 significant digits" },
    { 2.0 ^ 60, "must have at most 15 significant digits" },
    { -1e300, "is too large to be exact (expected at most 2^62): -1e+300" },
    { "1000000000000000000000000000000000001", "is too large" },
    { "0.1000000000000000000000000000000000001", "is too fine" },
} do
    check.contains(tostring(case[1]), text_of(case[1]), case[2])
end

-- The least numerator has no positive counterpart.
for _, text in ipairs { "-9223372036854775808", "-9223372036854775808.0", "-9223372036854775808/1",
        "-922337203685477580.8e1", "-9223372036854775808/3" } do
    check.equal(text, tostring(pinion.exact(text)), text:find "/3" and text
        or "-9223372036854775808")
end
check.equal("in lowest terms", tostring(pinion.exact "-9223372036854775808/4"),
    "-2305843009213693952")
check.equal("as Lua has it", tostring(pinion.exact(math.mininteger)), "-9223372036854775808")
for _, text in ipairs { "-9223372036854775809", "9223372036854775808", "9223372036854775808/2",
        "-92233720368547758080e-1/1", "1/9223372036854775808" } do
    check.raises(text, "exact: expected", pinion.exact, text)
end
for _, text in ipairs { "", "-", "+", "/", "-/", "1/", "/2", "1/0", "-1/0x", "1/2/", "1/2 " } do
    check.raises("'" .. text .. "'", "exact: expected", pinion.exact, text)
end
for _, value in ipairs { {}, true, io.stdout, print } do
    local name = "a " .. type(value)
    local message = "attempt to concatenate " .. name .. " value"
    check.raises(name .. " behind", message, function() return pinion.exact(1) .. value end)
    check.raises(name .. " in front", message, function() return value .. pinion.exact(1) end)
    check.equal(name .. " is no number", pinion.exact(1) == value, false)
    check.equal("no number is " .. name, value == pinion.exact(1), false)
end
check.raises("all digits", "got 0.12345678901234566", pinion.exact, 0.12345678901234566)
check.raises("as few as will do", "got 0.30000000000000004", pinion.exact, 0.1 + 0.2)

-- Every decimal number of at most 15 digits comes back from its double.
math.randomseed(1)
for _ = 1, 20000 do
    local digits, places = math.random(1, 15), math.random(0, 15)
    local number = math.random(0, math.tointeger(10 ^ digits) - 1)
    local text = string.format("%de-%d", number, places)
    check.equal(text, text_of(tonumber(text)), text_of(text))
    local fraction = string.format("%d/%d", number, math.tointeger(10 ^ places))
    check.equal(text, text_of(text), text_of(fraction))
end

-- ---- literals of JSON ---------------------------------------------------------------------------

local function decoded(text)
    local value, why, inexact = core.json_decode(text, "t.json")
    check.equal("no message for " .. text, why, nil)
    return value, inexact
end

for _, text in ipairs { "0.1", "1.50000000000000000000000", "3.00000000000000000000",
    "123456789012345e-3", "1E5", "0.0", "-0.0e-999",
                        "1234567890123456789", '"0.10000000000000000555"' } do
    check.equal("plain: " .. text, select(2, decoded("[" .. text .. "]")), nil)
end
for _, text in ipairs { "0.10000000000000000555", "0.09999999999999999999", "3.0000000000000000001",
    "9007199254740993.0",
                        "90071992547409930e-1", "-0.10000000000000000555" } do
    local value, inexact = decoded("[1,\n" .. text .. "]")
    check.equal("line of " .. text, inexact and inexact[value[2]], 2)
    check.contains("refused: " .. text, text_of(value[2], inexact),
        "must have at most 15 significant digits, all that a double keeps (text is read exactly: "
        .. "\"1/3\"), got a longer one near ")
    check.equal("the integer beside it", text_of(value[1], inexact), "1/1")
end
for _, text in ipairs { "1e-400", "0.00000000000000001e-400", "-1e-400" } do
    local value, inexact = decoded("[1,\n" .. text .. "]")
    check.equal("refused: " .. text, text_of(value[2], inexact),
        'is too small for a double (text is read exactly: "1/3") (line 2)')
end
-- A double that no short literal is read as needs no mark: it says so itself.
local third, marks = decoded "[0.3333333333333333, 0.30000000000000004]"
check.equal("no marks", marks, nil)
check.contains("a third", text_of(third[1], marks), "must have at most 15 significant digits")
-- Neither do numbers inside strings, or behind escaped quotes.
check.equal("in a string",
    select(2, decoded [[{"a\" 0.10000000000000000555": "\\", "b": "0.10000000000000000555"}]]), nil)
check.equal("behind a string", select(2, decoded [[{"a\\": 0.10000000000000000555}]])[0.1], 1)

check.done()
