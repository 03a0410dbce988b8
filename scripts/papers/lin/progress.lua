-- How the work of some jobs goes down over time, read off a decision log: rates are constant
-- between two instants, so every curve is a straight line between them.


local experiment = require "pinion".experiment

local M = {}

-- What is left of a job below this share of its size is rounding.
local NOTHING = 1e-12

---@class pinion.ProgressPoint what is left at a moment, by job; work that becomes available at once gives two points at one time
---@field time number
---@field map number[] map work left
---@field shuffle number[] shuffle work left
---@field backlog number[] shuffle work that can be done now

---@class pinion.Progress
---@field points pinion.ProgressPoint[]
---@field finishes number[] by job
---@field map_finishes number[] by job; the arrival of a job without map work

---Reads a decision log.
---@param path string
---@return table[] decisions in order of time: { time =, job =, map_rate =, shuffle_rate = } or { time =, job =, finish = true }
function M.read(path)
    local decisions = {}
    for _, entry in ipairs(experiment.decisions(path)) do
        if entry.job then decisions[#decisions + 1] = entry end
    end
    return decisions
end

local function copy(list)
    return table.move(list, 1, #list, 1, {})
end

---@param decisions table[] as M.read gives them
---@param jobs table[] { arrival =, map =, shuffle = }, in order of id
---@param overlap boolean
---@return pinion.Progress
function M.replay(decisions, jobs, overlap)
    local made = { points = {}, finishes = {}, map_finishes = {} }
    local now, map, shuffle, backlog, map_rate, shuffle_rate = 0.0, {}, {}, {}, {}, {}
    for i, job in ipairs(jobs) do
        map[i], shuffle[i], map_rate[i], shuffle_rate[i] = job.map, job.shuffle, 0.0, 0.0
        backlog[i] = job.map == 0 and job.shuffle or 0.0
        if job.map == 0 then made.map_finishes[i] = job.arrival end
    end
    local function note()
        made.points[#made.points + 1] = { time = now, map = copy(map), shuffle = copy(shuffle),
            backlog = copy(backlog) }
    end
    -- Work goes on at the rates of the last instant; whose map ends without overlap finds all of
    -- its shuffle work at once.
    local function advance(time)
        local step, mapped = time - now, {}
        now = time
        for i, job in ipairs(jobs) do
            local generated = overlap and job.map > 0 and map_rate[i] * job.shuffle / job.map or 0.0
            backlog[i] = math.max(0.0, backlog[i] + (generated - shuffle_rate[i]) * step)
            shuffle[i] = math.max(0.0, shuffle[i] - shuffle_rate[i] * step)
            if map_rate[i] > 0 then
                map[i] = map[i] - map_rate[i] * step
                if map[i] <= NOTHING * job.map then
                    map[i], made.map_finishes[i] = 0.0, time
                    mapped[#mapped + 1] = i
                end
            end
            if backlog[i] <= NOTHING * job.shuffle then backlog[i] = 0.0 end
            if shuffle[i] <= NOTHING * job.shuffle then shuffle[i] = 0.0 end
        end
        note()
        if overlap then return end
        for _, i in ipairs(mapped) do backlog[i] = jobs[i].shuffle end
        if #mapped > 0 then note() end
    end
    note()
    for _, entry in ipairs(decisions) do
        if entry.time > now then advance(entry.time) end
        if entry.finish then
            made.finishes[entry.job], map_rate[entry.job], shuffle_rate[entry.job] = entry.time,
                0.0, 0.0
        else
            map_rate[entry.job], shuffle_rate[entry.job] = entry.map_rate, entry.shuffle_rate
        end
    end
    return made
end

---The sum over the jobs at a point.
---@param point pinion.ProgressPoint
---@param field "map"|"shuffle"|"backlog"
function M.total(point, field)
    local sum = 0.0
    for _, amount in ipairs(point[field]) do sum = sum + amount end
    return sum
end

-- Slopes of a total that differ by less are one slope.
local BEND = 1e-9

---The moments at which a total changes its slope, or jumps; the first point is none.
---@param progress pinion.Progress
---@param field "map"|"shuffle"|"backlog"
---@return number[]
function M.kinks(progress, field)
    local kinks, points = {}, progress.points
    local function slope(i)
        local step = points[i + 1] and points[i + 1].time - points[i].time or 0
        return step > 0 and (M.total(points[i + 1], field) - M.total(points[i], field)) / step
            or nil
    end
    local before = slope(1)
    for i = 2, #points do
        local jumps = points[i].time == points[i - 1].time
        local after = slope(i) or i == #points and 0.0 or before
        if jumps or math.abs(after - before) > BEND then
            if kinks[#kinks] ~= points[i].time then kinks[#kinks + 1] = points[i].time end
        end
        before = after
    end
    return kinks
end

---Moments of several lists, each once, in order; those closer than rounding are one.
---@param lists number[][]
---@return number[]
function M.merge(lists)
    local all, merged = {}, {}
    for _, list in ipairs(lists) do table.move(list, 1, #list, #all + 1, all) end
    table.sort(all)
    for _, moment in ipairs(all) do
        if not merged[1] or moment - merged[#merged] > NOTHING * moment then
            merged[#merged + 1] = moment
        end
    end
    return merged
end

---What is left at a moment, between two instants or at one (after it).
---@param progress pinion.Progress
---@param time number
---@return pinion.ProgressPoint
function M.at(progress, time)
    local points, i = progress.points, 1
    while points[i + 1] and points[i + 1].time <= time do i = i + 1 end
    local from, to = points[i], points[i + 1]
    local made = { time = time, map = {}, shuffle = {}, backlog = {} }
    local part = to and to.time > from.time and (time - from.time) / (to.time - from.time) or 0.0
    for _, field in ipairs { "map", "shuffle", "backlog" } do
        for job, amount in ipairs(from[field]) do
            made[field][job] = to and amount + part * (to[field][job] - amount) or amount
        end
    end
    return made
end

return M
