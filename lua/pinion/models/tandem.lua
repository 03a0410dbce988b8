-- The tandem model as the front end sees it: its settings, what its results hold, and the words for
-- it.

local check = require "pinion.base.check"
local core = require "pinion.core"
local jobs = require "pinion.workload.jobs"
local model = require "pinion.models.common"
local quantity = require "pinion.base.quantity"
local text = require "pinion.base.text"

local M = { name = "tandem" }

-- What the kernel takes as the capacity of a station.
local SPEED_LEAST, SPEED_MOST = 2.0 ^ -64, 2.0 ^ 64

local BUCKETS_MOST = 1 << 20

-- ---- settings -----------------------------------------------------------------------------------

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

-- { buckets = 400, width = 0.25 }, or text such as "400x0.25".
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

M.scalars = { "speed", "overlap", "policy", "seed" }
M.fields = { speed = read_speed, overlap = check.boolean, policy = model.read_policy,
    seed = model.read_seed }
M.defaults = { speed = 1.0, overlap = true, seed = 1 }
M.required = {}
M.default_policies = { "fcfs", "ps", "klps", "maxsrpt", "splitsrpt", "bsrpt" }

M.options = { until_time = read_time, slowdown_by_size = read_buckets }
M.until_option = "until_time"
M.read_every = read_positive_time
M.unit = "time"
M.read_warmup_amount = read_time
M.has_orders = true

M.read_jobs = jobs.read_tandem

function M.binding(settings)
    return { policy = settings.policy, params = settings.params, speed = settings.speed,
        overlap = settings.overlap }
end

function M.request(settings)
    local size = settings.slowdown_by_size
    return {
        speed = settings.speed, traditional = not settings.overlap, buckets = size and size.buckets,
        bucket_width = size and size.width,
    }
end

M.run_core, M.verify_core, M.hash_core = core.tandem_run, core.tandem_verify,
    core.tandem_scenario_hash

-- ---- results ------------------------------------------------------------------------------------

M.heads = { "speed", "overlap" }
M.shows_params = true
M.integer = false
M.columns = { "arrival", "map_finish", "finish", "response_time", "slowdown" }
M.samples = {
    { name = "response_time", words = "response time", title = "mean response",
        stats = "response_times",
      group_stats = "group_response_times", total = "total_response_time",
      mean = "mean_response_time" },
    { name = "slowdown", words = "slowdown", title = "mean slowdown", stats = "slowdowns",
        group_stats = "group_slowdowns",
      mean = "mean_slowdown" },
}
M.measures = {
    { name = "mean_response_time", settling = "mean response time so far" },
    { name = "relative_response_time", title = "ratio",
        settling = "response time / lower bound, mean so far" },
    { name = "relative_response_time_tight", title = "tight ratio", bounds = "tight",
      settling = "response time / tight bound, mean so far" },
    { name = "mean_slowdown", title = "slowdown", settling = "mean slowdown so far" },
    { name = "mean_in_system", title = "in system",
        settling = "time-average number in the system, mean so far" },
}
M.ratio, M.ratio_tight = "relative_response_time", "relative_response_time_tight"
M.totals = { "mean_in_system", "makespan", "map_busy", "shuffle_busy", "instants", "decisions",
    "peak_jobs" }
M.tail = { "decisions", "instants", "map_busy", "shuffle_busy", "peak_jobs" }
M.last = "makespan"
M.clock = "time"

-- ---- words --------------------------------------------------------------------------------------

function M.title(it)
    local parts = {}
    if it.speed then parts[1] = "stations of speed " .. text.real(it.speed) end
    if it.overlap ~= nil then parts[#parts + 1] = it.overlap and "overlap" or "no overlap" end
    return parts
end

M.time_unit = ""
M.ratio_words = "relative response time"
M.legend = "response times in units of time"
M.ratio_legend = "ratio: total response time over the lower bound"
M.amount, M.number, M.mean, M.difference = text.real, text.real, text.real_with_half,
    text.real_signed

-- Digits that tell one moment of a long run from the next.
function M.moment(time)
    return text.real(time, 9)
end

function M.last_words(result)
    return "makespan", text.real(result.makespan)
end

function M.end_words(summary)
    return "time " .. check.float_text(summary.time)
end

M.labels = {
    relative_response_time = "total response time / lower bound",
    relative_response_time_tight = "total response time / tight lower bound",
    mean_response_time = "mean response time", mean_slowdown = "mean slowdown",
    mean_in_system = "time-average number in the system",
    difference = "mean response time minus the baseline's",
    relative = "mean response time / the baseline's",
    p50 = "median response time", p90 = "90th percentile of response time",
    p99 = "99th percentile of response time",
    p999 = "99.9th percentile of response time", max = "longest response time",
    response_time = "response time", slowdown = "slowdown",
}
M.axis_labels = { speed = "speed of the stations", overlap = "overlap", warmup = "warm-up",
    until_time = "end of the run" }

return model.complete(M)
