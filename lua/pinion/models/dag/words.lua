-- How people read the dag model.

local text = require "pinion.base.text"

local function title(it)
    if not it.nodes then return {} end
    local parts = {}
    for r, name in ipairs(it.resources) do
        parts[r] = string.format("%s %s", name, text.amount(it.capacity[r]))
    end
    return { string.format("%s%s with %s", text.count(it.nodes, "node"), it.default_nodes
        and " by default" or "", table.concat(parts, ", ")) }
end

-- Writes a moment: what has not happened, and what is no time.
local function moment(value)
    if type(value) == "string" then return value end
    if type(value) == "boolean" then return value and "yes" or "no" end
    return text.amount(value)
end

-- ---- a result -----------------------------------------------------------------------------------

local function utilisation(result)
    local parts = {}
    for r, permille in ipairs(result.utilisation_permille) do
        parts[r] = string.format("%s %% of %s", text.number(permille / 10, 1), result.resources[r])
    end
    return table.concat(parts, ", ")
end

-- Writes "3 killed, 2 lost with their node": what there is of each.
local function listed(result, entries)
    local parts = {}
    for _, entry in ipairs(entries) do
        local count = result[entry[1]]
        if count and count > 0 then parts[#parts + 1] = string.format("%d %s", count, entry[2]) end
    end
    return table.concat(parts, ", ")
end

local function queue_lines(result, add)
    if #result.queues < 2 then return end
    for _, queue in ipairs(result.queues) do
        add("queue " .. queue.name, "%d of %s finished%s", queue.finished,
            text.count(queue.jobs, "job"), queue.finished > 0 and ", mean completion time "
            .. text.duration(queue.total_jct / queue.finished) or "")
    end
end

local function describe(result, add)
    if result.unfinished > 0 then add("other jobs", "%d unfinished", result.unfinished) end
    if result.in_time then
        add("in time", "%s %% of the jobs with a deadline", text.number(100 * result.in_time, 1))
    end
    if result.jain_permille then
        add("fairness", "%s (Jain's index of the slowdowns)",
            text.number(result.jain_permille / 1000, 3))
    end
    add("utilisation", "%s", utilisation(result))
    local attempts = listed(result,
        { { "kills", "killed" }, { "lost_attempts", "lost by node failures" } })
    add("attempts", "%d%s", result.launches, attempts ~= "" and ": " .. attempts or "")
    if result.bound_makespan then
        add("makespan at least", "%s", text.duration(result.bound_makespan))
    end
    queue_lines(result, add)
end

local function ended(summary)
    local left = summary.unfinished > 0
        and string.format(", %s unfinished", text.count(summary.unfinished, "job")) or ""
    return string.format("last finish %d ms%s", summary["end"], left)
end

return {
    summary = "jobs of stages, nodes of several resources, queues, failures; ms",
    title = title,
    time_unit = "",
    legend = "times are rounded (csv and JSON: in ms)",
    ratio = "relative completion time",
    amount = text.duration,
    quantile = text.duration,
    moment = moment,
    number = text.duration,
    mean = text.duration,
    difference = text.signed_duration,
    stopped = function(time) return string.format("before %d ms", time) end,
    describe = describe,
    last = function(result) return "makespan", text.duration(result.makespan) end,
    ended = ended,
    labels = {
        difference = "mean completion time minus the baseline's (ms)",
        relative = "mean completion time / the baseline's", p50 = "median completion time (ms)",
        p90 = "90th percentile of completion time (ms)",
        p99 = "99th percentile of completion time (ms)",
        p999 = "99.9th percentile of completion time (ms)", max = "longest completion time (ms)",
    },
    axes = { nodes = "nodes x capacities", queues = "queues", failures = "failures of nodes",
        resources = "resources", name = "name", warmup = "warm-up",
        until_time = "end of the run (ms)" },
}
