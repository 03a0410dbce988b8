-- Ten lines to a first result: the paper's workload under ASRPT.
local pinion = require "pinion"

local work = pinion.workload.zheng { maps = "exp(5)", reduces = "exp(40)", rate = 2, slots = 500, seed = 1 }
local result = pinion.run { model = "slotted", machines = 100, reduce = "nonpreemptive", policy = "asrpt", workload = work }

print(string.format("%d jobs, %.3f times the lower bound", result.finished, result.efficiency_ratio))
print("99 % of them had a flow time of at most " .. result:quantile("flow_time", 0.99) .. " slots")
