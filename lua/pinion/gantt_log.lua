-- What a decision log says for a chart: which rows there are, and the bars on them, in order of their start. Logs are read line
-- by line, so that they may be of any length.
--
-- A model whose log can be drawn says how in MODELS; what draws knows of panels, rows and bars only.

local check = require "pinion.check"
local core = require "pinion.core"
local fault = require "pinion.fault"
local text = require "pinion.text"

local M = {}

---@alias pinion.LoggedTime integer|string an integer, or "p/q" in lowest terms: equal times are equal values

---@class pinion.GanttBar
---@field panel integer
---@field row integer as the log has it: a slot, or at the stage level a pool
---@field first integer row, from 1
---@field last integer row; a stage takes all rows of its pool
---@field job integer
---@field task integer
---@field from pinion.LoggedTime
---@field to pinion.LoggedTime
---@field start number `from` as a double
---@field finish number

---@class pinion.GanttBand rows that belong together
---@field first integer
---@field last integer
---@field name string

---@class pinion.GanttPanel
---@field name string of its rows
---@field category string of its bars
---@field rows integer
---@field bands pinion.GanttBand[] none when the rows are all alike
---@field row_name fun(row: integer): string

---@class pinion.GanttChart
---@field model string
---@field policy string
---@field rules string[] what a reader should know of the run
---@field panels pinion.GanttPanel[]
---@field place fun(kind: any, slot: any): integer|nil, integer|string, integer|nil panel, first row, last row; or nil and why not
---@field pool_of table<integer, integer>|nil by job id, where jobs have pools
---@field pool_at fun(panel: integer, row: integer): integer
---@field second number microseconds that a viewer of traces is told for a unit of time

---A logged time as a double; nil when it is none.
---@param value any
---@return number|nil
function M.number(value)
    if math.type(value) == "integer" then return value >= 0 and value + 0.0 or nil end
    if type(value) ~= "string" then return nil end
    local num, den = value:match "^(%d+)/(%d+)$"
    num, den = math.tointeger(tonumber(num)), math.tointeger(tonumber(den))
    if not num or not den or den <= 0 then return nil end
    -- The whole part apart, as it may have more digits than a double.
    return num // den + num % den / den
end

-- ---- makespan -------------------------------------------------------------------------------------------

local STAGES = { { kind = "map", slots = "map_slots" }, { kind = "reduce", slots = "reduce_slots" } }

-- Rules that are not everybody's.
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

-- The nodes of the cluster, and the pool of each job.
local function pools_of(header)
    local nodes, pool_of = 0, {}
    if type(header.pools) ~= "table" then return nil, "pools must be an array" end
    for i, pool in ipairs(header.pools) do
        if type(pool) ~= "table" or math.type(pool.nodes) ~= "integer" or pool.nodes < 1 then return nil, "pools without nodes" end
        if not add_jobs(pool, i, pool_of) then return nil, string.format("pools[%d]: jobs must be ids, each once", i) end
        nodes = nodes + pool.nodes
    end
    if nodes < 1 then return nil, "pools without nodes" end
    -- Pools may leave nodes to nobody.
    if math.type(header.nodes) == "integer" then nodes = math.max(nodes, header.nodes) end
    return nodes, pool_of
end

-- The slots of each pool, one pool after the other (P1).
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
        if math.type(slots) ~= "integer" or slots < 1 then return nil, stage.slots .. " must be an integer >= 1" end
        if nodes and slots % nodes ~= 0 then return nil, string.format("%d nodes do not divide %s", nodes, stage.slots) end
        panels[i] = {
            name = stage.kind .. " slots", category = stage.kind, rows = slots,
            bands = nodes and bands_of(header, slots, nodes) or {},
            row_name = function(row) return string.format(staged and "pool %d" or "slot %d", row) end,
        }
    end
    return panels
end

-- At the stage level a bar names its pool, and takes all of it.
local function rows_of(panel, slot, staged)
    if math.type(slot) ~= "integer" then return nil end
    if not staged then return slot >= 1 and slot <= panel.rows and slot or nil, slot end
    local band = panel.bands[slot] or slot == 1 and #panel.bands == 0 and { first = 1, last = panel.rows }
    if not band then return nil end
    return band.first, band.last
