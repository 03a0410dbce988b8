-- A sweep: the same comparison over a grid of settings. Every cell sees the same seeds and
-- replicas, so that cells differ by what was changed and not by luck. A cell's settings are made
-- when its turn comes; every value is checked before the first run.

local core = require "pinion.core"
local grid = require "pinion.run.grid"
local inputs = require "pinion.run.inputs"
local lattice_of = require "pinion.run.lattice"
local models = require "pinion.models"

local M = {}

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

-- Returns what a cell comes to, without what no row of a sweep shows: there may be many cells.
local function settled(plan, options)
    local made = plan:settle()
    for _, row in ipairs(made.rows) do
        row.counts, row.pooled, row.group_counts = nil, nil, nil
        if options.keep_numbers == false then row.by_replica = nil end
    end
    return made
end

-- Adds rows in long form: with the values of the cell that matter to the policy.
local function add_rows(sweep, made, places)
    for r, row in ipairs(made.rows) do
        row.cell = places[r]
        for i, axis in ipairs(sweep.over) do row[axis.name] = axis.values[row.cell[i]] end
        row.replicas, row.baseline = made.completed, sweep.baseline
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
local function grid_of(lattice, options, settled)
    return {
        cells = #lattice.places, options = options, label = "sweep", quiet = lattice.base.quiet,
        policies = #lattice.given, replica = options.replicas > 1 and 0 or lattice.base.replica,
        runs_of = function(cell) return #lattice:running_at(lattice.places[cell]) end,
        plan = function(cell) return lattice:plan_at(lattice.places[cell]) end,
        settled = settled,
    }
end

-- Adds what the first cell says of all.
local function add_head(sweep, base, axes, made)
    sweep.title = title_of(base, axes, made)
    sweep.seed, sweep.workload, sweep.replica = made.seed, base.workload.text, made.replica
    for _, name in ipairs(models.find(base.model).settings.heads) do sweep[name] = made[name] end
    sweep.submitted, sweep.rules = made.submitted, made.rules and fixed_rules(made.rules, axes)
end

-- Forgets what cells do not agree on.
local function add_cell(sweep, made)
    if made.submitted ~= sweep.submitted then sweep.submitted = nil end
    if made.seed ~= sweep.seed then sweep.seed = nil end
    sweep.drawn = sweep.drawn or made.drawn
    sweep.growing, sweep.admits = sweep.growing or made.growing, sweep.admits or made.admits
end

---@param base pinion.Settings what does not vary
---@param given any[] policies
---@param axes pinion.Axis[]
---@param options pinion.PlanOptions
---@return pinion.Sweep
function M.run(base, given, axes, options)
    local cells, lattice = {}, lattice_of.new(base, given, axes, options)
    local baseline = lattice:read_baseline(options.baseline)
    local whole = grid_of(lattice, options,
        function(cell, plan) cells[cell] = settled(plan, options) end)
    local complete = grid.run(whole)
    local sweep = setmetatable({
        over = {}, rows = {}, replicas = options.replicas, completed = math.huge,
        cells = whole.cells, cells_complete = 0, growing = false, baseline = baseline.text,
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
            add_cell(sweep, made)
            add_rows(sweep, made, lattice:row_places(lattice.places[cell]))
            local all = made.completed >= options.replicas
            sweep.cells_complete = sweep.cells_complete + (all and 1 or 0)
            sweep.completed = math.min(sweep.completed, made.completed)
            sweep.replicas = math.max(sweep.replicas, made.replicas)
        end
    end
    lattice:compare(baseline, sweep.rows)
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
    local lattice = lattice_of.new(base, given, axes, options)
    return grid.run_part(grid_of(lattice, options, function() end))
end

---Surveys what there is to do of a sweep with a store.
---@param base pinion.Settings
---@param given any[] policies
---@param axes pinion.Axis[]
---@param options pinion.PlanOptions
---@return pinion.Survey
function M.survey(base, given, axes, options)
    local lattice = lattice_of.new(base, given, axes, options)
    return grid.survey(grid_of(lattice, options, function() end))
end

M.class = Sweep

return M
