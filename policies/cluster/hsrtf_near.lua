-- Data-aware preemption: hSRTF-PuP that kills first on nodes with data of the first job.
-- (Ours, after the next steps of the hSRTF paper; CL17, CL19b.) By remaining time as estimated on
-- arrival and at every tick, ties by id. Slots for maps are freed first on nodes that hold an input
-- of a waiting map, slots for reduces first on nodes with affinity, and then anywhere; in both
-- rounds the longest jobs lose tasks first, those with the least progress, then the later start.
-- O(log jobs) per task; O(running tasks log running tasks + jobs log jobs) per tick.

-- Whether the job comes behind the other one though ids do not count.
local function is_behind(s, job, other)
  local own, its = s:priority(job), s:priority(other)
  if own ~= its then return own < its end
  return s:remaining(job) > s:remaining(other)
end

local function is_near(s, target, kind, node)
  if kind == "map" then return s:has_local(target, node) end
  return s:has_affinity(target, node)
end

-- The running tasks of a job in the order in which they are killed.
local function victims_of(s, job, kind)
  local tasks = {}
  for task, node, start, _, progress in s:tasks_running(job, kind) do
    tasks[#tasks + 1] = { task = task, node = node, start = start, progress = progress }
  end
  table.sort(tasks, function(a, b)
    if a.progress ~= b.progress then return a.progress < b.progress end
    if a.start ~= b.start then return a.start > b.start end
    return a.task > b.task
  end)
  return tasks
end

local function preempt(s, kind)
  local target, order = s:first(kind), {}
  local need = target and s:pending(target, kind) - s:free(kind) or 0
  if need <= 0 then return end
  for job in s:by_key(kind) do order[#order + 1] = job end
  for round = 1, 2 do
    for i = #order, 1, -1 do
      if not is_behind(s, order[i], target) then break end
      for _, victim in ipairs(victims_of(s, order[i], kind)) do
        if need <= 0 then return end
        if (round == 2 or is_near(s, target, kind, victim.node))
            and s:kill_task(order[i], kind, victim.task) then
          need = need - 1
        end
      end
    end
  end
end

-- By priority, then by remaining time (CL41).
local function by_time_left(s, job) return -s:priority(job), s:remaining(job) end

return {
  name = "hsrtf-near", model = "cluster",
  params = { colocate = { default = true,
      doc = "reduces near the job's maps while such slots are free" } },
  uses = function(params) return { "estimates", params.colocate and "colocates" } end,
  key = { changes = "planned", of = by_time_left },
  preempt = preempt,
}
