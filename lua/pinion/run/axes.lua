-- The axes of a sweep: what may vary, the values that it takes, and the settings of a cell.

local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local models = require "pinion.models"
local policies = require "pinion.policy"
local quantity = require "pinion.base.quantity"
local ranges = require "pinion.base.range"
local suggest = require "pinion.base.suggest"
local workload = require "pinion.workload"

local M = {}

-- A grid beyond this is a slip of the pen.
local CELLS_MAX = 100000

---@class pinion.Axis one thing that varies
---@field name string
---@field values any[] as the user gave them

-- ---- what may vary ------------------------------------------------------------------------------

local function copy(original)
    local made = {}
    for key, value in next, original or {} do made[key] = value end
    return made
end

-- Each takes the settings of a cell, the value, and what to do about a mistake.
local FIELDS = {
    workload = function(settings, value)
        if workload.is(value) then
            settings.workload = value
        elseif type(value) == "string" then
            settings.workload = workload.spec(value)
        else
            settings.workload = workload.from_table(value, "workload", settings.model,
                settings.attributes)
        end
    end,
    error = function(settings, value, fail)
        local read, why = models.read_error(models.find(settings.model), value)
        if not read then fail(why) end
        settings.error = read
    end,
    warmup = function(settings, value, fail)
        local read, why = models.read_warmup(models.find(settings.model), value)
        if not read then fail(why) end
        settings.warmup = read
    end,
}

-- Returns what a scenario or an option of the model holds: its check, nil when the model has no
-- such field.
local function reader_of(model, name)
    if name == "policy" then return nil end -- rows are policies
    if name == model.settings.until_option then return model.settings.options[name] end
    if name == "seed" then return models.read_seed end
    return model.settings.fields[name]
end

local PREFIXES = {
    workload = function(settings, name, value, fail)
        settings.workload = settings.workload:with(name, value, function(field, reason)
            fail(field and field ~= name and field .. ": " .. reason or reason)
        end)
    end,
    params = function(settings, name, value, fail)
        local params = copy(settings.params)
        params[name] = quantity.plain(value)
        if name == "seed" then settings.seed = nil end -- which it stands for
        policies.check_names({ [name] = params[name] }, settings.model, settings.chosen or {},
            function(_, reason) fail(reason) end)
        settings.params = params
    end,
}

