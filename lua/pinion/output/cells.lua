-- The rows of a sweep by policy and cell, for its figures and its page. A policy without a setting
-- that varies has one row for all values of it.

local generators = require "pinion.workload.generators"
local models = require "pinion.models"
local parts = require "pinion.output.parts"

local M = {}

-- ---- what axes are called -----------------------------------------------------------------------

local LABELS = { error = "error in sizes (factor)", seed = "seed", workload = "workload" }

local LABEL_MOST = 84 -- letters below a figure

-- Returns what the option of a generator of the model is, in its own words as far as their first
-- semicolon, if there is room for them.
local function option_label(model, name)
    for _, kind in ipairs(generators.names(model.name)) do
        local generator = generators.find(kind)
        for _, field in ipairs(generator.fields) do
            if field.name == name and (not field.models or field.models[model.name]) then
                local label = string.format("%s (%s)", name, field.doc:match "^[^;]*")
                return #label <= LABEL_MOST and label or name
            end
        end
    end
    return name
end

---@param model pinion.Model
---@param name string of a setting that varies
---@return string what its axis says
function M.label(model, name)
    local prefix, option = name:match("^(%a+)%.(.+)$")
    if prefix == "workload" then return option_label(model, option) end
    return model.words.axes[name] or LABELS[name] or option or name
end

---@param model pinion.Model
---@param name string
---@return string its first word
function M.short_label(model, name) return M.label(model, name):match "^[^ ]+" end

-- ---- cells --------------------------------------------------------------------------------------

---@class pinion.Cell
---@field at table<string, any> values by the name of the setting
---@field name string|nil what tells it from the others; nil: there is one

---Returns all combinations of the values of axes, each with the values that are fixed.
---@param model pinion.Model
---@param axes pinion.Axis[]
---@param fixed table<string, any>
---@return pinion.Cell[]
function M.combinations(model, axes, fixed)
    local cells = { { at = fixed } }
    for _, axis in ipairs(axes) do
        local longer, label = {}, M.short_label(model, axis.name)
        for _, cell in ipairs(cells) do
            for _, value in ipairs(axis.values) do
                local name = label .. " " .. tostring(value)
                longer[#longer + 1] = { at = M.with(cell.at, axis, value),
                    name = cell.name and cell.name .. ", " .. name or name }
            end
        end
        cells = longer
    end
    return cells
end

---@param at table<string, any>
---@param axis pinion.Axis
---@param value any
---@return table<string, any> the same with this value of the axis
function M.with(at, axis, value)
    local made = {}
    for name, one in next, at do made[name] = one end
    made[axis.name] = value
    return made
end

---@class pinion.SweepIndex
---@field policies string[] in the order of their first rows, which gives them their colours
---@field model pinion.Model
---@field shown table<string, string> by policy: as short as tables have it
local Index = {}
Index.__index = Index

-- Returns the key of a row among those of its policy: the values of the settings that the policy
-- has.
local function key_of(names, at)
    local words = {}
    for i, name in ipairs(names) do words[i] = tostring(at[name]) end
    return table.concat(words, "\0")
end

---@param sweep pinion.Sweep
---@return pinion.SweepIndex
function M.index(sweep)
    local made = setmetatable({ policies = {}, shown = {}, names = {}, rows = {},
        model = models.of(sweep) }, Index)
    for _, row in ipairs(sweep.rows) do
        local policy = parts.full_label(row)
        if not made.rows[policy] then
            made.policies[#made.policies + 1], made.rows[policy] = policy, {}
            made.shown[policy] = parts.label(row)
            local names = {}
            for _, axis in ipairs(sweep.over) do
                if row[axis.name] ~= nil then names[#names + 1] = axis.name end
            end
            made.names[policy] = names
        end
        made.rows[policy][key_of(made.names[policy], row)] = row
    end
    return made
end

---Returns the row of a policy at these values of all settings; nil: it has not run there. O(axes).
---@param policy string
---@param at table<string, any>
---@return table|nil
function Index:find(policy, at)
    return self.rows[policy][key_of(self.names[policy], at)]
end

return M
