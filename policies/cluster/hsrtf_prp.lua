-- hSRTF-PrP: hSRTF-Pr that also kills: jobs below their share take slots from those above theirs.
-- (the hSRTF paper; CL17-CL19b; to suspend: CL34-CL36.) Jobs below their share first, then the
-- others; each by remaining time, ties by id; victims in the opposite order.
-- O(log jobs) per task; O(running tasks + jobs log jobs) per tick.
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
    if s.params.starvation then
        weight = s:scale(weight, starvation(s, job, weight, math.max(1, sum)), 1000)
    end
    s:weigh(job, weight)
  end
end

-- Victims are killed, or suspended: then they resume where they are (CL34-CL36).
local function take_back(s, job, kind, most)
  if s.params.preemption == "suspend" then return s:suspend(job, kind, most) end
  return s:kill(job, kind, most)
end

-- What jobs miss of their shares is taken from those that hold more than theirs, the longest first.
local function preempt(s, kind)
  local need, order = -s:free(kind), {}
  for job in s:jobs() do
    need = need + math.min(s:pending(job, kind),
        math.max(0, s:share(job, kind) - s:running(job, kind)))
  end
  if need <= 0 then return end
  for job in s:by_key(kind) do order[#order + 1] = job end
  for i = #order, 1, -1 do
    local above = s:running(order[i], kind) - s:share(order[i], kind)
    if need <= 0 then return end
    if above > 0 then need = need - take_back(s, order[i], kind, math.min(above, need)) end
  end
end

-- By priority, then by remaining time (CL41).
local function by_time_left(s, job) return -s:priority(job), s:remaining(job) end

return {
  name = "hsrtf-prp", model = "cluster",
  params = {
    colocate = { default = true, doc = "reduces near the job's maps while such slots are free" },
    starvation = { default = true, doc = "weights grow with the starvation ratio, equation 5" },
    work_conserving = { default = true,
        doc = "slots above the shares too, when all jobs have theirs" },
    preemption = { default = "kill", choices = { "kill", "suspend" },
        doc = "kill the tasks that lose their slots, or suspend them on their nodes" },
  },
  uses = function(params)
    return { "estimates", "shares", "memoryless", params.colocate and "colocates",
        not params.work_conserving and "strict", params.preemption == "suspend" and "suspends" }
  end,
  key = { changes = "planned", of = by_time_left },
  plan = plan,
  preempt = preempt,
}
