-- What a page shows of a sweep: lines over each setting, and maps of two.

local answer = require "pinion.output.page.answer"
local cells = require "pinion.output.cells"
local columns = require "pinion.output.page.columns"
local models = require "pinion.models"
local parts = require "pinion.output.parts"
local units = require "pinion.output.units"

local M = {}

local pack = columns.pack

local PANELS_MOST = 12 -- side by side; a setting with more values is chosen from a list

-- Returns the axes beside this one that have several values, and the values of the others.
local function others_of(sweep, axis)
    local others, fixed = {}, {}
    for _, other in ipairs(sweep.over) do
        if other ~= axis and #other.values > 1 then
            others[#others + 1] = other
        elseif other ~= axis then
            fixed[other.name] = other.values[1]
        end
    end
    return others, fixed
end

-- ---- lines --------------------------------------------------------------------------------------

-- Returns the curve of a policy along an axis, in the order of its values.
local function curve_along(index, policy, at, axis, measure)
    local numeric, curve = parts.are_numbers(axis.values), { x = {}, y = {}, low = {}, high = {} }
    for i, value in ipairs(axis.values) do
        local row = index:find(policy, cells.with(at, axis, value)) or {}
        local y, half = row[measure.name], row[measure.name .. "_half"]
        curve.x[i], curve.y[i] = numeric and value or i, y or false
        curve.low[i] = y and half and y - half or false
        curve.high[i] = y and half and y + half or false
    end
    return curve
end

local function is_known(list)
    for _, value in ipairs(list) do
        if value then return true end
    end
    return false
end

-- Returns the packed series of a panel, and widens the range of what is drawn.
local function series_of(index, at, axis, measure, range)
    local series = {}
    for i, policy in ipairs(index.policies) do
        local curve = curve_along(index, policy, at, axis, measure)
        series[i] = { name = index.shown[policy], look = i - 1, x = pack(curve.x),
            y = pack(curve.y) }
        if is_known(curve.low) then
            series[i].low, series[i].high = pack(curve.low), pack(curve.high)
            range.bands = true
        end
        for k, y in ipairs(curve.y) do
            if y then
                range.low = math.min(range.low, curve.low[k] or y)
                range.high = math.max(range.high, curve.high[k] or y)
            end
        end
    end
    return series
end

-- Makes a chart of a measure along an axis: a panel for each value of a second setting.
local function chart_of(index, at, axis, facet, measure, most)
    local range, panels = { low = math.huge, high = -math.huge }, {}
    for i, cell in ipairs(cells.combinations(index.model, { facet }, at)) do
        panels[i] = { title = cell.name,
            series = series_of(index, cell.at, axis, measure, range) }
    end
    if range.high < range.low then return nil end
    local numeric = parts.are_numbers(axis.values)
    local positive_x = numeric
    for _, value in ipairs(numeric and axis.values or {}) do
        positive_x = positive_x and value > 0
    end
    local label, size = units.axis(measure.label, most)
    return { panels = panels, bands = range.bands,
        x = { label = cells.label(index.model, axis.name),
            names = not numeric and parts.written(axis.values) or nil,
            may_log = positive_x or nil },
        y = { label = label, scale = size, may_log = range.low > 0 or nil,
            from = math.min(0, range.low), to = math.max(0, range.high) } }
end

---Returns the measures over each axis of a sweep: a second setting that varies makes panels, the
---reader chooses the values of further ones.
---@param sweep pinion.Sweep
---@param most number ms, which give the unit
---@return table|nil section
function M.lines(sweep, most)
    local charts, has_bands = {}, false
    local index, measures = cells.index(sweep),
        answer.measures(models.of(sweep), sweep.rows)
    for _, axis in ipairs((others_of(sweep))) do
        local others, fixed = others_of(sweep, axis)
        local facet = others[1] and #others[1].values <= PANELS_MOST and table.remove(others, 1)
            or nil
        for _, cell in ipairs(cells.combinations(index.model, others, fixed)) do
            for _, measure in ipairs(measures) do
                local chart = chart_of(index, cell.at, axis, facet, measure, most)
                if chart then
                    charts[#charts + 1] = { chart = chart,
                        key = { chart.y.label, cells.short_label(index.model, axis.name),
                            cell.name or "" } }
                    has_bands = has_bands or chart.bands
                end
            end
        end
    end
    if #charts == 0 then return nil end
    return { kind = "charts", id = "sweep", heading = "Over the sweep",
        selects = { "show", "over", "where" }, charts = charts,
        notes = { has_bands and "Bands: 95 % intervals of the means over replicas." or nil } }
end

-- ---- maps ---------------------------------------------------------------------------------------

---Returns maps of the measures over the first two settings that vary, one for each policy.
---@param sweep pinion.Sweep
---@param most number ms, which give the unit
---@return table|nil section
function M.maps(sweep, most)
    local others, fixed = others_of(sweep)
    local across, down = table.remove(others, 1), table.remove(others, 1)
    if not down then return nil end
    local index, charts = cells.index(sweep), {}
    local measures = answer.measures(index.model, sweep.rows)
    local x = cells.short_label(index.model, across.name)
    local y = cells.short_label(index.model, down.name)
    for _, cell in ipairs(cells.combinations(index.model, others, fixed)) do
        for _, measure in ipairs(measures) do
            local label, size = units.axis(measure.label, most)
            for _, policy in ipairs(index.policies) do
                local map = answer.map(down.values, across.values, size, function(i, k)
                    local at = cells.with(cell.at, down, down.values[i])
                    local row = index:find(policy, cells.with(at, across, across.values[k]))
                    return row and row[measure.name]
                end)
                if map then
                    map.key = { label, index.shown[policy], cell.name or "" }
                    map.corner = y .. " \\ " .. x
                    charts[#charts + 1] = map
                end
            end
        end
    end
    return { kind = "maps", id = "map", heading = "Map", charts = charts,
        selects = { "show", "of", "where" },
        notes = { string.format("Rows: %s; columns: %s. Darker cells have larger values.", y, x) } }
end

return M
