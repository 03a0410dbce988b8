-- Values as lines of JSON and back: what was written is read as it was, and no other text does any
-- harm. The seed is printed; PINION_TEST_SEED repeats a run.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
math.randomseed(seed)
print(string.format("seed %d (PINION_TEST_SEED=%d repeats it)", seed, seed))
local random = math.random

local VALUES <const>, MUTANTS <const> = 3000, 30
local DEPTH <const> = 64

-- ---- the same value -----------------------------------------------------------------------------

-- Whether both are the same to the last bit, kinds of numbers and signs of zeros included.
local function same(a, b)
    if type(a) ~= "table" then
        return math.type(a) == math.type(b) and a == b and (a ~= 0 or 1 / a == 1 / b)
    end
    if type(b) ~= "table" then return false end
    for key, value in next, a do
        if not same(value, b[key]) then return false end
    end
    for key in next, b do
        if a[key] == nil then return false end
    end
    return true
end

local function comes_back(name, value)
    local text = core.json_encode(value)
    local read = core.json_read(text)
    check.is_true(name .. " comes back: " .. text:sub(1, 100), same(value, read))
    check.equal(name .. " is written as it was", core.json_encode(read), text)
    check.equal(name .. " is one line", text:find "[\0-\31\127]", nil)
    return text
end

local NUMBERS = { 0, -0.0, 0.0, 1, -1, math.maxinteger, math.mininteger, math.maxinteger - 1,
    999999999999999999, 1000000000000000000, -999999999999999999, 2 ^ 53, 2.0 ^ 53 + 2, 1 << 53,
    1e15, -1e15, 1e15 - 1, 0.1, 1 / 3, 1e-300, 5e-324, 2.2250738585072014e-308,
    1.7976931348623157e308, 1e21, 123456789012345680.0 }
for _, number in ipairs(NUMBERS) do
    comes_back("a number", number)
    comes_back("its negative", -number)
    comes_back("a list of it", { number, number })
end
for byte = 0, 127 do comes_back("a character", "a" .. string.char(byte) .. "b") end
for _, code in ipairs { 0x80, 0xA0, 0xFF, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000,
    0x10FFFF } do
    comes_back("a code point", utf8.char(code))
end
comes_back("an empty table", {})
comes_back("a name", { [""] = 1, ["a\"\\\n"] = { [utf8.char(0x1F600)] = {} } })
comes_back("null", { core.null, a = nil })
check.equal("what is no UTF-8 becomes one", core.json_read(core.json_encode "a\xffb"),
    "a" .. utf8.char(0xFFFD) .. "b")
check.equal("what is not finite becomes null", core.json_encode { 1 / 0, 0 / 0 }, "[null,null]")

-- Tables in tables, as lists and as records.
local function nested(depth, name)
    local value = 1
    for _ = 1, depth do value = { [name] = value } end
    return value
end
for _, name in ipairs { 1, "a" } do
    comes_back("the deepest table", nested(DEPTH, name))
    check.raises("a deeper one", "a value nests too deeply", core.json_encode,
        nested(DEPTH + 1, name))
    local text = core.json_encode(nested(DEPTH, name))
    check.equal("a deeper one is not read", core.json_read("[" .. text .. "]"), nil)
end
check.equal("nor one without an end", core.json_read(("["):rep(100000)), nil)

-- A text in a list does not say how long the list is.
do
    local commas <const> = (","):rep(1 << 22)
    local before = collectgarbage "count"
    local read = core.json_read(core.json_encode { commas })
    check.equal("a text of commas", read[1], commas)
    check.is_true("takes the memory of a text", collectgarbage "count" - before < 40 * 1024)
end

-- ---- random values ------------------------------------------------------------------------------

local value_of

local function text_of()
    local parts = {}
    for i = 1, random(0, 6) do
        local kind = random(4)
        parts[i] = kind == 1 and string.char(random(0, 127))
            or kind == 2 and utf8.char(random(0x80, 0xD7FF))
            or kind == 3 and utf8.char(random(0xE000, 0x10FFFF))
            or ("abc"):rep(random(3))
    end
    return table.concat(parts)
end

local function float_of()
    local x = string.unpack("d", string.pack("i8", random(0)))
    return x - x == 0 and x or 0.5
end

local LEAVES = {
    function() return random(0) end,
    function() return random(-1000, 1000) end,
    function() return NUMBERS[random(#NUMBERS)] end,
    float_of,
    function() return random() end,
    function() return random(2) == 1 end,
    function() return core.null end,
    text_of,
}

local function list_of(depth)
    local list = {}
    for i = 1, random(0, 5) do list[i] = value_of(depth - 1) end
    return list
end

local function record_of(depth)
    local record = {}
    for _ = 1, random(0, 5) do
        record[text_of()] = value_of(depth - 1)
    end
    return record
end

function value_of(depth)
    local kind = depth > 0 and random(4) or 4
    if kind == 1 then return list_of(depth) end
    if kind == 2 then return record_of(depth) end
    return LEAVES[random(#LEAVES)]()
end

-- What is no value of JSON, or no text of json_encode.
for _, case in ipairs {
    { print, "a function is no value of JSON" },
    { { a = io.stdout }, "a userdata is no value of JSON" },
    { { [5] = 1, a = 2 }, "a table with a list and with fields, or with a key that is no name" },
} do
    check.raises(case[2], case[2], core.json_encode, case[1])
end
comes_back("names with zero bytes", { a = 1, ["a\0"] = 2, ["a\0b"] = 3, [""] = 4, ["\0"] = 5 })
check.equal("their order", core.json_encode { a = 1, ["a\0"] = 2, ["a\0b"] = 3, ab = 4 },
    [[{"a":1,"a\u0000":2,"a\u0000b":3,"ab":4}]])
check.equal("null, and what is not finite", core.json_encode { core.null, 0 / 0, 1 / 0 },
    "[null,null,null]")
for _, text in ipairs { '"\\"\\', '"\\', '"\\u00', '"\\"', '"\\x"', '"\\u00zz"', '"', "" } do
    check.equal("no value: " .. text, core.json_read(text), nil)
end

-- ---- other texts --------------------------------------------------------------------------------

local PIECES = { "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\u00", "e", ".", "-", "0", "9",
    "null", "true", "\0", "\xff", "1e999", (" "):rep(50), ("9"):rep(50), "\n" }

local CHANGES = {
    function(text, at) return text:sub(1, at - 1) .. text:sub(at + random(5)) end,
    function(text, at)
        return text:sub(1, at - 1) .. string.char(random(0, 255)) .. text:sub(at + 1)
    end,
    function(text, at) return text:sub(1, at) .. PIECES[random(#PIECES)] .. text:sub(at + 1) end,
    function(text, at) return text:sub(1, at) end,
    function(text, at) return text:sub(at) end,
    function(text, at) return text .. text:sub(at) end,
}

local read = 0
for _ = 1, VALUES do
    local text = comes_back("a value", value_of(5))
    for _ = 1, MUTANTS do
        local mutant = CHANGES[random(#CHANGES)](text, random(#text))
        local value = core.json_read(mutant)
        -- What is read all the same is a value.
        if value ~= nil then
            read = read + 1
            core.json_encode(value)
        end
    end
end
print(string.format("%d values, %d other texts, of which %d were values too", VALUES,
    VALUES * MUTANTS, read))
check.is_true("most other texts are none", read < VALUES * MUTANTS // 2)

check.done()
