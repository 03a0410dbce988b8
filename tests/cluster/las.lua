-- Least attained service in the cluster model: equal jobs share, a new job goes before an old one,
-- estimates do not matter.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local function run(jobs, more)
    local options = { model = "cluster", policy = "policies/cluster/las.lua", workload = jobs,
        nodes = { { count = 2, map_slots = 2, reduce_slots = 1 } }, quiet = true }
    for name, value in pairs(more or {}) do options[name] = value end
    return pinion.run(options)
end

local pair = run { { submit = 0, maps = 6, map_ms = 1000 },
    { submit = 0, maps = 6, map_ms = 1000 } }
check.equal("equal jobs share", pair.jobs[1].finish, 3000)
check.equal("both of them", pair.jobs[2].finish, 3000)

-- At 1000 the second job has held nothing and gets all four slots; at 2000 both have held 4000 ms.
local late = run { { submit = 0, maps = 8, map_ms = 1000 },
    { submit = 500, maps = 6, map_ms = 1000 } }
check.equal("the later job first", late.jobs[2].first_map_start, 1000)
check.equal("it ends", late.jobs[2].finish, 3000)
check.equal("the first job waits", late.jobs[1].finish, 4000)

-- A short job does not wait for a long one, nor does it matter how long that one will be.
local function small(maps)
    return run({ { submit = 0, maps = maps, map_ms = 1000 },
        { submit = 100, maps = 2, map_ms = 1000 } }).jobs[2].finish
end
check.equal("sizes of others", small(400), small(40))
check.equal("soon done", small(400), 2000)

for seed = 1, 20 do
    local stream, list, judged = pinion.random(seed), {}, {}
    for i = 1, 20 do
        local job = { submit = stream:random(0, 20000), maps = stream:random(1, 9),
            reduces = stream:random(0, 3), map_ms = stream:random(1, 3000), reduce_ms = 500 }
        list[i], judged[i] = job, { est_map_ms = stream:random(1, 9000) }
        for name, value in pairs(job) do judged[i][name] = value end
    end
    check.equal("estimates, seed " .. seed, run(judged).digest, run(list).digest)
end
print "seeds 1..20"

check.done()
