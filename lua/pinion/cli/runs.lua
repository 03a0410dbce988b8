-- The commands of single runs: simulate, resume, verify.

local check = require "pinion.base.check"
local checkpoint = require "pinion.run.checkpoint"
local core = require "pinion.core"
local decisions = require "pinion.output.log"
local document = require "pinion.output.document"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local inputs = require "pinion.run.inputs"
local logs = require "pinion.cli.logs"
local long = require "pinion.output.long"
local models = require "pinion.models"
local options = require "pinion.cli.options"
local notices = require "pinion.run.notices"
local output = require "pinion.output.result"
local lazy = require "pinion.base.lazy"
local page = lazy.module "pinion.output.page"
local pages = lazy.module "pinion.output.page.sections"
local replay = lazy.module "pinion.run.replay"
local say = require "pinion.base.say"
local setup = require "pinion.cli.setup"
local single = require "pinion.run.single"
local text = require "pinion.base.text"

local M = {}

local function warn_interrupted(result)
    say("interrupted: %s", setup.interrupted_words(result))
end

-- Writes a command line as it would be typed.
local function shell_word(word)
    if word:find("^[%w_./:=,@%%+-]+$") then return word end
    return "'" .. word:gsub("'", "'\\''") .. "'"
end

-- Returns the command that resumes a run from its checkpoint.
local function resuming(args, path)
    local words = { shell_word(path) }
    for _, name in ipairs { "output", "log" } do
        if args[name] then words[#words + 1] = "--" .. name .. " " .. shell_word(args[name]) end
    end
    return table.concat(words, " ")
end

local function read_checkpoint(args, settings, model, arguments, from)
    if args.checkpoint then models.refuse(model, "checkpoint", "--checkpoint") end
    settings.every = setup.model_option(args, "every", models.read_every, model)
    if not args.checkpoint then
        if settings.every then fault.usage("--every: needs --checkpoint FILE") end
        return
    end
    if not settings.every then
        fault.usage("--every is missing (with --checkpoint: %s between two checkpoints)",
            model.settings.unit)
    end
    settings.checkpoint, settings.arguments, settings.resume = args.checkpoint, arguments, from
    local paths = { args.scenario }
    for _, path in ipairs(settings.workload:files()) do paths[#paths + 1] = path end
    settings.inputs = from and from.header.inputs or checkpoint.inputs(paths)
end

-- Lists what the run reads. Only a checkpoint may be written over by the next one.
local function inputs_of(args, settings, from)
    local paths = inputs.of(settings)
    if from and core.file_identity(from.path) ~= core.file_identity(args.checkpoint) then
        paths[#paths + 1] = from.path
    end
    return paths
end

-- Runs what a command line asks for, from the first job or from a checkpoint.
local function simulate(args, arguments, from)
    if args.checkpoint and args.scenario == "-" then
        fault.usage("--checkpoint: a scenario from standard input cannot be read again when the "
            .. "run resumes (expected a file)")
    end
    local settings, model, given = setup.settings(args)
    if args.policy then settings.policy, settings.policy_where = args.policy, nil end
    if not settings.policy then
        fault.usage("no policy given (--policy NAME; `pinion policies` lists them)")
    end
    setup.check_params(settings, given, { settings.policy }, settings.policy_where)
    settings.log = args.log
    if args.log then models.refuse(model, "log", "--log") end
    setup.check_outputs(args, inputs_of(args, settings, from))
    read_checkpoint(args, settings, model, arguments, from)
    local format = setup.format(args, nil, true)
    setup.check_rows(args, format)
    local with_jobs = not args.no_jobs
    if args.no_jobs and not args.jobs_detail then settings.keep_jobs = false end
    local result = single.run(settings, setup.open(settings))
    setup.need_rows(args, { result })
    setup.emit_result(args, format, result, args.jobs_detail, function(write)
        if format == "json" then
            output.json(result, write, with_jobs)
        elseif format == "csv" then
            if args.long then return long.csv(result, write) end
            local print_rows = args.jobs_detail and output.jobs_csv or output.csv
            print_rows({ result }, write)
        elseif format == "html" then
            page.write(pages.result(result), write)
        else
            local doc = output.document(result)
            if args.jobs_detail then
                doc:gap()
                output.add_jobs(result, doc)
            end
            write(doc:text(format))
        end
    end)
    if result.interrupted then
        warn_interrupted(result)
        if result.continue_from then
            say("continue with: pinion resume %s", resuming(args, result.continue_from))
        end
        return fault.INTERRUPTED
    end
    local says = document.has(format) and not args.output
    return notices.print(result, settings, { quiet = settings.quiet, table_says = says }) and 1 or 0
end

---@return integer exit code
function M.simulate(args, arguments)
    return simulate(args, arguments)
end

-- What resume may ask for in place of what the run was begun with.
local OVER = { "until", "format", "output", "every", "log" }

-- Requires a name: a checkpoint may come from anybody: it does not choose which files are
-- overwritten.
local function need_named(args, begun, from)
    for _, name in ipairs { "output", "log" } do
        if begun[name] and begun[name] ~= args[name] then
            fault.at(from.path, nil,
                string.format(
                "is of a run with --%s %s (give --%s FILE again: resume writes only to files of "
                    .. "its own command line)", name, check.show(begun[name]), name))
        end
    end
end

local SHORT = { o = "output" }

-- Returns the option that a word of a command line is, and whether its value is the next word.
local function option_of(word)
    local name, value = word:match "^%-%-(%w+)(.*)$"
    if name then return (value == "" or value:sub(1, 1) == "=") and name, value == "" end
    return SHORT[word:match "^%-(%a)" or ""], #word == 2
end

-- Returns the command line with these options in place of its own; nothing is an option behind
-- "--".
local function with_options(arguments, over)
    local made, rest = {}, #arguments + 1
    local at = 1
    while at < rest do
        local word = arguments[at]
        local name, is_whole = option_of(word)
        if word == "--" then
            rest = at
        elseif name and over[name] then
            at = at + (is_whole and 2 or 1)
        else
            made[#made + 1] = word
            at = at + 1
        end
    end
    for _, name in ipairs(OVER) do
        if over[name] then made[#made + 1] = "--" .. name .. "=" .. over[name] end
    end
    return table.move(arguments, rest, #arguments, #made + 1, made)
end

local function begun_with(from)
    local arguments = from.header.arguments
    if type(arguments) ~= "table" or arguments[1] ~= "simulate" then
        fault.at(from.path, nil,
            "was written by a script (expected one of `pinion simulate`; run the script again to "
            .. "resume, with resume = true)")
    end
    return arguments
end

---@return integer exit code
function M.resume(args)
    local from = checkpoint.read(args.file)
    local over = {}
    for _, name in ipairs(OVER) do over[name] = args[name] end
    local arguments = with_options(begun_with(from), over)
    checkpoint.check_inputs(from)
    checkpoint.pin_policy(from, args.quiet)
    local begun = options.parser(arguments):parse(arguments)
    need_named(args, begun, from)
    begun.checkpoint, begun.quiet = args.checkpoint or args.file, args.quiet or begun.quiet
    return simulate(begun, arguments, from)
end

local function replayed_words(made)
    local words = { made.policy, text.count(made.events, "event"),
        text.count(made.decisions, "decision") }
    if made.gave_up then words[#words + 1] = "the last event returned " .. made.gave_up end
    if not made.ended then
        words[#words + 1] = made.cut and "cut off; the incomplete line is ignored"
            or "without an end"
    end
    return table.concat(words, ", ")
end

-- Verifies an input log, and what the host says of the decisions.
local function verify_inputs(args, path, log)
    local kept <close> = logs.temporary()
    kept[1] = log and files.temporary()
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local made = logs.replay(args, path, kept[1])
    if log then
        local lines = replay.compare(log, kept[1], made)
        io.stdout:write(text.line("%s: ok: %s as replayed", log, text.count(lines, "line")))
    end
    io.stdout:write(text.line("%s: ok: %s, digest %s", path, replayed_words(made), made.digest))
    return 0
end

---@return integer exit code
function M.verify(args)
    local names = args.files
    if replay.is_inputs(names[1]) then return verify_inputs(args, names[1], names[2]) end
    for _, name in ipairs { "policy", "param" } do
        if args[name] and #args[name] > 0 then
            fault.usage("--%s: cannot be given together with a decision log", name)
        end
    end
    if args.memory then
        fault.usage("--memory: applies only to input logs")
    end
    local log = table.remove(names, decisions.is_log(names[1]) and 1 or #names)
    args.scenario = names[1]
    if log == "-" and args.scenario == "-" then
        fault.usage("either the scenario or the log can be standard input, not both")
    end
    if log == "-" then log = "/dev/stdin" end
    local settings, model = setup.settings(args)
    models.refuse(model, "log", "verify")
    local summary = single.verify(settings, log)
    local ok = summary.measured
        and "ok, as measured (durations, failures and submissions are taken from the log)" or "ok"
    io.stdout:write(text.line("%s: %s: %s: %s, %s, %s, digest %s", log, ok, summary.policy,
        text.count(summary.decisions, "decision"), text.count(summary.jobs, "job"),
        model.words.ended(summary), summary.digest))
    return 0
end

return M
