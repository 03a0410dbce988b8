-- Whether differences between policies are more than chance: Student's test of their mean, the sign
-- test of the replicas' signs, and Holm's correction where several policies are tested at once.

local statistics = require "pinion.base.statistics"

local M = {}

local LEVEL <const> = 0.05

-- Returns B(a, 1/2) for a = n / 2.
local function beta(n)
    local product = n % 2 == 1 and math.pi or 2.0
    for k = 2 - n % 2, n - 2, 2 do product = product * k / (k + 1) end
    return product
end

-- Returns the continued fraction of the incomplete beta function, by Lentz's method; it converges
-- quickly for x < (a + 1) / (a + b + 2).
local function fraction(a, b, x)
    local c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    local value = d
    for m = 1, 10000 do
        local even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        local odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        local step = 1.0
        for _, part in ipairs { even, odd } do
            d, c = 1 / (1 + part * d), 1 + part / c
            value, step = value * d * c, d * c
        end
        if math.abs(step - 1) < 1e-16 then break end
    end
    return value
end

---Returns P(|T| > t) of Student's distribution.
---@param t number
---@param freedom integer >= 1
---@return number
function M.student_p(t, freedom)
    local a, all = freedom / 2, freedom + t * t
    local x, y = freedom / all, t * t / all
    if t == 0 then return 1.0 end
    if all == math.huge then return 0.0 end
    local front, root = math.sqrt(y) / beta(freedom), math.sqrt(x)
    for _ = 1, freedom do front = front * root end  -- x^a (1 - x)^(1/2) / B
    if x < (a + 1) / (a + 2.5) then return math.min(1.0, front / a * fraction(a, 0.5, x)) end
    return math.max(0.0, 1 - 2 * front * fraction(0.5, a, y))
end

---Returns how likely chance gives signs as uneven as these, or more so: both are then as likely.
---@param positive integer
---@param negative integer
---@return number
function M.sign_p(positive, negative)
    local chances, all = statistics.binomial(positive + negative, 0.5)
    local sum, k = 0.0, math.min(positive, negative)
    while chances[k] do sum, k = sum + chances[k], k - 1 end
    return math.min(1.0, 2 * sum / all)
end

---Returns which of several tests are significant, at 5 % for all of them together (Holm, A Simple
---Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979).
---@param chances number[] of each test
---@return boolean[]
function M.holm(chances)
    local order, significant = {}, {}
    for i in ipairs(chances) do order[i] = i end
    table.sort(order, function(i, j)
        if chances[i] ~= chances[j] then return chances[i] < chances[j] end
        return i < j
    end)
    local still = true
    for rank, i in ipairs(order) do
        still = still and chances[i] <= LEVEL / (#order - rank + 1)
        significant[i] = still
    end
    return significant
end

---Returns how likely chance gives differences whose mean is as far from 0, and whose signs are as
---uneven.
---@param differences number[] by replica
---@return number|nil of_mean, number|nil of_signs nil for fewer than two
function M.chances(differences)
    local mean, _, sd = statistics.interval(differences)
    if not sd then return nil end
    local positive, negative = 0, 0
    for _, difference in ipairs(differences) do
        if difference > 0 then positive = positive + 1 end
        if difference < 0 then negative = negative + 1 end
    end
    local count = #differences
    local of_mean = sd > 0 and M.student_p(mean / (sd / math.sqrt(count)), count - 1)
        or mean == 0 and 1.0 or 0.0
    return of_mean, M.sign_p(positive, negative)
end

---Marks rows whose difference to the baseline is significant: by its mean, or else by its signs.
---Both tests are corrected for the number of rows. Relaxed policies, which are no schedules, are
---not tested.
---@param rows pinion.ComparisonRow[]
function M.mark(rows)
    local tested, of_means, of_signs = {}, {}, {}
    for _, row in ipairs(rows) do
        if row.difference_p and not row.relaxed then
            tested[#tested + 1] = row
            of_means[#tested], of_signs[#tested] = row.difference_p, row.wins_p
        end
    end
    local means, signs = M.holm(of_means), M.holm(of_signs)
    for i, row in ipairs(tested) do
        row.significant = means[i] and "mean" or signs[i] and "wins" or nil
    end
end

return M
