-- Charts as SVG: panels of rows below each other, time to the right, a colour for each job or
-- group. Several schedules stand below each other on one axis, in the same colours.

local bars = require "pinion.output.gantt.bars"
local deadlines = require "pinion.output.gantt.deadlines"
local keys = require "pinion.output.gantt.keys"
local levels = require "pinion.output.gantt.levels"
local look = require "pinion.output.gantt.look"
local palette = require "pinion.output.palette"
local rows = require "pinion.output.gantt.rows"
local choice = require "pinion.output.gantt.select"
local shares = require "pinion.output.gantt.shares"
local svg = require "pinion.output.svg"
local text = require "pinion.base.text"

local put, written, line, box = svg.put, svg.written, svg.line, svg.box

local M = {}

-- ---- measures -----------------------------------------------------------------------------------

-- In points of the screen.
local PAGE, LEFT, RIGHT, TOP = 860, 64, 30, 68
local WIDTH = PAGE - LEFT - RIGHT
M.PAGE, M.LEFT, M.WIDTH = PAGE, LEFT, WIDTH
-- Of all rows of a schedule that stands alone, and of each of several.
local ROWS_HEIGHT, ROWS_SHARED, ROW_MOST, PANEL_LEAST = 420, 250, 24, 36
local AMOUNTS_HEIGHT, AREA_LEAST = 170, 160
local PANEL_GAP, FIGURE_GAP, AXIS, LEGEND_LINE = 16, 56, 44, 20
-- Some room behind the end of a run.
local BEHIND = 1.03
local TITLE_LETTER, LINE_SIZE, LINE = 5.8, 11, 14

local function heights_of(panels, rows_height)
    local count, heights = 0, {}
    for _, panel in ipairs(panels) do count = count + panel.rows end
    local row = math.min(ROW_MOST, rows_height / count)
    for i, panel in ipairs(panels) do
        heights[i] = panel.amounts and AMOUNTS_HEIGHT * rows_height / ROWS_HEIGHT
            or math.max(panel.kinds and AREA_LEAST or PANEL_LEAST, panel.rows * row)
    end
    return heights
end

local function tick_text(value, step)
    if value == 0 then return "0" end
    if value >= 1e15 or step < 1e-6 then return string.format("%g", value) end
    local decimals = math.max(0, math.ceil(-math.log(step, 10) - 1e-9))
    return string.format("%." .. decimals .. "f", value)
end

-- ---- a schedule ---------------------------------------------------------------------------------

---@class pinion.GanttFigure a schedule, as a part of a page
---@field path string
---@field chart pinion.LogChart
---@field selection pinion.GanttSelection
---@field found pinion.GanttFound
---@field heights number[] of its panels
---@field views pinion.GanttView[]
---@field level_views { top: number, height: number }[]
---@field begin number where lanes above its panels begin
---@field bottom number of its panels
---@field level_bottom number of all of it
---@field keys pinion.GanttKeys
---@field shares pinion.GanttShares[]|nil

---Reads what a schedule consists of.
---@param path string
---@param chart pinion.LogChart
---@param options pinion.GanttOptions
---@param is_shared boolean|nil whether it shares its page with others
---@return pinion.GanttFigure
function M.read(path, chart, options, is_shared)
    local selection = choice.new(path, chart, options)
    local heights = heights_of(selection.panels, is_shared and ROWS_SHARED or ROWS_HEIGHT)
    local row_height = {}
    for i, panel in ipairs(selection.panels) do row_height[i] = heights[i] / panel.rows end
    return { path = path, chart = chart, selection = selection, heights = heights,
        found = bars.collect(chart, selection, row_height, WIDTH), group_of = options.group_of }
end

