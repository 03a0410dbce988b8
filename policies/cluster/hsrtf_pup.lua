-- hSRTF-PuP: hSRTF-Pu that also kills: the job that comes first takes slots from the longest ones.
-- (the hSRTF paper; CL17, CL19b; to suspend: CL34-CL36.) By remaining time as estimated on arrival
-- and at every tick, ties by id; victims in the opposite order.
-- O(log jobs) per task; O(running tasks + jobs log jobs) per tick.

-- Victims are killed, or suspended: then they resume where they are (CL34-CL36).
local function take_back(s, job, kind, most)
  if s.params.preemption == "suspend" then return s:suspend(job, kind, most) end
  return s:kill(job, kind, most)
end

-- Whether the job comes behind the other one though ids do not count.
local function is_behind(s, job, other)
  local own, its = s:priority(job), s:priority(other)
  if own ~= its then return own < its end
  return s:remaining(job) > s:remaining(other)
end

-- The first job with tasks to start gets all slots that it needs, from jobs with more time left,
-- the longest first.
local function preempt(s, kind)
  local target, order = s:first(kind), {}
  local need = target and s:pending(target, kind) - s:free(kind) or 0
  if need <= 0 then return end
  for job in s:by_key(kind) do order[#order + 1] = job end
  for i = #order, 1, -1 do
    if need <= 0 or not is_behind(s, order[i], target) then return end
    need = need - take_back(s, order[i], kind, need)
  end
end

-- By priority, then by remaining time (CL41).
local function by_time_left(s, job) return -s:priority(job), s:remaining(job) end

return {
  name = "hsrtf-pup", model = "cluster",
  params = {
    colocate = { default = true, doc = "reduces near the job's maps while such slots are free" },
    preemption = { default = "kill", choices = { "kill", "suspend" },
        doc = "kill the tasks that lose their slots, or suspend them on their nodes" },
  },
  uses = function(params)
    return { "estimates", "memoryless", params.colocate and "colocates",
        params.preemption == "suspend" and "suspends" }
  end,
  key = { changes = "planned", of = by_time_left },
  preempt = preempt,
}
