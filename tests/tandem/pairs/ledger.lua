-- For tests: every kind of memory, random numbers in hooks and in wake, keys that depend on both.
--
return {
  name = "ledger", model = "tandem",
  state = { "finished", "spread", classes = { more = 3 }, slots = { per_job = 1 } },
  per_job = { "credit", "drawn" },
  map = { changes = "instants", key = function(s, job)
    return s:map_left(job) / (2 + s.per_job.credit[job]), -s.per_job.drawn[job]
  end },
  shuffle = { changes = "served", key = function(s, job)
    return s:shuffle_left(job) - s.state.spread * s.per_job.drawn[job],
        s:age(job) - s.state.classes[s:id(job) % 3 + 1]
  end },
  init = function(s) s.state.spread = 0.5 + s:uniform() end,
  arrive = function(s, job)
    s.per_job.credit[job] = s:random(0, 4) - 1
    s.per_job.drawn[job] = s:uniform() * s.state.spread
  end,
  finish = function(s, job)
    local class = s:id(job) % 3 + 1
    s.state.classes[class] = s.state.classes[class] + 1
    s.state.finished = s.state.finished + 1
  end,
  wake = function(s)
    local lucky = s:random(0, 2)
    for job = 1, s:jobs_max() do
      if s:active(job) and s:id(job) % 3 == lucky then
        s.per_job.credit[job] = s.per_job.credit[job] + 1
            + s.state.classes[lucky + 1] + s.state.finished % 5
      end
    end
    local next = s:first "map" or s:first "shuffle"
    return (0.25 + s:longest_left(next)) * s.state.spread * s:uniform()
  end,
}
