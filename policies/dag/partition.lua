-- Dynamic partition: jobs in order of arrival, each up to its share of the executors.
-- The share is the number of executors by that of the jobs that can use another one, rounded up;
-- jobs that have theirs come last. For executors=sticky (DG35). O(jobs * stages) per executor that
-- moves. (The fair scheduler of Mao et al. 2019, github.com/hongzimao/decima-sim.)

local function wants(s, job)
  local pending = 0
  for stage = 0, s:stages(job) - 1 do pending = pending + s:pending_in(job, stage) end
  return pending > s:executors(job) - s:running(job)
end

-- The executors of each job that wants some, rounded up.
local function share(s)
  local jobs = 0
  for job in s:jobs() do
    if wants(s, job) then jobs = jobs + 1 end
  end
  return (s:nodes() + jobs - 1) // math.max(jobs, 1)
end

return {
  name = "partition", model = "dag",
  key = { changes = "stage", of = function(s, job)
    return s:executors(job) < share(s) and 0 or 1, s:id(job)
  end },
}
