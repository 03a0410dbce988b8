-- Not a good policy: lists, loops by steps, and kills and suspensions within loops and conditions.
local function pick_some(s, kind, chosen)
  for job in s:by_key(kind) do
    if s:running(job, kind) > 0 then chosen[#chosen + 1] = job end
  end
  return #chosen
end

local function parts(s, kind)
  local list, sum = {}, 0
  for i = 1, math.min(s:jobs_max(), 7), 3 do list[#list + 1] = i / 2 end
  for i, part in ipairs(list) do sum = sum + i * part end
  for i = #list, 1, -2 do list[i] = list[i] + 1 end
  return sum + (#list > 1 and list[2] or 0.0)
end

local function suspend_even(s, job, kind)
  local count = 0
  for task, node, start, attempt, progress in s:tasks_running(job, kind) do
    if (task + node + attempt + progress + start) % 2 == 0 and s:suspend_task(job, kind, task) then
      count = count + 1
    end
  end
  for task, node, _, attempt in s:tasks_suspended(job, kind) do
    if s:resumes(job, kind, node) then count = count + task * attempt % 3 end
  end
  return count
end

return {
  name = "culls", model = "cluster",
  state = { "killed", "seen" },
  uses = { "suspends" },
  key = { changes = "served", of = function(s, job, kind)
    return (s:suspended(job, kind) + s:running(job, kind)) % 3, parts(s, kind)
  end },
  preempt = function(s, kind)
    local chosen, turns = {}, {}
    local count = pick_some(s, kind, chosen)
    for _, job in ipairs(chosen) do turns[#turns + 1] = s:random(0, 5) + s:id(job) % 2 end
    for i = count, 1, -1 do
      local job, turn = chosen[i], turns[i]
      if turn == 0 then
        local killed = 2 - s:kill(job, kind, 1)
        s.state.killed = s.state.killed + killed
      elseif turn == 1 then
        local suspended = suspend_even(s, job, kind)
        s.state.seen = s.state.seen + suspended
      elseif turn == 2 and s.state.seen % 2 == 0 then
        s:suspend(job, kind, 2)
      end
      local first = s:first(kind)
      if first == job then s.state.seen = s.state.seen + 3 end
    end
  end,
}
