-- Decision logs of the dag model, for charts: attempts of tasks on their nodes. A node has as many
-- rows as attempts ran there at one time; the log does not say who held which part of it, so the
-- chart takes the first row that is free. Two passes: the first counts the rows.

local check = require "pinion.base.check"
local lines = require "pinion.models.log_line"
local nodes = require "pinion.models.dag.nodes"
local keys = require "pinion.models.keys"
local text = require "pinion.base.text"

local M = {}

---The kinds of lines about a job's work.
M.work = { "launch", "end", "kill", "fail", "lose", "drop" }

M.draws = true

M.key = keys.SCRIPTED_OR_NUMBER

---What phases of a job are called, see output/explain.
M.phases = { kinds = { "task" }, running = { task = "running" },
    waiting = { task = "waiting for room" } }

local fail = lines.fail

-- ---- the first line -----------------------------------------------------------------------------

-- As in the kernel.
local ENTRY_MOST, ALL_MOST = 1 << 40, 1 << 50

-- Returns whether it is one number for each resource.
local function is_vector(value, resources)
    if type(value) ~= "table" or #value ~= resources then return false end
    for r = 1, #value do
        local amount = value[r]
        local good = math.type(amount) == "integer" and amount >= 0 and amount <= ENTRY_MOST
        if not good and not check.integer(amount, 0, ENTRY_MOST) then return false end
    end
    return true
end

local function resources_of(header)
    if type(header.resources) ~= "table" or #header.resources == 0 then
        return nil, "resources must be an array"
    end
    local resources = {}
    for r, name in ipairs(header.resources) do
        if type(name) ~= "string" then
            return nil, string.format("resources[%d] must be text", r)
        end
        resources[r] = { name = name, total = 0 }
    end
    return resources
end

