-- Intervals cover what they claim: of samples whose distribution is known, and of simulations of a
-- queue whose mean and quantiles are known.
-- The seed is printed; PINION_TEST_SEED repeats a run.

package.path = "tests/support/?.lua;" .. package.path
local one_run = require "pinion.base.batch_means"
local check = require "check"
local pinion = require "pinion"
local statistics = require "pinion.base.statistics"

local seed = tonumber(os.getenv "PINION_TEST_SEED" or os.time())
print(string.format("seed %d (PINION_TEST_SEED=%d repeats it)", seed, seed))
math.randomseed(seed)

local function exponential() return -math.log(1 - math.random()) end

local function normal()
    return math.sqrt(2 * exponential()) * math.cos(2 * math.pi * math.random())
end

-- `trial` says whether its interval has the truth inside. The share of those that have must be
-- between the limits, four standard errors aside.
local function covers(name, trials, low, high, trial)
    local inside = 0
    for _ = 1, trials do inside = inside + (trial() and 1 or 0) end
    local share, margin = inside / trials, 4 * math.sqrt(0.05 * 0.95 / trials)
    check.is_true(string.format("%s: %.3f covered of %d", name, share, trials),
        share >= low - margin and share <= high + margin)
    return share
end

local function draw(count, one)
    local values = {}
    for i = 1, count do values[i] = one() end
    return values
end

-- ---- Student's t --------------------------------------------------------------------------------

-- Percentage points of the t-distribution, as tables print them (Abramowitz and Stegun, Table
-- 26.10, Q = 0.975, and NIST/SEMATECH e-Handbook, 1.3.6.7.2), and to more digits for 1 and 2
-- degrees, whose quantiles are tan(0.475 pi) and 0.95 sqrt(2 / (1 - 0.95^2)).
for freedom, text in next, { "12.706", "4.303", "3.182", "2.776", "2.571", "2.447", "2.365",
        "2.306", "2.262", "2.228", [15] = "2.131", [20] = "2.086", [25] = "2.060", [29] = "2.045",
        [30] = "2.042", [40] = "2.021", [60] = "2.000", [100] = "1.984", [120] = "1.980" } do
    check.equal("t of " .. freedom .. " degrees of freedom",
        string.format("%.3f", statistics.student(freedom)), text)
end
for freedom, want in next, { 12.706204736174707, 4.302652729749462, 3.182446305283709,
        [10] = 2.228138851986274, [120] = 1.979930405082441 } do
    local got = statistics.student(freedom)
    check.is_true(string.format("t of %d, to 12 digits: %.14f", freedom, got),
        math.abs(got - want) <= 1e-12 * want)
end
local step = statistics.student(1000) - statistics.student(1001)
check.is_true(string.format("no step where the expansion begins: %g", step),
    step > 2.3e-6 and step < 2.5e-6)
for freedom, want in next, { 235.801498, 19.206744, 9.218940, [7] = 4.529974, [30] = 3.270334,
        [199] = 3.038128, [1001] = 3.007510 } do
    local got = statistics.student(freedom, statistics.THREE)
    check.is_true(string.format("three deviations, %d degrees: %.6f", freedom, got),
        math.abs(got - want) < 6e-7 * want)
end
check.is_true("the normal distribution at last",
    math.abs(statistics.student(1 << 40) - 1.959963984540054) < 1e-11)

-- ---- the formulas -------------------------------------------------------------------------------

for _, count in ipairs { 2, 3, 5, 20 } do
    covers("mean of " .. count .. " normal values", 4000, 0.95, 0.95, function()
        local mean, half = statistics.interval(draw(count, normal))
        return math.abs(mean) <= half
    end)
end

for _, count in ipairs { 5, 20 } do
    covers("ratio of " .. count .. " pairs", 3000, 0.93, 0.97, function()
        local above, below = {}, {}
        for i = 1, count do
            local common = normal()
            above[i], below[i] = 30 + 3 * common + normal(), 20 + 2 * common + normal()
        end
        local ratio, half = statistics.ratio(above, below)
        return math.abs(ratio - 1.5) <= half
    end)
