-- What a run of the slotted model has, one row per column, in the order of csv files and tables.

local text = require "pinion.base.text"

local UNFINISHED = "with `--bounds none`; while a job is unfinished"

local function saturation_text(share)
    return text.number(100 * share, 1) .. " % of the slots: all machines busy while a job waits"
end

return {
    { name = "total_flow_time", type = "integer",
        doc = { "slots", "sum over all finished jobs, including those of the warm-up" } },
    { name = "mean_flow_time", type = "number|nil", label = "mean flow time (slots)",
        measure = true,
        doc = { "slots", "mean over the measured jobs", "when no job has finished" } },
    { name = "weighted_mean_flow_time", type = "number|nil",
        title = "weighted flow: mean flow time by the jobs' weights",
        line = { "weighted mean", function(mean) return text.number(mean) .. " slots" end },
        label = "weighted mean flow time (slots)", measure = true, show = "if present",
        doc = { "slots", "sum of weight · flow time over the sum of the weights, of the measured "
            .. "jobs", "when jobs carry no weight" } },
    { name = "lower_bound", type = "integer|nil", of = "lower bound",
        doc = { "slots", "total flow time of `srpt`, which ignores that reduces depend on maps; "
            .. "no schedule has a smaller total flow time",
            UNFINISHED .. "; with several replicas" } },
    { name = "efficiency_ratio", type = "number|nil", of = "ratio to the lower bound",
        title = "ratio: total flow time / lower bound", write = text.ratio_with_half,
        label = "total flow time / lower bound", measure = true,
        doc = { "ratio", "`total_flow_time` / `lower_bound`; 1 is the best", UNFINISHED } },
    { name = "lower_bound_tight", type = "integer|nil", of = "tight bound",
        doc = { "slots", "a tighter lower bound (LB2 of the [slotted model](models/slotted.md))",
            "without `--bounds tight`" } },
    { name = "efficiency_ratio_tight", type = "number|nil", of = "ratio to the tight bound",
        title = "tight ratio", write = text.ratio_with_half,
        label = "total flow time / tight lower bound", measure = true,
        doc = { "ratio", "`total_flow_time` / `lower_bound_tight`; below 1 only for `srpt`, which "
            .. "is a bound itself", "without `--bounds tight`" } },
    { name = "saturation", type = "number|nil", label = "saturated slots / slots", measure = true,
        line = { "saturated", saturation_text },
        doc = { "share", "slots in which all machines were busy while a job offered more work "
            .. "than it got ([SL35](models/slotted.md#saturation)), of the slots from the first "
            .. "arrival to the last finish, or to the end of the run if jobs are unfinished",
            "for `srpt`, which is a relaxation; before the first arrival" } },
    { name = "slots", type = "integer", show = "after the bounds",
        doc = { "slot", "the last finish", "comparisons" } },
    { name = "decisions", type = "integer", show = "at the end",
        doc = { "", "number of decisions", "comparisons" } },
    { name = "slots_run", type = "integer", show = "at the end",
        doc = { "slots", "number of simulated slots, without skipped idle slots", "comparisons" } },
    { name = "units_run", type = "integer", show = "at the end",
        doc = { "units", "units of work executed", "comparisons" } },
    { name = "peak_jobs", type = "integer", show = "at the end",
        doc = { "jobs", "the largest number of jobs in the system", "comparisons" } },
}
