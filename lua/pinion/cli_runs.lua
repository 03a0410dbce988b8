-- The commands that run scenarios: simulate, compare, verify.

local comparison = require "pinion.comparison"
local fault = require "pinion.fault"
local files = require "pinion.files"
local report = require "pinion.report"
local setup = require "pinion.cli_setup"
local text = require "pinion.text"

local M = {}

local INTERRUPTED = 130

local function say(format, ...)
    io.stderr:write(string.format("pinion: " .. format .. "\n", ...))
end

-- What a trace holds that is odd but legal; what does not occur is not mentioned.
local TRACE_COUNTS = {
    { "map_only", "map-only" }, { "all_zero", "without any bytes" }, { "no_input", "shuffle but read nothing" },
    { "expanding", "shuffle more than they read" }, { "no_output", "shuffle but write nothing" },
}

-- Makes the jobs, and says what a trace reader counted.
local function open(settings, model)
    local opened = model.open(settings)
    local summary = opened.summary
    if summary and not settings.quiet then
        local parts = {}
        for _, entry in ipairs(TRACE_COUNTS) do
            if summary[entry[1]] > 0 then parts[#parts + 1] = string.format("%d %s", summary[entry[1]], entry[2]) end
        end
        say("%s: %s%s%s", settings.workload.options.file, text.count(summary.rows, "row"), #parts > 0 and ": " or "", table.concat(parts, ", "))
    end
    return opened
end

local function warn_interrupted(result)
    say("interrupted: %d jobs finished with policy %s", result.finished, result.policy)
end

local function need_rows(args, results)
    for _, result in ipairs(results) do
        if not result.jobs and (args.jobs_detail or false) then
            fault.usage("--jobs-detail: the rows of more than a million jobs are not kept")
        end
    end
end

---@return integer exit code
function M.simulate(args)
    local settings, model, given = setup.settings(args)
    if args.policy then settings.policy, settings.policy_where = args.policy, nil end
    if not settings.policy then fault.usage("no policy given (--policy NAME; `pinion policies` lists them)") end
    setup.check_params(settings, given, { settings.policy }, settings.policy_where)
    settings.log = args.log
    files.check_writable(args.output)
    local format = setup.format(args)
    local with_jobs = not args.no_jobs
    if args.no_jobs and not args.jobs_detail then settings.keep_jobs = false end
    local result = model.run(settings, open(settings, model))
    need_rows(args, { result })
    setup.emit(args, function(write)
        if format == "json" then
            report.result_json(result, write, with_jobs)
        elseif format == "csv" then
            local print_rows = args.jobs_detail and report.jobs_csv or report.results_csv
            print_rows({ result }, write)
        else
            write(report.result_text(result))
            if args.jobs_detail then write("\n" .. report.jobs_text(result)) end
        end
    end)
    if result.interrupted then
        warn_interrupted(result)
        return INTERRUPTED
    end
    return 0
end

local function split_names(list)
    local names = {}
    for name in (list .. ","):gmatch("%s*([^,]-)%s*,") do
        if name == "" then fault.usage("--policies: an empty name in '%s'", list) end
        names[#names + 1] = name
    end
    return names
end

local function print_comparison(made, args, format, write)
    local results = report.results_of(made)
    if format == "json" then
        report.comparison_json(made, write, args.jobs_detail or false)
    elseif format == "csv" then
        local print_rows = args.jobs_detail and report.jobs_csv or report.results_csv
        print_rows(results, write)
    else
        write(report.comparison_text(made))
        for _, result in ipairs(args.jobs_detail and results or {}) do
            write("\n" .. result.policy .. "\n" .. report.jobs_text(result))
        end
    end
end

---@return integer exit code
function M.compare(args)
    local settings, model, given = setup.settings(args)
    local names = args.policies and split_names(args.policies) or model.default_policies
    setup.check_params(settings, given, names)
    files.check_writable(args.output)
    local format = setup.format(args)
    local made = comparison.run(settings, names, {
        replicas = 1, collect = false, keep_rows = args.jobs_detail or false, open = function() return open(settings, model) end,
    })
    need_rows(args, report.results_of(made))
    setup.emit(args, function(write) print_comparison(made, args, format, write) end)
    if made.interrupted then
        warn_interrupted(made.rows[#made.rows].result)
        return INTERRUPTED
    end
    return 0
end

---@return integer exit code
function M.verify(args)
    local names = args.files
    local log = table.remove(names)
    args.scenario = names[1]
    local settings, model = setup.settings(args)
    local summary = model.verify(settings, log)
    io.stdout:write(string.format("%s: ok: %s: %d decisions, %d jobs, %d slots, digest %s\n", log, summary.policy, summary.decisions,
        summary.jobs, summary.slots, summary.digest))
    return 0
end

return M
