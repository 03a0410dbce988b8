-- Timelines as tables, csv, JSON, and figures: a panel for each series, a line for each policy.

local check = require "pinion.base.check"
local csv = require "pinion.base.csv"
local document = require "pinion.output.document"
local figures = require "pinion.output.plot_frame"
local gnuplot = require "pinion.output.gnuplot"
local json = require "pinion.base.json"
local models = require "pinion.models"
local svg = require "pinion.output.svg"
local text = require "pinion.base.text"

local M = {}

-- Returns where a bucket begins, from 0.
local function edge(made, i)
    local place = made.from + (made.to - made.from) * i / made.count
    return math.tointeger(place) or place
end

-- ---- tables -------------------------------------------------------------------------------------

-- Returns a table for each policy; of each run how many rows there are, what they begin with, and
-- where each of them does.
local function tables_of(made, rows_of_run)
    local doc, words = document.new(), models.find(made.model).words
    for i, run in ipairs(made.runs) do
        if i > 1 then doc:gap() end
        doc:lines(run.policy)
        local count, head, place = rows_of_run(run)
        local columns, rows = { { head, right = true } }, {}
        for k, name in ipairs(made.names) do columns[k + 1] = { name, right = true } end
        for x = 1, count do
            local at = place(x)
            rows[x] = { words.moment(math.tointeger(at) or at) }
            for k, name in ipairs(made.names) do
                rows[x][k + 1] = run.series[name] and text.number(run.series[name][x], 2) or "-"
            end
        end
        doc:table(columns, rows)
    end
    return doc
end

---Makes a row for each bucket, a table for each policy.
---@param made pinion.Timeline
---@return pinion.Document
function M.document(made)
    return tables_of(made, function() return made.count, "from",
        function(x) return edge(made, x - 1) end end)
end

---Makes a row for each change, a table for each policy.
---@param made pinion.TimelineSteps
---@return pinion.Document
function M.steps_document(made)
    return tables_of(made, function(run) return #run.times, "time",
        function(x) return run.times[x] end end)
end

-- ---- files --------------------------------------------------------------------------------------

local function cell(value)
    return check.float_text(value + 0.0)
end

