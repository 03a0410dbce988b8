-- Figures of comparisons, sweeps and results, drawn by gnuplot. Data and script are left beside the figure, so that it can be drawn again
-- by hand.

local check = require "pinion.check"
local fault = require "pinion.fault"
local figures = require "pinion.plot_figures"
local generators = require "pinion.generators"
local gnuplot = require "pinion.gnuplot"
local statistics = require "pinion.statistics"
local suggest = require "pinion.suggest"

local M = {}

M.curve = figures.curve

-- What a bar or a line may be of, and what its axis says.
local LABELS = {
    efficiency_ratio = "total flow time / lower bound", efficiency_ratio_tight = "total flow time / tight lower bound",
    mean_flow_time = "mean flow time (slots)", difference = "mean flow time minus the baseline's (slots)",
    relative = "mean flow time / the baseline's", p50 = "median flow time (slots)", p90 = "90th percentile of flow time (slots)",
    p99 = "99th percentile of flow time (slots)", p999 = "99.9th percentile of flow time (slots)", max = "longest flow time (slots)",
}

-- `script` and `data` as the functions of plot_figures return them.
local function draw(path, title, script, data)
    return gnuplot.draw { path = path, title = title, script = script, data = data }
end

-- ---- options ----------------------------------------------------------------------------------------------

local OPTIONS = { kind = true, of = true, title = true }

local function choose(name, value, known)
    local chosen, why = check.choice(value, known)
    if not chosen then fault.usage("plot: %s %s", name, why) end
    return chosen
end

local function optional(options, name, read)
    if options[name] == nil then return nil end
    local value, why = read(options[name])
    if value == nil then fault.usage("plot: %s %s", name, why) end
    return value
end

local function check_options(options, known)
    if type(options) ~= "table" then fault.usage("plot: expected a table of options, got %s", check.show(options)) end
    local key, why = check.unknown_key(options, known, "option")
    if key ~= nil then fault.usage("plot: %s: %s", key, why) end
end

local function with(more)
    for name in next, OPTIONS do more[name] = true end
    return more
end

local function label(row)
    return row.policy .. (row.relaxed and " (relaxed)" or "")
end

-- ---- a comparison -----------------------------------------------------------------------------------------

local function distributions(comparison, options)
    local curves, any = {}, false
    for i, row in ipairs(comparison.rows) do
        curves[i] = { title = label(row), points = figures.curve(row.counts or {}) }
        any = any or curves[i].points[1] ~= nil
    end
    if not any then fault.usage("plot: no job has finished, there is nothing to draw") end
    return figures.distributions(curves, options.log_x)
end

local function bars(comparison, of)
    local list, any = {}, false
    for i, row in ipairs(comparison.rows) do
        list[i] = { title = label(row), value = row[of], half = row[of .. "_half"] }
        any = any or row[of] ~= nil
    end
    if not any then fault.usage("plot: no policy has %s here, there is nothing to draw", of) end
    return figures.bars(list, LABELS[of])
end

-- An interval of fewer values is so wide that it hides all else.
local INTERVAL_LEAST = 5

local function running_points(means, step)
    local points = {}
    for k, point in ipairs(statistics.running(means)) do points[k] = { k * step, point[1], k >= INTERVAL_LEAST and point[2] or nil } end
    return points
end

local RUNNING_LABELS = { mean_flow_time = "mean flow time so far (slots)", efficiency_ratio = "flow time / lower bound, mean so far",
                         efficiency_ratio_tight = "flow time / tight bound, mean so far" }

-- Over replicas, or over the jobs of one run in batches.
local function convergence(comparison, of)
    local curves = {}
    for i, row in ipairs(comparison.rows) do
        local batches = row.result and row.result.batches
        local points = {}
        if comparison.replicas > 1 then
            points = running_points(row.samples[of], 1)
        elseif batches then
            points = running_points(batches.means, batches.size)
        end
        if #points > 1 then curves[#curves + 1] = { title = label(row), look = i, points = points } end
    end
    if #curves == 0 then fault.usage("plot: convergence needs several replicas, or a run of many jobs") end
    local x = comparison.replicas > 1 and "replicas" or "jobs finished"
    return figures.convergence(curves, { x = x, y = RUNNING_LABELS[of] })
