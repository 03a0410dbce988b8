-- Least attained service in the slotted model: against a naive one, machine by machine; equal jobs
-- share; estimates do not matter.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local LAS = "policies/slotted/las.lua"

local function run(jobs, machines, policy)
    return pinion.run { machines = machines, policy = policy or LAS, workload = jobs,
        reduce = "preemptive", quiet = true }
end

local pair = run({ { arrival = 1, maps = 6 }, { arrival = 1, maps = 6 } }, 3)
check.equal("equal jobs share", pair.jobs[1].finish, 4)
check.equal("both of them", pair.jobs[2].finish, 4)
check.raises("only where reduces can stop", "reduce=nonpreemptive", pinion.run,
    { machines = 3, policy = LAS, workload = { { arrival = 1, maps = 1 } }, quiet = true,
        reduce = "nonpreemptive" })

-- Each machine by itself to the job that has been given the fewest, with its smallest id.
local function least(jobs, offers)
    local best
    for i, job in ipairs(jobs) do
        if offers[i] > 0 and (not best or job.given < jobs[best].given) then best = i end
    end
    return best
end

local function naive(list, machines)
    local jobs, open, slot = {}, #list, 0
    for i, job in ipairs(list) do
        local reduces = 0
        for _, units in ipairs(job.reduces) do reduces = reduces + units end
        jobs[i] = { maps = job.maps, reduces = reduces, given = 0 }
    end
    while open > 0 do
        slot = slot + 1
        local offers = {}
        for i, job in ipairs(jobs) do
            local here = list[i].arrival <= slot
            offers[i] = not here and 0 or job.maps > 0 and job.maps or job.reduces
        end
        for _ = 1, machines do
            local i = least(jobs, offers)
            if not i then break end
            local job = jobs[i]
            local kind = job.maps > 0 and "maps" or "reduces"
            offers[i], job.given, job[kind] = offers[i] - 1, job.given + 1, job[kind] - 1
            if job.maps + job.reduces == 0 then job.finish, open = slot, open - 1 end
        end
    end
    return jobs
end

for seed = 1, 60 do
    local stream, list, arrival, judged = pinion.random(seed), {}, 1, {}
    for i = 1, 25 do
        arrival = arrival + stream:random(0, 3)
        local reduces = {}
        for k = 1, stream:random(0, 3) do reduces[k] = stream:random(1, 9) end
        list[i] = { arrival = arrival, maps = stream:random(1, 20), reduces = reduces }
        judged[i] = { arrival = arrival, maps = list[i].maps, reduces = reduces,
            estimate_maps = stream:random(1, 40) }
    end
    local machines = stream:random(1, 9)
    local result, other = run(list, machines), naive(list, machines)
    for i, job in ipairs(other) do
        check.equal(string.format("seed %d job %d", seed, i), result.jobs[i].finish, job.finish)
    end
    check.equal("estimates, seed " .. seed, run(judged, machines).digest, result.digest)
end
print "seeds 1..60"

check.done()
