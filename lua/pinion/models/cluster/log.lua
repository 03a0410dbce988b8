-- Decision logs of the cluster model, for charts: attempts are launched and end, each on one of its
-- node's slots; one that is suspended has a bar for each time in a slot. The log does not say on
-- which of them, as they are all alike: the chart takes the first one that is free. Jobs may have
-- deadlines, be rejected when they come, and be found to be late.

local check = require "pinion.base.check"
local lines = require "pinion.models.log_line"
local nodes = require "pinion.models.cluster.nodes"
local keys = require "pinion.models.keys"
local text = require "pinion.base.text"

local M = {}

---The kinds of lines about a job's work.
M.work = { "launch", "end", "kill", "fail", "lose", "drop", "rerun", "suspend", "resume", "cancel" }

M.draws = true

M.key = keys.SCRIPTED_OR_NUMBER

M.phases = lines.PHASES_IN_SLOTS

local fail = lines.fail

-- ---- the first line -----------------------------------------------------------------------------

local KINDS = { "map", "reduce" }

-- Returns what nodes of this kind there are: { count, map slots, reduce slots }; or nil and the
-- reason.
local function group_of(entry, place)
    if type(entry) ~= "table" then return nil, place .. " must be an object" end
    local group = {}
    for i, name in ipairs { "count", "map_slots", "reduce_slots" } do
        local value, why = check.integer(entry[name], i == 1 and 1 or 0, i == 1 and 1 << 22
            or 1 << 16)
        if not value then return nil, string.format("%s.%s %s", place, name, why) end
        group[i] = value
    end
    return group
end

