-- Least attained service: each machine to the job that has received the fewest so far.
-- (Foreground-background, FB; Kleinrock 1976.) By units run, ties by id; sizes and estimates are
-- never looked at. Preemptive reduces only: a task that cannot be stopped cannot give way.
-- O(machines + log jobs for each job served) per slot.

-- Takes in the jobs that have been given no more than the level; equal ones stay in order of id.
local function join(s, crowd, step, job, level)
  local before = #crowd
  while job and s:attained(job) <= level do
    crowd[#crowd + 1] = job
    job = step(s, job)
  end
  if #crowd > before then table.sort(crowd, function(a, b) return s:id(a) < s:id(b) end) end
  return job
end

-- One machine for each, as long as there are any. Returns those that can use more.
local function raise(s, crowd)
  local rest = {}
  for _, job in ipairs(crowd) do
    if s:idle() == 0 then return rest end
    s:give(job, 1)
    if s:maps_ready(job) + s:reduces_ready(job) > 0 then rest[#rest + 1] = job end
  end
  return rest
end

local function slot(s)
  local step = s:by "least"
  local crowd, job, level = {}, step(s, nil), 0
  while s:idle() > 0 and (job or #crowd > 0) do
    if #crowd == 0 then level = s:attained(job) end
    job = join(s, crowd, step, job, level)
    crowd, level = raise(s, crowd), level + 1
  end
end

return {
  name = "las", model = "slotted", modes = { "preemptive" }, work_conserving = true,
  orders = { least = { changes = "served", walk = true,
      of = function(s, job) return s:attained(job) end } },
  slot = slot,
}
