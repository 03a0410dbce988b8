-- Where the parts of a figure lie, and what its curves look like: sizes in pixels, of a page on
-- which letters are TYPE high, turned into gnuplot's shares of the whole.

local check = require "pinion.base.check"
local gnuplot = require "pinion.output.gnuplot"
local palette = require "pinion.output.palette"
local svg = require "pinion.output.svg"

local M = {}

local number = check.float_text

local TYPE = 14
M.LINE = 17 -- from one line of text to the next
M.INK = "#202020"
M.WIDTH, M.HEIGHT = 720, 450
M.TOP, M.RIGHT, M.BELOW = 42, 24, 78 -- margins
M.LABEL, M.TIC = 62, 9 -- of an axis, and a letter of its numbers

---@class pinion.Curve
---@field title string
---@field look integer|nil which colour, dashes and marks; default: its place among the curves
---@field points { [1]: number, [2]: number, [3]: number|nil }[] x, y, half width of y's interval

---@class pinion.FigureParts what gnuplot.draw wants beside path
---@field script string
---@field data string
---@field width integer
---@field height integer
---@field title string|nil

-- ---- looks --------------------------------------------------------------------------------------

-- Curves differ in colour and in the shape of their marks. More than there are colours are dashed.
local COLOURS = palette.LINES
local DASHES = { "solid", "(10,5)", "(3,4)" }
local MARKS = { 7, 5, 9, 13, 6, 4, 8, 12 }

