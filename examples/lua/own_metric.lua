-- Numbers of your own: functions of a job become columns with means, quantiles, groups and
-- intervals, like those that every result has.
--   build/pinion run examples/lua/own_metric.lua [DIRECTORY]
local pinion = require "pinion"

local directory = arg[1] or "."

-- The flow time that users were promised: 10 slots, and one more for each unit of map work.
local function promised(job)
    return 10 + job.maps
end

local comparison = pinion.compare {
    machines = 100, workload = "zheng:0", policies = { "fifo", "dspt", "asrpt" }, replicas = 10,
    quiet = true,
    metrics = {
        "slowdown", -- a built-in one: the flow time over that of the job alone
        -- true counts as 1, so the mean is the share of jobs that break the promise
        late = function(job) return job.flow_time > promised(job) end,
        -- nil: the job has no such number, and is left out
        lateness = function(job)
            return job.flow_time > promised(job) and job.flow_time - promised(job) or nil
        end,
        -- slots between the last map and the end
        reducing = function(job) return job.finish - job.map_finish end,
    },
}
print(comparison)
for _, row in ipairs(comparison.rows) do
    print(string.format("%-6s %4.1f ± %.1f %% of the jobs are late", row.policy,
        100 * row.mean_late, 100 * row.mean_late_half))
end
comparison:csv(directory .. "/own_metric.csv")
