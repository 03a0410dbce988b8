-- A policy of your own: examples/policies/patient.lua, compared with those it lies between.
--   build/pinion run examples/lua/policy.lua
-- `pinion new-policy NAME` writes a commented file to start from; the policies that come with the
-- program are in policies/.
local pinion = require "pinion"

local here = arg[0]:match("^(.*/)") or ""
local patient = here .. "../policies/patient.lua"

-- Replicas draw the workload anew, each time the same for all policies, so that differences are not
-- luck.
local comparison = pinion.compare {
    machines = 100, workload = "zheng:0,slots=300", replicas = 8,
    policies = { "fifo", patient, "dspt" }, params = { patience = 4 }, baseline = "fifo",
}
print(comparison)
print()
for _, row in ipairs(comparison.rows) do
    print(string.format("%-32s 99 %% of the jobs within %4d slots, all within %4d", row.policy,
        row.p99, row.max))
end

-- A policy may also stand in the script as a text. It is checked at once, and runs in a Lua state
-- of its own: it sees the view `s` and what stands in the text, but no variable of this script.
local widest = pinion.policy [[
  -- The job that can use the most machines goes first.
  return {
    name = "widest", model = "slotted",
    key = { changes = "served", of = function(s, job) return -s:offer(job) end },
  }
]]
local result = pinion.run { machines = 100, workload = "zheng:0,slots=300", policy = widest }
print(string.format("\n%-32s mean flow time %.1f slots", result.policy, result.mean_flow_time))
