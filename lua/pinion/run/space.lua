-- The space in which a policy is tuned: its parameters with what each may be, and configurations,
-- which have a value of each. A parameter is an interval, on a linear or a logarithmic scale, a
-- list of numbers in order, or a list of words without one. Nothing here knows of policies.

local check = require "pinion.base.check"
local ranges = require "pinion.base.range"

local M = {}

---@class pinion.SpaceParameter
---@field name string
---@field values any[]|nil what it may be; nil: an interval
---@field ordered boolean|nil whether the values are numbers in ascending order
---@field low number|nil
---@field high number|nil
---@field integer boolean|nil
---@field log boolean|nil equal ratios are as far from each other as others
---@field when (fun(values: table<string, any>): boolean)|nil whether it means anything beside those before it

---@alias pinion.Configuration table<string, any> values by parameter; without those that mean nothing

---@class pinion.Space
---@field parameters pinion.SpaceParameter[]
local Space = {}
Space.__index = Space

-- ---- reading ------------------------------------------------------------------------------------

-- Reads LOW..HIGH or LOW..HIGH:log.
local function read_interval(text)
    local low, high, log = text:match "^%s*(-?%d+%.?%d*)%.%.(-?%d+%.?%d*)(:?l?o?g?)%s*$"
    if not low or log ~= "" and log ~= ":log" then return nil end
    local made = { low = tonumber(low), high = tonumber(high), log = log ~= "" or nil,
        integer = math.type(tonumber(low)) == "integer"
            and math.type(tonumber(high)) == "integer" }
    if made.low >= made.high then
        return nil, "the upper end must be above the lower one, got " .. check.show(text)
    end
    if made.log and made.low <= 0 then
        return nil, "a logarithmic scale needs values above 0, got " .. check.show(text)
    end
    return made
end

-- More values of a list are a slip of the pen.
local VALUES_MAX = 10000

-- Reads a list of values and ranges.
local function read_list(list)
    local values, why = ranges.spread(list, VALUES_MAX)
    local seen = {}
    for _, one in ipairs(values or {}) do
        if type(one) == "table" then return nil, "must be numbers, words or switches" end
        if seen[one] then return nil, "has the value " .. check.show(one) .. " twice" end
        seen[one] = true
    end
    return values, why
end

local function are_numbers(values)
    for _, value in ipairs(values) do
        if type(value) ~= "number" then return false end
    end
    return true
end

---Reads what a parameter may be: "1..200", "0.01..10.0:log", "10..100:10", or a list of values.
---@param name string
---@param given any a text, or a list of values and texts; `when` in the list is its condition
---@return pinion.SpaceParameter|nil parameter, string|nil reason
function M.parameter(name, given)
    local list = type(given) == "table" and given or { given }
    local made, why
    if #list == 1 and type(list[1]) == "string" then made, why = read_interval(list[1]) end
    if why then return nil, why end
    if not made then
        local values, wrong = read_list(list)
        if not values then return nil, wrong end
        if #values < 2 then
            return nil, "must be an interval such as 1..200, or two values or more, got "
                .. check.show(given)
        end
        made = { values = values, ordered = are_numbers(values) }
        if made.ordered then table.sort(values) end
    end
    local when = type(given) == "table" and given.when or nil
    if when ~= nil and type(when) ~= "function" then
        return nil, "when: must be a function of the values, got " .. check.show(when)
    end
    made.name, made.when = name, when
    return made
end

---@param parameters pinion.SpaceParameter[] in an order in which each depends on those before it
---@return pinion.Space
function M.new(parameters)
    return setmetatable({ parameters = parameters }, Space)
end

-- ---- the unit interval --------------------------------------------------------------------------
-- Every parameter with an order is drawn on [0, 1].

-- Returns a real number with so few digits that it is the same with every C library.
local function rounded(x)
    return tonumber(string.format("%.6g", x)) + 0.0
end