end

local function makespan(header)
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
        rules = rules_of(header), panels = panels, second = 1e6, pool_of = pool_of,
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

local MODELS = { makespan = makespan }

-- ---- lines ----------------------------------------------------------------------------------------------

-- What a log says that cannot be: the run of this command failed, as that of `verify` does.
local function fail(path, line, format, ...)
    fault.located("run", string.format("%s:%d: %s", path, line, string.format(format, ...)))
end

local function decode(path, line, written)
    local entry, problem = core.json_decode(written, path)
    if not check.is_object(entry) then
        -- The reader counts lines from the one it was given.
        fail(path, line, "%s", problem and tostring(problem):gsub("^.-:%d+: ", "") or "expected an object")
    end
    return entry
end

-- Logs are long, and their lines look as the program writes them: those are taken apart without the reader of JSON. What looks
-- otherwise is decoded.
local TIME, COUNT = '([%d/"]+)', "([1-9]%d*)"
local DECISION = string.format('^{"start":%s,"end":%s,"job":%s,"kind":"(%%l+)","task":%s,"slot":%s}$', TIME, TIME, COUNT, COUNT,
    COUNT)
local FINISH = string.format('^{"time":%s,"job":%s,"finish":true}$', TIME, COUNT)

-- Times come again and again; so many are remembered.
local TIMES_MOST = 10000

-- A function that gives times as the log writes them: as they are, and as doubles; nil when a line has to be decoded.
local function new_times()
    local values, numbers, count = {}, {}, 0
    return function(written)
        local number = numbers[written]
        if number then return values[written], number end
        local value = written:match '^"(%d+/%d+)"$'
        if not value and (written == "0" or written:find "^[1-9]%d*$") then value = math.tointeger(tonumber(written)) end
        number = M.number(value)
        if not number then return nil end
        if count == TIMES_MOST then values, numbers, count = {}, {}, 0 end
        values[written], numbers[written], count = value, number, count + 1
        return value, number
    end
end

local function positive(path, line, name, value)
    if math.type(value) ~= "integer" or value < 1 then
        fail(path, line, "%s must be an integer >= 1, got %s", name, check.show(value))
    end
end

local function decoded_bar(chart, path, line, entry, bar)
    local panel, first, last = chart.place(entry.kind, entry.slot)
    if not panel then fail(path, line, "%s", first) end
    bar.panel, bar.first, bar.last, bar.row = panel, first, last, entry.slot
    bar.from, bar.to, bar.job, bar.task = entry.start, entry["end"], entry.job, entry.task
    bar.start, bar.finish = M.number(bar.from), M.number(bar.to)
    if not bar.start or not bar.finish or bar.finish < bar.start then
        fail(path, line, "no time from %s to %s", check.show(bar.from), check.show(bar.to))
    end
    positive(path, line, "job", bar.job)
    positive(path, line, "task", bar.task)
end

-- Fills the bar from a line as the program writes it; false when it is not one.
local function written_bar(chart, times, written, bar)
    local from, to, job, kind, task, slot = written:match(DECISION)
    if not from then return false end
    local row = math.tointeger(tonumber(slot))
    local panel, first, last = chart.place(kind, row)
    if not panel then return false end
    bar.panel, bar.first, bar.last, bar.row = panel, first, last, row
    bar.from, bar.start = times(from)
    bar.to, bar.finish = times(to)
    bar.job, bar.task = math.tointeger(tonumber(job)), math.tointeger(tonumber(task))
    return bar.start and bar.finish and bar.finish >= bar.start and bar.job and bar.task and true or false
end

-- ---- what cannot be ------------------------------------------------------------------------------------

---@class pinion.GanttWatch what has been seen of a log
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
    local watch = { start = 0.0, busy = {}, tasks = {}, ends = {}, finished = {}, finishes = 0, jobs = 0, finish = 0, last = 0.0 }
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
    if started & bit ~= 0 then fail(path, line, "%s task %d of job %d starts twice", chart.panels[panel].category, task, job) end
    tasks[word] = started | bit
    if finish > (watch.ends[job] or -1.0) then watch.ends[job] = finish end
end

