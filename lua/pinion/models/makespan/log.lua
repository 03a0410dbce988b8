-- Decision logs of the makespan model, for charts: each line is a task with its start and its end,
-- in order of start.

local check = require "pinion.base.check"
local lines = require "pinion.models.log_line"
local keys = require "pinion.models.keys"

local M = {}

---The kinds of lines about a job's work.
M.work = { "task" }

M.draws = true

M.key = keys.part("place in the plan", "whole")
M.apart = true -- pools

M.phases = lines.PHASES_IN_SLOTS

local fail = lines.fail

-- ---- the first line -----------------------------------------------------------------------------

local STAGES = { { kind = "map", slots = "map_slots" },
    { kind = "reduce", slots = "reduce_slots" } }

-- Lists rules that are not everybody's.
local function rules_of(header)
    local rules = {}
    local function add(condition, format, ...)
        if condition then rules[#rules + 1] = string.format(format, ...) end
    end
    add(header.level == "stage", "stage level")
    add(header.share == "exclusive", "exclusive stages")
    add(header.cap == "requested", "at most the requested slots")
    add(header.task_order == "lpt", "longest tasks first")
    add(math.type(header.resplit) == "integer" and header.resplit > 0, "tasks split anew")
    return rules
end

-- Adds the jobs of a pool; false when there is no such list of jobs.
local function add_jobs(pool, index, pool_of)
    if type(pool.jobs) ~= "table" then return false end
    for _, id in ipairs(pool.jobs) do
        if math.type(id) ~= "integer" or id < 1 or pool_of[id] then return false end
        pool_of[id] = index
    end
    return true
end

-- Returns the nodes of the cluster, and the pool of each job.
local function pools_of(header)
    local nodes, pool_of = 0, {}
    if type(header.pools) ~= "table" then return nil, "pools must be an array" end
    for i, pool in ipairs(header.pools) do
        if type(pool) ~= "table" or math.type(pool.nodes) ~= "integer" or pool.nodes < 1 then
            return nil, "pools without nodes"
        end
        if not add_jobs(pool, i, pool_of) then
            return nil, string.format("pools[%d]: jobs must be ids, each once", i)
        end
        nodes = nodes + pool.nodes
    end
    if nodes < 1 then return nil, "pools without nodes" end
    -- Pools may leave nodes unused.
    if math.type(header.nodes) == "integer" then nodes = math.max(nodes, header.nodes) end
    return nodes, pool_of
end

-- Returns the slots of each pool, one pool after the other (MK22).
local function bands_of(header, slots, nodes)
    local bands, at = {}, 0
    for i, pool in ipairs(header.pools) do
        local size = pool.nodes * (slots // nodes)
        bands[i] = { first = at + 1, last = at + size, name = "pool " .. i }
        at = at + size
    end
    return bands
end

local function makespan_panels(header, nodes)
    local panels, staged = {}, header.level == "stage"
    for i, stage in ipairs(STAGES) do
        local slots = header[stage.slots]
        if math.type(slots) ~= "integer" or slots < 1 then
            return nil, stage.slots .. " must be an integer >= 1"
        end
        if nodes and slots % nodes ~= 0 then
            return nil, string.format("%d nodes do not divide %s", nodes, stage.slots)
        end
        panels[i] = {
            name = stage.kind .. " slots", category = stage.kind, rows = slots,
            in_use = stage.kind .. " slots in use",
            bands = nodes and bands_of(header, slots, nodes) or {},
            row_name = function(row) return string.format(staged and "pool %d" or "slot %d", row)
                end,
        }
    end
    return panels
end

-- Returns the rows. At the stage level a bar names its pool, and takes all of it.
local function rows_of(panel, slot, staged)
    if math.type(slot) ~= "integer" then return nil end
    if not staged then return slot >= 1 and slot <= panel.rows and slot or nil, slot end
    local band = panel.bands[slot] or slot == 1 and #panel.bands == 0
        and { first = 1, last = panel.rows }
    if not band then return nil end
    return band.first, band.last
end

M.time = { unit = 1, axis = "time" }

---Returns what timelines show of a run, and what there is of it.
---@param settings pinion.Settings
---@return { [1]: string, [2]: number|nil }[]
function M.levels(settings)
    return { { "jobs" }, { "queue" }, { "map", settings.map_slots },
        { "reduce", settings.reduce_slots } }
end

---@param header table the first line
---@return pinion.LogChart|nil, string|nil why there is none
function M.describe(header)
    local nodes, pool_of = nil, nil
    if header.pools ~= nil then
        nodes, pool_of = pools_of(header)
        if not nodes then return nil, pool_of end
    end
    local panels, why = makespan_panels(header, nodes)
    if not panels then return nil, why end
    local staged = header.level == "stage"
    local index = {}
    for i, stage in ipairs(STAGES) do index[stage.kind] = i end
    return {
        rules = rules_of(header), panels = panels, second = 1e6, unit = M.time.unit,
        axis = M.time.axis,
        pool_of = pool_of,
        place = function(kind, slot)
            local panel = index[kind]
            if not panel then return nil, "kind must be map or reduce" end
            local first, last = rows_of(panels[panel], slot, staged)
            if not first then return nil, "there is no slot " .. check.show(slot) end
            return panel, first, last
        end,
        pool_at = function(panel, row)
            for i, band in ipairs(panels[panel].bands) do
                if row <= band.last then return i end
            end
            return 0
        end,
    }
end

-- ---- lines --------------------------------------------------------------------------------------

-- Quotients come again and again; so many are remembered.
local TIMES_MOST = 10000

-- Returns a function that gives times as doubles.
local function new_times()
    local numbers, count = {}, 0
    return function(time)
        if math.type(time) == "integer" then return time + 0.0 end
        local number = numbers[time]
        if number then return number end
        if count == TIMES_MOST then numbers, count = {}, 0 end
        number = lines.number(time)
        numbers[time], count = number, count + 1
        return number
    end
end

-- Fills the bar from the fields of a line.
local function fill_bar(self, from, to, job, kind, task, row)
    local bar, panel, first, last = self.bar, self.chart.place(kind, row)
    local start, finish = self.times(from), self.times(to)
    if not panel then fail(self.path, self.line, "%s", first) end
    if finish < start then fail(self.path, self.line, "no time from %s to %s", from, to) end
    bar.panel, bar.first, bar.last, bar.row = panel, first, last, row
    bar.from, bar.start, bar.to, bar.finish = from, start, to, finish
    bar.job, bar.task = job, task
end

-- ---- what cannot be -----------------------------------------------------------------------------

---@class pinion.LogWatch what has been seen of a log
---@field start number of the last bar
---@field busy table<integer, number>[] by panel and row: until when
---@field tasks table<integer, table<integer, integer>>[] by panel and job: bits of those that started
---@field ends table<integer, number> by job: of its last task
---@field finished table<integer, boolean>
---@field finishes integer
---@field jobs integer as many as are known of
---@field finish pinion.LoggedTime the last
---@field last number the same as a double

local function new_watch(chart)
    local watch = { start = 0.0, busy = {}, tasks = {}, ends = {}, finished = {}, finishes = 0,
        jobs = 0, finish = 0, last = 0.0 }
    for i in ipairs(chart.panels) do watch.busy[i], watch.tasks[i] = {}, {} end
    for id in next, chart.pool_of or {} do watch.jobs = math.max(watch.jobs, id) end
    return watch
end

local function meet(chart, watch, path, line, job)
    if chart.pool_of and not chart.pool_of[job] then fail(path, line, "there is no job %d", job) end
    if watch.finished[job] then fail(path, line, "job %d has finished before", job) end
    if job > watch.jobs then watch.jobs = job end
end

-- So many tasks to a word of bits.
local BITS = 32

local function see_bar(chart, watch, path, line, bar)
    local panel, job, row, start = bar.panel, bar.job, bar.row, bar.start
    local finish, task = bar.finish, bar.task
    if start < watch.start then fail(path, line, "lines must be in order of start") end
    watch.start = start
    if not watch.ends[job] or chart.pool_of then
        meet(chart, watch, path, line, job)
        if chart.pool_of and chart.pool_of[job] ~= chart.pool_at(panel, bar.first) then
            fail(path, line, "slot %d belongs to another pool than job %d", row, job)
        end
    elseif watch.finished[job] then
        fail(path, line, "job %d has finished before", job)
    end
    local busy = watch.busy[panel]
    if (busy[row] or 0.0) > start then fail(path, line, "slot %d is taken", row) end
    busy[row] = finish
    local tasks = watch.tasks[panel][job]
    if not tasks then
        tasks = {}
        watch.tasks[panel][job] = tasks
    end
    local word, bit = task // BITS, 1 << task % BITS
    local started = tasks[word] or 0
    if started & bit ~= 0 then
        fail(path, line, "%s task %d of job %d starts twice", chart.panels[panel].category, task,
            job)
    end
    tasks[word] = started | bit
    if finish > (watch.ends[job] or -1.0) then watch.ends[job] = finish end
end

local function see_finish(chart, watch, listener, path, line, job, time, number)
    meet(chart, watch, path, line, job)
    if watch.ends[job] and watch.ends[job] ~= number then
        fail(path, line, "job %d does not finish with its last task", job)
    end
    watch.finished[job], watch.finishes = true, watch.finishes + 1
    -- Of times that are one double the later line has the later.
    if number >= watch.last then watch.finish, watch.last = time, number end
    if listener.job then listener.job(job, 0, time, "finished") end
end

---By kind: a line's fields.
M.events = {
    task = function(self, ...)
        fill_bar(self, ...)
        see_bar(self.chart, self.watch, self.path, self.line, self.bar)
        if self.listener.bar then self.listener.bar(self.bar) end
    end,
    finish = function(self, time, job)
        see_finish(self.chart, self.watch, self.listener, self.path, self.line, job, time,
            self.times(time))
    end,
}

local Reader = {}
Reader.__index = Reader

function Reader:now() return self.watch.start end

function Reader:stop() end -- runs are not stopped before their end

function Reader:last_finish() return self.watch.finish end

function Reader:outcome()
    local watch, listener = self.watch, self.listener
    for _, id in ipairs(listener.job and check.sorted_keys(watch.ends) or {}) do
        if not watch.finished[id] then listener.job(id, 0, nil, "unfinished") end
    end
    return { finish = watch.finish, unfinished = watch.jobs - watch.finishes, downs = {},
        notes = {}, result = "makespan " .. lines.time_text(watch.finish),
        end_text = lines.time_text(watch.finish):gsub(" .*", "") }
end

---@param path string
---@param chart pinion.LogChart
---@param listener pinion.LogListener
---@return pinion.LogReader
function M.reader(path, chart, listener)
    return setmetatable({ path = path, chart = chart, listener = listener, line = 1,
        watch = new_watch(chart), times = new_times(), bar = {} }, Reader)
end

return M
