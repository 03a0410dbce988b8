-- Sweeps as aligned text, JSON and csv: the rows of a comparison for every cell, with the values of
-- the cell beside them.

local comparisons = require "pinion.output.comparison"
local csv = require "pinion.base.csv"
local document = require "pinion.output.document"
local json = require "pinion.base.json"
local notices = require "pinion.run.notices"
local parts = require "pinion.output.parts"

local M = {}

-- ---- text ---------------------------------------------------------------------------------------

-- Writes the value of an axis; of a policy without the parameter, none.
local function value_text(value)
    return value == nil and "-" or (tostring(value):gsub("%.0$", ""))
end

local function columns_of(sweep)
    local columns = {}
    for i, axis in ipairs(sweep.over) do
        columns[i] = { axis.name, function(row) return value_text(row[axis.name]) end,
            left = type(axis.values[1]) ~= "number" }
    end
    local function add(column) columns[#columns + 1] = column end
    if sweep.own_replicas then
        add { "replicas", function(row) return tostring(row.replicas) end }
    end
    for _, column in ipairs(comparisons.columns(sweep)) do
        if column.swept then add(column) end
    end
    parts.kind_of(parts.model_of(sweep)).add_swept(sweep, add)
    if sweep.growing then
        add { "", function(row) return row.growing and "growing" or "" end, left = true }
    end
    return columns
end

---@param sweep pinion.Sweep
---@return pinion.Document
function M.document(sweep)
    local columns, doc = columns_of(sweep), document.new()
    doc:lines(parts.mode_text(sweep.title))
    doc:gap()
    local titles, cells = comparisons.cells(columns, sweep.rows)
    titles.keep = #sweep.over + 1
    doc:table(titles, cells, parts.width())
    doc:gap()
    local function add(line) doc:lines(line) end
    if sweep.growing then add("growing: " .. notices.GROWING .. "\n") end
    add(parts.kind_of(parts.model_of(sweep)).sweep_notes(sweep))
    add(comparisons.admission_text(sweep))
    add(parts.rules_line(sweep.rules))
    add(comparisons.closing_line(sweep))
    add(comparisons.few_replicas_text(sweep))
    add(comparisons.legend(sweep, columns))
    return doc
end

-- ---- csv and JSON -------------------------------------------------------------------------------

-- Returns whether the rows have this beside them already.
local function axis_finder(sweep)
    local names = {}
    for _, axis in ipairs(sweep.over) do names[axis.name] = true end
    return function(name) return names[name] ~= nil end
end

---Writes one row per cell and policy, and one per group of its jobs, with a header.
---@param sweep pinion.Sweep
---@param write fun(text: string)
function M.csv(sweep, write)
    local columns, is_axis, model = {}, axis_finder(sweep), parts.model_of(sweep)
    for i, axis in ipairs(sweep.over) do columns[i] = axis.name end
    for _, name in ipairs(parts.present(model, comparisons.replica_columns(model), sweep.rows)) do
        if not is_axis(name) then columns[#columns + 1] = name end
    end
    local groups
    columns, groups = parts.with_group(model, columns, sweep.rows)
    columns = parts.with_timelines(columns, sweep.rows)
    local header = {}
    for i, column in ipairs(columns) do header[i] = csv.quote(column) end
    write(table.concat(header, ",") .. "\n")
    for _, row in ipairs(sweep.rows) do
        local cell = {}
        for _, axis in ipairs(sweep.over) do cell[axis.name] = row[axis.name] end
        comparisons.csv_lines(model, columns, row, groups and cell, write)
    end
end

-- Returns the values of the cell, and the row.
local function row_fields(sweep, row)
    local fields = {}
    for i, axis in ipairs(sweep.over) do fields[i] = { axis.name, row[axis.name] } end
    if sweep.own_replicas then fields[#fields + 1] = { "replicas", row.replicas } end
    local own = comparisons.row_fields(sweep, row, sweep.replicas > 1, axis_finder(sweep))
    return table.move(own, 1, #own, #fields + 1, fields)
end

---@param sweep pinion.Sweep
---@param write fun(text: string)
function M.json(sweep, write)
    local over, fields = {}, {}
    for i, axis in ipairs(sweep.over) do
        over[i] = json.object { { "name", axis.name },
            { "values", parts.copy_list(axis.values) } }
    end
    local function add(name, value) fields[#fields + 1] = { name, value } end
    add("model", sweep.model)
    add("workload", sweep.workload)
    add("over", json.list(over))
    add("replicas", sweep.replicas)
    if sweep.interrupted then
        add("cells", sweep.cells)
        add("cells_complete", sweep.cells_complete)
    end
    add("baseline", sweep.baseline)
    add("rows", comparisons.rows_writer(sweep.rows,
        function(row) return row_fields(sweep, row) end))
    if sweep.interrupted then add("interrupted", true) end
    if parts.kind_of(parts.model_of(sweep)).grows then add("growing", sweep.growing) end
    add("pinion", parts.VERSION)
    if sweep.seed then add("seed", sweep.seed) end
    json.write(fields, write)
    write("\n")
end

return M
