-- The policies of examples/policies that admit jobs: what they take, what they agree on, and that
-- promises are kept.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local BOUNDED, NEGOTIATING = "examples/policies/bounded.lua", "examples/policies/negotiating.lua"

local function run(policy, jobs, more)
    local options = { model = "cluster", nodes = { { count = 2, map_slots = 2, reduce_slots = 1 } },
        policy = policy, workload = jobs, quiet = true }
    for name, value in pairs(more or {}) do options[name] = value end
    return pinion.run(options)
end

-- What became of the jobs, in one line.
local function states(result)
    local words = {}
    for i, job in ipairs(result.jobs) do words[i] = job.state end
    return table.concat(words, " ")
end

-- ---- bounded ------------------------------------------------------------------------------------

-- Four slots, three rounds: 12 maps. The third job would make 13; the fourth fits. A job that is
-- larger than all comes in when it is alone.
local crowd = {
    { submit = 0, maps = 8, map_ms = 1000 }, { submit = 0, maps = 3, map_ms = 1000 },
    { submit = 0, maps = 2, map_ms = 1000 },
    { submit = 0, maps = 1, map_ms = 1000 }, { submit = 50000, maps = 40, map_ms = 1000 },
    { submit = 50001, maps = 1, map_ms = 1000 },
}
local bounded = run(BOUNDED, crowd)
check.equal("what bounded takes", states(bounded),
    "finished finished rejected finished finished rejected")
check.equal("accepted", bounded.accepted, 4)
check.equal("rejected", bounded.rejected, 2)
check.equal("with more rounds", states(run(BOUNDED, crowd, { params = { rounds = 11 } })),
    "finished finished finished finished finished finished")
check.equal("as many as slots are up",
    states(run(BOUNDED, crowd, { failures = { { time = 0, node = 1 } } })),
    "finished rejected rejected rejected finished rejected")

-- ---- negotiating --------------------------------------------------------------------------------

-- Job 1 needs 2000 ms of all map slots. Job 2 could be done by 3000 and asks for 2500; job 3 asks
-- for 1200, which 2400 does not reach.
local hasty = {
    { submit = 0, maps = 8, map_ms = 1000, deadline = 2000 },
    { submit = 0, maps = 4, map_ms = 1000, deadline = 2500 },
    { submit = 0, maps = 4, map_ms = 1000, deadline = 1200 },
}
local negotiated = run(NEGOTIATING, hasty)
check.equal("what negotiating takes", states(negotiated), "finished finished rejected")
check.equal("agreed", negotiated.jobs[2].deadline, 3000)
check.equal("promised", negotiated.jobs[2].promise, 3000)
check.equal("kept", negotiated.jobs[2].finish, 3000)
check.equal("in time", negotiated.jobs[2].deadline_met, true)
check.equal("the others' deadlines stay", negotiated.jobs[1].deadline, 2000)
check.equal("also of one that is not taken", negotiated.jobs[3].deadline, 1200)
check.equal("successful", negotiated.successful, 2)
check.equal("rtmr-live takes one", states(run("rtmr-live", hasty)), "finished rejected rejected")
check.equal("less patience", states(run(NEGOTIATING, hasty, { params = { patience = 119 } })),
    "finished rejected rejected")
check.equal("just enough", states(run(NEGOTIATING, hasty, { params = { patience = 120 } })),
    "finished finished rejected")
check.equal("more patience", states(run(NEGOTIATING, hasty, { params = { patience = 400 } })),
    "finished finished finished")

-- A job that would come first, and make the one that was taken before it late, goes behind it.
local pushy = {
    { submit = 0, maps = 12, map_ms = 1000, deadline = 3000 },
    { submit = 0, maps = 4, map_ms = 1000, deadline = 2900 },
}
local polite = run(NEGOTIATING, pushy)
check.equal("both are taken", states(polite), "finished finished")
check.equal("the second one later than it asked for", polite.jobs[2].deadline, 4000)
check.equal("the first one in time", polite.jobs[1].finish, 3000)

-- Whatever the workload: who is taken is in time, and more are than without negotiating.
local function drawn(seed)
    local state, jobs, submit = seed, {}, 0
    local function number(low, high)
        state = (state * 1103515245 + 12345) % 2147483648
        return low + state // 65536 % (high - low + 1)
    end
    for i = 1, 60 do
        submit = submit + number(0, 4000)
        jobs[i] = { submit = submit, maps = number(1, 12), reduces = number(0, 2),
            map_ms = number(200, 3000), reduce_ms = number(200, 5000),
                    deadline = number(2000, 25000) }
    end
    return jobs
end
for seed = 1, 6 do
    for _, more in ipairs { {}, { params = { heartbeat_ms = 300, est_extra_ms = "auto" } } } do
        local jobs = drawn(seed)
        local agreed, strict = run(NEGOTIATING, jobs, more), run("rtmr-live", jobs, more)
        check.equal("all in time, seed " .. seed, agreed.successful, agreed.accepted)
        check.is_true("more are taken, seed " .. seed, agreed.accepted > strict.accepted)
        for i, job in ipairs(agreed.jobs) do
            local latest = 2 * jobs[i].deadline
            if job.state == "finished" then
                check.is_true("no later than it agrees to", job.deadline <= latest
                    and job.finish <= job.submit + job.deadline)
                check.is_true("never sooner than it asked for", job.deadline >= jobs[i].deadline)
            end
        end
    end
end

check.done()
