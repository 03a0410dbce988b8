-- Statistics of values that come one by one: mean and spread, and how often each value occurred, in
-- memory that does not grow with their number.

local statistics = require "pinion.base.statistics"

local M = {}

---@class pinion.Tally
---@field count integer
---@field mean number
---@field squares number of the deviations from it
---@field counts table<number, integer> by value; of many different ones, by their first three digits
local Tally = {}
Tally.__index = Tally

-- Of more different values than this three digits are enough: they are within 1 %.
local DISTINCT_MOST = 4096

---@return pinion.Tally
function M.new()
    return setmetatable({ count = 0, mean = 0.0, squares = 0.0, counts = {}, distinct = 0 },
        Tally)
end

local function rounded(value)
    return tonumber(string.format("%.2e", value))
end

local function round_all(self)
    local counts = {}
    for value, count in next, self.counts do
        local key = rounded(value)
        counts[key] = (counts[key] or 0) + count
    end
    self.counts, self.is_rounded = counts, true
end

---@param value number finite
function Tally:add(value)
    self.count = self.count + 1
    local step = value - self.mean
    self.mean = self.mean + step / self.count
    self.squares = self.squares + step * (value - self.mean)
    self.min, self.max = math.min(self.min or value, value), math.max(self.max or value, value)
    local key = self.is_rounded and rounded(value) or value
    if not self.counts[key] then self.distinct = self.distinct + 1 end
    self.counts[key] = (self.counts[key] or 0) + 1
    if not self.is_rounded and self.distinct > DISTINCT_MOST then round_all(self) end
end

---Describes a sample as results do; empty for no values.
---@return table<string, number>
function Tally:describe()
    if self.count == 0 then return {} end
    local made = statistics.quantiles(self.counts)
    made.mean, made.min, made.max = self.mean, self.min, self.max
    made.sd = self.count > 1 and math.sqrt(self.squares / (self.count - 1)) or nil
    return made
end

---Returns jain's index of fairness: the squared sum over the count times the sum of squares. 1 when
---all values are equal, 1 / count when one value has everything.
---@return number|nil nil for no values, or nothing but zeros
function Tally:fairness()
    local squared = self.mean * self.mean
    local all = squared + (self.count > 0 and self.squares / self.count or 0.0)
    return all > 0 and squared / all or nil
end

return M
