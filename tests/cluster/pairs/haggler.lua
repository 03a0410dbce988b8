-- Agrees on other deadlines, takes some jobs anyway, limits jobs and holds them back by chance.
--
return {
  name = "haggler", model = "cluster",
  state = { "agreed", "left" },
  per_job = { "mood" },
  uses = { "in_order", "maps_first", "reserves", "deadlines", "forecasts" },
  key = { changes = "arrival", of = function(s, job) return s:deadline(job) // 1000 % 64,
      s:est(job, "map") % 8 end },
  admit = function(s, job)
    local mood = s:random(0, 3)
    s.per_job.mood[job] = mood
    if mood == 0 then s:set_est(job, "map", 1 + math.min(s:est(job, "map"), 1000000000) // 2) end
    local finish, blocker = s:foresee(job)
    if blocker == job and finish then
      s:set_deadline(job, math.min(finish - s:submit(job) + mood, 1 << 53))
      finish, blocker = s:foresee(job)
      s.state.agreed = s.state.agreed + 1
    end
    return not blocker or mood == 3
  end,
  arrive = function(s, job)
    local mood = s.per_job.mood[job]
    if mood < 3 then s:limit(job, "map", 1 + 2 * mood) end
    if mood > 0 then s:hold(job, mood == 1 and "map" or "reduce", s:now() + 3000 * mood) end
  end,
  plan = function(s, reason)
    for job in s:jobs() do
      local finish = s:estimate(job)
      if reason == "tick" and (not finish or finish < s:now()) then
        s:limit(job, "map", nil)
      elseif reason == "finish" and s.state.left % 3 == 0 then
        s:hold(job, "reduce", s:id(job) % 2 == 0 and s:now() + 500 or 0)
      end
    end
  end,
  leave = function(s, job)
    local all = s.state
    all.left = all.left + s:longest(job, "map") % 7 + (s:input(job) + s:intermediate(job)) % 5
    if s:has_failed(job) then all.left = all.left + 1 end
  end,
}
