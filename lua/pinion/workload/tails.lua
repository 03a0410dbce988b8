-- What is known of the tails of a workload's sizes: whether a run can be long enough for its mean.

local core = require "pinion.core"

local M = {}

-- Options that are distributions, but not of work.
local NOT_WORK <const> = {
    cpu = true, memory = true, depth = true, width = true, deadline_ms = true,
    deadline_factor = true,
}

-- Returns the distributions of work among the options, by name.
local function sizes_of(workload)
    local names, options = {}, workload.options or {}
    for name, value in next, options do
        local is_size = type(value) == "table" and type(value.text) == "string"
            and core.distribution_kinds[value.kind] ~= nil and not NOT_WORK[name]
        -- of which lin takes the cube root then
        if is_size and not (name == "ratio" and options.balance) then names[#names + 1] = name end
    end
    table.sort(names)
    return names
end

-- Returns the squared skewness of the squares of sizes: by these, jobs delay each other where a
-- large one holds up all others.
local function skewness_of_squares(text)
    local m2, m4, m6 = core.distribution_moment(text, 2), core.distribution_moment(text, 4),
        core.distribution_moment(text, 6)
    if not (m2 and m4 and m6) then return 0.0 end
    if m6 == math.huge then return math.huge end
    local variance, third = m4 - m2 * m2, m6 - 3 * m2 * m4 + 2 * m2 * m2 * m2
    return variance > 1e-9 * m4 and third * third / (variance * variance * variance) or 0.0
end

-- Cochran's rule: the mean of so many values, times their squared skewness, is nearly normal.
local COCHRAN <const> = 25

---Returns how many jobs a run needs at least before its mean can be told, and the option that says
---so, such as "map=pareto(1.5,1)".
---@param workload pinion.Workload
---@param holds_up boolean whether a large job holds up all others
---@return number jobs infinite where the sizes have no variance, string|nil option
function M.jobs_needed(workload, holds_up)
    local most, option = 0, nil
    for _, name in ipairs(sizes_of(workload)) do
        local text = workload.options[name].text
        local jobs = core.distribution_moment(text, 2) == math.huge and math.huge
            or holds_up and COCHRAN * skewness_of_squares(text) or 0
        if jobs > most then most, option = jobs, name .. "=" .. text end
    end
    return most, option
end

---Returns by how much sizes make a queue vary more than exponential ones: (1 + c^2) / 2, where c is
---their coefficient of variation; at least 1.
---@param workload pinion.Workload
---@return number
function M.variability(workload)
    local most = 1
    for _, name in ipairs(sizes_of(workload)) do
        local text = workload.options[name].text
        local m1, m2 = core.distribution_moment(text, 1), core.distribution_moment(text, 2)
        if m1 and m2 and m1 > 0 then most = math.max(most, m2 / (m1 * m1) / 2) end
    end
    return most
end

---Returns the option whose distribution has no variance.
---@param workload pinion.Workload
---@return string|nil
function M.without_variance(workload)
    local jobs, option = M.jobs_needed(workload, false)
    return jobs == math.huge and option or nil
end

return M
