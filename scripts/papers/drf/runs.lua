-- What the sections on DRF share: how many tasks each user runs when all have tasks without end.

local papers = require "shared.papers"
local pinion = require "pinion"

local M = {}

-- Every user has a queue of its own, which counts what its tasks use.
local TASKS, MS = 4096, 1000

---Asset fairness, which the paper compares with: the sum of the shares of all resources counts.
M.ASSET = [[
local SCALE <const> = 1000000000000
return { name = "asset", model = "dag",
  key = { changes = "used", of = function(s, job)
    local sum = 0
    for r = 1, s:resources() do sum = sum + s:scale(s:use(job, r), SCALE, s:total(r)) end
    return s:exact(sum)
  end } }
]]

---@param name string "asset" or a built-in policy
---@return string|pinion.Policy
function M.policy(name)
    return name == "asset" and pinion.policy(M.ASSET) or name
end

local NAMES = { "cpu", "memory", "disk", "net" }

---The tasks that each user runs, of the first allocation on one node.
---@param policy string
---@param capacity integer[]
---@param demands integer[][] of a task of each user
---@param options table|nil `log` = a path; `weights` of users
---@return integer[] tasks
---@return string digest
function M.allocate(policy, capacity, demands, options)
    local jobs, queues = {}, {}
    for i, demand in ipairs(demands) do
        queues[i] = { name = "u" .. i }
        jobs[i] = { arrival = 0, queue = "u" .. i,
            weight = options and options.weights and options.weights[i] or 1,
            stages = { { tasks = TASKS, duration = MS, demand = demand } } }
    end
    local result = papers.run {
        model = "dag", policy = M.policy(policy), workload = jobs, queues = queues,
        resources = table.move(NAMES, 1, #capacity, 1, {}), bounds = "none",
        nodes = { { count = 1, capacity = capacity } }, log = options and options.log,
        params = { max_time_ms = MS + 1 },
    }
    local tasks = {}
    for i, demand in ipairs(demands) do
        for r = 1, #capacity do
            if demand[r] > 0 then
                tasks[i] = result.queues[i].used[r] // (demand[r] * MS)
                break
            end
        end
    end
    return tasks, result.digest
end

---The largest share that so many tasks hold of any resource.
function M.dominant(tasks, demand, capacity)
    local most = 0.0
    for r = 1, #capacity do most = math.max(most, tasks * demand[r] / capacity[r]) end
    return most
end

---How many tasks of this demand fit into these amounts.
function M.fit(amounts, demand)
    local most = math.huge
    for r = 1, #amounts do
        if demand[r] > 0 then most = math.min(most, amounts[r] / demand[r]) end
    end
    return most
end

return M
