-- Charts of a page: distributions, sizes against slowdowns, lines over a sweep, what happened over
-- time.

local columns = require "pinion.output.page.columns"
local figures = require "pinion.output.plot_figures"
local metrics = require "pinion.run.metrics"
local models = require "pinion.models"
local parts = require "pinion.output.parts"

local M = {}

local pack = columns.pack

-- Where a linear axis would show the largest values and nothing else.
local WIDE = 100

local function series(name, points)
    local x, y = {}, {}
    for i, point in ipairs(points) do x[i], y[i] = point[1], point[2] end
    return { name = name, x = pack(x), y = pack(y) }
end

-- ---- distributions ------------------------------------------------------------------------------

-- Of the axis, on both sides of a distribution.
local MARGIN = 0.05

-- Makes a distribution function, which rises from 0 and stays at 1.
local function distribution(rows, sample)
    local made, low, high, curves = {}, math.huge, 0, {}
    for i, row in ipairs(rows) do
        curves[i] = figures.curve(row.pooled and row.pooled[sample.name] or {})
        local points = curves[i]
        if points[1] then
            low, high = math.min(low, points[1][1]), math.max(high, points[#points][1])
        end
    end
    for i, row in ipairs(rows) do
        local points = curves[i]
        if points[1] then
            table.insert(points, 1, { points[1][1], 0.0 })
            table.insert(points, 1, { low * (1 - MARGIN), 0.0 })
            points[#points + 1] = { high > 0 and high * (1 + MARGIN) or 1.0, 1.0 }
            made[#made + 1] = series(parts.label(row), points)
            made[#made].look = i - 1
        end
    end
    return #made > 0 and {
        step = true, series = made,
        x = { label = sample.label, log = low > 0 and high > WIDE * low, may_log = low > 0 },
        y = { label = "fraction of jobs" },
    } or nil
end

---Makes distribution functions of the samples.
---@param model pinion.Model
---@param rows table[] with `pooled`
---@return table|nil section
function M.distributions(model, rows)
    local charts = {}
    for _, sample in ipairs(model.results.samples) do
        local chart = distribution(rows, sample)
        if chart then charts[#charts + 1] = { name = sample.label, chart = chart } end
    end
    if #charts == 0 then return nil end
    return { kind = "charts", id = "distributions", heading = "Distributions", charts = charts,
        notes = { "The fraction of jobs with at most this value. Drag to zoom; double-click to "
            .. "show all." } }
end

-- ---- sizes against slowdowns --------------------------------------------------------------------

local function slowdown_points(run, opened)
    local points, of = {}, metrics.slowdown(run.result, run.settings)
    metrics.each_job(run.result, opened, function(job)
        local alone, slowdown = of(job)
        if alone then points[#points + 1] = { alone, slowdown } end
    end)
    return points
end

---Returns the slowdown of each job over the time that it takes alone.
---@param runs pinion.PageRun[] on the same jobs
---@param opened pinion.Opened these
---@return table|nil section
function M.slowdowns(runs, opened)
    local made = {}
    for i, run in ipairs(runs) do
        local points = run.result.rows and slowdown_points(run, opened) or {}
        if #points > 0 then
            made[#made + 1] = series(run.label, points)
            made[#made].look = i - 1
        end
    end
    if #made == 0 then return nil end
    return { kind = "charts", id = "slowdowns", heading = "Size and slowdown",
        notes = { "One point per finished job. Slowdown: its time divided by its time alone." },
        charts = { { name = "slowdown", chart = { points = true, series = made,
            x = { label = "time alone", log = true, may_log = true },
            y = { label = "slowdown", log = true, may_log = true } } } } }
end

-- ---- a sweep ------------------------------------------------------------------------------------

-- Returns the values of all other axes, as part of a curve's name.
local function rest_of(sweep, row, axis)
    local rest = {}
    for _, other in ipairs(sweep.over) do
        if other ~= axis and #other.values > 1 and row[other.name] ~= nil then
            rest[#rest + 1] = string.format("%s %s", other.name, row[other.name])
        end
    end
    return #rest > 0 and ", " .. table.concat(rest, ", ") or ""
end

local function are_numbers(values)
    for _, value in ipairs(values) do
        if type(value) ~= "number" then return false end
    end
    return true
end

local function curves_over(sweep, axis, measure)
    local place, curves, order = {}, {}, {}
    local numeric = are_numbers(axis.values)
    for i, value in ipairs(axis.values) do place[value] = numeric and value or i end
    for _, row in ipairs(sweep.rows) do
        local name = parts.label(row) .. rest_of(sweep, row, axis)
        if not curves[name] then
            curves[name] = { x = {}, y = {}, low = {}, high = {} }
            order[#order + 1] = name
        end
        local curve, value = curves[name], row[measure.name]
        local half = row[measure.name .. "_half"]
        -- A policy without the parameter is the same everywhere.
        for _, of in ipairs(row[axis.name] ~= nil and { row[axis.name] } or axis.values) do
            local at = #curve.x + 1
            curve.x[at], curve.y[at] = place[of], value or false
            curve.low[at] = value and half and value - half or false
            curve.high[at] = value and half and value + half or false
        end
    end
    return curves, order, numeric
end

local function is_known(list)
    for _, value in ipairs(list) do
        if value then return true end
    end
    return false
end

-- Sorts points from left to right.
local function sort_curve(curve)
    local order = {}
    for i in ipairs(curve.x) do order[i] = i end
    table.sort(order, function(a, b) return curve.x[a] < curve.x[b] end)
    for _, name in ipairs { "x", "y", "low", "high" } do
        local sorted = {}
        for i, from in ipairs(order) do sorted[i] = curve[name][from] end
        curve[name] = sorted
    end
end

local function swept(sweep, axis, measure)
    local curves, order, numeric = curves_over(sweep, axis, measure)
    local made, any, positive, bands = {}, false, true, false
    for i, name in ipairs(order) do
        local curve = curves[name]
        sort_curve(curve)
        any, bands = any or is_known(curve.y), bands or is_known(curve.low)
        for k, value in ipairs(curve.y) do
            positive = positive and (not value or (curve.low[k] or value) > 0)
        end
        made[i] = { name = name, x = pack(curve.x), y = pack(curve.y) }
        if is_known(curve.low) then
            made[i].low, made[i].high = pack(curve.low), pack(curve.high)
        end
    end
    if not any then return nil end
    local names
    if not numeric then
        names = {}
        for i, value in ipairs(axis.values) do names[i] = tostring(value) end
    end
    local positive_x = numeric and axis.values[1] > 0
    for _, value in ipairs(numeric and axis.values or {}) do
        positive_x = positive_x and value > 0
    end
    return { series = made, x = { label = axis.name, names = names, may_log = positive_x or nil },
        y = { label = measure.label, may_log = positive or nil } },
        bands
end

---Returns the measures over each axis of a sweep.
---@param sweep pinion.Sweep
---@return table|nil section
function M.sweep(sweep)
    local charts, has_bands = {}, false
    local model = models.of(sweep)
    for _, axis in ipairs(sweep.over) do
        for _, measure in ipairs(#axis.values > 1 and parts.measures(model) or {}) do
            local chart, bands = swept(sweep, axis, measure)
            if chart then
                charts[#charts + 1] = { chart = chart,
                    name = string.format("%s over %s", chart.y.label, axis.name) }
                has_bands = has_bands or bands
            end
        end
    end
    if #charts == 0 then return nil end
    return { kind = "charts", id = "sweep", heading = "Over the sweep", charts = charts,
        notes = { has_bands and "Bands: 95 % intervals of the means over replicas." or nil } }
end

-- ---- tuning -------------------------------------------------------------------------------------

-- Returns the chart of the configurations along a parameter.
local function response(made, axis)
    local tried, best, names, place = {}, {}, nil, {}
    if axis.values and not are_numbers(axis.values) then
        names = {}
        for i, value in ipairs(axis.values) do names[i], place[value] = tostring(value), i end
    end
    for i, one in ipairs(made.configurations) do
        local value = one.values[axis.name]
        if value ~= nil and one.difference then
            local into = i == 1 and best or tried
            into[#into + 1] = { place[value] or value, one.difference }
        end
    end
    if #tried + #best == 0 then return nil end
    return { points = true, series = { series("tried", tried), series("best", best) },
        x = { label = axis.name, names = names, log = axis.log, may_log = axis.log },
        y = { label = made.goal .. " minus the best one's" } }
end

---Returns charts of the goal along each tuned parameter.
---@param made pinion.Tune
---@return table|nil section
function M.responses(made)
    local list = {}
    for _, axis in ipairs(made.over) do
        local chart = response(made, axis)
        if chart then
            list[#list + 1] = { chart = chart,
                name = string.format("%s over %s", made.goal, axis.name) }
        end
    end
    if #list == 0 then return nil end
    return { kind = "charts", id = "responses", heading = "Along each parameter", charts = list,
        notes = { "One point per configuration: the mean difference to the best one, over the "
            .. "seeds that it had. Those that dropped out early had few." } }
end

-- ---- over time ----------------------------------------------------------------------------------

---@param made pinion.Timeline
---@return table section
function M.timeline(made)
    local charts = {}
    local width = (made.to - made.from) / made.count
    local x = {}
    for i = 0, made.count do x[i + 1] = (made.from + i * width) / made.unit end
    for _, name in ipairs(made.names) do
        local list = {}
        for i, run in ipairs(made.runs) do
            local means = run.series[name]
            if means then
                local y = table.move(means, 1, #means, 1, {})
                y[#y + 1] = y[#y] -- a step ends where the next would begin
                list[#list + 1] = { name = run.policy, x = pack(x), y = pack(y), look = i - 1 }
            end
        end
        charts[#charts + 1] = { name = name, chart = { step = true, series = list,
            x = { label = made.axis }, y = { label = name } } }
    end
    return { kind = "charts", id = "timeline", heading = "Over time", charts = charts,
        notes = { string.format("Means over %d intervals of equal length.", made.count) } }
end

return M