end

local function measure_of(comparison, kind, of)
    if kind == "cdf" then return choose("of", of or "flow_time", { "flow_time" }) end
    if kind == "bars" then
        local usual = comparison.bounds ~= "none" and "efficiency_ratio" or "mean_flow_time"
        return choose("of", of or usual, check.sorted_keys(LABELS))
    end
    if comparison.replicas == 1 then return choose("of", of or "mean_flow_time", { "mean_flow_time" }) end
    return choose("of", of or "mean_flow_time", { "mean_flow_time", "efficiency_ratio", "efficiency_ratio_tight" })
end

---Fails when a figure cannot be asked for like this, before a long comparison.
---@param comparison { bounds: string, replicas: integer } a comparison, or what is known of it beforehand
---@return string kind, string of
function M.check(comparison, path, options)
    gnuplot.split_path(path)
    check_options(options, with { log_x = true })
    local kind = choose("kind", options.kind or "cdf", { "cdf", "bars", "convergence" })
    return kind, measure_of(comparison, kind, options.of)
end

---@param comparison pinion.Comparison
---@param path string
---@param options pinion.PlotOptions
---@return boolean drawn
function M.draw(comparison, path, options)
    local kind, of = M.check(comparison, path, options)
    local title, log_x = optional(options, "title", check.text), optional(options, "log_x", check.boolean)
    if kind == "cdf" then return draw(path, title, distributions(comparison, { log_x = log_x })) end
    if kind == "bars" then return draw(path, title, bars(comparison, of)) end
    return draw(path, title, convergence(comparison, of))
end

-- ---- one result -------------------------------------------------------------------------------------------

---A result as a comparison of one policy.
---@param result pinion.Result
---@param path string
---@param options pinion.PlotOptions
---@return boolean drawn
function M.draw_result(result, path, options)
    local row = { policy = result.policy, relaxed = result.relaxed, result = result, counts = result:flow_time_counts() }
    for _, name in ipairs { "mean_flow_time", "efficiency_ratio", "efficiency_ratio_tight" } do row[name] = result[name] end
    return M.draw({ rows = { row }, replicas = 1, bounds = result.bounds }, path, options)
end

-- ---- a sweep ----------------------------------------------------------------------------------------------

local AXIS_LABELS = { machines = "machines", error = "error in sizes (factor)", warmup = "warm-up", until_slot = "last slot", seed = "seed",
                      reduce = "reduces", workload = "workload" }

-- What the option of a generator is, in its own words.
local function option_label(name)
    for _, kind in ipairs(check.sorted_keys(generators.kinds)) do
        for _, field in ipairs(generators.kinds[kind].fields) do
            if field.name == name then return string.format("%s (%s)", name, field.doc) end
        end
    end
    return name
end

local function axis_label(name)
    local prefix, option = name:match("^(%a+)%.(.+)$")
    if prefix == "workload" then return option_label(option) end
    return AXIS_LABELS[name] or option or name
end

local function find_axis(over, name)
    local names = {}
    for i, axis in ipairs(over) do
        if axis.name == name then return i, axis end
        names[i] = axis.name
    end
    fault.usage("plot: x: %s does not vary %s", check.show(name), suggest.hint(tostring(name), names))
end

