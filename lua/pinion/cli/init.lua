-- The program: from command line to exit code. Results go to standard output, everything else to
-- standard error. Exit codes: 0 done, 1 the run failed, 2 wrong usage or bad input, 130
-- interrupted.

local lazy = require "pinion.base.lazy"
local completion = lazy.module "pinion.cli.completion"
local core = require "pinion.core"
local diff = lazy.module "pinion.cli.diff"
local experiments = lazy.module "pinion.cli.experiments"
local explain = lazy.module "pinion.cli.explain"
local fault = require "pinion.base.fault"
local gantt = lazy.module "pinion.cli.gantt"
local lists = lazy.module "pinion.cli.lists"
local options = require "pinion.cli.options"
local paper = lazy.module "pinion.cli.paper"
local report = lazy.module "pinion.cli.report"
local run = lazy.module "pinion.cli.run"
local runs = lazy.module "pinion.cli.runs"
local say = require "pinion.base.say"
local store = lazy.module "pinion.cli.store"
local timeline = lazy.module "pinion.cli.timeline"
local topics = lazy.module "pinion.cli.topics"
local tune = lazy.module "pinion.cli.tune"

local M = {}

-- By command: the module and its function.
local COMMANDS = {
    simulate = { runs, "simulate" },
    resume = { runs, "resume" },
    compare = { experiments, "compare" },
    sweep = { experiments, "sweep" },
    tune = { tune, "tune" },
    verify = { runs, "verify" },
    diff = { diff, "diff" },
    explain = { explain, "explain" },
    timeline = { timeline, "timeline" },
    gantt = { gantt, "gantt" },
    report = { report, "report" },
    store = { store, "store" },
    workload = { lists, "workload" },
    policies = { lists, "policies" },
    export = { lists, "export" },
    ["new-policy"] = { lists, "new_policy" },
    ["new-workload"] = { lists, "new_workload" },
    paper = { paper, "paper" },
    help = { topics, "help" },
    completion = { completion, "completion" },
    version = { lists, "version" },
}

local function dispatch(arguments)
    local first, script = arguments[1], arguments[2]
    -- What follows a script's name is the script's, options too.
    if first == "run" and script and (script == "-" or script:sub(1, 1) ~= "-") then
        return run.run { table.unpack(arguments, 2) }
    end
    local args = options.parser(arguments):parse(options.joined(arguments))
    core.show_reading(not args.quiet)
    if args.command == "run" then return run.run { args.script, table.unpack(args.arguments) } end
    local module, name = table.unpack(COMMANDS[args.command])
    return module[name](args, arguments)
end

-- Reports an error by a message and an exit code. What is no fault of the user's is a defect: it
-- keeps its traceback.
local function report_error(problem)
    if type(problem) == "table" and problem.help then
        io.stdout:write(problem.help, "\n")
        return 0
    end
    if type(problem) == "table" and problem.version then return lists.version() end
    if type(problem) == "table" and problem.usage then
        io.stderr:write(problem.usage, "\n")
        say("%s", problem.message)
        return 2
    end
    if fault.is(problem) then
        io.stderr:write(problem.located and "" or "pinion: ", problem.text, "\n")
        return problem.code
    end
    if fault.is_memory(problem) then
        local first = tostring(problem):match "^[^\n]*"
        io.stderr:write("pinion: ", (first:gsub("^[%w_/]+%.lua:%d+: ", "")), "\n")
        return 1
    end
    io.stderr:write("pinion: internal error: ", tostring(problem), "\n")
    return 1
end

local function keep_traceback(problem)
    if type(problem) == "string" then return debug.traceback(problem, 2) end
    return problem
end

---@param arguments string[] without the program's name
---@return integer exit code
function M.main(arguments)
    local ok, outcome = xpcall(dispatch, keep_traceback,
        table.move(arguments, 1, #arguments, 1, {}))
    return ok and outcome or report_error(outcome)
end

return M
