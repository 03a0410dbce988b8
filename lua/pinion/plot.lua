-- Figures of a comparison by gnuplot: curves of the flow-time distribution, or bars of a mean per policy.
-- Data and script are left beside the figure, so that it can be drawn again by hand.

local check = require "pinion.check"
local fault = require "pinion.fault"
local files = require "pinion.files"
local statistics = require "pinion.statistics"

local M = {}

-- Of a curve, its start at 0 not counted.
local POINTS_MAX = 399

-- Okabe and Ito's colours, which colour-blind readers can tell apart.
local COLOURS = { "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999" }

local TERMINALS = {
    svg = "svg size 720,450 font 'Helvetica,14' background rgb 'white'",
    png = "pngcairo size 1440,900 font 'Helvetica,26'",
    pdf = "pdfcairo size 6in,3.75in font 'Helvetica,12'",
}

local BAR_LABELS = { efficiency_ratio = "flow time / lower bound", efficiency_ratio_tight = "flow time / tight lower bound",
                     mean_flow_time = "mean flow time (slots)" }

local function gnuplot_quote(value)
    return "'" .. value:gsub("'", "''") .. "'"
end

local function shell_quote(value)
    return "'" .. value:gsub("'", "'\\''") .. "'"
end

local function installed()
    return os.execute("command -v gnuplot >/dev/null 2>&1") == true
end

