-- Workloads of the tandem model: tables, files, generators, traces, and the instances of proofs
-- with what the proofs say of them.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"
local program = require "program"
local scenario = require "pinion.run.scenario"

local function near(name, got, want, tolerance)
    check.is_true(string.format("%s: %.6g, want %.6g +- %.2g", name, got, want, tolerance),
        math.abs(got - want) <= tolerance)
end

local function opened(work, binding)
    binding = binding or {}
    binding.model = "tandem"
    return work:open(binding)
end

local function jobs_of(work, binding)
    return assert(opened(work, binding).core:jobs(1000000))
end

local function totals_of(spec)
    return assert(opened(pinion.workload.spec(spec)).core:totals())
end

local function text_of(jobs)
    local parts = {}
    for i, job in ipairs(jobs) do
        parts[i] = string.format("%g:%g,%g", job.arrival, job.map, job.shuffle)
    end
    return table.concat(parts, " ")
end

-- ---- tables -------------------------------------------------------------------------------------

local made = core.workload_tandem_table {
    { arrival = 0, map = 1.5, shuffle = 0, group = 2 },
    { arrival = 0.25, map = 0, shuffle = 3, estimate_map = 0, estimate_shuffle = 7.5 },
    { arrival = 0.25, map = 0, shuffle = 0 },
}
check.equal("count", made:count(), 3)
check.equal("map", made:job(1).map, 1.5)
check.equal("group", made:job(1).group, 2)
check.equal("no estimate", made:job(1).estimate_map, nil)
check.equal("an estimate of zero", made:job(2).estimate_map, 0.0)
check.equal("estimate", made:job(2).estimate_shuffle, 7.5)
local totals = made:totals()
for name, want in pairs { jobs = 3, map_only = 1, shuffle_only = 1, empty = 1, map_heavy = 2,
        first_arrival = 0.0, last_arrival = 0.25 } do
    check.equal(name, totals[name], want)
end
check.equal("map work", totals.map.sum, 1.5)
check.equal("the largest shuffle", totals.shuffle.max, 3.0)
check.equal("jobs that have a ratio", totals.ratio.count, 1)
check.equal("mean of the longer size", totals.longest.mean, 1.5)
check.equal("more than 2 jobs", select(2, made:jobs(2)), "the workload has more than 2 jobs")
for _, case in ipairs {
    { { arrival = -1 }, "arrival: must be 0 or a number in 2^-256..2^256" },
    { { arrival = 0, map = 1e300 }, "map: must be 0 or" },
    { { arrival = 0, shuffle = 1e-300 }, "shuffle: must be 0 or" },
    { { arrival = 0, map = 0 / 0 }, "map: must be 0 or" },
    { { arrival = 0, map = "x" }, "map: must be 0 or" },
    { { arrival = 0, group = -1 }, "group: must be an integer" }, { 7, "must be an array of jobs" },
} do
    check.raises(case[2], case[2], core.workload_tandem_table, { case[1] })
end
check.raises("order", "arrival: must not decrease", core.workload_tandem_table,
    { { arrival = 2 }, { arrival = 1 } })
check.raises("not of this model", "workload: its jobs are of the tandem model",
    core.slotted_scenario_hash,
    { workload = made, machines = 1, reduce = "preemptive", policy = "fifo" })

-- ---- jobs of scenario files, csv files, Lua tables ----------------------------------------------

local function decode(jobs)
    return scenario.decode(string.format('{"model":"tandem","jobs":%s}', jobs), "s.json").workload
end

local list = decode('[{"arrival":2,"map":"15/2","name":"b","group":"x"},'
    .. '{"arrival":"1/3","shuffle":1e-3},{"arrival":2,"estimate_map":0}]')
