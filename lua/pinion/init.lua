-- The library: require "pinion". Declare a run, let the kernel make it, get tables back.
-- The files of lua/meta document every function and field.

local axes_of = require "pinion.run.axes"
local check = require "pinion.base.check"
local comparison = require "pinion.run.comparison"
local core = require "pinion.core"
local experiment = require "pinion.run.experiment"
local fault = require "pinion.base.fault"
local fields = require "pinion.output.fields"
local figures = require "pinion.output.plot_figures"
local gantt = require "pinion.output.gantt"
local graph = require "pinion.output.graph"
local gnuplot = require "pinion.output.gnuplot"
local inputs = require "pinion.run.inputs"
local jobs = require "pinion.workload.jobs"
local json = require "pinion.base.json"
local metrics = require "pinion.run.metrics"
local models = require "pinion.models"
local parallel = require "pinion.base.parallel"
local policies = require "pinion.policy"
local scenario = require "pinion.run.scenario"
local notices = require "pinion.run.notices"
local single = require "pinion.run.single"
local storing = require "pinion.run.storing"
local sweep = require "pinion.run.sweep"
local tables = require "pinion.output.tables"
local tune = require "pinion.run.tune"
local changes = require "pinion.workload.changes"
local workload = require "pinion.workload"

-- What results can do with themselves.
require "pinion.output.methods"

local M = { version = core.version }

-- Options of a run in every model. Those of the model come with it: its fields of a scenario, and
-- its own.
local RUN_FIELDS = { "model", "params", "workload", "attributes", "bounds", "replica", "keep_jobs",
    "log", "quiet", "checkpoint", "every", "resume",
                     "error", "warmup", "budget", "memory", "compile",
    "metrics" }
local COMPARE_FIELDS = { "policies", "replicas", "baseline", "processes", "store", "shard",
    "only_stored", "retry", "store_key", "until_half", "replicas_most" }
local TUNE_FIELDS = { "policy", "over", "goal", "maximize", "subject_to", "runs", "replicas",
    "reference", "also", "weights", "processes", "store", "shard", "only_stored", "retry",
    "store_key" }
-- What means nothing where several policies or replicas are run.
local SINGLE = { policy = true, log = true, keep_jobs = true, checkpoint = true, every = true,
    resume = true }

---@param model pinion.Model
---@param single boolean whether one policy is run
---@param more string[]
---@return table<string, boolean>
local function known_options(model, single, more)
    local known = {}
    local function add(name)
        if single or not SINGLE[name] then known[name] = true end
    end
    for _, name in ipairs(RUN_FIELDS) do add(name) end
    for _, name in ipairs(model.settings.scalars) do add(name) end
    for name in next, model.settings.options do add(name) end
    for _, name in ipairs(more) do known[name] = true end
    return known
end

local function read(options, field, reader, ...)
    if options[field] == nil then return nil end
    local value, why = reader(options[field], ...)
    if value == nil then fault.at_element(nil, field, why) end
    return value
end

-- Reads by a reader that depends on the model.
local function read_by(options, field, reader, model)
    return read(options, field, function(value) return reader(model, value) end)
end

-- Returns whether it is a function that makes jobs, by itself or in a definition.
local function is_generator(value)
    return type(value) == "function" or type(value) == "table" and value.generate ~= nil
end

local function read_workload(value, model, declared)
    local listed = type(value) == "table" and not workload.is(value) and not is_generator(value)
    if declared ~= nil and not listed then
        fault.at(nil, "attributes", "needs a table of jobs (a workload declares its own)")
    end
    if value == nil then
        fault.at(nil, "workload",
            "is required (a generator, a trace, a SPEC string, a function of g or a table of jobs)")
    end
    if workload.is(value) then return value end
    if type(value) == "string" then return workload.spec(value) end
    if is_generator(value) then return workload.script(value, {}, model.name) end
    return workload.from_table(value, "workload", model.name, declared)
end

-- Returns the model of a workload that can be of one only; nil when that does not tell. What is
-- wrong with it is said when it is read.
local function model_of_workload(value)
    if workload.is(value) then return value:only_model() end
    if is_generator(value) then return type(value) == "table" and value.model or nil end
    if type(value) == "table" then return jobs.model_of(value) end
    local ok, read = pcall(workload.spec, value)
    return ok and read:only_model() or nil
