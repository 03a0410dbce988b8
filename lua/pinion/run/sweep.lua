-- A sweep: the same comparison over a grid of settings. Every cell sees the same seeds and
-- replicas, so that cells differ by what was changed and not by luck. A cell's settings are made
-- when its turn comes; every value is checked before the first run.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local grid = require "pinion.run.grid"
local inputs = require "pinion.run.inputs"
local models = require "pinion.models"
local plan_of = require "pinion.run.plan"
local policies = require "pinion.policy"
local quantity = require "pinion.base.quantity"
local suggest = require "pinion.base.suggest"
local workload = require "pinion.workload"

local M = {}

-- A grid beyond this is a slip of the pen.
local CELLS_MAX = 100000

---@class pinion.Axis one thing that varies
---@field name string
---@field values any[] as the user gave them

---@class pinion.Sweep
---@field over pinion.Axis[]
---@field rows table[] one per cell and policy: the cell's values by name, and the fields of a pinion.ComparisonRow
---@field replicas integer
---@field completed integer replicas that are in the rows of every cell that is there
---@field own_replicas boolean whether each cell has its own number of replicas
---@field cells integer of the grid
---@field cells_complete integer whose replicas are all in the rows
---@field baseline string
---@field growing boolean
---@field interrupted boolean
local Sweep = {}
Sweep.__index = Sweep
Sweep.__name = "pinion.Sweep"

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
    if not check.is_array(values, true) or #values == 0 then
        fault.at(nil, where, "must be an array of values, got " .. check.show(values))
    end
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

-- Returns the index of the cell -> index of the value on each axis; the last axis varies fastest.
local function place_of(axes, cell)
    local place, rest = {}, cell - 1
    for i = #axes, 1, -1 do
        place[i] = rest % #axes[i].values + 1
        rest = rest // #axes[i].values
    end
    return place
end

local function settings_of_cell(base, given, axes, place)
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

-- Checks that what one axis sets, no other one sets too.
local function check_apart(model, axes)
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

-- Checks use. A parameter that no policy looks at would give the same cell again and again.
local function check_used(axes, chosen)
    for _, axis in ipairs(axes) do
        local name = axis.name:match("^params%.(.+)$")
        if name then
            policies.check_used({ [name] = axis.given[1] }, chosen,
                function(_, reason) fault.at(nil, "over." .. axis.name, reason) end)
        end
    end
end

local function count_cells(axes)
    local count = 1
    for _, axis in ipairs(axes) do count = count * #axis.values end
    return count
end

-- Returns the plan of a cell.
local function plan_at(base, given, axes, options, place)
    local plan = plan_of.new(settings_of_cell(base, given, axes, place), given, options)
    for i, axis in ipairs(axes) do plan.cell[axis.name] = axis.values[place[i]] end
    return plan
end

-- Checks every value of every axis beside the first ones of the others. What only some combination
-- of values is too much for shows when its turn comes.
local function check_values(base, given, axes, options)
    local place = place_of(axes, 1)
    check_apart(models.find(base.model), axes)
    check_used(axes, plan_at(base, given, axes, options, place).policies)
    for i, axis in ipairs(axes) do
        for value = 2, #axis.values do
            place[i] = value
            plan_at(base, given, axes, options, place)
        end
        place[i] = 1
    end
end

-- Returns what a cell comes to, without what no row of a sweep shows: there may be many cells.
local function settled(plan, options)
    local made = plan:settle()
    for _, row in ipairs(made.rows) do
        row.counts, row.pooled, row.group_counts = nil, nil, nil
        if options.keep_numbers == false then row.by_replica = nil end
    end
    return made
end