check.equal("of the tandem model", list.models.tandem, true)
local read = jobs_of(list)
check.equal("sorted by arrival", text_of(read), "0.333333:0,0.001 2:7.5,0 2:0,0")
check.equal("the double nearest to a ratio", read[1].arrival, 1 / 3)
check.equal("names go along", opened(list).names[2], "b")
check.equal("estimates", opened(list).estimates, true)
check.equal("an estimate of zero in a file", read[3].estimate_map, 0.0)
check.equal("groups", opened(list).groups[read[2].group + 1], "x")
for _, case in ipairs {
    { '[{"map":1}]', "s.json: jobs[1].arrival: is required (the time of the job's arrival, >= 0)" },
    { '[{"arrival":-1}]', "s.json: jobs[1].arrival: must be a number >= 0, got -1" },
    { '[{"arrival":0},{"arrival":0,"map":-0.5}]',
        "s.json: jobs[2].map: must be a number >= 0, got -0.5" },
    { '[{"arrival":0,"map":1e78}]',
        "s.json: jobs[1].map: must be 0 or a number in 2^-256..2^256, got 1e+78" },
    { '[{"arrival":0,"shuffle":1e-78}]',
        "s.json: jobs[1].shuffle: must be 0 or a number in 2^-256..2^256, got 1e-78" },
    { '[{"arrival":0,"shuffle":4.9e-324}]', "2^-256..2^256" },
    { '[{"arrival":0,"map":true}]', "jobs[1].map: must be a number >= 0 or a ratio" },
    { '[{"arrival":0,"map":"1/0"}]', "got '1/0'" },
    { '[{"arrival":0,"map":"1.5/2"}]', "got '1.5/2'" },
    { '[{"arrival":0,"map":"-1/2"}]', ">= 0, got '-1/2'" },
    { '[{"arrival":0,"map":"9007199254740993/2"}]', "a ratio of integers <= 2^53" },
    { '[{"arrival":0,"maps":1}]', "s.json: jobs[1].maps: unknown field (did you mean 'map'?)" },
    { '[{"arrival":0,"estimate_map":-1}]', "jobs[1].estimate_map: must be a number >= 0, got -1" },
    { "[]", "jobs: must not be empty" },
    { '[{"arrival":0,"name":7}]', "jobs[1].name: must be a string" },
} do
    check.raises(case[1], case[2], decode, case[1])
end
check.equal("the ends of the range",
    text_of(jobs_of(
    decode '[{"arrival":0,"map":8.636168555094445e-78,"shuffle":1.157920892373162e77}]')),
    "0:8.63617e-78,1.15792e+77")
check.equal("-0 is 0", 1 / jobs_of(decode '[{"arrival":-0.0,"map":1}]')[1].arrival, math.huge)

check.equal("a Lua table",
    text_of(jobs_of(pinion.workload.jobs { { arrival = 1, shuffle = 2 },
    { arrival = 0, map = "1/2" } })), "0:0.5,0 1:0,2")
check.raises("NaN", "jobs[1].map: must be 0 or a number in 2^-256..2^256, got NaN",
    pinion.workload.jobs, { { arrival = 0, map = 0 / 0 } })
check.raises("infinity", "got Infinity", pinion.workload.jobs, { { arrival = 0, map = math.huge } })
check.equal("a table without sizes is slotted",
    select(2, pcall(pinion.workload.jobs, { { arrival = 1 } })):find("has no work", 1, true) ~= nil,
    true)

local csv = check.temporary_file "map, arrival ,shuffle,name\n1,2,,\n15/2,0,1e-3,\"a, b\"\n"
check.equal("csv", text_of(jobs_of(pinion.trace.csv(csv))), "0:7.5,0.001 2:1,0")
for _, case in ipairs {
    { "arrival,map,reduces\n", ":1: unknown column 'reduces'" },
    { "map,shuffle\n1,1\n",
        ":1: no column 'arrival' (expected a header such as arrival,map,shuffle)" },
    { "arrival,map\n1,x\n", ":2: map: must be a number >= 0 or a ratio of integers" },
    { "arrival,map\n1,-2\n", ":2: map: must be a number >= 0, got -2" },
} do
    check.raises(case[1], case[2], pinion.trace.csv, check.temporary_file(case[1]))
end

-- ---- the synthetic workload (TA22) --------------------------------------------------------------