-- Which rows are drawn: of every other axis one value, given by `where` or the only one there is.
local function read_where(over, x, where)
    if type(where) ~= "table" then fault.usage("plot: where must be a table of values by name, got %s", check.show(where)) end
    local chosen, names = {}, {}
    for i, axis in ipairs(over) do names[axis.name] = i end
    for _, name in ipairs(check.sorted_keys(where)) do
        if not names[name] then
            fault.usage("plot: where: %s does not vary %s", check.show(name), suggest.hint(tostring(name), check.sorted_keys(names)))
        end
        if names[name] == x then fault.usage("plot: where: %s is the axis of the figure", name) end
    end
    for i, axis in ipairs(over) do
        if i ~= x then
            local value = where[axis.name]
            for k, known in ipairs(axis.values) do
                if value == known or value == nil and #axis.values == 1 then chosen[i] = k end
            end
            if value ~= nil and not chosen[i] then fault.usage("plot: where: %s has no value %s", axis.name, check.show(value)) end
        end
    end
    return chosen
end

local function read_sweep_options(over, path, options)
    gnuplot.split_path(path)
    check_options(options, with { x = true, where = true, log_x = true, log_y = true })
    choose("kind", options.kind or "lines", { "lines" })
    local x, axis = find_axis(over, options.x or over[1].name)
    local numeric = true
    for _, value in ipairs(axis.values) do numeric = numeric and type(value) == "number" end
    local log_x = optional(options, "log_x", check.boolean)
    if log_x and not numeric then fault.usage("plot: log_x: the values of %s are no numbers", axis.name) end
    for _, value in ipairs(log_x and axis.values or {}) do
        if value <= 0 then fault.usage("plot: log_x: %s has values that are not positive", axis.name) end
    end
    return {
        x = x, axis = axis, numeric = numeric, where = read_where(over, x, options.where or {}), log_x = log_x,
        log_y = optional(options, "log_y", check.boolean), of = choose("of", options.of or "mean_flow_time", check.sorted_keys(LABELS)),
        title = optional(options, "title", check.text),
    }
end

---Raises what M.draw_sweep would raise about its options: before a long run.
---@param over pinion.Axis[]
---@param path string
---@param options table
function M.check_sweep(over, path, options)
    read_sweep_options(over, path, options)
end

-- A curve per policy, and per cell of what is neither the axis nor chosen.
local function sweep_curves(sweep, read)
    local curves, curve_of, look_of, looks = {}, {}, {}, 0
    for _, row in ipairs(sweep.rows) do
        local drawn, name = true, { label(row) }
        for i, axis in ipairs(sweep.over) do
            local chosen = read.where[i]
            drawn = drawn and (not chosen or chosen == row.cell[i])
            if i ~= read.x and not chosen then
                name[#name + 1] = string.format("%s %s", axis_label(axis.name):match("^[^ ]+"), axis.values[row.cell[i]])
            end
        end
        local title = table.concat(name, ", ")
        -- A policy looks the same in every figure of a sweep, also where the baseline has nothing to show.
        if drawn and not look_of[title] then
            looks = looks + 1
            look_of[title] = looks
        end
        if drawn and row[read.of] then
            local curve = curve_of[title]
            if not curve then
                curve = { title = title, look = look_of[title], points = {} }
                curves[#curves + 1], curve_of[title] = curve, curve
            end
            local x = read.numeric and row[read.axis.name] or row.cell[read.x]
            curve.points[#curve.points + 1] = { x, row[read.of], row[read.of .. "_half"] }
        end
    end
    for _, curve in ipairs(curves) do
        table.sort(curve.points, function(a, b) return a[1] < b[1] end)
    end
    return curves
end

---@param sweep pinion.Sweep
---@param path string
---@param options pinion.SweepPlotOptions
---@return boolean drawn
function M.draw_sweep(sweep, path, options)
    local read = read_sweep_options(sweep.over, path, options)
    local curves = sweep_curves(sweep, read)
    if #curves == 0 then fault.usage("plot: no policy has %s here, there is nothing to draw", read.of) end
    local names
    if not read.numeric then
        names = {}
        for i, value in ipairs(read.axis.values) do names[i] = tostring(value) end
    end
    return draw(path, read.title, figures.lines(curves, {
        x = axis_label(read.axis.name), y = LABELS[read.of], names = names, log_x = read.log_x, log_y = read.log_y,
    }))
end

return M
