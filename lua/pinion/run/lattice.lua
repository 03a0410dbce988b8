-- The cells of a sweep, and which policies run in each: one that does not have a parameter that
-- varies runs once, where the others begin. And what rows are compared with.

local axes_of_sweep = require "pinion.run.axes"
local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local models = require "pinion.models"
local plan_of = require "pinion.run.plan"
local params_of = require "pinion.policy.params"
local policies = require "pinion.policy"
local row_of = require "pinion.run.row"
local suggest = require "pinion.base.suggest"
local workload = require "pinion.workload"

local M = {}

---@class pinion.Lattice the cells of a sweep, and which policies run in each
---@field base pinion.Settings
---@field given any[] policies
---@field axes pinion.Axis[]
---@field options pinion.PlanOptions of each cell
---@field policies pinion.Policy[]
---@field matters boolean[][] by policy and axis: whether the axis changes its runs
---@field places integer[][] of the cells in which some policy runs: by axis, the index of the value
local Lattice = {}
Lattice.__index = Lattice

-- Checks use. A parameter that no policy looks at would give the same cell again and again.
local function check_used(axes, chosen)
    for _, axis in ipairs(axes) do
        local name = axis.name:match("^params%.(.+)$")
        if name then
            params_of.check_used({ [name] = axis.given[1] }, chosen,
                function(_, reason) fault.at(nil, "over." .. axis.name, reason) end)
        end
    end
end

local function count_cells(axes)
    local count = 1
    for _, axis in ipairs(axes) do count = count * #axis.values end
    return count
end

-- Returns whether a parameter of the axis changes runs of the policy.
local function has_parameter(policy, name)
    for _, parameter in ipairs(policy.params) do
        if parameter.name == name then return not (policy.given and policy.given[name] ~= nil) end
    end
    return false
end

