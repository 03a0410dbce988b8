-- The result of tuning as aligned text, JSON and csv: the best configurations, all that ran, and
-- the comparison on fresh seeds.

local check = require "pinion.base.check"
local comparisons = require "pinion.output.comparison"
local csv = require "pinion.base.csv"
local document = require "pinion.output.document"
local json = require "pinion.base.json"
local models = require "pinion.models"
local parts = require "pinion.output.parts"
local text = require "pinion.base.text"

local M = {}

local function value_text(value)
    if math.type(value) == "float" then return (string.format("%.6g", value)) end
    return value == nil and "-" or tostring(value)
end

local function amount(value, half)
    if not value then return "-" end
    local shown = string.format("%.4g", value)
    return half and string.format("%s ±%.2g", shown, half) or shown
end

local function signed(value, half)
    return (value and value > 0 and "+" or "") .. amount(value, half)
end

-- Returns what writes the values of a measure, and their differences.
local function writers_of(made, measure, is_relative)
    local label = parts.labels(models.of(made))[measure]
    if not is_relative and label and label:find "%(ms%)$" then
        return text.duration, text.signed_duration
    end
    return amount, signed
end

-- More configurations are in csv and JSON only.
local SHOWN = 5

-- Returns the best ones, and the defaults wherever they stand.
local function shown_of(made)
    local shown = {}
    for i, one in ipairs(made.configurations) do
        if i <= SHOWN and not one.dropped or one.default then shown[#shown + 1] = one end
    end
    return shown
end

local function table_of(made)
    local columns, rows = {}, {}
    local write, write_difference = writers_of(made, made.goal, made.relative)
    for i, axis in ipairs(made.over) do
        columns[i] = { axis.name, right = type(axis.low or axis.values[1]) == "number" }
    end
    for _, name in ipairs { made.goal, "vs best", "seeds" } do
        columns[#columns + 1] = { name, right = true }
    end
    columns[#columns + 1] = { "" }
    for r, one in ipairs(shown_of(made)) do
        local row = {}
        for i, axis in ipairs(made.over) do row[i] = value_text(one.values[axis.name]) end
        row[#row + 1] = write(one.mean)
        row[#row + 1] = r == 1 and "-" or write_difference(one.difference, one.difference_half)
        row[#row + 1] = tostring(one.seeds)
        local words = {}
        if r == 1 then words[1] = "best" end
        if one.default then words[#words + 1] = "default" end
        if not one.feasible then words[#words + 1] = "beyond the limits" end
        row[#row + 1] = table.concat(words, ", ")
        rows[r] = row
    end
    return columns, rows
end

-- Returns the goal and the limited measures on fresh seeds.
local function measures_table(made, list)
    local columns = { { "on fresh seeds" }, { "policy" }, { "mean", right = true },
        { "vs default", right = true } }
    local rows = {}
    for r, one in ipairs(list) do
        local write, write_difference = writers_of(made, one.measure)
        rows[r] = { one.measure, one.policy, write(one.mean, one.mean_half),
            write_difference(one.difference, one.difference_half) }
    end
    return columns, rows
end

-- Returns the goal and the limits, as a title.
local function task_of(made)
    local words = { string.format("%s of %s, as %s as possible", made.goal, made.policy,
        made.maximize and "large" or "small") }
    for _, limit in ipairs(made.limits) do words[#words + 1] = limit end
    return table.concat(words, ", ")
end

---@param made pinion.Tune
---@return pinion.Document
function M.document(made)
    local doc = document.new()
    doc:lines(task_of(made))
    doc:gap()
    local columns, rows = table_of(made)
    doc:table(columns, rows, nil, "Best values")
    doc:gap()
    doc:lines(string.format("%s, %s, %s, seed %d; the best ones were compared on %s",
        text.count(#made.configurations, "configuration"), text.count(made.races, "race"),
        text.count(made.used, "run"), made.seed, text.count(made.seeds, "seed")))
    if made.relative then
        doc:lines("of several workloads: relative to the defaults, by the weights")
    end
    if not made.feasible then doc:lines "no configuration keeps to the limits" end
    doc:lines "vs best: paired difference over the seeds of the configuration"
    doc:lines("the search favours lucky configurations; only fresh seeds show how good the "
        .. "best one is")
    doc:gap()
    doc:lines((made.is_default and "the defaults are the best: " or "tuned: ") .. made.best_policy)
    for w, one in ipairs(made.comparisons) do
        doc:gap()
        columns, rows = measures_table(one, made.measures[w])
        doc:table(columns, rows, nil, "On fresh seeds")
        doc:gap()
        doc:add(comparisons.document(one, true), "Comparison")
    end
    return doc
end

local function cell(value)
    if value == nil then return "" end
    if math.type(value) == "float" then return check.float_text(value) end
    return csv.quote(value)
end

---Writes one row per configuration, with a header.
---@param made pinion.Tune
---@param write fun(text: string)
function M.csv(made, write)
    local header = {}
    for i, axis in ipairs(made.over) do header[i] = csv.quote(axis.name) end
    for _, name in ipairs { made.goal, made.goal .. "_half", "difference", "difference_half",
            "seeds", "race", "dropped", "feasible", "default" } do
        header[#header + 1] = csv.quote(name)
    end
    write(table.concat(header, ",") .. "\n")
    for _, one in ipairs(made.configurations) do
        local cells = {}
        for i, axis in ipairs(made.over) do cells[i] = cell(one.values[axis.name]) end
        local own = table.pack(one.mean, one.mean_half, one.difference, one.difference_half,
            one.seeds, one.race, one.dropped, one.feasible, one.default)
        for i = 1, own.n do cells[#cells + 1] = cell(own[i]) end
        write(table.concat(cells, ",") .. "\n")
    end
end

local function values_object(made, values)
    local fields = {}
    for i, axis in ipairs(made.over) do fields[i] = { axis.name, values[axis.name] } end
    return json.object(fields)
end

local function measures_list(made)
    local list = {}
    for w, rows in ipairs(made.measures) do
        for _, one in ipairs(rows) do
            list[#list + 1] = json.object { { "workload", made.comparisons[w].workload },
                { "measure", one.measure }, { "policy", one.policy }, { "mean", one.mean },
                { "mean_half", one.mean_half }, { "difference", one.difference },
                { "difference_half", one.difference_half } }
        end
    end
    return json.list(list)
end

local function axis_object(axis)
    if axis.values then
        return json.object { { "name", axis.name },
            { "values", json.list(table.move(axis.values, 1, #axis.values, 1, {})) } }
    end
    return json.object { { "name", axis.name }, { "low", axis.low }, { "high", axis.high },
        { "log", axis.log or false } }
end

-- Writes the comparisons, one behind the other.
local function comparisons_writer(made)
    return function(write, indent)
        write("[")
        for i, one in ipairs(made.comparisons) do
            write(i == 1 and "" or ", ")
            json.write(comparisons.fields(one, false), write, indent .. "  ")
        end
        write("]")
    end
end

---@param made pinion.Tune
---@param write fun(text: string)
function M.json(made, write)
    local over, limits = {}, {}
    for i, axis in ipairs(made.over) do over[i] = axis_object(axis) end
    for i, limit in ipairs(made.limits) do limits[i] = limit end
    json.write({
        { "model", made.model }, { "policy", made.policy }, { "goal", made.goal },
        { "maximize", made.maximize }, { "limits", json.list(limits) },
        { "over", json.list(over) }, { "runs", made.runs }, { "used", made.used },
        { "races", made.races }, { "seeds", made.seeds },
        { "best", values_object(made, made.best) },
        { "best_policy", made.best_policy }, { "is_default", made.is_default },
        { "feasible", made.feasible },
        { "configurations", json.rows(#made.configurations, function(i)
            local one = made.configurations[i]
            return json.encode(json.object {
                { "values", values_object(made, one.values) }, { "mean", one.mean },
                { "mean_half", one.mean_half }, { "difference", one.difference },
                { "difference_half", one.difference_half }, { "seeds", one.seeds },
                { "race", one.race },
                { "dropped", one.dropped }, { "feasible", one.feasible },
                { "default", one.default },
            })
        end) },
        { "measures", measures_list(made) },
        { "comparisons", comparisons_writer(made) },
        { "pinion", made.pinion }, { "seed", made.seed },
    }, write)
    write("\n")
end

return M
