-- Results of a batch, whose jobs are all there at the start: a schedule, and how far it is from the
-- best. Nothing arrives, grows or warms up.

local result_columns = require "pinion.models.columns"

local M = {}

---The bounds depend on the rules and slots of a run: every run has its own.
M.shares_bounds = false

---Sets nothing: see M.shares_bounds.
function M.set_bounds()
end

---Sets what results of this kind have besides the columns, from what the core returned: the
---settings that a search for the best may have changed.
---@param result pinion.Result
---@param model pinion.Model
---@param _ pinion.Settings
---@param raw table
function M.set(result, model, _, raw)
    result.no_quantile_limits = "the jobs of a batch depend on each other; replicas give intervals"
    for _, name in ipairs(model.results.facts) do
        if raw[name] ~= nil then result[name] = raw[name] end
    end
    for _, column in ipairs(model.results.columns) do
        if result_columns.shows(column, "exact") then
            local name = column.name .. "_exact"
            result[name] = raw[name]
        end
    end
end

-- ---- rows of comparisons ------------------------------------------------------------------------

---Returns what a run leaves behind besides its measures.
---@param summary table
---@param result pinion.Result
---@param model pinion.Model
function M.summarise(summary, result, model)
    summary.facts, summary.exact = {}, {}
    for _, name in ipairs(model.results.facts) do summary.facts[name] = result[name] end
    for _, column in ipairs(model.results.columns) do
        if result_columns.shows(column, "exact") then
            summary.exact[column.name .. "_exact"] = result[column.name .. "_exact"]
        end
    end
    summary.lower_bound, summary.lower_bound_tight = result.lower_bound, result.lower_bound_tight
    summary.optimal = result.optimal or (result.gap_tight and false)
    summary.complete, summary.proof = result.complete, result.proof
    summary.order, summary.pools, summary.ratios = result.order, result.pools, result.ratios
    summary.chosen = result.ratios and result.complete
        and { map_slots = result.map_slots, reduce_slots = result.reduce_slots } or nil
end

---Begins a row with what it has before its first run.
---@param row table
function M.begin(row)
    row.complete, row.proofs = true, {}
end

-- Adds facts. A fact stays as long as all runs agree on it.
local function add_facts(row, summary)
    for name, value in next, summary.facts do
        if row.last == nil then row[name] = value elseif row[name] ~= value then row[name] = nil end
    end
    for name in next, row.last and row.last.facts or {} do
        if summary.facts[name] == nil then row[name] = nil end
    end
end

---Adds a run to its row.
---@param row table
---@param summary table
function M.add(row, summary)
    add_facts(row, summary)
    row.complete = row.complete and summary.complete
    if summary.proof then row.proofs[summary.proof] = (row.proofs[summary.proof] or 0) + 1 end
    if summary.optimal ~= nil then
        row.optimal = (row.optimal or 0) + (summary.optimal and 1 or 0)
    end
end

---@return boolean whether a run can be compared with others: of a batch that was not finished there is nothing to compare
function M.is_comparable(summary)
    return summary.complete
end

return M
