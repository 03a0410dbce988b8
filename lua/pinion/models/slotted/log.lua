-- Decision logs of the slotted model: what each job gets in each slot. The log says neither when
-- jobs come nor how long reduce tasks take: the jobs of the workload do.

local lines = require "pinion.models.log_line"
local keys = require "pinion.models.keys"
local text = require "pinion.base.text"

local M = {}

---The kinds of lines about a job's work.
M.work = { "map", "reduce", "start" }

M.draws = true

local fail = lines.fail

---A log is understood beside the jobs of its workload only.
M.needs_jobs = true

local MACHINES = { map = true, reduce = true }

M.key = keys.SCRIPTED

---What phases of a job are called, see output/explain.
M.phases = {
    kinds = { "map", "reduce" },
    running = { map = "mapping", reduce = "reducing", both = "mapping and reducing" },
    waiting = { map = "waiting for machines to map", reduce = "waiting for machines to reduce" },
    slots = true,
    competing = { map = MACHINES, reduce = MACHINES },
}

---Returns what there is of machines, which the log does not say.
---@param settings pinion.Settings
---@return number
function M.capacity(settings) return settings.machines end

M.time = { unit = 1, axis = "slots" }

---Returns what timelines show of a run, and what there is of it.
---@param settings pinion.Settings
---@return { [1]: string, [2]: number|nil }[]
function M.levels(settings)
    return { { "jobs" }, { "queue" }, { "map", settings.machines },
        { "reduce", settings.machines }, { "backlog" } }
end

---@param header table the first line
---@param jobs table[] of the workload, by id
---@return pinion.LogChart
function M.describe(_, jobs)
    return { rules = {}, jobs = jobs, unit = M.time.unit, axis = M.time.axis, suffix = "",
        second = 1000000, first_time = 1, together = "machines",
        panels = { { name = "map", category = "map", in_use = "machines with map work" },
            { name = "reduce", category = "reduce", in_use = "machines with reduce work" } } }
end

-- ---- lines --------------------------------------------------------------------------------------

local Reader = {}
Reader.__index = Reader

function Reader:job_of(slot, id)
    if slot < self.time then fail(self.path, self.line, "lines must be in order of slots") end
    self.time = slot
    local job = self.jobs[id]
    if not job then fail(self.path, self.line, "the workload has no job %d", id) end
    if slot < job.arrival then
        fail(self.path, self.line, "job %d arrives in slot %d", id, job.arrival)
    end
    if self.finished[id] then fail(self.path, self.line, "job %d has finished before", id) end
    return job
end

-- Shows a piece of a job's work: one or several machines for some slots.
function Reader:show(id, panel, slot, length, amount, preemptive)
    local bar = self.bar
    bar.job, bar.panel, bar.amount, bar.preemptive = id, panel, amount, preemptive
    bar.from, bar.to, bar.start, bar.finish = slot, slot + length, slot + 0.0, slot + length + 0.0
    if self.listener.bar then self.listener.bar(bar) end
end

---By kind: a line's fields.
M.events = {
    map = function(self, slot, id, amount)
        self:job_of(slot, id)
        self:show(id, 1, slot, 1, amount, true)
    end,
    reduce = function(self, slot, id, amount)
        self:job_of(slot, id)
        self:show(id, 2, slot, 1, amount, true)
    end,
    start = function(self, slot, id, first, count)
        local job = self:job_of(slot, id)
        for task = first, first + count - 1 do
            local length = job.reduces and job.reduces[task]
            if not length then
                fail(self.path, self.line, "job %d has no reduce task %d", id, task)
            end
            self:show(id, 2, slot, length, 1, false)
        end
    end,
    finish = function(self, slot, id)
        local job = self:job_of(slot, id)
        self.finished[id], self.last = true, slot
        self.count, self.total = self.count + 1, self.total + slot + 1 - job.arrival
        if self.listener.job then self.listener.job(id, job.arrival, slot + 1, "finished") end
    end,
}

-- Shows jobs that have not finished, as far as they have come.
function Reader:outcome()
    local unfinished = 0
    for id, job in ipairs(self.jobs) do
        if not self.finished[id] and job.arrival <= self.time then
            unfinished = unfinished + 1
            if self.listener.job then self.listener.job(id, job.arrival, nil, "unfinished") end
        end
    end
    return { finish = self.last, unfinished = unfinished, now = self.time + 1, notes = {},
        downs = {}, jobs = self.count + unfinished, end_time = self.last + 1.0,
        result = self.count > 0 and "mean flow time " .. text.plain(self.total / self.count)
            or "no job finished",
        end_text = self.count > 0 and "slot " .. self.last or nil }
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
        time = 1, last = 0, finished = {}, bar = {}, count = 0, total = 0 }, Reader)
end

return M
