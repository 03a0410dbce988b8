-- A policy of ours beside those of the paper on hSRTF: the text of examples/policies/sparing.lua.

return [[
-- Sparing kills: hSRTF-PuP (shortest remaining time first) that kills a task only where that pays.
-- By remaining time as estimated on arrival and at every tick, ties by id. A task of a longer job
-- dies for the first job with tasks to start only if it has run for less time than the two jobs are
-- apart: no more work is lost than the wait is shortened by. Jobs whose estimates change with every
-- start can still take turns in killing each other: max_kills_per_task ends it, 3 by default.
-- O(log jobs) per task; O(running tasks + jobs log jobs) per tick.

-- The longest jobs lose tasks first.
local function preempt(s, kind)
  local target, order = s:first(kind), {}
  local need = target and s:pending(target, kind) - s:free(kind) or 0
  if need <= 0 then return end
  for job in s:by_key(kind) do order[#order + 1] = job end
  for i = #order, 1, -1 do
    local apart = s:remaining(order[i]) - s:remaining(target)
    for task, _, start in s:tasks_running(order[i], kind) do
      if need > 0 and s:now() - start < apart and s:kill_task(order[i], kind, task) then
          need = need - 1
      end
    end
  end
end

---@type pinion.ClusterPolicyDefinition
return {
  name = "sparing", model = "cluster",
  uses = { "estimates", "colocates" },
  key = { changes = "planned", of = function(s, job) return s:remaining(job) end },
  preempt = preempt,
}
]]
