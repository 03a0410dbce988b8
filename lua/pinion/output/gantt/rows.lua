-- A panel of rows: its bars one by one, with the names of jobs where there is room, and what stands
-- beside it.

local bars = require "pinion.output.gantt.bars"
local palette = require "pinion.output.palette"
local svg = require "pinion.output.svg"
local text = require "pinion.base.text"

local put, escape, written, line = svg.put, svg.escape, svg.written, svg.line

local M = {}

---@class pinion.GanttView where a panel is drawn
---@field panel pinion.GanttPanel
---@field index integer
---@field left number
---@field top number
---@field width number
---@field height number
---@field row number height of a row
---@field x fun(time: number): number
---@field y fun(rows: number): number below so many rows

-- ---- names of jobs ------------------------------------------------------------------------------

local LETTER, LABEL_MOST, LABEL_LEAST = 0.6, 15, 8

-- A job is named where its bars leave the most room: on one of them, or on bars that touch at one
-- moment, as far as all of them reach.
local CANDIDATES = 6

local function area(rectangle)
    return (rectangle.last - rectangle.first + 1) * (rectangle.finish - rectangle.start)
end

-- Returns the bars around one, above and below it, that run at the middle of its time.
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

-- Returns the largest type that the name of a job can have, and where.
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

-- ---- bars ---------------------------------------------------------------------------------------

-- Returns what a bar is, in words.
local function tip(view, bar, chart)
    local kinds = view.panel.kinds
    local category = kinds and kinds[bar.kind].category or view.panel.category
    local kind = category == "task" and "task" or category .. " task"
    local what = bar.tasks > 1 and text.count(bar.tasks, kind)
        or (bar.stage and string.format("stage %d, ", bar.stage) or "")
        .. (bar.task and string.format("%s %d", kind, bar.task) or kind)
    local words = string.format("J%d, %s, %s to %s%s", bar.job, what, bar.from, bar.to,
        chart.suffix or "")
    if bar.works then words = string.format("%s, works from %d", words, bar.works) end
    return bar.fate and words .. ", " .. bar.fate or words
end

-- No mark is narrower, however short what came to nothing was.
local MARK_LEAST = 2

-- Draws a rectangle. A bar is faint until it works; over one that came to nothing lies a mark.
local function rectangle(view, bar, chart, write)
    local x, y = view.x(bar.start), view.y(bar.first - 1)
    local right, high = x + math.max(0.3, view.x(bar.finish) - x), view.y(bar.last) - y
    local says = "<title>" .. escape(tip(view, bar, chart)) .. "</title></rect>\n"
    local function part(from, to, attributes)
        write(string.format('<rect x="%s" y="%s" width="%s" height="%s"%s>%s', put(from), put(y),
            put(to - from), put(high), attributes, says))
    end
    local works = bar.works and math.min(view.x(bar.works), right) or x
    local function faint(share) return string.format(' fill-opacity="%s"', share) end
    if works > x then part(x, works, faint(bars.WAITING)) end
    if works < right then part(works, right, (bar.kind or 1) > 1 and faint(bars.SECOND) or "") end
    if bar.fate then
        part(math.min(x, right - MARK_LEAST), right, string.format(' fill="url(#%s)"', bar.fate))
    end
end

---@param view pinion.GanttView
---@param list pinion.GanttRectangle[]
---@param keys pinion.GanttKeys
---@param chart pinion.LogChart
---@param write fun(text: string)
function M.draw(view, list, keys, chart, write)
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
        write(string.format('<g fill="%s" stroke="#fff" stroke-width="%s">\n',
            keys.list[keys.of(id)].fill, put(edge)))
        for _, bar in ipairs(by_job[id]) do rectangle(view, bar, chart, write) end
        write("</g>\n")
    end
    for _, id in ipairs(ids) do
        local label, key = place_label(by_job[id], view), keys.list[keys.of(id)]
        if label then
            local fill = key.fill
            if (by_job[id][1].kind or 1) > 1 then fill = palette.tint(fill, bars.SECOND) end
            write(svg.label(label.x, label.y, label.size, "J" .. id, palette.ink(fill), fill))
        end
    end
end

-- ---- beside a panel -----------------------------------------------------------------------------

-- Draws numbers of nodes: as many as there is room for.
local function node_numbers(view, write)
    local panel, below = view.panel, -math.huge
    local first, last = panel.bands[1], panel.bands[#panel.bands]
    local step = math.tointeger(
        math.max(1, svg.step_of(last.number - first.number + 1, math.max(2, view.height / 22))))
    for _, band in ipairs(panel.bands) do
        local y = (view.y(band.first - 1) + view.y(band.last)) / 2
        if (band.number % step == 0 or #panel.bands == 1) and y - below >= 11 then
            write(written(view.left - 7, y + 4, "small", "end", text.amount(band.number)))
            below = y
        end
    end
end

-- Draws amounts of what is in use: from nothing at the bottom to all at the top.
local function amounts(view, write)
    local most = view.panel.rows
    local step = svg.step_of(most, math.max(2, view.height / 40))
    for i = 0, math.floor(most / step + 1e-9) do
        local y = view.top + view.height - i * step * view.row
        write(line(view.left - 4, y, view.left, y, "tick"))
        write(written(view.left - 7, y + 4, "small", "end", text.plain(i * step)))
    end
end

---Draws numbers beside a panel: of nodes, of amounts, or of rows, the first and round ones. Those
---of few rows stand at their middle, of many at their edge.
---@param view pinion.GanttView
---@param as_area boolean|nil whether rows are stacked, not numbered
---@param write fun(text: string)
function M.numbers(view, as_area, write)
    local panel = view.panel
    if as_area then return amounts(view, write) end
    if panel.numbered then return node_numbers(view, write) end
    local step = math.tointeger(
        math.max(1, svg.step_of(panel.rows, math.max(2, view.height / 22))))
    local function number(row)
        local y = view.row >= 8 and view.y(row - 0.5) or view.y(row)
        if view.row < 8 then write(line(view.left - 4, y, view.left, y, "tick")) end
        write(written(view.left - 7, y + 4, "small", "end", text.amount(row)))
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
        write(line(view.left, y, view.left + view.width, y, "band"))
    end
end

---Draws edges of nodes and pools, and the names of these.
---@param view pinion.GanttView
---@param write fun(text: string)
function M.bands(view, write)
    if view.panel.numbered then return node_edges(view, write) end
    for i, band in ipairs(view.panel.bands) do
        local top, bottom = view.y(band.first - 1), view.y(band.last)
        if i > 1 then write(line(view.left, top, view.left + view.width, top, "band")) end
        if bottom - top >= 40 then
            write(svg.upright(view.left + view.width + 8, (top + bottom) / 2, 90, "small",
                band.name))
        end
    end
end

return M
