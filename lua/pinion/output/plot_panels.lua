-- Figures of one panel or several with the same axes: lines through points, running means, heat
-- maps.

local check = require "pinion.base.check"
local frame = require "pinion.output.plot_frame"
local gnuplot = require "pinion.output.gnuplot"
local palette = require "pinion.output.palette"
local text = require "pinion.base.text"

local M = {}

local number = check.float_text
local WIDTH, HEIGHT = frame.WIDTH, frame.HEIGHT
local TOP, RIGHT, BELOW = frame.TOP, frame.RIGHT, frame.BELOW
local LABEL, TIC = frame.LABEL, frame.TIC

---@class pinion.FigurePanel
---@field title string|nil
---@field curves pinion.Curve[]

---@class pinion.FigureAxes
---@field x string label
---@field y string label
---@field names string[]|nil of the places 1, 2, … on the x axis
---@field log_x boolean|nil
---@field log_y boolean|nil

-- ---- panels side by side ------------------------------------------------------------------------

local WIDE = 960 -- of several panels
local ACROSS, GAP, PANEL = 3, 18, 230 -- panels in a row, between them, and how high one is

---@class pinion.FigureGrid
---@field width number
---@field height number
---@field boxes pinion.FigureBox[]

local TITLE = 30 -- of a panel

-- Lays out so many panels with room to the left and to the right of each row, and below all.
---@return pinion.FigureGrid
local function grid_of(count, left, right, below)
    local across = math.min(count, ACROSS)
    local down = (count + across - 1) // across
    local width = count > 1 and WIDE or WIDTH
    local high = count > 1 and PANEL or HEIGHT - TOP - below
    local wide = (width - left - right - (across - 1) * GAP) / across
    local pitch = high + below - LABEL / 2 + TITLE + 6 -- the lowest row alone has a label
    local grid = { width = width, height = TOP + (down - 1) * pitch + high + below, boxes = {} }
    for i = 1, count do
        local column, row = (i - 1) % across, (i - 1) // across
        local x, y = left + column * (wide + GAP), TOP + row * pitch
        grid.boxes[i] = { left = x, right = x + wide, top = y, bottom = y + high,
            is_first = column == 0, is_last = column == across - 1 or i == count,
            is_lowest = i + across > count }
    end
    return grid
end

