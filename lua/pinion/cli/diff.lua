-- The command `diff`: where two schedules of the same jobs part, and who gains.

local again = require "pinion.output.explain.again"
local core = require "pinion.core"
local diff = require "pinion.output.diff"
local diff_text = require "pinion.output.diff.text"
local fault = require "pinion.base.fault"
local log = require "pinion.output.log"
local models = require "pinion.models"
local setup = require "pinion.cli.setup"

local M = {}

local function of_logs(args, paths)
    if not args.scenario and not args.workload then
        local model = log.model(paths[1])
        if model.log.needs_jobs then
            fault.usage("%s: logs of the %s model do not say when jobs arrive (expected the "
                .. "scenario or --workload beside them)", paths[1], model.name)
        end
        return diff.logs(paths)
    end
    local settings = setup.settings(args)
    local opened = setup.open(settings)
    return diff.logs(paths, again.jobs_beside(paths[1], settings, opened), again.groups(opened))
end

local function of_runs(args)
    local settings, model, given = setup.settings(args)
    local names = settings.chosen
    if #names ~= 2 then
        fault.usage("--policies: must be two policies, got %d", #names)
    end
    models.refuse(model, "log", "diff")
    setup.check_params(settings, given, names, settings.policy_where)
    local opened = setup.open(settings)
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
    local paths, names = {}, {}
    for _, name in ipairs(args.files or {}) do
        table.insert(log.is_log(name) and paths or names, name)
    end
    args.scenario = names[1]
    if #names > 1 or #paths == 1 then
        fault.usage("%s: not a decision log (expected two of them, or none and --policies)",
            names[2] or names[1] or "a second file")
    end
    local format = setup.format(args, "table")
    if format == "csv" then fault.usage "--format: a difference is more than one table" end
    setup.check_outputs(args, args.files or {})
    if #paths == 2 and args.policies then
        fault.usage "--policies: means nothing beside two logs"
    end
    local made = #paths == 2 and of_logs(args, paths) or of_runs(args)
    setup.emit(args, function(write)
        if format == "json" then return diff_text.json(made, write) end
        write(diff_text.document(made):text(format))
    end)
    return 0
end

return M
