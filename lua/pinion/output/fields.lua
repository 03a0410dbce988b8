-- What scripts read of results: a misspelt field or method is an error at the line that reads it,
-- and rows are found by their labels.

local fault = require "pinion.base.fault"
local models = require "pinion.models"
local suggest = require "pinion.base.suggest"
local text = require "pinion.base.text"

local M = {}

-- Besides the models' settings and columns, fields that may be missing where one that is spelt
-- nearly so is not.
local OPTIONAL = { "difference", "difference_p", "differences", "instants", "no_interval",
    "no_quantile_limits", "p50_half", "p90_half", "p99_half", "p999_half", "proof", "proofs",
    "quantile_limits", "significant", "warmup_found", "warmup_jobs",
    "warmup_suggested", "wins_p" }

local function add_known(known, model)
    for _, name in ipairs(model.settings.heads) do known[name] = true end
    for _, column in ipairs(model.results.columns) do
        for _, ending in ipairs { "", "_half", "_sd", "_exact" } do
            known[column.name .. ending] = true
        end
    end
end

local known

-- Returns whether a name may be asked for where the object at hand does not have it.
local function is_known(name)
    if not known then
        known = {}
        for _, one in ipairs(OPTIONAL) do known[one] = true end
        for _, model in ipairs(models.names()) do add_known(known, models.find(model)) end
    end
    return known[name]
end

-- Lists what the object has: fields, and methods of its class.
local function names_of(object, class)
    local names = {}
    for _, holder in ipairs { object, class } do
        for name in next, holder do
            if type(name) == "string" and not name:find "^__" then names[#names + 1] = name end
        end
    end
    return names
end

-- Returns the __index of objects of this class, for scripts alone: the library asks for what may be
-- missing. It remembers which names resemble none.
local function reader(class)
    local unlike = {}
    return function(object, name)
        local method = class[name]
        if method ~= nil or unlike[name] or type(name) ~= "string" or fault.within_call() then
            return method
        end
        local near = not is_known(name) and suggest.misspelt(name, names_of(object, class))
        if near then
            local shown = text.visible(name)
            error(string.format("no such field '%s' (did you mean '%s'?)", shown, near), 2)
        end
        unlike[name] = true
    end
end

local guards = {} -- metatables by class

local function guard(object, class)
    local metatable = guards[class]
    if not metatable then
        metatable = {}
        for name, value in next, class do
            if type(name) == "string" and name:find "^__" then metatable[name] = value end
        end
        metatable.__index = reader(class)
        guards[class] = metatable
    end
    return setmetatable(object, metatable)
end

-- Finds rows by the label of the policy; of a sweep only a label that one row has.
local Rows = { __index = function(rows, name)
    if type(name) ~= "string" or fault.within_call() then return nil end
    local labels, found, count = {}, nil, 0
    for i, row in ipairs(rows) do
        labels[i] = row.policy
        if row.policy == name then found, count = row, count + 1 end
    end
    if count == 1 then return found end
    local shown = text.visible(name)
    if count > 1 then
        error(string.format("rows: %d rows are of policy '%s' (expected rows[i])", count, shown), 2)
    end
    error(string.format("rows: no row is of policy '%s' %s", shown, suggest.hint(name, labels)), 2)
end }

local Row = {}

---Guards the result, comparison or sweep that a script gets.
---@param made table
---@return table made
function M.guard(made)
    local class = getmetatable(made)
    -- The rows of a result are its jobs.
    local rows = type(made.rows) == "table" and made.rows or {}
    for _, row in ipairs(rows) do
        if row.result then M.guard(row.result) end
        guard(row, Row)
    end
    if made.rows == rows then setmetatable(rows, Rows) end
    return guard(made, class)
end

return M
