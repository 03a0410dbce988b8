-- Keys that the kernel has itself: random functions of what is left of a job are taken for one of
-- them where they are equal to it, and nowhere else.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local lookup = require "pinion.policy"

local KNOWN = { "pn_tandem_key_longest", "pn_tandem_key_sum", "pn_tandem_key_map" }
local NUMBERS = { { 1, 2 }, { 2.5, 1.25 }, { 3, 3 }, { 0, 7 }, { 7, 0 }, { 1e9, 1e-9 }, { 0, 0 } }
local SAME = {
    function(x, y) return math.max(x, y), nil end,
    function(x, y) return x + y, nil end,
    function(x, y) return x, y end,
}

local function policy(body)
    return string.format("return { name = 'x', model = 'tandem', map = { changes = 'served', "
        .. "key = function(s, job, x, y) %s end }, shuffle = { changes = 'served', "
        .. "key = function(s, job) return s:age(job) end } }", body)
end

---Returns the kernel's key that a function is taken for; nil: none.
local function taken_for(body)
    local loaded, why = lookup.from_text(policy(body), "known.lua")
    assert(loaded, why)
    local handle = lookup.instantiate(loaded, {})
    local fields = handle:export().fields
    handle:close()
    for i, name in ipairs(KNOWN) do
        if fields:find("{.key = " .. name .. ",", 1, true) then return i end
    end
end

---Returns which of the kernel's keys a function equals on all numbers; nil: none.
local function equals(body)
    local f = assert(load("local s, job, x, y = ... " .. body))
    local view = {
        map_left = function(self) return self.x end,
        shuffle_left = function(self) return self.y end,
        longest_left = function(self) return math.max(self.x, self.y) end,
        age = function() return 4.5 end,
    }
    for i, same in ipairs(SAME) do
        local all = true
        for _, pair in ipairs(NUMBERS) do
            local x, y = pair[1] + 0.0, pair[2] + 0.0
            view.x, view.y = x, y
            local first, second, third = f(view, 1, x, y)
            local want_first, want_second = same(x, y)
            all = all and first == want_first and second == want_second and third == nil
        end
        if all then return i end
    end
end

-- ---- forms that people write --------------------------------------------------------------------

for body, known in pairs {
    ["return x > y and x or y"] = 1, ["return math.max(x, y)"] = 1, ["return x < y and y or x"] = 1,
    ["if x >= y then return x end return y"] = 1, ["return s:longest_left(job)"] = 1,
    ["return math.max(s:map_left(job), s:shuffle_left(job))"] = 1,
    ["local longest = x if y > longest then longest = y end return longest"] = 1,
    ["return x + y"] = 2, ["return s:shuffle_left(job) + x"] = 2, ["return x, y"] = 3,
    ["return s:map_left(job), s:shuffle_left(job)"] = 3,
} do
    check.equal(body, taken_for(body), known)
    check.equal(body .. ": equal", equals(body), known)
end

for _, body in ipairs {
    "return job", "return math.max(x)", "return math.max(x, y, x)", "return math.pow(x, y)",
    "return s:map_left(x)", "return x + x", "return math.max(x, y) + math.max(x, y)",
} do
    check.equal(body, taken_for(body), nil)
end

-- ---- random forms -------------------------------------------------------------------------------

local seed = tonumber(os.getenv "PINION_TEST_SEED") or os.time()
math.randomseed(seed)
local function one(list) return list[math.random(#list)] end
local VALUES = { "x", "y", "s:map_left(job)", "s:shuffle_left(job)", "s:longest_left(job)",
    "s:age(job)", "1.5", "a" }
local function value(depth)
    local kind = depth > 0 and math.random(7) or 1
    if kind <= 3 then return one(VALUES) end
    if kind == 4 then
        return string.format("math.%s(%s, %s)", one { "max", "min" }, value(depth - 1),
            value(depth - 1))
    elseif kind == 5 then
        return string.format("(%s + %s)", value(depth - 1), value(depth - 1))
    end
    return string.format("(%s %s %s and %s or %s)", value(0), one { "<", "<=", ">", ">=", "==" },
        value(0), value(depth - 1), value(depth - 1))
end

local known, tried = 0, check.IS_SHORT and 300 or 3000
for _ = 1, tried do
    local body = "local a = " .. value(1):gsub("%f[%w]a%f[%W]", "x") .. " return " .. value(2)
    if math.random(4) == 1 then body = body .. ", " .. value(1) end
    local taken = taken_for(body)
    known = known + (taken and 1 or 0)
    -- what is equal need not be found, but what is found must be equal
    if taken then check.equal(body, equals(body), taken) end
end
check.is_true("some are found, seed " .. seed, known > tried / 100)

check.done()
