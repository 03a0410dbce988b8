-- Jobs gain credit by chance on every tick; least work per credit first, then a draw on arrival.
-- Its rule in C: tests/slotted/support/pairs.c. Uses every hook, memory of every kind, random
-- numbers, a key of two floats.
return {
  name = "credit", model = "slotted",
  state = { "finished", "spread", chosen = { more = 3 } },
  per_job = { "credit", "drawn" },
  tick_slots = 5,
  init = function(s) s.state.spread = 0.5 + s:uniform() end,
  arrive = function(s, job)
    s.per_job.credit[job] = s:random(-1, 3)
    s.per_job.drawn[job] = s:uniform() * s.state.spread
  end,
  finish = function(s, job)
    local chosen, at = s.state.chosen, 1 + s:id(job) % 3
    chosen[at] = chosen[at] + 1
    s.state.finished = s.state.finished + 1
  end,
  tick = function(s)
    local lucky = s:random(0, 2)
    local gain = 1 + s.state.chosen[lucky + 1] + s.state.finished
    for job = 1, s:jobs_max() do
      if s:active(job) and s:id(job) % 3 == lucky then
          s.per_job.credit[job] = s.per_job.credit[job] + gain
      end
    end
  end,
  key = {
    changes = "tick",
    of = function(s, job) return s:remaining(job) / (2 + s.per_job.credit[job]),
        -s.per_job.drawn[job] end,
  },
}
