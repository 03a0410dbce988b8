-- The slotted model as the front end sees it.

local check = require "pinion.base.check"
local columns = require "pinion.models.slotted.columns"
local core = require "pinion.core"
local fields = require "pinion.models.fields"
local job_rows = require "pinion.models.job_rows"
local lazy = require "pinion.base.lazy"
local quantity = require "pinion.base.quantity"
local rows = require "pinion.models.rows"
local text = require "pinion.base.text"

local log = lazy.module "pinion.models.slotted.log"

-- ---- settings -----------------------------------------------------------------------------------

local function positive_integer(value)
    return quantity.integer(value, 1, check.INTEGER_MAX)
end

local settings = {
    scalars = { "machines", "reduce", "policy", "seed", "timeline" },
    fields = {
        machines = rows.reader("slotted", "machines"),
        reduce = rows.reader("slotted", "reduce"),
    },
    defaults = { reduce = "nonpreemptive", seed = 1 },
    required = { machines = "is required (an integer >= 1)" },
    beside_workload = { machines = 100 },
    default_policies = { "fifo", "fair", "lrpt", "asrpt", "psrpt" },
    options = { until_slot = positive_integer },
    until_option = "until_slot",
    read_every = positive_integer,
    unit = "slots",
    read_warmup_amount = function(value) return quantity.integer(value, 0, check.INTEGER_MAX) end,
    heads = { "machines", "reduce" },
}

-- ---- jobs ---------------------------------------------------------------------------------------

local MOST = check.INTEGER_MAX

local function check_work(record, job, index, place)
    local reduces, sum = record.reduces, 0
    for k = 1, reduces and #reduces or 0 do
        sum = sum + reduces[k]
        -- Checked after each addition, so that the sum itself cannot wrap.
        if sum > MOST then place.fail(index, "reduces", "must sum up to at most 2^53") end
    end
    sum = sum + (record.maps or 0)
    if sum == 0 then
        place.fail(index, nil, "has no work" .. fields.label(job) .. ": maps and reduces are all 0")
    end
    if sum > MOST then
        place.fail(index, nil, "has more than 2^53 units of work" .. fields.label(job))
    end
end

local function describe_jobs(totals, opened, base)
    local span = totals.jobs > 0 and totals.last_arrival - totals.first_arrival + 1 or 0
    local work = totals.maps + totals.reduces
    return {
        { "jobs", totals.jobs, "jobs" }, { "map_only", totals.map_only, "map-only jobs" },
        { "map_units", totals.maps, "map units" },
        { "reduce_units", totals.reduces, "reduce units" },
        { "reduce_tasks", totals.reduce_tasks, "reduce tasks" },
        { "first_arrival", totals.first_arrival, "first arrival" },
        { "last_arrival", totals.last_arrival, "last arrival" },
        { "span", span, "span in slots" }, { "machines", base.machines, "machines" },
        { "load", span > 0 and work / (base.machines * span) or nil, "load", 3 },
        { "groups", fields.named(opened.groups), "groups" },
    }
end

-- Returns the slots that the machines are busy with the work, and those of the arrivals.
local function offered(totals, binding)
    if not binding.machines then return nil, "machines" end
    return { busy = (totals.maps + totals.reduces) / binding.machines,
        first = totals.first_arrival, last = totals.last_arrival, more = 1 }
end

local jobs = job_rows.add("slotted", {
    example = "arrival,maps,reduces",
    own = check_work,
    make = core.workload_slotted_table,
    binding = function(given) return { machines = given.machines } end,
    describe = describe_jobs,
    offered = offered,
})

-- ---- results ------------------------------------------------------------------------------------

-- Returns the slots that the job takes alone on all machines (SL6, SL9): no schedule needs fewer.
local function alone(result)
    local machines, is_cut = result.machines, result.reduce == "preemptive"
    local function waves(units) return (units + machines - 1) // machines end
    return function(job)
        local sum, longest = 0, 0
        for _, units in ipairs(job.reduces) do
            sum, longest = sum + units, math.max(longest, units)
        end
        return waves(job.maps) + math.max(waves(sum), is_cut and 0 or longest)
    end
end

local results = {
    kind = "stream",
    integer = true,
    rows = { "arrival", "map_finish", "finish", "flow_time" },
    samples = {
        { name = "flow_time", words = "flow time", title = "mean flow", stats = "flow_times",
            group_stats = "group_flow_times", total = "total_flow_time", mean = "mean_flow_time",
            label = "flow time (slots)" },
    },
    columns = columns,
    slowdown = { time = "flow_time", alone = alone },
    busy = function(result)
        local could = result.machines * (result.slots or 0)
        return could > 0 and result.units_run / could or nil
    end,
    clock = "slot",
    figures = { "cdf", "bars", "convergence" },
}

-- ---- words --------------------------------------------------------------------------------------

local function title(it)
    local parts = {}
    if it.machines then parts[1] = text.count(it.machines, "machine") end
    if it.reduce then parts[#parts + 1] = it.reduce .. " reduces" end
    return parts
end

local words = {
    summary = "machines in integer time slots; flow times",
    title = title,
    time_unit = " slots",
    legend = "flow times in slots",
    ratio = "efficiency ratio",
    amount = text.amount,
    moment = text.amount,
    number = text.number,
    mean = function(value, half) return text.with_half(value, half, 2) end,
    difference = text.signed,
    last = function(result) return "last finish", string.format("slot %d", result.slots) end,
    stopped = function(slot) return string.format("after slot %d", slot) end,
    ended = function(summary) return string.format("%d slots", summary.slots) end,
    labels = {
        difference = "mean flow time minus the baseline's (slots)",
        relative = "mean flow time / the baseline's", p50 = "median flow time (slots)",
        p90 = "90th percentile of flow time (slots)", p99 = "99th percentile of flow time (slots)",
        p999 = "99.9th percentile of flow time (slots)", max = "longest flow time (slots)",
    },
    axes = { machines = "machines", reduce = "reduces", warmup = "warm-up",
        until_slot = "last slot" },
}

return {
    name = "slotted",
    settings = settings,
    jobs = jobs,
    core = {
        request = function(given) return { machines = given.machines, reduce = given.reduce } end,
        run = core.slotted_run, verify = core.slotted_verify, hash = core.slotted_scenario_hash,
    },
    results = results,
    words = words,
    log = log,
}
