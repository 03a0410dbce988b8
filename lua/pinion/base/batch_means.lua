-- The interval of the mean of one run, from means of batches of consecutive jobs. Neighbours in a
-- queue wait together, so batches must be long until their means are independent; what correlation
-- and skewness are left makes the interval wider, as in Skart (Tafazzoli, Wilson, Lada, Steiger,
-- Performance of Skart, INFORMS Journal on Computing 23, 2011, 297-314).

local statistics = require "pinion.base.statistics"

local M = {}

---Fewer batches give no interval.
M.LEAST = 20

-- Of the standard normal distribution, at 95 %.
local NINETY_FIVE <const> = 1.6449

-- Returns mean and variance of the values, their skewness, lag-one correlation and von Neumann's
-- ratio: the squares of the steps over those of the deviations.
local function moments(values)
    local count, sum = #values, 0.0
    for _, value in ipairs(values) do sum = sum + value end
    local mean, squares, cubes, products, steps = sum / count, 0.0, 0.0, 0.0, 0.0
    local before = nil
    for _, value in ipairs(values) do
        local off = value - mean
        squares, cubes = squares + off * off, cubes + off * off * off
        if before then
            products, steps = products + off * before, steps + (off - before) * (off - before)
        end
        before = off
    end
    local spread = squares / count
    return {
        mean = mean, variance = squares / (count - 1), correlation = products / squares,
        skewness = cubes / count / (spread * math.sqrt(spread))
            * math.sqrt(count * (count - 1)) / (count - 2),
        neumann = steps / squares,
    }
end

-- Returns whether von Neumann's ratio is below that of independent values: a test at 5 %.
local function is_correlated(of, count)
    return (1 - of.neumann / 2) * math.sqrt((count * count - 1) / (count - 2)) > NINETY_FIVE
end

-- Merges neighbours in pairs; an odd one at the end is left out.
local function merge(values)
    local merged = {}
    for i = 1, #values // 2 do merged[i] = (values[2 * i - 1] + values[2 * i]) / 2 end
    return merged
end

-- Returns the cube root, by Newton's method from above: the same bits on every machine.
local function cube_root(x)
    local size = math.abs(x)
    local root, better = math.max(size, 1.0), 0.0
    while size > 0 do
        better = (2 * root + size / (root * root)) / 3
        if better >= root then break end
        root = better
    end
    return x < 0 and -root or x > 0 and root or 0.0
end

-- Returns Student's t as Willink's function adjusts it for skewed values.
local function adjusted(t, beta)
    if math.abs(beta) < 1e-9 then return t end
    return (cube_root(1 + 6 * beta * (t - beta)) - 1) / (2 * beta)
end

-- Returns half the width of the interval: the longer side of Skart's, which is not symmetric. The
-- correlation counts with its standard error on top, as it is little known.
local function half_width(of, count)
    local left = math.max(0, of.correlation + 1 / math.sqrt(count))
    local variance = of.variance / count * (1 + left) / (1 - left)
    local t, beta = statistics.student(count - 1), of.skewness / (6 * math.sqrt(count))
    return math.max(adjusted(t, beta), -adjusted(-t, beta)) * math.sqrt(variance)
end

---Returns half the width of the 95 % interval of the mean, and the means of the batches behind it:
---those that were given, or twice as long ones.
---@param means number[] of equally long batches
---@return number|nil half nil where there is none, number[] means, string|nil reason
function M.interval(means)
    if #means < M.LEAST then return nil, means, "too few jobs" end
    local of = moments(means)
    if of.variance == 0 then return 0.0, means end
    if not is_correlated(of, #means) then return half_width(of, #means), means end
    local merged = merge(means)
    local longer = #merged >= M.LEAST and moments(merged) or of
    if longer ~= of and not is_correlated(longer, #merged) then
        return half_width(longer, #merged), merged
    end
    return nil, means, string.format("consecutive batches of jobs depend on each other "
        .. "(correlation %.2f)", of.correlation)
end

---Returns how many of the first batches the mean should leave out: so many that the estimated error
---of the mean of the others is least, and at most half of them (MSER: White, An Effective
---Truncation Heuristic for Bias Reduction in Simulation Output, Simulation 69, 1997). A system
---starts empty: what is left out must be below the others, or bursts would be cut by chance.
---@param means number[] of equally long batches
---@return integer
function M.warmup(means)
    local count, best, least = #means, 0, math.huge
    local mean, squares, all = 0.0, 0.0, statistics.interval(means)
    for left = 1, count do
        local value = means[count - left + 1]
        local step = value - mean
        mean = mean + step / left
        squares = squares + step * (value - mean)
        local error = squares / (left * left)
        local is_candidate = left == count or left >= count - count // 2 and mean > all
        if is_candidate and error <= least then best, least = count - left, error end
    end
    return best
end

return M
