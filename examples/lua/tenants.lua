-- A cluster that two tenants and their visitors share: who gets what under queues with guaranteed
-- shares, weighted pools, and first come, first served.
local pinion = require "pinion"

-- A large report fills the cluster; production and two visitors come later.
local jobs = {
    { submit = 0, maps = 200, map_ms = 20000, group = "adhoc", name = "report" },
    { submit = 30000, maps = 40, map_ms = 10000, group = "visitors" },
    { submit = 35000, maps = 40, map_ms = 10000, group = "visitors" },
}
for i = 1, 10 do
    jobs[#jobs + 1] = { submit = 10000 * i, maps = 12, map_ms = 5000, reduces = 2,
        reduce_ms = 8000, group = "prod", name = "hourly " .. i }
end

local TENANTS = {
    fifo = {},
    -- Half of the slots are guaranteed to production, and reports never hold more than 60 %.
    capacity = { queues = { prod = { share = 0.5 }, adhoc = { share = 0.3, max = 0.6 } } },
    -- Production weighs three times as much as the others, and has 4 map slots at once.
    fair_pools = { pools = { prod = { weight = 3, min_maps = 4 } }, min_timeout_ms = 10000 },
}

print("policy      mean response in s: prod  adhoc  visitors")
for _, name in ipairs { "fifo", "capacity", "fair_pools" } do
    local result = pinion.run { model = "cluster", nodes = "10x2x1", workload = jobs,
        policy = name, params = TENANTS[name], quiet = true }
    local means = {}
    for _, group in ipairs(result.groups) do means[group.group] = group.makespan.mean / 1000 end
    print(string.format("%-31s %6.1f %6.1f %9.1f", name, means.prod, means.adhoc, means.visitors))
end
