return { name = "numbers", model = "cluster", state = { "n", ring = { per_job = 1, more = 3 } }, per_job = { "a", "b" },
  uses = { "estimates", "shares", false, "colocates" },
  key = { changes = "timed", of = function(s, job, kind) return -job, s:need(job, kind) // 2 end },
  arrive = function(s, job) s.per_job.a[job] = s:random(0, 9) s.state.ring[job] = s:id(job) end,
  leave = function(s, job) s.state.n = s.state.n + s.per_job.a[job] print(s:id(job), s:done(job, "map")) end,
  elapse = function(s, ms) for job in s:jobs() do s.per_job.b[job] = s.per_job.b[job] + ms end end,
  plan = function(s, reason)
    for job in s:by_key "map" do
      for inner in s:by_key "reduce" do s:weigh(inner, s:scale(s.per_job.b[job], 1 << 61, 1 + s:remaining_on(inner, job, 1))) end
    end
  end,
  preempt = function(s, kind)
    for job in s:jobs() do
      for task, node, start, attempt, progress in s:tasks_running(job, kind) do
        if (task + node + start + progress) % 5 == 0 then s:kill_task(job, kind, task) elseif attempt == 0 and s:kill(job, kind, 1) > 0 then break end
      end
    end
  end }
