-- Decision logs of the tandem model: the rates of a job at both stations, whenever they change. The
-- log does not say when jobs come: the jobs of the workload do.

local lines = require "pinion.models.log_line"
local keys = require "pinion.models.keys"
local text = require "pinion.base.text"

local M = {}

---The kinds of lines about a job's work.
M.work = { "rates" }

M.draws = true

local fail = lines.fail

---A log is understood beside the jobs of its workload only.
M.needs_jobs = true

M.key = keys.SCRIPTED_FIRST

---What phases of a job are called, see output/explain.
M.phases = {
    kinds = { "map", "shuffle" },
    running = { map = "mapping", shuffle = "shuffling", both = "mapping and shuffling" },
    waiting = { map = "waiting for the map station",
        shuffle = "waiting for the shuffle station" },
}

---Returns what each station can do in a unit of time, which the log does not say.
---@param settings pinion.Settings
---@return number
function M.capacity(settings) return settings.speed end

M.time = { unit = 1, axis = "time" }

---Returns what timelines show of a run, and what there is of it.
---@param settings pinion.Settings
---@return { [1]: string, [2]: number|nil }[]
function M.levels(settings)
    return { { "jobs" }, { "queue" }, { "map", settings.speed }, { "shuffle", settings.speed } }
end

---@param header table the first line
---@param jobs table[] of the workload, by id
---@return pinion.LogChart
function M.describe(_, jobs)
    return { rules = {}, jobs = jobs, unit = M.time.unit, axis = M.time.axis, suffix = "",
        second = 1000000,
        panels = {
            { name = "map station", category = "map", bands = {}, slots = false,
                in_use = "speed of the map station in use" },
            { name = "shuffle station", category = "shuffle", bands = {}, slots = false,
                in_use = "speed of the shuffle station in use" } } }
end

-- ---- lines --------------------------------------------------------------------------------------

local Reader = {}
Reader.__index = Reader

function Reader:job_of(time, id)
    if time < self.time then fail(self.path, self.line, "lines must be in order of time") end
    self.time = time
    local job = self.jobs[id]
    if not job then fail(self.path, self.line, "the workload has no job %d", id) end
    if self.finished[id] then fail(self.path, self.line, "job %d has finished before", id) end
    return job
end

-- Shows a stretch of time with the same rates that has ended.
function Reader:show(id)
    local bar, rates = self.bar, self.rates[id]
    if not rates or not self.listener.bar or rates.since >= self.time then return end
    bar.job, bar.preemptive = id, true
    bar.from, bar.to, bar.start, bar.finish = rates.since, self.time, rates.since + 0.0,
        self.time + 0.0
    for panel, amount in ipairs(rates) do
        if amount > 0 then
            bar.panel, bar.amount = panel, amount
            self.listener.bar(bar)
        end
    end
end

---By kind: a line's fields.
M.events = {
    rates = function(self, time, id, map, shuffle)
        self:job_of(time, id)
        self:show(id)
        self.rates[id] = { map, shuffle, since = time }
    end,
    finish = function(self, time, id)
        local job = self:job_of(time, id)
        self:show(id)
        self.finished[id], self.rates[id], self.last = true, nil, time
        self.count, self.total = self.count + 1, self.total + (time - job.arrival)
        if self.listener.job then self.listener.job(id, job.arrival, time, "finished") end
    end,
}

-- Shows jobs that have not finished, as far as they have come.
function Reader:outcome()
    local unfinished = 0
    for id, job in ipairs(self.jobs) do
        if not self.finished[id] and job.arrival <= self.time then
            unfinished = unfinished + 1
            self:show(id)
            if self.listener.job then self.listener.job(id, job.arrival, nil, "unfinished") end
        end
    end
    return { finish = self.last, unfinished = unfinished, now = self.time, notes = {}, downs = {},
        jobs = self.count + unfinished,
        result = self.count > 0 and "mean response time " .. text.plain(self.total / self.count)
            or "no job finished",
        end_text = self.count > 0 and text.plain(self.last) or nil }
end

function Reader:now() return self.time end

function Reader:stop(time) self.time = math.max(self.time, time) end

function Reader:last_finish() return self.last end

---@param path string
---@param chart pinion.LogChart
---@param listener pinion.LogListener
---@return pinion.LogReader
function M.reader(path, chart, listener)
    return setmetatable({ path = path, listener = listener, jobs = chart.jobs, line = 1,
        time = 0, last = 0, finished = {}, rates = {}, bar = {}, count = 0, total = 0 }, Reader)
end

return M