local function known_axes(model)
    local known = {}
    for name in next, FIELDS do
        if not models.lacking(model, name) then known[#known + 1] = name end
    end
    for _, name in ipairs(model.settings.scalars) do
        if reader_of(model, name) then known[#known + 1] = name end
    end
    known[#known + 1] = model.settings.until_option
    for name in next, model.settings.axes or {} do known[#known + 1] = name end
    table.sort(known)
    known[#known + 1] = "params.NAME"
    known[#known + 1] = "workload.NAME"
    return known
end

local function axis_hint(settings, name)
    local generator = settings.workload and settings.workload.generator
    for _, field in ipairs(generator and generator.fields or {}) do
        if field.name == name then return string.format("(did you mean 'workload.%s'?)", name) end
    end
    if models.has_param(settings.model, name) then
        return string.format("(did you mean 'params.%s'?)", name)
    end
    return suggest.hint(name, known_axes(models.find(settings.model)))
end

-- Sets one thing in the settings of a cell.
local function vary(settings, axis, value)
    local function fail(reason) fault.at(nil, "over." .. axis.name, reason) end
    local prefix, name = axis.name:match("^(%a+)%.(.+)$")
    local model = models.find(settings.model)
    local read, several = reader_of(model, axis.name), (model.settings.axes or {})[axis.name]
    if prefix and PREFIXES[prefix] then
        PREFIXES[prefix](settings, name, value, fail)
    elseif FIELDS[axis.name] then
        FIELDS[axis.name](settings, value, fail)
    elseif read then
        local field, why = read(quantity.literal(value))
        if field == nil and type(value) == "string" and value:find "^%d+:%d+" then
            why = why .. " (a range is 10..100:10)"
        end
        if field == nil then fault.at_element(nil, "over." .. axis.name, why) end
        settings[axis.name] = field
        if axis.name == "failures" then settings.failures_where = nil end
    elseif several then
        local fields, why = several(value)
        if not fields then fail(why) end
        for field, of_cell in next, fields do settings[field] = of_cell end
    else
        fault.at(nil, "over." .. check.key_text(axis.name),
            "cannot be varied " .. axis_hint(settings, axis.name))
    end
end

-- ---- the grid -----------------------------------------------------------------------------------

-- Returns what some model says of a field: find(settings) of the first for which that is something.
local function of_some_model(find)
    for _, name in ipairs(models.names()) do
        local found = find(models.find(name).settings)
        if found ~= nil then return found end
    end
end

local function may_be_boolean(name)
    return name:find("^%a+%.") ~= nil or of_some_model(function(settings)
        return type(settings.defaults[name]) == "boolean" or nil
    end) ~= nil
end

-- Returns a list that has a form as text, a warm-up in a unit of time, or one of jobs.
local function table_text(name, value)
    local list_text = of_some_model(function(settings) return (settings.texts or {})[name] end)
    if list_text then return list_text(value) end
    return of_some_model(function(settings)
        return value[settings.unit] and value[settings.unit] .. settings.unit
    end) or value.jobs
end

-- Returns what rows show must say which cell they are of: a number or a text, nil for what is
-- neither.
local function shown_value(name, value)
    if workload.is(value) then return value.text end
    if type(value) == "table" then return table_text(name, value) end
    if type(value) == "boolean" and may_be_boolean(name) then return tostring(value) end
    if type(value) ~= "string" and type(value) ~= "number" then return nil end
    return quantity.plain(value)
end

local function read_axis(name, values)
    if type(name) ~= "string" then
        fault.at(nil, "over", "names must be strings, got " .. check.show(name))
    end
    local where = "over." .. check.key_text(name)
    if type(values) == "string" then values = { values } end
    if not check.is_array(values, true) or #values == 0 then
        fault.at(nil, where, "must be an array of values, got " .. check.show(values))
    end
    local spread, wrong = ranges.spread(values, CELLS_MAX)
    if wrong then fault.at(nil, where, wrong) end
    values = spread
    local shown, seen = {}, {}
    for i, value in ipairs(values) do
        local text, why = shown_value(name, value)
        if not text then
            fault.at_element(nil, string.format("%s[%d]", where, i),
                why or "must be a number or a string, got " .. check.show(value))
        end
        if seen[text] then
            fault.at(nil, where, "has the value " .. check.show(text) .. " twice")
        end
        seen[text] = true
        shown[i] = text
    end
    return { name = name, values = shown, given = values }
end

---Reads the axes of a grid: a table of arrays by name (taken in sorted order), or an array of {
---name, values }.
---@param over any
---@return pinion.Axis[]
function M.read_over(over)
    if type(over) ~= "table" or next(over) == nil then
        fault.at(nil, "over",
            "must be a table of what varies, such as { machines = { 50, 100 } }, got "
            .. check.show(over))
    end
    local axes, seen, cells = {}, {}, 1
    if #over > 0 then
        for i, pair in ipairs(over) do
            if type(pair) ~= "table" then
                fault.at(nil, string.format("over[%d]", i), "must be { name, values }, got "
                    .. check.show(pair))
            end
            axes[i] = read_axis(pair[1], pair[2])
        end
    else
        for i, name in ipairs(check.sorted_keys(over)) do axes[i] = read_axis(name, over[name]) end
    end
    for _, axis in ipairs(axes) do
        if seen[axis.name] then fault.at(nil, "over." .. axis.name, "is given twice") end
        seen[axis.name] = true
        cells = cells * #axis.values
        if cells > CELLS_MAX then
            fault.at(nil, "over", string.format("makes more than %d cells", CELLS_MAX))
        end
    end
    return axes
end

---Returns the place of a cell: on each axis the index of the value; the last axis varies fastest.
---@param axes pinion.Axis[]
---@param cell integer
---@return integer[]
function M.place(axes, cell)
    local place, rest = {}, cell - 1
    for i = #axes, 1, -1 do
        place[i] = rest % #axes[i].values + 1
        rest = rest // #axes[i].values
    end
    return place
end

---Returns the settings of the cell at a place.
---@param base pinion.Settings
---@param given any[] policies
---@param axes pinion.Axis[]
---@param place integer[]
---@return pinion.Settings
function M.settings(base, given, axes, place)
    local settings = copy(base)
    settings.chosen = given
    -- The workload first, so that its options go into the one that is chosen.
    for _, first in ipairs { true, false } do
        for i, axis in ipairs(axes) do
            if (axis.name == "workload") == first then
                vary(settings, axis, axis.given[place[i]])
            end
        end
    end
    local settle = models.find(settings.model).settings.settle
    if settle then settle(settings) end
    return settings
end

---Checks that what one axis sets, no other one sets too.
---@param model pinion.Model
---@param axes pinion.Axis[]
function M.check_apart(model, axes)
    local set_by = {}
    for _, axis in ipairs(axes) do
        local several = (model.settings.axes or {})[axis.name]
        for name in next, several and several(axis.given[1]) or { [axis.name] = true } do
            local other = set_by[name]
            if other then
                fault.at(nil, "over." .. axis.name, "what it varies is varied by over." .. other
                    .. " too")
            end
            set_by[name] = axis.name
        end
    end
end

return M
