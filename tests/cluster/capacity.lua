-- Capacity queues: shares, maxima and lending hold at every instant of random runs of jobs with one
-- map; order inside a queue; preemption after the grace time; mistakes in the parameter.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local function run(jobs, params, attributes)
    return pinion.run { model = "cluster", policy = "policies/cluster/capacity.lua",
        workload = jobs, nodes = "5x2x1", attributes = attributes, params = params, quiet = true }
end

-- ---- at every instant ---------------------------------------------------------------------------

local SLOTS <const>, LONGEST <const> = 10, 4000
local QUEUES = { prod = { share = 0.5 }, adhoc = { share = 0.3, max = 0.6 } }
local GUARANTEE, MOST = { prod = 5, adhoc = 3, default = 2 }, { prod = 10, adhoc = 6, default = 10 }

local function draw(seed)
    local stream, jobs = pinion.random(seed), {}
    local groups, time = { "prod", "adhoc", "visitor" }, 0
    for i = 1, 250 do
        time = time + stream:random(0, 350)
        jobs[i] = { submit = time, maps = 1, map_ms = stream:random(500, LONGEST),
            group = groups[stream:random(1, 3)] }
    end
    return jobs
end

-- What runs and what waits in each queue just behind the time.
local function at(rows, time)
    local running = { prod = 0, adhoc = 0, default = 0 }
    local waiting = { prod = 0, adhoc = 0, default = 0 }
    for _, row in ipairs(rows) do
        local queue = row.group == "visitor" and "default" or row.group
        if row.submit <= time and row.first_map_start > time then
            waiting[queue] = waiting[queue] + 1
        elseif row.first_map_start <= time and row.finish > time then
            running[queue] = running[queue] + 1
        end
    end
    return running, waiting
end

local function instants(rows)
    local times, seen = {}, {}
    for _, row in ipairs(rows) do
        for _, time in ipairs { row.first_map_start, row.finish, row.submit } do
            if not seen[time] then times[#times + 1], seen[time] = time, true end
        end
    end
    table.sort(times)
    return times
end

local function hold(seed, rows)
    local since, beyond, idle, longest = {}, 0, 0, 0
    for _, time in ipairs(instants(rows)) do
        local running, waiting = at(rows, time)
        local busy = running.prod + running.adhoc + running.default
        for queue, guaranteed in pairs(GUARANTEE) do
            if running[queue] > MOST[queue] then beyond = beyond + 1 end
            if waiting[queue] > 0 and running[queue] < MOST[queue] and busy < SLOTS then
                idle = idle + 1
            end
            local below = waiting[queue] > 0 and running[queue] < guaranteed
            since[queue] = below and (since[queue] or time) or nil
            if below then longest = math.max(longest, time - since[queue]) end
        end
    end
    check.equal("no queue beyond its maximum, seed " .. seed, beyond, 0)
    check.equal("no slot idles that a queue may have, seed " .. seed, idle, 0)
    check.is_true("a guarantee waits for tasks to end only, seed " .. seed, longest <= LONGEST)
end

for seed = 1, 12 do hold(seed, run(draw(seed), { queues = QUEUES }).jobs) end
print "seeds 1..12"

-- ---- inside a queue -----------------------------------------------------------------------------

local function ranked(priorities)
    local result = run({ { submit = 0, maps = 10, map_ms = 1000 },
        { submit = 1, maps = 10, map_ms = 1000 },
        { submit = 2, maps = 10, map_ms = 1000, priority = 5 } },
        { priorities = priorities }, { priority = 0 })
    return result.jobs[2].finish .. " " .. result.jobs[3].finish
end
check.equal("by priority", ranked(true), "3000 2000")
check.equal("by submission", ranked(false), "2000 3000")

-- ---- preemption ---------------------------------------------------------------------------------

-- Visitors hold all slots for 100 s. Ticks are every second.
local crowd = { { submit = 0, maps = 10, map_ms = 100000, group = "visitor" },
    { submit = 500, maps = 20, map_ms = 2000, group = "prod" } }
local patient = run(crowd, { queues = QUEUES })
check.equal("without preemption", patient.jobs[2].first_map_start, 100000)
local killing = run(crowd, { queues = QUEUES, preemption = true, grace_ms = 3000, tick_ms = 1000 })
local start = killing.jobs[2].first_map_start
check.is_true("not before the grace time", start >= 3500)
check.is_true("and not more than a tick later", start <= 4500)
check.equal("what is guaranteed, and no more", killing.jobs[1].kills, 5)

-- ---- mistakes -----------------------------------------------------------------------------------

check.raises("too much", "queues: shares must not sum to more than 1, got 1.4", run, crowd,
    { queues = { a = { share = 0.7 }, b = { share = 0.7 } } })
check.raises("a maximum too small", "queues.a.max: must not be below its share", run, crowd,
    { queues = { a = { share = 0.7, max = 0.5 } } })
check.raises("a field mistyped", "did you mean 'share'?", run, crowd,
    { queues = { a = { shar = 0.7 } } })

check.done()