-- Adds rows in long form: the values of the cell beside those of the policy.
local function add_rows(sweep, made, place)
    for _, row in ipairs(made.rows) do
        for i, axis in ipairs(sweep.over) do row[axis.name] = axis.values[place[i]] end
        row.replicas, row.baseline, row.cell = made.completed, made.baseline, place
        sweep.rows[#sweep.rows + 1] = row
    end
end

-- Returns the title; what does not vary is in it.
local function title_of(base, axes, made)
    local varied, title, model = {}, { model = base.model }, models.find(base.model)
    for _, axis in ipairs(axes) do
        varied[axis.name] = true
        local several = (model.settings.axes or {})[axis.name]
        for name in next, several and several(axis.given[1]) or {} do varied[name] = true end
    end
    for _, name in ipairs(model.settings.heads) do
        if not varied[name] and not varied[(model.settings.head_of or {})[name]] then
            title[name] = made[name]
        end
    end
    title.workload = not varied.workload and base.workload.text or nil
    title.error = not varied.error and made.error or nil
    title.warmup = not varied.warmup and made.warmup or nil
    return title
end

-- Returns the rules that are the same in all cells.
local function fixed_rules(given, axes)
    local varied, fixed = {}, {}
    for _, axis in ipairs(axes) do varied[axis.name] = true end
    for _, rule in ipairs(given) do
        if not varied["params." .. rule[1]] then fixed[#fixed + 1] = rule end
    end
    return fixed
end

-- Returns the grid of a sweep.
local function grid_of(base, given, axes, options, settled)
    check_values(base, given, axes, options)
    return {
        cells = count_cells(axes), options = options, label = "sweep", quiet = base.quiet,
        policies = #given, replica = options.replicas > 1 and 0 or base.replica,
        plan = function(cell) return plan_at(base, given, axes, options, place_of(axes, cell)) end,
        settled = settled,
    }
end

-- Adds what the first cell says of all.
local function add_head(sweep, base, axes, made)
    sweep.title, sweep.baseline = title_of(base, axes, made), made.baseline
    sweep.seed, sweep.workload, sweep.replica = made.seed, base.workload.text, made.replica
    for _, name in ipairs(models.find(base.model).settings.heads) do sweep[name] = made[name] end
    sweep.submitted, sweep.rules = made.submitted, made.rules and fixed_rules(made.rules, axes)
end

-- Adds a cell, and forgets what cells do not agree on.
local function add_cell(sweep, made, place)
    if made.submitted ~= sweep.submitted then sweep.submitted = nil end
    if made.seed ~= sweep.seed then sweep.seed = nil end
    sweep.drawn = sweep.drawn or made.drawn
    sweep.growing, sweep.admits = sweep.growing or made.growing, sweep.admits or made.admits
    add_rows(sweep, made, place)
end

---@param base pinion.Settings what does not vary
---@param given any[] policies
---@param axes pinion.Axis[]
---@param options pinion.PlanOptions
---@return pinion.Sweep
function M.run(base, given, axes, options)
    local cells = {}
    local whole = grid_of(base, given, axes, options,
        function(cell, plan) cells[cell] = settled(plan, options) end)
    local complete = grid.run(whole)
    local sweep = setmetatable({
        over = {}, rows = {}, replicas = options.replicas, completed = math.huge,
        cells = whole.cells, cells_complete = 0, growing = false,
        interrupted = not complete, model = base.model, extended = base.extended,
        bounds = base.bounds, pinion = core.version,
    }, Sweep)
    inputs.note(sweep, inputs.of_sweep(base, given, axes))
    for i, axis in ipairs(axes) do sweep.over[i] = { name = axis.name, values = axis.values } end
    -- Of one that was interrupted before its first cell, nothing but its title is known.
    add_head(sweep, base, axes, cells[1] or whole.plan(1):settle())
    for cell = 1, whole.cells do
        local made = cells[cell]
        if made then
            add_cell(sweep, made, place_of(axes, cell))
            local all = made.completed >= options.replicas
            sweep.cells_complete = sweep.cells_complete + (all and 1 or 0)
            sweep.completed = math.min(sweep.completed, made.completed)
            sweep.replicas = math.max(sweep.replicas, made.replicas)
        end
    end
    if sweep.completed == math.huge then sweep.completed = 0 end
    sweep.own_replicas = options.until_half ~= nil
    return sweep
end

---Runs what is missing of a part of a sweep with a store.
---@param base pinion.Settings
---@param given any[] policies
---@param axes pinion.Axis[]
---@param options pinion.PlanOptions
---@return boolean complete false when it was interrupted
function M.run_part(base, given, axes, options)
    return grid.run_part(grid_of(base, given, axes, options, function() end))
end

---Surveys what there is to do of a sweep with a store.
---@param base pinion.Settings
---@param given any[] policies
---@param axes pinion.Axis[]
---@param options pinion.PlanOptions
---@return pinion.Survey
function M.survey(base, given, axes, options)
    return grid.survey(grid_of(base, given, axes, options, function() end))
end

M.class = Sweep

return M
