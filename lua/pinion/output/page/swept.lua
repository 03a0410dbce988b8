-- What a page shows of a sweep: lines over each setting, and maps of two.

local answer = require "pinion.output.page.answer"
local columns = require "pinion.output.page.columns"
local models = require "pinion.models"
local parts = require "pinion.output.parts"
local text = require "pinion.base.text"
local units = require "pinion.output.units"

local M = {}

local pack = columns.pack

-- ---- cells --------------------------------------------------------------------------------------

-- Returns the axes beside this one that have several values.
local function others_of(sweep, axis)
    local others = {}
    for _, other in ipairs(sweep.over) do
        if other ~= axis and #other.values > 1 then others[#others + 1] = other end
    end
    return others
end

-- Returns whether a row belongs to a value of an axis: one without the parameter to all.
local function has(row, axis, value)
    return row[axis.name] == nil or row[axis.name] == value
end

-- Returns all combinations of the values of axes, each with what it is called.
local function cells_of(axes)
    local cells = { { values = {}, name = "" } }
    for _, axis in ipairs(axes) do
        local longer = {}
        for _, cell in ipairs(cells) do
            for _, value in ipairs(axis.values) do
                local values = table.move(cell.values, 1, #cell.values, 1, {})
                values[#values + 1] = value
                longer[#longer + 1] = { values = values, name = cell.name
                    .. (cell.name ~= "" and ", " or "") .. axis.name .. " " .. tostring(value) }
            end
        end
        cells = longer
    end
    return cells
end

local function rows_in(rows, axes, cell)
    local found = {}
    for _, row in ipairs(rows) do
        local is_in = true
        for i, axis in ipairs(axes) do is_in = is_in and has(row, axis, cell.values[i]) end
        if is_in then found[#found + 1] = row end
    end
    return found
end

-- Returns the policies of a sweep, in the order in which they came: the index gives the colour.
local function policies_of(sweep)
    local policies, seen = {}, {}
    for _, row in ipairs(sweep.rows) do
        local name = parts.label(row)
        if not seen[name] then
            seen[name] = true
            policies[#policies + 1] = name
        end
    end
    return policies
end

-- ---- lines --------------------------------------------------------------------------------------

-- Returns the curve of a policy along an axis, in the order of its values.
local function curve_along(rows, policy, axis, measure)
    local numeric, curve = parts.are_numbers(axis.values), { x = {}, y = {}, low = {}, high = {} }
    for i, at in ipairs(axis.values) do
        for _, row in ipairs(rows) do
            if parts.label(row) == policy and has(row, axis, at) then
                local value, half = row[measure.name], row[measure.name .. "_half"]
                local k = #curve.x + 1
                curve.x[k], curve.y[k] = numeric and at or i, value or false
                curve.low[k] = value and half and value - half or false
                curve.high[k] = value and half and value + half or false
            end
        end
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
local function panel_of(rows, policies, axis, measure, range)
    local series = {}
    for i, policy in ipairs(policies) do
        local curve = curve_along(rows, policy, axis, measure)
        series[i] = { name = policy, look = i - 1, x = pack(curve.x), y = pack(curve.y) }
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
local function swept(sweep, rows, axis, facet, measure, most)
    local range, panels, policies = { low = math.huge, high = -math.huge }, {}, policies_of(sweep)
    for i, cell in ipairs(cells_of { facet }) do
        panels[i] = { title = cell.name ~= "" and cell.name or nil,
            series = panel_of(rows_in(rows, { facet }, cell), policies, axis, measure, range) }
    end
    if range.high < range.low then return nil end
    local numeric, positive = parts.are_numbers(axis.values), range.low > 0
    local positive_x = numeric
    for _, value in ipairs(numeric and axis.values or {}) do
        positive_x = positive_x and value > 0
    end
    local label, size = units.axis(measure.label, most)
    return { panels = panels, bands = range.bands,
        x = { label = axis.name, names = not numeric and parts.written(axis.values) or nil,
            may_log = positive_x or nil },
        y = { label = label, scale = size, may_log = positive or nil,
            from = math.min(0, range.low), to = math.max(0, range.high) } }
end

---Returns the measures over each axis of a sweep: a second setting that varies makes panels, the
---reader chooses the values of further ones.
---@param sweep pinion.Sweep
---@param most number ms, which give the unit
---@return table|nil section
function M.lines(sweep, most)
    local charts, has_bands = {}, false
    local model = models.of(sweep)
    for _, axis in ipairs(others_of(sweep)) do
        local others = others_of(sweep, axis)
        local facet = table.remove(others, 1)
        for _, cell in ipairs(cells_of(others)) do
            local rows = rows_in(sweep.rows, others, cell)
            for _, measure in ipairs(answer.measures(model, sweep.rows)) do
                local chart = swept(sweep, rows, axis, facet, measure, most)
                if chart then
                    charts[#charts + 1] = { chart = chart,
                        key = { chart.y.label, axis.name, cell.name } }
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

-- Returns the map of a policy: rows of the second axis, columns of the first.
local function map_of(rows, policy, across, down, measure, size)
    local values, texts = {}, {}
    for i, y in ipairs(down.values) do
        values[i], texts[i] = {}, {}
        for k, x in ipairs(across.values) do
            local value
            for _, row in ipairs(rows) do
                if parts.label(row) == policy and has(row, across, x) and has(row, down, y) then
                    value = row[measure.name]
                end
            end
            values[i][k] = value and value / size or false
            texts[i][k] = value and text.real(value / size, 3) or "–"
        end
    end
    return values, texts
end

---Returns maps of the measures over the first two settings that vary, one for each policy.
---@param sweep pinion.Sweep
---@param most number ms, which give the unit
---@return table|nil section
function M.maps(sweep, most)
    local others = others_of(sweep)
    local across, down = table.remove(others, 1), table.remove(others, 1)
    if not down then return nil end
    local model, charts = models.of(sweep), {}
    for _, cell in ipairs(cells_of(others)) do
        local rows = rows_in(sweep.rows, others, cell)
        for _, measure in ipairs(answer.measures(model, sweep.rows)) do
            local label, size = units.axis(measure.label, most)
            for _, policy in ipairs(policies_of(sweep)) do
                local values, texts = map_of(rows, policy, across, down, measure, size)
                charts[#charts + 1] = { key = { label, policy, cell.name },
                    rows = parts.written(down.values), columns = parts.written(across.values),
                    values = values, texts = texts,
                    corner = down.name .. " \\ " .. across.name }
            end
        end
    end
    return { kind = "maps", id = "map", heading = "Map", charts = charts,
        selects = { "show", "of", "where" },
        notes = { string.format("Rows: %s; columns: %s. Darker cells have larger values.",
            down.name, across.name) } }
end

return M
