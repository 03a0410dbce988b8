-- The library: require "pinion". Declare a run, let the kernel make it, get tables back.
-- lua/meta/pinion.lua documents every function and field.

local check = require "pinion.check"
local comparison = require "pinion.comparison"
local core = require "pinion.core"
local fault = require "pinion.fault"
local models = require "pinion.models"
local policies = require "pinion.policies"
local scenario = require "pinion.scenario"
local workload = require "pinion.workload"

local M = { version = core.version }

local RUN_FIELDS = { model = true, machines = true, reduce = true, policy = true, params = true, workload = true, bounds = true,
                     seed = true, replica = true, keep_jobs = true, until_slot = true, log = true, quiet = true }
local COMPARE_FIELDS = { policies = true, replicas = true }
for field in next, RUN_FIELDS do COMPARE_FIELDS[field] = true end
COMPARE_FIELDS.policy, COMPARE_FIELDS.log, COMPARE_FIELDS.keep_jobs = nil, nil, nil

local function read(options, field, reader, ...)
    if options[field] == nil then return nil end
    local value, why = reader(options[field], ...)
    if value == nil then fault.at(nil, field, why) end
    return value
end

local function read_workload(value)
    if value == nil then fault.at(nil, "workload", "is required (a generator, a trace, a SPEC string or a table of jobs)") end
    if workload.is(value) then return value end
    if type(value) == "string" then return workload.spec(value) end
    return workload.from_table(value, "workload")
end

local function read_options(options, known)
    if type(options) ~= "table" then fault.usage("expected a table of options, got %s", check.show(options)) end
    local key, unknown = check.unknown_key(options, known, "option")
    if key ~= nil then fault.at(nil, key, unknown) end
end

-- Every option of a run, checked; workload last, as it may be long.
local function settings_of(options)
    local model, why = models.find(read(options, "model", check.text) or models.default.name)
    if not model then fault.at(nil, "model", why) end
    local settings = { model = model.name }
    for _, name in ipairs(model.scalars) do settings[name] = read(options, name, model.fields[name]) end
    if options.params ~= nil then settings.params = scenario.read_params(options.params, model, nil, true) end
    if not settings.machines then fault.at(nil, "machines", "is required (an integer >= 1)") end
    settings.reduce = settings.reduce or model.defaults.reduce
    settings.bounds = read(options, "bounds", model.read_bounds) or "fast"
    settings.replica = read(options, "replica", check.integer, 0, 0xFFFFFFFF) or 0
    settings.keep_jobs = read(options, "keep_jobs", check.boolean)
    settings.until_slot = read(options, "until_slot", check.integer, 1, check.INTEGER_MAX)
    settings.log = read(options, "log", check.text)
    settings.quiet = read(options, "quiet", check.boolean) or false
    settings.workload = read_workload(options.workload)
    return settings, model
end

M.run = fault.public(function(options)
    read_options(options, RUN_FIELDS)
    local settings, model = settings_of(options)
    if not settings.policy then fault.at(nil, "policy", "is required (pinion.policies() lists them)") end
    local result = model.run(settings)
    if result.interrupted then fault.interrupted() end
    return result
end)

local function read_policies(value, model, settings)
    if value == nil then return model.default_policies end
    if not check.is_array(value, true) then fault.at(nil, "policies", "must be an array of names, got " .. check.show(value)) end
    for i, name in ipairs(value) do
        local text, why = check.text(name)
        if not text then fault.at(nil, string.format("policies[%d]", i), why) end
        policies.require(text, model.name, settings.reduce)
    end
    return value
end

M.compare = fault.public(function(options)
    read_options(options, COMPARE_FIELDS)
    local settings, model = settings_of(options)
    local names = read_policies(options.policies, model, settings)
    local replicas = read(options, "replicas", check.integer, 1, 100000) or 1
    local made = comparison.run(settings, names, { replicas = replicas, collect = true, keep_rows = false })
    if made.interrupted then fault.interrupted() end
    return made
end)

M.policies = fault.public(function(model)
    if model ~= nil then
        local found, why = models.find(tostring(model))
        if not found then fault.usage("%s", why) end
    end
    return policies.list(model)
end)

-- Options as a SPEC string would have them, for titles.
local function spec_text(kind, options)
    local parts = { kind }
    for _, name in ipairs(check.sorted_keys(options)) do
        parts[#parts + 1] = string.format("%s=%s", tostring(name), tostring(options[name]))
    end
    return table.concat(parts, ",")
end

local function generator(kind)
    return fault.public(function(options)
        options = options or {}
        if type(options) ~= "table" then fault.usage("%s: expected a table of options, got %s", kind, check.show(options)) end
        return workload.generator(kind, options, spec_text(kind, options), function(field, reason)
            fault.usage("%s: %s%s", kind, field and field .. ": " or "", reason)
        end)
    end)
end

M.workload = {
    zheng = generator "zheng",
    facebook = generator "facebook",
    spec = fault.public(function(spec)
        local text, why = check.text(spec)
        if not text then fault.usage("workload: SPEC %s", why) end
        return workload.spec(text)
    end),
    jobs = fault.public(function(list)
        return workload.from_table(list, "jobs")
    end),
}

M.trace = {
    swim = fault.public(function(path, options)
        options = options or {}
        if type(options) ~= "table" then fault.usage("swim: expected a table of options, got %s", check.show(options)) end
        if options.file ~= nil then fault.usage("swim: file: is the first argument, not an option") end
        local given = {}
        for key, value in next, options do given[key] = value end
        given.file = path
        return workload.generator("swim", given, "swim:" .. tostring(path), function(field, reason)
            fault.usage("swim: %s%s", field and field .. ": " or "", reason)
        end)
    end),
    csv = fault.public(function(path)
        local text, why = check.text(path)
        if not text then fault.usage("csv: file name %s", why) end
        return workload.from_csv(text)
    end),
    scenario = fault.public(function(path)
        local text, why = check.text(path)
        if not text then fault.usage("scenario: file name %s", why) end
        return scenario.read(text).workload
    end),
}

return M
