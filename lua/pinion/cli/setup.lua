-- From the options of a command to checked settings of a run: file, --workload, --set, --policy and
-- the rest in their order of precedence.

local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local core = require "pinion.core"
local lazy = require "pinion.base.lazy"
local database = lazy.module "pinion.output.database"
local files = require "pinion.base.files"
local generators = require "pinion.workload.generators"
local inputs = require "pinion.run.inputs"
local metrics = lazy.module "pinion.run.metrics"
local mistaken = lazy.module "pinion.base.mistaken"
local models = require "pinion.models"
local page = lazy.module "pinion.output.page"
local params_of = require "pinion.policy.params"
local policies = require "pinion.policy"
local quantity = require "pinion.base.quantity"
local say = require "pinion.base.say"
local scenario = require "pinion.run.scenario"
local single = require "pinion.run.single"
local suggest = require "pinion.base.suggest"
local trace_counts = lazy.module "pinion.workload.trace_counts"
local workload = require "pinion.workload"

local M = {}

---Reads "name=value" pairs of a repeatable option.
---@param list string[]|nil
---@param option string
---@param shape string what messages call a pair
---@return table<string, string>
local function read_pairs(list, option, shape)
    local pairs_read = {}
    for _, text in ipairs(list or {}) do
        local name, value = text:match("^%s*([%w_]+)%s*=%s*(.-)%s*$")
        if not name then fault.usage("%s: expected %s, got %s", option, shape, check.show(text)) end
        if pairs_read[name] ~= nil then fault.usage("%s: %s is given twice", option, name) end
        pairs_read[name] = value
    end
    return pairs_read
end

M.read_pairs = read_pairs

---Reads "NAME=VALUE,VALUE,…" of the option --over, in the order given.
---@param list string[]|nil
---@param example string
---@return { [1]: string, [2]: string[] }[] names and values
function M.over(list, example)
    if #(list or {}) == 0 then
        fault.usage("--over is missing (such as --over %s)", example)
    end
    local over = {}
    for i, option in ipairs(list) do
        local name, values = option:match("^%s*([%w_.]+)%s*=%s*(.-)%s*$")
        if not name then fault.usage("--over: expected NAME=VALUE,VALUE,…, got '%s'", option) end
        local pieces = workload.split(values)
        for k, piece in ipairs(pieces) do
            pieces[k] = piece:match("^%s*(.-)%s*$")
            if pieces[k] == "" then fault.usage("--over: an empty value in '%s'", option) end
        end
        over[i] = { name, pieces }
    end
    return over
end

local function checked(option, value, why)
    if value == nil then fault.usage("%s: %s", option, why) end
    return value
end

-- Writes an option as it is written.
local function flag_of(option)
    return "--" .. option:gsub("_", "-")
end

---Reads an integer option of the command line.
function M.integer(args, option, low, high)
    local value = args[option]
    if value == nil then return nil end
    return checked(flag_of(option), quantity.integer(value, low, high or check.INTEGER_MAX))
end

---Reads any other option of the command line, by its reader.
---@param read fun(text: string): any, string?
function M.checked_option(args, option, read)
    local value = args[option]
    if value == nil then return nil end
    return checked(flag_of(option), read(value))
end

---Raises a fault about an option of the command line.
function M.fail(option, reason)
    fault.usage("%s: %s", flag_of(option), reason)
end

---Reads the same by a reader that depends on the model.
---@param read fun(model: pinion.Model, text: string): any, string?
function M.model_option(args, option, read, model)
    return M.checked_option(args, option, function(text) return read(model, text) end)
end