local function value_at(parameter, u)
    if parameter.values then
        return parameter.values[math.min(#parameter.values, 1 + math.floor(u * #parameter.values))]
    end
    local low, high = parameter.low, parameter.high
    if parameter.integer and not parameter.log then
        return math.min(high, low + math.floor(u * (high - low + 1)))
    end
    local x = parameter.log and low * (high / low) ^ u or low + u * (high - low)
    if parameter.integer then return math.floor(rounded(x) + 0.5) end
    return math.max(low, math.min(high, rounded(x)))
end

local function place_of(parameter, value)
    if parameter.values then
        for i, known in ipairs(parameter.values) do
            if known == value then return (i - 0.5) / #parameter.values end
        end
        return 0.5
    end
    local low, high = parameter.low, parameter.high
    local u
    if parameter.log then
        u = rounded(math.log(math.max(low, value) / low) / math.log(high / low))
    elseif parameter.integer then
        u = (value - low + 0.5) / (high - low + 1)
    else
        u = (value - low) / (high - low)
    end
    return math.max(0.0, math.min(1.0, u))
end

-- ---- configurations -----------------------------------------------------------------------------

---Returns a text that is the same for equal configurations.
---@param configuration pinion.Configuration
---@return string
function Space:key(configuration)
    local words = {}
    for i, parameter in ipairs(self.parameters) do
        words[i] = tostring(configuration[parameter.name])
    end
    return table.concat(words, ":")
end

-- Makes a configuration, parameter by parameter.
local function make(self, choose)
    local made = {}
    for _, parameter in ipairs(self.parameters) do
        if not parameter.when or parameter.when(made) then
            made[parameter.name] = choose(parameter)
        end
    end
    return made
end

---Draws a configuration of the whole space.
---@param random pinion.RandomStream
---@return pinion.Configuration
function Space:draw(random)
    return make(self, function(parameter) return value_at(parameter, random:uniform()) end)
end

-- Draws near a place: normally distributed, within the interval.
local TRIES <const> = 100
local function draw_near(parameter, value, spread_of, random)
    local u = place_of(parameter, value)
    for _ = 1, TRIES do
        local at = random:normal(u, spread_of)
        if at >= 0 and at <= 1 then return value_at(parameter, at) end
    end
    return value
end

---Draws a configuration near another one.
---@param near pinion.Configuration
---@param spread_of number deviation, as a share of the range
---@param keep number probability with which words stay as they are
---@param random pinion.RandomStream
---@return pinion.Configuration
function Space:draw_near(near, spread_of, keep, random)
    return make(self, function(parameter)
        local value = near[parameter.name]
        local is_word = parameter.values and not parameter.ordered
        if value == nil or is_word and not random:chance(keep) then
            return value_at(parameter, random:uniform())
        end
        if is_word then return value end
        return draw_near(parameter, value, spread_of, random)
    end)
end

---Draws a configuration between two others.
---@param one pinion.Configuration
---@param other pinion.Configuration
---@param random pinion.RandomStream
---@return pinion.Configuration
function Space:draw_between(one, other, random)
    local part = random:uniform()
    return make(self, function(parameter)
        local a, b = one[parameter.name], other[parameter.name]
        if a == nil or b == nil or parameter.values and not parameter.ordered then
            if a == nil or b ~= nil and random:chance(0.5) then a = b end
            if a == nil then return value_at(parameter, random:uniform()) end
            return a
        end
        local from, to = place_of(parameter, a), place_of(parameter, b)
        return value_at(parameter, from + part * (to - from))
    end)
end

-- Returns how many values a parameter has; infinite for real numbers.
local function count_of(parameter)
    if parameter.values then return #parameter.values end
    return parameter.integer and parameter.high - parameter.low + 1 or math.huge
end

---Returns all configurations if there are no more than `most`; nil otherwise.
---@param most integer
---@return pinion.Configuration[]|nil
function Space:all(most)
    local count = 1
    for _, parameter in ipairs(self.parameters) do count = count * count_of(parameter) end
    if count > most then return nil end
    local found, seen = {}, {}
    for number = 0, count - 1 do
        local rest = number
        local made = make(self, function(parameter)
            local own = count_of(parameter)
            local at = rest % own
            rest = rest // own
            if parameter.values then return parameter.values[at + 1] end
            return parameter.low + at
        end)
        local key = self:key(made)
        if not seen[key] then found[#found + 1], seen[key] = made, true end
    end
    return found
end

return M
