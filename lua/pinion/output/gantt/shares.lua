-- A panel as a stacked area: which share of its rows each job or group has over time. Panels with
-- few rows, or few nodes, are cut into strips, one for each. What a log says is a step function; a
-- column of the drawing shows its mean there, so areas are exact. Attempts that came to nothing are
-- marks in lanes above, however short they were.

local bars = require "pinion.output.gantt.bars"
local buckets = require "pinion.output.buckets"
local palette = require "pinion.output.palette"
local svg = require "pinion.output.svg"
local text = require "pinion.base.text"

local put = svg.put

local M = {}

-- A strip is at least so high; figures of many strips have half as many columns.
local STRIP_LEAST, FINE_STRIPS = 14, 12
-- A lane of marks, and the room between the lowest one and its panel; a mark is at least so high.
M.LANE, M.LANE_GAP = 12, 7
local MARK_LEAST = 4

---@class pinion.GanttStrip rows that are drawn as one area
---@field first integer
---@field last integer
---@field areas table<integer, number[]> by layer: the rows that it has, by column
---@field down number[] rows of nodes that are down

---@class pinion.GanttShares
---@field strips pinion.GanttStrip[]
---@field columns integer
---@field at fun(time: number): number the column of a time, from 0
---@field time fun(column: number): number
---@field marks table<string, table<integer, integer>> by fate and column: how many attempts ended so

-- ---- reading ------------------------------------------------------------------------------------

