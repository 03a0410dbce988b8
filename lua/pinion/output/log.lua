-- What a decision log says: which jobs there are, and the bars of their work, of charts with the
-- rows that these are on. Logs are read line by line, so that they may be of any length; how, each
-- model knows.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local lines = require "pinion.models.log_line"
local models = require "pinion.models"

local M = {}

---@class pinion.LogBar
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
---@field amount number|nil machines, or a rate; nil: a row each
---@field demand integer[]|nil what it holds of each resource of the chart
---@field preemptive boolean|nil whether it could have ended at any time
---@field fate string|nil how an attempt ended that did not end well: a key of chart.fates
---@field works number|nil when it began to work, where that is after its start
---@field stage integer|nil
---@field attempt integer|nil
---@field node integer|nil

---@class pinion.LogBand rows that belong together
---@field first integer
---@field last integer
---@field name string
---@field number integer|nil a node's

---@class pinion.LogPanel
---@field name string of its rows
---@field category string of its bars
---@field rows integer|nil nil: bars have amounts
---@field bands pinion.LogBand[] none when the rows are all alike
---@field numbered boolean|nil bands have numbers, which stand beside the panel in place of those of rows
---@field slots boolean|nil false: its rows are no slots, and are not counted
---@field row_name (fun(row: integer): string)|nil

---@class pinion.LogChart
---@field model string
---@field policy string
---@field rules string[] what a reader should know of the run
---@field panels pinion.LogPanel[]
---@field together string|nil what all panels share, which are then drawn as one
---@field first_time number|nil where the axis begins; default 0
---@field place fun(kind: any, slot: any): integer|nil, integer|string, integer|nil panel, first row, last row; or nil and why not
---@field pool_of table<integer, integer>|nil by job id, where jobs have pools
---@field pool_at fun(panel: integer, row: integer): integer
---@field nodes { map: pinion.LogBand|nil, reduce: pinion.LogBand|nil }[]|nil by node id + 1
---@field second number microseconds in a viewer of traces for a unit of time
---@field unit number of time on the axis
---@field axis string its name
---@field suffix string|nil of times in tool tips
---@field resources { name: string, total: integer }[]|nil what all nodes have of each; nil: nodes have slots
---@field capacities integer[][]|nil of each node, from 1, for each resource
---@field jobs table[]|nil of the workload
---@field by_end boolean|nil bars come in order of their end, not of their start

---@class pinion.LogListener called with the parts of a log, in its order
---@field bar fun(bar: pinion.LogBar)|nil the table is filled anew each time
---@field level fun(from: integer, to: integer|nil, used: integer[], up: integer[])|nil between two times, behind the last line until nil: what is in use of each resource of the chart, and what nodes have that are up
---@field job fun(id: integer, arrival: integer, finish: pinion.LoggedTime|nil, state: string)|nil as each ends: "finished", "failed", "cancelled" or "rejected"; behind the last line the others, without a finish, "unfinished"

---@field again fun(job: integer, kind: string, task: integer, time: integer)|nil a task that was done is pending again
---@field launch fun(job: integer, demand: integer[], free: integer[], time: integer)|nil a task starts on a node that had this much free, in models with resources
---@field idle fun(job: integer, start: number, finish: number)|nil between these times an executor of the job has no task

---@class pinion.LogReader what a log's lines between the first and the last have come to; each goes to its function in the model's `events`
---@field line integer the line at hand
---@field now fun(self: any): number the time of the last line; where bars come in order of start, that of the last bar
---@field stop fun(self: any, time: number) nothing else happens before this time, which is not before the last line's
---@field last_finish fun(self: any): pinion.LoggedTime
---@field outcome fun(self: any): pinion.LogEnd behind the last line

---@class pinion.LogDown a node was down
---@field panel integer
---@field band pinion.LogBand
---@field start number
---@field finish number|nil nil: to the end

