-- The slotted model as the front end sees it: its settings, what its results hold, and the words
-- for it.

local lazy = require "pinion.base.lazy"
local check = require "pinion.base.check"
local core = require "pinion.core"
local jobs = lazy.module "pinion.workload.jobs"
local model = require "pinion.models.common"
local quantity = require "pinion.base.quantity"
local text = require "pinion.base.text"

local M = { name = "slotted" }

local REDUCES = { "preemptive", "nonpreemptive" }

local function positive_integer(value)
    return quantity.integer(value, 1, check.INTEGER_MAX)
end

-- ---- settings -----------------------------------------------------------------------------------

M.scalars = { "machines", "reduce", "policy", "seed" }
M.fields = {
    machines = function(value) return check.integer(value, 1, 1 << 24) end,
    reduce = function(value) return check.choice(value, REDUCES) end,
    policy = model.read_policy,
    seed = model.read_seed,
}
M.defaults = { reduce = "nonpreemptive", seed = 1 }
M.required = { machines = "is required (an integer >= 1)" }
M.beside_workload = { machines = 100 }
M.default_policies = { "fifo", "fair", "lrpt", "asrpt", "psrpt" }

M.options = { until_slot = positive_integer }
M.until_option = "until_slot"
function M.stop_words(slot) return string.format("after slot %d", slot) end
M.read_every = positive_integer
M.unit = "slots"
function M.read_warmup_amount(value) return quantity.integer(value, 0, check.INTEGER_MAX) end

M.read_jobs = jobs.read

function M.binding(settings)
    return { machines = settings.machines }
end

function M.request(settings)
    return { machines = settings.machines, reduce = settings.reduce }
end

M.run_core, M.verify_core, M.hash_core = core.slotted_run, core.slotted_verify, core.scenario_hash

-- ---- results ------------------------------------------------------------------------------------

M.heads = { "machines", "reduce" }
M.integer = true
M.columns = { "arrival", "map_finish", "finish", "flow_time" }
M.samples = {
    { name = "flow_time", words = "flow time", title = "mean flow", stats = "flow_times",
        group_stats = "group_flow_times",
      total = "total_flow_time", mean = "mean_flow_time" },
}
M.measures = {
    { name = "mean_flow_time", settling = "mean flow time so far (slots)" },
    { name = "efficiency_ratio", title = "ratio",
        settling = "flow time / lower bound, mean so far" },
    { name = "efficiency_ratio_tight", title = "tight ratio", bounds = "tight",
        settling = "flow time / tight bound, mean so far" },
}
M.ratio, M.ratio_tight = "efficiency_ratio", "efficiency_ratio_tight"
M.totals = { "slots", "slots_run", "units_run", "decisions", "peak_jobs" }
M.tail = { "decisions", "slots_run", "units_run", "peak_jobs" }
M.last = "slots"
M.clock = "slot"

-- ---- words --------------------------------------------------------------------------------------

function M.title(it)
    local parts = {}
    if it.machines then parts[1] = text.count(it.machines, "machine") end
    if it.reduce then parts[#parts + 1] = it.reduce .. " reduces" end
    return parts
end

M.time_unit = " slots"
M.ratio_words = "efficiency ratio"
M.legend = "flow times in slots"
M.ratio_legend = "ratio: total flow time over the lower bound"
M.moment, M.amount, M.number, M.difference = text.amount, text.amount, text.number, text.signed

function M.mean(value, half)
    return text.with_half(value, half, 2)
end

function M.last_words(result)
    return "last finish", string.format("slot %d", result.slots)
end

function M.end_words(summary)
    return string.format("%d slots", summary.slots)
end

M.labels = {
    efficiency_ratio = "total flow time / lower bound",
    efficiency_ratio_tight = "total flow time / tight lower bound",
    mean_flow_time = "mean flow time (slots)",
    difference = "mean flow time minus the baseline's (slots)",
    relative = "mean flow time / the baseline's", p50 = "median flow time (slots)",
    p90 = "90th percentile of flow time (slots)",
    p99 = "99th percentile of flow time (slots)", p999 = "99.9th percentile of flow time (slots)",
    max = "longest flow time (slots)",
    flow_time = "flow time (slots)",
}
M.axis_labels = { machines = "machines", reduce = "reduces", warmup = "warm-up",
    until_slot = "last slot" }

return model.complete(M)
