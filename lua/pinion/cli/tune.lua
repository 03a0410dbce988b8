-- The command tune.

local document = require "pinion.output.document"
local fault = require "pinion.base.fault"
local inputs = require "pinion.run.inputs"
local lazy = require "pinion.base.lazy"
local notices = require "pinion.run.notices"
local output = require "pinion.output.tune"
local page = lazy.module "pinion.output.page"
local pages = lazy.module "pinion.output.page.sections"
local parallel = lazy.module "pinion.base.parallel"
local quantity = require "pinion.base.quantity"
local say = require "pinion.base.say"
local setup = require "pinion.cli.setup"
local storing = require "pinion.cli.storing"
local text = require "pinion.base.text"
local tune = require "pinion.run.tune"
local workload = require "pinion.workload"

local M = {}

-- Reads parameters and what they may be.
local function read_over(list)
    local over = setup.over(list, "quantum=1..200")
    for _, pair in ipairs(over) do
        pair[1] = pair[1]:gsub("^params%.", "")
        for k, piece in ipairs(pair[2]) do pair[2][k] = quantity.literal(piece) end
    end
    return over
end

local function read_weights(args, count)
    local weights = {}
    for piece in (args.weights or ""):gmatch "[^,]+" do
        local weight, why = quantity.number(piece, 0, math.huge, true)
        if not weight then setup.fail("weights", why) end
        weights[#weights + 1] = weight
    end
    if args.weights and #weights ~= count then
        fault.usage("--weights: must be %s, one for each workload, got '%s'",
            text.count(count, "number"), args.weights)
    end
    return weights
end

-- Returns the workloads, that of the settings first.
local function workloads_of(args, settings)
    local list = { settings.workload }
    for i, spec in ipairs(args.also or {}) do
        list[i + 1] = workload.spec(spec, settings.model)
    end
    return list
end

local function print_it(made, format, write)
    if format == "json" then
        output.json(made, write)
    elseif format == "csv" then
        output.csv(made, write)
    elseif format == "html" then
        page.write(pages.tune(made), write)
    else
        write(output.document(made):text(format))
    end
end

---@return integer exit code
function M.tune(args, arguments)
    local settings, model, given = setup.settings(args)
    if args.policy then settings.policy, settings.policy_where = args.policy, nil end
    if not settings.policy then
        fault.usage("no policy given (--policy NAME; `pinion policies` lists them)")
    end
    local workloads = workloads_of(args, settings)
    local options = {
        policy = settings.policy, over = read_over(args.over), goal = args.goal,
        maximize = args.maximize or false, limits = args.subject_to or {},
        runs = setup.integer(args, "runs", 1, 100000000) or tune.RUNS,
        confirm = setup.integer(args, "replicas", 2, 100000) or tune.CONFIRM,
        reference = args.reference, weights = read_weights(args, #workloads),
        processes = args.processes and setup.integer(args, "processes", 1, parallel.PROCESSES_MAX),
        open = setup.open, replicas = 1, quiet = settings.quiet,
    }
    local names = { settings.policy, args.reference }
    setup.check_params(settings, given, names)
    local paths = inputs.of(settings, names)
    for i = 2, #workloads do
        local more = inputs.of_workload(workloads[i])
        table.move(more, 1, #more, #paths + 1, paths)
    end
    setup.check_outputs(args, paths)
    local format = setup.format(args, nil, true)
    if format == "db" then
        fault.usage("--output: %s would be a database, which cannot hold the result of tuning "
            .. "(expected .csv, .html, .json, .md, .tex or .txt)", args.output)
    end
    if format == "html" then page.check() end
    storing.read(args, arguments, options, settings)
    inputs.keep_from({}, args) -- the store's files are known now
    local made, missing = tune.run(settings, workloads, options)
    if not made and missing and missing > 0 then
        say("this part is done for now: other parts have %s to do before the next step",
            text.count(missing, "unit"))
        return 1
    end
    if not made and options.shard then return 0 end
    if not made then
        say(options.store and "interrupted: the same command continues" or "interrupted")
        return fault.INTERRUPTED
    end
    setup.emit(args, function(write) print_it(made, format, write) end)
    local says, failed = document.has(format) and not args.output, false
    for _, one in ipairs(made.comparisons) do
        failed = notices.print(one, settings, { quiet = settings.quiet, table_says = says })
            or failed
    end
    return failed and 1 or 0
end

return M
