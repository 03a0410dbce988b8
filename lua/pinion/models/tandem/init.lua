-- The tandem model as the front end sees it.

local check = require "pinion.base.check"
local columns = require "pinion.models.tandem.columns"
local core = require "pinion.core"
local fields = require "pinion.models.fields"
local job_rows = require "pinion.models.job_rows"
local lazy = require "pinion.base.lazy"
local quantity = require "pinion.base.quantity"
local text = require "pinion.base.text"

local log = lazy.module "pinion.models.tandem.log"

-- ---- settings -----------------------------------------------------------------------------------

-- What the kernel takes as the capacity of a station.
local SPEED_LEAST, SPEED_MOST = 2.0 ^ -64, 2.0 ^ 64

local BUCKETS_MOST = 1 << 20

local function read_speed(value)
    local speed = quantity.amount(value)
    if speed and speed >= SPEED_LEAST and speed <= SPEED_MOST then return speed end
    return nil, "must be a number in 2^-64..2^64, got " .. check.show(value)
end

local function read_time(value)
    return quantity.amount(quantity.plain(value))
end

local function read_positive_time(value)
    local time, why = read_time(value)
    if time == 0 then return nil, "must be > 0, got " .. check.show(quantity.plain(value)) end
    return time, why
end

-- Reads { buckets = 400, width = 0.25 }, or text such as "400x0.25".
local function read_buckets(value)
    local given, why = value, nil
    if type(value) == "string" then
        local buckets, width = value:match("^%s*([^x]+)x(.+)$")
        given = { buckets = buckets, width = width }
    end
    if type(given) ~= "table" or given.buckets == nil or given.width == nil then
        return nil, "must be a number of buckets and their width such as 400x0.25 or { buckets "
            .. "= 400, width = 0.25 }, got "
            .. check.show(value)
    end
    local key, unknown = check.unknown_key(given, { buckets = true, width = true })
    if key ~= nil then return nil, string.format("%s: %s", key, unknown) end
    local read = {}
    read.buckets, why = quantity.integer(given.buckets, 1, BUCKETS_MOST)
    if not read.buckets then return nil, "buckets: " .. why end
    read.width, why = read_positive_time(given.width)
    if not read.width then return nil, "width: " .. why end
    return read
end

local settings = {
    scalars = { "speed", "overlap", "policy", "seed", "timeline" },
    fields = { speed = read_speed, overlap = check.boolean },
    defaults = { speed = 1.0, overlap = true, seed = 1 },
    required = {},
    default_policies = { "fcfs", "ps", "klps", "maxsrpt", "splitsrpt", "bsrpt" },
    options = { until_time = read_time, slowdown_by_size = read_buckets },
    until_option = "until_time",
    read_every = read_positive_time,
    unit = "time",
    read_warmup_amount = read_time,
    heads = { "speed", "overlap" },
    shows_params = true,
}

-- ---- jobs ---------------------------------------------------------------------------------------

-- Describes the stations' loads, which are of the time from the first arrival to the last; a batch
-- has none.
local function describe_jobs(totals, opened)
    local span = totals.jobs > 0 and totals.last_arrival - totals.first_arrival or 0.0
    local function load(work) return span > 0 and work.sum / span or nil end
    return {
        { "jobs", totals.jobs, "jobs" }, { "map_heavy", totals.map_heavy, "map-heavy jobs" },
        { "map_only", totals.map_only, "map-only jobs" },
        { "shuffle_only", totals.shuffle_only, "shuffle-only jobs" },
        { "empty", totals.empty, "jobs without work" },
        { "first_arrival", totals.first_arrival, "first arrival" },
        { "last_arrival", totals.last_arrival, "last arrival" },
        { "span", span, "span" }, { "map_load", load(totals.map), "load of the map station", 3 },
        { "shuffle_load", load(totals.shuffle), "load of the shuffle station", 3 },
        { "groups", fields.named(opened.groups), "groups" },
        { "map", totals.map, "map size" }, { "shuffle", totals.shuffle, "shuffle size" },
        { "ratio", totals.ratio, "shuffle / map" },
        { "longest", totals.longest, "longer of both" },
    }
end

-- Returns the time that the station with more work is busy, and that of the arrivals.
local function offered(totals)
    return { busy = math.max(totals.map.sum, totals.shuffle.sum),
        first = totals.first_arrival, last = totals.last_arrival, more = 0 }
end

-- Binds an adversary, which watches the policy that runs.
local function binding(given)
    return { policy = given.policy, params = given.params, speed = given.speed,
        overlap = given.overlap }
end

local jobs = job_rows.add("tandem", {
    example = "arrival,map,shuffle",
    make = core.workload_tandem_table,
    has_orders = true,
    binding = binding,
    describe = describe_jobs,
    offered = offered,
    size_bounds = { 0.01, 0.1, 1, 10, 100 },
})

-- ---- results ------------------------------------------------------------------------------------

local results = {
    kind = "stream",
    integer = false,
    rows = { "arrival", "map_finish", "finish", "response_time", "slowdown" },
    samples = {
        { name = "response_time", words = "response time", title = "mean response",
            stats = "response_times", group_stats = "group_response_times",
            total = "total_response_time", mean = "mean_response_time", label = "response time" },
        { name = "slowdown", words = "slowdown", title = "mean slowdown", stats = "slowdowns",
            group_stats = "group_slowdowns", mean = "mean_slowdown", label = "slowdown" },
    },
    columns = columns,
    slowdown = { column = "slowdown", time = "response_time" },
    busy = function(result)
        return (result.makespan or 0) > 0
            and math.max(result.map_busy, result.shuffle_busy) / result.makespan or nil
    end,
    isolating = { ps = true, wps = true, las = true, maxsrpt = true, splitsrpt = true,
        srptmap = true, srptsum = true },
    clock = "time",
    figures = { "cdf", "bars", "convergence", "slowdown" },
}

-- ---- words --------------------------------------------------------------------------------------

local function title(it)
    local parts = {}
    if it.speed then parts[1] = "stations of speed " .. text.real(it.speed) end
    if it.overlap ~= nil then parts[#parts + 1] = it.overlap and "overlap" or "no overlap" end
    return parts
end

local words = {
    summary = "two stations whose work overlaps; response times",
    title = title,
    time_unit = "",
    legend = "response times in units of time",
    ratio = "relative response time",
    amount = text.real,
    -- digits that tell one moment of a long run from the next
    moment = function(time) return text.real(time, 9) end,
    number = text.real,
    mean = text.real_with_half,
    difference = text.real_signed,
    last = function(result) return "makespan", text.real(result.makespan) end,
    ended = function(summary) return "time " .. check.float_text(summary.time) end,
    labels = {
        difference = "mean response time minus the baseline's",
        relative = "mean response time / the baseline's",
        p50 = "median response time", p90 = "90th percentile of response time",
        p99 = "99th percentile of response time", p999 = "99.9th percentile of response time",
        max = "longest response time",
    },
    axes = { speed = "speed of the stations", overlap = "overlap", warmup = "warm-up",
        until_time = "end of the run" },
}

local function request(given)
    local size = given.slowdown_by_size
    return {
        speed = given.speed, traditional = not given.overlap, buckets = size and size.buckets,
        bucket_width = size and size.width,
    }
end

return {
    name = "tandem",
    settings = settings,
    jobs = jobs,
    core = { request = request, run = core.tandem_run, verify = core.tandem_verify,
        hash = core.tandem_scenario_hash },
    results = results,
    words = words,
    log = log,
}