local N = 400000
local t = totals_of("lin,jobs=" .. N)
check.equal("jobs", t.jobs, N)
-- The median of a log-normal variate is e^mu = mean / sqrt(1 + (sd / mean)^2); of y it is the
-- product of both.
near("median of x", t.map.p50, 1 / math.sqrt(1 + 3.65 ^ 2), 0.01 * 0.2642)
near("median of the ratio", t.ratio.p50, 1 / math.sqrt(1 + 3.28 ^ 2), 0.01 * 0.2917)
near("median of y", t.shuffle.p50, 1 / math.sqrt((1 + 3.65 ^ 2) * (1 + 3.28 ^ 2)), 0.015 * 0.077)
near("mean of x", t.map.mean, 1, 4 * 3.65 / math.sqrt(N))
near("mean of the ratio", t.ratio.mean, 1, 4 * 3.28 / math.sqrt(N))
near("map-heavy jobs: Phi(.785)", t.map_heavy / N, 0.784, 4 * math.sqrt(0.784 * 0.216 / N) + 0.0005)
near("mean gap", t.last_arrival / N, 1 / 0.75, 4 / 0.75 / math.sqrt(N))
check.equal("p90 of the longer size is below 3", t.longest.p90 < 3, true)

local below_3, below_19, M = 0, 0, 100000
for _, job in ipairs(jobs_of(pinion.workload.lin { jobs = M, seed = 2 })) do
    local longest = math.max(job.map, job.shuffle)
    below_3 = below_3 + (longest < 3 and 1 or 0)
    below_19 = below_19 + (longest < 19 and 1 or 0)
end
near("90.5 % of the jobs have L < 3", below_3 / M, 0.905, 0.004)
near("98.95 % of the jobs have L < 19", below_19 / M, 0.9895, 0.0013)

local balanced = totals_of("lin,balance=true,jobs=" .. N)
near("sd of balanced ratios", balanced.ratio.sd, 0.5613, 0.006)
near("balanced mean of y", balanced.shuffle.mean, 1, 0.05)
check.equal("balance keeps x", balanced.map.sum, t.map.sum)
check.equal("a batch arrives at once", totals_of("lin,batch=true,jobs=1000").last_arrival, 0.0)
check.equal("… with the same sizes", totals_of("lin,batch=true,jobs=1000").shuffle.sum,
    totals_of("lin,jobs=1000,load=.3").shuffle.sum)
local function jobs_hash(spec, replica)
    return core.jobs_hash { workload = opened(pinion.workload.spec(spec),
        { replica = replica }).core }
end
check.equal("the same seed", jobs_hash "lin,jobs=100", jobs_hash "lin,jobs=100,seed=1")
for _, other in ipairs { "lin,jobs=100,seed=2", "lin,jobs=101", "lin,jobs=100,load=.8",
        "lin,jobs=100,map=1", "lin,jobs=100,ratio=1", "lin,jobs=100,batch=true" } do
    check.is_true(other, jobs_hash(other) ~= jobs_hash "lin,jobs=100")
end
check.is_true("another replica", jobs_hash("lin,jobs=100", 1) ~= jobs_hash "lin,jobs=100")

-- The station with more work has the load; means are known in closed form.
for _, case in ipairs {
    { "lin,map=exp(2),ratio=uniform(0,1)", 2, 1 }, { "lin,map=exp(2),shuffle=pareto(3,2)", 2, 3 },
    { "lin,map=1,ratio=uniform(1,4)", 1, 2.5 },
    { "lin,map=uniform(0,1),shuffle=poisson(3)", 0.5, 3 },
    { "lin,map=lognormal(5,1),ratio=exp(.5),balance=true", 5, 2.5 },
    { "lin,map=exp(2),shuffle=exp(4),balance=true", 2, 4 },
    { "lin,map=normal(3,1e-9),ratio=1", 3, 3 },
} do
    local facts, sizes = pinion.workload.spec(case[1]):facts(), totals_of(case[1])
    near(case[1] .. ": mean of x", facts.mean_map, case[2], 1e-9 * case[2])
    near(case[1] .. ": mean of y", facts.mean_shuffle, case[3], 1e-9 * case[3])
    near(case[1] .. ": rate", facts.rate * math.max(case[2], case[3]), 0.75, 1e-9)
    near(case[1] .. ": x", sizes.map.mean, case[2], 5 * sizes.map.sd / math.sqrt(sizes.jobs))
    near(case[1] .. ": y", sizes.shuffle.mean, case[3],
        5 * sizes.shuffle.sd / math.sqrt(sizes.jobs) + 1e-12)