end

-- Refuses the text of a policy in place of its name, before anything that it makes look wrong.
local function refuse_texts(options)
    local reason = policies.text_reason(options.policy)
    if reason then fault.at(nil, "policy", reason) end
    for i, value in ipairs(type(options.policies) == "table" and options.policies or {}) do
        reason = policies.text_reason(value)
        if reason then fault.at(nil, string.format("policies[%d]", i), reason) end
    end
end

local function read_model(options)
    if type(options) ~= "table" then
        fault.usage("expected a table of options, got %s", check.show(options))
    end
    refuse_texts(options)
    local name = read(options, "model", check.text) or model_of_workload(options.workload)
        or models.default
    local model, why = models.find(name)
    if not model then fault.at(nil, "model", why) end
    return model
end

local function check_options(options, known)
    local key, unknown = check.unknown_key(options, known, "option")
    if key == "jobs" then
        unknown = "unknown option (did you mean 'workload'? it takes a table of jobs)"
    end
    if key ~= nil then fault.at(nil, key, unknown) end
end

local function read_checkpoint(options, model, settings)
    if options.checkpoint ~= nil then models.refuse(model, "checkpoint", "checkpoint") end
    settings.checkpoint = read(options, "checkpoint", check.text)
    settings.every = read_by(options, "every", models.read_every, model)
    settings.resume = read(options, "resume", check.boolean)
    if settings.checkpoint and not settings.every then
        fault.at(nil, "every",
            string.format("is required with checkpoint (%s from one to the next)",
                model.settings.unit))
    end
    for _, name in ipairs { "every", "resume" } do
        if settings[name] and not settings.checkpoint then
            fault.at(nil, name, "needs checkpoint (a file name)")
        end
    end
end