-- Joins the scripts of panels: `panel(i, box)` returns the commands of one.
local function multiplot(grid, title, x_label, panels, panel)
    local script = {}
    if #panels > 1 and title then -- that of all stands above those of panels
        grid.height = grid.height + TITLE
        for _, box in ipairs(grid.boxes) do
            box.top, box.bottom = box.top + TITLE, box.bottom + TITLE
        end
    end
    for i, box in ipairs(grid.boxes) do
        local name = panels[i].title
        if #panels > 1 then script[#script + 1] = "unset label\nunset arrow" end
        script[#script + 1] = frame.margins(box, grid.width, grid.height)
        script[#script + 1] = box.is_lowest and "set xlabel " .. gnuplot.quote(x_label)
            or "unset xlabel"
        if name then script[#script + 1] = "set title " .. gnuplot.quote(name) end
        script[#script + 1] = panel(i, box)
    end
    if #panels > 1 then
        table.insert(script, 1, "set multiplot"
            .. (title and " title " .. gnuplot.quote(title) or ""))
        script[#script + 1] = "unset multiplot\n"
        title = nil
    end
    return table.concat(script, "\n"), title
end

-- ---- lines --------------------------------------------------------------------------------------

local SHIFT = 0.014 -- of the x axis, from an interval to that beside it

-- Returns the range of x of all panels, with room for intervals beside each other.
local function range_of_x(panels, logarithmic)
    local low, high, most = math.huge, -math.huge, 1
    for _, panel in ipairs(panels) do
        most = math.max(most, #panel.curves)
        for _, curve in ipairs(panel.curves) do
            for _, point in ipairs(curve.points) do
                low, high = math.min(low, point[1]), math.max(high, point[1])
            end
        end
    end
    local room = SHIFT * (most - 1) / 2
    if logarithmic then
        low, high = low * (low / high) ^ room, high * (high / low) ^ room
    else
        low, high = low - room * (high - low), high + room * (high - low)
    end
    local from, to = frame.padded(low, high, logarithmic)
    return { from = from, to = to, log = logarithmic }
end

-- Returns the range of y of all panels with their intervals: from 0, where nothing is below it.
local function range_of_y(panels, logarithmic)
    local low, high = math.huge, -math.huge
    for _, panel in ipairs(panels) do
        for _, curve in ipairs(panel.curves) do
            for _, point in ipairs(curve.points) do
                local half = point[3] or 0
                local below = point[2] - half
                if logarithmic then below = below > 0 and below or point[2] end
                if not logarithmic and point[2] >= 0 then below = point[2] end
                if not logarithmic or below > 0 then low = math.min(low, below) end
                high = math.max(high, point[2] + half)
            end
        end
    end
    if logarithmic and low < math.huge then
        local from, to = frame.padded(low, high, true)
        return { from = from, to = to, log = true }
    end
    local from, to = frame.padded(math.min(low, 0), math.max(high, 0))
    return { from = low >= 0 and 0.0 or from, to = high > 0 and to or 1.0 }
end

-- Returns the range that shows how estimates settle: their first few values, and the intervals of
-- these, may well be cut off.
local function settled_range(panels)
    local low, high = math.huge, -math.huge
    for _, curve in ipairs(panels[1].curves) do
        local points = curve.points
        for k = math.max(1, #points // 8), #points do
            local y, half = points[k][2], k >= #points // 3 and points[k][3] or 0
            low, high = math.min(low, y - half), math.max(high, y + half)
        end
    end
    local from, to = frame.padded(low, high)
    return { from = math.max(0.0, from), to = to }
end

-- Shifts intervals beside each other rather than on top of each other: by a part of the axis, in
-- the drawing only.
local function shifted(range, part)
    if range.log then return string.format("($1 * %s)", number((range.to / range.from) ^ part)) end
    return string.format("($1 + %s)", number((range.to - range.from) * part))
end

local function has_intervals(curve)
    for _, point in ipairs(curve.points) do
        if point[3] then return true end
    end
    return false
end

---@class pinion.LinesStyle
---@field interval "bar"|"band"|nil how intervals are drawn
---@field sparse boolean|nil a few marks only, on curves of many points
---@field settled boolean|nil the range of y leaves the first estimates out

local function draw_interval(style, index, x, look)
    if style.interval == "band" then
        return string.format(
            "data index %d using 1:($2 - $3):($2 + $3) with filledcurves fillcolor rgb '%s' "
                .. "fillstyle transparent solid 0.18 noborder notitle", index, frame.colour(look))
    end
    -- Marks too small to be seen: those of error bars would wipe out what lies beneath. Not of
    -- size 0, which becomes a "scale(0.00)" that some readers of SVG refuse.
    return string.format("data index %d using %s:2:3 with yerrorbars %s notitle", index, x,
        frame.marks(look, 0.01))
end

-- Returns what is plotted of a panel: intervals, lines and marks, the latter on top.
local function layers_of(curves, first, style, range)
    local intervals, lines, marks, shifts = {}, {}, {}, false
    for _, curve in ipairs(curves) do
        shifts = shifts or style.interval == "bar" and has_intervals(curve)
    end
    for i, curve in ipairs(curves) do
        local index, look = first + i - 1, frame.look_of(curve, i)
        local x = shifts and shifted(range, SHIFT * (i - (#curves + 1) / 2)) or "1"
        if style.interval and has_intervals(curve) then
            intervals[#intervals + 1] = draw_interval(style, index, x, look)
        end
        lines[i] = string.format("data index %d using %s:2 with lines %s notitle", index, x,
            frame.line(look))
        local every = style.sparse and string.format(" every %d::%d",
            math.max(1, #curve.points // 6), (i - 1) * #curve.points // (6 * #curves)) or ""
        marks[i] = string.format("data index %d using %s:2%s with points %s notitle", index, x,
            every, frame.marks(look))
    end
    for _, list in ipairs { lines, marks } do
        table.move(list, 1, #list, #intervals + 1, intervals)
    end
    return intervals
end

local function ends_of(curves)
    local ends = {}
    for i, curve in ipairs(curves) do
        local last = curve.points[#curve.points]
        if last then
            ends[#ends + 1] = { title = frame.cut(curve.title, WIDTH / 3), x = last[1],
                y = last[2], look = frame.look_of(curve, i) }
        end
    end
    return ends
end

-- Returns the names on an axis, and the room that they need below: turned where they collide.
local function tics_of(names, axis, room)
    local tics, sum = {}, 0
    for i, name in ipairs(names) do
        tics[i] = string.format("%s %d", gnuplot.quote(frame.cut(name, 160)), i)
        sum = sum + frame.width_of(name) + 12
    end
    local turned = sum > room
    return string.format("set %stics (%s)%s", axis, table.concat(tics, ", "),
        turned and " rotate by 35 right" or ""),
        turned and 12 + 0.6 * math.min(160, frame.widest(names)) or 0
end

-- Returns how wide the numbers of an axis are.
local function numbers_room(range)
    local letters = math.max(#string.format("%.4g", range.to), #string.format("%.4g", range.from))
    return TIC * math.min(7, math.max(3, letters))
end

-- Draws panels of curves, their names to the right of each row.
local function lines_of(panels, axes, style, title)
    local x = range_of_x(panels, axes.log_x)
    local y = style.settled and settled_range(panels) or range_of_y(panels, axes.log_y)
    local titles, blocks = {}, {}
    for _, panel in ipairs(panels) do
        for _, one in ipairs(ends_of(panel.curves)) do titles[#titles + 1] = one.title end
    end
    local right = math.min(WIDTH / 3, frame.room_right(titles))
    local names, below = "", 0
    if axes.names then
        names, below = tics_of(axes.names, "x", (WIDE - right) / math.min(ACROSS, #panels) - 80)
    end
    local grid = grid_of(#panels, LABEL + numbers_room(y), right, BELOW + below)
    local function panel(i, box)
        local curves, script = panels[i].curves, { frame.range("x", x), frame.range("y", y) }
        script[#script + 1] = box.is_first and "set format y '%h'\nset ylabel "
            .. gnuplot.quote(axes.y) or "set format y ''\nunset ylabel"
        local labels = box.is_last and frame.labels_right(ends_of(curves), box, y) or {}
        table.move(labels, 1, #labels, #script + 1, script)
        script[#script + 1] = frame.plot(layers_of(curves, #blocks, style, x))
        for _, curve in ipairs(curves) do
            blocks[#blocks + 1] = frame.block(curve.title, curve.points)
        end
        return table.concat(script, "\n")
    end
    local script, above = multiplot(grid, title, axes.x, panels, panel)
    return { script = table.concat({ "unset key", names, script }, "\n"), 
        data = table.concat(blocks, "\n\n"), width = grid.width,
        height = math.ceil(grid.height), title = above }
end

---Draws lines through points, with their intervals, in one panel or several with the same axes.
---@param panels pinion.FigurePanel[]
---@param axes pinion.FigureAxes
---@param title string|nil
---@return pinion.FigureParts
function M.lines(panels, axes, title)
    return lines_of(panels, axes, { interval = "bar" }, title)
end

---Draws lines of many points without intervals.
---@param curves pinion.Curve[]
---@param axes pinion.FigureAxes
---@return pinion.FigureParts
function M.trends(curves, axes)
    return lines_of({ { curves = curves } }, axes, { sparse = true })
end

---Draws running means with their intervals as bands.
---@param curves pinion.Curve[]
---@param axes pinion.FigureAxes
---@return pinion.FigureParts
function M.convergence(curves, axes)
    return lines_of({ { curves = curves } }, axes,
        { interval = "band", sparse = true, settled = true })
end

-- ---- heat maps ----------------------------------------------------------------------------------

local SHADE = 0.85 -- of the colour of the largest value

-- Returns a line of the data for each cell: its place, its colour, its number and the ink of that.
local function cells_of(panel, shade)
    local lines = {}
    for _, cell in ipairs(panel.cells) do
        local colour = palette.tint(palette.LIGHT[1], 0.05 + SHADE * shade(cell.value))
        lines[#lines + 1] = string.format("%d\t%d\t%d\t%s\t%d", cell.x, cell.y,
            tonumber(colour:sub(2), 16), text.real(cell.value, 3),
            palette.ink(colour) == "#fff" and 0xffffff or 0x202020)
    end
    return table.concat(lines, "\n") .. "\n"
end

---Draws a cell for each pair of values, darker the larger, with its number.
---@param panels { title: string|nil, cells: { x: integer, y: integer, value: number }[] }[]
---@param axes { x: string, y: string, x_names: string[], y_names: string[], value: string }
---@param title string|nil
---@return pinion.FigureParts
function M.heat(panels, axes, title)
    local low, high, blocks = math.huge, -math.huge, {}
    for _, panel in ipairs(panels) do
        for _, cell in ipairs(panel.cells) do
            low, high = math.min(low, cell.value), math.max(high, cell.value)
        end
    end
    local shade = frame.shader(low, high)
    for i, panel in ipairs(panels) do blocks[i] = cells_of(panel, shade) end
    local x_tics, below = tics_of(axes.x_names, "x", WIDE / math.min(ACROSS, #panels) - 120)
    local grid = grid_of(#panels, LABEL + 26 + math.min(160, frame.widest(axes.y_names)), RIGHT,
        BELOW + below)
    local function panel(i, box)
        return table.concat({
            box.is_first and "set format y '%h'\n" .. tics_of(axes.y_names, "y", math.huge)
                .. "\nset ylabel " .. gnuplot.quote(axes.y) or "set ytics ('' 1)\nunset ylabel",
            frame.plot {
                string.format("data index %d using 1:2:($1 - 0.5):($1 + 0.5):($2 - 0.5):($2 + 0.5)"
                    .. ":3 with boxxyerror linecolor rgb variable", i - 1),
                string.format("data index %d using 1:2:4:5 with labels textcolor rgb variable",
                    i - 1),
            } }, "\n")
    end
    title = title and title .. ": " .. axes.value or axes.value
    if #panels == 1 then panels[1].title = panels[1].title .. ": " .. axes.value end
    local script, above = multiplot(grid, title, axes.x, panels, panel)
    return { script = table.concat({ "unset key", "unset grid", "set tics scale 0",
        "set style fill solid 1 noborder", x_tics,
        string.format("set xrange [0.5:%d.5]\nset yrange [%d.5:0.5]", #axes.x_names,
            #axes.y_names), script }, "\n"),
        
        data = table.concat(blocks, "\n\n"), width = grid.width,
        height = math.ceil(grid.height), title = above }
end

return M