local function strips_of(panel, row)
    local strips, by_row = {}, {}
    local function add(first, last)
        strips[#strips + 1] = { first = first, last = last, areas = {} }
        for r = first, last do by_row[r] = #strips end
    end
    local bands_fit = #panel.bands > 1
    for _, band in ipairs(panel.bands) do
        bands_fit = bands_fit and (band.last - band.first + 1) * row >= STRIP_LEAST
    end
    if panel.kinds or panel.amounts then
        strips[1] = { first = 1, last = panel.rows, areas = {} }
    elseif row >= STRIP_LEAST and panel.rows > 1 then
        for r = 1, panel.rows do add(r, r) end
    elseif bands_fit then
        for _, band in ipairs(panel.bands) do add(band.first, band.last) end
    else
        add(1, panel.rows)
    end
    return strips, by_row
end

-- Makes as many columns of equal width as points, or one for each unit of a time in slots.
local function equal_columns(panel, strips, from, span, width)
    local count = math.tointeger(strips > FINE_STRIPS and width // 2 or width // 1)
    if panel.kinds and math.tointeger(span) and span <= width / 2 then
        count = math.tointeger(span)
    end
    return { columns = count, at = function(time) return (time - from) / span * count end,
        time = function(column) return from + column / count * span end }
end

-- Makes a column from each of these times to the next.
local function columns_between(times)
    local place = {}
    for i, time in ipairs(times) do place[time] = i - 1 end
    return { columns = #times - 1, at = function(time) return place[time] end,
        time = function(column)
            local i = math.tointeger(column // 1) + 1
            local next_one = times[math.min(i + 1, #times)]
            return times[i] + (next_one - times[i]) * (column % 1)
        end }
end

-- Returns the layers of a job: the first kind of work, or work itself; and the second, or waiting.
local function layer_of(key, second) return 2 * key - (second and 0 or 1) end

local function add_to(strip, layer, columns, left, right, amount)
    local means = strip.areas[layer]
    if not means then
        means = buckets.new(columns)
        strip.areas[layer] = means
    end
    buckets.add(means, left, right, amount)
end

-- Adds rows of nodes that are down, in each strip that they touch.
local function add_downs(made, downs)
    for _, down in ipairs(downs) do
        local one = made[down.panel]
        for _, strip in ipairs(one.strips) do
            local rows = math.min(strip.last, down.band.last)
                - math.max(strip.first, down.band.first) + 1
            if rows > 0 then
                strip.down = strip.down or buckets.new(one.columns)
                buckets.add(strip.down, one.at(down.start), one.at(down.finish or math.huge), rows)
            end
        end
    end
end

---Collects from the log once more the shares of each panel.
---@param selection pinion.GanttSelection
---@param found pinion.GanttFound
---@param keys pinion.GanttKeys
---@param views pinion.GanttView[]
---@param span number of the time axis
---@param width number
---@return pinion.GanttShares[]
function M.collect(selection, found, keys, views, span, width)
    local made, rows = {}, {}
    for i, panel in ipairs(selection.panels) do
        local strips, by_row = strips_of(panel, views[i].row)
        local one = found.times and #found.times > 1 and columns_between(found.times)
            or equal_columns(panel, #strips, selection.from, span, width)
        one.strips, one.marks = strips, {}
        made[i], rows[i] = one, by_row
    end
    local outcome = selection.each { bar = function(bar)
        local one = made[bar.panel]
        local left, right = one.at(bar.start), one.at(bar.finish)
        local key, works = keys.of(bar.job), bar.works and one.at(bar.works)
        local at = bar.first or 1
        local stop = bar.last or at
        while at <= stop do
            local strip = one.strips[rows[bar.panel][at] or 1]
            local upto = math.min(strip.last, stop)
            local amount = bar.amount or upto - at + 1
            if works then add_to(strip, layer_of(key, true), one.columns, left, works, amount) end
            add_to(strip, layer_of(key, bar.kind and bar.kind > 1), one.columns, works or left,
                right, amount)
            at = bar.first and upto + 1 or stop + 1
        end
        if bar.fate then
            local marks = one.marks[bar.fate] or {}
            local column = math.min(right // 1 | 0, one.columns - 1)
            one.marks[bar.fate], marks[column] = marks, (marks[column] or 0) + 1
        end
    end }
    add_downs(made, outcome.downs)
    return made
end

-- ---- areas --------------------------------------------------------------------------------------

-- Draws from the bottom up to the sum of a layer and those below it; equal neighbours are one step.
local function outline(sums, x, y, base)
    local parts, last = { string.format("M%s %s", put(x(0)), put(base)) }, nil
    for column = 1, #sums do
        local high = put(y(sums[column]))
        if high ~= last then
            parts[#parts + 1] = string.format("H%sV%s", put(x(column - 1)), high)
        end
        last = high
    end
    parts[#parts + 1] = string.format("H%sV%sz", put(x(#sums)), put(base))
    return table.concat(parts)
end

-- The largest box for a name between two step functions: its height grows less the longer it is.
local LABEL_MOST, LABEL_LEAST, LETTER = 15, 8, 0.6

local function place_name(name, low, high, x, row)
    local best = nil
    local function try(from, upto, rows, bottom)
        local left, right = x(from - 1), x(upto)
        local wide = right - left
        local size = math.min(LABEL_MOST, rows * row * 0.8, (wide - 2) / (LETTER * #name))
        if size < LABEL_LEAST then return end
        if not best or size > best.size or size == best.size and wide * rows > best.area then
            best = { size = size, area = wide * rows, x = (left + right) / 2,
                level = bottom + rows / 2 }
        end
    end
    for from = 1, #low do
        local is_edge = from == 1 or low[from] ~= low[from - 1] or high[from] ~= high[from - 1]
        local bottom, top = low[from], high[from]
        for upto = from, is_edge and #low or from - 1 do
            local next_low, next_high = low[upto + 1] or top, high[upto + 1] or bottom
            -- One that can grow is not the largest.
            if next_low > bottom or next_high < top then try(from, upto, top - bottom, bottom) end
            bottom, top = math.max(bottom, next_low), math.min(top, next_high)
            if (top - bottom) * row * 0.8 < LABEL_LEAST then break end
        end
    end
    return best
end

local function layers_of(strip)
    local order = {}
    for layer in next, strip.areas do order[#order + 1] = layer end
    table.sort(order)
    return order
end

-- Returns what a layer is, in words: its job, and how much it has in the mean.
local function tip(key, layer, panel, mean)
    local kind = panel.kinds and panel.kinds[layer % 2 == 1 and 1 or 2].category
        or layer % 2 == 0 and "waits" or nil
    return svg.escape(string.format("%s%s: %s %s in the mean", key.name, kind and ", " .. kind
        or "", text.plain(mean), panel.amounts and "in use" or panel.name))
end

local function draw_strip(strip, one, view, keys, length, write)
    local panel, columns = view.panel, one.columns
    local base = view.y(strip.last)
    local function x(column) return view.x(one.time(column)) end
    local function y(amount) return base - amount * view.row end
    if strip.down then
        local from_top, all = {}, strip.last - strip.first + 1
        for c, rows in ipairs(strip.down) do from_top[c] = all - rows end
        write(string.format('<path class="down" d="%s"/>\n',
            outline(from_top, x, y, view.y(strip.first - 1))))
    end
    local low, paths, names = buckets.new(columns), {}, {}
    for _, layer in ipairs(layers_of(strip)) do
        local key, sum, high = keys.list[(layer + 1) // 2], 0.0, {}
        for c, amount in ipairs(strip.areas[layer]) do
            high[c], sum = low[c] + amount, sum + amount * (one.time(c) - one.time(c - 1))
        end
        local fill = layer % 2 == 1 and key.fill
            or palette.tint(key.fill, panel.kinds and bars.SECOND or bars.WAITING)
        paths[#paths + 1] = string.format(
            '<path class="share" fill="%s" d="%s"><title>%s</title></path>\n', fill,
            outline(high, x, y, base), tip(key, layer, panel, sum / length))
        local place = #one.strips == 1 and key.fill ~= palette.OTHERS
            and place_name(key.name, low, high, x, view.row)
        if place then
            names[#names + 1] = svg.label(place.x, y(place.level), place.size, key.name,
                palette.ink(fill), fill)
        end
        low = high
    end
    -- Each covers what lies below it of those above.
    for i = #paths, 1, -1 do write(paths[i]) end
    for _, name in ipairs(names) do write(name) end
end

---@param one pinion.GanttShares
---@param view pinion.GanttView
---@param keys pinion.GanttKeys
---@param length number of the time until all of it has ended
---@param write fun(text: string)
function M.draw(one, view, keys, length, write)
    for _, strip in ipairs(one.strips) do draw_strip(strip, one, view, keys, length, write) end
    for i = 2, #one.strips do
        local y = view.y(one.strips[i].first - 1)
        write(svg.line(view.left, y, view.left + view.width, y, "strip"))
    end
end

-- ---- lanes --------------------------------------------------------------------------------------

-- Draws a mark in each column where attempts ended so, the higher the more there were.
local function lane_path(marks, one, view, bottom)
    local parts, count, most = {}, 0, 1
    for _, number in next, marks do most = math.max(most, number) end
    for column = 0, one.columns - 1 do
        local number = marks[column]
        if number then
            local high = MARK_LEAST
                + (M.LANE - 2 - MARK_LEAST) * math.log(number) / math.max(1, math.log(most))
            parts[#parts + 1] = string.format("M%s %sv-%s", put(view.x(one.time(column + 0.5))),
                put(bottom), put(high))
            count = count + number
        end
    end
    return table.concat(parts), count
end

---Draws a lane of marks for each way of ending in vain that a panel has.
---@param one pinion.GanttShares
---@param order string[]
---@param view pinion.GanttView
---@param write fun(text: string)
function M.draw_lanes(one, order, view, write)
    local y = view.top - M.LANE_GAP
    for i = #order, 1, -1 do
        local marks = one.marks[order[i]]
        if marks then
            local path, count = lane_path(marks, one, view, y)
            write(string.format('<path class="mark" d="%s"><title>%s: %d</title></path>\n', path,
                order[i], count))
            write(svg.written(view.left - 7, y, "tiny", "end", order[i]))
            y = y - M.LANE
        end
    end
end

return M
