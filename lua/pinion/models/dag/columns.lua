-- What a run of the dag model has, one row per column, in the order of csv files and tables.

local json = require "pinion.base.json"
local text = require "pinion.base.text"

local NO_JOB = "when no job has finished"

local function saturation_text(share)
    return text.number(100 * share, 1) .. " % of the time: a task waits for capacity"
end

local function encode_queues(queues)
    return json.rows(#queues, function(i)
        local queue = queues[i]
        return json.encode(json.object { { "name", queue.name }, { "jobs", queue.jobs },
            { "finished", queue.finished }, { "total_jct", queue.total_jct },
            { "used", json.list(table.move(queue.used, 1, #queue.used, 1, {})) } })
    end)
end

return {
    { name = "total_jct", type = "integer|number", show = "not in csv",
        doc = { "ms", "sum over the finished jobs", "comparisons" } },
    { name = "mean_jct", type = "number|nil", label = "mean completion time (ms)", measure = true,
        doc = { "ms", "mean over the measured jobs", NO_JOB } },
    { name = "lower_bound", type = "number|nil", of = "lower bound",
        show = "not in JSON, not in csv",
        doc = { "ms", "lower bound of `total_jct` over all jobs; `bound_total_jct` in JSON",
            "without bounds; when jobs are unfinished" } },
    { name = "relative_jct", type = "number|nil", of = "ratio to the lower bound",
        title = "ratio: total completion time / lower bound", write = text.ratio_with_half,
        label = "total completion time / lower bound", measure = true,
        doc = { "ratio", "`total_jct` divided by `bound_total_jct`",
            "without bounds; when jobs are unfinished" } },
    { name = "mean_waiting", type = "number|nil", title = "waiting",
        label = "mean waiting time (ms)", measure = true,
        doc = { "ms", "mean time until the first task starts", NO_JOB } },
    { name = "mean_slowdown_permille", type = "number|nil",
        title = "slowdown: completion time over the time alone", write = text.permille_with_half(2),
        label = "mean slowdown (permille)", measure = true,
        doc = { "1/1000", "mean of `jct` divided by `alone`", NO_JOB } },
    { name = "jain_permille", type = "integer|nil",
        title = "fairness: Jain's index of the slowdowns, 1 when all are equal",
        write = text.permille_with_half(3), label = "Jain's index of the slowdowns (permille)",
        measure = true,
        doc = { "1/1000", "Jain's index of the slowdowns; 1000 when all are equal; tables show it "
            .. "as a ratio", NO_JOB } },
    { name = "utilisation", type = "number|nil", title = "use %: of the most used resource",
        write = text.percent_with_half, label = "utilisation of the busiest resource",
        measure = true,
        doc = { "share", "the largest utilisation of a resource", NO_JOB } },
    { name = "saturation", type = "number|nil", label = "saturated time / time", measure = true,
        line = { "saturated", saturation_text },
        doc = { "share", "time in which a task that could start waited for capacity "
            .. "([DG34](models/dag.md#saturation)), of the time from the first arrival to the last "
            .. "finish, or to the last event if jobs are unfinished", "when this time is 0" } },
    { name = "in_time", type = "number|nil", group = "in_time / deadlines", show = "if present",
        doc = { "share", "finished jobs that met their deadline, as a share of the finished jobs "
            .. "with a deadline", "when there are none" } },
    { name = "kills", type = "integer", title = "kills", write = text.amount_with_half,
        label = "tasks killed", measure = true, group = "kills", show = "unless 0",
        doc = { "attempts", "attempts that the policy killed; in rows those of the job's tasks",
            "in tables if 0" } },
    { name = "lost_attempts", type = "integer", title = "lost", write = text.amount_with_half,
        label = "attempts lost with their node", measure = true, group = "lost_attempts",
        show = "unless 0",
        doc = { "attempts", "attempts that were lost with their node", "in tables if 0" } },
    { name = "unfinished", type = "integer", title = "unfinished", write = text.amount_with_half,
        label = "unfinished jobs", measure = true, show = "unless 0",
        doc = { "jobs", "jobs of the workload that have not finished", "in tables if 0" } },
    { name = "makespan", type = "integer", label = "makespan (ms)", measure = true,
        doc = { "ms", "from the first arrival to the last finish; 0 if no job has finished" } },
    { name = "bound_total_jct", type = "number|nil", of = "workload", show = "if present",
        doc = { "ms", "lower bound of `total_jct` over all jobs; `lower_bound` in comparisons and "
            .. "in Lua", "without bounds" } },
    { name = "bound_makespan", type = "integer|nil", of = "workload", show = "if present",
        doc = { "ms", "lower bound of `makespan`", "without bounds" } },
    { name = "slowdown_sum_permille", type = "integer|number",
        doc = { "1/1000", "sum of `slowdown_permille` over the finished jobs", "comparisons" } },
    { name = "used", type = "number[]",
        doc = { "ms", "sum of demand · running time over all attempts that ended, for each "
            .. "resource", "comparisons" } },
    { name = "lost", type = "number[]",
        doc = { "ms", "the part of `used` that belongs to killed and lost attempts, for each "
            .. "resource; in the rows of jobs, `lost` is the number of attempts of the job that "
            .. "were lost because their node failed", "comparisons" } },
    { name = "utilisation_permille", type = "integer[]",
        doc = { "1/1000", "`used` divided by (`capacity` · `makespan`), for each resource; tables "
            .. "show it in %", "comparisons" } },
    { name = "launches", type = "integer",
        doc = { "attempts", "attempts that started", "comparisons" } },
    { name = "queues", type = "pinion.DagQueueResult[]", show = "not in csv",
        encode = encode_queues,
        doc = { "", "one entry for each queue, in their order: `name`, `jobs`, `finished`, "
            .. "`total_jct`, `used`", "comparisons" } },
    { name = "stalled", type = '"node"|"node with room"|nil',
        show = "not in csv, if present in JSON",
        doc = { "", "what unfinished jobs wait for at the end of the run: `node` (no node is up), "
            .. "or `node with room` (no node has sufficient free resources, or the queue is at "
            .. "its maximum)", "when no job waits" } },
    { name = "time", type = "integer", show = "at the end",
        doc = { "ms", "when the last thing happened", "comparisons" } },
    { name = "instants", type = "integer", show = "at the end",
        doc = { "", "number of times at which an event happened", "comparisons" } },
    { name = "ticks", type = "integer", show = "at the end",
        doc = { "", "number of times at which the policy could kill tasks", "comparisons" } },
    { name = "peak_jobs", type = "integer", show = "at the end",
        doc = { "jobs", "the largest number of jobs in the system", "comparisons" } },
    { name = "peak_attempts", type = "integer", show = "at the end",
        doc = { "attempts", "largest number of attempts that ran, or waited to run again, at the "
            .. "same time", "comparisons" } },
    { name = "seed", type = "integer", show = "not in JSON", -- which has it in all models
        doc = { "", "seed of the random streams" } },
}
