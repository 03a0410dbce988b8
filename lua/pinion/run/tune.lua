-- Tunes a policy: races its variants on common random numbers, and then runs the best one, the
-- defaults and a reference on fresh ones, where the winner has no luck left over from the search.

local check = require "pinion.base.check"
local comparison = require "pinion.run.comparison"
local core = require "pinion.core"
local estimates = require "pinion.run.estimates"
local fault = require "pinion.base.fault"
local grid = require "pinion.run.grid"
local inputs = require "pinion.run.inputs"
local models = require "pinion.models"
local plan_of = require "pinion.run.plan"
local params_of = require "pinion.policy.params"
local policies = require "pinion.policy"
local race = require "pinion.run.race"
local result_columns = require "pinion.models.columns"
local row_of = require "pinion.run.row"
local spaces = require "pinion.run.space"
local statistics = require "pinion.base.statistics"
local suggest = require "pinion.base.suggest"
local variants = require "pinion.policy.variant"

local M = {}

---Runs of the search, and replicas of the comparison after it, by default.
M.RUNS, M.CONFIRM = 1000, 20

-- The races have replicas from here on, so that those of a comparison are fresh.
local FIRST_REPLICA <const> = 1 << 20

-- The random numbers of the search are a stream of their own.
local PURPOSE <const> = 0x74756E65

---@class pinion.TuneOptions
---@field policy any reference of the policy
---@field over { [1]: string, [2]: any }[] parameters and what they may be, see run/space.lua
---@field goal string|nil a measure; nil: that by which comparisons go
---@field maximize boolean|nil
---@field limits string[] such as "mean_slowdown<=5"
---@field runs integer
---@field confirm integer replicas of the comparison at the end
---@field reference any|nil a policy that is compared, too
---@field weights number[] of the workloads
---@field processes integer|nil
---@field store pinion.Store|nil with the fields of pinion.StoreOptions

---@class pinion.Tune
---@field model string
---@field policy string label of the policy
---@field goal string
---@field maximize boolean
---@field limits string[]
---@field over table[] { name, low, high, log, integer } or { name, values }
---@field runs integer that were allowed
---@field used integer
---@field races integer
---@field seeds integer on which the best ones were compared
---@field best table<string, any> values
---@field best_policy string the best policy, as the command line names it
---@field is_default boolean whether the defaults are the best
---@field configurations pinion.TuneConfiguration[] by rank
---@field comparisons pinion.Comparison[] by workload, on fresh seeds
---@field measures pinion.TuneMeasure[][] the goal and the limited measures of each policy there
local Tune = {}
Tune.__index = Tune
Tune.__name = "pinion.Tune"

---@class pinion.TuneConfiguration a configuration that ran
---@field values table<string, any>
---@field mean number of the goal over its seeds; of several workloads relative to the defaults
---@field mean_half number|nil
---@field difference number|nil difference to the best one, over the seeds that it had; 0: it is the best
---@field difference_half number|nil
---@field seeds integer
---@field race integer in which it came
---@field dropped integer|nil the race in which it dropped out; nil: it is among the best
---@field feasible boolean whether it keeps to the limits
---@field default boolean

---@class pinion.TuneMeasure
---@field measure string
---@field policy string
---@field mean number|nil
---@field mean_half number|nil
---@field difference number|nil paired, to the defaults
---@field difference_half number|nil

-- ---- what is asked for --------------------------------------------------------------------------

-- Returns the name that a measure has in long form: p99_flow_time is flow_time_p99.
local function measure_of(model, text)
    local names, known = {}, estimates.names(model)
    for _, name in ipairs(known) do names[name] = name end
    for _, sample in ipairs(model.results.samples) do
        for _, quantile in ipairs(statistics.QUANTILE_NAMES) do
            local name = estimates.quantile_name(sample, quantile)
            names[quantile .. "_" .. sample.name] = name
            names[quantile] = names[quantile] or name
        end
    end
    if names[text] then return names[text] end
    return nil, string.format("unknown measure %s %s", check.show(text),
        suggest.hint(text, known))
end

-- Reads MEASURE<=NUMBER or MEASURE>=NUMBER.
local function read_limit(model, text)
    local name, sign, number = text:match "^%s*([%w_.]+)%s*([<>]=)%s*(-?[%d.]+)%s*$"
    if not name or not tonumber(number) then
        return nil, "must be MEASURE<=NUMBER or MEASURE>=NUMBER, got " .. check.show(text)
    end
    local measure, why = measure_of(model, name)
    if not measure then return nil, why end
    return { measure = measure, sign = sign == "<=" and 1 or -1, bound = tonumber(number) + 0.0 }
