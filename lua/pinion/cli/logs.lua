-- What commands that read decision logs share: which of the files named are logs, and what does not
-- go with them.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local log = require "pinion.output.log"
local models = require "pinion.models"
local setup = require "pinion.cli.setup"

local M = {}

local RUN_OPTIONS = { "policy", "policies", "param", "replica" }

local function refuse_run_options(args)
    for _, name in ipairs(RUN_OPTIONS) do
        local value = args[name]
        if value and (type(value) ~= "table" or #value > 0) then
            fault.usage("--%s: means nothing beside a log, which is of one run", name)
        end
    end
end

---The logs among the files; what is none is the scenario.
---@param args table
---@return string[] paths
function M.split(args)
    local paths, others = {}, {}
    for _, name in ipairs(args.files or {}) do
        if name ~= "-" and not core.file_exists(name) then
            fault.usage("%s: No such file or directory", name)
        end
        table.insert(log.is_log(name) and paths or others, name)
    end
    if #others > 1 then
        fault.usage("%s: not a decision log (expected a file that simulate --log wrote)", others[2])
    end
    args.scenario = others[1]
    if #paths > 0 then refuse_run_options(args) end
    return paths
end

---Whether a workload stands beside logs; raises a fault where they need one.
---@param args table
---@param path string the first of them
---@return boolean
function M.is_beside(args, path)
    if args.scenario or args.workload then return true end
    local model = log.model(path)
    if model.log.needs_jobs then
        fault.usage("%s: logs of the %s model do not say when jobs arrive (expected the scenario "
            .. "or --workload beside it, as for `pinion verify`)", path, model.name)
    end
    return false
end

---The settings of runs of these policies, with their jobs.
---@param args table
---@param what string the command
---@return pinion.Settings settings, pinion.Opened opened
function M.runs(args, what)
    local settings, model, given = setup.settings(args)
    models.refuse(model, "log", what)
    setup.check_params(settings, given, settings.chosen, settings.policy_where)
    return settings, setup.open(settings)
end

---The same for the run of --policy, or of the scenario's own.
---@param args table
---@param what string the command
---@return pinion.Settings settings, pinion.Opened opened
function M.run(args, what)
    local settings, opened = M.runs(args, what)
    if args.policy then settings.policy, settings.policy_where = args.policy, nil end
    if not settings.policy then
        fault.usage("no policy given (--policy NAME; `pinion policies` lists them)")
    end
    return settings, opened
end

---@param written string
---@return number|nil time, string|nil problem
function M.read_time(written)
    local time = tonumber(written)
    if not time or time < 0 or time ~= time or time == math.huge then
        return nil, "must be a number >= 0, got " .. check.show(written)
    end
    return time
end

return M