---@class pinion.LogPromise a job with a deadline, or one that was rejected
---@field job integer
---@field submit integer
---@field deadline integer|nil at which time
---@field estimate integer|nil its finish, as estimated when it came
---@field state "rejected"|"failed"|"cancelled"|"met"|"missed"|nil nil: it is unfinished
---@field finish integer|nil or when it failed or was cancelled
---@field late integer[] when it was found to be late

---@class pinion.LogEnd
---@field finish pinion.LoggedTime the last of those that finished
---@field unfinished integer jobs, as far as the log names them: 0 unless the run was stopped
---@field jobs integer|nil that came; nil: those that have bars
---@field downs pinion.LogDown[]
---@field result string what came of it, in a few words
---@field notes string[] what else there is to say
---@field now number|nil the last time of the log
---@field first integer|nil the first arrival, of a chart with resources
---@field promises pinion.LogPromise[]|nil in the order in which the jobs came
---@field end_text string|nil the finish, as the chart writes it; nil: no job finished
---@field end_time number|nil where that is on the axis; nil: at the finish

-- ---- reading ------------------------------------------------------------------------------------

local function drawn()
    local names = {}
    for _, name in ipairs(models.names()) do
        local log = models.find(name).log
        if log and log.draws then names[#names + 1] = name end
    end
    table.sort(names)
    return table.concat(names, " or ")
end

local function check_header(path, header)
    if not check.is_object(header) or header.pinion_log == nil then
        lines.fail(path, 1, "not a decision log (expected a file that simulate --log wrote)")
    end
    if header.pinion_log ~= 1 then
        lines.fail(path, 1, "not a decision log of this version (expected \"pinion_log\": 1)")
    end
end

local function chart_of(path, header, jobs)
    check_header(path, header)
    local model = type(header.model) == "string" and models.find(header.model)
    if not model or not model.log then
        lines.fail(path, 1, "logs of model %s cannot be drawn (expected %s)",
            check.show(header.model), drawn())
    end
    if model.log.needs_jobs and not jobs then
        lines.fail(path, 1, "logs of the %s model do not contain arrival times (give the "
            .. "workload too, or use `gantt` of the run's result)", model.name)
    end
    local chart, why = model.log.describe(header, jobs)
    if not chart then lines.fail(path, 1, "%s", why) end
    chart.model, chart.policy = header.model, type(header.policy) == "string" and header.policy
        or "?"
    return chart
end

local BEGINNING = '{"pinion_log":'

---Returns whether a file begins as logs do.
---@param path string
---@return boolean
function M.is_log(path)
    return files.beginning(path, #BEGINNING) == BEGINNING
end

local function check_lines(path, events)
    local problem = events:problem()
    if problem and core.interrupted() then fault.interrupted() end
    if problem then fault.located("run", problem) end
    return events:count()
end

-- Returns the lines of a log behind the first: a value to close, which gives them one by one.
local function open_events(path, model)
    local made, why = core.log_events(path, model)
    return made or fault.located("usage", why)
end

local function read_header(path)
    local file <close> = files.open(path)
    local first = file:read "l"
    if not first then lines.fail(path, 1, "expected the first line of a decision log") end
    return (core.json_decode(first, path))
end

---Returns the model of a log, by its first line.
---@param path string
---@return pinion.Model
function M.model(path)
    local header = read_header(path)
    check_header(path, header)
    local model = type(header.model) == "string" and models.find(header.model)
    return model or lines.fail(path, 1, "unknown model %s", check.show(header.model))
end

local function survey_lines(path, model, see)
    local events <close> = open_events(path, model)
    events:choose(check.sorted_keys(see))
    for _, kind, a, b, c, d, e in events do see[kind](a, b, c, d, e) end
    check_lines(path, events)
end

---Returns the chart of a log, from its first line, and from a look at all of it where the model
---needs one to know the rows.
---@param path string
---@param jobs table[]|nil of its workload, by id; a chart of rows needs none
---@param rowless boolean|nil whether bars may be on any row
---@return pinion.LogChart
function M.chart(path, jobs, rowless)
    local chart = chart_of(path, read_header(path), jobs)
    local of_model = models.find(chart.model).log
    if of_model.survey then
        local see, finish = of_model.survey(chart)
        if not rowless then survey_lines(path, chart.model, see) end
        if finish then finish() end
    end
    return chart
end

-- Gives lines to a reader. The last one goes to `ended`, which says whether that is all, as does
-- `enough` of the time of a line.
local function give_lines(reader, on, path, events, ended, enough)
    local now = reader.now
    for line, kind, a, b, c, d, e, f in events do
        reader.line = line
        if kind ~= "last" then
            on[kind](reader, a, b, c, d, e, f)
        elseif ended(line, a, b) then
            return
        end
        if enough and enough(now(reader)) then return end
    end
    check_lines(path, events)
end

local function see_end(reader, path, line, time)
    if time ~= reader:last_finish() then
        lines.fail(path, line, "the end is not the last finish (expected %s, got %s)",
            reader:last_finish(), time)
    end
end

local function fail_unended(path, count)
    lines.fail(path, count + 1,
        "the log ends without its last line (expected \"end\" and \"digest\")")
end

-- Finds the number of the last line, when no other line is needed; nil if the log has none.
local function find_end(path, events)
    events:choose { "last" }
    local line = events()
    events:leave_out {}
    check_lines(path, events)
    return line
end

---Goes through a log.
---@param path string
---@param chart pinion.LogChart
---@param listener pinion.LogListener
---@param until_time number|nil nothing behind this time is needed: there the log ends for the listener, as soon as what happens later cannot matter
---@return pinion.LogEnd
function M.each(path, chart, listener, until_time)
    local of_model = models.find(chart.model).log
    local reader, ended = of_model.reader(path, chart, listener), nil
    local all <close> = open_events(path, chart.model)
    local enough = until_time and chart.by_end and function(now) return now > until_time end
    give_lines(reader, of_model.events, path, all, function(line, time, stop)
        see_end(reader, path, line, time)
        if stop then reader:stop(stop) end
        ended = line
        return true
    end, enough)
    ended = ended or enough and find_end(path, all)
    if not ended then fail_unended(path, all:count()) end
    if all() then
        lines.fail(path, ended + 1, "expected nothing after the line with the end")
    end
    check_lines(path, all)
    return reader:outcome()
end

---Visits the lines about one job alone.
---@param path string
---@param chart pinion.LogChart
---@param job integer
---@param listener pinion.LogListener
function M.each_of(path, chart, job, listener)
    local of_model = models.find(chart.model).log
    local reader = of_model.reader(path, chart, listener)
    local about <close> = open_events(path, chart.model)
    about:choose_job(job)
    give_lines(reader, of_model.events, path, about, function() end)
    reader:outcome()
end

---Visits what became of the jobs, without the work of any.
---@param path string
---@param chart pinion.LogChart
---@param visit fun(id: integer, arrival: pinion.LoggedTime, finish: pinion.LoggedTime|nil, state: string)
function M.each_job(path, chart, visit)
    local of_model, ended = models.find(chart.model).log, false
    local reader = of_model.reader(path, chart, { job = visit })
    local others <close> = open_events(path, chart.model)
    others:leave_out(of_model.work)
    give_lines(reader, of_model.events, path, others, function() ended = true end)
    if not ended then fail_unended(path, others:count()) end
    reader:outcome()
end

---Visits a log up to a time; what is running then has bars until then.
---@param path string
---@param chart pinion.LogChart
---@param time number
---@param listener pinion.LogListener
---@return pinion.LogEnd
function M.each_before(path, chart, time, listener)
    local of_model = models.find(chart.model).log
    local reader = of_model.reader(path, chart, listener)
    local all <close> = open_events(path, chart.model)
    give_lines(reader, of_model.events, path, all, function() return true end,
        function(now) return now >= time end)
    if reader:now() < time then reader:stop(time) end
    return reader:outcome()
end

return M