end
check.equal("a ratio of one pair", select("#", statistics.ratio({ 3 }, { 2 })), 1)
check.equal("a ratio to 0", statistics.ratio({ 3, 4 }, { 0, 0 }), nil)

-- Chances of the binomial distribution by their definition.
local function chance(n, k, q)
    local product = 1.0
    for i = 1, k do product = product * (n - i + 1) / i * q end
    return product * (1 - q) ^ (n - k)
end

for _, n in ipairs { 1, 2, 5, 6, 10, 50, 100, 300 } do
    for _, q in ipairs { 0.5, 0.9, 0.99 } do
        local low, high = statistics.order_limits(n, q)
        local below, first, sum = 0.0, 0, 0.0
        while below + chance(n, first, q) <= 0.025 do
            below, first = below + chance(n, first, q), first + 1
        end
        local last, above = n, 0.0
        while above + chance(n, last, q) <= 0.025 do
            above, last = above + chance(n, last, q), last - 1
        end
        local name = string.format("ranks of %g of %d", q, n)
        if first < 1 or last + 1 > n then
            check.equal(name, low, nil)
        else
            check.equal(name .. ", low", low, first)
            check.equal(name .. ", high", high, last + 1)
            for k = low, high - 1 do sum = sum + chance(n, k, q) end
            check.is_true(name .. " hold enough", sum >= 0.95)
        end
    end
end
local low, high = statistics.order_limits(1000000, 0.999)
check.is_true("ranks of a million", math.abs(low - (999000 - 62)) <= 2
    and math.abs(high - (999000 + 62)) <= 2)

for _, case in ipairs { { 100, 0.5 }, { 500, 0.9 }, { 2000, 0.99 } } do
    local n, q = table.unpack(case)
    low, high = statistics.order_limits(n, q)
    covers(string.format("quantile %g of %d", q, n), 1500, 0.95, 0.975, function()
        local values, truth = draw(n, exponential), -math.log(1 - q)
        table.sort(values)
        return values[low] <= truth and truth <= values[high]
    end)
end

