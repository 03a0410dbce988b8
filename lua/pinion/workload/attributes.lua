-- Attributes: numbers and texts that jobs carry for policies, such as a weight or a user. A
-- workload declares them by name, with what jobs have that say nothing; then they are ordinary
-- fields of its jobs, and policies ask for them with s:attribute(job, name). The kernel has the
-- numbers of the texts: that of the default is 0, others count from 1 as they are declared or first
-- appear.

local check = require "pinion.base.check"
local core = require "pinion.core"
local models = require "pinion.models"

local M = {}

-- As in the kernel.
M.MOST = core.limits.attributes

M.LABELS_MOST = 1 << 20

local NAME_MOST = 31

---@class pinion.Attributes
---@field names string[] sorted
---@field defaults table<string, number> by name
---@field labels table<string, string[]> by name, of attributes that are texts: the default, then others
---@field numbers table<string, table<string, integer>> of the labels

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

---Reads a job's value, or nil and what is wrong with it. Where there is a weight, results have
---means by it.
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

---Returns what jobs have that say nothing, where nothing else is declared.
---@param name string
---@return number
function M.default_of(name)
    return name == "weight" and 1.0 or 0.0
end

-- What results and policies compute with.
local NUMERIC = { weight = true, deadline = true }

---Makes an attribute one of texts.
---@param carried pinion.Attributes
---@param name string
---@param labels string[] the default and others
---@return boolean whether it may be one
function M.make_text(carried, name, labels)
    if NUMERIC[name] then return false end
    carried.labels[name], carried.numbers[name], carried.defaults[name] = labels, {}, 0
    for i, label in ipairs(labels) do carried.numbers[name][label] = i - 1 end
    return true
end

-- Reads the labels that a declaration such as "" or ["prod", "dev"] names; nil and what is wrong.
local function read_labels(value, is_lua)
    local labels, seen = { value }, {}
    if type(value) == "table" then
        if not check.is_array(value, is_lua) or #value == 0 then
            return nil, "must be a number, a text, or an array of texts, got " .. check.show(value)
        end
        labels = table.move(value, 1, #value, 1, {})
    end
    for i, label in ipairs(labels) do
        local why = M.fault_of_text(label)
        if not why and seen[label] then why = "names " .. check.show(label) .. " again" end
        if why then
            return nil, type(value) == "table" and string.format("text %d %s", i, why) or why
        end
        seen[label] = true
    end
    return labels
end

---@param value any
---@return string|nil why it can be no text of files and results
function M.fault_of_text(value)
    if type(value) ~= "string" then return "must be a text, got " .. check.show(value) end
    if not utf8.len(value) or value:find("\0", 1, true) then
        return "must be UTF-8 text without null characters, got " .. check.show(value)
    end
end

---@param names string[]
---@param defaults table<string, number>|nil
---@return pinion.Attributes|nil attributes nil: there are none
function M.of_names(names, defaults)
    if #names == 0 then return nil end
    local made = { names = table.move(names, 1, #names, 1, {}), defaults = {}, labels = {},
        numbers = {} }
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
    local names, defaults, labels = check.sorted_keys(value), {}, {}
    for _, name in ipairs(names) do
        local why = M.fault_of_name(name, model)
        if why then fail(check.key_text(name), why) end
        local is_text = (type(value[name]) == "string" or type(value[name]) == "table")
            and not NUMERIC[name]
        local read, reason = (is_text and read_labels or M.read_value)(value[name],
            is_text and is_lua or name)
        if not read then fail(name, reason) end
        defaults[name] = is_text and 0 or read
        labels[name] = is_text and read or nil
    end
    if #names > M.MOST then
        fail(nil, string.format("are at most %d, got %d", M.MOST, #names))
    end
    local carried = M.of_names(names, defaults)
    for name, list in next, labels do M.make_text(carried, name, list) end
    return carried
end

-- Returns the number of a job's text, which may be a new one.
local function number_of(value, attributes, name)
    local why = M.fault_of_text(value)
    if why then return nil, why end
    local labels, numbers = attributes.labels[name], attributes.numbers[name]
    if not numbers[value] then
        if #labels == M.LABELS_MOST then
            return nil, string.format("more than %d texts", M.LABELS_MOST)
        end
        labels[#labels + 1] = value
        numbers[value] = #labels - 1
    end
    return numbers[value]
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
        if job[name] ~= nil and attributes.labels[name] then
            value, why = number_of(job[name], attributes, name)
        elseif job[name] ~= nil then
            value, why = M.read_value(job[name], name)
        end
        if not value then place.fail(index, name, why) end
        values[k] = value
    end
    return values
end

-- Writes "user, queue", or "none".
local function text_names(labels)
    local names = check.sorted_keys(labels)
    return #names > 0 and table.concat(names, ", ") or "none"
end

---Returns whether jobs that are grouped by this name are grouped by their size: where they arrive,
---and have no such attribute.
---@param name string|nil
---@param labels table<string, string[]>|nil by name
---@param model string|nil nil: one in which they arrive
---@return boolean
function M.is_size(name, labels, model)
    return name == "size" and not (labels and labels.size)
        and (not model or models.find(model).jobs.arrival ~= nil)
end

---Returns the groups that the labels of an attribute are: the text "" stands for jobs without a
---group.
---@param labels table<string, string[]> by name
---@param name string
---@param model string
---@return any[]|nil groups, string|nil reason
function M.groups_by(labels, name, model)
    local groups = {}
    if not labels[name] then
        return nil, string.format("the jobs have no text attribute %s (they have %s%s)",
            check.show(name), text_names(labels), M.is_size("size", labels, model)
            and "; size groups the jobs by their size" or "")
    end
    if #labels[name] > 4096 then
        return nil, string.format("the attribute has %d texts (expected at most 4096 groups)",
            #labels[name])
    end
    for i, label in ipairs(labels[name]) do groups[i] = label ~= "" and label end
    return groups
end

---Makes a copy of a list whose jobs are in groups by a text attribute.
---@param list pinion.JobList
---@param name string
---@return pinion.JobList|nil list, string|nil reason
function M.regroup(list, name)
    local carried, copy, at = list.attributes, {}, nil
    local groups, why = M.groups_by(carried and carried.labels or {}, name, list.model)
    if not groups then return nil, why end
    for key, value in next, list do copy[key] = value end
    for k, one in ipairs(carried.names) do at = one == name and k or at end
    copy.groups, copy.jobs = groups, {}
    for id, job in ipairs(list.jobs) do
        local made = {}
        for key, value in next, job do made[key] = value end
        made.group = job.attributes[at]
        copy.jobs[id] = made
    end
    return copy
end

---Puts the texts of a row of jobs in place of their numbers.
---@param job table
---@param labels table<string, string[]>|nil by name
function M.name_texts(job, labels)
    for name, texts in next, labels or {} do job[name] = texts[math.tointeger(job[name]) + 1] end
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
    local labels = {}
    for k, name in ipairs(attributes and attributes.names or {}) do
        labels[k] = attributes.labels[name] or false
    end
    core.workload_carry {
        workload = opened.core, attributes = attributes and attributes.names, labels = labels,
        values = attributes and values, groups = groups,
    }
end

return M
