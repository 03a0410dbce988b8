-- How much of each resource is in use over time, below the panels of bars. What a log says is a
-- step function; a column of the drawing shows its mean there, so areas are exact.

local buckets = require "pinion.output.buckets"
local svg = require "pinion.output.svg"

local put, escape, written, line, box = svg.put, svg.escape, svg.written, svg.line, svg.box

local M = {}

-- In points: of a panel, the room above it, and how far beside it its title stands.
local HEIGHT, GAP, TITLE = 60, 16, 46
local LETTERS_MOST = 9

---@class pinion.GanttLevel a resource, in shares of what all nodes have of it
---@field name string
---@field used number[] by column from 1: the mean of what is in use
---@field up number[] of what nodes have that are up
---@field most number that was in use
---@field mean number that was in use from the first arrival to the last finish

-- ---- reading ------------------------------------------------------------------------------------

local function new_level(name, columns)
    return { name = name, used = buckets.new(columns), up = buckets.new(columns), most = 0.0,
        area = 0.0 }
end

---Collects from the log once more the resources of its chart.
---@param chart pinion.LogChart
---@param selection pinion.GanttSelection
---@param found pinion.GanttFound
---@param span number of the time axis
---@param columns integer
---@return pinion.GanttLevel[]
function M.collect(chart, selection, found, span, columns)
    local levels, scale, begin = {}, columns / span, selection.from
    local finish = math.min(found.outcome.unfinished > 0 and found.last or found.ended,
        selection.to or math.huge)
    for r, resource in ipairs(chart.resources) do levels[r] = new_level(resource.name, columns) end
    local outcome = selection.each { level = function(from, to, used, up)
        from, to = math.max(from, begin), to and math.min(to, begin + span)
        if to and to <= from then return end
        for r, level in ipairs(levels) do
            local total = chart.resources[r].total
            buckets.add(level.up, (from - begin) * scale,
                ((to or math.huge) - begin) * scale, up[r] / total)
            if to then
                local share = used[r] / total
                buckets.add(level.used, (from - begin) * scale, (to - begin) * scale, share)
                level.most = math.max(level.most, share)
                level.area = level.area + share * math.max(0.0, math.min(to, finish) - from)
            end
        end
    end }
    local first = math.max(outcome.first, begin)
    for _, level in ipairs(levels) do
        level.mean = finish > first and level.area / (finish - first) or 0.0
    end
    return levels
end

-- ---- drawing ------------------------------------------------------------------------------------

---Returns where the panels are: below each other, beginning so far down.
---@param resources table[]
---@param top number
---@return { top: number, height: number }[] views, number bottom of the last one
function M.views(resources, top)
    local views = {}
    for r in ipairs(resources) do
        views[r] = { top = top + GAP, height = HEIGHT }
        top = top + GAP + HEIGHT
    end
    return views, top
end

-- Returns what lies between a step function and an edge of the panel; equal neighbours are one
-- step.
local function area(view, left, means, edge)
    local bottom = view.top + view.height
    local parts, before = { string.format("M%s %s", put(left), put(edge)) }, nil
    for x, share in ipairs(means) do
        local y = put(bottom - math.min(1.0, share) * view.height)
        if y ~= before then parts[#parts + 1] = string.format("H%sV%s", put(left + x - 1), y) end
        before = y
    end
    parts[#parts + 1] = string.format("H%sV%sz", put(left + #means), put(edge))
    return table.concat(parts)
end

-- Returns as much of a name as there is room for beside a panel.
local function short(name)
    if utf8.len(name) <= LETTERS_MOST then return name end
    return name:sub(1, utf8.offset(name, LETTERS_MOST) - 1) .. "…"
end

local function percent(share)
    return string.format("%.1f", 100 * share):gsub("%.0$", "") .. " %"
end

---Draws what was in use, and above it in grey what nodes had that were down.
---@param view { top: number, height: number }
---@param level pinion.GanttLevel
---@param left number
---@param write fun(text: string)
function M.draw(view, level, left, write)
    local top, bottom, right = view.top, view.top + view.height, left + #level.used
    local middle = (top + bottom) / 2
    write(string.format('<path class="down" d="%s"/>\n', area(view, left, level.up, top)))
    write(string.format('<path class="level" d="%s"><title>%s</title></path>\n',
        area(view, left, level.used, bottom),
        escape(string.format("%s: %s in use in the mean, at most %s", level.name,
            percent(level.mean), percent(level.most)))))
    write(box(left, top, right - left, view.height, ' class="frame"'))
    for _, share in ipairs { 0, 50, 100 } do
        local y = bottom - share / 100 * view.height
        write(line(left - 4, y, left, y, "tick"))
        write(written(left - 7, y + 4, "small", "end", tostring(share)))
    end
    write(svg.upright(left - TITLE, middle, -90, "", short(level.name) .. ", %"))
    write(svg.upright(right + 8, middle, 90, "small", "mean " .. percent(level.mean)))
end

return M