end

for _, case in ipairs {
    { "lin,ratio=1,shuffle=1", "shuffle: cannot be given together with ratio" },
    { "lin,load=0", "load: must be a number > 0" }, { "lin,load=nan", "load: must be a number" },
    { "lin,balance=yes", "balance: must be true or false, got 'yes'" },
    { "lin,map=exp(-1)", "map: exp: mean must be a number > 0" },
    { "lin,rho=1", "rho: unknown option" }, { "lin:3", "nothing goes behind 'lin:'" },
    { "theorem2,case=3", "case: must be 1, 2 or auto, got '3'" },
    { "theorem2:0", "k: must be an integer in 1..1000, got 0" },
    { "corollary4,n=7", "n: must be even, got 7" }, { "corollary4:1", "a: must be a number > 1" },
    { "corollary4:2,eps=1", "eps: must be < a - 1 = 1, got 1" },
    { "corollary6,n=1", "n: must be an integer in 2.." }, { "nmts,f=1,g=2", "h: is required" },
    { "nmts,f=1;x,g=2;3,h=1;1", "f: number 2 must be an integer >= 1, got 'x'" },
    { "nmts,f=1,g=2;3,h=3", "g: must be 1 numbers, as many as f, got 2" },
    { "nmts,f=1,g=2,h=4", "h: must add up to sum f + sum g = 3, got 4" },
    { "nmts,f=10000000,g=1,h=10000001", "f: with these numbers the threshold is" },
    { "swim:x,zero=no", "zero: must be keep or drop" },
    { "corollary5", "unknown workload 'corollary5' (did you mean 'corollary4'?)" },
} do
    check.raises(case[1], case[2], pinion.workload.spec, case[1])
end
for _, case in ipairs {
    { "lin,map=pareto(1,1)", "the mean size is infinite" },
    { "lin,map=0,ratio=1", "the mean size is 0" },
    { "lin,shuffle=poisson(1),balance=true", "no mean in closed form" },
    { "lin,map=poisson(1),shuffle=exp(1),balance=true", "no mean in closed form" },
    { "lin,ratio=0,balance=true", "a mean of 0 or infinity cannot be kept" },
    { "lin,ratio=pareto(1,1),balance=true", "a mean of 0 or infinity cannot be kept" },
    { "lin,load=1e-90", "the mean size is 0 or out of range" },
} do
    check.raises(case[1], case[2], function() opened(pinion.workload.spec(case[1])) end)
end
local rootless = 0
for _, job in ipairs(jobs_of(pinion.workload.spec
    "lin,map=poisson(0.5),ratio=exp(1),balance=true,jobs=50")) do
    rootless = rootless + (job.map == 0 and 1 or 0)
    check.equal("only a job with maps shuffles", job.shuffle > 0, job.map > 0)
end
check.is_true("some have none", rootless > 0)
for _, case in ipairs {
    { "lin,batch=true,map=pareto(0.001,1)", "map size" },
    { "lin,batch=true,map=1,ratio=pareto(0.001,1)", "shuffle size" },
    { "lin,map=1,ratio=1,load=1e-77", "gap to the job before it" },
} do
    local work = opened(pinion.workload.spec(case[1])).core
    for name, source in next, { [case[1]] = work, [case[1] .. ", with ranks"] =
            core.workload_ranks { workload = work, count = 2, map = { 2, 1 } } } do
        check.matches(name, (select(2, source:totals())), "^job %d+: its " .. case[2]
            .. ", drawn at random, passes 2%^256$")
    end
end
local unranked = core.workload_ranks { workload = made, count = 0 }
local function digest_of(work)
    return core.tandem_run { workload = work, policy = "priority", quiet = true }.digest
