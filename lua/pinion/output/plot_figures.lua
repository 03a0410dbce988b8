-- What figures look like: gnuplot scripts and their data, made of plain curves. Names stand at the
-- ends of curves, where colours are not needed to tell them apart.

local check = require "pinion.base.check"
local frame = require "pinion.output.plot_frame"
local gnuplot = require "pinion.output.gnuplot"
local statistics = require "pinion.base.statistics"
local text = require "pinion.base.text"

local M = {}

-- Of a curve, its start at 0 not counted.
local POINTS_MAX = 399

local number = check.float_text
local WIDTH, HEIGHT = frame.WIDTH, frame.HEIGHT
local TOP, RIGHT, BELOW = frame.TOP, frame.RIGHT, frame.BELOW
local LABEL, TIC = frame.LABEL, frame.TIC

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

-- Returns the range of all values; a logarithmic one, unless asked otherwise, where a linear one
-- would show the tail and nothing else.
local function range_of_values(curves, logarithmic)
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
    local from, to = 0.0, high * 1.05
    if logarithmic then from, to = low / 1.1, high * 1.1 end
    if to <= from then to = from + 1.0 end -- waiting times may all be 0
    return { from = from, to = to, log = logarithmic }
end

---@param curves pinion.Curve[] from M.curve
---@param label string of the axis of values
---@param logarithmic boolean|nil nil: as it is legible
---@return pinion.FigureParts
function M.distributions(curves, label, logarithmic)
    local range, blocks, lines, ends = range_of_values(curves, logarithmic), {}, {}, {}
    for i, curve in ipairs(curves) do
        local points = table.move(curve.points, 1, #curve.points, 2, {})
        if curve.points[1] then
            -- A distribution function rises from 0 and stays at 1.
            ends[#ends + 1] = { title = curve.title, look = frame.look_of(curve, i), y = 1.0,
                x = curve.points[#curve.points][1] }
            points[1] = { curve.points[1][1], 0.0 }
            points[#points + 1] = { range.to, 1.0 }
        end
        blocks[i] = frame.block(curve.title, points)
        lines[i] = string.format("data index %d using 1:2 with steps %s notitle", i - 1,
            frame.line(frame.look_of(curve, i)))
    end
    local box = { left = LABEL + 4 * TIC, right = WIDTH - RIGHT, top = TOP + frame.ROOM_ABOVE,
        bottom = HEIGHT - BELOW }
    local labels = frame.labels_above(ends, box, range)
    if not labels then -- their names one below the other, at the height where they differ most
        local titles = {}
        for i, one in ipairs(ends) do titles[i] = one.title end
        box.right, box.top = WIDTH - math.min(WIDTH / 3, frame.room_right(titles)), TOP
        labels = frame.labels_right(ends, box, { from = 0, to = 1 })
    end
    local script = { "unset key", "set xlabel " .. gnuplot.quote(label),
        "set ylabel 'fraction of jobs'", frame.range("x", range), "set yrange [0:1]",
        "set title offset 0," .. (box.top > TOP and 1.7 or 0),
        frame.margins(box, WIDTH, HEIGHT) }
    table.move(labels, 1, #labels, #script + 1, script)
    script[#script + 1] = frame.plot(lines)
    return { script = table.concat(script, "\n"), data = table.concat(blocks, "\n\n"),
        width = WIDTH, height = HEIGHT }
end

-- ---- bars ---------------------------------------------------------------------------------------

local BAR = 34 -- from one to the next
local CRUSHED = 5 -- a bar so many times as long as the median crushes the others
local BROKEN = 1.25 -- of the longest of these, where such bars are broken

---Returns where bars are broken; nil where nothing crushes the others.
---@param bars { value: number, half: number|nil }[] sorted
---@return number|nil
function M.break_of(bars)
    local most = #bars > 0 and CRUSHED * bars[(#bars + 1) // 2].value or 0
    if most <= 0 or bars[#bars].value <= most then return nil end
    local longest = 0
    for _, bar in ipairs(bars) do
        if bar.value <= most then longest = math.max(longest, bar.value + (bar.half or 0)) end
    end
    return BROKEN * longest
end

---Returns the bars that have a value, the shortest first; ties as they came.
---@param bars { title: string, value: number|nil, half: number|nil, look: integer|nil }[]
---@return { title: string, value: number, half: number|nil, look: integer }[]
function M.sorted_bars(bars)
    local made = {}
    for i, bar in ipairs(bars) do
        if bar.value then
            made[#made + 1] = { title = bar.title, value = bar.value, half = bar.half,
                look = frame.look_of(bar, i) }
        end
    end
    table.sort(made, function(a, b)
        if a.value ~= b.value then return a.value < b.value end
        return a.look < b.look
    end)
    return made
end

---Draws horizontal bars, each with its number, the shortest above.
---@param bars { title: string, value: number|nil, half: number|nil, look: integer|nil }[]
---@param label string of the axis
---@return pinion.FigureParts
function M.bars(bars, label)
    local list, lines, tics, numbers = M.sorted_bars(bars), {}, {}, {}
    local limit = M.break_of(list) or math.huge
    local low, high, script = 0.0, 0.0, { "unset key", "set grid noytics xtics",
        "set xlabel " .. gnuplot.quote(label) }
    for i, bar in ipairs(list) do
        local half, shown = bar.half or 0.0, math.min(bar.value, limit)
        local is_broken = bar.value > limit
        low = math.min(low, bar.value - (bar.value < 0 and half or 0))
        high = math.max(high, is_broken and limit or math.min(bar.value + half, limit))
        tics[i] = string.format("%s %d", gnuplot.quote(frame.cut(bar.title, WIDTH / 3)), i)
        numbers[i] = text.real(bar.value, 4)
            .. (bar.half and " ±" .. text.real(bar.half, 2) or "")
        lines[i] = table.concat({ i, number(shown + 0.0), bar.half and not is_broken
            and number(half + 0.0) or "NaN", tonumber(frame.colour(bar.look):sub(2), 16),
            numbers[i],
            number(is_broken and limit or math.max(shown, math.min(shown + half, limit)) + 0.0),
            gnuplot.cell(bar.title) }, "\t")
        if is_broken then
            script[#script + 1] = string.format("set label '//' at %s,%d center front textcolor "
                .. "rgb '#ffffff' font ',20'", number(0.95 * limit), i)
        end
    end
    if high <= low then high = low + 1.0 end
    local height = TOP + BAR * #list + BELOW
    local titles = {}
    for i, bar in ipairs(list) do titles[i] = frame.cut(bar.title, WIDTH / 3) end
    local box = { left = 20 + frame.widest(titles), right = WIDTH - 14 - frame.widest(numbers),
        top = TOP, bottom = height - BELOW }
    table.move({ string.format("set xrange [%s:%s]", number(low), number(high)),
        string.format("set yrange [%d.5:0.5]", #list),
        "set ytics (" .. table.concat(tics, ", ") .. ") scale 0", frame.margins(box, WIDTH, height),
        "set style fill solid 1 noborder", "set bars 0.6", frame.plot {
            "data using 2:1:(0):2:($1 - 0.34):($1 + 0.34):4 with boxxyerror linecolor rgb variable",
            "data using 2:1:3 with xerrorbars pointsize 0.01 linewidth 1.5 linecolor rgb '"
                .. frame.INK .. "'",
            "data using 6:1:5 with labels left offset 0.6,0",
        } }, 1, 7, #script + 1, script)
    return { script = table.concat(script, "\n"), data = table.concat(lines, "\n") .. "\n",
        width = WIDTH, height = height }
end

return M
