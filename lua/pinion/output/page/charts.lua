-- Charts of a page: distributions, sizes against slowdowns, configurations that were tuned, what
-- happened over time.

local columns = require "pinion.output.page.columns"
local figures = require "pinion.output.plot_figures"
local metrics = require "pinion.run.metrics"
local models = require "pinion.models"
local parts = require "pinion.output.parts"
local units = require "pinion.output.units"

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
local function distribution(rows, sample, most)
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
    local label, size = units.axis(sample.label, most)
    return #made > 0 and {
        step = true, series = made,
        x = { label = label, scale = size, log = low > 0 and high > WIDE * low, may_log = low > 0 },
        y = { label = "fraction of jobs" },
    } or nil
end

---Makes distribution functions of the samples.
---@param model pinion.Model
---@param rows table[] with `pooled`
---@param most number ms, which give the unit
---@return table|nil section
function M.distributions(model, rows, most)
    local charts = {}
    for _, sample in ipairs(model.results.samples) do
        local chart = distribution(rows, sample, most)
        if chart then charts[#charts + 1] = { key = { chart.x.label }, chart = chart } end
    end
    if #charts == 0 then return nil end
    return { kind = "charts", id = "distributions", heading = "Distributions",
        selects = { "show" }, charts = charts,
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
---@param model pinion.Model
---@param most number ms, which give the unit
---@return table|nil section
function M.slowdowns(runs, opened, model, most)
    local made = {}
    for i, run in ipairs(runs) do
        local points = run.result.rows and slowdown_points(run, opened) or {}
        if #points > 0 then
            made[#made + 1] = series(run.label, points)
            made[#made].look = i - 1
        end
    end
    if #made == 0 then return nil end
    local unit = model.settings.unit
    local label, size = units.axis("time alone" .. (unit ~= "time" and " (" .. unit .. ")" or ""),
        most)
    return { kind = "charts", id = "slowdowns", heading = "Size and slowdown",
        notes = { "One point per finished job. Slowdown: its time divided by its time alone." },
        charts = { { chart = { points = true, series = made,
            x = { label = label, scale = size, log = true, may_log = true },
            y = { label = "slowdown", log = true, may_log = true } } } } }
end

-- ---- tuning -------------------------------------------------------------------------------------

-- Returns the chart of the configurations along a parameter.
local function response(made, axis, goal, size)
    local tried, best, names, place = {}, {}, nil, {}
    if axis.values and not parts.are_numbers(axis.values) then
        names = {}
        for i, value in ipairs(axis.values) do names[i], place[value] = tostring(value), i end
    end
    for i, one in ipairs(made.configurations) do
        local value = one.values[axis.name]
        if value ~= nil and one.difference then
            local into = i == 1 and best or tried
            into[#into + 1] = { place[value] or value, one.difference / size }
        end
    end
    if #tried + #best == 0 then return nil end
    return { points = true, series = { series("tried", tried), series("best", best) },
        x = { label = axis.name, names = names, log = axis.log, may_log = axis.log },
        y = { label = goal } }
end

---Returns charts of the goal along each tuned parameter.
---@param made pinion.Tune
---@param most number ms, which give the unit
---@return table|nil section
function M.responses(made, most)
    local list, label = {}, not made.relative and parts.labels(models.of(made))[made.goal]
    local shown, size = units.axis(label or made.goal, most)
    local quantity, unit = shown:match "^(.*)( %b())$"
    local goal = (quantity or shown) .. " minus the best one's" .. (unit or "")
    for _, axis in ipairs(made.over) do
        local chart = response(made, axis, goal, size)
        if chart then
            list[#list + 1] = { chart = chart, key = { axis.name } }
        end
    end
    if #list == 0 then return nil end
    return { kind = "charts", id = "responses", heading = "Along each parameter",
        selects = { "over" }, charts = list,
        notes = { "One point per configuration: the mean difference to the best one, over the "
            .. "seeds that it had. Those that dropped out early had few." } }
end

-- ---- over time ----------------------------------------------------------------------------------

---@param made pinion.Timeline
---@param clock pinion.Clock
---@param names string[]|nil of the runs, where these are not those of their policies
---@return table section
function M.timeline(made, clock, names)
    local charts = {}
    local width = (made.to - made.from) / made.count
    local x = {}
    for i = 0, made.count do x[i + 1] = (made.from + i * width) / clock.unit end
    for k, name in ipairs(made.names) do
        local list = {}
        for i, run in ipairs(made.runs) do
            local means = run.series[name]
            if means then
                local y = table.move(means, 1, #means, 1, {})
                y[#y + 1] = y[#y] -- a step ends where the next would begin
                list[#list + 1] = { name = names and names[i] or run.policy, x = pack(x),
                    y = pack(y), look = i - 1 }
            end
        end
        charts[#charts + 1] = { key = { made.titles[k] }, chart = { step = true, series = list,
            x = { label = clock.axis }, y = { label = made.titles[k] } } }
    end
    return { kind = "charts", id = "timeline", heading = "Over time", selects = { "show" },
        charts = charts,
        notes = { string.format("Means over %d intervals of equal length.", made.count) } }
end

return M
