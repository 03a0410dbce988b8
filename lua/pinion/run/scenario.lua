-- Scenario files: one JSON object, checked field by field. Nothing is accepted in silence.

local attributes = require "pinion.workload.attributes"
local changes = require "pinion.workload.changes"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local inputs = require "pinion.run.inputs"
local json = require "pinion.base.json"
local models = require "pinion.models"
local policies = require "pinion.policy"
local lazy = require "pinion.base.lazy"
local jobs = require "pinion.workload.jobs"
local workload = require "pinion.workload"

local recorded = lazy.module "pinion.run.recorded"
local replay = lazy.module "pinion.run.replay"

local M = {}

---@class pinion.Scenario the fields of a file, checked; absent ones are nil
---@field where string the file's name
---@field model table
---@field params table<string, any>|nil
---@field workload pinion.Workload
---@field [string] any the model's scalars

---Makes the check of a field: policy and seed are those of every model.
---@param model pinion.Model
---@param name string
---@return (fun(value: any, json: boolean|nil): any, string?)|nil
function M.reader(model, name)
    if name == "policy" then return policies.read end
    if name == "seed" then return models.read_seed end
    if name == "timeline" then return models.read_timeline end
    return model.settings.fields[name]
end

local function known_fields(model)
    local known = { model = true, params = true, jobs = true, attributes = true }
    for _, name in ipairs(model.settings.scalars) do known[name] = true end
    for _, field in ipairs(changes.fields) do known[field.name] = field.models[model.name] end
    return known
end

-- Returns what an unknown field of a file stands for; nil: nothing that is known.
local function meaning_of(key, model, named)
    if models.has_param(model.name, key) then
        return string.format("unknown field (did you mean params.%s?)", key)
    end
    for _, name in ipairs(named and {} or models.names()) do
        local other = models.find(name)
        if known_fields(other)[key] then
            return string.format('is a field of the %s model (expected "model": "%s" beside it)',
                name, name)
        end
    end
end

local function read_model(value, where)
    if value == nil then
        fault.at(where, "model", "is required (known: " .. table.concat(models.names(), ", ")
            .. ")")
    end
    if type(value) ~= "string" then
        fault.at(where, "model", "must be a string, got " .. check.show(value))
    end
    local model, why = models.find(value)
    if not model then fault.at(where, "model", why) end
    return model
end

---Reads parameters of any policy of the model, or of one of `chosen`; their names must be known.
function M.read_params(value, model, where, is_lua, chosen)
    if not check.is_object(value, is_lua) then
        fault.at(where, "params", "must be an object of parameters, got " .. check.show(value))
    end
    policies.check_names(value, model.name, chosen,
        function(name, reason) fault.at(where, "params." .. name, reason) end)
    return value
end

local function read_policy(value, model, where)
    local policy, why, kind = policies.lookup(value, model.name)
    if not policy and kind == "file" then fault.located("usage", why) end
    if not policy then fault.at(where, "policy", why) end
    return policy.base and value or policy.label
end

-- Reads fields before jobs, so that a mistake in a short field is not hidden behind a long list.
local function read_fields(object, model, where, chosen)
    local scenario = { where = where, model = model }
    for _, name in ipairs(model.settings.scalars) do
        if object[name] ~= nil then
            local value, why = M.reader(model, name)(object[name], true)
            if value == nil then fault.at_element(where, name, why) end
            scenario[name] = value
        end
    end
    if scenario.policy then scenario.policy = read_policy(scenario.policy, model, where) end
    if object.params ~= nil then
        chosen = table.move(chosen, 1, #chosen, 2, { scenario.policy or "" })
        scenario.params = M.read_params(object.params, model, where, false, chosen)
    end
    return scenario
end

local function read_attributes(value, model, where)
    if value == nil then return nil end
    return attributes.read_declared(value, model.name, false, function(field, reason)
        fault.at(where, field and "attributes." .. field or "attributes", reason)
    end)
end

local function read_jobs(value, model, where, inexact, carried)
    if value == nil then fault.at(where, "jobs", "is required (an array of jobs)") end
    local list = jobs.read(value, {
        lua = false,
        inexact = inexact,
        fail = function(index, field, reason)
            local path = index and string.format("jobs[%d]", index) or "jobs"
            fault.at(where, field and path .. "." .. field or path, reason)
        end,
    }, model.name, carried)
    return list
end

-- Reads what the file says of the jobs as a whole: arrivals, resample, load, load_by.
local function read_changes(object, where)
    local given = {}
    for _, field in ipairs(changes.fields) do given[field.name] = object[field.name] end
    return given, function(field, reason) fault.at(where, field, reason) end
end

---Reads a scenario from its text.
---@param text string
---@param where string the name that messages give it
---@param chosen string[]|nil policies that are going to run whatever the file says: it may hold parameters of theirs
---@return pinion.Scenario
function M.decode(text, where, chosen)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    text = text:gsub("^\xEF\xBB\xBF", "", 1) -- some editors begin UTF-8 files with a mark
    if not text:find("%S") then
        fault.at(where .. ":1", nil, "empty file (expected a JSON object)")
    end
    local object, why, inexact = core.json_decode(text, where, true)
    if why then fault.located("usage", why) end
    if not check.is_object(object, false) then
        fault.at(where, nil, "must be an object, got " .. check.show(object))
    end
    -- The model decides which fields are known, but a mistyped "model" should be named as such.
    local first = object.model ~= nil and read_model(object.model, where) or nil
    local key, reason = check.unknown_key(object,
        known_fields(first or models.find(models.default)))
    if key ~= nil then
        fault.at(where, key, meaning_of(key, first or models.find(models.default), first ~= nil)
            or reason)
    end
    local model = first or read_model(nil, where)
    local scenario = read_fields(object, model, where, chosen or {})
    local carried = read_attributes(object.attributes, model, where)
    local list = read_jobs(object.jobs, model, where, inexact, carried)
    scenario.workload = workload.from_list(list, where, read_changes(object, where))
    return scenario
end

-- Returns the text of a scenario; that of an input log is made.
local function text_of(path, chosen)
    if not replay.is_inputs(path) then return files.input(path) end
    return json.encode(json.tree(recorded.read(path, chosen or {}))), path
end

---Reads a scenario file, standard input for "-", or what an input log recorded.
---@param path string
---@param chosen string[]|nil as for M.decode
---@return pinion.Scenario
function M.read(path, chosen)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local text, where = text_of(path, chosen)
    local read = M.decode(text, where, chosen)
    inputs.note(read.workload, { path })
    return read
end

return M