end

-- Checks that a parameter takes what a space holds for it, and returns its place in the space.
local function space_of(policy, name, given)
    local own, names = nil, {}
    for _, parameter in ipairs(policy.params) do
        if not parameter.shared then
            names[#names + 1] = parameter.name
            if parameter.name == name then own = parameter end
        end
    end
    local function fail(reason) fault.at(nil, "over." .. name, reason) end
    if not own then
        fail(string.format("policy '%s' has no such parameter %s", policy.label,
            #names == 0 and "(it has none)" or suggest.hint(name, names)))
    end
    local made, why = spaces.parameter(name, given)
    if not made then fail(why) end
    if own.float then made.integer = false end
    local values = made.values or { made.low, made.high }
    for i, value in ipairs(values) do
        local checked, reason = params_of.value(own, value)
        if checked == nil then fail(reason) end
        if made.values then made.values[i] = checked end
    end
    return made, own
end

-- ---- runs of a configuration --------------------------------------------------------------------

-- Returns the settings of each workload.
local function settings_of(base, workloads, bounds)
    local found = {}
    for i, work in ipairs(workloads) do
        found[i] = setmetatable({ workload = work, bounds = bounds }, { __index = base })
    end
    return found
end

-- Returns the bounds that the races need: those of measures that are a ratio to one.
local function bounds_of(base, model, goal, limits)
    local needed = { [goal] = true }
    for _, limit in ipairs(limits) do needed[limit.measure] = true end
    for _, column in ipairs(model.results.columns) do
        local kind = result_columns.kind(column)
        if needed[column.name] and (kind.ratio or kind.bound) then return base.bounds end
    end
    return "none"
end

-- Returns the numbers of a plan's only policy by replica.
local function numbers_of(plan, name, count)
    local list, found = (plan.rows[1].by_replica[1] or {})[name] or {}, {}
    for i = 1, count do found[i] = list[i] or nil end
    return found
end

---@class pinion.Trial what the races run
---@field settings pinion.Settings[] by workload
---@field weights number[] their sum is 1
---@field scales number[]|nil of several workloads: what the goal is divided by
---@field goal { measure: string, sign: integer }
---@field limits table[]

-- Returns the costs of a configuration, from the numbers of its cells.
local function costs_of(trial, plans, count)
    local made = { costs = {}, excess = {} }
    for i = 1, count do made.costs[i] = 0.0 end
    for w, plan in ipairs(plans) do
        local values = numbers_of(plan, trial.goal.measure, count)
        local factor = trial.goal.sign * trial.weights[w] / trial.scales[w]
        for i = 1, count do
            made.costs[i] = values[i] and made.costs[i] + factor * values[i] or math.huge
        end
        for _, limit in ipairs(trial.limits) do
            local limited, excess = numbers_of(plan, limit.measure, count), {}
            for i = 1, count do
                excess[i] = limited[i] and limit.sign * (limited[i] - limit.bound) or math.huge
            end
            made.excess[#made.excess + 1] = excess
        end
    end
    return made
end

-- Sets what goals of several workloads are divided by: those of the first configuration, the
-- defaults.
local function set_scales(trial, plans, count)
    if trial.scales then return end
    trial.scales = {}
    for w, plan in ipairs(plans) do
        local sum, known = 0.0, 0
        for _, value in pairs(numbers_of(plan, trial.goal.measure, count)) do
            sum, known = sum + math.abs(value), known + 1
        end
        trial.scales[w] = #plans > 1 and sum > 0 and sum / known or 1.0
    end
end

-- Returns the grid of some configurations on some seeds: a cell is one of them on one workload.
local function grid_of(trial, list, first, count, settled)
    local works = #trial.settings
    local options = setmetatable({ replicas = count }, { __index = trial.options })
    return {
        cells = #list * works, options = options, label = "tuning", policies = 1,
        replica = trial.first + first, quiet = trial.options.quiet, own_progress = true,
        plan = function(cell)
            local values = list[(cell - 1) // works + 1]
            return plan_of.new(trial.settings[(cell - 1) % works + 1],
                { variants.with(trial.policy, values) }, options)
        end,
        settled = settled,
    }
end

-- Runs a part of what the races ask for; true when the other parts are done, too.
local function run_part(trial, list, first, count)
    local whole = grid_of(trial, list, first, count, function() end)
    if not grid.run_part(whole) then return false end
    trial.missing = grid.survey(whole).missing
    return trial.missing == 0
end

-- Runs configurations on seeds; nil: interrupted, or others have a part of it to do.
local function evaluate(trial, list, first, count)
    if trial.options.shard and not run_part(trial, list, first, count) then return nil end
    local works, plans, made = #trial.settings, {}, {}
    local complete = grid.run(grid_of(trial, list, first, count, function(cell, plan)
        plans[cell] = plan
        trial.done = trial.done + count
        trial.progress:show(trial.done, trial.runs, "runs")
        local at = (cell - 1) // works
        if cell % works ~= 0 then return end
        local own = table.move(plans, at * works + 1, cell, 1, {})
        set_scales(trial, own, count)
        made[at + 1] = costs_of(trial, own, count)
        for i = at * works + 1, cell do plans[i] = nil end
    end))
    return complete and made or nil
end

-- ---- what comes of it ---------------------------------------------------------------------------

-- Returns mean and half width of finite values; nothing of others.
local function finite_interval(values)
    local mean, half = statistics.interval(values)
    if not mean or mean ~= mean or math.abs(mean) == math.huge then return nil end
    return mean, half
end

local function described(entrant, sign, found)
    local differences, best = {}, found.best[1]
    for i, cost in ipairs(entrant.costs) do
        if best.costs[i] then differences[#differences + 1] = cost - best.costs[i] end
    end
    local mean, half = finite_interval(entrant.costs)
    local difference, difference_half = finite_interval(differences)
    return {
        values = entrant.values, mean = mean and sign * mean, mean_half = half,
        difference = difference and sign * difference, difference_half = difference_half,
        seeds = #entrant.costs, race = entrant.race, dropped = entrant.dropped,
        feasible = race.is_feasible(entrant), default = entrant == found.all[1],
    }
end

-- Returns the configurations that ran: the best ones in their order, then the others by the race in
-- which they dropped out, the last race first.
local function configurations_of(found, sign)
    local list, is_best = {}, {}
    for _, entrant in ipairs(found.best) do
        list[#list + 1] = described(entrant, sign, found)
        is_best[entrant] = true
    end
    local rest = {}
    for _, entrant in ipairs(found.all) do
        if not is_best[entrant] and #entrant.costs > 0 then rest[#rest + 1] = entrant end
    end
    table.sort(rest, function(a, b)
        local x, y = a.dropped or 0, b.dropped or 0
        if x ~= y then return x > y end
        if #a.costs ~= #b.costs then return #a.costs > #b.costs end
        if a.mean ~= b.mean then return (a.mean or math.huge) < (b.mean or math.huge) end
        return a.number < b.number
    end)
    for _, entrant in ipairs(rest) do list[#list + 1] = described(entrant, sign, found) end
    return list
end

-- Describes the space as results have it.
local function axes_of(parameters)
    local axes = {}
    for i, parameter in ipairs(parameters) do
        axes[i] = { name = parameter.name, values = parameter.values, low = parameter.low,
            high = parameter.high, log = parameter.log, integer = parameter.integer }
    end
    return axes
end

-- Returns the goal and the limited measures of a comparison: each policy's mean and its paired
-- difference to the defaults.
local function measures_of(trial, made)
    local rows, names = {}, { trial.goal.measure }
    for _, limit in ipairs(trial.limits) do names[#names + 1] = limit.measure end
    for _, name in ipairs(names) do
        for _, row in ipairs(made.rows) do
            local values = (row.by_replica[1] or {})[name] or {}
            local base = row.against and (row.against.by_replica[1] or {})[name]
            local paired = base and estimates.paired(values, base) or {}
            local mean, half = estimates.mean(values)
            rows[#rows + 1] = { measure = name, policy = row.policy, mean = mean,
                mean_half = half, difference = paired.difference,
                difference_half = paired.difference_half }
        end
    end
    return rows
end

-- Compares the best one with the defaults and the reference, on fresh seeds.
local function confirm(trial, best, is_default, options)
    local names = { variants.with(trial.policy, {}, "default") }
    if not is_default then names[2] = variants.with(trial.policy, best, "tuned") end
    if options.reference ~= nil then names[#names + 1] = options.reference end
    local how = setmetatable({ replicas = trial.drawn and options.confirm or 1,
        baseline = "default" }, { __index = trial.options })
    local made = {}
    for w, settings in ipairs(settings_of(trial.base, trial.workloads)) do
        if how.shard then
            if not comparison.run_part(settings, names, how) then return nil end
        else
            made[w] = comparison.run(settings, names, how)
            if made[w].interrupted then return nil end
        end
    end
    return made
end

-- Returns the trial, all checked, and the parameters that vary.
local function prepare(base, workloads, options)
    local model = models.of(base)
    local policy = policies.require(options.policy, base.model, base.reduce)
    if options.reference ~= nil then
        local other, reason = policies.lookup(options.reference, base.model)
        if not other then fault.at(nil, "reference", reason) end
    end
    local goal, why = measure_of(model, options.goal or row_of.first_measure(model))
    if not goal then fault.at(nil, "goal", why) end
    local limits = {}
    for i, text in ipairs(options.limits) do
        limits[i], why = read_limit(model, text)
        if not limits[i] then fault.at(nil, "subject_to", why) end
    end
    local parameters, defaults = {}, {}
    for i, pair in ipairs(options.over) do
        local own
        parameters[i], own = space_of(policy, pair[1], pair[2])
        defaults[pair[1]] = (policy.given or {})[pair[1]]
        if defaults[pair[1]] == nil then defaults[pair[1]] = (base.params or {})[pair[1]] end
        if defaults[pair[1]] == nil then defaults[pair[1]] = own.value end
    end
    local sum, weights = 0.0, {}
    for w in ipairs(workloads) do sum = sum + (options.weights[w] or 1) end
    for w in ipairs(workloads) do weights[w] = (options.weights[w] or 1) / sum end
    local trial = {
        base = base, policy = options.policy, weights = weights, workloads = workloads,
        settings = settings_of(base, workloads, bounds_of(base, model, goal, limits)),
        goal = { measure = goal, sign = options.maximize and -1 or 1 }, limits = limits,
        options = options, first = FIRST_REPLICA, done = 0, runs = options.runs,
    }
    trial.drawn = true
    for _, settings in ipairs(trial.settings) do
        if (settings.workload.options or {}).replicas then
            fault.usage("tune: %s has few replicas, which the search would use up (expected "
                .. "resample=blocks)", settings.workload.text)
        end
        local plan = plan_of.new(settings, { options.policy }, { replicas = 1 })
        trial.drawn = trial.drawn and plan.drawn
    end
    return trial, policy, parameters, defaults
end

---Finds good values of a policy's parameters.
---@param base pinion.Settings without a workload
---@param workloads pinion.Workload[]
---@param options pinion.TuneOptions
---@return pinion.Tune|nil made, integer|nil missing nil: interrupted, or with a shard so many units of other parts are missing
function M.run(base, workloads, options)
    local trial, policy, parameters, defaults = prepare(base, workloads, options)
    local progress <close> = core.progress("tuning", base.quiet)
    trial.progress = progress
    local found = race.run {
        space = spaces.new(parameters), first = { defaults },
        runs = options.runs // #workloads, seeds = trial.drawn and math.huge or 1,
        limits = #trial.limits * #workloads,
        random = core.random(base.seed or 1, 0, PURPOSE),
        evaluate = function(list, first, count) return evaluate(trial, list, first, count) end,
    }
    if not found then return nil, trial.missing end
    local best = found.best[1]
    local is_default = best == found.all[1]
    local comparisons = confirm(trial, best.values, is_default, options)
    if not comparisons then return nil end
    local made = setmetatable({
        model = base.model, extended = base.extended, policy = policy.label,
        goal = trial.goal.measure, maximize = options.maximize or false, limits = options.limits,
        over = axes_of(parameters), runs = options.runs, used = found.used * #workloads,
        races = found.races, seeds = found.seeds, best = best.values, is_default = is_default,
        best_policy = variants.text(variants.with(options.policy, best.values)),
        configurations = configurations_of(found, trial.goal.sign), comparisons = comparisons,
        relative = #workloads > 1, drawn = trial.drawn, seed = base.seed or 1,
        feasible = race.is_feasible(best), measures = {}, pinion = core.version,
    }, Tune)
    for w, one in ipairs(comparisons) do made.measures[w] = measures_of(trial, one) end
    local paths = {}
    for _, settings in ipairs(trial.settings) do
        local of = inputs.of(settings, { options.policy, options.reference })
        table.move(of, 1, #of, #paths + 1, paths)
    end
    inputs.note(made, paths)
    return made
end

M.class = Tune

return M
