-- hSRTF-PuP: hSRTF-Pu that also kills: the job that comes first takes slots from the longest ones.
-- (the hSRTF paper; CL17, CL19b.) By remaining time as estimated on arrival and at every tick, ties
-- by id; victims in the opposite order.
-- O(log jobs) per task; O(running tasks + jobs log jobs) per tick.

-- The first job with tasks to start gets all slots that it needs, from jobs with more time left,
-- the longest first.
local function preempt(s, kind)
  local target, order = s:first(kind), {}
  local need = target and s:pending(target, kind) - s:free(kind) or 0
  if need <= 0 then return end
  for job in s:by_key(kind) do order[#order + 1] = job end
  for i = #order, 1, -1 do
    if need <= 0 or s:remaining(order[i]) <= s:remaining(target) then return end
    need = need - s:kill(order[i], kind, need)
  end
end

return {
  name = "hsrtf-pup", model = "cluster",
  params = { colocate = { default = true,
      doc = "reduces near the job's maps while such slots are free" } },
  uses = function(params) return { "estimates", "memoryless", params.colocate and "colocates" } end,
  key = { changes = "planned", of = function(s, job) return s:remaining(job) end },
  preempt = preempt,
}