end
check.equal("no ranks are as none", digest_of(unranked), digest_of(made))

-- ---- workloads and models -----------------------------------------------------------------------

local function wrong_model(spec, model)
    return select(2,
        pcall(function() return pinion.workload.spec(spec):open { model = model, machines = 1 }
        end))
end
check.contains("slotted jobs are none of tandem", tostring(wrong_model("zheng:0", "tandem")),
    "workload 'zheng:0': its jobs are of the slotted model (known of the "
    .. "tandem model: corollary4, corollary6, csv, lin, nmts, swim, theorem2)")
check.contains("tandem jobs are none of slotted", tostring(wrong_model("lin", "slotted")),
    "its jobs are of the tandem model (known of the slotted model: bursts, ")
check.contains("options of the other model", tostring(wrong_model("swim:x,scale=1", "tandem")),
    "scale: is an option of the cluster, the makespan and the slotted models (of the tandem "
        .. "model: load, shuffle_load, span, zero, balance, arrivals")
check.equal("options tell the model", pinion.workload.spec "swim:x,span=5":only_model(), "tandem")
check.equal("options do not tell the model", pinion.workload.spec "swim:x":only_model(), nil)

-- ---- errors in sizes ----------------------------------------------------------------------------

local truth = opened(pinion.workload.lin { jobs = 500 }).core
local wrong = core.workload_error { workload = truth,
    factor = "lognormal(1,0.5)", seed = 4, replica = 0 }
local true_jobs, factors, spread = truth:jobs(500), {}, 0
for i, job in ipairs(wrong:jobs(500)) do
    check.equal("the truth is kept", job.map, true_jobs[i].map)
    check.equal("arrivals are kept", job.arrival, true_jobs[i].arrival)
    factors[i] = job.estimate_map / job.map
    near("one factor for both sizes", job.estimate_shuffle / job.shuffle, factors[i],
        1e-12 * factors[i])
    spread = spread + (factors[i] - 1) ^ 2 / 500
end
near("sd of the factors", math.sqrt(spread), 0.5, 0.1)

-- Jobs with an estimate of one size keep it, and get none of the other.
local seen = core.workload_error { factor = "constant(3)", seed = 1,
    workload = core.workload_tandem_table { { arrival = 0, map = 2, shuffle = 5,
        estimate_shuffle = 7 }, { arrival = 0, map = 2, shuffle = 5, estimate_map = 7 } } }:jobs(2)
check.equal("an estimate of the shuffle alone", seen[1].estimate_map, nil)
check.equal("which stays", seen[1].estimate_shuffle, 7.0)
check.equal("an estimate of the map alone", seen[2].estimate_map, 7.0)
check.equal("and none of the shuffle", seen[2].estimate_shuffle, nil)

-- Scaled sizes never become 0, and estimates of 0 stay that.
local tiny = core.workload_scaled { sizes = 2 ^ -300, workload = core.workload_tandem_table {
    { arrival = 0, map = 1, shuffle = 0, estimate_map = 0, estimate_shuffle = 1 } } }:jobs(1)[1]
check.equal("the smallest size", tiny.map, 2.0 ^ -256)
check.equal("no size", tiny.shuffle, 0.0)
check.equal("an estimate of 0", tiny.estimate_map, 0.0)
check.equal("the smallest estimate", tiny.estimate_shuffle, 2.0 ^ -256)

-- ---- traces -------------------------------------------------------------------------------------

local trace = check.temporary_file(table.concat {
    "a\t0\t0\t100\t0\t5\n", "b\t10\t10\t300\t75\t0\n", "c\t10\t0\t0\t25\t0\n",
    "d\t25\t15\t0\t0\t0\n", "e\t30\t5\t0\t0\t7\n",
})
local function swim(options)
    return opened(pinion.trace.swim(trace, options))
