-- Gantt charts as SVG: a panel for the map slots above one for the reduce slots, time to the right,
-- a colour for each job.

local bars = require "pinion.output.gantt.bars"
local deadlines = require "pinion.output.gantt.deadlines"
local levels = require "pinion.output.gantt.levels"
local log = require "pinion.output.log"
local svg = require "pinion.output.svg"
local text = require "pinion.base.text"

local step_of = svg.step_of
local put, escape, written, line, box = svg.put, svg.escape, svg.written, svg.line, svg.box

local M = {}

-- ---- measures -----------------------------------------------------------------------------------

-- In points of the screen.
local WIDTH, LEFT, RIGHT, TOP = 860, 64, 30, 68
local ROWS_HEIGHT, ROW_MOST, PANEL_LEAST = 420, 24, 36
local PANEL_GAP, AXIS, LEGEND_LINE = 16, 44, 20
-- Widths of letters, as a share of the size of the type; and of those beside panels.
local LETTER, TITLE_LETTER = 0.6, 5.8
-- Lines below the title: letters that fit on one, and its height.
local LINE_LETTERS, LINE = 140, 14
local LABEL_MOST, LABEL_LEAST = 15, 8

local function heights_of(panels)
    local rows, heights = 0, {}
    for _, panel in ipairs(panels) do rows = rows + panel.rows end
    local row = math.min(ROW_MOST, ROWS_HEIGHT / rows)
    for i, panel in ipairs(panels) do heights[i] = math.max(PANEL_LEAST, panel.rows * row) end
    return heights
end

local function tick_text(value, step)
    if value == 0 then return "0" end
    if value >= 1e15 or step < 1e-6 then return string.format("%g", value) end
    local decimals = math.max(0, math.ceil(-math.log(step, 10) - 1e-9))
    return string.format("%." .. decimals .. "f", value)
end

-- ---- colours ------------------------------------------------------------------------------------

-- Okabe and Ito's colours, which colour-blind readers can tell apart; then the same darker, then
-- lighter.
local PALETTE = { "0072B2", "E69F00", "009E73", "D55E00", "56B4E9", "CC79A7", "F0E442", "8C8C8C" }
local TINTS = { { 0, 0 }, { 0, 0.45 }, { 255, 0.6 } }

M.COLOURS = #PALETTE * #TINTS

local function channels(hex)
    return tonumber(hex:sub(1, 2), 16), tonumber(hex:sub(3, 4), 16), tonumber(hex:sub(5, 6), 16)
end

