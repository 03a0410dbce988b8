-- How people read the makespan model.

local core = require "pinion.core"
local text = require "pinion.base.text"

local function title(it)
    local parts = {}
    if it.map_slots and it.reduce_slots then
        parts[1] = string.format("%d map and %s", it.map_slots,
            text.count(it.reduce_slots, "reduce slot"))
    elseif it.map_slots then
        parts[1] = text.count(it.map_slots, "map slot")
    elseif it.reduce_slots then
        parts[1] = text.count(it.reduce_slots, "reduce slot")
    end
    if it.level then parts[#parts + 1] = "level " .. it.level end
    return parts
end

-- ---- a result -----------------------------------------------------------------------------------

-- Returns whether a number's digits say all of an exact value.
local function says_all(digits, exact)
    local ok, same = pcall(function() return core.exact(digits) == core.exact(exact) end)
    return ok and same
end

-- Writes "35.667 ≈ 107/3", or "3.5 = 7/2" where nothing is rounded.
local function exact_text(result, name)
    local exact, digits = result[name .. "_exact"], text.real(result[name])
    if not exact then return digits end
    return digits .. (says_all(digits, exact) and " = " or " ≈ ") .. exact
end

local function percent(value)
    if value > 0 and value < 0.00005 then return "less than 0.01 %" end
    return text.number(100 * value, 2):gsub("%.00$", "") .. " %"
end

-- Returns the makespan with what is known of its distance from the best.
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

local function describe(result, add)
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
    if result.weighted_mean_completion_time then
        add("by weight", "mean completion time %s", text.real(result.weighted_mean_completion_time))
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
    if not result.pools then add("order", "%s", text.ids(result.order)) end
    for i, pool in ipairs(result.pools or {}) do
        add("pool " .. i, "%s, %d map and %s: %s", text.count(pool.nodes, "node"), pool.map_slots,
            text.count(pool.reduce_slots, "reduce slot"),
            #pool.jobs > 0 and text.ids(pool.jobs) or "no jobs")
    end
end

local function interrupted(result)
    if result.order then
        return string.format("%d jobs finished with policy %s", result.finished, result.policy)
    end
    return string.format("policy %s has no plan yet", result.policy)
end

return {
    summary = "a batch of jobs, all present at time 0; its makespan",
    title = title,
    time_unit = "",
    legend = "makespan: the last completion, in units of time",
    amount = text.real,
    moment = text.real,
    number = text.real,
    mean = text.real_with_half,
    difference = text.real_signed,
    describe = describe,
    interrupted = interrupted,
    ended = function(summary) return "makespan " .. summary.makespan end,
    labels = {
        difference = "makespan minus the baseline's", relative = "makespan / the baseline's",
        p50 = "median completion time", p90 = "90th percentile of completion time",
        p99 = "99th percentile of completion time",
        p999 = "99.9th percentile of completion time", max = "longest completion time",
    },
    axes = { map_slots = "map slots", reduce_slots = "reduce slots", slots = "map x reduce slots",
        level = "level", until_time = "end of the run" },
}