end
-- 400 bytes read take 0.5 * 80 s, 100 bytes shuffled 0.25 * 80 s.
local traced = swim { load = 0.5, shuffle_load = 0.25, span = 80 }
check.equal("a trace", text_of(traced.core:jobs(9)), "0:10,0 10:30,15 10:0,5 25:0,0 30:0,0")
for name, want in pairs { rows = 5, jobs = 5, map_only = 3, all_zero = 1, no_input = 1,
    expanding = 1, no_output = 2, map_input_bytes = 400,
                          shuffle_bytes = 100, map_rate = 10.0, shuffle_rate = 5.0 } do
    check.equal("trace: " .. name, traced.summary[name], want)
end
check.equal("rows without work dropped", text_of(swim { span = 80, zero = "drop" }.core:jobs(9)),
    "0:15,0 10:45,45 10:0,15")
check.equal("… and counted",
    swim { zero = "drop" }.summary.rows - swim { zero = "drop" }.summary.jobs, 2)
-- Of the jobs that have a ratio only one shuffles: its size stays, as the mean does.
check.equal("balanced",
    text_of(swim { span = 80, load = 0.5, shuffle_load = 0.25, balance = true }.core:jobs(9)),
    "0:10,0 10:30,15 10:0,5 25:0,0 30:0,0")
local two = check.temporary_file "a\t0\t0\t8\t1\t0\nb\t0\t0\t1\t64\t0\n"
local roots =
    opened(pinion.trace.swim(two,
    { span = 9, load = 1, shuffle_load = 1, balance = true })).core:jobs(2)
near("cube roots of ratios", roots[2].shuffle / roots[2].map / (roots[1].shuffle / roots[1].map), 8,
    1e-12)
near("the same work", roots[1].shuffle + roots[2].shuffle, 9, 1e-12)
-- Traces without bytes at a station have no rate there, and nothing to balance.
for _, case in ipairs { { "a\t0\t0\t0\t8\t0\n", "0:0,9", nil, 8 / 9 },
    { "a\t0\t0\t8\t0\t0\n", "0:9,0", 8 / 9, nil }, { "a\t0\t0\t0\t0\t0\n", "0:0,0" } } do
    local traced_one = opened(pinion.trace.swim(check.temporary_file(case[1]),
        { span = 9, load = 1, shuffle_load = 1, balance = true }))
    check.equal("sizes of " .. case[2], text_of(traced_one.core:jobs(1)), case[2])
    check.equal("map rate of " .. case[2], traced_one.summary.map_rate, case[3] or 0.0)
    check.equal("shuffle rate of " .. case[2], traced_one.summary.shuffle_rate, case[4] or 0.0)
end
check.raises("a bad trace", ":1: 1 field (expected at least 6", function()
    opened(pinion.trace.swim(check.temporary_file "x\n", { load = 1 }))
end)
check.raises("no trace", "cannot open", function() opened(pinion.trace.swim("/nonexistent", {}))
    end)

-- ---- instances of proofs ------------------------------------------------------------------------

local function run(work, policy, params)
    return pinion.run { model = "tandem", workload = work, policy = policy, params = params,
        bounds = "none", quiet = true }
end

local function total(...)
    return run(...).total_response_time
end

-- What the schedule of the proof costs, by the engine.
local function schedule_total(work)
    local ids = work:schedule()
    return total(work, "priority", { order_map = ids, order_shuffle = ids })
end

check.equal("theorem 2, case 1", text_of(jobs_of(pinion.workload.theorem2 { k = 2, case = 1 })),
    "0:1,0.5 0:1,0.5 0:1,0.5 0:1,0.5 0:2,3 0:2,3 4:1,0.5 5:1,0.5 6:1,0.5 7:1,0.5 8:1,0.5 "
        .. "9:1,0.5 10:1,0.5 11:1,0.5 12:1,0.5")
check.equal("theorem 2, case 2", text_of(jobs_of(pinion.workload.theorem2 { k = 2, case = 2 })),
    "0:1,0.5 0:1,0.5 0:1,0.5 0:1,0.5 0:2,3 0:2,3 8:2,3 11:2,3 14:2,3 17:2,3 20:2,3 23:2,3 "
        .. "26:2,3 29:2,3 32:2,3")
