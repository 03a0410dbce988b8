-- A workload of your own as a function: it draws its jobs anew in each replica, so means have
-- intervals, and policies are compared on the same jobs.
--   build/pinion run examples/lua/own_workload.lua
local pinion = require "pinion"

local MACHINES = 50

-- Requests arrive all the time; now and then somebody starts a report. `g` draws the jobs: they
-- follow from the seed and the replica, and are the same on every machine.
local function office(g)
    local time = 0
    for _ = 1, 2000 do
        time = time + g:exponential(1.5) -- fractions are kept; the job arrives in the slot above
        if g:chance(0.05) then
            g:job { arrival = time, maps = g:draw "pareto(1.8,150)", reduces = 60, tasks = 6,
                group = "report" }
        else
            g:job { arrival = time, maps = g:random(5, 40), reduces = g:random(1, 8),
                group = "request" }
        end
    end
end

local comparison = pinion.compare {
    machines = MACHINES, workload = office, policies = { "fifo", "fair", "asrpt" }, replicas = 10,
    baseline = "fifo", quiet = true,
}
print(comparison)

-- The same numbers from a script. All policies met the same jobs in each replica: what counts is
-- the interval of the differences, not whether the intervals of the means overlap.
print()
for _, row in ipairs(comparison.rows) do
    print(string.format("%-6s %6.2f ± %.2f slots", row.policy, row.mean_flow_time,
        row.mean_flow_time_half))
    if row.difference then
        local low, high = row.difference - row.difference_half, row.difference + row.difference_half
        print(string.format("       %+.2f to %+.2f against fifo%s", low, high,
            low <= 0 and high >= 0 and ": it may be chance" or ""))
    end
end
