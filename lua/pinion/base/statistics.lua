-- Small statistics: over replicas, over pooled flow times, over batches of one run, and whether a
-- queue keeps growing.

local M = {}

---0.07 * 100 is a hair over 7: a rank that rounding alone lifts over an integer stays there. As the
---kernel's side does it.
M.RANK = 1 - 1e-14

---The quantiles that results and comparisons give, by name.
M.QUANTILES = { { "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 }, { "p999", 0.999 } }
---… and the largest.
M.QUANTILE_NAMES = { "p50", "p90", "p99", "p999", "max" }

---Two quantiles of the normal distribution, and how likely it is that it lies within them.
---@class pinion.level
---@field z number
---@field inside number
---@field known number[] Student's t by degrees of freedom, as far as it was asked for
local USUAL <const> = { z = 1.9599639845400545, inside = 0.95, known = {} }
---… three standard deviations.
M.THREE = { z = 3.0, inside = 0.9973002039367398, known = {} }

-- Returns the Cornish-Fisher expansion of Student's t.
local function expanded(freedom, z)
    local z2 <const>, part = z * z, 1 / freedom
    return z + z * part * ((z2 + 1) / 4 + part * (((5 * z2 + 16) * z2 + 3) / 96
        + part * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384))
end

-- Solves P(|T| < t) = inside by Newton's method, which comes from below, as the distribution is
-- concave there. With y = t^2 / (freedom + t^2) and the density f, that is 2 t f times the sum of
-- the terms (freedom + 1) (freedom + 3) ... / (3 5 ...) y^n. O(freedom) per step.
local function solved(freedom, level)
    local beta = freedom % 2 == 1 and math.pi or 2.0  -- B(1/2, freedom / 2)
    for k = 2 - freedom % 2, freedom - 2, 2 do beta = beta * k / (k + 1) end
    local t = 0.9 * level.z
    while true do
        local all = freedom + t * t
        local y, root = t * t / all, math.sqrt(freedom / all)
        local density, sum, term, n = 1 / (math.sqrt(freedom) * beta), 0.0, 1.0, 0
        for _ = 0, freedom do density = density * root end
        repeat
            sum, term, n = sum + term, term * y * (freedom + 1 + 2 * n) / (3 + 2 * n), n + 1
        until term <= 1e-17 * sum
        local better = t - t * sum + level.inside / 2 / density
        if better <= t then return t end
        t = better
    end
end

local EXPANDED <const> = 1000                         -- from here the expansion errs by < 1e-9

---Returns Student's t: the number of standard errors that an estimate strays with the level's
---probability.
---@param freedom integer degrees of freedom; below 1 nothing is known of the errors
---@param level? pinion.level of 95 % if it is missing
---@return number
function M.student(freedom, level)
    level = level or USUAL
    if freedom < 1 then return math.huge end
    if freedom > EXPANDED then return expanded(freedom, level.z) end
    level.known[freedom] = level.known[freedom] or solved(freedom, level)
    return level.known[freedom]
end
local student <const> = M.student

---Returns mean of the values, the half width of its 95 % confidence interval and their standard
---deviation (nil for fewer than two values).
---@param values number[]
---@return number|nil mean, number|nil half_width, number|nil sd
function M.interval(values)
    local n = #values
    if n == 0 then return nil end
    local sum = 0
    for _, value in ipairs(values) do sum = sum + value end
    local mean = sum / n
    if n == 1 then return mean end
    local squares = 0
    for _, value in ipairs(values) do squares = squares + (value - mean) ^ 2 end
    local variance = squares / (n - 1)
    return mean, student(n - 1) * math.sqrt(variance / n), math.sqrt(variance)
end

---Returns half the width of the 95 % interval of an estimate from all data, by what the parts of
---the data say of it themselves: their deviations from it, not from their own mean (sectioning;
---Asmussen and Glynn, Stochastic Simulation, 2007, III.5).
---@param values number[] of the parts, equally large
---@param whole number of all data
---@return number|nil nil for fewer than two parts
function M.section(values, whole)
    local n, squares = #values, 0
    if n < 2 then return nil end
    for _, value in ipairs(values) do squares = squares + (value - whole) ^ 2 end
    return student(n - 1) * math.sqrt(squares / (n - 1) / n)
end

---Returns the ratio of two means of paired values, and half the width of its 95 % interval by the
---residuals (the delta method).
---@param above number[]
---@param below number[] as many
---@return number|nil ratio nil where the mean below is 0, number|nil half_width
function M.ratio(above, below)
    local n, sum_above, sum_below, squares = #above, 0, 0, 0
    for i = 1, n do sum_above, sum_below = sum_above + above[i], sum_below + below[i] end
    if sum_below == 0 then return nil end
    local ratio = sum_above / sum_below
    if n < 2 then return ratio end
    for i = 1, n do squares = squares + (above[i] - ratio * below[i]) ^ 2 end
    return ratio, student(n - 1) * math.sqrt(squares / (n - 1) / n) / math.abs(sum_below / n)
end

---Returns half the width of the range around their mean in which one more value lies with 95 %.
---@param count integer >= 2
---@param sd number of the values
---@return number
function M.range(count, sd)
    return student(count - 1) * sd * math.sqrt(1 + 1 / count)
end

---Returns what P(B = k) of the binomial distribution is in proportion to, by k, so far as it is not
---negligible: from the mode outwards, each from its neighbour. With it their sum, and the mode.
---@return table<integer, number> chances, number sum, integer mode
function M.binomial(n, q)
    local mode = math.min(n, math.floor((n + 1) * q))
    local chances, sum = { [mode] = 1.0 }, 1.0
    local function walk(from, to, step, factor)
        local chance = 1.0
        for k = from, to, step do
            chance = chance * factor(k)
            if chance < 1e-18 then return end
            chances[k], sum = chance, sum + chance
        end
    end
    walk(mode + 1, n, 1, function(k) return (n - k + 1) / k * q / (1 - q) end)
    walk(mode - 1, 0, -1, function(k) return (k + 1) / (n - k) * (1 - q) / q end)
    return chances, sum, mode
end

local binomial <const> = M.binomial

---Returns the ranks between which the q-quantile lies with at least 95 %, of n independent values
---in ascending order, whatever their distribution: at most 2.5 % of the binomial distribution is
---below the first, and as much above the second. nil where n values do not reach that far.
---@param n integer
---@param q number between 0 and 1
---@return integer|nil low, integer|nil high
function M.order_limits(n, q)
    if n < 1 then return nil end
    local chances, sum, mode = binomial(n, q)
    local below, low = 0.0, mode
    while chances[low] do low = low - 1 end
    local first = low + 1
    low = first
    while below + (chances[low] or 0.0) <= 0.025 * sum do
        below, low = below + (chances[low] or 0.0), low + 1
    end
    local above, high = 0.0, mode
    while chances[high] do high = high + 1 end
    high = high - 1
    while above + (chances[high] or 0.0) <= 0.025 * sum do
        above, high = above + (chances[high] or 0.0), high - 1
    end
    high = high + 1
    if low < 1 or high > n then return nil end
    return low, high
end

-- Of the standard normal distribution, at 80 %.
local EIGHTY = 0.8416

---Returns whether consecutive values look independent: batch means then vary as the values'
---standard deviation says, by a factor that a chi-square distribution limits (at 80 %, by Wilson
---and Hilferty).
---@param means number[] of batches of `size` consecutive values
---@param size integer
---@param sd number of the values
---@return boolean, number how many times as much the batch means vary as those of independent values
function M.look_independent(means, size, sd)
    local _, _, spread = M.interval(means)
    if not spread or sd == 0 then return sd == 0, 1.0 end
    local part = 2 / (9 * (#means - 1))
    local factor = size * spread ^ 2 / sd ^ 2
    return factor <= (1 - part + EIGHTY * math.sqrt(part)) ^ 3, factor
end

---Returns mean and half width over the first 1, 2, … values: how an estimate settles.
---@param values number[]
---@return { [1]: number, [2]: number|nil }[] mean and half width by number of values
function M.running(values)
    local points, mean, squares = {}, 0, 0
    for n, value in ipairs(values) do
        local step = value - mean
        mean = mean + step / n
        squares = squares + step * (value - mean)
        points[n] = { mean, n > 1 and student(n - 1) * math.sqrt(squares / (n - 1) / n) or nil }
    end
    return points
end

-- ---- pooled flow times --------------------------------------------------------------------------

---Returns the values of a table of counts in ascending order, and the sum of the counts.
---@param counts table<number, number>
---@return number[] values, number total
function M.sorted_values(counts)
    local values, total = {}, 0
    for value in next, counts do values[#values + 1] = value end
    table.sort(values)
    -- Added up in a fixed order, as counts of sampled distributions have fractions.
    for _, value in ipairs(values) do total = total + counts[value] end
    return values, total
end

---Returns the nearest-rank quantile of counted values.
---@param counts table<number, number>
---@param q number
---@return number|nil
function M.quantile(counts, q)
    local values, total = M.sorted_values(counts)
    local below = 0
    for _, value in ipairs(values) do
        below = below + counts[value]
        if below >= q * total * M.RANK then return value end
    end
    return values[#values]
end

---Returns the quantiles of M.QUANTILES and the maximum, in one pass.
---@param counts table<number, number>
---@return table<string, number> empty for no counts
function M.quantiles(counts)
    local values, total = M.sorted_values(counts)
    local found, below, at = { max = values[#values] }, 0, 1
    for _, value in ipairs(values) do
        below = below + counts[value]
        while M.QUANTILES[at] and below >= M.QUANTILES[at][2] * total * M.RANK do
            found[M.QUANTILES[at][1]] = value
            at = at + 1
        end
    end
    return found
end

---Adds the counts of `more` to those of `counts`.
function M.pool(counts, more)
    for value, count in next, more do counts[value] = (counts[value] or 0) + count end
end

-- ---- growth -------------------------------------------------------------------------------------

-- Fewer arrivals say nothing about the long run.
local ARRIVALS_LEAST = 100

---Returns means of the four quarters of a series and the lowest mean in the last one; nil when it
---is too short to tell anything.
---@param series number[] means of equally many arrivals each
---@param arrivals integer in each of them
---@return number[]|nil quarters, number|nil lowest
function M.quarters(series, arrivals)
    local count = #series
    if count < 8 or count * arrivals < ARRIVALS_LEAST then return nil end
    local quarters, lowest = {}, math.huge
    for q = 1, 4 do
        local from, to = (q - 1) * count // 4 + 1, q * count // 4
        local sum = 0
        for i = from, to do
            sum = sum + series[i]
            if q == 4 then lowest = math.min(lowest, series[i]) end
        end
        quarters[q] = sum / (to - from + 1)
    end
    return quarters, lowest
end

-- With a steady excess of work the number in the system rises along a straight line: its quarters
-- are as 1 : 3 : 5 : 7, and the last is 2.3 times the second; just at capacity it rises as the
-- square root of time, and that factor is 1.5.
local GROWTH = 1.3
-- A handful of jobs comes and goes.
local GROWTH_LEAST = 2

---Returns whether the number in the system was still growing when arrivals ended: each quarter
---above the one before, the last well above the second (in the first every system fills) and by
---more than a job or two, and never back to where the second was. What is averaged over replicas is
---judged like one run.
---
---Measured on zheng:0, preemptive, under fifo, fair, asrpt and dspt: at a load of 0.90 it is raised
---by 2 or 3 of 100 single runs of 500 slots and by none of 2000 slots or more; at 1.06 by 45-62 of
---100 single runs of 500 slots, 76-86 of 2000 slots and all of 8000. Five replicas of 2000 slots
---raise it always there, twenty of 500 slots in 97 of 100 cases.
---
---Measured on lin, whose sizes have heavy tails, under maxsrpt, klps and fcfs: at a load of 0.75 it
---is raised by 0 or 1 of 40 single runs of 20000 jobs, at 0.90 by 0 to 2, at 1.05 by 22 to 29, at
---1.20 by 39 or 40; of 2000 jobs by 2 to 8, 7 to 10, 15 to 21 and 30 to 35, as one large job is
---enough there to let the queue grow until the end.
---@param quarters number[]|nil
---@param lowest number|nil
---@return boolean
function M.is_growing(quarters, lowest)
    if not quarters then return false end
    local a, b, c, d = table.unpack(quarters)
    return a < b and b < c and c < d and d >= GROWTH * b and d >= b + GROWTH_LEAST and lowest > b
end

return M
