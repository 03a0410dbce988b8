-- How people read the cluster model.

local text = require "pinion.base.text"

local function title(it)
    if not it.nodes then return {} end
    return { string.format("%s%s, %d map and %s", text.count(it.nodes, "node"), it.default_nodes
        and " by default" or "", it.map_slots, text.count(it.reduce_slots, "reduce slot")) }
end

-- Writes a moment: what has not happened, and what is no time.
local function moment(value)
    if type(value) == "string" then return value end
    if type(value) == "boolean" then return value and "yes" or "no" end
    return text.amount(value)
end

-- ---- a result -----------------------------------------------------------------------------------

local function percent(value)
    return value and string.format("%s %%", text.number(100 * value, 1)) or "-"
end

-- Writes "3 failed, 2 rejected": what there is of each.
local function listed(result, entries)
    local parts = {}
    for _, entry in ipairs(entries) do
        local count = result[entry[1]]
        if count and count > 0 then parts[#parts + 1] = string.format("%d %s", count, entry[2]) end
    end
    return table.concat(parts, ", ")
end

local function describe(result, add)
    local others = listed(result,
        { { "rejected", "rejected" }, { "failed", "failed" }, { "unfinished", "unfinished" } })
    if others ~= "" then add("other jobs", "%s", others) end
    local function says(ratio) return ratio and (ratio < 1 or result.admits) end
    if says(result.accept_ratio) then
        add("accepted", "%s of the jobs", percent(result.accept_ratio))
    end
    if says(result.success_ratio) then
        add("successful",
            "%s of the accepted jobs: finished, and before their deadline if they have one",
            percent(result.success_ratio))
    end
    if (result.late or 0) > 0 then
        add("late", "%s: accepted, but later expected to miss the deadline",
            text.count(result.late, "job"))
    end
    if (result.feedback_fired or 0) > 0 then
        add("feedback", "%s: a job finished at another time than estimated",
            text.count(result.feedback_fired, "time"))
    end
    if result.in_wait then
        add("response time is", "waiting %s + maps %s + blocked %s + reduces %s",
            text.duration(result.in_wait), text.duration(result.in_maps),
            text.duration(result.in_blocked), text.duration(result.in_reduces))
    end
    add("utilisation", "%s of the slots%s", percent(result.utilisation),
        result.admits and ", by successful jobs" or "")
    add("locality", "%s of the maps, %s of the reduces on nodes with outputs of their job's maps",
        percent(result.locality),
        percent(result.colocation))
    local attempts = listed(result,
        { { "kills", "killed" }, { "failures", "failed" }, { "lost", "lost by node failures" },
            { "reruns", "rerun" }, { "suspensions", "suspended" },
            { "copies", "copies of running tasks" } })
    add("attempts", "%d%s", result.launches, attempts ~= "" and ": " .. attempts or "")
end

local function ended(summary)
    local left = summary.unfinished > 0
        and string.format(", %s unfinished", text.count(summary.unfinished, "job")) or ""
    return string.format("last finish %d ms%s", summary["end"], left)
end

return {
    summary = "nodes, heartbeats, locality, failures, deadlines; ms",
    title = title,
    time_unit = "",
    legend = "times are rounded (csv and JSON: in ms)",
    groups_legend = "mean response = in wait (for the first map) + in maps + blocked (maps "
        .. "done, no slot for the first reduce) + in reduces",
    ratio = "relative response time",
    amount = text.duration,
    quantile = text.duration,
    moment = moment,
    number = text.duration,
    mean = text.duration,
    difference = text.signed_duration,
    stopped = function(time) return string.format("before %d ms", time) end,
    describe = describe,
    last = function(result) return "span", text.duration(result.span) end,
    ended = ended,
    labels = {
        difference = "mean response time minus the baseline's (ms)",
        relative = "mean response time / the baseline's", p50 = "median response time (ms)",
        p90 = "90th percentile of response time (ms)",
        p99 = "99th percentile of response time (ms)",
        p999 = "99.9th percentile of response time (ms)", max = "longest response time (ms)",
    },
    axes = { nodes = "nodes x map slots x reduce slots", failures = "failures of nodes",
        warmup = "warm-up", until_time = "end of the run (ms)" },
}