local function see_finish(chart, watch, path, line, job, time, number)
    positive(path, line, "job", job)
    if not number then fail(path, line, "no time: %s", check.show(time)) end
    meet(chart, watch, path, line, job)
    if watch.ends[job] and watch.ends[job] ~= number then fail(path, line, "job %d does not finish with its last task", job) end
    watch.finished[job], watch.finishes = true, watch.finishes + 1
    -- Of times that are one double the later line has the later.
    if number >= watch.last then watch.finish, watch.last = time, number end
end

local function see_end(watch, path, line, time)
    if not M.number(time) then fail(path, line, "no time: %s", check.show(time)) end
    if time ~= watch.finish then
        fail(path, line, "the end is not the last finish (expected %s, got %s)", watch.finish, check.show(time))
    end
end

-- ---- reading --------------------------------------------------------------------------------------------

local function chart_of(path, header)
    if header.pinion_log ~= 1 then fail(path, 1, "not a decision log of this version (expected \"pinion_log\": 1)") end
    local describe = type(header.model) == "string" and MODELS[header.model]
    if not describe then
        fail(path, 1, "logs of model %s cannot be drawn (expected %s)", check.show(header.model),
            table.concat(check.sorted_keys(MODELS), " or "))
    end
    local chart, why = describe(header)
    if not chart then fail(path, 1, "%s", why) end
    chart.model, chart.policy = header.model, type(header.policy) == "string" and header.policy or "?"
    return chart
end

local function open(path)
    local file, why = io.open(path, "rb")
    if not file then fault.located("usage", why) end
    return file
end

---The chart of a log, from its first line.
---@param path string
---@return pinion.GanttChart
function M.chart(path)
    local file <close> = open(path)
    local first, why = file:read "l"
    if not first then fail(path, 1, "%s", why or "expected the first line of a decision log") end
    return chart_of(path, decode(path, 1, first))
end

-- Polls and tells every so many lines.
local LINES = 4096

---@class pinion.GanttEnd
---@field finish pinion.LoggedTime the last of those that finished
---@field unfinished integer jobs, as far as the log names them: 0 unless the run was stopped

---Goes through the bars of a log, in its order. The bar is one table, filled anew each time.
---@param path string
---@param chart pinion.GanttChart
---@param visit fun(bar: pinion.GanttBar)
---@return pinion.GanttEnd
function M.each(path, chart, visit)
    local file <close> = open(path)
    local progress <close> = core.progress("gantt", false)
    local size = file:seek "end" or 0
    file:seek "set"
    local watch, times, bar = new_watch(chart), new_times(), {}
    local line, read, ended = 0, 0, false
    local function take_other(written)
        local time, id = written:match(FINISH)
        local value, number = nil, nil
        if time then value, number = times(time) end
        if number then return see_finish(chart, watch, path, line, math.tointeger(tonumber(id)), value, number) end
        local entry = decode(path, line, written)
        if entry.start ~= nil then
            decoded_bar(chart, path, line, entry, bar)
            see_bar(chart, watch, path, line, bar)
            visit(bar)
        elseif entry.finish == true then
            see_finish(chart, watch, path, line, entry.job, entry.time, M.number(entry.time))
        elseif entry["end"] ~= nil then
            see_end(watch, path, line, entry["end"])
            ended = true
        else
            fail(path, line, "expected a task, a finish or the end")
        end
    end
    for written in file:lines "l" do
        line, read = line + 1, read + #written + 1
        if line % LINES == 0 then
            progress:show(read, size, "bytes")
            if core.interrupted() then fault.interrupted() end
        end
        if ended then fail(path, line, "expected nothing behind the line with the end") end
        if line > 1 then
            if written_bar(chart, times, written, bar) then
                see_bar(chart, watch, path, line, bar)
                visit(bar)
            elseif not written:find "^%s*$" then
                take_other(written)
            end
        end
    end
    if not ended then fail(path, line + 1, "the log ends without its last line (expected \"end\" and \"digest\")") end
    return { finish = watch.finish, unfinished = watch.jobs - watch.finishes }
end

---A time as people read it: "47", "107/3 (35.667)".
---@param value pinion.LoggedTime
---@return string
function M.time_text(value)
    if type(value) == "string" then return string.format("%s (%s)", value, text.number(M.number(value), 3)) end
    return tostring(value)
end

return M