local K = { 3, 4, 5 }
local KNOWN = { maxsrpt = { case = { 2, 2, 2 }, tried = 2, ratio = { 1.18, 1.30, 1.43 } },
    splitsrpt = { case = { 1, 1, 1 }, tried = 1, ratio = { 1.87, 2.42, 3.00 } },
                ps = { case = { 1, 1, 2 }, tried = 2, ratio = { 1.57, 1.82, 2.09 } },
                fcfs = { case = { 2, 2, 2 } }, srptmap = { case = { 2, 2, 2 } } }
for i, k in ipairs(K) do
    local facts = {}
    for case = 1, 2 do
        local work = pinion.workload.theorem2 { k = k, case = case }
        facts[case] = work:facts()
        check.equal("jobs of theorem 2", opened(work).core:count(), k ^ 3 + k ^ 2 + k + 1 | 0)
        near("the schedule of theorem 2", schedule_total(work), facts[case].schedule_total,
            1e-9 * facts[case].schedule_total)
        -- The last arrival of case 2 is missing in the paper's bound.
        check.is_true("the paper's bound", facts[case].schedule_total < facts[case].printed_most
            + (case == 2 and 3 * k / 2 or 0))
    end
    for policy, known in pairs(KNOWN) do
        local watched = pinion.workload.theorem2 { k = k, against = policy }
        check.equal(string.format("the case of %s, k = %d", policy, k), watched:facts().case,
            known.case[i])
        check.equal("jobs against " .. policy, text_of(jobs_of(watched)),
            text_of(jobs_of(pinion.workload.theorem2 { k = k, case = known.case[i] })))
        if known.ratio then
            local ratio = total(pinion.workload.theorem2 { k = k, case = known.tried },
                policy) / facts[known.tried].schedule_total
            near(string.format("%s against the schedule, k = %d", policy, k), ratio, known.ratio[i],
                0.00501)
        end
    end
end
check.raises("nobody to watch", "case: auto needs one policy that the adversary can watch",
    function() pinion.workload.theorem2 {}:facts() end)
check.raises("nobody of this name", "unknown policy 'maxsrtp' (did you mean 'maxsrpt'?)", function()
    pinion.workload.theorem2 { k = 2, against = "maxsrtp" }:facts()
end)
check.equal("the policy that runs is watched", run("theorem2:3", "splitsrpt").digest,
    run("theorem2:3,case=1", "splitsrpt").digest)
check.equal("another policy, another case", run("theorem2:3", "maxsrpt").digest,
    run("theorem2:3,case=2", "maxsrpt").digest)

for _, case in ipairs {
    { "corollary4:2", "maxsrpt", 1.308, 4 / 3 }, { "corollary4:5", "maxsrpt", 1.613, 5 / 3 },
    { "corollary4:20", "maxsrpt", 1.825, 40 / 21 },
    { "corollary4:2,n=4000", nil, 1.3282, 4 / 3 }, { "corollary4:5,n=4000", nil, 1.6639, 5 / 3 },
    { "corollary4:20,n=4000", nil, 1.9036, 40 / 21 },
    { "corollary6:1.5", "splitsrpt", 1.528, 5 / 3 }, { "corollary6:2", "splitsrpt", 1.375, 1.5 },
    { "corollary6:5", "splitsrpt", 1.100, 1.2 },
    { "corollary6:1.5,n=2000", nil, 1.6650, 5 / 3 }, { "corollary6:2,n=2000", nil, 1.4985, 1.5 },
    { "corollary6:5,n=2000", nil, 1.1988, 1.2 },
} do
    local work = pinion.workload.spec(case[1])
    local facts = work:facts()
    near(case[1], facts.ratio, case[3], case[2] and 0.00051 or 0.000051)
    near(case[1] .. ": limit", facts.limit, case[4], 1e-12)
    if case[2] then
        near(case[1] .. ": " .. case[2], total(work, case[2]), facts.policy_total,
            1e-9 * facts.policy_total)
        near(case[1] .. ": schedule", schedule_total(work), facts.schedule_total,
            1e-9 * facts.schedule_total)
    end
end
for _, lend in ipairs { "none", "empty", "full" } do
    near("corollary 6, lend " .. lend, total("corollary6:2", "splitsrpt", { lend = lend }), 627,
        1e-9)
