-- Step functions of time, exact: a value at each time at which one of them changes.

local M = {}

---@class pinion.StepsOfRun
---@field policy string
---@field capacity table<string, number>
---@field times number[] at which something changes, ascending
---@field series table<string, number[]> the value of each from that time on

---Returns what adds pieces up.
---@return { deltas: table<string, table<number, number[]>>, add: fun(name: string, start: number, finish: number, value: number) }
function M.new()
    local deltas = {}
    -- Sums of rates are of two parts, so that what comes goes without a rest.
    local function change(name, time, value)
        local of = deltas[name]
        local sum = of[time] or { 0, 0 }
        of[time] = sum
        M.sum(sum, value)
    end
    return { deltas = deltas, add = function(name, start, finish, value)
        deltas[name] = deltas[name] or {}
        if finish <= start then return end
        change(name, start, value)
        if finish < math.huge then change(name, finish, -value) end
    end }
end

---Adds to a sum with its unevaluated error.
---@param sum number[] two parts
---@param value number
function M.sum(sum, value)
    local total = sum[1] + value
    local back = total - sum[1]
    sum[2] = sum[2] + ((sum[1] - (total - back)) + (value - back))
    sum[1] = total
end

local function times_of(deltas)
    local seen, times = {}, {}
    for _, of in next, deltas do
        for time in next, of do
            if not seen[time] then times[#times + 1], seen[time] = time, true end
        end
    end
    table.sort(times)
    return times
end

---Returns the values at the times at which one of them changes.
---@param deltas table<string, table<number, number[]>>
---@return number[] times, table<string, number[]> series
function M.settle(deltas)
    local times, series, sums, kept = {}, {}, {}, 0
    for name in next, deltas do series[name], sums[name] = {}, { 0, 0 } end
    for _, time in ipairs(times_of(deltas)) do
        local changed = kept == 0
        for name, of in next, deltas do
            local delta = of[time]
            if delta then
                M.sum(sums[name], delta[1])
                M.sum(sums[name], delta[2])
                local value = sums[name][1] + sums[name][2]
                changed = changed or value ~= series[name][kept]
            end
        end
        if changed then
            kept = kept + 1
            times[kept] = time
            for name, sum in next, sums do series[name][kept] = sum[1] + sum[2] end
        end
    end
    return times, series
end

return M
