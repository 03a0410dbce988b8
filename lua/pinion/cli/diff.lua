-- The command `diff`: where two schedules of the same jobs part, and who gains.

local again = require "pinion.output.again"
local core = require "pinion.core"
local diff = require "pinion.output.diff"
local diff_text = require "pinion.output.diff.text"
local fault = require "pinion.base.fault"
local logs = require "pinion.cli.logs"
local setup = require "pinion.cli.setup"

local M = {}

local function of_logs(args, paths)
    if not logs.is_beside(args, paths[1]) then return diff.logs(paths) end
    local settings = setup.settings(args)
    local opened = setup.open(settings)
    return diff.logs(paths, again.jobs_beside(paths, settings, opened), again.groups(opened))
end

local function of_runs(args)
    local settings, opened = logs.runs(args, "diff")
    local names = settings.chosen
    if #names ~= 2 then fault.usage("--policies: must be two policies, got %d", #names) end
    local first = setmetatable({ policy = names[1] }, { __index = settings })
    local second = setmetatable({ policy = names[2] }, { __index = settings })
    return again.with_log(first, opened, function(path, jobs)
        return again.with_log(second, opened, function(other)
            return diff.logs({ path, other }, jobs, again.groups(opened))
        end)
    end)
end

---@return integer exit code
function M.diff(args)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local paths = logs.split(args)
    if #paths == 1 or #paths > 2 then
        fault.usage("expected two logs, or none and --policies, got %d", #paths)
    end
    local format = setup.format(args, "table")
    if format == "csv" then fault.usage "--format: a difference is more than one table" end
    setup.check_outputs(args, args.files or {})
    local made = #paths == 2 and of_logs(args, paths) or of_runs(args)
    setup.emit(args, function(write)
        if format == "json" then return diff_text.json(made, write) end
        write(diff_text.document(made):text(format))
    end)
    return 0
end

return M
