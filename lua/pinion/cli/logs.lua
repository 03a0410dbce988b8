-- What commands that read decision logs share: which of the files named are logs, and what does not
-- go with them. An input log stands for the decisions that it replays to.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local lazy = require "pinion.base.lazy"
local log = require "pinion.output.log"
local models = require "pinion.models"
local replay = lazy.module "pinion.run.replay"
local setup = require "pinion.cli.setup"

local M = {}

local RUN_OPTIONS = { "policy", "policies", "param", "replica" }

local function refuse_run_options(args)
    for _, name in ipairs(RUN_OPTIONS) do
        local value = args[name]
        if value and (type(value) ~= "table" or #value > 0) then
            fault.usage("--%s: cannot be given together with a log", name)
        end
    end
end

-- Files that are removed when it goes out of scope.
local Temporary = { __close = function(self)
    for _, path in ipairs(self) do os.remove(path) end
end }

---Replays the decisions of an input log, in a file; and what is known of them. --policy and --param
---of the command line are of the policy that the log is of.
---@param args table
---@param name string
---@param path string
---@return pinion.Replayed
function M.replay(args, name, path)
    local tables = {}
    for _, written in ipairs(args.param or {}) do
        local key, value = written:match "^([^=]+)=(.*)$"
        if not key then fault.usage("--param: expected NAME=VALUE, got %s", written) end
        tables[key] = value
    end
    return replay.run(name, { policy = args.policy or args.policies, params = tables, log = path,
        core_memory = setup.checked_option(args, "memory", models.read_memory) })
end

---@return table files to be removed when it is closed
function M.temporary()
    return setmetatable({}, Temporary)
end

-- Returns the decision log of a file; nil when it is none.
local function log_of(args, name, kept)
    if log.is_log(name) then return name end
    if not replay.is_inputs(name) then return nil end
    kept[#kept + 1] = files.temporary()
    M.replay(args, name, kept[#kept])
    return kept[#kept]
end

---Splits the logs from the files; what is none is the scenario.
---@param args table
---@return string[] paths, table kept to be closed when they have been read
function M.split(args)
    local paths, others, kept = {}, {}, M.temporary()
    for _, name in ipairs(args.files or {}) do
        if name ~= "-" and not core.file_exists(name) then
            fault.usage("%s: No such file or directory", name)
        end
        local path = log_of(args, name, kept)
        table.insert(path and paths or others, path or name)
    end
    if #others > 1 then
        fault.usage("%s: not a decision log (expected a file that simulate --log wrote)", others[2])
    end
    args.scenario = others[1]
    if #paths > #kept then refuse_run_options(args) end
    return paths, kept
end

---Returns whether a workload is beside logs; raises a fault where they need one.
---@param args table
---@param path string the first of them
---@return boolean
function M.is_beside(args, path)
    if args.scenario or args.workload then return true end
    local model = log.model(path)
    if model.log.needs_jobs then
        fault.usage("%s: logs of the %s model do not contain arrival times (give the scenario or "
            .. "--workload too, as for `pinion verify`)", path, model.name)
    end
    return false
end

---Returns the settings of runs of these policies, with their jobs.
---@param args table
---@param what string the command
---@return pinion.Settings settings, pinion.Opened opened
function M.runs(args, what)
    local settings, model, given = setup.settings(args)
    models.refuse(model, "log", what)
    setup.check_params(settings, given, settings.chosen, settings.policy_where)
    return settings, setup.open(settings)
end

---Returns the same for the run of --policy, or of the scenario's own.
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
