-- Pictures of jobs of the dag model: a box for each stage, wider where it has more tasks, lines
-- from parents to children, and the critical path in a colour of its own.

local layout = require "pinion.output.graph.layout"
local palette = require "pinion.output.palette"
local svg = require "pinion.output.svg"
local text = require "pinion.base.text"

local put = svg.put

local M = {}

-- ---- measures -----------------------------------------------------------------------------------

local MARGIN, TOP, BOTTOM, WIDTH_LEAST = 24, 64, 44, 520
local WIDEST, PAGE = 170, 1.6 -- of a box; width by height that a picture has at best

-- Boxes of few stages have two lines of text, of many one.
local LARGE = { most = 40, high = 38, narrowest = 84, type = 11, across = 14, along = 46 }
local SMALL = { high = 17, narrowest = 104, type = 9, across = 5, along = 56 }

local STYLE = ([[
<style>
text { font-family: Helvetica, Arial, sans-serif; fill: #202020 }
.title { font-size: 15px; font-weight: bold }
.small { font-size: 11px; fill: #505050 }
.edge { fill: none; stroke: #9a9a9a; stroke-width: 1 }
.critical.edge { stroke: red1; stroke-width: 2.5 }
.stage { fill: blue2; stroke: blue1; stroke-width: 1 }
.critical.stage { fill: red2; stroke: red1; stroke-width: 2.5 }
.name { font-weight: bold }
.in { text-anchor: middle }
</style>
]]):gsub("%l+[12]", {
    blue1 = palette.LIGHT[1], blue2 = palette.tint(palette.LIGHT[1], 0.08),
    red1 = palette.LIGHT[2], red2 = palette.tint(palette.LIGHT[2], 0.18),
})

-- Returns the widths of boxes, which grow with the logarithm of their tasks.
local function widths_of(stages, form)
    local most, widths = 1, {}
    for _, stage in ipairs(stages) do most = math.max(most, stage.tasks) end
    for s, stage in ipairs(stages) do
        local share = most > 1 and math.log(stage.tasks) / math.log(most) or 0.4
        widths[s] = form.narrowest + (WIDEST - form.narrowest) * share
    end
    return widths
end

---@class pinion.GraphView
---@field form table LARGE or SMALL
---@field layout pinion.GraphLayout
---@field widths number[]
---@field down boolean whether levels are rows; else they are columns
---@field width number of all boxes
---@field height number

local function view_of(job, form, widths, down)
    local sizes = widths
    if not down then
        sizes = {}
        for s in ipairs(job.stages) do sizes[s] = form.high end
    end
    local laid = layout.lay_out(job.parents, sizes, form.across)
    local along = #laid.levels * ((down and form.high or WIDEST) + form.along) - form.along
    return { form = form, layout = laid, widths = widths, down = down,
        width = down and laid.across or along, height = down and along or laid.across }
end

-- Puts levels from the top to the bottom, or from the left to the right: whichever fits better on a
-- page.
local function best_view(job)
    local form = #job.stages <= LARGE.most and LARGE or SMALL
    local widths, best, least = widths_of(job.stages, form), nil, math.huge
    for _, down in ipairs { true, false } do
        local view = view_of(job, form, widths, down)
        local size = math.max(view.width / PAGE, view.height)
        if size < least then best, least = view, size end
    end
    return best
end

-- Returns the middle of an item, and half of what a level takes around it along its way.
local function place_of(view, item)
    local form = view.form
    local thick = view.down and form.high or WIDEST
    local along = (item.level - 1) * (thick + form.along) + thick / 2
    if view.down then return MARGIN + item.at, TOP + along, thick / 2 end
    local half = item.stage and view.widths[item.stage] / 2 or thick / 2
    return MARGIN + along, TOP + item.at, half
end

-- ---- lines --------------------------------------------------------------------------------------

-- Draws from the far side of one item to the near side of the next.
local function curve(view, from, to)
    local x1, y1, half1 = place_of(view, from)
    local x2, y2, half2 = place_of(view, to)
    if view.down then
        y1, y2 = y1 + half1, y2 - half2
        local middle = (y1 + y2) / 2
        return x1, y1, string.format("C%s %s %s %s %s %s", put(x1), put(middle), put(x2),
            put(middle), put(x2), put(y2))
    end
    x1, x2 = x1 + half1, x2 - half2
    local middle = (x1 + x2) / 2
    return x1, y1, string.format("C%s %s %s %s %s %s", put(middle), put(y1), put(middle), put(y2),
        put(x2), put(y2))
end

local function write_edge(view, edge, critical, write)
    local path = {}
    for i = 2, #edge.way do
        local x, y, bend = curve(view, edge.way[i - 1], edge.way[i])
        path[#path + 1] = string.format("%s%s %s%s", i == 2 and "M" or "L", put(x), put(y), bend)
    end
    write(string.format('<path class="%sedge" d="%s"/>\n', critical and "critical " or "",
        table.concat(path)))
end

-- Writes the edges; those of the critical path lie over the others.
local function write_edges(view, job, write)
    for _, critical in ipairs { false, true } do
        for _, edge in ipairs(view.layout.edges) do
            if (job.next_critical[edge.from] == edge.to) == critical then
                write_edge(view, edge, critical, write)
            end
        end
    end
end

-- ---- boxes --------------------------------------------------------------------------------------

-- Cuts a text that is too wide to its two ends: names often begin, or end, as others do.
local function cut(words, room)
    local length = utf8.len(words)
    if not length or svg.extent(words) <= room then return words end
    for left = length - 1, 2, -1 do
        local head = utf8.offset(words, left // 2 + 1) - 1
        local shorter = words:sub(1, head) .. "…" .. words:sub(utf8.offset(words,
            left // 2 - left))
        if svg.extent(shorter) <= room then return shorter end
    end
    return "…"
end

local function tip(stage)
    return string.format("%s: %s, %s%s; each holds %s", stage.name, text.count(stage.tasks, "task"),
        stage.even and "" or "at most ", text.duration(stage.ms), stage.demand)
end

local function write_text(x, y, size, class, words, write)
    write(string.format('<text x="%s" y="%s" class="in%s" style="font-size: %spx">%s</text>\n',
        put(x), put(y), class, put(size), svg.escape(words)))
end

local function write_stage(view, stage, index, critical, item, write)
    local form, wide = view.form, view.widths[index]
    local x, y = place_of(view, item)
    local size, room = form.type, (wide - 6) / form.type
    local amount = string.format("%d × %s", stage.tasks, text.duration(stage.ms))
    write(string.format('<g><title>%s</title>\n', svg.escape(tip(stage))))
    write(svg.box(x - wide / 2, y - form.high / 2, wide, form.high,
        string.format(' rx="4" class="%sstage"', critical and "critical " or "")))
    if form == LARGE then
        write_text(x, y - 3, size, " name", cut(stage.name, room), write)
        write_text(x, y + size + 1, size, "", amount, write)
    else
        local name = cut(stage.name, room - svg.extent(amount) - 0.7)
        write_text(x, y + 0.36 * size, size, "", name .. "  " .. amount, write)
    end
    write("</g>\n")
end

local function write_stages(view, job, write)
    for _, list in ipairs(view.layout.levels) do
        for _, item in ipairs(list) do
            if item.stage then
                write_stage(view, job.stages[item.stage], item.stage, job.critical[item.stage],
                    item, write)
            end
        end
    end
end

-- ---- the picture --------------------------------------------------------------------------------

local function subtitle(job, view)
    return string.format("%s, %s, %s, work %s, critical path %s through %s",
        text.count(#job.stages, "stage"), text.count(#view.layout.edges, "edge"),
        text.count(job.tasks, "task"), text.duration(job.work), text.duration(job.path),
        text.count(job.path_stages, "stage"))
end

local LEGEND = "box: tasks × longest time (wider with more tasks); red: critical path"

---@class pinion.GraphJob a job to be drawn
---@field name string
---@field stages { name: string, tasks: integer, ms: integer, even: boolean, demand: string }[]
---@field parents integer[][] by stage, from 1
---@field critical table<integer, boolean> stages of the critical path
---@field next_critical table<integer, integer> from each of these the next
---@field path integer its length, ms
---@field path_stages integer
---@field tasks integer
---@field work integer ms

---@param job pinion.GraphJob
---@param title string|nil
---@param write fun(text: string)
function M.write(job, title, write)
    local view = best_view(job)
    local below = subtitle(job, view)
    local width = math.max(WIDTH_LEAST, view.width + 2 * MARGIN, 6.1 * #below + 2 * MARGIN)
    title = title or job.name
    local height = TOP + view.height + BOTTOM
    write(string.format(
        '<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s">\n',
        put(width), put(height), put(width), put(height)))
    write(STYLE)
    write('<rect width="100%" height="100%" fill="#fff"/>\n')
    write(svg.title(MARGIN, 24, svg.title_lines(title, width - 2 * MARGIN, 1), title))
    write(svg.written(MARGIN, 42, "small", nil, below))
    write_edges(view, job, write)
    write_stages(view, job, write)
    write(svg.written(MARGIN, height - 16, "small", nil, LEGEND))
    write("</svg>\n")
end

return M
