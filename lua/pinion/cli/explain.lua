-- The command `explain`: why a job took so long, or which jobs ran at a time.

local again = require "pinion.output.again"
local core = require "pinion.core"
local explain = require "pinion.output.explain"
local explain_text = require "pinion.output.explain.text"
local fault = require "pinion.base.fault"
local logs = require "pinion.cli.logs"
local order = require "pinion.output.explain.order"
local setup = require "pinion.cli.setup"

local M = {}

local function question_of(args)
    local job = setup.integer(args, "job", 1)
    local time = setup.checked_option(args, "time", logs.read_time)
    if (job ~= nil) == (time ~= nil) then
        fault.usage "explain: give either --job N or --time T"
    end
    if time then
        return { time = time, document = explain_text.instant_document,
            json = explain_text.instant_json }
    end
    return { job = job, document = explain_text.document, json = explain_text.json }
end

-- Answers from a log by itself, or beside the workload that it is of.
local function answer_log(args, path, question)
    local jobs, machines = nil, nil
    if logs.is_beside(args, path) then
        local settings = setup.settings(args)
        jobs, machines = again.jobs_beside({ path }, settings), settings.machines
    end
    local made = question.time and explain.instant(path, question.time, jobs)
        or explain.job(path, question.job, jobs, machines)
    order.leave_out(made)
    return made
end

-- Answers from a run that is made for it.
local function answer_run(args, question)
    local settings, opened = logs.run(args, "explain")
    if question.time then return again.explain_instant(settings, opened, question.time) end
    return again.explain(settings, opened, question.job)
end

---@return integer exit code
function M.explain(args)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local paths, kept <close> = logs.split(args)
    if #paths > 1 then fault.usage("%s: expected one log", paths[2]) end
    local question = question_of(args)
    local format = setup.format(args, "table")
    if format == "csv" then
        fault.usage("--format: an explanation cannot be written as csv "
            .. "(expected table or json)")
    end
    setup.check_outputs(args, args.files or {})
    local made = paths[1] and answer_log(args, paths[1], question)
        or answer_run(args, question)
    setup.emit(args, function(write)
        if format == "json" then return question.json(made, write) end
        write(question.document(made):text(format))
    end)
    return 0
end

return M
