-- The command `timeline`: what happened over time, of one or several schedules.

local again = require "pinion.output.again"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local logs = require "pinion.cli.logs"
local print_timeline = require "pinion.output.timeline.print"
local setup = require "pinion.cli.setup"
local timeline = require "pinion.output.timeline"

local M = {}

local COUNT_OF_TABLE = 20

-- Reads logs; `read` is of output/timeline: into buckets, or as steps.
local function read_logs(args, paths, read, count)
    if not logs.is_beside(args, paths[1]) then return read(paths, { count = count }) end
    local settings = setup.settings(args)
    local opened = setup.open(settings)
    return read(paths, { jobs = again.jobs_beside(paths, settings, opened),
        machines = settings.machines, count = count, group_of = again.groups(opened) })
end

local function read_runs(args, read, count)
    local settings, opened = logs.runs(args, "timeline")
    local names, runs = settings.chosen, {}
    if #names == 0 then
        fault.usage("no policies given (--policies NAME,NAME; `pinion policies` lists them)")
    end
    for i, name in ipairs(names) do
        runs[i] = setmetatable({ policy = name }, { __index = settings })
    end
    return again.with_logs(runs, opened, function(paths, jobs)
        return read(paths, { jobs = jobs, machines = settings.machines, count = count,
            group_of = again.groups(opened) })
    end)
end

local FIGURES = { svg = true, png = true, pdf = true }

-- What is read, and how it is printed.
local BUCKETS = { read = timeline.read, document = print_timeline.document,
    json = print_timeline.json, csv = print_timeline.csv }
local STEPS = { read = timeline.read_steps, document = print_timeline.steps_document,
    json = print_timeline.steps_json, csv = print_timeline.steps_csv }

local function check_steps(args, figure)
    if args.steps and args.buckets then
        fault.usage("--steps: shows every change, --buckets means (choose one)")
    end
    if args.steps and figure then
        fault.usage("--steps: figures show buckets (expected csv, json or a table)")
    end
end

---@return integer exit code
function M.timeline(args)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local paths, kept <close> = logs.split(args)
    local figure = args.output and FIGURES[args.output:match "%.(%a+)$" or ""]
    check_steps(args, figure)
    local way = args.steps and STEPS or BUCKETS
    local format = not figure and setup.format(args, args.output and "csv" or "table")
    local count = setup.integer(args, "buckets", 1, timeline.COUNT_MOST)
        or format == "table" and COUNT_OF_TABLE or nil
    setup.check_outputs(args, args.files or {})
    local made = #paths > 0 and read_logs(args, paths, way.read, count)
        or read_runs(args, way.read, count)
    if figure then
        print_timeline.figure(made, args.output)
        return 0
    end
    setup.emit(args, function(write)
        if format == "json" then return way.json(made, write) end
        if format == "csv" then return way.csv(made, write) end
        write(way.document(made):text(format))
    end)
    return 0
end

return M
