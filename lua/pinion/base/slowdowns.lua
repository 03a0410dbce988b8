-- Slowdown by size of job: what the buckets of a run say, and what those of several runs say
-- together.

local M = {}

---@class pinion.SlowdownBucket jobs with from <= max(map, shuffle) < to
---@field from number
---@field to number|nil nil: all larger jobs
---@field count integer
---@field mean number|nil
---@field sd number|nil

local function describe(count, sum, squares, from, to)
    local bucket = { from = from, to = to, count = count }
    if count > 0 then bucket.mean = sum / count end
    -- The difference of two large numbers may come out a little below 0.
    if count > 1 then
        bucket.sd = math.sqrt(math.max(0.0, (squares - sum * sum / count) / (count - 1)))
    end
    return bucket
end

---@param buckets { count: integer, sum: number, squares: number }[] the last of all larger jobs
---@param width number
---@return pinion.SlowdownBucket[] all of them, also those without jobs
function M.describe(buckets, width)
    local made = {}
    for i, bucket in ipairs(buckets) do
        made[i] = describe(bucket.count, bucket.sum, bucket.squares, (i - 1) * width,
            i < #buckets and i * width or nil)
    end
    return made
end

-- Returns the sums behind a described bucket.
local function sums_of(bucket)
    local count, mean, sd = bucket.count, bucket.mean or 0.0, bucket.sd or 0.0
    return count, count * mean, count * mean * mean + math.max(count - 1, 0) * sd * sd
end

---Joins neighbours, or the same bucket of several runs, as one.
---@param list pinion.SlowdownBucket[]
---@return pinion.SlowdownBucket
function M.join(list)
    local count, sum, squares = 0, 0.0, 0.0
    for _, bucket in ipairs(list) do
        local n, s, q = sums_of(bucket)
        count, sum, squares = count + n, sum + s, squares + q
    end
    return describe(count, sum, squares, list[1].from, list[#list].to)
end

---Joins the buckets of several runs, bucket by bucket.
---@param runs pinion.SlowdownBucket[][]
---@return pinion.SlowdownBucket[]
function M.pool(runs)
    local made = {}
    for i = 1, #runs[1] do
        local same = {}
        for r, buckets in ipairs(runs) do same[r] = buckets[i] end
        made[i] = M.join(same)
    end
    return made
end

---Makes fewer buckets, for people: each reaches as far as all before it together, and those of no
---job are left out.
---@param buckets pinion.SlowdownBucket[]
---@return pinion.SlowdownBucket[]
function M.coarsen(buckets)
    local made, from, last = {}, 1, #buckets - 1
    while from <= last do
        local to = math.min(last, math.max(from, 2 * (from - 1)))
        made[#made + 1] = M.join(table.move(buckets, from, to, 1, {}))
        from = to + 1
    end
    made[#made + 1] = buckets[#buckets]
    local filled = {}
    for _, bucket in ipairs(made) do
        if bucket.count > 0 then filled[#filled + 1] = bucket end
    end
    return filled
end

return M
