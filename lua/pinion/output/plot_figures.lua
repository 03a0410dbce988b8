-- What figures look like: gnuplot scripts and their data, made of plain curves. Curves differ in
-- colour, in dashes and in the shape of their marks, so that a print without colours still tells
-- them apart.

local check = require "pinion.base.check"
local gnuplot = require "pinion.output.gnuplot"
local palette = require "pinion.output.palette"
local statistics = require "pinion.base.statistics"

local M = {}

-- Of a curve, its start at 0 not counted.
local POINTS_MAX = 399

local COLOURS = palette.LINES
local DASHES = { "solid", "(14,6)", "(3,5)", "(14,5,3,5)", "(14,5,3,5,3,5)" }
local MARKS = { 7, 5, 9, 13, 6, 4, 8, 12 }

---@class pinion.Curve
---@field title string
---@field look integer|nil which colour, dashes and marks; default: its place among the curves
---@field points { [1]: number, [2]: number, [3]: number|nil }[] x, y and the half width of y's interval

local number = check.float_text

local function look(i, with_marks)
    local dash = DASHES[(i - 1) % #DASHES + 1]
    local style = string.format("linewidth 2 linecolor rgb '%s' dashtype %s",
        COLOURS[(i - 1) % #COLOURS + 1], dash)
    if with_marks then
        style = style .. string.format(" pointtype %d pointsize 1.1", MARKS[(i - 1) % #MARKS + 1])
    end
    return style
end

M.look = look

local function marks(i)
    return string.format(
        "linewidth 1.5 linecolor rgb '%s' dashtype solid pointtype %d pointsize 1.1",
        COLOURS[(i - 1) % #COLOURS + 1],
        MARKS[(i - 1) % #MARKS + 1])
end

-- Adds entries of the key for curves that are drawn in several passes.
local function key_entry(i, title)
    return string.format("NaN with linespoints %s title %s", look(i, true), gnuplot.quote(title))
end

local function block(title, points)
    local lines = { "# " .. gnuplot.cell(title) }
    for k, point in ipairs(points) do
        local cells = {}
        for c = 1, 3 do cells[c] = point[c] and number(point[c]) or c == 3 and "NaN" or "?" end
        lines[k + 1] = table.concat(cells, "\t")
    end
    -- Gnuplot counts blocks by their lines: one without any would shift the others.
    if #points == 0 then lines[2] = "NaN\tNaN\tNaN" end
    return table.concat(lines, "\n") .. "\n"
end

local function join(script, plots)
    script[#script + 1] = "plot " .. table.concat(plots, ", \\\n     ") .. "\n"
    return table.concat(script, "\n")
end

-- ---- distribution functions ---------------------------------------------------------------------

---Returns points of a distribution function: at most POINTS_MAX, close together where the curve
---rises and spread over the tail.
---@param counts table<number, number>
---@return number[][] points { value, fraction of samples <= value }
function M.curve(counts)
    local values, total = statistics.sorted_values(counts)
    local points = {}
    if #values == 0 then return points end
    -- Of jobs without work the values may be 0, which no logarithmic axis shows.
    local least = values[1] > 0 and values[1] or values[2] or 1
    local span = math.log(math.max(values[#values], least) / least)
    local steps, below = POINTS_MAX // 2 - 2, 0
    local last_fraction, last_value = -1, least
    for i, value in ipairs(values) do
        below = below + counts[value]
        local fraction = below / total
        local risen = fraction - last_fraction >= 1 / steps
        local moved = span > 0 and math.log(value / last_value) >= span / steps
        if #values <= POINTS_MAX or risen or moved or i == #values then
            points[#points + 1] = { value, fraction }
            last_fraction, last_value = fraction, value
        end
    end
    return points
end

-- Marks at even heights, shifted from curve to curve so that they do not hide each other.
local function marks_of(points, i, curves)
    local placed, at = {}, (i - 0.5) / curves / 5
    for _, point in ipairs(points) do
        if point[2] >= at then
            placed[#placed + 1] = point
            while at <= point[2] do at = at + 0.2 end
        end
    end
    return placed
end

---@param curves pinion.Curve[] from M.curve
---@param label string of the axis of values
---@param logarithmic boolean|nil nil: where a linear axis would show the tail and nothing else
---@return string script, string content
function M.distributions(curves, label, logarithmic)
    local low, high = math.huge, 0
    for _, curve in ipairs(curves) do
        local points = curve.points
        if points[1] then
            local first = points[1][1] > 0 and points[1] or points[2] or points[1]
            low, high = math.min(low, first[1]), math.max(high, points[#points][1])
        end
    end
    if low <= 0 then logarithmic = false end
    if logarithmic == nil then logarithmic = high / low > 100 end
    local from, to = 0, high * 1.05
    if logarithmic then from, to = low / 1.1, high * 1.1 end
    if to <= from then to = from + 1.0 end -- waiting times may all be 0
    local blocks, lines, dots, keys = {}, {}, {}, {}
    for i, curve in ipairs(curves) do
        local points = table.move(curve.points, 1, #curve.points, 2, {})
        if curve.points[1] then
            -- A distribution function rises from 0 and stays at 1.
            points[1] = { curve.points[1][1], 0.0 }
            points[#points + 1] = { to, 1.0 }
        end
        blocks[2 * i - 1] = block(curve.title, points)
        blocks[2 * i] = block(curve.title .. ", marks", marks_of(curve.points, i, #curves))
        lines[i] = string.format("%s index %d using 1:2 with steps %s notitle", "data", 2 * i - 2,
            look(curve.look or i))
        dots[i] = string.format("%s index %d using 1:2 with points %s notitle", "data", 2 * i - 1,
            marks(curve.look or i))
        keys[i] = key_entry(curve.look or i, curve.title)
    end
    local script = {
        "set xlabel " .. gnuplot.quote(label), "set ylabel 'fraction of jobs'", "set yrange [0:1]",
        "set key outside right center reverse Left",
        string.format("set xrange [%s:%s]", number(from), number(to)),
    }
    if logarithmic then script[#script + 1] = "set logscale x" end
    table.move(dots, 1, #dots, #lines + 1, lines)
    table.move(keys, 1, #keys, #lines + 1, lines)
    return join(script, lines), table.concat(blocks, "\n\n")
end

-- ---- bars ---------------------------------------------------------------------------------------

-- About as many letters as fit under the bars side by side.
local LETTERS_MOST = 75

local function titles_collide(bars)
    for i = 2, #bars do
        if (#bars[i - 1].title + #bars[i].title) / 2 + 1 > LETTERS_MOST / #bars then return true end
    end
    return false
end

---@param bars { title: string, value: number|nil, half: number|nil }[]
---@param label string of the axis
---@return string script, string content
function M.bars(bars, label)
    local lines, tics, has_half, highest = {}, {}, false, 0.0
    for i, bar in ipairs(bars) do
        has_half = has_half or bar.half ~= nil
        highest = math.max(highest, (bar.value or 0.0) + (bar.half or 0.0))
        tics[i] = string.format("%s %d", gnuplot.quote(bar.title), i)
        lines[i] = string.format("%d\t%s\t%s\t%d\t%s", i,
            bar.value and number(bar.value) or "?", number(bar.half or 0.0),
            tonumber(COLOURS[(i - 1) % #COLOURS + 1]:sub(2), 16), gnuplot.cell(bar.title))
    end
    local script = {
        "set ylabel " .. gnuplot.quote(label), highest > 0 and "set yrange [0:*]"
            or "set yrange [0:1]", "unset key", "set style fill solid 1 border rgb '#404040'",
        "set boxwidth 0.6", string.format("set xrange [0.4:%d.6]", #lines), "set grid noxtics",
        "set xtics (" .. table.concat(tics, ", ") .. ")",
    }
    if titles_collide(bars) then script[#script + 1] = "set xtics rotate by 35 right" end
    local columns, boxes = "1:2:4", "boxes"
    if has_half then
        script[#script + 1] = "set errorbars linecolor rgb '#202020' linewidth 1.5"
        columns, boxes = "1:2:3:(0.6):4", "boxerrorbars"
    end
    local plot = string.format("%s using %s with %s linecolor rgb variable", "data",
        columns, boxes)
    return join(script, { plot }), table.concat(lines, "\n") .. "\n"
end

-- ---- lines --------------------------------------------------------------------------------------

-- Returns a little more room on both sides, so that no mark is on the frame.
local function padded(low, high, logarithmic)
    if logarithmic then
        local factor = math.max((high / low) ^ 0.04, 1.05)
        return low / factor, high * factor
    end
    local room = high > low and 0.04 * (high - low) or math.max(0.5, 0.04 * math.abs(high))
    return low - room, high + room
end

local function x_axis(curves, names, logarithmic)
    local low, high = math.huge, -math.huge
    for _, curve in ipairs(curves) do
        for _, point in ipairs(curve.points) do
            low, high = math.min(low, point[1]), math.max(high, point[1])
        end
    end
    local from, to = padded(low, high, logarithmic)
    local script = { string.format("set xrange [%s:%s]", number(from), number(to)) }
    if logarithmic then script[2] = "set logscale x" end
    if names then
        local tics, letters = {}, 0
        for i, name in ipairs(names) do
            tics[i] = string.format("%s %d", gnuplot.quote(name), i)
            letters = letters + #name + 2
        end
        script[#script + 1] = "set xtics (" .. table.concat(tics, ", ") .. ")"
        -- The key takes its part of the width.
        if letters > LETTERS_MOST / 2 then script[#script + 1] = "set xtics rotate by 35 right" end
    end
    return script, from, to
end

-- Shifts intervals beside each other rather than on top of each other: by a part of the axis, in
-- the drawing only.
local function shifted(from, to, part, logarithmic)
    if logarithmic then return string.format("($1 * %s)", number((to / from) ^ part)) end
    return string.format("($1 + %s)", number((to - from) * part))
end

---Draws lines over a parameter, with the intervals of the points.
---@param curves pinion.Curve[]
---@param axes { x: string, y: string, names: string[]|nil, log_x: boolean|nil, log_y: boolean|nil } labels; names: of values that are no numbers
---@return string script, string content
function M.lines(curves, axes)
    local blocks, lines, bars, dots, keys = {}, {}, {}, {}, {}
    local signed, has_half = false, false
    for _, curve in ipairs(curves) do
        for _, point in ipairs(curve.points) do
            signed = signed or point[2] < 0
            has_half = has_half or point[3] ~= nil
        end
    end
    local script, from, to = x_axis(curves, axes.names, axes.log_x)
    for i, curve in ipairs(curves) do
        local x = has_half and shifted(from, to, (i - (#curves + 1) / 2) * 0.006, axes.log_x) or "1"
        blocks[i] = block(curve.title, curve.points)
        lines[i] = string.format("%s index %d using %s:2 with lines %s notitle", "data", i - 1, x,
            look(curve.look or i))
        dots[i] = string.format("%s index %d using %s:2 with points %s notitle", "data", i - 1, x,
            marks(curve.look or i))
        if has_half then
            -- Marks too small to be seen: those of error bars would wipe out what lies beneath. Not
            -- of size 0, which becomes a "scale(0.00)" that some readers of SVG refuse.
            bars[#bars + 1] =
                string.format("%s index %d using %s:2:3 with yerrorbars %s pointsize 0.01 notitle",
                "data", i - 1, x,
                (marks(curve.look or i):gsub(" pointsize.*", "")))
        end
        keys[i] = key_entry(curve.look or i, curve.title)
    end
    table.insert(script, 1, "set xlabel " .. gnuplot.quote(axes.x))
    table.insert(script, 2, "set ylabel " .. gnuplot.quote(axes.y))
    table.insert(script, 3, "set key outside right center reverse Left")
    script[#script + 1] = axes.log_y and "set logscale y" or signed and "set yrange [*:*]"
        or "set yrange [0:*]"
    for _, list in ipairs { bars, dots, keys } do table.move(list, 1, #list, #lines + 1, lines) end
    return join(script, lines), table.concat(blocks, "\n\n")
end

-- ---- trends -------------------------------------------------------------------------------------

-- Makes marks sparse on curves of many points: a few marks tell them apart.
local function sparse_marks(curve, i, curves)
    return string.format("%s index %d using 1:2 every %d::%d with points %s notitle", "data", i - 1,
        math.max(1, #curve.points // 6),
        (i - 1) * #curve.points // (6 * #curves), marks(curve.look or i))
end

---Draws lines of many points without intervals.
---@param curves pinion.Curve[]
---@param axes { x: string, y: string, log_x: boolean|nil } labels
---@return string script, string content
function M.trends(curves, axes)
    local blocks, lines, dots, keys = {}, {}, {}, {}
    for i, curve in ipairs(curves) do
        blocks[i] = block(curve.title, curve.points)
        lines[i] = string.format("%s index %d using 1:2 with lines %s notitle", "data", i - 1,
            look(curve.look or i))
        dots[i] = sparse_marks(curve, i, curves)
        keys[i] = key_entry(curve.look or i, curve.title)
    end
    local script = x_axis(curves, nil, axes.log_x)
    table.insert(script, 1, "set xlabel " .. gnuplot.quote(axes.x))
    table.insert(script, 2, "set ylabel " .. gnuplot.quote(axes.y))
    table.insert(script, 3, "set key outside right center reverse Left")
    script[#script + 1] = "set yrange [0:*]"
    for _, list in ipairs { dots, keys } do table.move(list, 1, #list, #lines + 1, lines) end
    return join(script, lines), table.concat(blocks, "\n\n")
end

-- ---- convergence --------------------------------------------------------------------------------

-- Returns the range that shows how estimates settle: their first few values, and the intervals of
-- these, may well be cut off.
local function settled_range(curves)
    local low, high = math.huge, -math.huge
    for _, curve in ipairs(curves) do
        local points = curve.points
        for k = math.max(1, #points // 8), #points do
            local y, half = points[k][2], k >= #points // 3 and points[k][3] or 0
            low, high = math.min(low, y - half), math.max(high, y + half)
        end
    end
    return padded(low, high)
end

---Draws running means with their intervals as bands.
---@param curves pinion.Curve[]
---@param axes { x: string, y: string } labels
---@return string script, string content
function M.convergence(curves, axes)
    local blocks, bands, lines, dots, keys = {}, {}, {}, {}, {}
    for i, curve in ipairs(curves) do
        blocks[i] = block(curve.title, curve.points)
        bands[i] = string.format(
            "%s index %d using 1:($2 - $3):($2 + $3) with filledcurves fillcolor rgb '%s' "
            .. "fillstyle transparent solid 0.18 noborder notitle",
            "data", i - 1, COLOURS[((curve.look or i) - 1) % #COLOURS + 1])
        lines[i] = string.format("%s index %d using 1:2 with lines %s notitle", "data", i - 1,
            look(curve.look or i))
        dots[i] = sparse_marks(curve, i, curves)
        keys[i] = key_entry(curve.look or i, curve.title)
    end
    local script = x_axis(curves)
    local from, to = settled_range(curves)
    table.insert(script, 1, "set xlabel " .. gnuplot.quote(axes.x))
    table.insert(script, 2, "set ylabel " .. gnuplot.quote(axes.y))
    table.insert(script, 3, "set key outside right center reverse Left")
    script[#script + 1] = string.format("set yrange [%s:%s]", number(math.max(0.0, from)),
        number(to))
    for _, list in ipairs { lines, dots, keys } do table.move(list, 1, #list, #bands + 1, bands) end
    return join(script, bands), table.concat(blocks, "\n\n")
end

return M
