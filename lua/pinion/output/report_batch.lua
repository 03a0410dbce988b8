-- What results of a batch say in the place of what streams of jobs say: the schedule instead of
-- flow and response times.

local core = require "pinion.core"
local json = require "pinion.base.json"
local text = require "pinion.base.text"

local M = {}

-- Ids of an order beyond which a table shows its beginning.
local IDS_MOST = 12

---@param pool { nodes: integer, jobs: integer[], map_slots: integer|nil, reduce_slots: integer|nil }
function M.pool_object(pool)
    local fields = { { "nodes", pool.nodes } }
    if pool.map_slots then
        fields[2], fields[3] = { "map_slots", pool.map_slots },
            { "reduce_slots", pool.reduce_slots }
    end
    fields[#fields + 1] = { "jobs", json.list(table.move(pool.jobs, 1, #pool.jobs, 1, {})) }
    return json.object(fields)
end

local function pools_list(pools)
    local list = {}
    for i, pool in ipairs(pools) do list[i] = M.pool_object(pool) end
    return json.list(list)
end

-- A value, and its exact form where it has one.
local function add_exact(result, name, add)
    add(name, result[name])
    if result[name .. "_exact"] then add(name .. "_exact", result[name .. "_exact"]) end
end

local function ratio_rows(ratios)
    return json.rows(#ratios, function(i)
        local ratio = ratios[i]
        local fields = { { "map_slots", ratio.map_slots }, { "reduce_slots", ratio.reduce_slots } }
        add_exact(ratio, "makespan", function(name, value) fields[#fields + 1] = { name, value }
            end)
        return json.encode(json.object(fields))
    end)
end

---Fields of the JSON of a result, through `add(name, value)`.
---@param result pinion.Result
---@param add fun(name: string, value: any)
function M.add_schedule(result, add)
    add("order", result.order and json.list(table.move(result.order, 1, #result.order, 1, {})))
    if result.pools then add("pools", pools_list(result.pools)) end
    for _, name in ipairs { "makespan", "total_completion_time", "mean_completion_time",
        "map_utilisation", "reduce_utilisation",
                            "utilisation", "lower_bound", "gap" } do
        add_exact(result, name, add)
    end
    if result.bounds == "tight" or result.lower_bound_tight or result.proof then
        add_exact(result, "lower_bound_tight", add)
        add_exact(result, "gap_tight", add)
        add("optimal", result.optimal or result.gap_tight and false)
    end
    add("evaluations", result.evaluations)
    if result.nodes_searched > 0 or result.proof == "large" then
        add("nodes_searched", result.nodes_searched)
    end
    if result.stage_time then add("stage_time", result.stage_time) end
    if result.ratios then add("ratios", ratio_rows(result.ratios)) end
end

---Job ids as a table shows them.
---@param order integer[]|nil
---@return string
function M.order_text(order)
    if not order then return "-" end
    if #order <= IDS_MOST then return table.concat(order, " ") end
    return string.format("%s … (%d jobs)", table.concat(order, " ", 1, IDS_MOST), #order)
end

-- Whether a number's digits say all of an exact value.
local function says_all(digits, exact)
    local ok, same = pcall(function() return core.exact(digits) == core.exact(exact) end)
    return ok and same
end

-- "35.667 ≈ 107/3", or "3.5 = 7/2" where nothing is rounded.
local function exact_text(result, name)
    local exact, digits = result[name .. "_exact"], text.real(result[name])
    if not exact then return digits end
    return digits .. (says_all(digits, exact) and " = " or " ≈ ") .. exact
end

local function percent(value)
    if value > 0 and value < 0.00005 then return "less than 0.01 %" end
    return text.number(100 * value, 2):gsub("%.00$", "") .. " %"
end

-- The makespan with what is known of its distance from the best.
local function makespan_text(result)
    local words = exact_text(result, "makespan")
    if not result.complete then return words .. " (so far)" end
    if result.optimal then return words .. ", optimal: no schedule ends earlier" end
    local tight = result.gap_tight ~= nil
    local gap = result[tight and "gap_tight" or "gap"]
    if gap == nil then return words end
    local name = tight and "proven bound" or "lower bound"
    if gap == 0 then return string.format("%s, equal to the %s", words, name) end
    return string.format("%s, %s above the %s %s", words, percent(gap), name,
        exact_text(result, tight and "lower_bound_tight" or "lower_bound"))
end

---What a table says of a result, through `add(label, format, …)`.
---@param result pinion.Result
---@param add fun(label: string, format: string, ...)
function M.describe(result, add)
    if not result.order then return end
    add("makespan", "%s", makespan_text(result))
    if result.lower_bound_tight then
        add("bounds", "proven %s%s", exact_text(result, "lower_bound_tight"),
            result.lower_bound and ", fast " .. exact_text(result, "lower_bound") or "")
    end
    if result.ratios then
        add("slots", "%d for maps and %d for reduces: the best of %d ratios", result.map_slots,
            result.reduce_slots, #result.ratios)
    end
    if result.total_completion_time then
        add("completion times", "total %s, mean %s", exact_text(result, "total_completion_time"),
            text.real(result.mean_completion_time))
    end
    if result.utilisation then
        add("utilisation", "map slots %s, reduce slots %s, all %s", percent(result.map_utilisation),
            percent(result.reduce_utilisation),
            percent(result.utilisation))
    end
    add("orders tried", "%d", result.evaluations)
    if result.nodes_searched > 0 or result.proof == "large" then
        add("schedules searched", "%d", result.nodes_searched)
    end
    if not result.pools then add("order", "%s", M.order_text(result.order)) end
    for i, pool in ipairs(result.pools or {}) do
        add("pool " .. i, "%s, %d map and %s: %s", text.count(pool.nodes, "node"), pool.map_slots,
            text.count(pool.reduce_slots, "reduce slot"),
            #pool.jobs > 0 and M.order_text(pool.jobs) or "no jobs")
    end
end

---Whether rows estimate the times of stages differently, so that they do not compare.
---@param comparison pinion.Comparison|pinion.Sweep
---@return boolean
function M.mixes_stages(comparison)
    local first
    for _, row in ipairs(comparison.rows) do
        first = first or row.stage_time
        if row.stage_time and row.stage_time ~= first then return true end
    end
    return false
end

---Whether some run was ended before all jobs were done.
---@param comparison pinion.Comparison|pinion.Sweep
---@return boolean
function M.is_partial(comparison)
    for _, row in ipairs(comparison.rows) do
        if row.complete == false then return true end
    end
    return false
end

---Whether the rows found a ratio of map to reduce slots each.
---@param comparison pinion.Comparison|pinion.Sweep
---@return boolean
function M.has_ratios(comparison)
    return comparison.rows[1] ~= nil and comparison.rows[1].chosen ~= nil
end

---… which is this.
---@param row pinion.ComparisonRow
---@return string
function M.slots_text(row)
    return row.chosen and string.format("%dx%d", row.chosen.map_slots, row.chosen.reduce_slots)
        or "-"
end

---Whether each policy's order is the same in all cells of a sweep: "" where that is not known.
---@param sweep pinion.Sweep
---@return string
function M.stability_text(sweep)
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

return M
