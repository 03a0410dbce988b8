-- Jobs with deadlines: how many can be promised theirs, and how many promises are kept, by a
-- scheduler that knows the times of tasks badly? And what if jobs that cannot be promised theirs
-- are offered more time?
--   build/pinion run examples/lua/admission.lua [DIRECTORY]
local pinion = require "pinion"

local directory = arg[1] or "build/demo"
os.execute("mkdir -p '" .. directory:gsub("'", "'\\''") .. "'")

-- Large jobs of the paper on RTMR, which come faster than the cluster can do them. A task takes
-- between half its time and all of it: estimates of 1 times that are never too short, those of 0.5
-- times nearly always are.
local work = pinion.workload.rtmr { workload = "II", jobs = 100, load = 2, est_map_permille = 1000,
    est_reduce_permille = 1000 }
local PESSIMISM = { 0.5, 1, 2, 4, 8 }

-- A rule of one's own for which jobs are accepted; all else is as rtmr-live has it. s:foresee tells
-- when the job would finish, and which job, if any, would miss its deadline if this one were
-- accepted.
local bargain = pinion.policy [[
  return {
    name = "bargain", model = "cluster",
    uses = { "in_order", "maps_first", "reserves", "deadlines", "forecasts" },
    key = { changes = "arrival", of = function(s, job) return s:submit(job) + s:deadline(job) end },
    admit = function(s, job)
      for _ = 1, 3 do
        local _, blocker = s:foresee(job)
        if not blocker then return true end
        s:set_deadline(job, 2 * s:deadline(job))          -- or in twice the time?
      end
      return false
    end,
  }
]]
local POLICIES = { "fifo", "dc", "rtmr", "rtmr-live", bargain }

local function name_of(policy)
    return policy == bargain and "bargain" or policy
end

-- Replicas draw the workload anew, each time the same for all policies and estimates. fifo accepts
-- every job.
local sweep = pinion.sweep {
    workload = work, policies = POLICIES, baseline = "rtmr", replicas = 5, quiet = true,
    over = { { "workload.pessimism", PESSIMISM } },
}
sweep:csv(directory .. "/admission.csv")

-- A line for each policy, a column for each factor on the estimates.
local cells = {}
for _, row in ipairs(sweep.rows) do
    local line = cells[row.policy] or {}
    cells[row.policy] = line
    line[row["workload.pessimism"]] = string.format("%3.0f /%4.0f", 100 * row.accept_ratio,
        100 * row.success_ratio)
end
print("Accepted jobs, % / those of them that made their deadline, %, "
    .. "by what tasks are estimated to take:")
io.write(string.format("%-10s", ""))
for _, factor in ipairs(PESSIMISM) do io.write(string.format("%12s", factor .. " times")) end
for _, policy in ipairs(POLICIES) do
    io.write(string.format("\n%-10s", name_of(policy)))
    for _, factor in ipairs(PESSIMISM) do
        io.write(string.format("%12s", cells[name_of(policy)][factor]))
    end
end

-- Promises that went by nodes which are gone: rtmr never hears of it, rtmr-live says at once which
-- jobs are late, and accepts fewer.
local outage = {}
for node = 0, 19 do outage[#outage + 1] = { time = 600000, node = node, recover = 1800000 } end
print "\n\n20 of the 30 nodes are lost for 20 minutes:"
for _, policy in ipairs(POLICIES) do
    local result = pinion.run { workload = work, policy = policy, failures = outage, quiet = true }
    print(string.format("%-10s accepted %3d, in time %3d, told that they are late %2d",
        name_of(policy), result.accepted,
        result.successful, result.late or 0))
end
