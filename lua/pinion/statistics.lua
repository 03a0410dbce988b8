-- Small statistics over replicas and pooled flow times.

local M = {}

---0.07 * 100 is a hair over 7: a rank that rounding alone lifts over an integer stays there. As the kernel's side does it.
M.RANK = 1 - 1e-14

-- Student's t at 97.5 %: exact for 1 and 2 degrees of freedom, else the Cornish-Fisher expansion, within 0.5 %.
local function student(freedom)
    if freedom == 1 then return 12.706 end
    if freedom == 2 then return 4.303 end
    local z = 1.959964
    return z + (z ^ 3 + z) / (4 * freedom) + (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / (96 * freedom ^ 2)
        + (3 * z ^ 7 + 19 * z ^ 5 + 17 * z ^ 3 - 15 * z) / (384 * freedom ^ 3)
end

---Mean of the values and the half width of its 95 % confidence interval (nil for fewer than two values).
---@param values number[]
---@return number|nil mean, number|nil half_width
function M.interval(values)
    local n = #values
    if n == 0 then return nil end
    local sum = 0
    for _, value in ipairs(values) do sum = sum + value end
    local mean = sum / n
    if n == 1 then return mean end
    local squares = 0
    for _, value in ipairs(values) do squares = squares + (value - mean) ^ 2 end
    return mean, student(n - 1) * math.sqrt(squares / (n - 1) / n)
end

---The values of a table of counts in ascending order, and the sum of the counts.
---@param counts table<number, number>
---@return number[] values, number total
function M.sorted_values(counts)
    local values, total = {}, 0
    for value, count in next, counts do
        values[#values + 1] = value
        total = total + count
    end
    table.sort(values)
    return values, total
end

---Nearest-rank quantile of counted values.
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

---Adds the counts of `more` to those of `counts`.
function M.pool(counts, more)
    for value, count in next, more do counts[value] = (counts[value] or 0) + count end
end

return M
