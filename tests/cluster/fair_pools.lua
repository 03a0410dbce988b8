-- fair_pools shares slots among pools as weighted max-min does, with minimum shares, compared with
-- water poured in slot by slot; a pool that is below its minimum share gets it within the timeout.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
local random = pinion.random(seed)
print("seed " .. seed .. " (PINION_TEST_SEED=" .. seed .. " repeats the pools)")

local directory = check.directory()

local function run(nodes, jobs, params)
    local log = directory .. "/log"
    params.heartbeat_ms = 0
    local result = pinion.run { model = "cluster", nodes = nodes, workload = jobs, quiet = true,
        policy = "policies/cluster/fair_pools.lua", params = params, log = log }
    return result, check.read_file(log)
end

-- How many maps of each job run just after this time, by its log.
local function running_at(log, time)
    local running = {}
    for line in log:gmatch "[^\n]+" do
        local at, event, job = line:match '^{"time":(%d+),"event":"(%a+)","job":(%d+),"kind":"map"'
        if at and tonumber(at) <= time then
            job = tonumber(job)
            running[job] = (running[job] or 0) + (event == "launch" and 1 or -1)
        end
    end
    return running
end

-- ---- shares -------------------------------------------------------------------------------------

-- Slot by slot: to the pool that is furthest below its minimum, else to the one with the fewest for
-- its weight.
local function pour(pools, slots)
    local given = {}
    for i in ipairs(pools) do given[i] = 0 end
    for _ = 1, slots do
        local best, best_at
        for i, pool in ipairs(pools) do
            if given[i] < pool.demand then
                local needs = given[i] < math.min(pool.min_maps, pool.demand)
                local at = needs and given[i] / math.min(pool.min_maps, pool.demand) - 1e9
                    or given[i] / pool.weight
                if not best or at < best_at then best, best_at = i, at end
            end
        end
        if not best then break end
        given[best] = given[best] + 1
    end
    return given
end

for _ = 1, 200 do
    local pools, jobs, said = {}, {}, {}
    for i = 1, random:random(1, 6) do
        local name = "p" .. i
        pools[i] = { weight = random:random(1, 8), min_maps = random:random(0, 4),
            demand = random:random(1, 30) }
        said[name] = { weight = pools[i].weight, min_maps = pools[i].min_maps }
        jobs[i] = { submit = 0, maps = pools[i].demand, map_ms = 1000, group = name }
    end
    local slots = random:random(1, 40)
    local _, log = run(string.format("1x%dx0", slots), jobs, { pools = said })
    local running, given = running_at(log, 0), pour(pools, slots)
    for i in ipairs(pools) do
        check.equal("slots of pool " .. i .. " of " .. #pools, running[i] or 0, given[i])
    end
end

-- ---- timeouts -----------------------------------------------------------------------------------

local function crowd(late)
    local jobs = {}
    for i = 1, 2 do jobs[i] = { submit = 0, maps = 40, map_ms = 600000, group = "old" .. i } end
    late.submit, late.map_ms, late.group = 10000, 600000, "late"
    jobs[3] = late
    return jobs
end

for _, wait in ipairs { 2000, 20000 } do
    local result, log = run("1x12x0", crowd { maps = 8 },
        { pools = { late = { min_maps = 5 } }, min_timeout_ms = wait, tick_ms = 1000 })
    check.equal("nothing before the timeout", running_at(log, 10000 + wait - 1)[3] or 0, 0)
    check.equal("its minimum share by then", running_at(log, 10000 + wait + 1000)[3], 5)
    check.equal("no more kills than slots", result.kills, 5)
end

local _, without = run("1x12x0", crowd { maps = 8 }, { pools = { late = { min_maps = 5 } },
    tick_ms = 1000 })
check.equal("without a timeout it waits", running_at(without, 500000)[3] or 0, 0)

-- The fair share of three equal pools of twelve slots is four.
local _, fair = run("1x12x0", crowd { maps = 8 }, { pools = {}, fair_timeout_ms = 5000,
    tick_ms = 1000 })
check.equal("below half of its fair share before", running_at(fair, 14999)[3] or 0, 0)
check.equal("its fair share by then", running_at(fair, 16000)[3], 4)

-- ---- inside a pool, names -----------------------------------------------------------------------

local function two_jobs(order)
    local _, log = run("1x4x0", { { submit = 0, maps = 9, map_ms = 1000, group = "p" },
        { submit = 0, maps = 9, map_ms = 1000, group = "p" } },
        { pools = { p = { order = order } } })
    return running_at(log, 0)
end
check.equal("fair inside a pool", two_jobs "fair"[1], 2)
check.equal("fifo inside a pool", two_jobs "fifo"[1], 4)
check.raises("another order", "params.pools.p.order: must be fair or fifo, got lifo", two_jobs,
    "lifo")

local _, unnamed = run("1x8x0", { { submit = 0, maps = 9, map_ms = 1000 },
    { submit = 0, maps = 9, map_ms = 1000, group = "p" } },
    { pools = { default = { weight = 3 } } })
check.equal("jobs without a group are the pool default", running_at(unnamed, 0)[1], 6)

check.done()
