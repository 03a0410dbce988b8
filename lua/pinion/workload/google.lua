-- Reader of Google's cluster trace (clusterdata-2011): task events as comma separated values, in
-- parts, plain or gzip'ed.
--
-- The trace has no reduces: a job is its tasks, as maps. Only jobs are taken all of whose life is
-- in the parts: the first event of each of its tasks is that it was submitted, and each has
-- finished. So long jobs are missing more often than short ones. A job is submitted with its first
-- task; a task lasts from where it was last scheduled to where it finished.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local labels = require "pinion.workload.labels"
local quantity = require "pinion.base.quantity"

local M = {}

local TIME_MOST, TASKS_MOST = 1 << 40, core.limits.job_tasks

local COLUMNS = 13
local SUBMIT, SCHEDULE, FINISH = 0, 1, 4
local EVENT_LAST = 8

-- Times that stand for "before the trace" and "after it".
local BEFORE, AFTER = 0, math.maxinteger

-- Columns 1, 3, 4 and 6 to 9: time in microseconds, job, task, event, user, class, priority. Fields
-- may be blank, and none is quoted.
local LINE = "^(%d+),[^,]*,(%d+),(%d+),[^,]*,(%d),([^,]*),(%d*),([^,]*),[^\r]*$"

local function columns_of(line)
    local _, commas = line:gsub(",", "")
    return commas + 1
end

local NAMES = { { 1, "the time" }, { 3, "the job" }, { 4, "the task's index" }, { 6, "the event" } }

