-- Step functions of time in a fixed number of buckets, each with the mean there: areas are exact,
-- in constant memory, and in whatever order the pieces come.

local M = {}

---@param count integer
---@return number[] means, from 1
function M.new(count)
    local means = {}
    for i = 1, count do means[i] = 0.0 end
    return means
end

---Adds a value that holds from one place to another, in buckets from 0.
---@param means number[]
---@param left number
---@param right number
---@param value number
function M.add(means, left, right, value)
    local first = left // 1 | 0
    -- Most pieces lie in one.
    if first >= 0 and right <= first + 1 and first < #means then
        means[first + 1] = means[first + 1] + value * (right - left)
        return
    end
    for x = math.max(0, first), math.min(math.ceil(right), #means) - 1 do
        means[x + 1] = means[x + 1] + value * (math.min(right, x + 1) - math.max(left, x))
    end
end

return M
