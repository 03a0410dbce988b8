return { name = "haggle", model = "cluster", per_job = { "tries" }, uses = { "in_order", "maps_first", "reserves", "forecasts" },
  key = { changes = "arrival", of = function(s, job) return s:submit(job) + s:deadline(job), s.per_job.tries[job] end },
  admit = function(s, job)
    local finish, blocker = s:foresee(job)
    while blocker and s.per_job.tries[job] < 5 do
      s.per_job.tries[job] = s.per_job.tries[job] + 1
      s:set_est(job, "map", 1 + s:est(job, "map") // 2)
      s:set_deadline(job, finish - s:submit(job) + s:random(0, 9))
      finish, blocker = s:foresee(job)
    end
    return not blocker or s:random(1, 2) == 1
  end,
  arrive = function(s, job) s:limit(job, "map", s.per_job.tries[job]) s:hold(job, "reduce", s:now() + 333) end,
  plan = function(s, reason)
    for job in s:jobs() do
      print(s:id(job), s:estimate(job), reason)
      if reason == "tick" then s:limit(job, "map", s.per_job.tries[job] + 1) end
    end
  end }