covers("pooled median of 10 parts", 1500, 0.93, 0.97, function()
    local all, own = {}, {}
    for part = 1, 10 do
        local values = draw(101, exponential)
        table.move(values, 1, #values, #all + 1, all)
        table.sort(values)
        own[part] = values[51]
    end
    table.sort(all)
    local pooled = all[505]
    return math.abs(pooled - math.log(2)) <= statistics.section(own, pooled)
end)

-- What depends on its neighbours is found out, and what does not seldom is.
local function batch_means(step)
    local means, squares, sum, value = {}, 0, 0, 0
    for batch = 1, 40 do
        local total = 0
        for _ = 1, 25 do
            value = step(value)
            total, sum, squares = total + value, sum + value, squares + value * value
        end
        means[batch] = total / 25
    end
    return means, 25, math.sqrt(squares / 1000 - (sum / 1000) ^ 2)
end
local found, missed = 0, 0
for _ = 1, 200 do
    if statistics.look_independent(batch_means(normal)) then found = found + 1 end
    if statistics.look_independent(batch_means(function(x) return 0.7 * x + normal() end)) then
        missed = missed + 1
    end
end
check.is_true("independent values look so: " .. found .. " of 200", found >= 130)
check.is_true("dependent ones do not: " .. missed .. " of 200", missed <= 4)

-- The mean of one run: what is independent has an interval, skewed or not; what depends on its
-- neighbours seldom has one, and then it is wider.
local function of_batches(step)
    local means, value, given, covered = {}, 0, 0, 0
    for _ = 1, 1000 do
        for batch = 1, 40 do
            value = step(value)
            means[batch] = value
        end
        local half, behind = one_run.interval(means)
        if half then
            given = given + 1
            if math.abs(statistics.interval(behind)) <= half then covered = covered + 1 end
        end
    end
    return given, covered
end
for name, one in next, {
    normal = normal, skewed = function() return exponential() - 1 end,
    ["very skewed"] = function() return exponential() ^ 2 - 2 end,
} do
    local given, covered = of_batches(one)
    check.is_true(string.format("%s values: %d of 1000 have an interval", name, given),
        given >= 910)
    check.is_true(string.format("%s values: %d of %d cover", name, covered, given),
        covered >= 0.93 * given - 4 * math.sqrt(0.93 * 0.07 * given))
end
local given = of_batches(function(x) return 0.7 * x + normal() end)
check.is_true("dependent values: " .. given .. " of 1000", given <= 300)
check.equal("too few", select(3, one_run.interval(draw(19, normal))), "too few jobs")
check.equal("equal values", one_run.interval { table.unpack(draw(20, function() return 3 end)) },
    0.0)

-- ---- a queue ------------------------------------------------------------------------------------

-- Without shuffle work and with exponential sizes, first come first served is M/M/1: the response
-- time is exponential with mean 1 / (1 - load).
local function queue(load, jobs)
    return pinion.workload.lin { load = load, jobs = jobs, map = "exp(1)", shuffle = "0",
        seed = math.random(1 << 30) }
end

local LOAD = 0.4
local MEAN = 1 / (1 - LOAD)
local inside = { mean = 0, p50 = 0, p90 = 0 }
local TRIALS = 120
for _ = 1, TRIALS do
    local row = pinion.compare { workload = queue(LOAD, 1500), policies = { "fcfs" }, quiet = true,
        replicas = 6, warmup = 100, bounds = "none", processes = 1 }.rows[1]
    local function count(name, value, half, truth)
        if math.abs(value - truth) <= half then inside[name] = inside[name] + 1 end
    end
    count("mean", row.mean_response_time, row.mean_response_time_half, MEAN)
    count("p50", row.p50, row.p50_half, MEAN * math.log(2))
    count("p90", row.p90, row.p90_half, MEAN * math.log(10))
end
for _, name in ipairs { "mean", "p50", "p90" } do
    check.is_true(string.format("%s of the queue: %d of %d covered", name, inside[name], TRIALS),
        inside[name] >= 0.95 * TRIALS - 4 * math.sqrt(0.05 * 0.95 * TRIALS) - 0.02 * TRIALS)
end

-- A single run: where jobs hardly ever meet, quantiles have intervals; where they wait, a reason.
local stated, covered = 0, 0
for _ = 1, 60 do
    local run = pinion.run { workload = queue(0.02, 600), policy = "fcfs", quiet = true,
        bounds = "none" }
    local limits = run.quantile_limits
    if limits then
        stated = stated + 1
        local truth = math.log(10) / (1 - 0.02)
        if limits.p90[1] <= truth and truth <= limits.p90[2] then covered = covered + 1 end
        check.equal("no rank reaches 99.9 %", limits.p999, nil)
    else
        check.contains("the reason", run.no_quantile_limits, "times as much as those of "
            .. "independent")
    end
end
check.is_true("jobs alone look independent: " .. stated .. " of 60", stated >= 30)
check.is_true(string.format("their interval holds: %d of %d", covered, stated),
    covered >= 0.95 * stated - 4 * math.sqrt(0.05 * 0.95 * stated))
local busy = pinion.run { workload = queue(0.9, 3000), policy = "fcfs", quiet = true }
check.equal("no interval in a busy queue", busy.quantile_limits, nil)
check.contains("… and why", busy.no_quantile_limits, "depend on each other")
local few = pinion.run { workload = queue(0.5, 5), policy = "fcfs", quiet = true }
check.contains("few jobs", few.no_quantile_limits, "too few jobs")
local batch = pinion.run { workload = "rand_few", policy = "fifo", quiet = true }
check.contains("a batch", batch.no_quantile_limits, "the jobs of a batch depend on each other")
local unkept = pinion.run { workload = queue(0.5, 500), policy = "fcfs", quiet = true,
    keep_jobs = false }
check.contains("no rows", unkept.no_quantile_limits, "not stored")

-- ---- the warm-up --------------------------------------------------------------------------------

local function steps(low, count, high, rest)
    local means = {}
    for i = 1, count do means[i] = low + i % 3 end
    for i = 1, rest do means[count + i] = high + i % 3 end
    return means
end
check.equal("a low beginning is cut", one_run.warmup(steps(0, 5, 10, 35)), 5)
check.equal("a burst is not", one_run.warmup(steps(10, 5, 0, 35)), 0)
check.equal("at most half is cut", one_run.warmup(steps(0, 21, 100, 19)), 20)
check.equal("no batches, no cut", one_run.warmup {}, 0)

local RISING = { workload = "lin,jobs=8000,map=exp(1),shuffle=0,arrivals=rates(0:0.02;40000:0.5)",
    policy = "ps", bounds = "none", quiet = true }
local function rising(own)
    for name, value in next, RISING do own[name] = own[name] or value end
    if own.policies then own.policy = nil end
    return own
end
local cold, auto = pinion.run(RISING), pinion.run(rising { warmup = "auto" })
check.equal("a notice's number", cold.warmup_suggested, 1024)
check.equal("jobs left out", auto.warmup.jobs, 1024)
check.equal("by MSER", auto.warmup_found, "whole")
check.equal("the same decisions", auto.digest, cold.digest)
check.is_true("an interval without them", auto.batches.half and not cold.batches.half)
local given = pinion.run(rising { warmup = 1024 })
check.equal("as if it were given", auto.mean_response_time, given.mean_response_time)
check.equal("… and measured", auto.measured, given.measured)
check.equal("no number where one is given", given.warmup_suggested, nil)
local compared = pinion.compare(rising { policies = { "ps", "fcfs" }, warmup = "auto",
    replicas = 3, processes = 2 })
check.equal("a warm-up of each replica", compared.rows[1].warmup_jobs[1], 1024)
check.equal("… of all", #compared.rows[2].warmup_jobs, 3)
check.equal("of the first one", compared.rows[1].samples.mean_response_time[1],
    auto.mean_response_time)
check.contains("in its title", tostring(compared), "warm-up auto")
local folder = check.directory()
local function stored(options)
    options.store, options.over = folder .. "/store", { warmup = { 0, "auto" } }
    return pinion.sweep(rising(options))
end
local first = stored { policies = { "ps" }, replicas = 2 }
local again = stored { policies = { "ps" }, replicas = 2, only_stored = true }
check.is_true("a sweep over both", first.rows[1].mean_response_time
    < first.rows[2].mean_response_time)
check.equal("out of the store", again.rows[2].mean_response_time,
    first.rows[2].mean_response_time)
check.equal("with the warm-ups", table.concat(again.rows[2].warmup_jobs, " "),
    table.concat(first.rows[2].warmup_jobs, " "))
check.raises("no checkpoint", "warmup: auto runs twice, which a checkpoint cannot hold", pinion.run,
    rising { warmup = "auto", checkpoint = folder .. "/state", every = 100 })

-- ---- few replicas -------------------------------------------------------------------------------

local function text_of(replicas)
    return tostring(pinion.compare { workload = queue(0.5, 100), policies = { "fcfs", "ps" },
        quiet = true, replicas = replicas })
end
check.contains("one replica is said", text_of(1), "\none replica, so no intervals: ")
check.contains("two are said", text_of(2), "\ntwo replicas give wide intervals: ")
check.is_true("three are enough", not text_of(3):find ": try ")
check.is_true("jobs as they are have one only", not tostring(pinion.compare { machines = 4,
    policies = { "fifo" }, quiet = true, workload = { { arrival = 1, maps = 3 } } })
    :find "one replica")

check.done()