-- Returns policies whose parameters mean something to all others: one that bounds are found by, and
-- one that the jobs are made against.
local function common_policies(settings)
    local model, generator = models.find(settings.model), settings.workload.generator
    local watched = generator and generator.watches
        and generator.watches(settings.workload.options)
    local prover = settings.bounds == "tight" and model.settings.prover
    local found = {}
    for _, name in ipairs { watched or nil, prover or nil } do
        found[#found + 1] = policies.require(name, model.name)
    end
    return found
end

-- Returns which axes matter to a policy. A parameter that it does not have gives the same runs.
local function axes_of(policy, common, axes)
    local found = {}
    for i, axis in ipairs(axes) do
        local name = axis.name:match("^params%.(.+)$")
        found[i] = not name or has_parameter(policy, name)
        for _, other in ipairs(name and common or {}) do
            found[i] = found[i] or has_parameter(other, name)
        end
    end
    return found
end

-- Returns the place of a policy's row: false on the axes that do not matter to it.
local function place_on(matters, place)
    local found = {}
    for i, at in ipairs(place) do found[i] = matters[i] and at end
    return found
end

-- Returns the policies that run at a place: each where the axes that do not matter to it have their
-- first values.
function Lattice:running_at(place)
    local found = {}
    for k, matters in ipairs(self.matters) do
        local runs = true
        for i, at in ipairs(place) do runs = runs and (matters[i] or at == 1) end
        if runs then found[#found + 1] = k end
    end
    return found
end

---Returns the places of the rows of a cell, by policy that runs there: false on the axes that do
---not matter to it.
---@param place integer[] of the cell
---@return (integer|false)[][]
function Lattice:row_places(place)
    local found = {}
    for i, k in ipairs(self:running_at(place)) do found[i] = place_on(self.matters[k], place) end
    return found
end

---Returns the plan of the cell at a place.
---@param place integer[]
---@return pinion.Plan
function Lattice:plan_at(place)
    local names = {}
    for i, k in ipairs(self:running_at(place)) do names[i] = self.given[k] end
    local plan = plan_of.new(axes_of_sweep.settings(self.base, self.given, self.axes, place),
        names, self.options)
    for i, of_row in ipairs(self:row_places(place)) do
        plan.cells[i] = {}
        for a, axis in ipairs(self.axes) do plan.cells[i][axis.name] = axis.values[of_row[a]] end
    end
    return plan
end

-- Checks every value of every axis beside the first ones of the others. What only some combination
-- of values is too much for shows when its turn comes.
local function check_values(lattice)
    local place = axes_of_sweep.place(lattice.axes, 1)
    for i, axis in ipairs(lattice.axes) do
        for value = 2, #axis.values do
            place[i] = value
            lattice:plan_at(place)
        end
        place[i] = 1
    end
end

---Lays out the cells, and checks all values.
---@param base pinion.Settings what does not vary
---@param given any[] policies
---@param axes pinion.Axis[]
---@param options pinion.PlanOptions
---@return pinion.Lattice
function M.new(base, given, axes, options)
    local of_cell = {}
    for name, value in next, options do of_cell[name] = name ~= "baseline" and value or nil end
    axes_of_sweep.check_apart(models.find(base.model), axes)
    local settings = axes_of_sweep.settings(base, given, axes, axes_of_sweep.place(axes, 1))
    local chosen = plan_of.new(settings, given, of_cell).policies
    check_used(axes, chosen)
    local self = setmetatable({ base = base, given = given, axes = axes, options = of_cell,
        policies = chosen, matters = {}, places = {} }, Lattice)
    local common = common_policies(settings)
    for k, policy in ipairs(chosen) do self.matters[k] = axes_of(policy, common, axes) end
    for cell = 1, count_cells(axes) do
        local place = axes_of_sweep.place(axes, cell)
        if #self:running_at(place) > 0 then self.places[#self.places + 1] = place end
    end
    check_values(self)
    return self
end

-- ---- the baseline -------------------------------------------------------------------------------

-- Returns whether an axis changes the jobs: rows of other jobs cannot be paired.
local function changes_jobs(lattice, name)
    if name == "seed" or name == "params.seed" or name:find "^workload" then return true end
    return not name:find "^params%." and name ~= "error" and name ~= "warmup"
        and lattice.base.workload:depends_on_cluster(lattice.base.model)
end

local function fail_baseline(...)
    fault.usage("baseline: " .. (...), select(2, ...))
end

-- Returns the place of a value on an axis.
local function find_value(axis, value)
    for i, known in ipairs(axis.values) do
        if known == value or tostring(known) == tostring(value) then return i end
    end
    local words = {}
    for i, known in ipairs(axis.values) do words[i] = tostring(known) end
    fail_baseline("%s: %s is not among its values (%s)", axis.name, check.show(value),
        table.concat(words, ", "))
end

---@class pinion.SweepBaseline what rows are compared with; what it leaves open is as in the row
---@field policy integer|nil index
---@field place table<integer, integer> by axis
---@field text string

-- Fixes an axis of the baseline; false when it is none.
local function fix_axis(lattice, baseline, name, value)
    for i, axis in ipairs(lattice.axes) do
        if axis.name == name then
            if changes_jobs(lattice, name) then
                fail_baseline("%s=%s: the jobs are other ones there (expected a policy, or values "
                    .. "of settings that leave the jobs as they are)", name, tostring(value))
            end
            baseline.place[i] = find_value(axis, value)
            return true
        end
    end
    return false
end

-- Returns the words of a baseline: "fifo", "machines=90", "fifo,machines=90", or a table of them.
local function words_of(given)
    local policy, fixed = nil, {}
    if type(given) == "table" and not policies.is_reference(given) and not getmetatable(given) then
        for _, name in ipairs(check.sorted_keys(given)) do
            if name == "policy" then
                policy = given.policy
            else
                fixed[#fixed + 1] = { tostring(name), given[name] }
            end
        end
    elseif type(given) == "string" then
        for _, piece in ipairs(workload.split(given)) do
            local name, value = piece:match "^%s*([%w_.]+)%s*=%s*(.-)%s*$"
            if name then
                fixed[#fixed + 1] = { name, value }
            else
                policy = piece:match "^%s*(.-)%s*$"
            end
        end
    else
        policy = given
    end
    return policy, fixed
end

---Reads what rows are compared with; by default with the first policy.
---@param given any
---@return pinion.SweepBaseline
function Lattice:read_baseline(given)
    local policy, fixed = words_of(given)
    local baseline, texts = { place = {} }, {}
    if policy ~= nil or #fixed == 0 then
        baseline.policy = plan_of.find_baseline(policy, self.policies, self.given)
        texts[1] = self.policies[baseline.policy].label
    end
    for _, pair in ipairs(fixed) do
        if not fix_axis(self, baseline, pair[1], pair[2]) then
            local names = {}
            for i, axis in ipairs(self.axes) do names[i] = axis.name end
            fail_baseline("%s does not vary %s", pair[1], suggest.hint(pair[1], names))
        end
        texts[#texts + 1] = pair[1] .. "=" .. tostring(pair[2])
    end
    baseline.text = table.concat(texts, ",")
    return baseline
end

local function key_of(policy, place)
    local words = { policy }
    for i, at in ipairs(place) do words[i + 1] = tostring(at) end
    return table.concat(words, "\0")
end

---Compares all rows with the baseline.
---@param baseline pinion.SweepBaseline
---@param rows table[] with their places as `cell`
function Lattice:compare(baseline, rows)
    local by_key, index = {}, {}
    for k, policy in ipairs(self.policies) do index[policy.label] = k end
    for _, row in ipairs(rows) do by_key[key_of(row.policy, row.cell)] = row end
    row_of.compare(rows, function(row)
        local place, k = {}, baseline.policy or index[row.policy]
        for i, at in ipairs(row.cell) do place[i] = baseline.place[i] or at end
        return by_key[key_of(self.policies[k].label, place_on(self.matters[k], place))]
    end)
end


return M
