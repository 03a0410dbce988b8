-- The commands of experiments: compare and sweep.

local lazy = require "pinion.base.lazy"
local axes_of = lazy.module "pinion.run.axes"
local comparison = require "pinion.run.comparison"
local csv = require "pinion.base.csv"
local database = lazy.module "pinion.output.database"
local document = require "pinion.output.document"
local fault = require "pinion.base.fault"
local inputs = require "pinion.run.inputs"
local long = require "pinion.output.long"
local models = require "pinion.models"
local page = lazy.module "pinion.output.page"
local pages = lazy.module "pinion.output.page.sections"
local parallel = lazy.module "pinion.base.parallel"
local plot = lazy.module "pinion.output.plot"
local notices = require "pinion.run.notices"
local output = require "pinion.output.comparison"
local results_output = require "pinion.output.result"
local say = require "pinion.base.say"
local setup = require "pinion.cli.setup"
local run_storing = require "pinion.run.storing"
local storing = lazy.module "pinion.cli.storing"
local sweep = lazy.module "pinion.run.sweep"
local sweep_output = lazy.module "pinion.output.sweep"

local M = {}

local function split_names(list)
    local names = {}
    for name in (list .. ","):gmatch("%s*([^,]-)%s*,") do
        if name == "" then fault.usage("--policies: an empty name in '%s'", list) end
        names[#names + 1] = name
    end
    return names
end

local function replication_of(args, settings)
    return {
        replicas = run_storing.replicas(setup.integer(args, "replicas", 1, 100000), settings,
            setup.fail),
        processes = args.processes and setup.integer(args, "processes", 1, parallel.PROCESSES_MAX),
        baseline = args.baseline,
    }
end

-- ---- jobs of several replicas -------------------------------------------------------------------

local COPY_BYTES = 1 << 16

-- Keeps jobs with --jobs-detail: what writes the jobs of all runs once these are done; for a
-- database, their file. They wait there, as lines, so that there may be any number of them.
local function keep_jobs(args, options, settings, axes, format)
    if not args.jobs_detail then return nil end
    if format ~= "csv" and format ~= "db" then
        fault.usage("--jobs-detail: jobs of several replicas or cells are rows of csv, not of %s "
            .. "(expected --format csv, or --output FILE.db)", format)
    end
    local attributes = settings.workload:attribute_names()
    local columns = results_output.replicated_columns(models.of(settings), axes, attributes)
    local waiting = io.tmpfile()
    options.detail = function(result, replica, cell)
        setup.need_rows(args, { result })
        if format == "db" then
            return database.job_lines(result, replica, cell, axes, attributes)
        end
        local beside = { policy = result.policy, replica = replica }
        for name, value in next, cell do beside[name] = value end
        return results_output.job_lines(result, columns, beside)
    end
    options.take = function(lines) assert(waiting:write(lines)) end
    if format == "db" then return waiting end
    return function(write)
        local header = {}
        for i, column in ipairs(columns) do header[i] = csv.quote(column) end
        write(table.concat(header, ",") .. "\n")
        waiting:seek "set"
        for block in function() return waiting:read(COPY_BYTES) end do write(block) end
        waiting:close()
    end
end

-- ---- compare ------------------------------------------------------------------------------------

local function print_comparison(made, args, format, write)
    local results = output.results(made)
    if format == "json" then
        output.json(made, write, args.jobs_detail or false)
    elseif format == "csv" then
        local print_it = args.long and long.csv or output.csv
        if args.jobs_detail then
            results_output.jobs_csv(results, write)
        else
            print_it(made, write)
        end
    elseif format == "html" then
        page.write(pages.comparison(made), write)
    else
        local doc = output.document(made, true)
        for _, result in ipairs(args.jobs_detail and results or {}) do
            doc:gap()
            doc:lines(result.policy)
            results_output.add_jobs(result, doc)
        end
        write(doc:text(format))
    end
end

-- Returns what a figure is to show; its options mean nothing without one.
local function plot_options(args)
    for _, name in ipairs { "kind", "x", "of", "group" } do
        if args[name] and not args.plot then
            fault.usage("--%s: needs --plot FILE", name)
        end
    end
    return { kind = args.kind, x = args.x, of = args.of, group = args.group }
end

local function warn_interrupted(made)
    if #made.rows == 0 then
        say("interrupted before any replica was complete")
    elseif made.replicas > 1 then
        say("interrupted: %d of %d replicas are complete", made.completed, made.replicas)
    else
        say("interrupted: %s", setup.interrupted_words(made.rows[#made.rows].result))
    end
end

-- Ends after a part of an experiment, which others gather, or one with a store that was
-- interrupted: what is finished is stored.
local function end_stored(complete)
    if complete then return 0 end
    say("interrupted: the same command continues")
    return fault.INTERRUPTED
end

---@return integer exit code
function M.compare(args, arguments)
    local settings, model, given = setup.settings(args)
    local names = args.policies and split_names(args.policies)
        or settings.workload:default_policies(model)
    setup.check_params(settings, given, names)
    local options = replication_of(args, settings)
    options.keep_rows = args.jobs_detail or false
    options.open = setup.open
    local drawing = plot_options(args)
    if args.plot then
        local searched = tostring((settings.params or {}).search_ratio) == "true"
        plot.check({ model = model.name, extended = settings.extended, bounds = settings.bounds,
            replicas = options.replicas, searched = searched,
            groups = settings.workload:group_names(model.name) }, args.plot, drawing)
    end
    setup.check_outputs(args, inputs.of(settings, names))
    local format = setup.format(args, nil, true)
    setup.check_rows(args, format)
    local jobs = options.replicas > 1 and keep_jobs(args, options, settings, {}, format)
    storing.read(args, arguments, options, settings)
    inputs.keep_from({}, args) -- the store's files are known now
    if args.dry_run then
        return storing.print(comparison.survey(settings, names, options), args)
    end
    if options.shard then return end_stored(comparison.run_part(settings, names, options)) end
    local made = comparison.run(settings, names, options)
    if made.interrupted and options.store then return end_stored(false) end
    if options.replicas == 1 then setup.need_rows(args, output.results(made)) end
    setup.emit_result(args, format, made, jobs or args.jobs_detail, function(write)
        if jobs then jobs(write) else print_comparison(made, args, format, write) end
    end)
    if made.interrupted then
        warn_interrupted(made)
        return fault.INTERRUPTED
    end
    local says = document.has(format) and not args.output
    local failed = notices.print(made, settings, { quiet = settings.quiet, table_says = says })
    if args.plot then plot.draw(made, args.plot, drawing) end
    return failed and 1 or 0
end

-- ---- sweep --------------------------------------------------------------------------------------

---@return integer exit code
function M.sweep(args, arguments)
    local axes = axes_of.read_over(setup.over(args.over, "machines=50,100"))
    for _, axis in ipairs(axes) do
        -- A scenario must hold what varies all the same; what it holds does not matter.
        if axis.name == "workload" and not args.workload and not args.scenario then
            args.workload = axis.values[1]
        end
    end
    local settings, model, given = setup.settings(args)
    local names = args.policies and split_names(args.policies)
        or settings.workload:default_policies(model)
    setup.check_params(settings, given, names)
    local drawing = plot_options(args)
    if args.plot then plot.check_sweep(models.of(settings), axes, #names, args.plot, drawing) end
    setup.check_outputs(args, inputs.of_sweep(settings, names, axes))
    local format = setup.format(args, nil, true)
    setup.check_rows(args, format)
    local options = replication_of(args, settings)
    options.keep_numbers = args.long or format == "db"
    local jobs = keep_jobs(args, options, settings, axes, format)
    storing.read(args, arguments, options, settings)
    inputs.keep_from({}, args) -- the store's files are known now
    if args.dry_run then
        return storing.print(sweep.survey(settings, names, axes, options), args)
    end
    if options.shard then return end_stored(sweep.run_part(settings, names, axes, options)) end
    local made = sweep.run(settings, names, axes, options)
    if made.interrupted and options.store then return end_stored(false) end
    setup.emit_result(args, format, made, jobs, function(write)
        local print_it = format == "json" and sweep_output.json or format == "csv"
            and (args.long and long.csv or sweep_output.csv)
        if jobs then
            jobs(write)
        elseif format == "html" then
            page.write(pages.sweep(made), write)
        elseif print_it then
            print_it(made, write)
        else
            write(sweep_output.document(made):text(format))
        end
    end)
    if made.interrupted then
        say("interrupted: %d of %d cells are complete", made.cells_complete, made.cells)
        return fault.INTERRUPTED
    end
    local says = document.has(format) and not args.output
    local failed = notices.print(made, settings,
        { quiet = settings.quiet, table_says = says, axes = axes })
    if args.plot then plot.draw_sweep(made, args.plot, drawing) end
    return failed and 1 or 0
end

return M