-- Makes a row for each policy and place, with the values of all series there behind `head`.
local function rows_of(made, head, write, count_of, places_of)
    local names = {}
    for k, name in ipairs(made.names) do names[k] = csv.quote(name) end
    write("policy," .. head .. "," .. table.concat(names, ",") .. "\n")
    for _, run in ipairs(made.runs) do
        for x = 1, count_of(run) do
            local cells = { csv.quote(run.policy), places_of(run, x) }
            for _, name in ipairs(made.names) do
                local values = run.series[name]
                cells[#cells + 1] = values and cell(values[x]) or ""
            end
            write(table.concat(cells, ",") .. "\n")
        end
    end
end

---Writes a row for each policy and bucket.
---@param made pinion.Timeline
---@param write fun(text: string)
function M.csv(made, write)
    rows_of(made, "from,to", write, function() return made.count end,
        function(_, x) return cell(edge(made, x - 1)) .. "," .. cell(edge(made, x)) end)
end

---Writes a row for each policy and change.
---@param made pinion.TimelineSteps
---@param write fun(text: string)
function M.steps_csv(made, write)
    rows_of(made, "time", write, function(run) return #run.times end,
        function(run, x) return cell(run.times[x]) end)
end

local function list(values)
    return json.list(table.move(values, 1, #values, 1, {}))
end

-- Makes an object also where nothing is known.
local function capacity_object(run)
    return next(run.capacity) and json.tree(run.capacity) or json.object {}
end

local function series_object(names, run)
    local series = {}
    for k, name in ipairs(names) do
        series[k] = { name, run.series[name] and list(run.series[name]) }
    end
    return json.object(series)
end

-- Returns the runs, each with what is in front of its series.
local function runs_of(made, front)
    return json.rows(#made.runs, function(i)
        local run = made.runs[i]
        local fields = { { "policy", run.policy }, { "capacity", capacity_object(run) } }
        fields[#fields + 1] = front and front(run)
        fields[#fields + 1] = { "series", series_object(made.names, run) }
        return json.encode(json.object(fields))
    end)
end

---@param made pinion.Timeline
---@param write fun(text: string)
function M.json(made, write)
    json.write({ { "model", made.model }, { "from", made.from }, { "to", made.to },
        { "buckets", made.count }, { "width", made.width }, { "runs", runs_of(made) } }, write)
    write("\n")
end

---@param made pinion.TimelineSteps
---@param write fun(text: string)
function M.steps_json(made, write)
    json.write({ { "model", made.model }, { "runs", runs_of(made, function(run)
        return { "times", list(run.times) }
    end) } }, write)
    write("\n")
end

---Returns what a run recorded, as a value of its result.
---@param made pinion.Timeline
---@return any
function M.object(made)
    local run = made.runs[1]
    return json.object { { "from", made.from }, { "to", made.to }, { "buckets", made.count },
        { "width", made.width }, { "capacity", capacity_object(run) },
        { "series", series_object(made.names, run) } }
end

-- ---- figures ------------------------------------------------------------------------------------

-- In points of the screen: of a panel; of what stands above and below all of them; beside them.
local PANEL, TOP, BOTTOM, LEFT, RIGHT, WIDTH = 120, 40, 60, 90, 30, 860
local GAP, TICKS_MOST = 18, 4
-- Numbers that are as large are written as 150k.
local SHORT_FROM = 10000

local function most_of(made, name)
    local most = made.runs[1].capacity[name] or 0
    for _, run in ipairs(made.runs) do
        for _, mean in ipairs(run.series[name] or {}) do most = math.max(most, mean) end
    end
    return most > 0 and most or 1
end

local function data_of(made)
    local lines = {}
    for x = 0, made.count do
        local cells = { check.float_text(edge(made, x) / made.unit) }
        for _, name in ipairs(made.names) do
            for _, run in ipairs(made.runs) do
                local means = run.series[name]
                cells[#cells + 1] = means and check.float_text(means[math.min(x + 1, made.count)])
                    or "?"
            end
        end
        lines[#lines + 1] = table.concat(cells, "\t")
    end
    return table.concat(lines, "\n") .. "\n"
end

local function panel(made, k, name, height)
    local plots, capacity = {}, made.runs[1].capacity[name]
    local top = (TOP + (k - 1) * PANEL) / height
    local bottom = (TOP + k * PANEL - GAP) / height
    if capacity then
        plots[1] = string.format("%s with lines linewidth 1 linecolor rgb '#808080' dashtype 3 "
            .. "title ''", check.float_text(capacity + 0.0))
    end
    for i, run in ipairs(made.runs) do
        plots[#plots + 1] = string.format("data using 1:%d with steps %s title %s",
            1 + (k - 1) * #made.runs + i, figures.line(i),
            gnuplot.quote(k == 1 and run.policy or ""))
    end
    local most = most_of(made, name)
    return string.format("set tmargin at screen %.4f\nset bmargin at screen %.4f\n"
        .. "set yrange [0:%s]\nset ytics 0,%s\nset format y '%s'\nset ylabel %s\nplot %s\n",
        1 - top, 1 - bottom, check.float_text(1.04 * most),
        check.float_text(svg.step_of(most, TICKS_MOST)),
        most >= SHORT_FROM and "%s%c" or "%g", gnuplot.quote(name),
        table.concat(plots, ", \\\n     "))
end

---@param made pinion.Timeline
---@param path string .svg, .png or .pdf
---@return boolean drawn
function M.figure(made, path)
    local height = TOP + PANEL * #made.names + BOTTOM
    local script = { "set multiplot\n", string.format(
        "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", LEFT / WIDTH,
        1 - RIGHT / WIDTH), string.format("set xrange [%s:%s]\n",
            check.float_text(made.from / made.unit), check.float_text(made.to / made.unit)),
        "set key at screen 0.96,screen ", check.float_text(1 - 16 / height),
        " right horizontal\nset format x ''\n" }
    for k, name in ipairs(made.names) do
        if k == #made.names then
            script[#script + 1] = string.format("set format x '%%g'\nset xlabel %s\n",
                gnuplot.quote(made.axis))
        end
        script[#script + 1] = panel(made, k, name, height)
    end
    script[#script + 1] = "unset multiplot\n"
    return gnuplot.draw { path = path, width = WIDTH, height = height,
        data = data_of(made), script = table.concat(script) }
end

return M