end
near("corollary 4, strict", total("corollary4:2", "maxsrpt", { work_conserving = false }), 418.45,
    1e-9)
check.equal("groups", table.concat(opened(pinion.workload.spec "corollary4:2").groups, " "),
    "map-heavy shuffle-heavy")

-- 1 + 20 = 21 and 2 + 10 = 12: the matching, as an order, is at the threshold; with other sums the
-- same order is above it.
local matching = pinion.workload.nmts { f = { 1, 2 }, g = { 10, 20 }, h = { 12, 21 } }
local ORDER = { 2, 3, 5, 1, 4, 6, 7, 8 }
local function order_total(work)
    return total(work, "priority", { order_map = ORDER, order_shuffle = ORDER })
end
check.equal("names", table.concat(opened(matching).names, " "), "F1 F2 G1 G2 H1 H2 E1 E2")
near("the threshold", order_total(matching), matching:facts().threshold, 1e-9)
local none = pinion.workload.spec "nmts,f=1;2,g=10;20,h=13;20"
check.equal("the same threshold", none:facts().threshold, matching:facts().threshold)
check.is_true("no matching", order_total(none) > none:facts().threshold + 0.5)
-- Small numbers of g are moved up together with those of h.
local moved = pinion.workload.nmts { f = "1 2", g = "1;11", h = { 3, 12 } }
check.equal("moved up", moved:facts().shift, 9.0)
near("the threshold of moved numbers", order_total(moved), moved:facts().threshold, 1e-9)
check.equal("text of lists",
    pinion.workload.nmts { f = { 1, 2 }, g = { 10, 20 }, h = { 12, 21 } }.text,
    "nmts,f=1;2,g=10;20,h=12;21")

-- ---- the program --------------------------------------------------------------------------------

local function succeed(...)
    local output, messages, code = program.run { ... }
    check.equal(table.concat({ ... }, " ") .. ": " .. messages, code, 0)
    return output
end

local all = core.json_decode(succeed("workload", "--format", "json"), "list").workloads
local models = {}
for _, kind in ipairs(all) do models[kind.name] = table.concat(kind.models, "+") end
for name, want in pairs { lin = "tandem", zheng = "slotted",
        swim = "cluster+makespan+slotted+tandem", csv = "slotted+tandem+makespan+cluster",
        nmts = "tandem" } do
    check.equal("models of " .. name, models[name], want)
end
check.equal("of one model", succeed("workload", "--model", "tandem"):find("zheng", 1, true), nil)
check.matches("described", succeed("workload", "lin,jobs=1000"),
    "^lin,jobs=1000\njobs +1000\n.*\nload of the map station +0%.%d+\n.*\nmap size +%d")
local described = core.json_decode(succeed("workload", "theorem2:3,case=2", "--format", "json"),
    "described")
check.equal("described: T'", described.facts.schedule_total, 297.0)
check.equal("described: jobs", described.map.count, 40)
local written = program.file("written.json", "")
succeed("workload", "lin,jobs=200", "--jobs", "--output", written)
local again = jobs_of(scenario.read(written).workload)
check.equal("a scenario of the jobs has the same jobs",
    core.jobs_hash { workload = core.workload_tandem_table(again) },
    core.jobs_hash {
        workload = core.workload_tandem_table(jobs_of(pinion.workload.lin { jobs = 200 })) })
local as_csv = program.file("written.csv", "")
succeed("workload", written, "--jobs", "--format", "csv", "--output", as_csv)
check.equal("… and so has a csv file",
    core.jobs_hash { workload = opened(pinion.trace.csv(as_csv)).core },
    core.jobs_hash { workload = core.workload_tandem_table(again) })
local _, refused, code = program.run { "workload", "lin", "--machines", "3" }
check.equal("no machines here", refused,
    "pinion: --machines: is not an option of the tandem model\n")
check.equal("no machines here: exit code", code, 2)
check.equal("the trace's model",
    select(3, program.run { "workload", "swim:" .. trace, "--model", "tandem" }), 0)

check.done()
