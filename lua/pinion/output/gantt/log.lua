-- What a decision log says for a chart: which rows there are, and the bars on them. Logs are read
-- line by line, so that they may be of any length.
--
-- A model whose log can be drawn has a reader in MODELS; what draws knows of panels, rows and bars
-- only.

local check = require "pinion.base.check"
local cluster = require "pinion.output.gantt.cluster"
local core = require "pinion.core"
local dag = require "pinion.output.gantt.dag"
local fault = require "pinion.base.fault"
local lines = require "pinion.output.gantt.line"
local makespan = require "pinion.output.gantt.makespan"

local M = {}

---@class pinion.GanttBar
---@field panel integer
---@field row integer as the log has it: a slot, or at the stage level a pool
---@field first integer row, from 1
---@field last integer row; a stage takes all rows of its pool
---@field job integer
---@field task integer
---@field label string|nil what it is called in place of "map task 3"
---@field from pinion.LoggedTime
---@field to pinion.LoggedTime
---@field start number `from` as a double
---@field finish number
---@field fate string|nil how an attempt ended that did not end well: a key of chart.fates
---@field works number|nil when it began to work, where that is after its start
---@field stage integer|nil
---@field attempt integer|nil
---@field node integer|nil

---@class pinion.GanttBand rows that belong together
---@field first integer
---@field last integer
---@field name string
---@field number integer|nil a node's

---@class pinion.GanttPanel
---@field name string of its rows
---@field category string of its bars
---@field rows integer
---@field bands pinion.GanttBand[] none when the rows are all alike
---@field numbered boolean|nil bands have numbers, which stand beside the panel in place of those of rows
---@field slots boolean|nil false: its rows are no slots, and are not counted
---@field row_name fun(row: integer): string

---@class pinion.GanttChart
---@field model string
---@field policy string
---@field rules string[] what a reader should know of the run
---@field panels pinion.GanttPanel[]
---@field place fun(kind: any, slot: any): integer|nil, integer|string, integer|nil panel, first row, last row; or nil and why not
---@field pool_of table<integer, integer>|nil by job id, where jobs have pools
---@field pool_at fun(panel: integer, row: integer): integer
---@field nodes { map: pinion.GanttBand|nil, reduce: pinion.GanttBand|nil }[]|nil by node id + 1
---@field second number microseconds that a viewer of traces is told for a unit of time
---@field unit number of time on the axis
---@field axis string its name
---@field suffix string|nil of times in tool tips
---@field resources { name: string, total: integer }[]|nil what all nodes have of each; nil: nodes have slots
---@field capacities integer[][]|nil of each node, from 1, for each resource
---@field by_end boolean|nil bars come in order of their end, not of their start

---@class pinion.GanttListener what is told of a log, in its order
---@field bar fun(bar: pinion.GanttBar)|nil the table is filled anew each time
---@field level fun(from: integer, to: integer|nil, used: integer[], up: integer[])|nil between two times, behind the last line until nil: what is in use of each resource of the chart, and what nodes have that are up
---@field job fun(id: integer, arrival: integer, finish: pinion.LoggedTime|nil, state: string)|nil as each ends: "finished", "failed" or "rejected"; behind the last line the others, without a finish, "unfinished"

---@class pinion.GanttReader a log's lines between the first and the last
---@field take fun(line: integer, written: string): boolean a line as the program writes it; false: it looks otherwise
---@field entry fun(line: integer, entry: table): boolean one that was decoded; false: it says nothing that is known
---@field last_finish fun(): pinion.LoggedTime
---@field outcome fun(): pinion.GanttEnd behind the last line

---@class pinion.GanttDown a node was down
---@field panel integer
---@field band pinion.GanttBand
---@field start number
---@field finish number|nil nil: to the end

---@class pinion.GanttPromise a job with a deadline, or one that was rejected
---@field job integer
---@field submit integer
---@field deadline integer|nil at which time
---@field estimate integer|nil its finish, as estimated when it came
---@field state "rejected"|"failed"|"met"|"missed"|nil nil: it is unfinished
---@field finish integer|nil or when it failed
---@field late integer[] when it was found to be late

