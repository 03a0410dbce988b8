-- Two schedules of the same jobs: where they part, and which jobs gain and lose by it.

local core = require "pinion.core"
local diff_text = require "pinion.output.diff.text"
local explain = require "pinion.output.explain"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local lines = require "pinion.models.log_line"
local log = require "pinion.output.log"
local statistics = require "pinion.base.statistics"

local M = {}

---@class pinion.Difference
---@field model string
---@field policies string[] of both logs
---@field parting pinion.Parting|nil nil: all decisions are the same
---@field jobs { job: integer, arrival: number, times: number[], delta: number }[] that finished in both, by id; delta: what the second takes longer
---@field only integer[] jobs that finished in one of them, or in none
---@field sooner integer jobs that the second finishes sooner
---@field later integer
---@field same integer
---@field mean number|nil of the deltas
---@field quantiles table<string, number> of the deltas: p5, p25, p50, p75, p95
---@field groups { group: string, jobs: integer, sooner: integer, later: integer, mean: number }[]|nil

local Difference = { __tostring = fault.plain(function(self)
    return (diff_text.document(self):text "table":gsub("\n$", ""))
end) }

---@class pinion.Parting the first decision that differs
---@field alike integer lines before it that are the same
---@field time number of the earlier of both
---@field lines string[] what each log has there
---@field instant pinion.Instant as the first log has it right then, the second where the first ends

-- ---- where they part ----------------------------------------------------------------------------

-- Returns the time of a line, which is its first field.
local function time_of(model, path, number, written)
    local kind, time = core.log_event(written, model)
    if not kind then lines.fail(path, number, "%s", time) end
    return kind == "last" and math.huge or lines.double(time)
end

-- Bytes that are compared at once.
local BLOCK = 1 << 16

-- Skips the next lines of two files that are the same, as far as whole blocks are; both are then
-- read on from the line behind these.
local function skip_alike(first, second)
    local places, read, kept, count = { first:seek(), second:seek() }, 0, 0, 0
    local a, b = first:read(BLOCK), second:read(BLOCK)
    while a and a == b do
        local at = a:find("\n", 1, true)
        while at do
            count, kept = count + 1, read + at
            at = a:find("\n", at + 1, true)
        end
        read = read + #a
        a, b = first:read(BLOCK), second:read(BLOCK)
    end
    first:seek("set", places[1] + kept)
    second:seek("set", places[2] + kept)
    return count
end

local function parting_of(model, paths, jobs)
    local first <close> = files.open(paths[1])
    local second <close> = files.open(paths[2])
    first:read "l"
    second:read "l"
    local alike = skip_alike(first, second)
    local a, b = first:read "l", second:read "l"
    while a and a == b do
        alike, a, b = alike + 1, first:read "l", second:read "l"
    end
    if not a or not b then return nil end
    local first_time = time_of(model, paths[1], alike + 2, a)
    local second_time = time_of(model, paths[2], alike + 2, b)
    local time = math.min(first_time, second_time)
    if time == math.huge then return nil end
    -- One that ends there says nothing of that time.
    local goes_on = first_time == math.huge and 2 or 1
    return { alike = alike, time = math.tointeger(time) or time, lines = { a, b },
        instant = explain.instant(paths[goes_on], time, jobs) }
end

-- ---- jobs ---------------------------------------------------------------------------------------

-- Returns the time in the system of each job that finished, and the arrivals of all.
local function times_of(path, jobs)
    local times, arrivals, chart = {}, {}, log.chart(path, jobs, true)
    log.each_job(path, chart, function(id, arrival, finish, state)
        arrivals[id] = arrival
        if state == "finished" then times[id] = lines.difference(finish, arrival) end
    end)
    return times, arrivals, chart
end

local function ids_of(first, second)
    local ids, seen = {}, {}
    for _, list in ipairs { first, second } do
        for id in next, list do
            if not seen[id] then ids[#ids + 1], seen[id] = id, true end
        end
    end
    table.sort(ids)
    return ids
end

local function check_arrivals(paths, first, second)
    for id, arrival in next, first do
        if second[id] and second[id] ~= arrival then
            fault.usage("%s and %s are of different jobs (job %d arrives at %s, and at %s)",
                paths[1], paths[2], id, arrival, second[id])
        end
    end
end

local QUANTILES = { 5, 25, 50, 75, 95 }

local function count_deltas(made)
    local deltas, sum = {}, 0
    for i, job in ipairs(made.jobs) do
        local which = job.delta < 0 and "sooner" or job.delta > 0 and "later" or "same"
        made[which] = made[which] + 1
        deltas[i], sum = job.delta, sum + job.delta
    end
    table.sort(deltas)
    if #deltas == 0 then return end
    made.mean = sum / #deltas
    for _, q in ipairs(QUANTILES) do
        made.quantiles["p" .. q] = deltas[math.ceil(#deltas * q / 100 * statistics.RANK)]
    end
end

-- Groups jobs by the group that the workload gives each.
local function groups_of(jobs, group_of)
    local groups, by_name = {}, {}
    for _, job in ipairs(jobs) do
        local name = group_of(job.job)
        local group = name and by_name[name]
        if name and not group then
            group = { group = name, jobs = 0, sooner = 0, later = 0, sum = 0 }
            by_name[name], groups[#groups + 1] = group, group
        end
        if group then
            group.jobs, group.sum = group.jobs + 1, group.sum + job.delta
            group.sooner = group.sooner + (job.delta < 0 and 1 or 0)
            group.later = group.later + (job.delta > 0 and 1 or 0)
        end
    end
    for _, group in ipairs(groups) do group.mean, group.sum = group.sum / group.jobs, nil end
    table.sort(groups, function(a, b) return a.group < b.group end)
    return #groups > 0 and groups or nil
end

---@param paths string[] two decision logs of the same jobs
---@param jobs table[]|nil those of the workload by id, of models whose logs need them
---@param group_of (fun(id: integer): string|nil)|nil
---@return pinion.Difference
function M.logs(paths, jobs, group_of)
    local models = { log.model(paths[1]).name, log.model(paths[2]).name }
    if models[1] ~= models[2] then
        fault.usage("%s is of the %s model, %s of the %s model", paths[1], models[1], paths[2],
            models[2])
    end
    local first, came, chart = times_of(paths[1], jobs)
    local second, came_too, other = times_of(paths[2], jobs)
    check_arrivals(paths, came, came_too)
    local made = setmetatable({ model = chart.model, policies = { chart.policy, other.policy },
        parting = parting_of(chart.model, paths, jobs), jobs = {}, only = {}, sooner = 0,
        later = 0, same = 0, quantiles = {} }, Difference)
    for _, id in ipairs(ids_of(came, came_too)) do
        local a, b = first[id], second[id]
        if a and b then
            made.jobs[#made.jobs + 1] = { job = id, arrival = came[id], times = { a, b },
                delta = b - a }
        else
            made.only[#made.only + 1] = id
        end
    end
    count_deltas(made)
    made.groups = group_of and groups_of(made.jobs, group_of)
    return made
end

return M