local function known_to_set(model)
    local known = { "model" }
    for _, name in ipairs(model.settings.scalars) do known[#known + 1] = name end
    return known
end

local function read_set(given, model)
    local values, known = {}, known_to_set(model)
    for _, name in ipairs(check.sorted_keys(given)) do
        if name ~= "model" then
            local field = scenario.reader(model, name)
            if not field and models.has_param(model.name, name) then
                fault.usage("--set %s: unknown field (a parameter: --param %s=%s)", name, name,
                    given[name])
            end
            if not field then
                fault.usage("--set %s: unknown field %s", name, suggest.hint(name, known))
            end
            local value, why = field(quantity.literal(given[name]))
            if value == nil then fault.at_element(nil, "--set " .. name, why) end
            values[name] = value
        end
    end
    return values
end

---Returns the policies that the command line names.
---@return string[]
function M.policies_named(args)
    local names = {}
    for name in (args.policies or args.policy or ""):gmatch("[^,]+") do
        names[#names + 1] = name:match("^%s*(.-)%s*$")
    end
    return names
end

local function find_model(name)
    local model, why = models.find(name)
    return checked("model", model, why)
end

-- Returns the check of the default: a workload of several models is taken for the default one,
-- which the policies may not be of.
local function check_of_default(args)
    for _, name in ipairs(M.policies_named(args)) do
        local policy = policies.lookup(name)
        if policy and not policies.lookup(name, models.default) then
            fault.usage("policy '%s' is of the %s model (--model %s runs the workload there)", name,
                policy.model, policy.model)
        end
    end
end

---Returns a workload as a scenario, with what it suggests, and the model's fields for one that has
---no file.
---@param model pinion.Model
---@param work pinion.Workload
---@return table
function M.beside(model, work)
    local base = { model = model, workload = work }
    work:fill(model, base)
    for name, value in next, model.settings.beside_workload or {} do
        if base[name] == nil then base[name] = value end
    end
    return base
end

-- Returns the option that a file of Lua belongs to, or its command; nil: neither is known.
local function meant_by_lua(path, text, args)
    if mistaken.is_workload(text, path) then return "--workload " .. path end
    if mistaken.is_policy(text, path) then
        local is_list = args.command == "compare" or args.command == "sweep"
        return (is_list and "--policies " or "--policy ") .. path
    end
    return mistaken.is_script(text) and "pinion run " .. path or nil
end

-- As much of a file as tells what it is.
local BEGINNING = 1 << 20

-- Says what a file is that stands where a scenario belongs, by its name, unless it begins like one.
local function check_scenario(path, args)
    local spec, is_lua = mistaken.spec_of(path), path:lower():find "%.lua$"
    local kind = path:match "^([%w_]+)%f[:,\0]"
    local text = (spec or is_lua or kind) and files.beginning(path, BEGINNING)
    if not text and kind and (generators.find(kind) or kind == "csv") then
        fault.at(path, nil, string.format("No such file (did you mean --workload %s?)", path))
    end
    if not text or not (spec or is_lua) or text:find "^%s*{" then return end
    local meant = spec and "--workload " .. spec or meant_by_lua(path, text, args)
    if meant then
        fault.at(path, nil, string.format("expected a scenario (did you mean %s?)", meant))
    end
end

-- Refuses a scenario beside --workload, and says so where it is the name of a policy.
local function check_beside(args)
    local name = args.scenario
    if args.policies and policies.lookup(name) then
        fault.usage("'%s' is a policy (separate names by commas: --policies %s,%s)", name,
            args.policies, name)
    end
    fault.usage("give either a scenario file or --workload, not both")
end

-- Reads the scenario of a file, or of --workload with the defaults beside it.
local function read_base(args, set)
    local named = args.model or set.model
    local model = named and find_model(named)
    if args.workload then
        if args.scenario then check_beside(args) end
        local work = workload.spec(args.workload, model and model.name)
        if not model and not work:only_model() then check_of_default(args) end
        model = model or find_model(work:only_model() or models.default)
        return M.beside(model, work)
    end
    if not args.scenario then
        fault.usage("a scenario file is missing (or --workload SPEC; - reads standard input)")
    end
    check_scenario(args.scenario, args)
    local base = scenario.read(args.scenario, M.policies_named(args))
    if model and model ~= base.model then
        fault.at(base.where, "model",
            string.format("is '%s', but --model is '%s'", base.model.name, model.name))
    end
    return base
end

-- Reads parameters; those of the command line override those of the file.
local function read_params(args, base)
    local given = read_pairs(args.param, "--param", "NAME=VALUE")
    local params = {}
    for name, value in next, base.params or {} do params[name] = value end
    for _, name in ipairs(check.sorted_keys(given)) do
        given[name] = quantity.plain(given[name])
        params[name] = given[name]
    end
    return params, given
end

local function read_size_buckets(args, model, settings)
    if args.slowdown_by_size == nil then return end
    local read = model.settings.options.slowdown_by_size
    if not read then
        fault.usage("--slowdown-by-size: is not an option of the %s model", model.name)
    end
    settings.slowdown_by_size = checked("--slowdown-by-size", read(args.slowdown_by_size))
end

-- Settles the seed: one of the command line overrides that of the file, whichever of its two places
-- it has in the cluster model.
local function settle_seed(args, settings)
    if args.seed then
        settings.params.seed = nil
    elseif settings.params_given.seed ~= nil then
        settings.seed = nil
    end
end

---Returns the settings of a run without a policy chosen yet, and the parameters given on the
---command line.
---@return pinion.Settings settings, table model, table<string, any> given_params
function M.settings(args)
    local given = read_pairs(args.set, "--set", "FIELD=VALUE")
    local base = read_base(args, given)
    local model = base.model
    local set = read_set(given, model)
    local function field(name)
        if set[name] ~= nil then return set[name] end
        return base[name]
    end
    for _, name in ipairs(model.settings.scalars) do
        local reason = model.settings.required[name]
        if reason and field(name) == nil then fault.at(base.where, name, reason) end
    end
    local params, given_params = read_params(args, base)
    local settings = {
        model = model.name, policy_where = set.policy == nil and base.policy and base.where or nil,
        failures_where = set.failures == nil and base.where or nil,
        params = params, params_where = base.where, params_given = given_params,
        workload = base.workload,
        replica = M.integer(args, "replica", 0, 0xFFFFFFFF) or 0,
        error = M.model_option(args, "error", models.read_error, model),
        warmup = M.model_option(args, "warmup", models.read_warmup, model),
        metrics = M.model_option(args, "metrics", metrics.read_names, model),
        budget = M.checked_option(args, "budget", models.read_budget),
        memory = M.checked_option(args, "memory", models.read_memory),
        compile = not args.no_compile and nil, -- false, or as by default
        chosen = M.policies_named(args), quiet = args.quiet or false,
        bounds = M.model_option(args, "bounds", models.read_bounds, model)
            or models.default_bounds(model),
    }
    for _, name in ipairs(model.settings.scalars) do
        settings[name] = field(name)
        if settings[name] == nil and name ~= "seed" then
            settings[name] = model.settings.defaults[name]
        end
    end
    if settings.metrics then metrics.settle(settings) end
    settings.seed = M.integer(args, "seed", 0) or settings.seed
    if args.buckets_recorded then
        settings.timeline = checked("--timeline", models.read_timeline(args.buckets_recorded))
    end
    settle_seed(args, settings)
    if model.settings.settle then model.settings.settle(settings) end
    local until_option = model.settings.until_option
    settings[until_option] = M.checked_option(args, "until", model.settings.options[until_option])
    read_size_buckets(args, model, settings)
    return settings, model, given_params
end

---Checks parameters of the command line against the policies that will run.
---@param settings pinion.Settings
---@param given table<string, any>
---@param names string[] policies
---@param where string|nil the file that names them
function M.check_params(settings, given, names, where)
    local chosen = {}
    for i, name in ipairs(names) do
        chosen[i] = policies.require(name, settings.model, settings.reduce, where)
    end
    local prover = settings.bounds == "tight" and find_model(settings.model).settings.prover
    if prover then chosen[#chosen + 1] = policies.require(prover, settings.model) end
    local function fail(name, reason) fault.usage("--param %s: %s", name, reason) end
    policies.check_names(given, settings.model, names, fail)
    params_of.check_used(given, chosen, fail)
    for _, policy in ipairs(chosen) do params_of.values(policy, given, fail) end
end

---Makes the jobs, and says what a trace reader counted.
---@param settings pinion.Settings
---@return pinion.Opened
function M.open(settings)
    local opened = single.open(settings)
    if opened.summary and not settings.quiet then
        say("%s", trace_counts.notice(settings.workload, opened.summary))
    end
    return opened
end

---Returns what an interrupted run has come to.
---@param result pinion.Result
---@return string
function M.interrupted_words(result)
    local own = find_model(result.model).words.interrupted
    if own then return own(result) end
    return string.format("%d jobs finished with policy %s", result.finished, result.policy)
end

---Refuses --jobs-detail where there are no rows.
function M.need_rows(args, results)
    for _, result in ipairs(results) do
        if not result.jobs and (args.jobs_detail or false) then
            fault.usage("--jobs-detail: the rows of more than a million jobs are not stored")
        end
    end
end

local EXTENSIONS = { csv = "csv", json = "json", txt = "table", md = "markdown",
    tex = "latex", html = "html", db = "db", sqlite = "db", sqlite3 = "db" }
-- Of those that --format names.
local EXTENSION_OF = { csv = "csv", json = "json", table = "txt", markdown = "md", latex = "tex" }
-- What only results of runs are written as, and what they are by name of the file alone.
local ONLY_RESULTS = { html = true, db = true }

-- Returns what a file's name ends in; nil for names without an extension, such as those of mktemp.
local function extension_of(path)
    local extension = path:match("[^/]%.(%a%w*)$")
    return extension and #extension <= 8 and extension:lower() or nil
end

---Refuses what this build does not write, what only some formats have, or what cannot be had
---together.
---@param args table
---@param format string of M.format
function M.check_rows(args, format)
    if format == "html" then page.check() end
    if format == "db" then database.check("--output " .. args.output) end
    if args.long and format ~= "csv" then
        fault.usage("--long: has no effect in %s (expected --format csv)", format)
    end
    if args.long and args.jobs_detail then
        fault.usage("--long gives one number per row, --jobs-detail one job per row (choose one)")
    end
end

---Returns the format of a result: as asked for, else by the output file's name, else a table for a
---terminal and JSON for a program. Pages are files named .html, databases files named .db.
---@param args table
---@param default string|nil
---@param has_results boolean|nil whether the command writes results, which become pages and databases
function M.format(args, default, has_results)
    local extension = args.output and extension_of(args.output)
    local named = extension and EXTENSIONS[extension]
    if ONLY_RESULTS[named] and not has_results then named = nil end
    if args.format and named and named ~= args.format then
        fault.usage("--output: %s is named as %s, but --format is %s (expected .%s)", args.output,
            named, args.format, EXTENSION_OF[args.format])
    end
    if args.format then return args.format end
    if extension and not named then
        fault.usage("--output: %s would be of an unknown format (known: .csv, %s.json, .md, .tex, "
            .. ".txt; --format says what another name is)", args.output,
            has_results and ".db, .html, " or "")
    end
    if args.output then return named or default or "json" end
    return default or (core.is_terminal(1) and "table" or "json")
end

---Raises a fault before the run when what the command writes cannot be written, or would destroy
---what it reads.
---@param args table
---@param paths string[] that the command reads
function M.check_outputs(args, paths)
    inputs.keep_from(paths, args)
    files.check_writable(args.output)
    files.check_writable(args.plot)
end

---Writes what a command made, through `print_it(write)` unless it becomes a database.
---@param args table
---@param format string of M.format
---@param made pinion.Result|pinion.Comparison|pinion.Sweep
---@param jobs any what a database is to have of them: see output/database.lua
---@param print_it fun(write: fun(text: string))
function M.emit_result(args, format, made, jobs, print_it)
    if format == "db" then
        database.write(args.output, made, jobs or false)
    else
        M.emit(args, print_it)
    end
end

---Writes a result through `print_it(write)` to --output or standard output.
function M.emit(args, print_it)
    files.write(args.output, print_it)
end

return M
