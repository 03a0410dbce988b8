-- What happened over time, from decision logs: jobs in the system, jobs that wait for their first
-- start, and what is in use of each kind, in buckets of equal length.

local buckets = require "pinion.output.buckets"
local fault = require "pinion.base.fault"
local lines = require "pinion.models.log_line"
local log = require "pinion.output.log"
local print_timeline = require "pinion.output.timeline.print"

local M = {}

---@class pinion.Timeline
---@field model string
---@field from number
---@field to number the last finish of all
---@field count integer buckets
---@field unit number of time on the axis of figures, and what stands there
---@field axis string
---@field names string[] of the series: jobs, waiting, the kinds of the model, its resources, kinds of groups
---@field runs { policy: string, series: table<string, number[]>, capacity: table<string, number> }[] the mean of each bucket; what there is, where that is known

M.COUNT, M.COUNT_MOST = 200, 1000000

local Timeline = { __tostring = function(self)
    return (print_timeline.document(self):text "table":gsub("\n$", ""))
end }

-- ---- reading ------------------------------------------------------------------------------------

-- What a run needs to be read: its chart, its jobs, and when the last of these finished.
local function open_run(path, jobs)
    local run = { path = path, chart = log.chart(path, jobs, true), jobs = {}, last = 0.0,
        first = math.huge }
    log.each_job(path, run.chart, function(id, arrival, finish, state)
        local came, gone = lines.double(arrival), finish and lines.double(finish)
        if state == "rejected" then return end
        run.jobs[id] = { came = came, gone = gone }
        run.first, run.last = math.min(run.first, came), math.max(run.last, gone or 0.0)
    end)
    return run
end

local function capacity_of(chart, machines)
    local capacity = {}
    for _, panel in ipairs(chart.panels) do
        capacity[panel.category] = panel.slots ~= false and panel.rows or machines
    end
    for _, resource in ipairs(chart.resources or {}) do capacity[resource.name] = resource.total end
    return capacity
end

-- A series that is made when its first value comes.
local function series_of(made, name)
    local means = made.series[name]
    if not means then
        means = buckets.new(made.count)
        made.series[name] = means
    end
    return means
end

local function fill(made, run, from, scale, group_of)
    local started = {}
    local function add(name, start, finish, value)
        buckets.add(series_of(made, name), (start - from) * scale, (finish - from) * scale, value)
    end
    log.each(run.path, run.chart, {
        bar = function(bar)
            local kind = run.chart.panels[bar.panel].category
            local amount = bar.amount or bar.last - bar.first + 1
            add(kind, bar.start, bar.finish, amount)
            local group = group_of and group_of(bar.job)
            if group then add(kind .. " of " .. group, bar.start, bar.finish, amount) end
            local before = started[bar.job]
            if not before or bar.start < before then started[bar.job] = bar.start end
        end,
        level = run.chart.resources and function(start, finish, used)
            for r, resource in ipairs(run.chart.resources) do
                if finish then add(resource.name, start, finish, used[r]) end
            end
        end,
    })
    for id, job in next, run.jobs do
        local gone = job.gone or math.huge
        add("jobs", job.came, gone, 1)
        add("waiting", job.came, math.min(started[id] or gone, gone), 1)
    end
end

-- ---- all of it ----------------------------------------------------------------------------------

-- In the order in which they are shown: those of every model first, then by name.
local function names_of(runs, chart)
    local names, seen = {}, {}
    local function take(name)
        for _, run in ipairs(runs) do
            if run.series[name] and not seen[name] then
                names[#names + 1], seen[name] = name, true
            end
        end
    end
    take "jobs"
    take "waiting"
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

---@param paths string[] decision logs of one model
---@param options { jobs: table[]|nil, machines: integer|nil, count: integer|nil, group_of: (fun(id: integer): string|nil)|nil }
---@return pinion.Timeline
function M.read(paths, options)
    local runs, made = {}, setmetatable({ from = math.huge, to = 0.0,
        count = options.count or M.COUNT, runs = {} }, Timeline)
    for i, path in ipairs(paths) do
        local model = log.model(path).name
        if made.model and made.model ~= model then
            fault.usage("%s is of the %s model, %s of the %s model", paths[1], made.model, path,
                model)
        end
        local run = open_run(path, options.jobs)
        runs[i], made.model = run, model
        made.from, made.to = math.min(made.from, run.first), math.max(made.to, run.last)
    end
    if made.to <= made.from then
        fault.usage("%s: no job finished, so there is no time to show", paths[1])
    end
    local scale = made.count / (made.to - made.from)
    for i, run in ipairs(runs) do
        local one = { policy = run.chart.policy, count = made.count, series = {},
            capacity = capacity_of(run.chart, options.machines) }
        fill(one, run, made.from, scale, options.group_of)
        made.runs[i], one.count = one, nil
    end
    made.unit, made.axis = runs[1].chart.unit, runs[1].chart.axis
    made.names = names_of(made.runs, runs[1].chart)
    return made
end

return M
