-- Suspends by chance, many at once or one by one, kills now and then, and launches a second attempt
-- of what has run longest elsewhere.
local function suspend_some(s, job, kind)
  local chosen, suspended = {}, 0
  for task, node, _, attempt, progress, copied in s:tasks_running(job, kind) do
    local even = (task + node + attempt + progress) % 2 == 0
    if even and not copied then chosen[#chosen + 1] = task end
  end
  for _, task in ipairs(chosen) do
    if s:suspend_task(job, kind, task) then suspended = suspended + 1 end
  end
  return suspended
end

local function weigh_suspended(s, job, kind)
  local sum = s:suspended(job, kind)
  for task, node, start, attempt, progress in s:tasks_suspended(job, kind) do
    sum = sum + task * (node + 1) + start % 5 + attempt + progress % 7
    if s:resumes(job, kind, node) then sum = sum + 1 end
    if s:resumes(job, kind, 0) then sum = sum + 3 end
  end
  return sum
end

return {
  name = "doubler", model = "cluster",
  uses = { "suspends" },
  state = { "suspended", "seen" },
  key = { changes = "served", of = function(s, job, kind)
    return (s:suspended(job, kind) + s:running(job, kind)) % 3
  end },
  preempt = function(s, kind)
    local all = s.state
    for job in s:jobs() do
      local turn = s:random(0, 5)
      all.seen = (all.seen + weigh_suspended(s, job, kind)) % 1000003
      if turn == 0 then
        all.suspended = all.suspended + s:suspend(job, kind, 1 + all.seen % 3)
      elseif turn == 1 then
        all.suspended = all.suspended + suspend_some(s, job, kind)
      elseif turn == 2 and all.seen % 4 == 0 then
        all.suspended = all.suspended + 100 * s:kill(job, kind, 1)
      end
    end
  end,
  copy = function(s, node, kind)
    local all, best, best_task, oldest = s.state, nil, nil, nil
    all.seen = (all.seen + s:copied(kind)) % 1000003
    if all.seen % 5 == 0 then return nil end
    for job in s:jobs() do
      for task, at, start, attempt, _, copied in s:tasks_running(job, kind) do
        if not copied and at ~= node and attempt < 4 and (not oldest or start < oldest)
            and s:may_run(job, kind) then
          best, best_task, oldest = job, task, start
        end
      end
    end
    return best, best_task
  end,
}
