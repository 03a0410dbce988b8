-- Comparisons and sweeps of the dag model: rows, replicas of what the model draws, bounds that
-- policies share, and the settings that vary.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local pinion = require "pinion"

local with = check.with

-- Four jobs of one stage for one core: 8, 4, 2 and 1 ms, all at once.
local JOBS = {}
for i, ms in ipairs { 8, 4, 2, 1 } do
    JOBS[i] = { arrival = 0, group = i % 2 == 0 and "even" or "odd",
        stages = { { tasks = 1, duration = ms, demand = { 1 } } } }
end
local BASE = { model = "dag", nodes = "1x1", workload = JOBS, policies = { "fifo", "srpt" },
    quiet = true }
local comparison = pinion.compare(BASE)
local first, second = comparison.rows[1], comparison.rows[2]
check.equal("first come", first.mean_jct, (8 + 12 + 14 + 15) / 4)
check.equal("shortest first", second.mean_jct, (1 + 3 + 7 + 15) / 4)
check.equal("the difference", second.difference, second.mean_jct - first.mean_jct)
check.equal("the bound", comparison.lower_bound, 26)
check.equal("the best policy meets it", second.relative_jct, 1.0)
check.equal("bounds of the jobs are every policy's", second.result.bound_makespan, 15)
check.equal("… also of the total", second.result.bound_total_jct, 26)
check.equal("a group", second.groups[2].jct.mean, (7 + 1) / 2)
check.equal("default policies",
    #pinion.compare { model = "dag", nodes = "1x1", workload = JOBS, quiet = true }.rows, 5)

-- Replicas differ by what the model draws, and the same ones again.
local DRAWN = with(BASE, { replicas = 4, params = { factor_lo = 500, factor_hi = 3000 } })
local drawn = pinion.compare(DRAWN)
check.equal("replicas", #drawn.rows[1].samples.mean_jct, 4)
check.is_true("they differ", drawn.rows[1].mean_jct_half > 0)
check.equal("in whatever process", pinion.compare(with(DRAWN, { processes = 1 })).rows[2].mean_jct,
    drawn.rows[2].mean_jct)
check.equal("replica 2 by itself",
    pinion.run { model = "dag", nodes = "1x1", workload = JOBS, quiet = true, policy = "srpt",
        params = DRAWN.params, replica = 2 }.mean_jct,
    drawn.rows[2].samples.mean_jct[3])
check.raises("nothing is drawn", "replicas", pinion.compare, with(BASE, { replicas = 2 }))

-- What a sweep may vary.
local sweep = pinion.sweep(with(BASE, { over = { nodes = { "1x1", "2x1", "1x1x2000" } } }))
local means = {}
for _, row in ipairs(sweep.rows) do
    if row.policy == "srpt" then means[#means + 1] = row.nodes .. "=" .. row.mean_jct end
end
check.equal("nodes vary", table.concat(means, " "),
    "1x1=6.5 2x1=4.5 1x1x2000=3.75")
local TWO = { { arrival = 0, queue = "a", stages = JOBS[1].stages },
    { arrival = 0, queue = "b", stages = JOBS[2].stages } }
sweep = pinion.sweep { model = "dag", nodes = "1x1", workload = TWO, policies = { "capacity" },
    quiet = true, over = { queues = { "a:1:900+b:1:100", "b:1:900+a:1:100" } } }
check.equal("queues vary: in order", sweep.rows[1].mean_jct, (8 + 12) / 2)
check.equal("queues vary: the other first", sweep.rows[2].mean_jct, (4 + 12) / 2)
for _, axis in ipairs { "failures=0:0:5,9:0:12", "params.order=depth,work", "seed=1,2",
        "warmup=1,2", "until_time=5,9", "resources=cpu,cores" } do
    local file = program.file("jobs.json", '{"model":"dag","nodes":"1x1","jobs":[{"arrival":0,'
        .. '"stages":[{"tasks":3,"duration":4,"demand":[1]}]}]}')
    check.contains("over " .. axis, program.succeed(axis, { "sweep", file, "--over", axis,
        "--policies", "fifo", "--format", "csv" }), "\n")
end

check.done()
