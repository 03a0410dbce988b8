-- Runs of the tandem model through the binding and through the library: what results hold, and what
-- is refused.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"

local function close(name, got, want, relative)
    check.is_true(string.format("%s: got %s, want %s", name, tostring(got), tostring(want)),
        type(got) == "number" and math.abs(got - want) <= (relative or 1e-12) * math.max(1,
            math.abs(want)))
end

local with = check.with

-- ---- one run, by hand ---------------------------------------------------------------------------

-- Section 2.1 of the paper.
local THREE = { { arrival = 0, map = 1, shuffle = 2 }, { arrival = 0, map = 3, shuffle = 1 },
    { arrival = 0, map = 2, shuffle = 2 } }
local BASE = { policy = "fcfs", workload = THREE, quiet = true }

local result = pinion.run(BASE)
check.equal("the model is that of the jobs", result.model, "tandem")
for field, want in next, {
    total_response_time = 12.0, mean_response_time = 4.0, lower_bound = 10.0,
    relative_response_time = 1.2, makespan = 6.0,
    mean_in_system = 2.0, map_busy = 6.0, shuffle_busy = 5.0,
} do
    close(field, result[field], want)
end
check.equal("complete", result.complete, true)
check.equal("finished", result.finished, 3)
check.equal("peak", result.peak_jobs, 3)
check.equal("no tight bound unless asked for", result.lower_bound_tight, nil)
check.equal("digest", #result.digest, 16)
close("tight bound", pinion.run(with(BASE, { bounds = "tight" })).lower_bound_tight, 11.5)
check.equal("no bounds", pinion.run(with(BASE, { bounds = "none" })).lower_bound, nil)
for id, finish in ipairs { 2, 4, 6 } do
    close("finish of " .. id, result.jobs[id].finish, finish)
end
for id, mapped in ipairs { 1, 4, 6 } do
    close("map finish of " .. id, result.jobs[id].map_finish, mapped)
end
close("slowdown", result.jobs[2].slowdown, 4 / 3)
close("mean slowdown", result.mean_slowdown, (1 + 4 / 3 + 3) / 3)
close("median of slowdowns", result:quantile("slowdown", 0.5), 4 / 3)
close("largest response time", result:quantile("response_time", 1), 6)
check.equal("times are floats", math.type(result.jobs[1].arrival), "float")

-- The traditional tandem queue, and stations twice as fast.
local apart = pinion.run(with(BASE, { overlap = false }))
for id, finish in ipairs { 3, 5, 8 } do
    close("without overlap, finish of " .. id, apart.jobs[id].finish, finish)
end
close("twice as fast", pinion.run(with(BASE, { speed = 2 })).total_response_time, 6)
close("slowdowns are relative to the speed", pinion.run(with(BASE, { speed = 2 })).mean_slowdown,
    result.mean_slowdown)

-- TA5: without work a job is complete at its arrival, and has no slowdown; without map work all
-- shuffle work is there at once.
local odd = pinion.run { policy = "maxsrpt", quiet = true, workload = {
    { arrival = 5, shuffle = 3 }, { arrival = "1/2" }, { arrival = 2, map = 1 },
    { arrival = 5, map = "3/2", shuffle = 0 },
} }
check.equal("a job without work", odd.jobs[1].response_time, 0.0)
check.equal("has no slowdown", odd.jobs[1].slowdown, nil)
check.equal("only the others count", odd.stats.slowdown:count(), 3)
close("map only", odd.jobs[2].finish, 3)
close("shuffle only", odd.jobs[3].finish, 8)
check.equal("mapped at its arrival", odd.jobs[3].map_finish, 5.0)
close("both stations at once", odd.jobs[4].finish, 6.5)
close("first arrival to last finish", odd.makespan, 7.5)
local nothing = pinion.run { policy = "ps", workload = { { arrival = 1 } }, model = "tandem",
    quiet = true }
check.equal("a bound of 0 has no ratio", nothing.relative_response_time, nil)
check.equal("nobody has a slowdown", nothing.mean_slowdown, nil)
check.equal("no quantile of nothing", nothing:quantile("slowdown", 0.5), nil)

-- Groups, names, and jobs out of order.
local grouped = pinion.run { policy = "fcfs", quiet = true, workload = {
    { arrival = 3, map = 1, group = "late", name = "z" }, { arrival = 0, map = 2, shuffle = 1 },
    { arrival = 1, map = 1, group = "late" },
} }
check.equal("sorted by arrival", grouped.jobs[3].name, "z")
check.equal("its group", grouped.jobs[3].group, "late")
check.equal("groups by first appearance", grouped.groups[1].group, "late")
check.equal("jobs of a group", grouped.groups[1].finished, 2)
close("response times of a group", grouped.groups[1].response_time.max, 2, 0.01)
close("slowdowns of a group", grouped.groups[1].slowdown.min, 1, 0.01)

-- ---- parameters ---------------------------------------------------------------------------------

check.equal("only parameters that differ are shown",
    pinion.run(with(BASE, { policy = "maxsrpt" })).params, nil)
local strict = pinion.run(with(BASE, { policy = "maxsrpt", params = { work_conserving = false } }))
check.equal("a boolean", strict.params.work_conserving, false)
for lend, total in next, { none = 16, empty = 15, full = 14 } do
    close("SplitSRPT lends " .. lend,
        pinion.run(with(BASE,
        { policy = "splitsrpt", params = { lend = lend } })).total_response_time, total)
end
for _, orders in ipairs { { order_map = { 3, 2, 1 }, order_shuffle = { 3, 2, 1 } },
        { order_map = "3;2", order_shuffle = "3 2 1" } } do
    local given = pinion.run(with(BASE, { policy = "priority", params = orders }))
    for id, finish in ipairs { 7, 5, 2 } do
        close("a given order, finish of " .. id, given.jobs[id].finish, finish)
    end
end
check.equal("without one: by arrival", pinion.run(with(BASE, { policy = "priority" })).digest,
    result.digest)

-- ---- the end, the warm-up, the slowdowns by size ------------------------------------------------

local LIN = { policy = "maxsrpt", workload = "lin,jobs=3000,seed=7", quiet = true }
local whole = pinion.run(LIN)
local part = pinion.run(with(LIN, { until_time = 500 }))
check.equal("a part is not complete", part.complete, false)
check.equal("a part has no bound", part.lower_bound, nil)
check.equal("rows of those that have arrived", #part.jobs, part.submitted)
check.is_true("no arrival behind the end", part.jobs[part.submitted].arrival < 500
    and part.submitted < whole.submitted)
check.is_true("no finish behind the end", part:quantile("finish", 1) <= 500)
local same = 0
for id = 1, part.submitted do
    local before, after = part.jobs[id], whole.jobs[id]
    if before.finish == nil or before.finish == after.finish then same = same + 1 end
end
check.equal("the same up to the end", same, part.submitted)
check.equal("nothing before the first arrival", pinion.run(with(LIN, { until_time = 0 })).submitted,
    0)
check.equal("an end that is late enough", pinion.run(with(LIN, { until_time = 1e9 })).digest,
    whole.digest)

for _, warmup in ipairs { 1000, "1000", { jobs = 1000 }, { time = whole.jobs[1001].arrival },
        whole.jobs[1001].arrival .. "time" } do
    local warm = pinion.run(with(LIN, { warmup = warmup }))
    check.equal("measured jobs", warm.measured, 2000)
    close("total of all jobs", warm.total_response_time, whole.total_response_time)
    local sum, most = 0, 0
    for id = 1001, 3000 do
        sum = sum + whole.jobs[id].response_time
        most = math.max(most, whole.jobs[id].slowdown)
    end
    close("mean of the measured jobs", warm.mean_response_time, sum / 2000, 1e-9)
    check.equal("largest slowdown of the measured jobs", warm:quantile("slowdown", 1), most)
    check.equal("warm-up changes nothing else", warm.digest, whole.digest)
end

-- Buckets against the definition, and joined.
local sized = pinion.run(with(LIN, { slowdown_by_size = { buckets = 8, width = 0.5 } }))
check.equal("buckets and one more", #sized.slowdown_by_size, 9)
check.equal("the last has no end", sized.slowdown_by_size[9].to, nil)
local jobs = sized.jobs
local list = pinion.workload.spec(LIN.workload):open({}).core:jobs(3000)
local counts, sums = {}, {}
for id, job in ipairs(list) do
    local i = math.min(9, math.floor(math.max(job.map, job.shuffle) / 0.5) + 1)
    counts[i], sums[i] = (counts[i] or 0) + 1, (sums[i] or 0) + jobs[id].slowdown
end
for i, bucket in ipairs(sized.slowdown_by_size) do
    check.equal("jobs in bucket " .. i, bucket.count, counts[i])
    close("mean of bucket " .. i, bucket.mean, sums[i] / counts[i], 1e-9)
end
check.equal("as text",
    pinion.run(with(LIN, { slowdown_by_size = "8x0.5" })).slowdown_by_size[3].count, counts[3])

-- ---- constant memory ----------------------------------------------------------------------------

local bare = pinion.run(with(LIN, { keep_jobs = false }))
check.equal("no rows", bare.jobs, nil)
check.equal("the same schedule", bare.digest, whole.digest)
for _, name in ipairs { "response_time", "slowdown" } do
    for _, q in ipairs { 0.1, 0.5, 0.9, 0.99 } do
        close(name .. " within 1 % without rows", bare:quantile(name, q), whole:quantile(name, q),
            0.01)
    end
end
check.raises("other fields need rows", "this result has no rows", bare.quantile, bare, "finish",
    0.5)
check.equal("a block that starts over decides the same",
    pinion.run { policy = "fcfs", workload = "lin,batch=true,jobs=70000",
    keep_jobs = false, quiet = true }.finished, 70000)

-- Arrivals see what Little's law says of them (PASTA), one by one at first and one of several
-- later.
local system, sum, arrivals = whole.number_in_system, 0, 0
for i = 1, #system do sum, arrivals = sum + system[i] * system.jobs, arrivals + system.jobs end
check.is_true("nearly all arrivals are looked at", arrivals > 2900)
close("jobs seen by arrivals", sum / arrivals, whole.mean_in_system, 0.15)
close("Little's law", whole.mean_in_system * (whole.jobs[3000].finish - whole.jobs[1].arrival),
    whole.total_response_time, 0.05)

-- ---- errors in sizes ----------------------------------------------------------------------------

local misjudged = { { arrival = 0, map = 5, shuffle = 1, estimate_map = 1 },
    { arrival = 0, map = 2, shuffle = 1, estimate_shuffle = 9 } }
close("the estimate decides",
    pinion.run { policy = "maxsrpt", workload = misjudged, quiet = true }.jobs[1].finish, 5)
check.is_true("errors in sizes make another schedule",
    pinion.run(with(LIN, { error = "lognormal(1,1)" })).digest ~= whole.digest)
close("… of the same work", pinion.run(with(LIN, { error = "lognormal(1,1)" })).map_busy,
    whole.map_busy, 1e-9)

-- ---- what is refused ----------------------------------------------------------------------------

local REFUSED = {
    ["speed: must be a number in 2^-64..2^64, got 0"] = { speed = 0 },
    ["speed: must be a number in 2^-64..2^64, got 'x'"] = { speed = "x" },
    ["speed: must be a number in 2^-64..2^64, got NaN"] = { speed = 0 / 0 },
    ["overlap: must be true or false, got 1"] = { overlap = 1 },
    ["until_time: must be a number >= 0, got -1"] = { until_time = -1 },
    ["until_time: must be 0 or a number in 2^-256..2^256, got 1e+300"] = { until_time = 1e300 },
    ["every: must be > 0, got 0"] = { checkpoint = "x", every = 0 },
    ["slowdown_by_size: must be a number of buckets and their width such as 400x0.25"] =
        { slowdown_by_size = 400 },
    ["slowdown_by_size: width: must be > 0"] = { slowdown_by_size = "400x0" },
    ["slowdown_by_size: buckets: must be an integer in 1.."] =
        { slowdown_by_size = { buckets = 0, width = 1 } },
    ["slowdown_by_size: widht: unknown field (did you mean 'width'?)"] =
        { slowdown_by_size = { buckets = 4, width = 1, widht = 2 } },
    ["warmup: must be a number of jobs such as 1000, or of time such as 500time, or auto, "
        .. "got '5slots'"] =
        { warmup = "5slots" },
    ["until_slot: unknown option (known: attributes, bounds, "] = { until_slot = 3 },
    ["machines: unknown option"] = { machines = 3 },
    ["params.lend: must be none or empty or full, got 'half'"] = { policy = "splitsrpt",
        params = { lend = "half" } },
    ["params.work_conserving: must be true or false, got 1"] = { policy = "maxsrpt",
        params = { work_conserving = 1 } },
    ["params.order_map: there is no job 4, the workload has 3"] = { policy = "priority",
        params = { order_map = { 1, 4 } } },
    ["params.order_map: [2]: job 1 is listed twice"] = { policy = "priority",
        params = { order_map = { 1, 1 } } },
    ["workload[1].map: must be 0 or a number in 2^-256..2^256"] =
        { workload = { { arrival = 0, map = 1e300 } } },
    ["workload[1].shuffle: must be a number >= 0, got -1"] =
        { workload = { { arrival = 0, shuffle = -1 } } },
    ["workload[1].map: must be 0 or a number in 2^-256..2^256, got 4.94065645841247e-324"] =
        { workload = { { arrival = 0, map = 5e-324 } } },
    ["workload[1].map: must be 0 or a number in 2^-256..2^256, got Infinity"] =
        { workload = { { arrival = 0, map = math.huge } } },
    ["workload[1].arrival: is required"] = { workload = { { map = 1 } } },
    ["workload 'zheng:0': its jobs are of the slotted model"] = { model = "tandem",
        workload = "zheng:0" },
    ["policy 'asrpt' is of the slotted model"] = { policy = "asrpt" },
}
for message, change in next, REFUSED do
    check.raises(message, message, pinion.run, with(BASE, change))
end
check.raises("a workload of the other model", "workload 'lin': its jobs are of the tandem model",
    pinion.run,
    { model = "slotted", machines = 3, policy = "fifo", workload = "lin" })

-- Policies in Lua that do nothing, or too much.
local function scripted(body)
    return pinion.policy('-- A policy of this test.\nreturn { name = "odd", model = "tandem", '
        .. body .. " }")
end
check.raises("a policy that serves nobody",
    "policy odd, after time 0: serves none of the 3 jobs present, and no job is to come",
    pinion.run, with(BASE, { policy = scripted "rates = function(s) end" }))
check.raises("a policy that wakes up for nothing",
    "no work was done in the 1000000 instants up to time", pinion.run,
    with(BASE, { policy = scripted "rates = function(s) end, wake = function(s) return 1 end" }))
for _, delay in ipairs { "1e-14", "5e-324" } do
    check.raises("a policy that wakes up after " .. delay,
        "policy odd: wakes up for next to nothing: in the 1000000 instants up to time", pinion.run,
        with(BASE, { policy = scripted(
            'map = { serve = "share" }, shuffle = { serve = "share" }, wake = function(s) return '
                .. delay .. " end") }))
end
check.raises("a policy that gives too much",
    "policy:2: job 1 at time 0: asked for a map rate of 2, 1 is left", pinion.run,
    with(BASE, { policy =
        scripted('orders = { all = { of = "present" } }, '
            .. 'rates = function(s) s:give_map(s:first "all", 2) end') }))

check.raises("a policy that asks for too large a rate",
    "policy:2: time 0: fill_map: a rate >= 0 is expected, got 1e+100", pinion.run,
    with(BASE, { policy = scripted('orders = { a = { of = "mapping" } }, '
        .. 'rates = function(s) s:fill_map("a", 1e100) end') }))

for arguments, message in next, {
    ['job, "nosuch"'] = "the station must be map or shuffle, got nosuch",
    ["job, 1"] = "the station must be map or shuffle, got 1",
    ['0.5, "map"'] = "rank: a job is expected, got number" } do
    check.raises("a rank of " .. arguments, "policy:2: job 1 at time 0: " .. message, pinion.run,
        with(BASE, { policy = scripted('ranks = true, map = { changes = "arrival", key = '
            .. "function(s, job) return s:rank(" .. arguments .. ") end }, "
            .. 'shuffle = { serve = "share" }') }))
end

-- Times beyond 2^53 are written with all their digits.
local late = check.temporary_file ""
pinion.run { model = "tandem", policy = "fcfs", quiet = true, log = late,
    workload = { { arrival = 0, map = 1, shuffle = 1 },
        { arrival = 1e20, map = 1e20, shuffle = 0 } } }
check.contains("a late decision", check.read_file(late),
    '{"time":1e+20,"job":2,"map_rate":1,"shuffle_rate":0}\n{"time":2e+20,"job":2,')

-- Functions of a policy that nothing else makes necessary.
local SHARES <const> = 'map = { serve = "share" }, shuffle = { serve = "share" }, '
check.raises("jobs finish in a policy that names none", "policy:2: job 1 at time 3.8: it is over",
    pinion.run, with(BASE, { policy =
        scripted(SHARES .. 'finish = function(s, job) error "it is over" end') }))
for name, arguments in next, { ["a key with any arguments"] = "...", ["named"] = "x, y" } do
    local key = string.format("map = { changes = 'served', key = function(s, job, %s) "
        .. "local map, shuffle = %s return -map, shuffle end }, shuffle = { serve = 'share' }",
        arguments, arguments)
    check.equal(name, pinion.run(with(BASE, { policy = scripted(key) })).digest,
        pinion.run(with(BASE, { policy = scripted((key:gsub("%-map, shuffle end",
            "-s:map_left(job), s:shuffle_left(job) end"))) })).digest)
end

-- ---- the binding --------------------------------------------------------------------------------

local three = core.workload_tandem_table(THREE)
local function ask(change)
    return core.tandem_run(with({ workload = three, policy = "fcfs", quiet = true }, change))
end
check.equal("the binding runs", ask({}).total_response_time, 12.0)
local _, kind, message = ask { policy = "nix" }
check.equal("kind of a mistake", kind, "usage")
check.equal("a policy that is none", message, "no policy is called nix")
_, kind, message = ask { speed = 1e300 }
check.equal("kind of a configuration out of range", kind, "usage")
check.contains("a configuration out of range", message, "out of range: speed: 2^-64..2^64")
_, kind, message = ask { log = "/nonexistent/log" }
check.equal("a log that cannot be written", message,
    "cannot write /nonexistent/log: No such file or directory")
check.raises("jobs of the other model", "its jobs are of the slotted model", ask,
    { workload = core.workload_slotted_table { { arrival = 1, maps = 1 } } })

check.done()
