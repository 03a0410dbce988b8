-- What decision logs say of time, as pieces of step functions: from here to there so much more of a
-- series. Who adds them up chooses how: into buckets, or exactly.

local lines = require "pinion.models.log_line"
local log = require "pinion.output.log"

local M = {}

---@class pinion.TimelineRun a log that is ready to be read
---@field path string
---@field chart pinion.LogChart
---@field jobs table<integer, { came: number, gone: number|nil }> by id, without those that were rejected
---@field first number arrival
---@field last number finish

local function see_job(run, id, arrival, finish, state)
    if state == "rejected" then return end
    local came, gone = lines.double(arrival), finish and lines.double(finish)
    run.jobs[id] = { came = came, gone = gone }
    run.first, run.last = math.min(run.first, came), math.max(run.last, gone or 0.0)
end

---@param path string
---@param jobs table[]|nil of the workload, where logs of its model need them
---@return pinion.TimelineRun
function M.open(path, jobs)
    local run = { path = path, chart = log.chart(path, jobs, true), jobs = {}, last = 0.0,
        first = math.huge }
    log.each_job(path, run.chart, function(id, arrival, finish, state)
        see_job(run, id, arrival, finish, state)
    end)
    return run
end

---Returns what there is of each series, where that is known.
---@param chart pinion.LogChart
---@param machines integer|nil
---@return table<string, number>
function M.capacity(chart, machines)
    local capacity = {}
    for _, panel in ipairs(chart.panels) do
        capacity[panel.category] = panel.slots ~= false and panel.rows or machines
    end
    for _, resource in ipairs(chart.resources or {}) do capacity[resource.name] = resource.total end
    return capacity
end

local OF_JOBS = { jobs = "jobs in the system", waiting = "jobs that have not begun",
    queue = "jobs that hold nothing" }

---Returns what a series says, for people.
---@param chart pinion.LogChart
---@param name string of a series, which may be that of a group
---@return string
function M.title(chart, name)
    local kind, group = name:match "^(.-) of (.*)$"
    kind = kind or name
    local title = OF_JOBS[kind]
    for _, panel in ipairs(chart.panels) do
        if panel.category == kind then title = panel.in_use end
    end
    for _, resource in ipairs(chart.resources or {}) do
        if resource.name == name then return name .. " in use" end
    end
    return (title or kind) .. (group and ", " .. group or "")
end

-- Joins a bar to the times in which its job holds something: a list of such, apart from each other
-- and in order. Bars come in order of their starts or of their ends; either way only the last ones
-- can touch.
local function hold(held, start, finish)
    local last = #held
    while last > 0 and held[last].finish >= start do
        start, finish = math.min(start, held[last].start), math.max(finish, held[last].finish)
        held[last] = nil
        last = last - 1
    end
    held[last + 1] = { start = start, finish = finish }
end

-- Adds a job's time in the system, and the parts in which it holds nothing.
local function add_job(add, job, held, group)
    local gone = job.gone or math.huge
    add("jobs", job.came, gone, 1)
    add("waiting", job.came, math.min(held[1] and held[1].start or gone, gone), 1)
    local at = job.came
    for i = 1, #held + 1 do
        local finish = held[i] and held[i].start or gone
        if finish > at then
            add("queue", at, finish, 1)
            if group then add("queue of " .. group, at, finish, 1) end
        end
        at = held[i] and held[i].finish
    end
end

---Goes through a log; what a piece is of is added in no order of time.
---@param run pinion.TimelineRun
---@param group_of (fun(id: integer): string|nil)|nil
---@param add fun(name: string, start: number, finish: number, value: number) finish may be math.huge: to the end
function M.each(run, group_of, add)
    local chart, held = run.chart, {}
    for id in next, run.jobs do held[id] = {} end
    -- Returns what is held. No pass over the jobs alone sees those of a run that was stopped whom
    -- only bars name.
    local function held_by(id)
        held[id] = held[id] or {}
        return held[id]
    end
    local outcome = log.each(run.path, chart, {
        bar = function(bar)
            local kind = chart.panels[bar.panel].category
            local amount = bar.amount or bar.last - bar.first + 1
            add(kind, bar.start, bar.finish, amount)
            local group = group_of and group_of(bar.job)
            if group then add(kind .. " of " .. group, bar.start, bar.finish, amount) end
            if bar.finish > bar.start then hold(held_by(bar.job), bar.start, bar.finish) end
        end,
        job = function(id, arrival, finish, state)
            if not run.jobs[id] then see_job(run, id, arrival, finish, state) end
        end,
        level = chart.resources and function(start, finish, used)
            for r, resource in ipairs(chart.resources) do
                if finish then add(resource.name, start, finish, used[r]) end
            end
        end,
    })
    for id, job in next, run.jobs do add_job(add, job, held_by(id), group_of and group_of(id)) end
    return outcome
end

---Returns the names of series in the order in which they are shown: those of every model first,
---then what is used of each kind and resource, then the others by name.
---@param runs { series: table<string, any> }[]
---@param chart pinion.LogChart
---@return string[]
function M.names(runs, chart)
    local names, seen = {}, {}
    local function take(name)
        for _, run in ipairs(runs) do
            if run.series[name] and not seen[name] then
                names[#names + 1], seen[name] = name, true
            end
        end
    end
    for _, name in ipairs { "jobs", "waiting", "queue" } do take(name) end
    for _, panel in ipairs(chart.panels) do take(panel.category) end
    for _, resource in ipairs(chart.resources or {}) do take(resource.name) end
    local others = {}
    for _, run in ipairs(runs) do
        for name in next, run.series do others[#others + 1] = name end
    end
    table.sort(others)
    for _, name in ipairs(others) do take(name) end
    return names
end

return M
