-- How long a sweep takes on a cluster, by simulation: a shard is a task of one core, and the engine
-- starts one after another. What a unit, a start and the gathering take is measured, see
-- docs/experiments.md; arguments: units, seconds of a unit, cores, seconds of a start.

local pinion = require "pinion"

local units, seconds = tonumber(arg[1]) or 1000000, tonumber(arg[2]) or 0.1
local cores, start = tonumber(arg[3]) or 1000, tonumber(arg[4]) or 0.12

-- Milliseconds that a process takes before its first unit.
local BEGIN = 40

-- Seconds until the last shard is done, when units vary as an exponential distribution does.
local function makespan(shards)
    local each = units / shards
    local result = pinion.run {
        model = "dag", nodes = cores .. "x1", policy = "fifo", bounds = "none", quiet = true,
        keep_jobs = false,
        workload = function(g)
            local mean = 1000 * seconds
            for k = 1, shards do
                local length = math.max(mean, g:normal(each * mean, math.sqrt(each) * mean))
                g:job {
                    arrival = math.ceil(1000 * start * k),
                    stages = { { tasks = 1, demand = { 1 },
                        duration = BEGIN + math.ceil(length) } },
                }
            end
        end,
    }
    return result.makespan / 1000
end

print(string.format("%d units of %g s on %d cores, %g s a start: %.0f s of work on each", units,
    seconds, cores, start, units * seconds / cores))
for _, shards in ipairs { cores, 3 * cores, 10 * cores, 30 * cores } do
    local time = makespan(shards)
    print(string.format("%7d shards of %6.0f units  %7.0f s  %3.0f %% of it work", shards,
        units / shards, time, 100 * units * seconds / cores / time))
end
