-- What a run of the cluster model has, one row per column, in the order of csv files and tables.

local text = require "pinion.base.text"

local NO_JOB = "when no job has finished"

local function saturation_text(share)
    return text.number(100 * share, 1)
        .. " % of the time: no free slot of a kind while a task waits"
end

-- Returns a part of the mean response time.
local function part(name, title, meaning)
    return { name = name, type = "number|nil", title = title, write = text.duration,
        group = name .. " / jobs", show = "in groups", doc = { "ms", meaning, NO_JOB } }
end

return {
    { name = "total_makespan", type = "integer", show = "not in csv",
        doc = { "ms", "sum over the finished jobs", "comparisons" } },
    { name = "mean_makespan", type = "number|nil", label = "mean response time (ms)",
        measure = true, doc = { "ms", "mean time from the submission to the finish of the "
            .. "measured jobs", NO_JOB } },
    { name = "weighted_mean_makespan", type = "number|nil",
        title = "weighted response time: mean response time by the jobs' weights",
        line = { "weighted mean", function(mean) return text.rounded(mean, 1) .. " ms" end },
        label = "weighted mean response time (ms)", measure = true, show = "if present",
        doc = { "ms", "sum of weight · response time over the sum of the weights, of the "
            .. "measured jobs",
            "when jobs carry no weight" } },
    { name = "lower_bound", type = "integer|nil", of = "lower bound",
        doc = { "ms", "lower bound of the sum of the response times of all jobs "
            .. "([CL45](models/cluster.md#lower-bound)); no policy that finishes all jobs has a "
            .. "smaller `total_makespan`",
            "with `--bounds none`; while a job is unfinished; with several replicas" } },
    { name = "relative_makespan", type = "number|nil", of = "ratio to the lower bound",
        title = "ratio: total response time / lower bound", write = text.ratio_with_half,
        label = "total response time / lower bound", measure = true,
        doc = { "ratio", "`total_makespan` / `lower_bound`",
            "with `--bounds none`; when a job was rejected, has failed or is unfinished" } },
    { name = "mean_waiting_time", type = "number|nil", title = "waiting",
        label = "mean waiting time (ms)", measure = true,
        doc = { "ms", "mean time until the first map starts", NO_JOB } },
    { name = "mean_execution_time", type = "number|nil", title = "execution",
        label = "mean execution time (ms)", measure = true,
        doc = { "ms", "mean of finish - first map start", NO_JOB } },
    { name = "locality", type = "number|nil", title = "local %", write = text.percent_with_half,
        label = "local maps / maps", measure = true, group = "local_maps / maps",
        show = "in groups",
        doc = { "share", "maps that ran on a node with their input, of the finished jobs",
            "when there are none" } },
    { name = "colocation", type = "number|nil", title = "colocated %",
        write = text.percent_with_half, group = "colocated_reduces / reduces", show = "in groups",
        doc = { "share", "reduces on a node with an output of their job's maps, of the finished "
            .. "jobs", "when there are none" } },
    { name = "accept_ratio", type = "number|nil", title = "accepted %: of all jobs",
        write = text.percent_with_half, label = "accepted / submitted jobs", measure = true,
        show = "unless 1, first with admission",
        doc = { "share", "accepted / submitted", "when no job was submitted" } },
    { name = "success_ratio", type = "number|nil",
        title = "success %: of the accepted jobs, finished in time", write = text.percent_with_half,
        label = "successful / accepted jobs", measure = true,
        show = "unless 1, first with admission",
        doc = { "share", "successful / accepted", "when no job was accepted" } },
    { name = "utilisation", type = "number|nil",
        title = "use %: of the slots; if jobs may be rejected, by successful jobs only",
        write = text.percent_with_half, label = "utilisation of the slots", measure = true,
        group = "slot_ms / slots", show = "first with admission, in groups of one run",
        doc = { "share", "slot time of ended attempts divided by (number of slots · `span`); if "
            .. "the policy may reject jobs, only attempts of successful jobs count",
            "when the span is 0" } },
    { name = "saturation", type = "number|nil", label = "saturated time / time", measure = true,
        line = { "saturated", saturation_text },
        doc = { "share", "time in which no slot of some kind was free while a job could start a "
            .. "task of this kind ([CL43](models/cluster.md#saturation)), of the time from the "
            .. "first submission to the last end of a job, or to the last event if jobs are "
            .. "unfinished", "when this time is 0" } },
    part("in_wait", "in wait", "mean time until the first map"),
    part("in_maps", "in maps",
        "mean time from the start of the first map to the end of the last map"),
    part("in_blocked", "blocked", "mean time from the end of the last map to the start of the "
        .. "first reduce; 0 if the first reduce starts earlier"),
    part("in_reduces", "in reduces", "mean time from the later of these two times to the finish of "
        .. "the job; the sum of `in_wait`, `in_maps`, `in_blocked` and `in_reduces` is the mean "
        .. "response time"),
    { name = "accepted", type = "integer", label = "accepted jobs", measure = true,
        doc = { "jobs", "jobs that were accepted" } },
    { name = "rejected", type = "integer", label = "rejected jobs", measure = true,
        doc = { "jobs", "jobs that were rejected" } },
    { name = "late", type = "integer|nil", label = "jobs reported as late", measure = true,
        show = "if present in JSON",
        doc = { "jobs", "accepted jobs whose expected finish later moved past their deadline",
            "when the policy may not reject jobs" } },
    { name = "feedback_fired", type = "integer|nil", show = "if present in JSON",
        doc = { "", "how often `rtmr` corrected estimates because a job had finished at another "
            .. "time than expected", "other policies" } },
    { name = "successful", type = "integer",
        doc = { "jobs", "jobs that finished; a job with a deadline counts only if it finished in "
            .. "time", "comparisons" } },
    { name = "failed", type = "integer",
        doc = { "jobs", "jobs that failed because one of their tasks failed too often",
            "comparisons" } },
    { name = "kills", type = "integer", title = "kills", write = text.amount_with_half,
        label = "tasks killed", measure = true, group = "kills",
        doc = { "attempts", "attempts that the policy killed; in rows those of the job's tasks" } },
    { name = "suspensions", type = "integer", title = "suspended", write = text.amount_with_half,
        label = "tasks suspended", measure = true, group = "suspensions", show = "unless 0",
        doc = { "", "how often the policy suspended an attempt", "in tables if 0" } },
    { name = "copies", type = "integer", title = "copies", write = text.amount_with_half,
        label = "second attempts", measure = true, group = "copies", show = "unless 0",
        doc = { "attempts", "second attempts of running tasks that the policy launched",
            "in tables if 0" } },
    { name = "copies_won", type = "integer", group = "copies_won",
        doc = { "attempts", "copies that ended before the first attempt and so completed the "
            .. "task" } },
    { name = "unfinished", type = "integer", title = "unfinished", write = text.amount_with_half,
        label = "unfinished jobs", measure = true, show = "unless 0",
        doc = { "jobs", "jobs of the workload that have not ended", "in tables if 0" } },
    { name = "slot_ms", type = "integer", group = "slot_ms",
        doc = { "ms", "slot time of ended attempts, those that `utilisation` counts",
            "comparisons" } },
    { name = "span", type = "integer",
        doc = { "ms", "from the first submission to the last finish", "comparisons" } },
    { name = "failures", type = "integer",
        doc = { "attempts", "attempts that failed", "comparisons" } },
    { name = "lost", type = "integer",
        doc = { "attempts", "attempts that were lost with their node", "comparisons" } },
    { name = "reruns", type = "integer",
        doc = { "maps", "maps that ran again because their outputs were lost", "comparisons" } },
    { name = "launches", type = "integer",
        doc = { "attempts", "attempts that started", "comparisons" } },
    { name = "stalled", type = '"policy"|"node"|"map slot"|"reduce slot"|nil',
        show = "not in csv, if present in JSON",
        doc = { "", "what unfinished jobs wait for at the end of the run: the policy (it gives "
            .. "none of the free slots), or a node or slot that is up", "when no job waits" } },
    { name = "time", type = "integer", show = "at the end",
        doc = { "ms", "when the last thing happened", "comparisons" } },
    { name = "instants", type = "integer", show = "at the end",
        doc = { "", "number of times at which an event happened", "comparisons" } },
    { name = "ticks", type = "integer", show = "at the end",
        doc = { "", "number of times at which the policy computed estimates", "comparisons" } },
    { name = "peak_jobs", type = "integer", show = "at the end",
        doc = { "jobs", "the largest number of jobs in the system", "comparisons" } },
    { name = "peak_tasks", type = "integer", show = "at the end",
        doc = { "tasks", "the most tasks in the system at once", "comparisons" } },
    { name = "seed", type = "integer", show = "not in JSON", -- which has it in all models
        doc = { "", "seed of the random streams" } },
}
