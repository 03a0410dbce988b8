-- Attributes: numbers that jobs carry for policies, such as a weight or a priority. A workload
-- declares them by name, with what jobs have that say nothing; then they are ordinary fields of its
-- jobs, and policies ask for them with s:attribute(job, name).

local check = require "pinion.base.check"
local core = require "pinion.core"
local models = require "pinion.models"

local M = {}

-- As in the kernel.
M.MOST = core.limits.attributes

local NAME_MOST = 31

---@class pinion.Attributes
---@field names string[] sorted
---@field defaults table<string, number> by name

local taken_names = {} -- by model

-- What rows of jobs have under names of their own, whatever the model.
local OF_ROWS = { "id", "policy", "finished", "name", "group" }

---@param model string
---@return table<string, string> names that mean something else, and what they are
function M.taken(model)
    local taken, of = taken_names[model], models.find(model)
    if taken then return taken end
    taken = {}
    for _, name in ipairs(OF_ROWS) do taken[name] = "a column of results" end
    for _, name in ipairs(of.results.rows) do taken[name] = "a column of results" end
    for _, names in ipairs { of.jobs.columns, of.jobs.lists } do
        for _, name in ipairs(names) do taken[name] = "a field of jobs" end
    end
    taken_names[model] = taken
    return taken
end

---@param name any
---@param model string
---@return string|nil why it can be no attribute's
function M.fault_of_name(name, model)
    if type(name) ~= "string" or not name:find "^[a-z_][a-z0-9_]*$" then
        return "must be a name such as weight (small letters, digits and _)"
    end
    if #name > NAME_MOST then
        return string.format("must have at most %d letters, got %d", NAME_MOST, #name)
    end
    local taken = M.taken(model)[name]
    return taken and string.format("means %s of the %s model already (expected another name)",
        taken, model)
end

---A job's value, or nil and what is wrong with it. Where there is a weight, results have means by
---it.
---@param value any
---@param name string
---@return number|nil, string|nil
function M.read_value(value, name)
    if type(value) ~= "number" or value ~= value or math.abs(value) == math.huge then
        return nil, "must be a finite number, got " .. check.show(value)
    end
    if name == "weight" and value < 0 then
        return nil, "must be a number >= 0, got " .. check.show(value)
    end
    return value + 0.0
end

---What jobs have that say nothing, where nothing else is declared.
---@param name string
---@return number
function M.default_of(name)
    return name == "weight" and 1.0 or 0.0
end

---@param names string[]
---@param defaults table<string, number>|nil
---@return pinion.Attributes|nil attributes nil: there are none
function M.of_names(names, defaults)
    if #names == 0 then return nil end
    local made = { names = table.move(names, 1, #names, 1, {}), defaults = {} }
    table.sort(made.names)
    for _, name in ipairs(names) do
        made.defaults[name] = defaults and defaults[name] or M.default_of(name)
    end
    return made
end

---Reads a declaration such as { weight = 1, priority = 0 }.
---@param value any
---@param model string
---@param is_lua boolean
---@param fail fun(field: string|nil, reason: string) raises
---@return pinion.Attributes|nil
function M.read_declared(value, model, is_lua, fail)
    if not check.is_object(value, is_lua) then
        fail(nil, "must be an object of names with their defaults, such as { \"weight\": 1 }, got "
            .. check.show(value))
    end
    local names, defaults = check.sorted_keys(value), {}
    for _, name in ipairs(names) do
        local why = M.fault_of_name(name, model)
        if why then fail(check.key_text(name), why) end
        local default, reason = M.read_value(value[name], name)
        if not default then fail(name, reason) end
        defaults[name] = default
    end
    if #names > M.MOST then
        fail(nil, string.format("are at most %d, got %d", M.MOST, #names))
    end
    return M.of_names(names, defaults)
end

---@param job table
---@param attributes pinion.Attributes
---@param index integer
---@param place pinion.Place
---@return number[] the job's, in the order of the names
function M.read_job(job, attributes, index, place)
    local values = {}
    for k, name in ipairs(attributes.names) do
        local value, why = attributes.defaults[name], nil
        if job[name] ~= nil then value, why = M.read_value(job[name], name) end
        if not value then place.fail(index, name, why) end
        values[k] = value
    end
    return values
end

---Tells the core's side of a workload what its jobs carry; a generator may name attributes itself.
---@param opened pinion.Opened
---@param list pinion.JobList|nil
function M.carry(opened, list)
    local attributes, values, groups = list and list.attributes, {}, {}
    for i, group in ipairs(opened.groups) do groups[i] = group and tostring(group) end
    for i, job in ipairs(attributes and list.jobs or {}) do
        table.move(job.attributes, 1, #job.attributes, (i - 1) * #attributes.names + 1, values)
    end
    if not attributes and #groups == 0 then return end
    core.workload_carry {
        workload = opened.core, attributes = attributes and attributes.names,
        values = attributes and values, groups = groups,
    }
end

return M