-- Returns what each node has, from 1, and in sum what there is of the resources.
local function capacities_of(header, resources)
    local capacities = {}
    for i, entry in ipairs(header.nodes) do
        local count, why = check.integer(type(entry) == "table" and entry.count or nil, 1, 1 << 20)
        if not count then return nil, string.format("nodes[%d].count %s", i, why) end
        if not is_vector(entry.capacity, #resources) then
            return nil, string.format("nodes[%d].capacity must be a number for each resource", i)
        end
        for r, resource in ipairs(resources) do
            resource.total = resource.total + count * entry.capacity[r]
        end
        for _ = 1, count do capacities[#capacities + 1] = entry.capacity end
    end
    for _, resource in ipairs(resources) do
        if resource.total < 1 or resource.total > ALL_MOST then
            return nil, string.format("nodes have %d of %s, expected 1 to 2^50", resource.total,
                check.show(resource.name))
        end
    end
    return capacities
end

M.time = { unit = 1000, axis = "time, s" }

---Returns what timelines show of a run, and what there is of it.
---@param settings pinion.Settings
---@return { [1]: string, [2]: number|nil }[]
function M.levels(settings)
    local levels, capacity = { { "jobs" }, { "queue" }, { "task" } }, nodes.capacity(settings.nodes)
    for r, name in ipairs(settings.resources) do levels[r + 3] = { name, capacity[r] } end
    return levels
end

---@param header table the first line
---@return pinion.LogChart|nil, string|nil why there is none
function M.describe(header)
    if type(header.nodes) ~= "table" or #header.nodes == 0 then
        return nil, "nodes must be an array"
    end
    local resources, capacities, why
    resources, why = resources_of(header)
    if not resources then return nil, why end
    capacities, why = capacities_of(header, resources)
    if not capacities then return nil, why end
    local absent, wrong = check.integer(header.nodes_absent or 0, 0, #capacities)
    if not absent then return nil, "nodes_absent " .. wrong end
    return {
        rules = { text.count(#capacities, "node") }, nodes = {}, panels = {},
        resources = resources, capacities = capacities, absent = absent,
        second = 1000, unit = M.time.unit, axis = M.time.axis, suffix = " ms", by_end = true,
    }
end

-- ---- lines --------------------------------------------------------------------------------------

-- What attempts end as, and what the chart calls those that were in vain.
local ENDS = { ["end"] = true, kill = "killed", fail = "failed", lose = "lost", drop = "dropped" }
local FATES = { "killed", "failed", "lost", "dropped", "unfinished" }

-- Lays out the rows of all nodes, one below the other; a node where nothing ran has one, too.
local function lay_out(chart, most)
    local rows, bands = 0, {}
    for node = 0, #chart.capacities - 1 do
        local count = most[node] or 1
        bands[node + 1] = { first = rows + 1, last = rows + count, name = "node " .. node,
            number = node }
        rows = rows + count
    end
    chart.nodes = bands
    chart.panels[1] = {
        name = "tasks", category = "task", rows = rows, bands = bands, numbered = true,
        in_use = "running tasks",
        slots = false,
        row_name = function(row)
            local low, high = 1, #bands
            while low < high do
                local middle = (low + high) // 2
                if bands[middle].last < row then low = middle + 1 else high = middle end
            end
            return string.format("%s, %d", bands[low].name, row - bands[low].first + 1)
        end,
    }
end

---Counts how many attempts run on each node at one time, at most.
---@param chart pinion.LogChart
---@return table<string, fun(...: any)>, fun() finish
function M.survey(chart)
    local now, most = {}, {}
    local function leave(_, _, _, _, node) now[node] = math.max(0, (now[node] or 0) - 1) end
    local see = { launch = function(_, _, _, _, node)
        now[node] = (now[node] or 0) + 1
        most[node] = math.max(most[node] or 1, now[node])
    end }
    for event in next, ENDS do see[event] = leave end
    return see, function() lay_out(chart, most) end
end

-- ---- what has been seen -------------------------------------------------------------------------

local Reader = {}
Reader.__index = Reader

function Reader:fail(format, ...)
    fail(self.path, self.line, format, ...)
end

local function at(self, time)
    if time == self.time then return end
    if time < self.time then self:fail("lines must be in order of time") end
    if self.listener.level then self.listener.level(self.time, time, self.used, self.up) end
    self.time = time
end

-- Adds a vector so many times, for who watches.
local function add(sums, vector, times)
    for r = 1, #vector do sums[r] = sums[r] + times * vector[r] end
end

local function job_of(self, id)
    local job = self.jobs[id]
    if not job then self:fail("job %d has not come", id) end
    if job.over then self:fail("job %d is over", id) end
    return job
end

local function node_of(self, id)
    local node = self.nodes[id]
    if not node then self:fail("there is no node %d", id) end
    return node
end

-- Ends the time in which an executor waited for work of its job.
local function end_idle(self, place)
    if place.idle and self.listener.idle and place.idle < self.time then
        self.listener.idle(place.owner, place.idle + 0.0, self.time + 0.0)
    end
    place.idle = nil
end

local function key_of(stage, task) return stage << 21 | task end

local function launch(self, id, stage, task, node, attempt)
    local job, place, key = job_of(self, id), node_of(self, node), key_of(stage, task)
    if job.running[key] then self:fail("stage %d, task %d runs already", stage, task) end
    if not place.up then self:fail("node %d is down", node) end
    local demand, busy, row = job.demands[stage + 1], place.busy, place.band.first
    if not demand then self:fail("job %d has no stage %d", id, stage) end
    while busy[row] do row = row + 1 end
    busy[row] = true
    end_idle(self, place)
    if self.listener.launch then
        self.listener.launch(id, demand, place.free, self.time)
        add(place.free, demand, -1)
    end
    if self.listener.level then add(self.used, demand, 1) end
    local run = table.remove(self.spare) or {}
    run.node, run.row, run.start, run.attempt = node, row, self.time, attempt
    run.stage, run.task = stage, task
    job.running[key] = run
end

local function show(self, id, run, fate)
    if not self.listener.bar then return end
    local bar = self.bar
    bar.panel, bar.row, bar.first, bar.last = 1, run.row, run.row, run.row
    bar.job, bar.stage, bar.task, bar.attempt, bar.node = id, run.stage, run.task, run.attempt,
        run.node
    bar.from, bar.to, bar.start, bar.finish = run.start, self.time, run.start + 0.0, self.time + 0.0
    bar.fate, bar.demand = fate, self.jobs[id].demands[run.stage + 1]
    self.listener.bar(bar)
end

local function leave(self, event, id, stage, task, node, attempt)
    local job, key = job_of(self, id), key_of(stage, task)
    local run = job.running[key]
    if not run or run.node ~= node or run.attempt ~= attempt then
        self:fail("stage %d, task %d of job %d does not run on node %d", stage, task, id, node)
    end
    local fate = ENDS[event]
    show(self, id, run, fate ~= true and fate or nil)
    job.running[key], self.spare[#self.spare + 1] = nil, run
    local demand, place = job.demands[stage + 1], node_of(self, node)
    place.busy[run.row] = nil
    place.idle = place.owner and self.time
    if self.listener.level then add(self.used, demand, -1) end
    if self.listener.launch then add(place.free, demand, 1) end
    if fate ~= true then self.count[fate] = (self.count[fate] or 0) + 1 end
end

local function set_node(self, id, up)
    local node = node_of(self, id)
    if node.up == up then self:fail("node %d is %s already", id, up and "up" or "down") end
    node.up = up
    end_idle(self, node)
    node.owner = nil
    add(self.up, node.capacity, up and 1 or -1)
    if up then
        node.down.finish = self.time + 0.0
    else
        node.down = { panel = 1, band = node.band, start = self.time + 0.0 }
        self.downs[#self.downs + 1] = node.down
    end
end

-- Resizes: a host says what a node has from now on; what runs there may hold more until it ends.
local function resize(self, id, capacity)
    local node = node_of(self, id)
    if #capacity ~= #self.used then self:fail("capacity must be a number for each resource") end
    add(node.free, node.capacity, -1)
    add(node.free, capacity, 1)
    if node.up then
        add(self.up, node.capacity, -1)
        add(self.up, capacity, 1)
    end
    node.capacity = capacity
end

-- Notes to which job an executor belongs from now on.
local function move(self, id, node)
    local place = node_of(self, node)
    job_of(self, id)
    end_idle(self, place)
    place.owner, place.idle, self.moved = id, self.time, true
end

-- Frees the executors of a job that leaves, or of all jobs at the end.
local function free_executors(self, id)
    for node = 0, self.moved and #self.nodes or -1 do
        local place = self.nodes[node]
        if place.owner == id or not id then
            end_idle(self, place)
            place.owner = nil
        end
    end
end

local function leave_job(self, id, state)
    local job = job_of(self, id)
    if next(job.running) then self:fail("job %d is over while tasks of it run", id) end
    free_executors(self, id)
    job.over, job.running, job.demands = true, nil, nil
    self.active = self.active - 1
    if self.listener.job then self.listener.job(id, job.arrival, self.time, state) end
    return job
end

local function finish_job(self, id)
    local job = leave_job(self, id, "finished")
    self.finished = self.finished + 1
    self.total = self.total + self.time - job.arrival
    self.finish = self.time
end

local function check_demands(self, id, demands)
    for _, demand in ipairs(demands) do
        if #demand ~= #self.used then
            self:fail("demands of job %d must be a vector for each stage", id)
        end
    end
    return demands
end

local function come(self, id, demands)
    if self.jobs[id] then self:fail("job %d comes twice", id) end
    self.jobs[id] = { arrival = self.time, running = {},
        demands = check_demands(self, id, demands) }
    self.first = self.first or self.time
    self.active, self.came = self.active + 1, self.came + 1
end

-- What happens at a time.
local ACTS = {
    arrive = come,
    launch = launch,
    finish = finish_job,
    node_down = function(self, id) set_node(self, id, false) end,
    node_up = function(self, id) set_node(self, id, true) end,
    node_resize = resize,
    move = move,
    -- A host takes back what it cannot do.
    cancel = function(self, id)
        leave_job(self, id, "cancelled")
        self.cancelled = self.cancelled + 1
    end,
}
for event in next, ENDS do
    ACTS[event] = function(self, ...) leave(self, event, ...) end
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
        if self.listener.job then self.listener.job(id, job.arrival, nil, "unfinished") end
        for _, key in ipairs(check.sorted_keys(job.running)) do
            show(self, id, job.running[key], "unfinished")
        end
    end
end

function Reader:outcome()
    self:show_running()
    free_executors(self)
    if self.listener.level then self.listener.level(self.time, nil, self.used, self.up) end
    local notes = {}
    for _, fate in ipairs(FATES) do
        if self.count[fate] then
            notes[#notes + 1] = text.count(self.count[fate], "attempt") .. " " .. fate
        end
    end
    if self.cancelled > 0 then
        notes[#notes + 1] = text.count(self.cancelled, "job") .. " cancelled"
    end
    local mean = self.finished > 0 and self.total / self.finished / 1000
    return { now = self.time, first = self.first or 0, finish = self.finish,
        unfinished = self.active, jobs = self.came, downs = self.downs, notes = notes,
        result = mean and string.format("mean completion time %s s", text.plain(mean))
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
    local nodes, used, up = {}, {}, {}
    local none = {}
    for r in ipairs(chart.resources) do used[r], up[r], none[r] = 0, 0, 0 end
    for i, band in ipairs(chart.nodes) do
        local capacity = i > #chart.nodes - chart.absent and none or chart.capacities[i]
        nodes[i - 1] = { band = band, busy = {}, up = true, capacity = capacity,
            free = table.move(capacity, 1, #capacity, 1, {}) }
        add(up, capacity, 1)
    end
    return setmetatable({ path = path, listener = listener, line = 1, time = 0, jobs = {},
        nodes = nodes, bar = {}, spare = {}, count = {}, downs = {}, active = 0, came = 0,
        finished = 0, cancelled = 0, total = 0, finish = 0, used = used, up = up }, Reader)
end

return M
