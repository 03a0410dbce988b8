-- What a run of the tandem model has, one row per column, in the order of csv files and tables.

local text = require "pinion.base.text"

local UNFINISHED = "with `--bounds none`; while a job is unfinished"

local function in_system_text(mean)
    return text.real(mean) .. " (time average)"
end

return {
    { name = "total_response_time", type = "number",
        doc = { "time", "sum over the finished jobs", "comparisons" } },
    { name = "mean_response_time", type = "number|nil", label = "mean response time",
        measure = true,
        doc = { "time", "mean over the measured jobs", "when no job has finished" } },
    { name = "weighted_mean_response_time", type = "number|nil",
        title = "weighted response: mean response time by the jobs' weights",
        line = { "weighted mean", text.real }, label = "weighted mean response time",
        measure = true, show = "if present",
        doc = { "time", "sum of weight · response time over the sum of the weights, of the "
            .. "measured jobs", "when jobs carry no weight" } },
    { name = "lower_bound", type = "number|nil", of = "lower bound",
        doc = { "time", "bound from SRPT at each station without the other station (rule TA19); "
            .. "no schedule has a smaller total response time",
            UNFINISHED .. "; with several replicas" } },
    { name = "relative_response_time", type = "number|nil", of = "ratio to the lower bound",
        title = "ratio: total response time / lower bound", write = text.ratio_with_half,
        label = "total response time / lower bound", measure = true,
        doc = { "ratio", "`total_response_time` / `lower_bound`",
            UNFINISHED .. "; when the bound is 0" } },
    { name = "lower_bound_tight", type = "number|nil", of = "tight bound",
        doc = { "time", "a tighter lower bound", "without `--bounds tight`" } },
    { name = "relative_response_time_tight", type = "number|nil", of = "ratio to the tight bound",
        title = "tight ratio", write = text.ratio_with_half,
        label = "total response time / tight lower bound", measure = true,
        doc = { "ratio", "`total_response_time` / `lower_bound_tight`",
            "without `--bounds tight`" } },
    { name = "mean_slowdown", type = "number|nil", title = "slowdown", label = "mean slowdown",
        measure = true,
        doc = { "ratio", "mean over the measured jobs with work", "when there are none" } },
    { name = "mean_in_system", type = "number", title = "in system",
        line = { "jobs in the system", in_system_text },
        label = "time-average number in the system", measure = true,
        doc = { "jobs", "time average, from the first arrival to the last event" } },
    { name = "makespan", type = "number|nil", show = "after the bounds",
        doc = { "time", "last finish - first arrival", "comparisons" } },
    { name = "decisions", type = "integer", show = "at the end",
        doc = { "", "number of decisions", "comparisons" } },
    { name = "instants", type = "integer", show = "at the end",
        doc = { "", "moments at which something happened", "comparisons" } },
    { name = "map_busy", type = "number", show = "at the end",
        doc = { "work", "work done at the map station", "comparisons" } },
    { name = "shuffle_busy", type = "number", show = "at the end",
        doc = { "work", "work done at the shuffle station", "comparisons" } },
    { name = "peak_jobs", type = "integer", show = "at the end",
        doc = { "jobs", "the largest number of jobs in the system", "comparisons" } },
}
