-- hfsp is the Fair Sojourn Protocol where sizes are known: on one slot it decides as a naive
-- simulation does that shares the slot among all jobs millisecond by millisecond, and no job ends
-- later than it would in that virtual run, but for a task that was running.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

-- With the second seed virtual work was left while no job was in the system.
local SEED <const> = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
local SEEDS <const> = { SEED, 1795855269 }
print("seed " .. SEED .. " (PINION_TEST_SEED=" .. SEED .. " repeats the jobs)")

local TASK_MS, PARTS = 20, 2520

local function draw_jobs(random)
    local jobs, time = {}, 0
    for id = 1, random:random(1, 9) do
        jobs[id] = { submit = time, maps = random:random(1, 12), map_ms = TASK_MS, reduces = 0 }
        time = time + random:random(0, 4) * random:random(0, 60)
    end
    return jobs
end

-- One ms of the virtual run: equal parts of the slot for all that have come and are not done.
local function share_out(states, now)
    local active = {}
    for _, state in ipairs(states) do
        if state.job.submit <= now and not state.virtual then active[#active + 1] = state end
    end
    for _, state in ipairs(active) do
        state.left = state.left - PARTS // #active
        if state.left <= 0 then state.virtual = now + 1 end
    end
end

local function goes_before(a, b)
    if a.virtual and b.virtual then return a.virtual < b.virtual end
    if a.virtual or b.virtual then return a.virtual ~= nil end
    return a.left < b.left
end

-- The job that gets the slot; of equal ones the first.
local function choose(states, now)
    local best
    for _, state in ipairs(states) do
        local may = state.job.submit <= now and state.pending > 0
        if may and (not best or goes_before(state, best)) then best = state end
    end
    return best
end

local function naive(jobs)
    local states, running, ends, done = {}, nil, nil, 0
    for id, job in ipairs(jobs) do
        states[id] = { job = job, pending = job.maps, unfinished = job.maps,
            left = job.maps * TASK_MS * PARTS }
    end
    for now = 0, math.huge do
        if running and ends == now then
            running.unfinished = running.unfinished - 1
            if running.unfinished == 0 then running.finish, done = now, done + 1 end
            running = nil
        end
        if not running then
            running = choose(states, now)
            if running then running.pending, ends = running.pending - 1, now + TASK_MS end
        end
        local shared = 0
        for _, state in ipairs(states) do shared = shared + (state.virtual and 1 or 0) end
        if done == #jobs and shared == #jobs then return states end
        share_out(states, now)
    end
end

local function run(jobs, params)
    return pinion.run { model = "cluster", nodes = "1x1x0", workload = jobs, quiet = true,
        policy = "policies/cluster/hfsp.lua", params = params }
end

local function compare(random)
    local jobs = draw_jobs(random)
    local states = naive(jobs)
    local result = run(jobs, { sizes = "known", heartbeat_ms = 0 })
    for id, state in ipairs(states) do
        check.equal("job " .. id .. " of " .. #jobs, result.jobs[id].finish, state.finish)
        check.is_true("no later than the virtual run and a task",
            state.finish <= state.virtual + TASK_MS)
    end
end

for _, seed in ipairs(SEEDS) do
    local random = pinion.random(seed)
    for _ = 1, 300 do compare(random) end
end

-- Sizes that are learnt: a small job does not wait for a large one that came first.
local queue = { { submit = 0, maps = 200, map_ms = 1000, reduces = 0 } }
for i = 1, 5 do queue[i + 1] = { submit = 20000 * i, maps = 3, map_ms = 1000, reduces = 0 } end
local learnt = run(queue, { heartbeat_ms = 0, sample = 2 })
local fifo = pinion.run { model = "cluster", nodes = "1x1x0", workload = queue, quiet = true,
    policy = "fifo", params = { heartbeat_ms = 0 } }
for id = 2, 6 do
    check.is_true("a small job", learnt.jobs[id].makespan <= 6000)
    check.is_true("in order of submission it waits", fifo.jobs[id].makespan > 90000)
end

-- Ageing: small jobs that come at 10/11 of the capacity leave a large one its share, 60 s / (1/11).
local stream = { { submit = 0, maps = 60, map_ms = 1000, reduces = 0 } }
for i = 1, 400 do stream[i + 1] = { submit = 2200 * i, maps = 2, map_ms = 1000, reduces = 0 } end
local aged = run(stream, { heartbeat_ms = 0, sizes = "known" })
check.is_true("the large job ends when sharing would end it, at the latest",
    aged.jobs[1].finish <= 660000)

check.done()