---Points of a distribution function: at most POINTS_MAX, close together where the curve rises and spread over the tail.
---@param counts table<number, number>
---@return number[][] points { value, fraction of samples <= value }
function M.curve(counts)
    local values, total = statistics.sorted_values(counts)
    local points = {}
    if #values == 0 then return points end
    local span = math.log(values[#values] / values[1])
    local steps, below = POINTS_MAX // 2 - 2, 0
    local last_fraction, last_value = -1, values[1]
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

local function style(path, extension)
    return table.concat({
        "set terminal " .. TERMINALS[extension] .. " noenhanced",
        "set output " .. gnuplot_quote(path),
        "set border 3 linewidth 1 linecolor rgb '#404040'",
        "set tics nomirror out textcolor rgb '#404040'",
        "set grid back linetype 1 linewidth 0.5 linecolor rgb '#e0e0e0'",
        "set datafile separator tab",
    }, "\n") .. "\n"
end

local function label(row)
    return row.policy .. (row.relaxed and " (relaxed)" or "")
end

-- The curves of a comparison and the axis they share: from, to, and whether it is logarithmic.
local function read_curves(comparison)
    local curves, low, high = {}, math.huge, 0
    for i, row in ipairs(comparison.rows) do
        local points = M.curve(row.counts or {})
        if points[1] then low, high = math.min(low, points[1][1]), math.max(high, points[#points][1]) end
        curves[i] = points
    end
    if high == 0 then fault.usage("plot: no job has finished, there is nothing to draw") end
    -- Beyond two decades a linear axis shows the tail and nothing else.
    if high / low > 100 then return curves, low / 1.1, high * 1.1, true end
    return curves, 0, high * 1.05, false
end

local function cdf_script(comparison, data, title)
    local blocks, plots = {}, {}
    local curves, from, to, logarithmic = read_curves(comparison)
    for i, row in ipairs(comparison.rows) do
        local lines, points = { "# " .. row.policy }, curves[i]
        if points[1] then
            -- A distribution function rises from 0 and stays at 1.
            table.insert(points, 1, { points[1][1], 0.0 })
            points[#points + 1] = { to, 1.0 }
        end
        for k, point in ipairs(points) do
            lines[k + 1] = string.format("%s\t%s", check.float_text(point[1]), check.float_text(point[2]))
        end
        blocks[i] = table.concat(lines, "\n") .. "\n"
        plots[i] = string.format("%s index %d using 1:2 with steps linewidth 2 linecolor rgb '%s' dashtype %d title %s", gnuplot_quote(data),
            i - 1, COLOURS[(i - 1) % #COLOURS + 1], (i - 1) // #COLOURS + 1, gnuplot_quote(label(row)))
    end
    local script = {
        "set xlabel 'flow time (slots)'", "set ylabel 'fraction of jobs'", "set yrange [0:1]", "set key outside right center reverse Left",
        string.format("set xrange [%s:%s]", check.float_text(from), check.float_text(to)),
    }
    if logarithmic then script[#script + 1] = "set logscale x" end
    if title then script[#script + 1] = "set title " .. gnuplot_quote(title) end
    script[#script + 1] = "plot " .. table.concat(plots, ", \\\n     ") .. "\n"
    return table.concat(script, "\n"), table.concat(blocks, "\n\n")
end

-- About as many letters as fit under the bars side by side.
local LETTERS_MOST = 75

local function labels_collide(rows)
    for i = 2, #rows do
        if (#label(rows[i - 1]) + #label(rows[i])) / 2 + 1 > LETTERS_MOST / #rows then return true end
    end
    return false
end

local function bars_script(comparison, data, title, of)
    local lines, has_half, has_value = {}, false, false
    for i, row in ipairs(comparison.rows) do
        local value, half = row[of], row[of .. "_half"]
        has_half, has_value = has_half or half ~= nil, has_value or value ~= nil
        lines[i] = string.format("%d\t%s\t%s\t%s\t%d", i, label(row), value and check.float_text(value) or "?",
            check.float_text(half or 0.0), tonumber(COLOURS[(i - 1) % #COLOURS + 1]:sub(2), 16))
    end
    if not has_value then fault.usage("plot: no policy has %s here, there is nothing to draw", of) end
    local script = {
        "set ylabel " .. gnuplot_quote(BAR_LABELS[of]), "set yrange [0:*]", "unset key", "set style fill solid 1 border rgb '#404040'",
        "set boxwidth 0.6", string.format("set xrange [0.4:%d.6]", #lines), "set datafile missing '?'",
        "set grid noxtics",
    }
    if labels_collide(comparison.rows) then script[#script + 1] = "set xtics rotate by 35 right" end
    if title then script[#script + 1] = "set title " .. gnuplot_quote(title) end
    local columns, boxes = "1:3:5", "boxes"
    if has_half then columns, boxes = "1:3:4:(0.6):5", "boxerrorbars" end
    local plot = string.format("plot %s using %s:xtic(2) with %s linecolor rgb variable", gnuplot_quote(data), columns, boxes)
    return table.concat(script, "\n") .. "\n" .. plot .. "\n", table.concat(lines, "\n") .. "\n"
end

local function read_options(comparison, options)
    if type(options) ~= "table" then fault.usage("plot: expected a table of options, got %s", check.show(options)) end
    local key, why = check.unknown_key(options, { kind = true, of = true, title = true }, "option")
    if key ~= nil then fault.usage("plot: %s: %s", key, why) end
    local kind, reason = check.choice(options.kind or "cdf", { "cdf", "bars" })
    if not kind then fault.usage("plot: kind %s", reason) end
    local of, known = options.of, { "flow_time" }
    if kind == "bars" then
        known = check.sorted_keys(BAR_LABELS)
        of = of or (comparison.bounds ~= "none" and "efficiency_ratio" or "mean_flow_time")
    end
    of, reason = check.choice(of or "flow_time", known)
    if not of then fault.usage("plot: of %s", reason) end
    local title
    if options.title ~= nil then
        title, reason = check.text(options.title)
        if not title then fault.usage("plot: title %s", reason) end
    end
    return kind, of, title
end

local function write_file(path, content)
    local sink = files.output(path)
    sink.write(content)
    sink.close()
end

---@param comparison pinion.Comparison
---@param path string
---@param options table
---@return boolean drawn
function M.draw(comparison, path, options)
    local name, why = check.text(path)
    if not name then fault.usage("plot: file name %s", why) end
    local base, extension = name:match("^(.+)%.(%a+)$")
    if not TERMINALS[extension or ""] then
        fault.usage("plot: file name must end in .svg, .png or .pdf, got %s", check.show(path))
    end
    local kind, of, title = read_options(comparison, options)
    local data = base .. ".dat"
    local make = kind == "cdf" and cdf_script or bars_script
    local script, content = make(comparison, data, title, of)
    write_file(data, content)
    write_file(base .. ".gp", style(name, extension) .. script)
    if not installed() then
        io.stderr:write(string.format("pinion: gnuplot is not installed: %s is not drawn (data and script are in %s and %s.gp)\n",
            name, data, base))
        return false
    end
    if not os.execute("gnuplot " .. shell_quote(base .. ".gp")) then fault.run("gnuplot could not draw %s", name) end
    return true
end

return M
