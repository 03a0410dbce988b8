-- The command `diff`: where two schedules of the same jobs part, and who gains.

local again = require "pinion.output.again"
local core = require "pinion.core"
local diff = require "pinion.output.diff"
local diff_figure = require "pinion.output.diff.figure"
local diff_text = require "pinion.output.diff.text"
local fault = require "pinion.base.fault"
local logs = require "pinion.cli.logs"
local setup = require "pinion.cli.setup"

local M = {}

-- Writes the difference of two logs while they are there.
local function of_logs(args, paths, use)
    if not logs.is_beside(args, paths[1]) then return use(diff.logs(paths), paths, {}) end
    local settings = setup.settings(args)
    local opened = setup.open(settings)
    local beside = again.beside(settings, opened, again.jobs_beside(paths, settings, opened))
    use(diff.logs(paths, beside.jobs, beside.group_of), paths, beside)
end

local function of_runs(args, use)
    local settings, opened = logs.runs(args, "diff")
    local names = settings.chosen
    if #names ~= 2 then fault.usage("--policies: must be two policies, got %d", #names) end
    local first = setmetatable({ policy = names[1] }, { __index = settings })
    local second = setmetatable({ policy = names[2] }, { __index = settings })
    again.with_logs({ first, second }, opened, function(paths, jobs)
        local beside = again.beside(settings, opened, jobs)
        use(diff.logs(paths, jobs, beside.group_of), paths, beside)
    end)
end

---@return integer exit code
function M.diff(args)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local paths, kept <close> = logs.split(args)
    if #paths == 1 or #paths > 2 then
        fault.usage("expected two logs, or none and --policies, got %d", #paths)
    end
    local is_figure = args.output and args.output:find "%.svg$"
    local format = not is_figure and setup.format(args, "table")
    if format == "csv" then
        fault.usage("--format: a difference cannot be written as csv "
            .. "(expected table or json)")
    end
    if is_figure and args.format then
        fault.usage("--format: has no effect on a figure (%s)", args.output)
    end
    setup.check_outputs(args, args.files or {})
    local function use(made, both, beside)
        setup.emit(args, function(write)
            if is_figure then return diff_figure.write(made, both, beside, write) end
            if format == "json" then return diff_text.json(made, write) end
            write(diff_text.document(made):text(format))
        end)
    end
    if #paths == 2 then of_logs(args, paths, use) else of_runs(args, use) end
    return 0
end

return M
