-- The warning that a system does not keep up with its arrivals, in one voice for runs, comparisons and sweeps.

local text = require "pinion.base.text"

local M = {}

M.MEANING = "the number of jobs in the system was still growing when arrivals ended: means depend on the length of the run"

---What growth means, for people.
---@param quarters number[]
---@return string
function M.describe(quarters)
    local numbers = {}
    for q, number in ipairs(quarters) do numbers[q] = text.number(number, number < 10 and 1 or 0) end
    return (M.MEANING:gsub(":", string.format(" (on average %s in the quarters of the arrivals):", table.concat(numbers, ", ")), 1))
end

local function warn(format, ...)
    io.stderr:write(string.format("pinion: " .. format .. "\n", ...))
end

---@param result pinion.Result
function M.warn_result(result)
    if result.growing then warn("%s: %s", result.policy, M.describe(result.quarters)) end
end

---@param comparison pinion.Comparison
function M.warn_comparison(comparison)
    for _, row in ipairs(comparison.rows) do
        if row.growing then warn("%s: %s", row.policy, M.describe(row.quarters)) end
    end
end

-- More cells than this are counted, not named.
local CELLS_NAMED = 3

---@param sweep pinion.Sweep
function M.warn_sweep(sweep)
    local growing, named = 0, {}
    for _, row in ipairs(sweep.rows) do
        if row.growing then
            growing = growing + 1
            local cell = { row.policy }
            for i, axis in ipairs(sweep.over) do cell[i + 1] = axis.name .. "=" .. tostring(row[axis.name]) end
            if growing <= CELLS_NAMED then named[growing] = table.concat(cell, " ") end
        end
    end
    if growing == 0 then return end
    warn("%d of %s (%s%s): %s", growing, text.count(#sweep.rows, "row"), table.concat(named, "; "), growing > CELLS_NAMED and "; …" or "",
        M.MEANING)
end

return M
