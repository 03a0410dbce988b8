-- The command `explain`: why a job took its time, or who ran at an instant.

local again = require "pinion.output.explain.again"
local check = require "pinion.base.check"
local core = require "pinion.core"
local explain = require "pinion.output.explain"
local explain_text = require "pinion.output.explain.text"
local fault = require "pinion.base.fault"
local log = require "pinion.output.log"
local models = require "pinion.models"
local setup = require "pinion.cli.setup"

local M = {}

local function read_time(written)
    local time = tonumber(written)
    if not time or time < 0 or time ~= time or time == math.huge then
        return nil, "must be a number >= 0, got " .. check.show(written)
    end
    return time
end

local function question_of(args)
    local job = setup.integer(args, "job", 1)
    local time = setup.checked_option(args, "time", read_time)
    if (job ~= nil) == (time ~= nil) then
        fault.usage "explain: name one of --job N and --time T"
    end
    return function(path, jobs, machines)
        if job then return explain.job(path, job, jobs, machines) end
        return explain.instant(path, time, jobs)
    end, job and explain_text.document or explain_text.instant_document,
        job and explain_text.json or explain_text.instant_json
end

-- A log by itself, or beside the workload that it is of.
local function answer_log(args, path, ask)
    if not args.scenario and not args.workload then
        local model = log.model(path)
        if model.log.needs_jobs then
            fault.usage("%s: logs of the %s model do not say when jobs arrive (expected the "
                .. "scenario or --workload beside it, as for `pinion verify`)", path, model.name)
        end
        return ask(path)
    end
    local settings = setup.settings(args)
    return ask(path, again.jobs_beside(path, settings), settings.machines)
end

-- A run that is made for it.
local function answer_run(args, ask)
    local settings, model, given = setup.settings(args)
    if args.policy then settings.policy, settings.policy_where = args.policy, nil end
    if not settings.policy then
        fault.usage("no policy given (--policy NAME; `pinion policies` lists them)")
    end
    models.refuse(model, "log", "explain")
    setup.check_params(settings, given, { settings.policy }, settings.policy_where)
    return again.with_log(settings, setup.open(settings), function(path, jobs)
        return ask(path, jobs, settings.machines)
    end)
end

---@return integer exit code
function M.explain(args)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local names = args.files or {}
    local path = names[#names] and log.is_log(names[#names]) and table.remove(names) or nil
    args.scenario = names[1]
    if #names > 1 then
        fault.usage("%s: not a decision log (expected a file that simulate --log wrote)", names[2])
    end
    local ask, doc_of, write_json = question_of(args)
    local format = setup.format(args, "table")
    if format == "csv" then fault.usage "--format: an explanation is no table of numbers" end
    setup.check_outputs(args, { path, args.scenario })
    local made = path and answer_log(args, path, ask) or answer_run(args, ask)
    setup.emit(args, function(write)
        if format == "json" then return write_json(made, write) end
        write(doc_of(made):text(format))
    end)
    return 0
end

return M
