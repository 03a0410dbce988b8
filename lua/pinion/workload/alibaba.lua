-- Reader of Alibaba's cluster trace of 2018: batch_task.csv, plain or gzip'ed, in parts. A row is a
-- task of a job, which becomes a stage: as many tasks as it has instances, each as long as the row
-- lasted, as the times of single instances are in another table.

local check = require "pinion.base.check"
local core = require "pinion.core"
local dag_jobs = require "pinion.workload.dag_jobs"
local fault = require "pinion.base.fault"
local quantity = require "pinion.base.quantity"

local M = {}

M.RESOURCES = { "cpu", "memory" } -- millicores, millionths of a machine

-- As in the kernel.
local TASKS_MOST, STAGES_MOST, SECONDS_MOST = 1 << 20, 1 << 16, (1 << 40) // 1000

local COLUMNS = { "task_name", "instance_num", "job_name", "task_type", "status", "start_time",
    "end_time", "plan_cpu", "plan_mem" }

-- ---- rows ---------------------------------------------------------------------------------------
-- The trace has 14 million of them: what a row needs only once it is wrong is not made before, and
-- rows of jobs that are not taken are hardly looked at.

local ROW = "^" .. ("([^,]*),"):rep(#COLUMNS - 1) .. "([^,]*)$"

-- Returns where a row stands, for messages.
local function where_of(at)
    return at.path .. ":" .. at.line
end

local function fail_column(at, column, reason)
    fault.at(where_of(at), string.format("column %d, %s", column, COLUMNS[column]), reason)
end

local function fail_columns(at, text)
    local count = select(2, text:gsub(",", "")) + 1
    fault.at(where_of(at), nil, string.format("%d column%s (expected %d: %s)", count,
        count == 1 and "" or "s", #COLUMNS, table.concat(COLUMNS, ",")))
end

local function integer(text, column, low, high, at)
    local value, why = quantity.integer(text, low, high)
    if not value then fail_column(at, column, why) end
    return value
end

-- Reads a time in seconds; 0 where nothing is said, as of what did not begin or end.
local function time(text, column, at)
    return text == "" and 0 or integer(text, column, 0, SECONDS_MOST, at)
end

-- Reads what was planned: a number in so many parts of the unit, to the nearest; nil where nothing
-- is said. Few texts are many rows' plans.
local function plan(trace, text, column, parts, at)
    if text == "" then
        trace.counts.no_plan = trace.counts.no_plan + 1
        return nil
    end
    local known = trace.plans[column]
    if not known[text] then
        local value, why = quantity.number(text, 0, 1e8)
        if not value then fail_column(at, column, why) end
        known[text] = math.tointeger(math.floor(value * parts + 0.5))
    end
    return known[text]
end

-- Returns the number of a task and those of its parents: J4_2_3 is number 4 behind 2 and 3. Nothing
-- where the name has no number, as of tasks that are no part of a graph.
local function numbers_of(name)
    local own, rest = name:match "^%a+0*(%d+)([_%d]*)$"
    local parents = {}
    for digits in (rest or ""):gmatch "_0*(%d+)" do parents[#parents + 1] = digits end
    return own, parents
end

-- Returns the job of this name; nil where it is not among those that the options take.
local function job_of(trace, name, at)
    local job = trace.by_name[name]
    if job ~= nil then return job or nil end
    if name == "" then fail_column(at, 3, "must not be empty") end
    trace.seen = trace.seen + 1
    local place = trace.seen - trace.first + 1
    if place < 1 or trace.most and place > trace.most then
        trace.by_name[name] = false
        return nil
    end
    if #trace.jobs == core.limits.jobs then
        fault.at(where_of(at), nil, string.format("the trace has more jobs (expected at most %d, "
            .. "or jobs=N)", core.limits.jobs))
    end
    job = { name = name, rows = {}, where = where_of(at) }
    trace.by_name[name], trace.jobs[#trace.jobs + 1] = job, job
    return job
end

local function read_row(trace, text, at)
    local name, instances, job_name, _, status, start, finish, cpu, memory = text:match(ROW)
    if not name then fail_columns(at, text) end
    local job = job_of(trace, job_name, at)
    if not job then return end
    local number, parents = numbers_of(name)
    if not number then trace.counts.no_number = trace.counts.no_number + 1 end
    job.rows[#job.rows + 1] = {
        name = name, number = number, parents = parents, terminated = status == "Terminated",
        tasks = integer(instances, 2, 1, TASKS_MOST, at),
        start = time(start, 6, at), finish = time(finish, 7, at),
        demand = { math.max(1, plan(trace, cpu, 8, 10.0, at) or 1000),
            plan(trace, memory, 9, 10000.0, at) or 0 },
    }
end

local function read_part(trace, path)
    local lines <close>, why = core.gz_lines(path)
    if not lines then fault.located("usage", why) end
    local at = { path = path, line = 0 }
    while true do
        local text, number = lines()
        if not text and number then fault.located("usage", number) end
        if not text then return end
        at.line = number
        if text:byte(-1) == 13 then text = text:sub(1, -2) end
        read_row(trace, text, at)
        trace.counts.rows = trace.counts.rows + 1
    end
end

-- ---- jobs ---------------------------------------------------------------------------------------

-- Returns why a job is dropped, by the name of its count; nil: it is not.
local function fault_of(job)
    for _, row in ipairs(job.rows) do
        if not row.terminated then return "not_terminated" end
    end
    for _, row in ipairs(job.rows) do
        if row.start == 0 or row.finish < row.start then return "no_times" end
    end
    return #job.rows > STAGES_MOST and "too_many_stages" or nil
end

-- Places of rows by the numbers in their names; of several with one number the first has it.
local function places_of(job, counts)
    local places = {}
    for place, row in ipairs(job.rows) do
        if row.number and places[row.number] then
            counts.repeated_numbers = counts.repeated_numbers + 1
        elseif row.number then
            places[row.number] = place
        end
    end
    return places
end

-- Returns parents that the job has, each once; a task is none of its own.
local function parents_of(row, place, places, counts)
    local parents, seen = {}, {}
    for _, number in ipairs(row.parents) do
        local parent = places[number]
        if not parent or parent == place then
            counts.missing_parents = counts.missing_parents + 1
        elseif not seen[parent] then
            parents[#parents + 1], seen[parent] = parent - 1, true
        end
    end
    return parents
end

-- Makes a job as a scenario has it; nil and the name of its count where it is dropped.
local function made_of(job, counts)
    local dropped = fault_of(job)
    if dropped then return nil, dropped end
    local places, stages, arrival = places_of(job, counts), {}, math.maxinteger
    for place, row in ipairs(job.rows) do
        stages[place] = { name = row.name, tasks = row.tasks, demand = row.demand,
            duration = (row.finish - row.start) * 1000,
            parents = parents_of(row, place, places, counts) }
        arrival = math.min(arrival, row.start * 1000)
    end
    if dag_jobs.is_cyclic(stages) then return nil, "cyclic" end
    return { arrival = arrival, name = job.name, stages = stages }
end

---@param options { file: string[], first: integer, jobs: integer|nil }
---@return pinion.DagTrace
function M.read(options)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local counts = { rows = 0, unit = "row", no_number = 0, no_plan = 0, not_terminated = 0,
        no_times = 0, too_many_stages = 0, cyclic = 0, repeated_numbers = 0, missing_parents = 0 }
    local trace = { by_name = {}, jobs = {}, seen = 0, counts = counts, first = options.first,
        most = options.jobs, plans = { [8] = {}, [9] = {} } }
    for _, path in ipairs(options.file) do read_part(trace, path) end
    local rows, places = {}, {}
    for _, job in ipairs(trace.jobs) do
        local row, dropped = made_of(job, counts)
        if row then
            rows[#rows + 1], places[#places + 1] = row, job.where
        else
            counts[dropped] = counts[dropped] + 1
        end
    end
    counts.seen = trace.seen
    if #rows == 0 then
        fault.at(options.file[1], nil, string.format("none of its %d jobs is left (expected one "
            .. "whose rows are all Terminated, with their times)", trace.seen))
    end
    return dag_jobs.made(rows, counts, M.RESOURCES, function(index)
        return index and places[index] or options.file[1]
    end)
end

return M
