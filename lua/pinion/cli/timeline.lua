-- The command `timeline`: what happened over time, of one or several schedules.

local again = require "pinion.output.explain.again"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local log = require "pinion.output.log"
local models = require "pinion.models"
local print_timeline = require "pinion.output.timeline.print"
local setup = require "pinion.cli.setup"
local timeline = require "pinion.output.timeline"

local M = {}

local COUNT_OF_TABLE = 20

local function read_logs(args, paths, count)
    if not args.scenario and not args.workload then
        local model = log.model(paths[1])
        if model.log.needs_jobs then
            fault.usage("%s: logs of the %s model do not say when jobs arrive (expected the "
                .. "scenario or --workload beside them)", paths[1], model.name)
        end
        return timeline.read(paths, { count = count })
    end
    local settings = setup.settings(args)
    local opened = setup.open(settings)
    return timeline.read(paths, { jobs = again.jobs_beside(paths[1], settings, opened),
        machines = settings.machines, count = count, group_of = again.groups(opened) })
end

-- Makes the runs one inside the other, so that all logs are there at the end.
local function read_runs(args, count)
    local settings, model, given = setup.settings(args)
    local names, paths = settings.chosen, {}
    if #names == 0 then
        fault.usage("no policies given (--policies NAME,NAME; `pinion policies` lists them)")
    end
    models.refuse(model, "log", "timeline")
    setup.check_params(settings, given, names, settings.policy_where)
    local opened = setup.open(settings)
    local function run_from(i, jobs)
        if i > #names then
            return timeline.read(paths, { jobs = jobs, machines = settings.machines, count = count,
                group_of = again.groups(opened) })
        end
        local one = setmetatable({ policy = names[i] }, { __index = settings })
        return again.with_log(one, opened, function(path, of_workload)
            paths[i] = path
            return run_from(i + 1, of_workload)
        end)
    end
    return run_from(1)
end

local FIGURES = { svg = true, png = true, pdf = true }

---@return integer exit code
function M.timeline(args)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local paths, names = {}, {}
    for _, name in ipairs(args.files or {}) do
        table.insert(log.is_log(name) and paths or names, name)
    end
    args.scenario = names[1]
    if #names > 1 then
        fault.usage("%s: not a decision log (expected a file that simulate --log wrote)", names[2])
    end
    local figure = args.output and FIGURES[args.output:match "%.(%a+)$" or ""]
    local format = not figure and setup.format(args, args.output and "csv" or "table")
    local count = setup.integer(args, "buckets", 1, timeline.COUNT_MOST)
        or format == "table" and COUNT_OF_TABLE or nil
    setup.check_outputs(args, args.files or {})
    if #paths > 0 and args.policies then fault.usage "--policies: means nothing beside logs" end
    local made = #paths > 0 and read_logs(args, paths, count) or read_runs(args, count)
    if figure then
        print_timeline.figure(made, args.output)
        return 0
    end
    setup.emit(args, function(write)
        if format == "json" then return print_timeline.json(made, write) end
        if format == "csv" then return print_timeline.csv(made, write) end
        write(print_timeline.document(made):text(format))
    end)
    return 0
end

return M