-- Returns every option of a run, checked. A workload may suggest what is not given; a list of jobs
-- suggests nothing and is read last, as it may be long.
local function settings_of(options, model)
    local settings = { model = model.name, attributes = options.attributes }
    for _, name in ipairs(model.settings.scalars) do
        settings[name] = read(options, name, scenario.reader(model, name))
    end
    local chosen = type(options.policies) == "table" and { table.unpack(options.policies) } or {}
    chosen[#chosen + 1] = options.policy
    settings.chosen = chosen
    if options.params ~= nil then
        settings.params = scenario.read_params(options.params, model, nil, true, chosen)
    end
    local given = options.workload
    if workload.is(given) or type(given) == "string" or is_generator(given) then
        settings.workload = read_workload(options.workload, model, options.attributes)
        settings.workload:fill(model, settings)
    end
    for _, name in ipairs(model.settings.scalars) do
        if settings[name] == nil and model.settings.required[name] then
            fault.at(nil, name, model.settings.required[name])
        end
        if settings[name] == nil and name ~= "seed" then
            settings[name] = model.settings.defaults[name]
        end
    end
    settings.bounds = read_by(options, "bounds", models.read_bounds, model)
        or models.default_bounds(model)
    settings.replica = read(options, "replica", check.integer, 0, 0xFFFFFFFF) or 0
    settings.keep_jobs = read(options, "keep_jobs", check.boolean)
    for _, name in ipairs(check.sorted_keys(model.settings.options)) do
        settings[name] = read(options, name, model.settings.options[name])
    end
    settings.log = read(options, "log", check.text)
    if settings.log then models.refuse(model, "log", "log") end
    settings.error = read_by(options, "error", models.read_error, model)
    settings.warmup = read_by(options, "warmup", models.read_warmup, model)
    settings.metrics = read_by(options, "metrics", metrics.read, model)
    if settings.metrics then metrics.settle(settings) end
    settings.budget = read(options, "budget", models.read_budget)
    settings.memory = read(options, "memory", models.read_memory)
    settings.compile = read(options, "compile", check.boolean)
    settings.quiet = read(options, "quiet", check.boolean) or false
    read_checkpoint(options, model, settings)
    if model.settings.settle then model.settings.settle(settings) end
    settings.workload = settings.workload
        or read_workload(options.workload, model, options.attributes)
    return settings
end

M.run = fault.public(function(options)
    local model = read_model(options)
    check_options(options, known_options(model, true, {}))
    local settings = settings_of(options, model)
    if not settings.policy then
        fault.at(nil, "policy", "is required (pinion.policies() lists them)")
    end
    local result = single.run(settings)
    if result.interrupted then fault.interrupted() end
    if not settings.quiet then notices.print(result, settings, {}) end
    return fields.guard(result)
end)

local function read_policies(value, model, settings)
    if value == nil then return settings.workload:default_policies(model) end
    if not check.is_array(value, true) then
        fault.at(nil, "policies", "must be an array of policies, got " .. check.show(value))
    end
    for i, name in ipairs(value) do
        if not policies.is_reference(name) then
            fault.at(nil, string.format("policies[%d]", i), (select(2, policies.lookup(name))))
        end
        policies.require(name, model.name, settings.reduce)
    end
    return value
end

-- Reads the options of a store, and of replicas that depend on intervals, into those of the runs.
local function fill_store(made, options, settings, what)
    settings.store_key = read(options, "store_key", check.text)
    storing.fill({
        store = read(options, "store", check.text),
        shard = read(options, "shard", storing.read_shard),
        only_stored = read(options, "only_stored", check.boolean),
        retry = read(options, "retry", check.boolean),
        until_half = options.until_half, replicas = options.replicas and made.replicas,
        replicas_most = read(options, "replicas_most", check.integer, 2, 1000000),
    }, made, settings, string.format("pinion.%s, %s model, %s", what, settings.model,
        settings.workload.text), function(option, reason) fault.at(nil, option, reason) end)
end

-- Returns what comparisons and sweeps take beyond the options of a run.
local function replication_of(options, settings, what)
    local function fail(option, reason) fault.at(nil, option, reason) end
    local made = {
        replicas = storing.replicas(read(options, "replicas", check.integer, 1, 100000), settings,
            fail),
        processes = read(options, "processes", check.integer, 1, parallel.PROCESSES_MAX),
        baseline = options.baseline,
    }
    fill_store(made, options, settings, what)
    return made
end

-- Returns a part of the work, which is for others to gather: there is no result yet.
local function part_of(complete)
    if not complete then fault.interrupted() end
    return nil
end

M.compare = fault.public(function(options)
    local model = read_model(options)
    check_options(options, known_options(model, false, COMPARE_FIELDS))
    local settings = settings_of(options, model)
    local names = read_policies(options.policies, model, settings)
    local how = replication_of(options, settings, "compare")
    if how.shard then return part_of(comparison.run_part(settings, names, how)) end
    local made = comparison.run(settings, names, how)
    if made.interrupted then fault.interrupted() end
    if not settings.quiet then notices.print(made, settings, {}) end
    return fields.guard(made)
end)

-- Takes the first values: what varies need not be said twice.
local function with_first_values(options, axes)
    local given = {}
    for field, value in next, options do given[field] = value end
    local function give(name, value)
        if given[name] == nil then given[name] = value end
    end
    for _, axis in ipairs(axes) do
        if axis.name == "workload" then give("workload", axis.given[1]) end
        for _, name in ipairs(models.names()) do
            local model = models.find(name)
            local several = (model.settings.axes or {})[axis.name]
            if model.settings.required[axis.name] then give(axis.name, axis.given[1]) end
            for field, value in next, several and several(axis.given[1]) or {} do
                give(field, value)
            end
        end
    end
    return given
end

M.sweep = fault.public(function(options)
    local axes = type(options) == "table" and options.over ~= nil
        and axes_of.read_over(options.over) or {}
    local model = read_model(axes[1] and with_first_values(options, axes) or options)
    check_options(options, known_options(model, false, { "over", table.unpack(COMPARE_FIELDS) }))
    if options.over == nil then
        fault.at(nil, "over", "is required (settings and their values, such as { machines = { "
            .. "50, 100 } })")
    end
    local settings = settings_of(with_first_values(options, axes), model)
    local names = read_policies(options.policies, model, settings)
    local how = replication_of(options, settings, "sweep")
    if how.shard then return part_of(sweep.run_part(settings, names, axes, how)) end
    local made = sweep.run(settings, names, axes, how)
    if made.interrupted then fault.interrupted() end
    if not settings.quiet then notices.print(made, settings, { axes = axes }) end
    return fields.guard(made)
end)

-- Reads parameters and what they may be: a table by name, or an array of { name, values } whose
-- conditions look at those before them.
local function read_space(over)
    if type(over) ~= "table" or next(over) == nil then
        fault.at(nil, "over", "must be a table of parameters and what they may be, such as "
            .. '{ quantum = "1..200" }, got ' .. check.show(over))
    end
    if #over > 0 then
        for i, pair in ipairs(over) do
            if type(pair) ~= "table" or type(pair[1]) ~= "string" or pair[2] == nil then
                fault.at(nil, string.format("over[%d]", i), "must be { name, values }, got "
                    .. check.show(pair))
            end
        end
        return over
    end
    local list = {}
    for i, name in ipairs(check.sorted_keys(over)) do list[i] = { tostring(name), over[name] } end
    return list
end

-- Reads an array, each element by a reader.
local function read_list(options, field, reader, ...)
    local list, made = options[field], {}
    if list == nil then return made end
    if not check.is_array(list, true) then
        fault.at(nil, field, "must be an array, got " .. check.show(list))
    end
    for i, element in ipairs(list) do
        local value, why = reader(element, ...)
        if value == nil then fault.at(nil, string.format("%s[%d]", field, i), why) end
        made[i] = value
    end
    return made
end

M.tune = fault.public(function(options)
    local model = read_model(options)
    check_options(options, known_options(model, false, TUNE_FIELDS))
    local settings = settings_of(options, model)
    if not settings.policy then fault.at(nil, "policy", "is required (it is tuned)") end
    local workloads = { settings.workload }
    read_list(options, "also", function(value)
        workloads[#workloads + 1] = read_workload(value, model)
        return value
    end)
    local how = {
        policy = settings.policy, over = read_space(options.over),
        goal = read(options, "goal", check.text),
        maximize = read(options, "maximize", check.boolean) or false,
        limits = read_list(options, "subject_to", check.text),
        runs = read(options, "runs", check.integer, 1, 100000000) or tune.RUNS,
        confirm = read(options, "replicas", check.integer, 2, 100000) or tune.CONFIRM,
        reference = options.reference, weights = read_list(options, "weights", check.number, 0,
            math.huge),
        processes = read(options, "processes", check.integer, 1, parallel.PROCESSES_MAX),
        replicas = 1, quiet = settings.quiet,
    }
    if options.weights and #how.weights ~= #workloads then
        fault.at(nil, "weights", string.format("must be %d numbers, one for each workload",
            #workloads))
    end
    fill_store(how, options, settings, "tune")
    local made, missing = tune.run(settings, workloads, how)
    if not made and how.shard then return nil, missing end
    if not made then fault.interrupted() end
    for _, one in ipairs(settings.quiet and {} or made.comparisons) do
        notices.print(one, settings, {})
    end
    return fields.guard(made)
end)

M.gantt = fault.public(gantt.draw)

M.graph = fault.public(graph.draw)

M.exact = fault.public(function(value)
    local ok, made = pcall(core.exact, value)
    if not ok then fault.usage("%s", made) end
    return made
end)

---A policy from its text, for `policy` and `policies`.
M.policy = fault.public(function(text)
    local source, why = check.text(text)
    if not source then fault.usage("policy: %s", why) end
    return policies.object(source)
end)

M.policies = fault.public(function(model)
    if model ~= nil then
        local found, why = models.find(tostring(model))
        if not found then fault.usage("%s", why) end
    end
    return policies.list(model)
end)

local function generator(kind)
    return fault.public(function(options)
        options = options or {}
        if type(options) ~= "table" then
            fault.usage("%s: expected a table of options, got %s", kind, check.show(options))
        end
        return workload.generator(kind, options, workload.text_of(kind, options),
                function(field, reason)
            fault.usage("%s: %s%s", kind, field and field .. ": " or "", reason)
        end)
    end)
end

---A stream of random numbers.
M.random = fault.public(function(seed, replica, purpose)
    local read = {}
    for i, given in ipairs {
        { "seed", seed, math.mininteger, math.maxinteger },
        { "replica", replica or 0, 0, 0xFFFFFFFF }, { "purpose", purpose or 0, 0, 0xFFFFFFFF },
    } do
        local why
        read[i], why = check.integer(given[2], given[3], given[4])
        if not read[i] then fault.usage("random: %s %s", given[1], why) end
    end
    return core.random(table.unpack(read))
end)

-- Reads options that all workloads take.
local function read_changes(what, options)
    if options ~= nil and type(options) ~= "table" then
        fault.usage("%s: expected a table of options, got %s", what, check.show(options))
    end
    return options
end

-- Returns what says that one of them is wrong.
local function fail_of(what)
    return function(field, reason)
        fault.usage("%s: %s%s", what, field and field .. ": " or "", reason)
    end
end

M.workload = {
    zheng = generator "zheng",
    bursts = generator "bursts",
    facebook = generator "facebook",
    hsrtf = generator "hsrtf",
    rtmr = generator "rtmr",
    lin = generator "lin",
    theorem2 = generator "theorem2",
    corollary4 = generator "corollary4",
    corollary6 = generator "corollary6",
    nmts = generator "nmts",
    rand_many = generator "rand_many",
    rand_few = generator "rand_few",
    one_wave = generator "one_wave",
    t1_like = generator "t1_like",
    straggler = generator "straggler",
    fb_mild = generator "fb_mild",
    fb_lognorm = generator "fb_lognorm",
    dag = generator "dag",
    spec = fault.public(function(spec)
        local text, why = check.text(spec)
        if not text then fault.usage("workload: SPEC %s", why) end
        return workload.spec(text)
    end),
    jobs = fault.public(function(list, options)
        local given, declared, known = {}, nil, { attributes = true }
        options = read_changes("jobs", options) or {}
        for _, field in ipairs(changes.fields) do known[field.name] = true end
        local key, unknown = check.unknown_key(options, known, "option")
        if key ~= nil then fault.usage("jobs: %s: %s", key, unknown) end
        for name, value in next, options do
            if name == "attributes" then declared = value else given[name] = value end
        end
        return workload.from_table(list, "jobs", nil, declared, given)
    end),
    script = fault.public(function(source, options)
        local text, why = check.text(source)
        if not text then fault.usage("script: %s (a file's name, or its text)", why) end
        if options ~= nil and type(options) ~= "table" then
            fault.usage("script: expected a table of options, got %s", check.show(options))
        end
        return workload.script(text, options or {})
    end),
}

-- Makes a trace of this kind: its file, or files, and options.
local function trace(kind)
    return fault.public(function(file, options)
        options = options or {}
        if type(options) ~= "table" then
            fault.usage("%s: expected a table of options, got %s", kind, check.show(options))
        end
        if options.file ~= nil then
            fault.usage("%s: file: is the first argument, not an option", kind)
        end
        local given = {}
        for name, value in next, options do given[name] = value end
        given.file = file
        local names = {}
        for i, name in ipairs(type(file) == "table" and file or { file }) do
            names[i] = tostring(name)
        end
        return workload.generator(kind, given, kind .. ":" .. table.concat(names, "+"),
                function(field, reason)
            fault.usage("%s: %s%s", kind, field and field .. ": " or "", reason)
        end)
    end)
end

M.trace = {
    swim = trace "swim",
    rumen = trace "rumen",
    google = trace "google",
    swf = trace "swf",
    wfcommons = trace "wfcommons",
    tpch = trace "tpch",
    alibaba = trace "alibaba",
    csv = fault.public(function(path, options)
        local text, why = check.text(path)
        if not text then fault.usage("csv: file name %s", why) end
        return workload.from_csv(text, nil, read_changes("csv", options), nil, fail_of "csv")
    end),
    scenario = fault.public(function(path, options)
        local text, why = check.text(path)
        if not text then fault.usage("scenario: file name %s", why) end
        local made = scenario.read(text).workload
        local given = read_changes("scenario", options)
        if not given then return made end
        local changed = workload.from_list(made.list, made.text, given, fail_of "scenario")
        inputs.note(changed, { text })
        return changed
    end),
}

M.experiment = {
    each = experiment.each,
    clock = core.clock,
    summary = fault.public(experiment.summary),
    range = fault.public(experiment.range),
    quantile = fault.public(experiment.quantile),
    distribution = fault.public(figures.curve),
    tolerance = experiment.tolerance,
    agrees = experiment.agrees,
    above = experiment.above, within = experiment.within,
    verdict = experiment.verdict,
    decisions = fault.public(experiment.decisions),
    table = fault.public(tables.new),
    json = fault.public(function(value) return json.encode(json.tree(value)) end),
    figure = fault.public(gnuplot.figure),
}

return M
