-- hSRTF-Pr with shares weighted by a power of the starvation ratio.
-- (after the hSRTF paper; CL17-CL19.) exponent = 1 is hsrtf-pr, 0 the same without starvation;
-- above 1 jobs that have waited long beside their makespan alone win sooner. O(log jobs) per task;
-- O(running tasks + jobs log jobs) per tick.
local HIGH <const> = 1000000000000000                 -- one over a remaining time of 1 ms

-- Equation 3: S_i is inverse to the time that is left, times the job's weight.
local function inverse(s, job)
  return s:scale(HIGH, s:weight(job), math.max(1, s:remaining(job)))
end

-- Equations 4 and 5: the time since submission and what is left with these shares, over the
-- makespan alone, in thousandths.
local function starvation(s, job, weight, sum)
  local maps = math.max(1, s:scale(s:capacity "map", weight, sum))
  local reduces = math.max(1, s:scale(s:capacity "reduce", weight, sum))
  local time = s:now() - s:submit(job) + s:remaining_on(job, maps, reduces)
  return s:scale(time, 1000, math.max(1, s:alone(job)))
end

local function plan(s)
  local sum = 0
  for job in s:jobs() do sum = sum + inverse(s, job) end
  for job in s:jobs() do
    local weight = inverse(s, job)
    local ratio = starvation(s, job, weight, math.max(1, sum))
    for _ = 1, s.params.exponent do weight = s:scale(weight, ratio, 1000) end
    s:weigh(job, weight)
  end
end

-- By priority, then by remaining time (CL41).
local function by_time_left(s, job) return -s:priority(job), s:remaining(job) end

return {
  name = "hsrtf-starvation", model = "cluster",
  params = {
    colocate = { default = true, doc = "reduces near the job's maps while such slots are free" },
    exponent = { default = 2, min = 0, max = 4,
        doc = "power of the starvation ratio in the weights; 1 = hsrtf-pr, 0 = without" },
    work_conserving = { default = true,
        doc = "slots above the shares too, when all jobs have theirs" },
  },
  uses = function(params)
    return { "estimates", "shares", "memoryless", params.colocate and "colocates",
        not params.work_conserving and "strict" }
  end,
  key = { changes = "planned", of = by_time_left },
  plan = plan,
}