---@class pinion.GanttEnd
---@field finish pinion.LoggedTime the last of those that finished
---@field unfinished integer jobs, as far as the log names them: 0 unless the run was stopped
---@field jobs integer|nil that came; nil: those that have bars
---@field downs pinion.GanttDown[]
---@field result string what came of it, in a few words
---@field notes string[] what else there is to say
---@field first integer|nil the first arrival, of a chart with resources
---@field promises pinion.GanttPromise[]|nil in the order in which the jobs came
---@field end_text string|nil the finish, as the chart writes it; nil: no job finished

local MODELS = { makespan = makespan, cluster = cluster, dag = dag }

-- ---- reading ------------------------------------------------------------------------------------

local function chart_of(path, header)
    if not check.is_object(header) or header.pinion_log == nil then
        lines.fail(path, 1, "not a decision log (expected a file that simulate --log wrote)")
    end
    if header.pinion_log ~= 1 then
        lines.fail(path, 1, "not a decision log of this version (expected \"pinion_log\": 1)")
    end
    local model = type(header.model) == "string" and MODELS[header.model]
    if not model then
        lines.fail(path, 1, "logs of model %s cannot be drawn (expected %s)",
            check.show(header.model),
            table.concat(check.sorted_keys(MODELS), " or "))
    end
    local chart, why = model.describe(header)
    if not chart then lines.fail(path, 1, "%s", why) end
    chart.model, chart.policy = header.model, type(header.policy) == "string" and header.policy
        or "?"
    return chart
end

local function open(path)
    local file, why = io.open(path, "rb")
    if not file then fault.located("usage", why) end
    return file
end

-- Polls and tells every so many lines.
local LINES = 4096

-- Calls with the number and the text of each line.
local function each_line(path, visit)
    local file <close> = open(path)
    local progress <close> = core.progress("gantt", false)
    local size = file:seek "end" or 0
    file:seek "set"
    local line, read = 0, 0
    for written in file:lines "l" do
        line, read = line + 1, read + #written + 1
        if line % LINES == 0 then
            progress:show(read, size, "bytes")
            if core.interrupted() then fault.interrupted() end
        end
        visit(line, written)
    end
    return line
end

---The chart of a log, from its first line, and from a look at all of it where the model needs one.
---@param path string
---@return pinion.GanttChart
function M.chart(path)
    local file <close> = open(path)
    local first, why = file:read "l"
    if not first then
        lines.fail(path, 1, "%s", why or "expected the first line of a decision log")
    end
    local chart = chart_of(path, (core.json_decode(first, path)))
    local survey = MODELS[chart.model].survey
    if survey then
        local see, finish = survey(chart)
        each_line(path, see)
        if finish then finish() end
    end
    return chart
end

local function see_end(reader, path, line, time)
    if not lines.number(time) then lines.fail(path, line, "no time: %s", check.show(time)) end
    if time ~= reader.last_finish() then
        lines.fail(path, line, "the end is not the last finish (expected %s, got %s)",
            reader.last_finish(), check.show(time))
    end
end

---Goes through a log.
---@param path string
---@param chart pinion.GanttChart
---@param listener pinion.GanttListener
---@return pinion.GanttEnd
function M.each(path, chart, listener)
    local reader, ended = MODELS[chart.model].reader(path, chart, listener), false
    local function decoded(line, entry)
        if reader.entry(line, entry) then return end
        if entry["end"] == nil then
            lines.fail(path, line, "expected a task, a finish or the end")
        end
        see_end(reader, path, line, entry["end"])
        ended = true
    end
    local count = each_line(path, function(line, written)
        if ended then lines.fail(path, line, "expected nothing behind the line with the end") end
        if line == 1 or reader.take(line, written) or written:find "^%s*$" then return end
        decoded(line, lines.decode(path, line, written))
    end)
    if not ended then
        lines.fail(path, count + 1,
            "the log ends without its last line (expected \"end\" and \"digest\")")
    end
    return reader.outcome()
end

M.number = lines.number

return M
