-- Two schedules of the same jobs as a figure: one above the other on one axis, and below them how
-- much longer each job takes in the second, by its size.

local gantt = require "pinion.output.gantt.svg"
local log = require "pinion.output.log"
local palette = require "pinion.output.palette"
local svg = require "pinion.output.svg"
local text = require "pinion.base.text"

local put, written, line = svg.put, svg.written, svg.line

local M = {}

-- In points: of the panel, the room above it, and below it.
local HEIGHT, ABOVE, BELOW = 230, 40, 38
local LEFT, WIDTH = gantt.LEFT, gantt.WIDTH
-- More jobs than points that can be told apart are counted in cells of so many points.
local POINTS_MOST, CELL = 1500, 7
local RADIUS = 3
-- Sizes, and deltas, that differ by more than this factor stand on a scale of their logarithm.
local SPREAD_MOST = 30

-- ---- scales -------------------------------------------------------------------------------------

---@class pinion.DiffScale
---@field place fun(value: number): number from 0 to 1
---@field ticks { [1]: number, [2]: string }[] value, and as it is written

local function linear(low, high, ticks_most)
    local ticks, step = {}, svg.step_of(high - low, ticks_most)
    for i = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) do
        ticks[#ticks + 1] = { i * step, text.plain(i * step) }
    end
    return { ticks = ticks, place = function(value) return (value - low) / (high - low) end }
end

local function logarithmic(low, high)
    local ticks, from, to = {}, math.log(low, 10), math.log(high, 10)
    local step = math.max(1, math.ceil((to - from) / 8))
    for i = math.ceil(from), math.floor(to), step do
        ticks[#ticks + 1] = { 10.0 ^ i, text.plain(10.0 ^ i) }
    end
    return { ticks = ticks,
        place = function(value) return (math.log(value, 10) - from) / (to - from) end }
end

-- Returns a scale that is linear around 0 as far as `unit`, and the logarithm of the size beyond
-- it.
local function signed_logarithmic(low, high, unit)
    local function bend(value)
        local size = math.abs(value) / unit
        return (value < 0 and -1 or 1) * math.log(size + math.sqrt(size * size + 1))
    end
    local ticks, power = { { 0, "0" } }, 10.0 ^ math.ceil(math.log(unit, 10))
    while power <= math.max(high, -low) do
        for _, value in ipairs { power, -power } do
            if value >= low and value <= high then
                ticks[#ticks + 1] = { value, text.plain(value) }
            end
        end
        power = power * 10
    end
    local from, to = bend(low), bend(high)
    return { ticks = ticks, place = function(value) return (bend(value) - from) / (to - from) end }
end

local function median(list)
    table.sort(list)
    return list[(#list + 1) // 2]
end

local function scale_of_sizes(points)
    local low, high = math.huge, 0.0
    for _, point in ipairs(points) do
        low, high = math.min(low, point.size), math.max(high, point.size)
    end
    if low > 0 and high / low > SPREAD_MOST then return logarithmic(low / 1.2, high * 1.2), true end
    return linear(0, high > 0 and high * 1.05 or 1.0, 10), false
end

local function scale_of_deltas(points)
    local low, high, sizes = 0.0, 0.0, {}
    for _, point in ipairs(points) do
        low, high = math.min(low, point.delta), math.max(high, point.delta)
        if point.delta ~= 0 then sizes[#sizes + 1] = math.abs(point.delta) end
    end
    if low == high then return linear(-1, 1, 4), false end
    local typical, most = median(sizes), math.max(high, -low)
    if most > SPREAD_MOST * typical then
        return signed_logarithmic(low * 1.3, high * 1.3, typical), true
    end
    local room = 0.06 * (high - low)
    return linear(low - room, high + room, 8), false
end

-- ---- the panel ----------------------------------------------------------------------------------

local function draw_axes(view, sizes, deltas, names, write)
    local bottom = view.top + HEIGHT
    for _, tick in ipairs(sizes.ticks) do
        local x = view.x(tick[1])
        write(line(x, view.top, x, bottom, "grid"))
        write(line(x, bottom, x, bottom + 5, "tick"))
        write(written(x, bottom + 18, "", "middle", tick[2]))
    end
    local last = math.huge
    table.sort(deltas.ticks, function(a, b) return a[1] < b[1] end)
    for _, tick in ipairs(deltas.ticks) do
        local y = view.y(tick[1])
        if tick[1] == 0 or last - y >= 12 and math.abs(y - view.y(0)) >= 12 then
            write(line(LEFT, y, LEFT + WIDTH, y, tick[1] == 0 and "tick" or "grid"))
            write(written(LEFT - 7, y + 4, "small", "end", tick[2]))
            last = y
        end
    end
    write(written(LEFT + WIDTH / 2, bottom + 36, "", "middle", names.x))
    write(svg.upright(18, view.top + HEIGHT / 2, -90, "", names.y))
end

local function draw_points(points, view, chosen, write)
    for _, point in ipairs(points) do
        write(string.format('<circle cx="%s" cy="%s" r="%s" fill="%s" fill-opacity="0.85" '
            .. 'stroke="#fff" stroke-width="0.5"><title>%s</title></circle>\n',
            put(view.x(point.size)), put(view.y(point.delta)), RADIUS, chosen.fill(point.job),
            svg.escape(string.format("J%d: %s%s for work of %s", point.job,
                point.delta > 0 and "+" or "", text.plain(point.delta), text.plain(point.size)))))
    end
end

-- Draws jobs in cells, the darker the more there are.
local function draw_cells(points, view, write)
    local counts, order, most = {}, {}, 1
    -- No difference is the middle of a row of cells.
    local top = view.y(0) - CELL * math.ceil((view.y(0) - view.top) / CELL) - CELL / 2
    for _, point in ipairs(points) do
        local x = (view.x(point.size) - LEFT) // CELL | 0
        local key = ((view.y(point.delta) - top) // CELL | 0) << 20 | x
        if not counts[key] then counts[key], order[#order + 1] = 0, key end
        counts[key] = counts[key] + 1
        most = math.max(most, counts[key])
    end
    table.sort(order)
    for _, key in ipairs(order) do
        local count = counts[key]
        local share = most > 1 and 0.2 + 0.8 * math.log(count) / math.log(most) or 1.0
        write(string.format(
            '<rect class="cell" x="%d" y="%s" width="%d" height="%d" fill="%s"><title>%s</title>'
            .. '</rect>\n', LEFT + (key & 0xFFFFF) * CELL, put(top + (key >> 20) * CELL), CELL,
            CELL,
            palette.tint(palette.LIGHT[1], share), text.count(count, "job")))
    end
end

-- Returns jobs that finished in both, with what they worked in the first.
local function points_of(made, work, unit)
    local points = {}
    for _, job in ipairs(made.jobs) do
        points[#points + 1] = { job = job.job, size = (work[job.job] or 0.0) / unit,
            delta = job.delta / unit }
    end
    return points
end

local function panel_of(made, figure)
    local unit = figure.chart.unit
    local points = points_of(made, figure.found.work, unit)
    if #points == 0 then return nil end
    local sizes, is_log = scale_of_sizes(points)
    local deltas, is_bent = scale_of_deltas(points)
    local suffix = unit == 1 and "" or ", s"
    local names = { x = "work of the job in the first schedule" .. suffix
        .. (is_log and " (log scale)" or ""),
        y = "takes longer by" .. suffix .. (is_bent and " (log)" or "") }
    return { height = ABOVE + HEIGHT + BELOW, draw = function(top, write, chosen)
        local view = { top = top + ABOVE - 16,
            x = function(size) return LEFT + sizes.place(size) * WIDTH end }
        view.y = function(delta) return view.top + (1 - deltas.place(delta)) * HEIGHT end
        write(written(LEFT, view.top - 10, "part", nil,
            "how much longer each job takes in the second schedule, by job size"))
        write(svg.box(LEFT, view.top, WIDTH, HEIGHT, ' class="panel"'))
        draw_axes(view, sizes, deltas, names, write)
        if #points > POINTS_MOST then draw_cells(points, view, write)
        else draw_points(points, view, chosen, write) end
        write(svg.box(LEFT, view.top, WIDTH, HEIGHT, ' class="frame"'))
    end }
end

---@param made pinion.Difference
---@param paths string[] the logs of both
---@param beside pinion.GanttOptions what these do not say
---@param write fun(text: string)
function M.write(made, paths, beside, write)
    local figures = {}
    for i, path in ipairs(paths) do
        figures[i] = gantt.read(path, log.chart(path, beside.jobs), beside, true)
    end
    local below = string.format(
        "of %s, the second schedule finishes %d earlier, %d later, %d at the same time",
        text.count(#made.jobs, "job"), made.sooner, made.later, made.same)
    if #made.only > 0 then
        below = string.format("%s, %s did not finish in both", below,
            text.count(#made.only, "job"))
    end
    gantt.write(figures, { title = table.concat(made.policies, " and ") .. ", one above the other",
        below = below, extra = panel_of(made, figures[1]) }, write)
end

return M