-- Returns the nodes one after the other, with their rows in each panel; and how many rows there
-- are.
local function nodes_of(header)
    if type(header.nodes) ~= "table" or #header.nodes == 0 then
        return nil, "nodes must be an array"
    end
    local nodes, rows = {}, { 0, 0 }
    for i, entry in ipairs(header.nodes) do
        local group, why = group_of(entry, string.format("nodes[%d]", i))
        if not group then return nil, why end
        for _ = 1, group[1] do
            local node, number = {}, #nodes
            for k, kind in ipairs(KINDS) do
                local slots = group[k + 1]
                if slots > 0 then
                    node[kind] = { first = rows[k] + 1, last = rows[k] + slots,
                        name = "node " .. number, number = number }
                end
                rows[k] = rows[k] + slots
            end
            nodes[number + 1] = node
        end
    end
    if rows[1] == 0 then return nil, "nodes without a map slot" end
    local absent, why = check.integer(header.nodes_absent or 0, 0, #nodes)
    if not absent then return nil, "nodes_absent " .. why end
    for i = #nodes - absent + 1, #nodes do nodes[i].absent = true end
    return nodes, rows
end

-- Returns the band of a row, by halving.
local function band_at(bands, row)
    local low, high = 1, #bands
    while low < high do
        local middle = (low + high) // 2
        if bands[middle].last < row then low = middle + 1 else high = middle end
    end
    return bands[low]
end

local function panel_of(nodes, kind, rows)
    local bands = {}
    for _, node in ipairs(nodes) do bands[#bands + 1] = node[kind] end
    return {
        name = kind .. " slots", category = kind, rows = rows, bands = bands, numbered = true,
        in_use = kind .. " slots in use",
        row_name = function(row)
            local band = band_at(bands, row)
            return string.format("%s, slot %d", band.name, row - band.first + 1)
        end,
    }
end

M.time = { unit = 1000, axis = "time, s" }

---Returns what timelines show of a run, and what there is of it.
---@param settings pinion.Settings
---@return { [1]: string, [2]: number|nil }[]
function M.levels(settings)
    local sums = nodes.sums(settings.nodes)
    return { { "jobs" }, { "queue" }, { "map", sums.map_slots }, { "reduce", sums.reduce_slots } }
end

---@param header table the first line
---@return pinion.LogChart|nil, string|nil why there is none
function M.describe(header)
    local nodes, rows = nodes_of(header)
    if not nodes then return nil, rows end
    local panels, index = {}, {}
    for k, kind in ipairs(KINDS) do
        if rows[k] > 0 then
            panels[#panels + 1] = panel_of(nodes, kind, rows[k])
            index[kind] = #panels
        end
    end
    return {
        rules = { text.count(#nodes, "node"), header.measured == true and "measured" or nil },
        panels = panels, index = index, nodes = nodes, second = 1000, unit = M.time.unit,
        axis = M.time.axis,
        suffix = " ms",
        by_end = true, maps = {}, whole = {},
    }
end

-- ---- lines --------------------------------------------------------------------------------------

---Surveys the maps; how many each job has shows at the end only: in the numbers of its tasks, if it
---came as far as needing all of them.
---@param chart pinion.LogChart
---@return table<string, fun(...: any)>
function M.survey(chart)
    local maps, all = chart.maps, chart.whole
    return {
        launch = function(_, job, kind, task)
            if kind == "map" and task > (maps[job] or 0) then maps[job] = task end
        end,
        ["end"] = function(_, job, kind)
            if kind == "reduce" then all[job] = true end
        end,
    }
end

-- ---- what has been seen -------------------------------------------------------------------------

---@class pinion.LogClusterJob
---@field submit integer
---@field running table<string, table<integer, table[]>> by kind and task: its attempts, one or two
---@field done table<string, table<integer, boolean>>
---@field maps_done integer
---@field maps_finish integer|nil when the last one ended, while all are done
---@field over boolean|nil it finished, failed or was rejected
---@field promise pinion.LogPromise|nil of one with a deadline

local Reader = {}
Reader.__index = Reader

-- Settles the rows of a node that are out of use, because it is down or has fewer slots than it may
-- have: the last ones. Attempts above its slots keep theirs until they end.
local function settle(self, node, kind)
    local slots = node[kind]
    if not slots.band then return end
    local count = slots.band.last - slots.band.first + 1
    local out = node.up and count - math.max(slots.most, slots.taken) or count
    if slots.out == out then return end
    if slots.down then slots.down.finish = self.time + 0.0 end
    slots.out, slots.down = out, nil
    if out == 0 then return end
    slots.down = { panel = self.chart.index[kind], start = self.time + 0.0,
        band = { first = slots.band.last - out + 1, last = slots.band.last,
            name = slots.band.name, number = slots.band.number } }
    self.downs[#self.downs + 1] = slots.down
end

local function add_slots(self)
    for i, node in ipairs(self.chart.nodes) do
        local made = { up = true }
        self.slots[i] = made
        for _, kind in ipairs(KINDS) do
            local band = node[kind]
            made[kind] = { band = band, busy = {}, hint = band and band.first or 0, taken = 0,
                out = 0, most = band and not node.absent and band.last - band.first + 1 or 0 }
            settle(self, made, kind)
        end
    end
end

function Reader:fail(format, ...)
    fail(self.path, self.line, format, ...)
end

local function at(self, time)
    if time < self.time then self:fail("lines must be in order of time") end
    self.time = time
end

local function job_of(self, id)
    local job = self.jobs[id]
    if not job then self:fail("job %d has not come", id) end
    if job.over then self:fail("job %d is over", id) end
    return job
end

local function node_of(self, id)
    local node = self.slots[id + 1]
    if not node then self:fail("there is no node %d", id) end
    return node
end

-- Takes the first free row of a node; its slots below the hint are all taken.
local function take_row(self, node, kind, id)
    local slots = node[kind]
    local row, last = slots.hint, slots.band and slots.band.last or -1
    while row <= last and slots.busy[row] do row = row + 1 end
    slots.hint = row
    if row > last or slots.taken >= slots.most then
        self:fail("node %d has no free %s slot", id, kind)
    end
    slots.busy[row], slots.taken = true, slots.taken + 1
    return row
end

local function free_row(self, node, kind, row)
    local slots = node[kind]
    slots.busy[row], slots.taken = nil, slots.taken - 1
    if row < slots.hint then slots.hint = row end
    if slots.taken >= slots.most then settle(self, node, kind) end
end

-- Returns which moment a reduce works from: when all maps of its job were done. Nothing is known of
-- jobs that never came so far.
function Reader:work_start(id, job, run, time)
    if run.kind ~= "reduce" or not self.chart.whole[id] then return nil end
    local from = job.maps_finish or time
    return from > run.start and from or nil
end

local function show(self, id, task, run, time, fate)
    if not self.listener.bar then return end
    local bar = self.bar
    bar.panel, bar.row, bar.first, bar.last = self.chart.index[run.kind], run.row, run.row, run.row
    bar.job, bar.task, bar.attempt, bar.node = id, task, run.attempt, run.node
    bar.from, bar.to, bar.start, bar.finish = run.start, time, run.start + 0.0, time + 0.0
    bar.fate, bar.works = fate, self:work_start(id, self.jobs[id], run, time)
    self.listener.bar(bar)
end

-- ---- events -------------------------------------------------------------------------------------

-- Launches. Two attempts of a task run on different nodes.
function Reader:launch(id, kind, task, node, attempt)
    local job, place = job_of(self, id), node_of(self, node)
    local runs = job.running[kind][task] or {}
    if #runs == 2 or runs[1] and (runs[1].node == node or runs[1].suspended) then
        self:fail("%s task %d of job %d runs already", kind, task, id)
    end
    if job.done[kind][task] then self:fail("%s task %d of job %d is done", kind, task, id) end
    if not place.up then self:fail("node %d is down", node) end
    if runs[1] then self.count.copied = (self.count.copied or 0) + 1 end
    runs[#runs + 1] = { kind = kind, node = node, start = self.time, attempt = attempt,
                        row = take_row(self, place, kind, node) }
    job.running[kind][task] = runs
end

-- What the chart calls attempts that were in vain, by how they ended.
local ENDS = { kill = "killed", fail = "failed", lose = "lost", drop = "dropped",
    cancel = "cancelled" }
local FATES = { "killed", "failed", "lost", "dropped", "suspended", "copied", "cancelled",
    "unfinished" }

-- Returns the attempt on a node, and its place among those of the task.
local function run_of(self, id, kind, task, node, attempt)
    for i, run in ipairs(job_of(self, id).running[kind][task] or {}) do
        if run.node == node and run.attempt == attempt then return run, i end
    end
    self:fail("%s task %d of job %d does not run on node %d", kind, task, id, node)
end

-- Ends its bar, and frees its row; nothing of one that has none.
local function end_bar(self, id, task, run, fate)
    if run.suspended then return end
    show(self, id, task, run, self.time, fate)
    free_row(self, node_of(self, run.node), run.kind, run.row)
end

local function note(self, fate)
    self.count[fate] = (self.count[fate] or 0) + 1
end

function Reader:leave(event, id, kind, task, node, attempt)
    local job, fate = job_of(self, id), ENDS[event]
    local run, place = run_of(self, id, kind, task, node, attempt)
    if run.suspended and (event == "end" or event == "fail" or event == "kill") then
        self:fail("%s task %d of job %d is suspended", kind, task, id)
    end
    end_bar(self, id, task, run, fate)
    local runs = job.running[kind][task]
    table.remove(runs, place)
    if #runs == 0 then job.running[kind][task] = nil end
    if fate then return note(self, fate) end
    job.done[kind][task] = true
    if kind == "map" then
        job.maps_done = job.maps_done + 1
        if job.maps_done == self.chart.maps[id] then job.maps_finish = self.time end
    end
end

function Reader:suspend(id, kind, task, node, attempt)
    local run = run_of(self, id, kind, task, node, attempt)
    if run.suspended then self:fail("%s task %d of job %d is suspended", kind, task, id) end
    end_bar(self, id, task, run, "suspended")
    note(self, "suspended")
    run.suspended = true
end

function Reader:resume(id, kind, task, node, attempt)
    local run, place = run_of(self, id, kind, task, node, attempt), node_of(self, node)
    if not run.suspended then
        self:fail("%s task %d of job %d runs already", kind, task, id)
    end
    if not place.up then self:fail("node %d is down", node) end
    run.row, run.start, run.suspended = take_row(self, place, kind, node), self.time, nil
end

function Reader:rerun(id, kind, task)
    local job = job_of(self, id)
    if not job.done[kind][task] then
        self:fail("%s task %d of job %d is not done", kind, task, id)
    end
    if self.listener.again then self.listener.again(id, kind, task, self.time) end
    job.done[kind][task] = nil
    job.maps_done, job.maps_finish = job.maps_done - 1, nil
end

-- Notes the answer to a job at its arrival; nothing of one that is accepted and has no deadline.
function Reader:promise(id, rejected, estimate, deadline)
    if not deadline and not rejected then return nil end
    local promise = { job = id, submit = self.time, deadline = deadline and self.time + deadline,
        estimate = estimate, state = rejected and "rejected" or nil, late = {} }
    self.promises[#self.promises + 1] = promise
    return promise
end

-- Tells what became of a job.
local function tell(self, id, job, finish, state)
    if self.listener.job then self.listener.job(id, job.submit, finish, state) end
end

local function come(self, id, rejected, estimate, deadline)
    if self.jobs[id] then self:fail("job %d comes twice", id) end
    local job = { submit = self.time, running = { map = {}, reduce = {} },
        done = { map = {}, reduce = {} }, maps_done = 0, over = rejected or nil,
        promise = self:promise(id, rejected, estimate, deadline) }
    self.jobs[id] = job
    if rejected then return tell(self, id, job, self.time, "rejected") end
    self.active, self.came = self.active + 1, self.came + 1
end

local function over(self, id, state)
    local job = job_of(self, id)
    if next(job.running.map) or next(job.running.reduce) then
        self:fail("job %d is over while tasks of it run", id)
    end
    job.over = true
    job.running, job.done = nil, nil
    self.active = self.active - 1
    if job.promise then job.promise.state, job.promise.finish = state, self.time end
    return job
end

function Reader:finish_job(id)
    local job = over(self, id)
    if job.promise then
        job.promise.state = self.time > job.promise.deadline and "missed" or "met"
    end
    self.finished = self.finished + 1
    self.makespans = self.makespans + (self.time - job.submit)
    self.finish = self.time
    tell(self, id, job, self.time, "finished")
end

local function set_node(self, id, up)
    local node = node_of(self, id)
    if node.up == up then self:fail("node %d is %s already", id, up and "up" or "down") end
    node.up = up
    for _, kind in ipairs(KINDS) do settle(self, node, kind) end
end

local function resize(self, id, ...)
    local node = node_of(self, id)
    for i, kind in ipairs(KINDS) do
        local slots, count = node[kind], select(i, ...)
        local most, why = check.integer(count, 0,
            slots.band and slots.band.last - slots.band.first + 1 or 0)
        if not most then self:fail("%s_slots %s", kind, why) end
        slots.most = most
        settle(self, node, kind)
    end
end

local function leave_job(self, id, state, counted)
    tell(self, id, over(self, id, state), self.time, state)
    self.count[counted] = (self.count[counted] or 0) + 1
end

-- What happens at a time.
local ACTS = {
    accept = function(self, id, ...) come(self, id, false, ...) end,
    reject = function(self, id, ...) come(self, id, true, ...) end,
    late = function(self, id)
        local promise = job_of(self, id).promise
        if not promise then self:fail("job %d has no deadline", id) end
        table.insert(promise.late, self.time)
    end,
    finish = Reader.finish_job,
    job_failed = function(self, id) leave_job(self, id, "failed", "jobs_failed") end,
    job_cancelled = function(self, id) leave_job(self, id, "cancelled", "jobs_cancelled") end,
    node_down = function(self, id) set_node(self, id, false) end,
    node_up = function(self, id) set_node(self, id, true) end,
    node_resize = resize,
    launch = Reader.launch, rerun = Reader.rerun, suspend = Reader.suspend,
    resume = Reader.resume,
    ["end"] = function(self, ...) self:leave("end", ...) end,
}
for event in next, ENDS do
    ACTS[event] = function(self, ...) self:leave(event, ...) end
end

---By kind: a line's fields.
M.events = {}
for event, act in next, ACTS do
    M.events[event] = function(self, time, ...)
        at(self, time)
        act(self, ...)
    end
end

-- ---- the reader ---------------------------------------------------------------------------------

-- Shows jobs that the end of a run met, with their attempts at work.
function Reader:show_running()
    local present = {}
    for id, job in next, self.jobs do
        if not job.over then present[id] = job end
    end
    for _, id in ipairs(check.sorted_keys(present)) do
        local job = present[id]
        tell(self, id, job, nil, "unfinished")
        for _, kind in ipairs(KINDS) do
            for _, task in ipairs(check.sorted_keys(job.running[kind])) do
                for _, run in ipairs(job.running[kind][task]) do
                    end_bar(self, id, task, run, "unfinished")
                end
            end
        end
    end
end

-- So many jobs are named in a note.
local NAMES_MOST = 8

-- Names "2 jobs rejected: J3 J4".
local function named(notes, what, words, promises)
    if #promises == 0 then return end
    local names = {}
    for i = 1, math.min(#promises, NAMES_MOST) do names[i] = "J" .. promises[i].job end
    if #promises > NAMES_MOST then names[#names + 1] = "…" end
    notes[#notes + 1] = string.format("%s %s: %s", text.count(#promises, what), words,
        table.concat(names, " "))
end

-- Notes what came of deadlines.
function Reader:note_promises(notes)
    local of = { rejected = {}, failed = {}, cancelled = {}, met = {}, missed = {}, late = {} }
    for _, promise in ipairs(self.promises) do
        if promise.state then table.insert(of[promise.state], promise) end
        if #promise.late > 0 then table.insert(of.late, promise) end
    end
    named(notes, "job", "rejected", of.rejected)
    named(notes, "job", "late", of.late)
    if #of.met > 0 then notes[#notes + 1] = text.count(#of.met, "deadline") .. " met" end
    named(notes, "deadline", "missed", of.missed)
end

function Reader:outcome()
    self:show_running()
    local notes = {}
    for _, fate in ipairs(FATES) do
        if self.count[fate] then
            notes[#notes + 1] = string.format("%s %s", text.count(self.count[fate], "attempt"),
                fate)
        end
    end
    if self.count.jobs_failed then
        notes[#notes + 1] = text.count(self.count.jobs_failed, "job") .. " failed"
    end
    if self.count.jobs_cancelled then
        notes[#notes + 1] = text.count(self.count.jobs_cancelled, "job") .. " cancelled"
    end
    self:note_promises(notes)
    local mean = self.finished > 0 and self.makespans / self.finished / 1000
    return { now = self.time, finish = self.finish, unfinished = self.active, jobs = self.came,
        downs = self.downs,
        notes = notes,
             promises = self.promises,
             result = mean and string.format("mean response time %s s", text.plain(mean))
                 or "no job finished",
             end_text = mean and string.format("%.3f", self.finish / 1000):gsub("%.?0+$", "") }
end

function Reader:now() return self.time end

function Reader:stop(time) at(self, time) end

function Reader:last_finish() return self.finish end

---@param path string
---@param chart pinion.LogChart
---@param listener pinion.LogListener
---@return pinion.LogReader
function M.reader(path, chart, listener)
    local self = setmetatable({ path = path, chart = chart, listener = listener, line = 1, time = 0,
        jobs = {}, slots = {}, bar = {}, count = {}, downs = {}, promises = {}, active = 0,
        came = 0, finished = 0, makespans = 0, finish = 0 }, Reader)
    add_slots(self)
    return self
end

return M