-- Says what keeps a line from being an event.
local function fail_line(line, where)
    local columns = columns_of(line)
    if line:find("\r$") then
        fault.at(where, nil, "the line ends with a carriage return (expected a bare line feed)")
    end
    if columns ~= COLUMNS then
        fault.at(where, nil, string.format("%d column%s (expected %d, as task events have)",
            columns, columns == 1 and "" or "s", COLUMNS))
    end
    local fields = {}
    for field in (line .. ","):gmatch("([^,]*),") do fields[#fields + 1] = field end
    for _, column in ipairs(NAMES) do
        if not fields[column[1]]:find("^%d+$") or #fields[column[1]] > 19 then
            fault.at(where, nil, string.format("column %d, %s: must be an integer, got %s",
                column[1], column[2],
                check.show(fields[column[1]])))
        end
    end
    fault.at(where, nil, string.format("column 6, the event: must be 0..%d, got %s", EVENT_LAST,
        check.show(fields[6])))
end

local function read_time(text, where)
    local time = quantity.integer(text, 0, math.maxinteger)
    if not time then
        fault.at(where, nil, "column 1, the time: must be an integer below 2^63, got "
            .. check.show(text))
    end
    return time
end

-- ---- events -------------------------------------------------------------------------------------

---@class pinion.GoogleTask
---@field submitted integer|nil us; nil: its first event was another
---@field scheduled integer|nil us
---@field duration integer|nil us, once it has finished

local function task_of(trace, time, job_id, index, event, where)
    local job = trace.jobs[job_id]
    if not job then
        job = { id = job_id, tasks = {}, place = trace.job_count }
        trace.jobs[job_id], trace.job_count = job, trace.job_count + 1
    end
    local task = job.tasks[index]
    if not task then
        task = { begun = event == SUBMIT and time > BEFORE }
        job.tasks[index], trace.task_count = task, trace.task_count + 1
        if trace.task_count > core.limits.listed_tasks then
            fault.at(where, nil, string.format("the trace has more tasks (expected at most %d)",
                core.limits.listed_tasks))
        end
    end
    return job, task
end

local function add_event(trace, time, job_id, index, event, label, where)
    local job, task = task_of(trace, time, job_id, index, event, where)
    job.label = label ~= "" and label or job.label
    if event == SUBMIT then
        task.submitted = task.submitted or time
    elseif event == SCHEDULE then
        task.scheduled, task.duration = time, nil
    elseif event == FINISH and time < AFTER then
        task.duration = task.scheduled and time - task.scheduled
    end
end

-- Reads one line into the trace.
local function read_event(trace, line, where)
    local text, job, task, event, user, class, priority = line:match(LINE)
    local index = task and math.tointeger(tonumber(task))
    if not index or tonumber(event) > EVENT_LAST or columns_of(line) ~= COLUMNS then
        fail_line(line, where)
    end
    local time = read_time(text, where)
    if time < trace.last then
        fault.at(where, nil, string.format(
            "column 1, the time: lies before that of the line above (expected at least %d, and "
                .. "parts in order), got %d", trace.last, time))
    end
    trace.last, trace.events = time, trace.events + 1
    if time > BEFORE and time < AFTER then trace.first = trace.first or time end
    local label = trace.group == "user" and user or trace.group == "priority" and priority or class
    add_event(trace, time, job, index, math.tointeger(tonumber(event)), label, where)
end

-- Reads a part; parts come one after the other in time: otherwise a task's last schedule would not
-- be known.
local function read_part(trace, path)
    local lines <close>, why = core.gz_lines(path)
    if not lines then fault.located("usage", why) end
    while true do
        local line, number = lines()
        if not line then
            if number then fault.located("usage", number) end
            return
        end
        read_event(trace, line, path .. ":" .. number)
    end
end

-- ---- jobs ---------------------------------------------------------------------------------------

-- Returns milliseconds, to the nearest.
local function ms(us)
    return (us + 500) // 1000
end

-- Returns the durations of a job's tasks by index, and when the first was submitted; nil when part
-- of its life is not in the parts, and why.
local function life_of(job)
    local indices, submitted, unfinished = {}, math.maxinteger, false
    for index, task in next, job.tasks do
        if not task.begun then return nil, "earlier" end
        unfinished = unfinished or not task.duration
        submitted = math.min(submitted, task.submitted)
        indices[#indices + 1] = index
    end
    if unfinished then return nil, "unfinished" end
    table.sort(indices)
    local times = {}
    for i, index in ipairs(indices) do times[i] = ms(job.tasks[index].duration) end
    return times, submitted
end

local function lives_of(trace, counts)
    local lives = {}
    for _, job in next, trace.jobs do
        local times, submitted = life_of(job)
        if times then
            lives[#lives + 1] = { job = job, times = times, submitted = submitted }
        else
            counts[submitted] = counts[submitted] + 1
        end
    end
    table.sort(lives, function(a, b)
        if a.submitted ~= b.submitted then return a.submitted < b.submitted end
        return a.job.place < b.job.place
    end)
    return lives
end

local function check_life(life, where)
    if #life.times > TASKS_MOST then
        fault.at(where, nil, string.format("job %s has more than 2^20 tasks", life.job.id))
    end
    for _, time in ipairs(life.times) do
        if time > TIME_MOST then
            fault.at(where, nil,
                string.format("job %s has a task of more than 2^40 ms", life.job.id))
        end
    end
end

---@param options { file: string[], group: string }
---@return pinion.TraceJobs with the names of the groups too
function M.read(options)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local where = options.file[1]
    local trace = { jobs = {}, job_count = 0, task_count = 0, last = 0, events = 0,
        group = options.group }
    local groups = labels.new(options.group, where)
    local counts = { earlier = 0, unfinished = 0, tasks = 0 }
    for _, path in ipairs(options.file) do read_part(trace, path) end
    local made = { jobs = {}, names = {}, groups = groups.names, nodes = 0, summary = counts }
    if trace.events == 0 then
        fault.at(where, nil, "holds no events (expected one on each line)")
    end
    for id, life in ipairs(lives_of(trace, counts)) do
        check_life(life, where)
        counts.tasks = counts.tasks + #life.times
        made.names[id] = life.job.id
        made.jobs[id] = { submit = ms(life.submitted - trace.first), maps = #life.times,
            map_times = life.times,
                          group = groups:number(life.job.label) }
    end
    if #made.jobs == 0 then
        fault.at(where, nil, string.format("none of its %d jobs was submitted and finished in it",
            trace.job_count))
    end
    counts.rows, counts.unit, counts.seen, counts.jobs = trace.events, "event", trace.job_count,
        #made.jobs
    return made
end

return M
