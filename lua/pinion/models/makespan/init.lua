-- The makespan model as the front end sees it. All of its jobs are there at the start: a policy
-- plans before the first task starts.

local check = require "pinion.base.check"
local columns = require "pinion.models.makespan.columns"
local core = require "pinion.core"
local exact = require "pinion.base.exact"
local jobs = require "pinion.models.makespan.jobs"
local lazy = require "pinion.base.lazy"
local quantity = require "pinion.base.quantity"
local rows = require "pinion.models.rows"
local rules = require "pinion.models.makespan.rules"
local runs = require "pinion.models.makespan.runs"
local words = require "pinion.models.makespan.words"

local log = lazy.module "pinion.models.makespan.log"

-- ---- settings -----------------------------------------------------------------------------------

local SLOTS_MOST = rows.setting("makespan", "map_slots").high

local function read_time(value)
    local num, den = exact.read(value)
    if not num then return nil, den end
    return core.exact(exact.value(num, den))
end

-- Reads both stages at once, such as 30x20 (map x reduce): what a sweep over the size of the
-- cluster varies.
local function read_cluster(value)
    local maps, reduces = tostring(value):match("^%s*(%d+)%s*x%s*(%d+)%s*$")
    maps, reduces = quantity.integer(maps or "", 1, SLOTS_MOST),
        quantity.integer(reduces or "", 1, SLOTS_MOST)
    if maps and reduces then return { map_slots = maps, reduce_slots = reduces } end
    return nil, "must be map slots x reduce slots such as 30x20, got " .. check.show(value)
end

-- What only streams of jobs have.
local LACKS = {
    checkpoint = "a batch has no checkpoints: planning is one step and the execution is short "
        .. "(Ctrl-C stops a long plan)",
    warmup = "a batch has no warm-up: all its jobs are present at the start",
    error = "policies of the makespan model see the true jobs",
    export = "policies of the makespan model are not exported (expected another model)",
}

local settings = {
    scalars = { "map_slots", "reduce_slots", "level", "policy", "seed", "timeline" },
    fields = {
        map_slots = rows.reader("makespan", "map_slots"),
        reduce_slots = rows.reader("makespan", "reduce_slots"),
        level = rows.reader("makespan", "level"),
    },
    defaults = { level = "stage", seed = 1 },
    required = { map_slots = "is required (an integer >= 1)",
        reduce_slots = "is required (an integer >= 1)" },
    beside_workload = { map_slots = 30, reduce_slots = 30 },
    default_policies = { "fifo", "mk_jr", "uaas", "balanced_pools", "portfolio", "neh",
        "local_search" },
    options = { until_time = read_time },
    until_option = "until_time",
    unit = "time",
    axes = { slots = read_cluster },
    prover = runs.PROVER,
    lacks = LACKS,
    heads = { "map_slots", "reduce_slots", "level" },
    rules = rules,
    shows_params = true,
}

-- ---- results ------------------------------------------------------------------------------------

-- Returns a number, which may be a fraction as text.
local function number_of(value)
    if math.type(value) then return value end
    local above, below = value:match "^(%-?%d+)/(%d+)$"
    return tonumber(above) / tonumber(below)
end

-- Returns work of a stage (MK2): its tasks, or a time for each slot that it requests.
local function work_of(tasks, time, requested, slots)
    if not tasks then return number_of(time or 0) * (requested or slots) end
    if tasks.count then return tasks.count * number_of(tasks.duration) end
    local sum = 0
    for _, duration in ipairs(tasks) do sum = sum + number_of(duration) end
    return sum
end

-- Returns a job alone: the work of each stage shared out over all slots of the kind, one stage
-- behind the other.
local function alone(result)
    local maps, reduces = result.map_slots, result.reduce_slots
    return function(job)
        return work_of(job.maps, job.map_time, job.map_slots, maps) / maps
            + work_of(job.reduces, job.reduce_time, job.reduce_slots, reduces) / reduces
    end
end

local results = {
    kind = "batch",
    integer = false,
    exact = true,
    rows = { "map_start", "map_finish", "reduce_start", "finish" },
    samples = {
        { name = "completion_time", column = "finish", words = "completion time",
            title = "mean completion", stats = "completion_times",
            group_stats = "group_completion_times", total = "total_completion_time",
            mean = "mean_completion_time", label = "completion time" },
    },
    columns = columns,
    facts = { "map_slots", "reduce_slots", "level", "stage_time" },
    slowdown = { time = "finish", alone = alone },
    clock = "time",
    figures = { "bars", "cdf", "convergence", "ratio" },
}

return {
    name = "makespan",
    settings = settings,
    jobs = jobs,
    core = { request = runs.request, run = runs.run, verify = core.makespan_verify,
        hash = core.makespan_scenario_hash },
    results = results,
    words = words,
    log = log,
}