-- Returns promises of the jobs that are drawn.
local function promises_of(figure)
    local made = {}
    for _, promise in ipairs(figure.found.outcome.promises or {}) do
        if figure.selection.has(promise.job) then made[#made + 1] = promise end
    end
    return made
end

-- Returns from when to when the axis of these reaches.
local function axis_of(figures)
    local selection = figures[1].selection
    if selection.to then return selection.from, selection.to - selection.from end
    local last = 0.0
    for _, figure in ipairs(figures) do
        last = math.max(last, deadlines.reach(figure.promises, figure.found.last))
    end
    local span = (last - selection.from) * BEHIND
    if figures[1].chart.together then span = math.ceil(span) + 0.0 end
    return selection.from, span > 0 and span or 1.0
end

-- Chooses the colours that all of them share.
local function choose_keys(figures)
    local work = {}
    for _, figure in ipairs(figures) do
        for job, size in next, figure.found.work do work[job] = (work[job] or 0.0) + size end
    end
    return keys.choose(work, figures[1].group_of)
end

local function view_of(figure, i, top, from, span)
    local panel, height = figure.selection.panels[i], figure.heights[i]
    local row = height / panel.rows
    return {
        panel = panel, index = i, left = LEFT, top = top, height = height, width = WIDTH, row = row,
        x = function(time) return LEFT + (time - from) / span * WIDTH end,
        y = function(count) return top + count * row end,
    }
end

-- Returns what lanes of marks take above a panel, of what is drawn as shares.
local function lanes_above(figure, panel)
    if figure.found.rectangles or not next(figure.found.fates_of[panel]) then return 0 end
    local high = shares.LANE_GAP
    for _ in next, figure.found.fates_of[panel] do high = high + shares.LANE end
    return high
end

-- Returns whether there are levels; resources are of all jobs and nodes: they would not fit what is
-- left of these.
local function has_levels(figure)
    return figure.chart.resources and figure.selection.is_whole
end

local function lay_out(figure, top, from, span)
    figure.begin, figure.views = top, {}
    for i in ipairs(figure.selection.panels) do
        top = top + lanes_above(figure, i)
        figure.views[i] = view_of(figure, i, top, from, span)
        top = top + figure.heights[i] + PANEL_GAP
    end
    figure.bottom = math.max(figure.begin, top - PANEL_GAP)
    figure.level_views, figure.level_bottom = levels.views(has_levels(figure)
        and figure.chart.resources or {}, figure.bottom)
end

-- ---- words --------------------------------------------------------------------------------------

local function result_of(figure)
    local outcome = figure.found.outcome
    return string.format("%s, %s%s", figure.chart.policy, outcome.result,
        outcome.unfinished > 0 and " (so far)" or "")
end

local function subtitle(figure)
    local parts, outcome, selection = {}, figure.found.outcome, figure.selection
    for _, panel in ipairs(selection.panels) do
        if panel.slots ~= false then
            parts[#parts + 1] = text.count(panel.rows, panel.kinds and panel.category
                or panel.category .. " slot")
        end
    end
    parts[#parts + 1] = text.count(outcome.jobs or figure.found.jobs, "job")
    for _, rule in ipairs(figure.chart.rules) do parts[#parts + 1] = rule end
    table.move(outcome.notes, 1, #outcome.notes, #parts + 1, parts)
    if outcome.unfinished > 0 then
        parts[#parts + 1] = string.format("stopped before %s finished",
            text.count(outcome.unfinished, "job"))
    end
    table.move(selection.words, 1, #selection.words, #parts + 1, parts)
    return table.concat(parts, ", ")
end

-- Wraps pieces between commas, in lines that fit.
local function wrapped(words)
    local lines, room = {}, WIDTH / LINE_SIZE
    for piece in words:gmatch "[^,;]*[,;]? ?" do
        local last = lines[#lines]
        if last and svg.extent(last .. piece) <= room then
            lines[#lines] = last .. piece
        else
            lines[#lines + 1] = piece
        end
    end
    for i, below in ipairs(lines) do lines[i] = svg.cut(below:gsub(" $", ""), room) end
    return lines
end

-- Writes the title of the page, and what is below it.
local function heading(figures, options)
    if #figures > 1 then return options.title, wrapped(options.below) end
    local result = result_of(figures[1])
    return options.title or result,
        wrapped((options.title and result .. "; " or "") .. subtitle(figures[1]))
end

local function write_heading(title, title_lines, below, write)
    write(svg.title(LEFT, 24, title_lines, title))
    local y = 42 + (#title_lines - 1) * svg.TITLE_LINE
    for i, words in ipairs(below) do
        write(written(LEFT, y + (i - 1) * LINE, "small", nil, words))
    end
end

-- What the rows of a panel are, from the longest words to the shortest.
local TITLES = {
    function(panel, has_rows)
        return has_rows and panel.numbered and panel.name .. " of nodes" or panel.name
    end,
    function(panel) return panel.name end,
    function(panel) return panel.category .. "s" end,
}

-- Returns those that have room beside every panel.
local function titles_of(figure)
    local made
    for _, title in ipairs(TITLES) do
        local fits = true
        made = {}
        for i, view in ipairs(figure.views) do
            made[i] = title(view.panel, not figure.shares or #figure.shares[i].strips > 1)
            fits = fits and #made[i] * TITLE_LETTER <= view.height + PANEL_GAP - 4
        end
        if fits then break end
    end
    return made
end

-- ---- legends ------------------------------------------------------------------------------------

local function legend(chosen, remarks, top, write)
    local x, y = LEFT, top
    for _, key in ipairs(chosen.list) do
        local name = svg.cut(key.name, 24) .. (remarks[key.job] or "")
        local wide = 30 + 12 * svg.extent(name)
        if x + wide > LEFT + WIDTH and x > LEFT then x, y = LEFT, y + LEGEND_LINE end
        write(box(x, y - 10, 12, 12, string.format(' fill="%s"', key.fill)))
        write(written(x + 17, y, "", nil, name))
        x = x + wide
    end
    return y
end

-- Writes what the marks of these schedules mean, in a line of its own.
local function marks(figures, first, last, top, write)
    local x, sample = LEFT, palette.LIGHT[1]
    local function any(has)
        for _, figure in ipairs(figures) do
            if has(figure) then return true end
        end
        return false
    end
    local function entry(name, attributes)
        write(box(x, top - 10, 20, 12, attributes))
        write(written(x + 25, top, "small", nil, name))
        x = x + 40 + 6.4 * #name
    end
    local kinds = figures[1].selection.panels[1].kinds
    for i, kind in ipairs(kinds or {}) do
        entry(kind.category, string.format(' fill="%s"', i == 1 and sample
            or palette.tint(sample, bars.SECOND)))
    end
    if any(function(figure) return figure.found.fates.waits end) then
        entry("waits for maps", string.format(' fill="%s" fill-opacity="%s"', sample,
            bars.WAITING))
    end
    for _, fate in ipairs(look.FATES) do
        if any(function(figure) return figure.found.rectangles and figure.found.fates[fate] end)
        then
            entry(fate, string.format(' fill="url(#%s)" stroke="#404040"', fate))
        end
    end
    if any(function(figure) return #figure.found.outcome.downs > 0 end) then
        entry("node is down", ' class="down"')
    end
    local promises = {}
    for _, figure in ipairs(figures) do
        table.move(figure.promises, 1, #figure.promises, #promises + 1, promises)
    end
    return deadlines.legend(promises, first, last, x, top, write) > LEFT
end

-- ---- drawing ------------------------------------------------------------------------------------

local function draw_downs(figure, last, write)
    if not figure.found.rectangles then return end
    for _, down in ipairs(figure.found.outcome.downs) do
        local view = figure.views[down.panel]
        local x, y = view.x(down.start), view.y(down.band.first - 1)
        write(box(x, y, view.x(math.min(down.finish or last, last)) - x,
            view.y(down.band.last) - y, ' class="down"'))
    end
end

local function draw_axis(all, bottom, from, span, chart, write)
    local unit = chart.unit
    local step = svg.step_of(span / unit, 10)
    if chart.together then step = math.max(1, step) end
    local first = math.ceil(from / unit / step - 1e-9)
    for i = first, math.floor((from + span) / unit / step + 1e-9) do
        local x = LEFT + (i * step * unit - from) / span * WIDTH
        write(line(x, bottom, x, bottom + 5, "tick"))
        write(written(x, bottom + 18, "", "middle", tick_text(i * step, step)))
        for _, view in ipairs(all) do
            if x > LEFT + 0.5 then write(line(x, view.top, x, view.top + view.height, "grid")) end
        end
    end
    write(written(LEFT + WIDTH / 2, bottom + 35, "", "middle", chart.axis))
end

-- Draws a panel over its grid.
local function draw_panel(figure, i, title, chosen, write)
    local view, made = figure.views[i], figure.shares and figure.shares[i]
    if made then
        shares.draw(made, view, chosen, figure.found.last - figure.selection.from, write)
        shares.draw_lanes(made, look.FATES, view, write)
    else
        rows.draw(view, figure.found.rectangles, chosen, figure.chart, write)
    end
    write(box(LEFT, view.top, WIDTH, view.height, ' class="frame"'))
    if not made then rows.bands(view, write) end
    rows.numbers(view, made and #made.strips == 1, write)
    write(svg.upright(18, view.top + view.height / 2, -90, "", title))
end

local function draw_end(figure, from, last, write)
    local outcome, ended = figure.found.outcome, figure.found.ended
    if outcome.unfinished > 0 or not outcome.end_text or ended < from or ended > last then
        return nil
    end
    local x = LEFT + (ended - from) / (last - from) * WIDTH
    write(line(x, figure.begin - 6, x, figure.level_bottom, "end"))
    write(written(math.min(x, LEFT + WIDTH - 2), figure.begin - 10, "small", "middle",
        outcome.end_text))
    return x, outcome.end_text
end

local function draw_figure(figure, chosen, from, span, write)
    for i, title in ipairs(titles_of(figure)) do draw_panel(figure, i, title, chosen, write) end
    if has_levels(figure) then
        local made = levels.collect(figure.chart, figure.selection, figure.found, span, WIDTH)
        for r, level in ipairs(made) do
            levels.draw(figure.level_views[r], level, LEFT, write)
        end
    end
    local x, ended = draw_end(figure, from, from + span, write)
    deadlines.draw(figure.promises, { x = figure.views[1].x, from = from, span = from + span,
        top = figure.begin, bottom = figure.bottom, taken = x,
        room = ended and #ended * TITLE_LETTER / 2 }, chosen.fill, write)
end

-- ---- a page -------------------------------------------------------------------------------------

local function begin(height, figures, write)
    write(string.format(
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%s" viewBox="0 0 %d %s">\n',
        PAGE, put(height), PAGE, put(height)))
    write(look.STYLE)
    write(look.patterns(function(fate)
        for _, figure in ipairs(figures) do
            if figure.found.rectangles and figure.found.fates[fate] then return true end
        end
        return false
    end))
    write('<rect width="100%" height="100%" fill="#fff"/>\n')
end

local function nothing() end

-- Lays out where all of it is; returns the panels, and where those end.
local function lay_out_all(figures, top, from, span)
    local all = {}
    for k, figure in ipairs(figures) do
        if k > 1 then top = figures[k - 1].level_bottom + FIGURE_GAP end
        lay_out(figure, top, from, span)
        table.move(figure.views, 1, #figure.views, #all + 1, all)
        table.move(figure.level_views, 1, #figure.level_views, #all + 1, all)
    end
    return all, figures[#figures].level_bottom
end

---@class pinion.GanttExtra what stands below the schedules of a page
---@field height number
---@field draw fun(top: number, write: fun(text: string), chosen: pinion.GanttKeys)

---Writes a page of one schedule, or of several with one axis and one legend.
---@param figures pinion.GanttFigure[]
---@param options { title: string|nil, below: string|nil, extra: pinion.GanttExtra|nil } of several: the title and what stands below it
---@param write fun(text: string)
function M.write(figures, options, write)
    for _, figure in ipairs(figures) do figure.promises = promises_of(figure) end
    local from, span = axis_of(figures)
    local chosen, last = choose_keys(figures), from + span
    local title, below = heading(figures, options)
    local title_lines = svg.title_lines(title, WIDTH)
    local top = TOP + (#title_lines - 1) * svg.TITLE_LINE + (#below - 1) * LINE
    if #figures > 1 then top = top + LINE + 6 end
    local all, bottom = lay_out_all(figures, top, from, span)
    for _, figure in ipairs(figures) do
        if not figure.found.rectangles then
            figure.shares = shares.collect(figure.selection, figure.found, chosen, figure.views,
                span, WIDTH)
        end
    end
    local legend_top = bottom + AXIS + 18
    local remarks = #figures == 1 and deadlines.remarks(figures[1].promises) or {}
    local marks_top = legend(chosen, remarks, legend_top, nothing) + LEGEND_LINE
    local marked = marks(figures, from, last, marks_top, nothing)
    local height = marks_top + (marked and 16 or 16 - LEGEND_LINE)
    begin(height + (options.extra and options.extra.height or 0), figures, write)
    write_heading(title, title_lines, below, write)
    for _, view in ipairs(all) do
        write(box(LEFT, view.top, WIDTH, view.height, ' class="panel"'))
    end
    for _, figure in ipairs(figures) do draw_downs(figure, last, write) end
    draw_axis(all, bottom, from, span, figures[1].chart, write)
    for k, figure in ipairs(figures) do
        if #figures > 1 then
            write(written(LEFT, figure.begin - 22, "part", nil,
                svg.cut((k == 1 and "first: " or "second: ") .. table.concat({ result_of(figure),
                    table.unpack(figure.found.outcome.notes) }, ", "), WIDTH / 14)))
        end
        draw_figure(figure, chosen, from, span, write)
    end
    legend(chosen, remarks, legend_top, write)
    marks(figures, from, last, marks_top, write)
    if options.extra then options.extra.draw(height, write, chosen) end
    write("</svg>\n")
end

return M
