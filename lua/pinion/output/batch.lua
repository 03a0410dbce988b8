-- What results of a batch say: the schedule, and how far it is from the best.

local parts = require "pinion.output.parts"
local result_columns = require "pinion.models.columns"
local text = require "pinion.base.text"

local M = {}

---Nothing arrives, nothing grows.
M.grows = false

-- ---- one result ---------------------------------------------------------------------------------

---Describes a result in text, through `add(label, format, …)`.
---@param model pinion.Model
---@param result pinion.Result
---@param add fun(label: string, format: string, ...)
function M.describe(model, result, add)
    model.words.describe(result, add)
    add("95 % intervals", "none for quantiles: %s", result.no_quantile_limits)
end

---Adds how the run came about: fields of JSON.
---@param result pinion.Result
---@param add fun(name: string, value: any)
function M.add_run(result, add)
    add("no_quantile_limits", result.no_quantile_limits)
end

---Returns the columns of csv files of results.
---@param model pinion.Model
---@return string[]
function M.result_columns(model)
    local columns = { "policy", "submitted", "finished", "complete",
        table.unpack(model.results.facts) }
    local function add(name) columns[#columns + 1] = name end
    for _, column in ipairs(model.results.columns) do
        if parts.is_in_csv(column) then
            add(column.name)
            if result_columns.shows(column, "exact") then add(column.name .. "_exact") end
        end
    end
    add "seed"
    add "digest"
    return columns
end

-- ---- comparisons and sweeps ---------------------------------------------------------------------

---Returns what is below the table, beside the model's own legend.
---@return string
function M.legend()
    return ""
end

-- Returns whether rows estimate the times of stages differently, so that they do not compare.
local function mixes_stages(comparison)
    local first
    for _, row in ipairs(comparison.rows) do
        first = first or row.stage_time
        if row.stage_time and row.stage_time ~= first then return true end
    end
    return false
end

-- Returns whether some run was ended before all jobs were done.
local function is_partial(comparison)
    for _, row in ipairs(comparison.rows) do
        if row.complete == false then return true end
    end
    return false
end

-- Returns the ratio of map to reduce slots that a row found.
local function slots_text(row)
    return row.chosen and string.format("%dx%d", row.chosen.map_slots, row.chosen.reduce_slots)
        or "-"
end

---Adds columns of tables behind the first measure, through `add(title, cell, swept, meaning)`.
---@param comparison pinion.Comparison|pinion.Sweep
---@param _ pinion.Model
---@param add fun(title: string, cell: (fun(row: table): string), swept: boolean|nil, meaning: string|nil)
---@param add_sd fun() adds the column of standard deviations, where there is one
function M.add_spread(comparison, _, add, add_sd)
    if is_partial(comparison) then
        add("finished", function(row) return text.amount(row.finished) end, true,
            "finished: jobs that finished before the run was stopped")
    end
    add_sd()
end

---Adds columns of tables behind all measures.
---@param comparison pinion.Comparison|pinion.Sweep
---@param add fun(title: string, cell: (fun(row: table): string), swept: boolean|nil, meaning: string|nil)
function M.add_last(comparison, add)
    if mixes_stages(comparison) then
        add("stages", function(row) return row.stage_time or "-" end, true,
            "stages: the value of stage_time; compare only rows with the same value")
    end
    if comparison.rows[1] and comparison.rows[1].chosen then add("slots", slots_text, true) end
end

---Adds more columns of a sweep.
---@param sweep pinion.Sweep
---@param add fun(column: table)
function M.add_swept(sweep, add)
    if sweep.replicas > 1 then return end
    add { "order", function(row) return text.ids(row.order) end, left = true }
end

---Returns what is below the table of a sweep: whether each policy's order is the same in all cells;
---"" where that is not known.
---@param sweep pinion.Sweep
---@return string lines
function M.sweep_notes(sweep)
    local orders, names, changes = {}, {}, {}
    for _, row in ipairs(sweep.rows) do
        if not row.order then return "" end
        local order, name = table.concat(row.order, " "), row.policy
        if not orders[name] then names[#names + 1], orders[name] = name, order end
        changes[name] = changes[name] or orders[name] ~= order
    end
    local stable, unstable = {}, {}
    for _, name in ipairs(names) do
        local list = changes[name] and unstable or stable
        list[#list + 1] = name
    end
    local lines = ""
    if #stable > 0 then
        lines = lines .. "the same order in every cell: " .. table.concat(stable, ", ") .. "\n"
    end
    if #unstable > 0 then
        lines = lines .. "the order changes from cell to cell: " .. table.concat(unstable, ", ")
            .. "\n"
    end
    return lines
end

---Returns the columns of csv files of rows over replicas: behind the first measure, and at the end.
---@param model pinion.Model
---@return string[] spread, string[] last
function M.replica_columns(model)
    local columns = { "complete", "optimal", table.unpack(model.results.facts) }
    for _, column in ipairs(model.results.columns) do
        if result_columns.shows(column, "exact") then
            columns[#columns + 1] = column.name .. "_exact"
        end
    end
    return {}, table.move({ "lower_bound", "lower_bound_tight", "order", "digest" }, 1, 4,
        #columns + 1, columns)
end

---Adds fields of a row in JSON, in front of the measures.
---@param row pinion.ComparisonRow
---@param add fun(name: string, value: any)
---@param model pinion.Model
---@param is_axis fun(name: string): boolean whether the row has it beside it
function M.add_row(row, add, model, is_axis)
    if not row.complete then add("complete", false) end
    for _, name in ipairs(model.results.facts) do
        if row[name] ~= nil and not is_axis(name) then add(name, row[name]) end
    end
end

---Adds fields of a row in JSON behind the measures.
---@param row pinion.ComparisonRow
---@param add fun(name: string, value: any)
function M.add_bounds(row, add)
    for _, name in ipairs { "lower_bound", "lower_bound_tight" } do
        if row[name] then add(name, row[name]) end
        if row[name .. "_exact"] then add(name .. "_exact", row[name .. "_exact"]) end
    end
    if row.optimal then add("optimal", row.optimal) end
    if row.order then add("order", parts.copy_list(row.order)) end
end

return M
