-- The command `explain`: why a job took its time, or who ran at an instant.

local again = require "pinion.output.again"
local check = require "pinion.base.check"
local core = require "pinion.core"
local explain = require "pinion.output.explain"
local explain_text = require "pinion.output.explain.text"
local fault = require "pinion.base.fault"
local logs = require "pinion.cli.logs"
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
    return function(path, jobs, machines, name)
        if job then return explain.job(path, job, jobs, machines, name) end
        return explain.instant(path, time, jobs)
    end, job and explain_text.document or explain_text.instant_document,
        job and explain_text.json or explain_text.instant_json
end

-- A log by itself, or beside the workload that it is of.
local function answer_log(args, path, ask)
    if not logs.is_beside(args, path) then return ask(path) end
    local settings = setup.settings(args)
    return ask(path, again.jobs_beside({ path }, settings), settings.machines)
end

-- A run that is made for it.
local function answer_run(args, ask)
    local settings, opened = logs.runs(args, "explain")
    if args.policy then settings.policy, settings.policy_where = args.policy, nil end
    if not settings.policy then
        fault.usage("no policy given (--policy NAME; `pinion policies` lists them)")
    end
    return again.with_log(settings, opened, function(path, jobs)
        return ask(path, jobs, settings.machines, "this run")
    end)
end

---@return integer exit code
function M.explain(args)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local paths = logs.split(args)
    if #paths > 1 then fault.usage("%s: expected one log", paths[2]) end
    local ask, doc_of, write_json = question_of(args)
    local format = setup.format(args, "table")
    if format == "csv" then fault.usage "--format: an explanation is no table of numbers" end
    setup.check_outputs(args, args.files or {})
    local made = paths[1] and answer_log(args, paths[1], ask) or answer_run(args, ask)
    setup.emit(args, function(write)
        if format == "json" then return write_json(made, write) end
        write(doc_of(made):text(format))
    end)
    return 0
end

return M