---@param i integer of a curve, from 1
---@return string
function M.colour(i) return COLOURS[(i - 1) % #COLOURS + 1] end

---@param i integer
---@return string of gnuplot's language: how a line is drawn
function M.line(i)
    return string.format("linewidth 2 linecolor rgb '%s' dashtype %s", M.colour(i),
        DASHES[(i - 1) // #COLOURS % #DASHES + 1])
end

---@param i integer
---@param size number|nil default 1.1
---@return string how marks are drawn
function M.marks(i, size)
    return string.format("linewidth 1.5 linecolor rgb '%s' dashtype solid pointtype %d "
        .. "pointsize %s", M.colour(i), MARKS[(i - 1) % #MARKS + 1], number(size or 1.1))
end

---@param words string
---@return number how wide they are, about
function M.width_of(words) return TYPE * svg.extent(words) end

---@param words string
---@param room number
---@return string
function M.cut(words, room) return svg.cut(words, room / TYPE) end

---@param list string[]
---@return number how wide the widest is
function M.widest(list)
    local most = 0
    for _, words in ipairs(list) do most = math.max(most, M.width_of(words)) end
    return most
end

-- ---- data and commands --------------------------------------------------------------------------

---Returns the lines of a curve in a data file.
---@param title string
---@param points number[][]
---@return string
function M.block(title, points)
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

---@param list string[] what is plotted
---@return string
function M.plot(list) return "plot " .. table.concat(list, ", \\\n     ") .. "\n" end

---@return integer
function M.look_of(curve, i) return curve.look or i end

-- ---- ranges -------------------------------------------------------------------------------------

---Returns a little more room on both sides, so that no mark is on the frame.
---@return number from, number to
function M.padded(low, high, logarithmic)
    if logarithmic then
        local factor = math.max((high / low) ^ 0.04, 1.05)
        return low / factor, high * factor
    end
    local room = high > low and 0.04 * (high - low) or math.max(0.5, 0.04 * math.abs(high))
    return low - room, high + room
end

---Returns which part of a range lies below a value.
---@param range { from: number, to: number, log: boolean|nil }
---@return number
function M.share(range, value)
    if range.log then
        return math.log(value / range.from) / math.log(range.to / range.from)
    end
    return (value - range.from) / (range.to - range.from)
end

---Returns the commands for the range of an axis.
---@param axis string "x" or "y"
function M.range(axis, range)
    return string.format("set %srange [%s:%s]\n%s logscale %s", axis, number(range.from),
        number(range.to), range.log and "set" or "unset", axis)
end

local SPAN = 20 -- of values whose logarithms are shaded

---Returns what shades values between these: 0 for the smallest, 1 for the largest, in thousandths,
---as logarithms differ in their last bits between machines.
---@param low number
---@param high number
---@return fun(value: number): number
function M.shader(low, high)
    local range = { from = low, to = high, log = low > 0 and high > SPAN * low }
    return function(value)
        return high > low and math.floor(1000 * M.share(range, value) + 0.5) / 1000 or 0.3
    end
end

-- ---- places -------------------------------------------------------------------------------------

---Returns places as near to the wishes as their sizes allow, between `low` and `high` as long as
---there is room.
---@param wishes number[]
---@param sizes number[] of what is placed, with the gap to the next
---@return number[]
function M.spread(wishes, sizes, low, high)
    local order, places = {}, {}
    for i in ipairs(wishes) do order[i] = i end
    table.sort(order, function(a, b)
        if wishes[a] ~= wishes[b] then return wishes[a] < wishes[b] end
        return a < b
    end)
    for k, i in ipairs(order) do
        local before = order[k - 1]
        places[i] = math.max(wishes[i],
            before and places[before] + (sizes[before] + sizes[i]) / 2 or low + sizes[i] / 2)
    end
    for k = #order, 1, -1 do
        local i, after = order[k], order[k + 1]
        places[i] = math.min(places[i],
            after and places[after] - (sizes[after] + sizes[i]) / 2 or high - sizes[i] / 2)
    end
    return places
end

---@class pinion.FigureBox pixels from the left and from the top
---@field left number
---@field right number
---@field top number
---@field bottom number

---Returns the commands that put a panel into a box of a figure of this size.
---@param box pinion.FigureBox
function M.margins(box, width, height)
    return string.format("set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
        .. "set tmargin at screen %.4f\nset bmargin at screen %.4f", box.left / width,
        box.right / width, 1 - box.top / height, 1 - box.bottom / height)
end

-- ---- labels at the ends of curves ---------------------------------------------------------------

---@class pinion.FigureEnd the last point of a curve
---@field title string
---@field look integer
---@field x number
---@field y number

local function label(look, title, x, y, anchor)
    return string.format("set label %s at graph %.4f,graph %.4f %s point %s textcolor rgb '%s'",
        gnuplot.quote(title), x, y, anchor, M.marks(look, 0.9), M.INK)
end

local function leader(one, x, y)
    return string.format("set arrow from first %s,first %s to graph %.4f,graph %.4f nohead "
        .. "linewidth 0.7 linecolor rgb '%s'", number(one.x + 0.0), number(one.y + 0.0), x, y,
        M.colour(one.look))
end

local ARM = 20 -- from a curve's end to the mark of its label

---Returns how much room labels to the right of a panel need.
---@param titles string[]
---@return number
function M.room_right(titles) return ARM + 14 + M.widest(titles) + 6 end

---Returns the commands that write names to the right of a panel, each at its curve's end.
---@param ends pinion.FigureEnd[]
---@param box pinion.FigureBox
---@param y table range
---@return string[]
function M.labels_right(ends, box, y)
    local wishes, sizes, made = {}, {}, {}
    local high, wide = box.bottom - box.top, box.right - box.left
    for i, one in ipairs(ends) do
        wishes[i], sizes[i] = M.share(y, one.y) * high, M.LINE
    end
    local places = M.spread(wishes, sizes, 0, math.max(high, #ends * M.LINE))
    for i, one in ipairs(ends) do
        local at, up = 1 + ARM / wide, places[i] / high
        made[#made + 1] = leader(one, at, up)
        made[#made + 1] = label(one.look, one.title, at, up, "left offset character 0.8,-0.2")
    end
    return made
end

M.ROOM_ABOVE = 40 -- of labels above a panel

---Returns the commands that write names above a panel, each over its curve's end; nil where they
---have no room side by side.
---@param ends pinion.FigureEnd[]
---@param box pinion.FigureBox
---@param x table range
---@return string[]|nil
function M.labels_above(ends, box, x)
    local wishes, sizes, sum = {}, {}, 0
    local high, wide = box.bottom - box.top, box.right - box.left
    for i, one in ipairs(ends) do
        wishes[i], sizes[i] = M.share(x, one.x) * wide, M.width_of(one.title) + 14
        sum = sum + sizes[i]
    end
    if sum > wide then return nil end
    local made, up = {}, 1 + 18 / high
    for i, at in ipairs(M.spread(wishes, sizes, 0, wide)) do
        made[#made + 1] = leader(ends[i], at / wide, up)
        made[#made + 1] = label(ends[i].look, ends[i].title, at / wide, up,
            "center offset character 0,0.8")
    end
    return made
end

return M
