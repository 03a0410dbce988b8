-- Sources of jobs: tables, generators, their totals and hashes.

package.path = "tests/support/?.lua;" .. package.path
local core = require "pinion.core"
local check = require "check"

-- A table keeps what it was given, zeros and order included.
local w = core.workload_slotted_table {
    { arrival = 1, maps = 5, reduces = { 4, 4, 2, 0, 4 }, group = 2 },
    { arrival = 1, maps = 0, reduces = { 1 }, estimate_maps = 0, estimate_reduces = 9 },
    { arrival = 7, maps = 3, reduces = {} },
}
check.equal("count", w:count(), 3)
check.equal("reduces", table.concat(w:job(1).reduces, " "), "4 4 2 0 4")
check.equal("group", w:job(1).group, 2)
check.equal("no estimate", w:job(1).estimate_maps, nil)
check.equal("an estimate of zero", w:job(2).estimate_maps, 0)
check.equal("estimate", w:job(2).estimate_reduces, 9)
local totals = w:totals()
check.equal("map units", totals.maps, 8)
check.equal("reduce units", totals.reduces, 15)
check.equal("reduce tasks", totals.reduce_tasks, 5)
check.equal("map-only jobs", totals.map_only, 1)
check.equal("first arrival", totals.first_arrival, 1)
check.equal("last arrival", totals.last_arrival, 7)
check.equal("jobs", #w:jobs(3), 3)
check.equal("more than 2 jobs", select(2, w:jobs(2)), "the workload has more than 2 jobs")
check.raises("no job of this number", "no job of this number", w.job, w, 4)
check.raises("arrival: must be an integer in 5..", "arrival: must be an integer in 5..",
    core.workload_slotted_table, { { arrival = 5, maps = 1 }, { arrival = 4, maps = 1 } })
check.raises("maps: must be an integer", "maps: must be an integer", core.workload_slotted_table,
    { { arrival = 5, maps = 1.5 } })
check.raises("reduces[1]: must be an integer", "reduces[1]: must be an integer",
    core.workload_slotted_table, { { arrival = 5, reduces = { -1 } } })
check.equal("an empty table", core.workload_slotted_table({}):count(), 0)
check.equal("arrival in an empty table", core.workload_slotted_table({}):totals().first_arrival,
    nil)

-- The generator of rule SL29.
local function zheng(change)
    local options = { maps = "exp(5)", reduces = "exp(40)", rate = 2,
        slots = 5000, tasks = 10, seed = 1, replica = 0 }
    for key, value in pairs(change or {}) do options[key] = value end
    return core.workload_zheng(options)
end
local z = zheng()
check.equal("count of a generator", z:count(), nil)
local t = z:totals()
assert(math.abs(t.jobs - 10000) < 400, "Poisson arrivals: mean 2 a slot")
assert(math.abs(t.maps / t.jobs - 5.5) < 0.3, "exp(5), rounded up")
assert(math.abs(t.reduces / t.jobs - 40.5) < 2.5, "exp(40), rounded up")
local previous = 0
for _, job in ipairs(z:jobs(20000)) do
    local sum, last = 0, math.huge
    assert(job.arrival >= previous and job.arrival <= 5000 and job.maps >= 1)
    previous = job.arrival
    for _, units in ipairs(job.reduces) do
        assert(units >= 1 and units <= last, "larger pieces first")
        sum, last = sum + units, units
    end
    assert(#job.reduces == math.min(10, sum) and job.reduces[1] - last <= 1, "near-equal pieces")
end
check.equal("no arrivals", zheng { rate = 0 }:totals().jobs, 0)
check.equal("uniform(3,3)",
    zheng { maps = "uniform(3,3)", slots = 10 }:jobs(100)[1].maps, 3)
check.equal("uniform", select(2, zheng { maps = "uniform(0,3)" }),
    "maps: uniform: low must be an integer >= 1, got 0")
check.contains("rate", select(2, zheng { rate = 2e6 }), "rate: must be in 0..1000000")
check.contains("NaN", select(2, zheng { maps = "exp(nan)" }), "must be a number > 0")
local huge, why = zheng { maps = "pareto(0.01,1)" }:totals()
check.equal("sizes past 2^53", huge, nil)
check.contains("sizes past 2^53", why, "its maps, drawn at random, pass 2^53 units")

-- The same seed gives the same jobs, another replica others.
local function hash(workload, policy, params)
    return core.slotted_scenario_hash { workload = workload, machines = 100, reduce = "preemptive",
        policy = policy or "fifo", params = params }
end
check.equal("same seed", hash(z), hash(zheng()))
assert(hash(z) ~= hash(zheng { replica = 1 }) and hash(z) ~= hash(zheng { seed = 2 }),
    "replicas and seeds differ")
assert(hash(z) ~= hash(z, "fair"), "policies differ")
check.equal("a default, given", hash(w, "idx"), hash(w, "idx", { wm = 1 }))
assert(hash(w, "idx") ~= hash(w, "idx", { wm = 2 }), "parameters differ")
check.equal("another policy's parameter", hash(w, "fifo", { wm = 2 }), hash(w))
check.contains("parameter", select(2, hash(w, "idx", { wm = 2.5 })),
    "params.wm: must be an integer in ")
check.contains("policy", select(2, hash(w, "nix")), "no policy is called nix")

-- The Facebook benchmark: 88 of 100 jobs in the first six bins.
local function facebook(bins, jobs)
    return core.workload_facebook { jobs = jobs or 20000, gap = 4.0, bins = bins,
        reduce_length = "constant(7)", seed = 3, replica = 0 }
end
local maps = { 1, 2, 10, 50, 100, 200, 400, 800, 4800 }
local share = { 38, 16, 14, 8, 6, 6, 4, 4, 4 }
local low, high = { 1, 1, 5, 10, 20, 30, 30, 30, 30 }, { 5, 5, 10, 20, 30, 30, 30, 30, 30 }
for _, bins in ipairs { 6, 9 } do
    local f = facebook(bins)
    local counts = { 0, 0, 0, 0, 0, 0, 0, 0, 0 }
    check.equal("count", f:count(), 20000)
    for _, job in ipairs(f:jobs(20000)) do
        local bin = job.group + 1
        counts[bin] = counts[bin] + 1
        check.equal("maps of the bin", job.maps, maps[bin])
        assert(low[bin] <= #job.reduces and #job.reduces <= high[bin], "reduce tasks of the bin")
        check.equal("length", job.reduces[1], 7)
    end
    local all = bins == 6 and 88 or 100
    for bin = 1, 9 do
        local wanted = bin <= bins and 20000 * share[bin] / all or 0
        assert(math.abs(counts[bin] - wanted) <= 5 * math.sqrt(wanted), "share of bin " .. bin)
    end
    assert(math.abs(f:totals().last_arrival - 80000) < 4000, "mean gap")
end
check.raises("bins: must be 6 or 9", "bins: must be 6 or 9", facebook, 7)

-- Bursts: small jobs and giants, in slots that are all alike.
local function bursts(change)
    local constant = function(a) return "constant(" .. a .. ")" end
    local options = { chance = 0.02, burst = 20, maps = constant(1), reduces = constant(3),
        giant = 0.05, giant_maps = constant(2000),
                      giant_reduces = constant(25), tasks = 10, slots = 20000, seed = 5,
                      replica = 0 }
    for key, value in pairs(change or {}) do options[key] = value end
    return core.workload_bursts(options)
end
local b = bursts()
check.equal("count of bursts", b:count(), nil)
local per_slot, giants, burst_jobs, burst_slots = {}, 0, 0, 0
for _, job in ipairs(b:jobs(100000)) do
    burst_jobs = burst_jobs + 1
    if not per_slot[job.arrival] then burst_slots = burst_slots + 1 end
    per_slot[job.arrival] = (per_slot[job.arrival] or 0) + 1
    if job.group == 1 then
        giants = giants + 1
        check.equal("a giant", job.maps .. ": " .. table.concat(job.reduces, " "),
            "2000: 3 3 3 3 3 2 2 2 2 2")
    else
        check.equal("a small job", job.maps .. ": " .. table.concat(job.reduces, " "), "1: 1 1 1")
    end
end
for _, count in pairs(per_slot) do check.equal("jobs of a burst", count, 20) end
assert(math.abs(burst_slots - 400) < 5 * math.sqrt(400), "a burst in 2 % of the slots")
assert(math.abs(giants - 0.05 * burst_jobs) < 5 * math.sqrt(0.05 * burst_jobs), "5 % giants")
check.equal("no bursts", bursts { chance = 0 }:totals().jobs, 0)
check.equal("a burst in every slot", bursts { chance = 1, slots = 30 }:totals().jobs, 600)
check.equal("giants alone", bursts { giant = 1, chance = 1, slots = 3 }:totals().maps, 120000)
check.equal("no giants", bursts { giant = 0, chance = 1, slots = 3 }:totals().maps, 60)
check.equal("the same bursts again", hash(bursts()), hash(b))
assert(hash(b) ~= hash(bursts { replica = 1 }) and hash(b) ~= hash(bursts { seed = 6 }),
    "replicas and seeds of bursts differ")
check.equal("chance", select(2, bursts { chance = 1.5 }), "chance: must be in 0..1")
check.equal("giant", select(2, bursts { giant = 0 / 0 }), "giant: must be in 0..1")
check.contains("sizes of bursts past 2^53",
    select(2, bursts { giant_maps = "pareto(0.01,1)" }:totals()),
    "its maps, drawn at random, pass 2^53 units")

-- ---- bounds -------------------------------------------------------------------------------------

local MOST <const> = 1 << 53
local TOO_MUCH <const> = "the workload has too much work to add up"

local function often(count, job)
    local jobs = {}
    for i = 1, count do jobs[i] = job end
    return core.workload_slotted_table(jobs)
end
for name, jobs in next, {
    ["units of a job"] = often(1, { arrival = 1, maps = 1, reduces = { MOST, 1 } }),
    ["maps of all jobs"] = often(512, { arrival = 1, maps = MOST }),
    ["reduces of all jobs"] = often(512, { arrival = 1, maps = 1, reduces = { MOST } }),
} do
    check.equal(name, select(2, jobs:totals()), TOO_MUCH)
end
check.equal("as much as can be added up",
    often(511, { arrival = 1, maps = MOST, reduces = { MOST } }):totals().maps, 511 << 53)

local PAST <const> = ", drawn at random, pass 2^53 units"
for name, case in next, {
    ["reduces past 2^53"] = { zheng { reduces = "pareto(0.01,1)" }, "job 2: its reduces" .. PAST },
    ["maps and reduces past 2^53"] = { zheng { maps = "constant(" .. MOST .. ")" },
        "job 1: its reduces" .. PAST },
    ["reduces of a bin past 2^53"] = { core.workload_facebook { jobs = 9, gap = 1.0, bins = 6,
        reduce_length = "constant(" .. MOST .. ")", seed = 1 }, "job 1: its reduces" .. PAST },
    ["lengths that cannot be drawn"] = { core.workload_facebook { jobs = 9, gap = 1.0, bins = 6,
        reduce_length = "pareto(0.01,1)", seed = 1 }, "job 1: its reduces" .. PAST },
    ["arrivals past 2^53"] = { core.workload_facebook { jobs = 99, gap = 2.0 ^ 53, bins = 6,
        reduce_length = "constant(1)", seed = 1 }, "job 3: its arrival passes slot 2^53" },
} do
    check.equal(name, select(2, case[1]:totals()), case[2])
end

-- A number of tasks that cannot be drawn, or is too large, is the largest; so is the constant.
for _, tasks in ipairs { "pareto(0.01,1)", "constant(65536)", 65536, "constant(1000000)" } do
    local many = zheng { tasks = tasks, reduces = "constant(70000)", rate = 9, slots = 1 }:jobs(99)
    check.equal("tasks of " .. tasks, #many[1].reduces, 65536)
end

-- Jobs with an estimate keep it, and get no other one; sums past 2^53 are estimated as the most.
local seen = core.workload_error { factor = "constant(3)", seed = 1,
    workload = core.workload_slotted_table { { arrival = 1, maps = 2, estimate_reduces = 7 },
        { arrival = 1, maps = 2, estimate_maps = 7 },
        { arrival = 1, maps = 2, reduces = { MOST, MOST, MOST } } } }:jobs(3)
check.equal("an estimate of the reduces alone", seen[1].estimate_reduces, 7)
check.equal("and none of the maps", seen[1].estimate_maps, nil)
check.equal("an estimate of the maps alone", seen[2].estimate_maps, 7)
check.equal("and none of the reduces", seen[2].estimate_reduces, nil)
check.equal("the largest estimate", seen[3].estimate_reduces, MOST // 2)
check.equal("beside another", seen[3].estimate_maps, 6)

local function scaled(job, factor)
    local jobs, fault = core.workload_scaled { sizes = factor,
        workload = core.workload_slotted_table { job } }:jobs(1)
    return jobs and jobs[1], fault
end
check.equal("an estimate of 0, scaled",
    scaled({ arrival = 1, maps = 2, estimate_maps = 0 }, 5).estimate_maps, 0)
for _, estimate in ipairs { "estimate_maps", "estimate_reduces" } do
    check.equal("a scaled " .. estimate .. " past 2^53",
        select(2, scaled({ arrival = 1, maps = 2, [estimate] = MOST }, 2)),
        "job 1: its sizes, scaled, pass 2^53 units")
end

check.raises("pinion.Workload", "pinion.Workload", core.slotted_scenario_hash,
    { workload = {}, machines = 1, reduce = "preemptive", policy = "fifo" })
check.done()
