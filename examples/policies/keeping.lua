-- Keeping: least left work first; a task keeps away from nodes with something free that it does not
-- need, such as GPUs, so that those who need it find room beside it.
-- By left work, ties by id; nodes by the largest free share of a resource that the task has no
-- demand for, then by the least left over of those it has, ties by number.
-- O(log jobs) per task, O(nodes with room) for the choice of the node.

---@param s pinion.DagView
---@param job pinion.JobHandle
---@param stage integer from 0
---@param node integer from 0
local function score(s, job, stage, node)
  local wasted, left = 0, 0
  for r = 1, s:resources() do
    local demand, free = s:demand(job, stage, r), s:node_free(node, r)
    if demand == 0 then
      wasted = math.max(wasted, free * 1000 // math.max(s:largest(r), 1))
    else
      left = left + (free - demand) * 1000 // s:largest(r)
    end
  end
  return wasted * 1000000 + left
end

---@type pinion.DagPolicyDefinition
return {
  name = "keeping", model = "dag",
  key = { changes = "served", of = function(s, job) return s:exact(s:left(job)) end },
  score = score,
}
