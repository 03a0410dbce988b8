-- Comparisons and sweeps of the tandem model: replicas, paired differences, pooled quantiles, and
-- what is written and drawn of them.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"
local statistics = require "pinion.base.statistics"

local with = check.with

local function close(name, got, want, relative)
    check.is_true(string.format("%s: got %s, want %s", name, tostring(got), tostring(want)),
        type(got) == "number" and math.abs(got - want) <= (relative or 1e-12) * math.abs(want))
end

local POLICIES = { "klps", "maxsrpt", "splitsrpt" }
local BASE = { workload = "lin,jobs=1500", policies = POLICIES, replicas = 5, bounds = "tight",
    quiet = true,
               slowdown_by_size = { buckets = 6, width = 0.5 }, processes = 2 }
local made = pinion.compare(BASE)

-- ---- rows against single runs -------------------------------------------------------------------

check.equal("the model is that of the workload", made.model, "tandem")
check.equal("baseline", made.baseline, "klps")
check.equal("jobs of a replica", made.submitted, 1500)
local means = {}
for i, policy in ipairs(POLICIES) do
    local row = made.rows[i]
    local runs, responses, slowdowns, buckets = {}, {}, {}, {}
    for replica = 0, 4 do
        local run = pinion.run { policy = policy, workload = BASE.workload, replica = replica,
            bounds = "tight", quiet = true,
            slowdown_by_size = "6x0.5" }
        runs[replica + 1] = run
        for _, job in pairs(run.jobs) do
            responses[#responses + 1], slowdowns[#slowdowns + 1] = job.response_time, job.slowdown
        end
        for b, bucket in ipairs(run.slowdown_by_size) do
            buckets[b] = (buckets[b] or 0) + bucket.count
        end
    end
    for _, measure in ipairs { "mean_response_time", "mean_slowdown", "mean_in_system",
        "relative_response_time",
                               "relative_response_time_tight" } do
        local values = {}
        for k, run in ipairs(runs) do values[k] = run[measure] end
        local mean, half, sd = statistics.interval(values)
        -- Bounds are computed once, beside the first policy, and their last digit depends on when
        -- its system is empty.
        close(policy .. ": " .. measure, row[measure], mean)
        close(policy .. ": interval of " .. measure, row[measure .. "_half"], half, 1e-9)
        close(policy .. ": deviation of " .. measure, row[measure .. "_sd"], sd, 1e-9)
        if measure == "mean_response_time" then means[i] = values end
    end
    table.sort(responses)
    table.sort(slowdowns)
    for _, quantile in ipairs { { "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 } } do
        local name, rank = quantile[1], math.ceil(quantile[2] * #responses)
        close(policy .. ": pooled " .. name, row[name], responses[rank], 0.01)
        close(policy .. ": pooled slowdown " .. name, row.slowdown[name], slowdowns[rank], 0.01)
    end
    check.equal(policy .. ": longest", row.max, responses[#responses])
    for b, bucket in ipairs(row.slowdown_by_size) do
        check.equal(policy .. ": bucket " .. b, bucket.count, buckets[b])
    end
end
local paired, wins = {}, 0
for k = 1, 5 do
    paired[k] = means[2][k] - means[1][k]
    wins = wins + (means[2][k] < means[1][k] and 1 or 0)
end
local difference, half = statistics.interval(paired)
check.equal("paired difference", made.rows[2].difference, difference)
check.equal("its interval", made.rows[2].difference_half, half)
check.equal("wins", made.rows[2].wins, wins)
check.equal("the baseline has no difference", made.rows[1].difference, nil)

-- ---- what is written does not depend on the processes -------------------------------------------

local function written(comparison)
    local path = program.file "c.json"
    comparison:json(path)
    return check.read_file(path)
end
local text = written(made)
for _, processes in ipairs { 1, 5 } do
    check.equal("the same with " .. processes .. " processes",
        written(pinion.compare(with(BASE, { processes = processes }))), text)
end
local decoded = core.json_decode(text, "comparison")
check.equal("replicas in JSON", decoded.replicas, 5)
check.equal("settings in JSON", decoded.speed, 1.0)
check.equal("overlap in JSON", decoded.overlap, true)
check.equal("samples in JSON", #decoded.rows[1].samples.mean_in_system, 5)
check.equal("slowdowns in JSON", decoded.rows[2].slowdown_by_size[7].to, core.null)
check.equal("a double comes back", decoded.rows[2].mean_response_time,
    made.rows[2].mean_response_time)

-- One replica: results, in processes of their own or not.
local once = { workload = "lin,jobs=800", policies = POLICIES, bounds = "tight", quiet = true,
    slowdown_by_size = "3x1" }
local alone = pinion.compare(once)
check.equal("one policy a process", written(pinion.compare(with(once, { processes = 3 }))),
    written(alone))
check.equal("the bounds are the workload's", alone.rows[3].result.lower_bound_tight,
    alone.lower_bound_tight)
check.equal("exact quantiles of one replica", alone.rows[2].p90,
    pinion.run { policy = "maxsrpt", workload = once.workload,
        quiet = true }:quantile("response_time", 0.9))

-- Groups over replicas, by errors in sizes.
local grouped = pinion.compare { workload = { { arrival = 0, map = 4, shuffle = 1, group = "a" },
    { arrival = 0, map = 3, shuffle = 3, group = "b" },
    { arrival = 1, map = 1, shuffle = 2, group = "a" } }, policies = { "maxsrpt" }, replicas = 4,
        error = "lognormal(1,1)", quiet = true }
check.equal("jobs of a group over replicas", grouped.rows[1].groups[1].finished, 8)
check.is_true("an interval of a group", grouped.rows[1].groups[1].response_time.mean_half >= 0)

-- Warm-up by time, and the warning that a queue grows.
local warm = pinion.compare(with(once, { warmup = { time = 500 } }))
check.is_true("measured behind the warm-up", warm.rows[1].measured < 800 and warm.rows[1].measured
    > 0)
local overload = pinion.compare { workload = "lin,load=1.6,jobs=4000,map=exp(1),ratio=1",
    policies = { "fcfs" }, replicas = 3, quiet = true }
check.equal("an overload grows", overload.growing, true)
check.equal("a light load does not",
    pinion.compare { workload = "lin,load=0.5,jobs=4000,map=exp(1),ratio=1", policies = { "fcfs" },
    replicas = 3, quiet = true }.growing, false)

-- ---- sweeps -------------------------------------------------------------------------------------

local sweep = pinion.sweep { over = { ["workload.load"] = { 0.3, 0.9 }, speed = { 1, "3/2" } },
    workload = "lin,jobs=400",
    policies = { "fcfs", "maxsrpt" }, replicas = 2, quiet = true }
check.equal("rows of a sweep", #sweep.rows, 8)
check.equal("value of a cell", sweep.rows[5].speed, "3/2")
check.equal("value of a cell", sweep.rows[3]["workload.load"], 0.9)
check.equal("a cell is a comparison", sweep.rows[4].mean_response_time,
    pinion.compare { workload = "lin,jobs=400,load=0.9", policies = { "fcfs", "maxsrpt" },
        replicas = 2, quiet = true }.rows[2].mean_response_time)
check.is_true("load matters", sweep.rows[3].mean_response_time > sweep.rows[1].mean_response_time)
check.is_true("speed matters", sweep.rows[7].mean_response_time < sweep.rows[3].mean_response_time)
local parameters =
    pinion.sweep { over = { { "params.lend", { "none", "full" } }, { "overlap", { true, false } } },
    workload = "lin,jobs=300", policies = { "splitsrpt" }, quiet = true }
check.equal("cells of choices", parameters.rows[2].overlap, "false")
check.is_true("choices matter", parameters.rows[1].digest ~= parameters.rows[3].digest)
check.raises("what cannot vary",
    "over.machines: cannot be varied (known: error, overlap, seed, speed, until_time, warmup, "
    .. "workload, params.NAME, workload.NAME)", pinion.sweep,
    { over = { machines = { 1 } }, workload = "lin" })

-- ---- words and figures --------------------------------------------------------------------------

local shown = tostring(made)
check.matches("title", shown, "^stations of speed 1, overlap, lin,jobs=1500\n")
check.matches("columns", shown,
    "\npolicy +mean response +vs klps +/ klps +wins +sd +p50 .* max +ratio")
check.contains("a column of its own", shown, "in system")
for line in shown:gmatch "[^\n]+" do
    check.is_true("fits a screen: " .. line, utf8.len(line) <= 120)
end
check.matches("a sweep's title", tostring(sweep), "^overlap, lin,jobs=400\n")
check.matches("a result's buckets",
    tostring(pinion.run { policy = "fcfs", workload = "lin,jobs=300", slowdown_by_size = "9x0.25",
    quiet = true }),
    "\nsize from +to +jobs +mean slowdown +sd\n")

local function figure(object, options)
    local path = program.file "figure.svg"
    object:plot(path, options)
    return check.read_file(program.file "figure.gp"), check.read_file(program.file "figure.dat")
end
for _, case in ipairs {
    { made, { kind = "slowdown" }, "set ylabel 'mean slowdown'" },
    { made, { kind = "cdf" }, "set xlabel 'response time'" },
    { made, { kind = "cdf", of = "slowdown" }, "set xlabel 'slowdown'" },
    { made, { kind = "bars" }, "set xlabel 'total response time / lower bound'" },
    { made, { kind = "bars", of = "mean_in_system" },
        "set xlabel 'time-average number in the system'" },
    { made, { kind = "convergence", of = "mean_slowdown" }, "set ylabel 'mean slowdown so far'" },
    { sweep, { x = "workload.load", of = "mean_slowdown" }, "set ylabel 'mean slowdown'" },
} do
    local script, data = figure(case[1], case[2])
    check.contains("script of " .. case[3], script, case[3])
    check.is_true("data of " .. case[3], #data > 50)
end
local _, data = figure(made, { kind = "slowdown" })
check.contains("a point of the figure", data,
    string.format("0.25\t%s",
    require("pinion.base.check").float_text(made.rows[1].slowdown_by_size[1].mean)))
check.raises("nothing to draw", "plot: there are no slowdowns by size",
    function() grouped:plot(program.file "figure.svg", { kind = "slowdown" }) end)

check.done()
