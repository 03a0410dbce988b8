-- Data-aware preemption, hsrtf-near: who is killed, by hand; and where every node has the data it
-- is hsrtf-pup, decision by decision.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local function run(policy, jobs, nodes, more)
    local options = { model = "cluster", policy = policy, nodes = nodes, workload = jobs,
        quiet = true }
    for name, value in pairs(more or {}) do options[name] = value end
    return pinion.run(options)
end

-- ---- by hand ------------------------------------------------------------------------------------

-- A long job has both slots when a short one comes, whose input is on node 0, and more maps wait.
-- PuP kills the task with the higher number, on node 1; the short map is remote there.
local NODES = { { count = 2, map_slots = 1, reduce_slots = 0 } }
local JOBS = {
    { submit = 0, maps = 4, map_ms = 100000,
        blocks = { { 0, 1 }, { 0, 1 }, { 0, 1 }, { 0, 1 } } },
    { submit = 1000, maps = 1, map_ms = 5000, remote_ms = 3000, blocks = { { 0 } } },
}
local plain, near = run("hsrtf-pup", JOBS, NODES), run("hsrtf-near", JOBS, NODES)
check.equal("kills of PuP", plain.kills, 1)
check.equal("kills near the data", near.kills, 1)
check.equal("PuP: the map is remote", plain.jobs[2].local_maps, 0)
check.equal("near: it is local", near.jobs[2].local_maps, 1)
-- Both kill at the tick of 10 s.
check.equal("and over sooner", near.jobs[2].finish, 10000 + 5000)
check.equal("than a remote one", plain.jobs[2].finish, 10000 + 8000)

-- Nothing near can be killed, so another is: the short job's data are on a node without slots.
local elsewhere = run("hsrtf-near", {
    { submit = 0, maps = 3, map_ms = 100000, blocks = { { 0 }, { 0 }, { 0 } } },
    { submit = 1000, maps = 1, map_ms = 5000, blocks = { { 1 } } },
}, { { map_slots = 1, reduce_slots = 0 }, { map_slots = 0, reduce_slots = 1 } })
check.equal("a second round takes any", elsewhere.kills, 1)
check.is_true("the short job does not wait for the long one",
    elsewhere.jobs[2].finish < elsewhere.jobs[1].finish)

-- ---- every node has the data --------------------------------------------------------------------

local kills = 0
for seed = 1, 12 do
    local stream, jobs, submit = pinion.random(seed), {}, 0
    for i = 1, 12 do
        submit = submit + stream:random(1, 20000)
        jobs[i] = { submit = submit, maps = stream:random(1, 8), reduces = stream:random(0, 3),
            map_ms = stream:random(1000, 60000), reduce_ms = stream:random(1000, 60000),
            shuffle_ms = stream:random(0, 5000) }
    end
    local nodes = { { map_slots = 3, reduce_slots = 2 } }
    local options = { seed = seed, params = { factor_lo = 500, tick_ms = 5000 } }
    local both = { run("hsrtf-pup", jobs, nodes, options), run("hsrtf-near", jobs, nodes, options) }
    check.equal("as PuP on one node, seed " .. seed, both[2].digest, both[1].digest)
    kills = kills + both[1].kills
end
check.is_true("tasks are killed in these runs: " .. kills, kills > 20)

check.done()
