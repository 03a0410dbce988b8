-- A first experiment: one workload, one policy, a result.
--   build/pinion run examples/lua/first.lua
local pinion = require "pinion"

-- Random jobs as in Zheng, Shroff, Sinha (2013). A workload is a description: nothing is drawn
-- before a run opens it.
local work = pinion.workload.zheng { maps = "exp(5)", reduces = "exp(40)", rate = 2, slots = 500,
    seed = 1 }
local result = pinion.run { model = "slotted", machines = 100, reduce = "nonpreemptive",
    policy = "asrpt", workload = work }

print(string.format("%d jobs, %.3f times the lower bound", result.finished,
    result.efficiency_ratio))
print("99 % of them had a flow time of at most " .. result:quantile("flow_time", 0.99) .. " slots")

-- Every job has a row, and print shows all there is to say.
local first = result.jobs[1]
print(string.format(
    "job %d arrived in slot %d, had its maps done in slot %d and finished in slot %d\n",
    first.id, first.arrival, first.map_finish, first.finish))
print(result)
