-- What a run of the makespan model has, one row per column, in the order of csv files and tables.

local json = require "pinion.base.json"
local rules = require "pinion.models.makespan.rules"
local text = require "pinion.base.text"

local NO_SLOTS = "when the makespan is 0"

local POOL_TYPE = "{ nodes: integer, map_slots: integer, reduce_slots: integer, jobs: integer[] }"
local RATIO_TYPE = "{ map_slots: integer, reduce_slots: integer, makespan: number, "
    .. "makespan_exact: string? }"

local function percent(value, half)
    if value == nil then return "-" end
    if not half and value > 0 and value < 0.00005 then return "<0.01" end -- which is not none
    return text.with_half(100 * value, half and 100 * half, 2)
end

local function encode_pools(pools)
    if not pools then return nil end
    local list = {}
    for i, pool in ipairs(pools) do list[i] = rules.encode_pool(pool) end
    return json.list(list)
end

local function encode_ratios(ratios)
    return ratios and json.rows(#ratios, function(i)
        local ratio = ratios[i]
        local fields = { { "map_slots", ratio.map_slots }, { "reduce_slots", ratio.reduce_slots },
            { "makespan", ratio.makespan } }
        if ratio.makespan_exact then
            fields[#fields + 1] = { "makespan_exact", ratio.makespan_exact }
        end
        return json.encode(json.object(fields))
    end)
end

-- Writes nothing where no search ran.
local function encode_nodes(count, result)
    return (count > 0 or result.proof == "large") and count or nil
end

-- Writes null where nothing is proven.
local function encode_optimal(optimal, result)
    return optimal or result.gap_tight and false
end

return {
    { name = "order", type = "integer[]", show = "not in csv",
        doc = { "job ids", "the order, pool by pool", "with replicas" } },
    { name = "pools", type = POOL_TYPE .. "[]|nil", show = "not in csv, if present in JSON",
        encode = encode_pools,
        doc = { "", "the pools: `nodes`, `map_slots`, `reduce_slots`, `jobs` (ids)",
            "when the whole cluster is one pool" } },
    { name = "makespan", type = "number", title = "makespan", label = "makespan", measure = true,
        show = "exact", doc = { "time", "the last completion" } },
    { name = "lower_bound", type = "number|nil", of = "lower bound", show = "exact",
        doc = { "time", "no schedule ends earlier",
            "with `--bounds none`; where stage times are given; with replicas" } },
    { name = "gap", type = "number|nil", of = "ratio to the lower bound",
        title = "gap %: makespan above the lower bound", write = percent,
        label = "makespan above the lower bound", measure = true, show = "exact",
        doc = { "share", "makespan / `lower_bound` - 1",
            "with `--bounds none`; where stage times are given" } },
    { name = "lower_bound_tight", type = "number|nil", of = "tight bound", show = "exact",
        doc = { "time", "a lower bound, proven by search",
            "without `--bounds tight`; stage level; when nothing is proven" } },
    { name = "gap_tight", type = "number|nil", of = "ratio to the tight bound",
        title = "tight gap %", write = percent, label = "makespan above the proven bound",
        measure = true, show = "exact",
        doc = { "share", "makespan / `lower_bound_tight` - 1", "as `lower_bound_tight`" } },
    { name = "total_completion_time", type = "number", title = "total completion",
        label = "total completion time", measure = true, show = "exact",
        doc = { "time", "sum of the jobs' completion times" } },
    { name = "mean_completion_time", type = "number|nil", label = "mean completion time",
        show = "exact", doc = { "time", "their mean", "when no job has finished" } },
    { name = "weighted_mean_completion_time", type = "number|nil",
        title = "weighted completion: mean completion time by the jobs' weights",
        write = text.real_with_half, label = "weighted mean completion time", measure = true,
        show = "if present",
        doc = { "time", "sum of weight · completion time over the sum of the weights",
            "when jobs carry no weight" } },
    { name = "map_utilisation", type = "number|nil", title = "map use",
        write = text.ratio_with_half, label = "utilisation of the map slots", measure = true,
        show = "exact",
        doc = { "share", "mean share of the map slots that were busy from time 0 to the makespan",
            NO_SLOTS } },
    { name = "reduce_utilisation", type = "number|nil", title = "reduce use",
        write = text.ratio_with_half, label = "utilisation of the reduce slots", measure = true,
        show = "exact", doc = { "share", "the same for the reduce slots", NO_SLOTS } },
    { name = "utilisation", type = "number|nil", show = "exact",
        doc = { "share", "the same for map and reduce slots together", NO_SLOTS } },
    { name = "optimal", type = "boolean|nil", of = "tight bound's proof",
        show = "after the bounds", encode = encode_optimal,
        doc = { "yes or no, replicas", "whether the makespan equals the tight bound; in "
            .. "comparisons the number of replicas in which it does", "when nothing is proven" } },
    { name = "evaluations", type = "integer", title = "evaluations",
        write = text.amount_with_half, label = "orders tried", measure = true,
        show = "after the bounds", doc = { "", "orders that the policy tried" } },
    { name = "nodes_searched", type = "integer", show = "after the bounds, if present in JSON",
        encode = encode_nodes,
        doc = { "", "search nodes that policy `exact` visited", "comparisons" } },
    { name = "stage_time", type = "pinion.StageTime|nil",
        show = "after the bounds, if present in JSON, not in csv",
        doc = { "", "stage level: the rule for the duration of a stage (`given`, `waves_req`, "
            .. "`waves`, `capped`, `fluid`); makespans under different rules are not comparable",
            "task level" } },
    { name = "ratios", type = RATIO_TYPE .. "[]|nil",
        show = "after the bounds, if present in JSON, not in csv", encode = encode_ratios,
        doc = { "", "each split that `search_ratio` tried: `map_slots`, `reduce_slots`, "
            .. "`makespan`", "without `search_ratio`" } },
    { name = "tasks_started", type = "integer", show = "not in JSON, not in csv",
        doc = { "tasks", "tasks that have started; in Lua only", "comparisons" } },
    { name = "instants", type = "integer", show = "not in JSON, not in csv",
        doc = { "", "moments at which something happened; in Lua only", "comparisons" } },
    { name = "proof", type = '"level"|"resplit"|"large"|"gave_up"|nil',
        show = "not in JSON, not in csv",
        doc = { "", "the reason why no tight bound is proven, or only one that may not be the "
            .. "best: `level`, `resplit`, `large` or `gave_up` ([results](models/makespan.md#"
            .. "results)); in Lua only; in comparisons `proofs`, the number of replicas for each "
            .. "reason", "without `--bounds tight`; when it is proven" } },
}