---@param index integer from 1
---@return string colour, string ink what is written on it
local function colour(index)
    local tint = TINTS[(index - 1) // #PALETTE % #TINTS + 1]
    local mixed = {}
    for i, channel in ipairs { channels(PALETTE[(index - 1) % #PALETTE + 1]) } do
        mixed[i] = math.floor(channel + (tint[1] - channel) * tint[2] + 0.5)
    end
    local light = 0.299 * mixed[1] + 0.587 * mixed[2] + 0.114 * mixed[3]
    return string.format("#%02X%02X%02X", mixed[1], mixed[2], mixed[3]), light > 130 and "#000"
        or "#fff"
end

-- ---- labels -------------------------------------------------------------------------------------

-- A job is named where its bars leave the most room: on one of them, or on bars that touch at one
-- moment, as far as all of them reach.
local CANDIDATES = 6

local function area(rectangle)
    return (rectangle.last - rectangle.first + 1) * (rectangle.finish - rectangle.start)
end

-- The bars around one, above and below it, that run at the middle of its time.
local function block_around(own, centre)
    local moment = (centre.start + centre.finish) / 2
    local beside = {}
    for _, other in ipairs(own) do
        if other.start <= moment and moment < other.finish then beside[#beside + 1] = other end
    end
    table.sort(beside, function(a, b) return a.first < b.first end)
    local block
    for _, other in ipairs(beside) do
        if block and block.last + 1 == other.first then
            block.last, block.start, block.finish = other.last, math.max(block.start, other.start),
                math.min(block.finish, other.finish)
        elseif block and block.holds then
            break
        else
            block = { first = other.first, last = other.last, start = other.start,
                finish = other.finish }
        end
        block.holds = block.holds or other == centre
    end
    return block
end

-- The largest type that the name of a job can have, and where.
local function place_label(own, view)
    table.sort(own, function(a, b)
        local left, right = area(a), area(b)
        if left ~= right then return left > right end
        if a.start ~= b.start then return a.start < b.start end
        return a.first < b.first
    end)
    local best
    local function try(block)
        local wide, high = view.x(block.finish) - view.x(block.start),
            (block.last - block.first + 1) * view.row
        local size = math.min(LABEL_MOST, high * 0.8, (wide - 2) / (LETTER * #("J" .. own[1].job)))
        if size >= LABEL_LEAST and (not best or size > best.size) then
            best = { size = size, x = (view.x(block.start) + view.x(block.finish)) / 2,
                y = view.y(block.first - 1) + high / 2 }
        end
    end
    for i = 1, math.min(CANDIDATES, #own) do
        try(own[i])
        try(block_around(own, own[i]) or own[i])
    end
    return best
end

-- ---- parts --------------------------------------------------------------------------------------

local STYLE = [[
<style>
text { font-family: Helvetica, Arial, sans-serif; font-size: 12px; fill: #202020 }
.title { font-size: 15px; font-weight: bold }
.small { font-size: 11px; fill: #505050 }
.label { text-anchor: middle; font-weight: bold; stroke-width: 3; paint-order: stroke }
.panel { fill: #f6f6f6; stroke: #404040; stroke-width: 1 }
.frame { fill: none; stroke: #404040; stroke-width: 1 }
.grid { stroke: #dcdcdc; stroke-width: 0.7 }
.tick { stroke: #404040; stroke-width: 1 }
.band { stroke: #404040; stroke-width: 1; stroke-dasharray: 5 3 }
.end { stroke: #000; stroke-width: 1.2; stroke-dasharray: 4 3 }
.down { fill: #c8c8c8 }
.level { fill: #8ab0cc }
</style>
]]

-- What lies over bars that came to nothing, each by how they ended; and how faint a bar is while it
-- waits.
local MARKS = {
    { fate = "killed", path = "M0 6L6 0" },
    { fate = "failed", path = "M0 0L6 6M0 6L6 0" },
    { fate = "lost", path = "M0 3H6" },
    { fate = "dropped", path = "M3 0V6" },
    { fate = "suspended", path = "M2 1V5M4 1V5" },
    { fate = "cancelled", path = "M0 0L6 6" },
    { fate = "unfinished", path = "M1 3H3" },
}
local WAITING = bars.WAITING

local function patterns(fates)
    local parts = {}
    for _, mark in ipairs(MARKS) do
        if fates[mark.fate] then
            parts[#parts + 1] =
                string.format(
                '<pattern id="%s" width="6" height="6" patternUnits="userSpaceOnUse"><path d="%s" '
                .. 'stroke="#000" stroke-width="1.3"/></pattern>\n', mark.fate, mark.path)
        end
    end
    return #parts > 0 and "<defs>\n" .. table.concat(parts) .. "</defs>\n" or ""
end

-- Numbers of nodes beside a panel: as many as there is room for.
local function node_numbers(view, write)
    local panel, below = view.panel, -math.huge
    local first, last = panel.bands[1], panel.bands[#panel.bands]
    local step = math.tointeger(
        math.max(1, step_of(last.number - first.number + 1, math.max(2, view.height / 22))))
    for _, band in ipairs(panel.bands) do
        local y = (view.y(band.first - 1) + view.y(band.last)) / 2
        if band.number % step == 0 and y - below >= 11 then
            write(written(LEFT - 7, y + 4, "small", "end", text.amount(band.number)))
            below = y
        end
    end
end

-- Numbers of rows beside a panel: the first, and round ones. Those of few rows stand at their
-- middle, of many at their edge.
local function row_numbers(view, write)
    local panel = view.panel
    if panel.numbered then return node_numbers(view, write) end
    local step = math.tointeger(math.max(1, step_of(panel.rows, math.max(2, view.height / 22))))
    local function number(row)
        local y = view.row >= 8 and view.y(row - 0.5) or view.y(row)
        if view.row < 8 then write(line(LEFT - 4, y, LEFT, y, "tick")) end
        write(written(LEFT - 7, y + 4, "small", "end", text.amount(row)))
    end
    if step > 1 and view.row >= 8 then number(1) end
    for row = step, panel.rows, step do number(row) end
end

-- Where nodes meet, if there is room between them.
local NODE_LEAST = 10

local function node_edges(view, write)
    for _, band in ipairs(view.panel.bands) do
        if (band.last - band.first + 1) * view.row < NODE_LEAST then return end
    end
    for i = 2, #view.panel.bands do
        local y = view.y(view.panel.bands[i].first - 1)
        write(line(LEFT, y, LEFT + view.width, y, "band"))
    end
end

local function bands(view, write)
    if view.panel.numbered then return node_edges(view, write) end
    for i, band in ipairs(view.panel.bands) do
        local top, bottom = view.y(band.first - 1), view.y(band.last)
        if i > 1 then write(line(LEFT, top, LEFT + view.width, top, "band")) end
        local middle = (top + bottom) / 2
        if bottom - top >= 40 then
            write(svg.upright(LEFT + view.width + 8, middle, 90, "small", band.name))
        end
    end
end

-- What a bar is, in words.
local function tip(view, bar, chart)
    local kind = view.panel.category == "task" and "task" or view.panel.category .. " task"
    local what = bar.tasks > 1 and text.count(bar.tasks, kind)
        or (bar.stage and string.format("stage %d, ", bar.stage) or "")
        .. string.format("%s %d", kind, bar.task)
    local words = string.format("J%d, %s, %s to %s%s", bar.job, what, bar.from, bar.to,
        chart.suffix or "")
    if bar.works then words = string.format("%s, works from %d", words, bar.works) end
    return bar.fate and words .. ", " .. bar.fate or words
end

-- A bar is faint until it works; over one that came to nothing lies a mark.
local function rectangle(view, bar, chart, write)
    local x, y = view.x(bar.start), view.y(bar.first - 1)
    local right, high = x + math.max(0.3, view.x(bar.finish) - x), view.y(bar.last) - y
    local says = "<title>" .. escape(tip(view, bar, chart)) .. "</title></rect>\n"
    local function part(from, to, attributes)
        write(string.format('<rect x="%s" y="%s" width="%s" height="%s"%s>%s', put(from), put(y),
            put(to - from), put(high),
            attributes, says))
    end
    local works = bar.works and math.min(view.x(bar.works), right) or x
    if works > x then part(x, works, string.format(' fill-opacity="%s"', WAITING)) end
    if works < right then part(works, right, "") end
    if bar.fate then part(x, right, string.format(' fill="url(#%s)"', bar.fate)) end
end

local function rectangles(view, list, look, chart, write)
    local edge = math.min(0.8, view.row * 0.12)
    local by_job, ids = {}, {}
    for _, bar in ipairs(list) do
        if bar.panel == view.index then
            if not by_job[bar.job] then
                by_job[bar.job], ids[#ids + 1] = {}, bar.job
            end
            table.insert(by_job[bar.job], bar)
        end
    end
    table.sort(ids)
    for _, id in ipairs(ids) do
        write(string.format('<g fill="%s" stroke="#fff" stroke-width="%s">\n', look[id].fill,
            put(edge)))
        for _, bar in ipairs(by_job[id]) do rectangle(view, bar, chart, write) end
        write("</g>\n")
    end
    for _, id in ipairs(ids) do
        local label = place_label(by_job[id], view)
        if label then
            write(string.format(
                '<text x="%s" y="%s" class="label" style="font-size: %spx; fill: %s; stroke: '
                .. '%s">J%d</text>\n',
                put(label.x), put(label.y + 0.36 * label.size), put(label.size), look[id].ink,
                look[id].fill, id))
        end
    end
end

-- A path for each job and shade.
local function cells(view, grid, look, write)
    local wide, high = view.width / grid.columns, view.height / grid.rows
    local paths, keys = {}, {}
    grid.each(function(run)
        local key = run.job * bars.LEVELS + run.level - 1
        if not paths[key] then
            paths[key], keys[#keys + 1] = {}, key
        end
        table.insert(paths[key], string.format("M%s %sh%sv%sh-%sz", put(LEFT + run.x * wide),
            put(view.top + run.y * high),
            put(run.width * wide), put(high), put(run.width * wide)))
    end)
    table.sort(keys)
    for _, key in ipairs(keys) do
        write(string.format(
            '<path fill="%s" fill-opacity="%s" shape-rendering="crispEdges" d="%s"/>\n',
            look[key // bars.LEVELS].fill, put((key % bars.LEVELS + 1) / bars.LEVELS),
            table.concat(paths[key])))
    end
end

local function legend(found, look, top, width, write)
    local x, y, last = LEFT, top, math.min(#found.jobs, M.COLOURS)
    local remarks = deadlines.remarks(found.outcome.promises)
    for i = 1, last do
        local id = found.jobs[i]
        local name = "J" .. id .. (remarks[id] or "")
        local wide = 26 + 7.2 * #name
        if x + wide > LEFT + width then x, y = LEFT, y + LEGEND_LINE end
        write(box(x, y - 10, 12, 12, string.format(' fill="%s"', look[id].fill)))
        write(written(x + 17, y, "", nil, name))
        x = x + wide
    end
    if last < #found.jobs then
        y = y + LEGEND_LINE
        write(written(LEFT, y, "small", nil, string.format("… and %s more, in these colours again",
            text.count(#found.jobs - last, "job"))))
    end
    return y
end

-- What the marks mean, in a line of its own.
local function marks(found, span, top, write)
    local x = LEFT
    local function entry(name, attributes)
        write(box(x, top - 10, 20, 12, attributes))
        write(written(x + 25, top, "small", nil, name))
        x = x + 40 + 6.4 * #name
    end
    if found.fates.waits then
        entry("waits for maps", string.format(' fill="#0072B2" fill-opacity="%s"', WAITING))
    end
    for _, mark in ipairs(MARKS) do
        if found.fates[mark.fate] then
            entry(mark.fate, string.format(' fill="url(#%s)" stroke="#404040"', mark.fate))
        end
    end
    if #found.outcome.downs > 0 then entry("node is down", ' class="down"') end
    return deadlines.legend(found.outcome.promises, span, x, top, write) > LEFT
end

-- How far down a legend of so many jobs reaches is known before it is drawn.
local function legend_bottom(found, top, width)
    return legend(found, setmetatable({}, { __index = function() return { fill = "" } end }), top,
        width, function() end)
end

-- ---- the chart ----------------------------------------------------------------------------------

local function subtitle(chart, found)
    local parts = {}
    for i, panel in ipairs(chart.panels) do
        parts[i] = panel.slots ~= false and text.count(panel.rows, panel.category .. " slot") or nil
    end
    parts[#parts + 1] = text.count(found.outcome.jobs or #found.jobs, "job")
    for _, rule in ipairs(chart.rules) do parts[#parts + 1] = rule end
    table.move(found.outcome.notes, 1, #found.outcome.notes, #parts + 1, parts)
    if found.outcome.unfinished > 0 then
        parts[#parts + 1] = string.format("stopped before %s finished",
            text.count(found.outcome.unfinished, "job"))
    end
    return table.concat(parts, ", ")
end

-- The title, and what stands below it in lines.
local function heading(chart, found, options)
    local result = string.format("%s, %s%s", chart.policy, found.outcome.result,
        found.outcome.unfinished > 0 and " (so far)" or "")
    local lines = {}
    for piece in ((options.title and result .. "; " or "")
            .. subtitle(chart, found)):gmatch "[^,;]*[,;]? ?" do
        local last = lines[#lines]
        if last and #last + #piece <= LINE_LETTERS then
            lines[#lines] = last .. piece
        else
            lines[#lines + 1] = piece
        end
    end
    return options.title or result, lines
end

local function write_heading(title, lines, write)
    write(written(LEFT, 24, "title", nil, title))
    for i, below in ipairs(lines) do
        write(written(LEFT, 42 + (i - 1) * LINE, "small", nil, (below:gsub(" $", ""))))
    end
end

-- What the rows of a panel are, from the longest words to the shortest.
local TITLES = {
    function(panel) return panel.numbered and panel.name .. " of nodes" or panel.name end,
    function(panel) return panel.name end,
    function(panel) return panel.category .. "s" end,
}

-- Those that have room beside every panel.
local function titles_for(views)
    for _, title in ipairs(TITLES) do
        local fits = true
        for _, view in ipairs(views) do
            fits = fits and #title(view.panel) * TITLE_LETTER <= view.height + PANEL_GAP - 4
        end
        if fits then return title end
    end
    return TITLES[#TITLES]
end

local function views_of(chart, heights, span, width, top)
    local views = {}
    for i, panel in ipairs(chart.panels) do
        local row, from = heights[i] / panel.rows, top
        views[i] = {
            panel = panel, index = i, top = top, height = heights[i], width = width, row = row,
            x = function(time) return LEFT + time / span * width end,
            y = function(rows) return from + rows * row end,
        }
        top = top + heights[i] + PANEL_GAP
    end
    return views, top - PANEL_GAP
end

local function downs(views, found, span, write)
    for _, down in ipairs(found.outcome.downs) do
        local view = views[down.panel]
        local x, y = view.x(down.start), view.y(down.band.first - 1)
        write(box(x, y, view.x(down.finish or span) - x, view.y(down.band.last) - y,
            ' class="down"'))
    end
end

local function axis(views, bottom, span, width, chart, write)
    local step = step_of(span / chart.unit, 10)
    span = span / chart.unit
    for i = 0, math.floor(span / step + 1e-9) do
        local x = LEFT + i * step / span * width
        write(line(x, bottom, x, bottom + 5, "tick"))
        write(written(x, bottom + 18, "", "middle", tick_text(i * step, step)))
        for _, view in ipairs(views) do
            if i > 0 then write(line(x, view.top, x, view.top + view.height, "grid")) end
        end
    end
    write(written(LEFT + width / 2, bottom + 35, "", "middle", chart.axis))
end

-- A panel of bars, over its grid.
local function draw_panel(view, title, grid, found, look, chart, write)
    if grid then
        cells(view, grid, look, write)
    else
        rectangles(view, found.rectangles, look, chart, write)
    end
    write(box(LEFT, view.top, view.width, view.height, ' class="frame"'))
    bands(view, write)
    row_numbers(view, write)
    write(svg.upright(18, view.top + view.height / 2, -90, "", title))
end

---@param path string the log
---@param chart pinion.LogChart
---@param options { title: string|nil }
---@param write fun(text: string)
function M.write(path, chart, options, write)
    local heights, width, row_height = heights_of(chart.panels), WIDTH - LEFT - RIGHT, {}
    for i, panel in ipairs(chart.panels) do row_height[i] = heights[i] / panel.rows end
    local found = bars.collect(path, chart, row_height)
    -- Some room behind the end; a run that takes no time has an axis, too.
    local last = deadlines.reach(found.outcome.promises, found.last)
    local span = last > 0 and last * 1.03 or 1.0
    local title, lines = heading(chart, found, options)
    local panels_top = TOP + (#lines - 1) * LINE
    local views, bottom = views_of(chart, heights, span, width, panels_top)
    local below, level_bottom = levels.views(chart, bottom)
    local all = table.move(below, 1, #below, #views + 1, table.move(views, 1, #views, 1, {}))
    local look = {}
    for i, id in ipairs(found.jobs) do
        local fill, ink = colour(i)
        look[id] = { fill = fill, ink = ink }
    end
    local grids = not found.rectangles and bars.cells(path, chart, span, width, heights)
    local legend_top = level_bottom + AXIS + 18
    local marks_top = legend_bottom(found, legend_top, width) + LEGEND_LINE
    local marked = marks(found, span, marks_top, function() end)
    local height = marks_top + (marked and 16 or 16 - LEGEND_LINE)
    write(string.format(
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%s" viewBox="0 0 %d %s">\n',
        WIDTH,
        put(height), WIDTH, put(height)))
    write(STYLE)
    write(patterns(found.fates))
    write('<rect width="100%" height="100%" fill="#fff"/>\n')
    write_heading(title, lines, write)
    for _, view in ipairs(all) do
        write(box(LEFT, view.top, width, view.height, ' class="panel"'))
    end
    downs(views, found, span, write)
    axis(all, level_bottom, span, width, chart, write)
    local title_of = titles_for(views)
    for i, view in ipairs(views) do
        draw_panel(view, title_of(view.panel), grids and grids[i], found, look, chart, write)
    end
    if chart.resources then
        for r, level in ipairs(levels.collect(path, chart, found, span, width)) do
            levels.draw(below[r], level, LEFT, write)
        end
    end
    local ended = found.outcome.unfinished == 0 and found.outcome.end_text
    local x = LEFT + log.number(found.outcome.finish) / span * width
    if ended then
        write(line(x, panels_top - 6, x, level_bottom, "end"))
        write(written(x, panels_top - 10, "small", "middle", ended))
    end
    deadlines.draw(found.outcome.promises,
        { x = views[1].x, span = span, top = panels_top, bottom = bottom,
                                             taken = ended and x or nil,
                                             room = ended and #ended * TITLE_LETTER / 2 },
        look, write)
    legend(found, look, legend_top, width, write)
    marks(found, span, marks_top, write)
    write("</svg>\n")
end

return M
