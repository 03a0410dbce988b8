-- Weighted processor sharing and earliest deadline first in the tandem model: by hand, with equal
-- weights against ps, by the order of weights, and against a batch's order of deadlines.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local function run(policy, jobs, attributes)
    return pinion.run { model = "tandem", policy = policy, workload = jobs, quiet = true,
        attributes = attributes }
end

local function near(name, got, want)
    check.is_true(string.format("%s: %.9g, not %.9g", name, got, want),
        math.abs(got - want) < 1e-9 * math.max(1, want))
end

-- ---- weights ------------------------------------------------------------------------------------

local pair = run("wps", { { arrival = 0, map = 3, weight = 3 }, { arrival = 0, map = 2 } },
    { weight = 1 })
near("three quarters of the station", pair.jobs[1].finish, 4)
near("a quarter, then all of it", pair.jobs[2].finish, 5)
local drain = run("wps", { { arrival = 0, shuffle = 3, weight = 3 }, { arrival = 0, shuffle = 2 } },
    { weight = 1 })
near("shuffles share by weight, too", drain.jobs[1].finish, 4)
near("the station never idles", drain.jobs[2].finish, 5)
-- A job without backlog passes on what it cannot use, whatever its weight.
local passed = run("wps", { { arrival = 0, map = 4, shuffle = 1, weight = 9 },
    { arrival = 0, shuffle = 3 } }, { weight = 1 })
near("what the maps make, and no more", passed.jobs[1].finish, 4)
near("the rest of the station", passed.jobs[2].finish, 4)
local none = run("wps", { { arrival = 0, map = 1, weight = 0 }, { arrival = 0, map = 1 } },
    { weight = 1 })
check.is_true("a job of weight 0 waits", math.abs(none.jobs[2].finish - 1) < 1e-6)
near("and is served then", none.jobs[1].finish, 2)

for seed = 1, 5 do
    local function mean(policy)
        return pinion.run { model = "tandem", policy = policy, seed = seed, quiet = true,
            workload = pinion.workload.lin { load = .8, jobs = 1000 } }
    end
    local shared, weighted = mean "ps", mean "wps"
    for id = 1, 1000 do
        local a, b = shared.jobs[id].finish, weighted.jobs[id].finish
        if math.abs(a - b) > 1e-6 * a then check.equal("ps and wps, job " .. id, b, a) end
    end
    near("equal weights are ps, seed " .. seed, weighted.mean_response_time,
        shared.mean_response_time)
end

-- ---- deadlines ----------------------------------------------------------------------------------

local batch = run("edf", { { arrival = 0, map = 2, deadline = 9 },
    { arrival = 0, map = 1, deadline = 1 }, { arrival = 1, map = 1, deadline = 2 } },
    { deadline = 0 })
near("the first to be due", batch.jobs[2].finish, 1)
near("one that comes and is due sooner", batch.jobs[3].finish, 2)
near("what is left", batch.jobs[1].finish, 4)
near("without deadlines, in order of arrival",
    run("edf", { { arrival = 0, map = 2 }, { arrival = 0, map = 1 } }).jobs[2].finish, 3)

local mixed = run("edf", { { arrival = 0, map = 2 }, { arrival = 0, map = 1, deadline = 1e6 },
    { arrival = 0.5, map = 1 } }, { deadline = 0 })
near("a late deadline before none", mixed.jobs[2].finish, 1)
near("jobs without one in order of id", mixed.jobs[1].finish, 3)
near("… the last one last", mixed.jobs[3].finish, 4)

-- One station alone: if any order makes all deadlines, this one does (Jackson 1955, Horn 1974).
local stream = pinion.random(3)
for trial = 1, 40 do
    local jobs, time = {}, 0
    for i = 1, 12 do
        time = time - math.log(stream:uniform())
        jobs[i] = { arrival = time, map = stream:uniform(), shuffle = 0, deadline = 0 }
    end
    -- Deadlines that another schedule, least remaining work first, makes just so.
    local other = run("srptmap", jobs, { deadline = 0 })
    for i, job in ipairs(jobs) do job.deadline = other.jobs[i].finish - job.arrival end
    local made = run("edf", jobs, { deadline = 0 })
    for i, job in ipairs(jobs) do
        check.is_true(string.format("trial %d, job %d makes its deadline", trial, i),
            made.jobs[i].finish <= job.arrival + job.deadline + 1e-9)
    end
end

check.done()
