-- Shares by chance, held strictly; kills one by one what has hardly begun.
local function cull(s, job, kind, most)
  local chosen, killed = {}, 0
  for task, node, start, attempt, progress in s:tasks_running(job, kind) do
    if progress + 10 * (task - 1) + node + start % 3 < 500000 and attempt < 2 then
        chosen[#chosen + 1] = task
    end
  end
  for _, task in ipairs(chosen) do
    if killed < most and s:kill_task(job, kind, task) then killed = killed + 1 end
  end
  return killed
end

local REASONS = { arrival = 0, tick = 1, finish = 2 }

return {
  name = "culler", model = "cluster",
  params = { estimates = { default = true, doc = "weights by estimates" } },
  state = { "plans", "age", "reasons", "killed" },
  uses = function(params) return { "shares", "strict", "elapses", params.estimates
      and "estimates" } end,
  key = { changes = "served", of = function(s, job, kind)
    return (3 * s:running(job, kind) + s:done(job, kind)) % 5, -s:id(job)
  end },
  elapse = function(s, ms) s.state.age = s.state.age + ms * s:in_system() % 1000 end,
  plan = function(s, reason)
    local all = s.state
    all.plans = all.plans + 1
    all.reasons = (3 * all.reasons + REASONS[reason]) % 1000
    for job in s:jobs() do
      local weight = s:random(0, 1 << 20) + all.age + all.reasons
      if s.params.estimates then
          weight = s:scale(weight, s:average(job, "reduce"), 1 + s:remaining(job))
      end
      s:weigh(job, weight)
    end
  end,
  preempt = function(s, kind)
    local all = s.state
    for job in s:jobs() do
      local above = s:running(job, kind) - s:share(job, kind)
      if above > 0 and all.plans % 3 > 0 then
        all.killed = all.killed + cull(s, job, kind, above)
      elseif above > 0 then
        all.killed = all.killed + s:kill(job, kind, 1)
      end
    end
  end,
}
