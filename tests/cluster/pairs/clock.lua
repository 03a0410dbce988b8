-- Keys that move with time and with what happened between events; jobs wait for local maps.
return {
  name = "clock", model = "cluster",
  params = { scale = { default = 3, min = 0, max = 1000, doc = "how fast keys move" } },
  per_job = { "hand" },
  uses = { "delays" },
  key = { changes = function() return "timed" end, of = function(s, job, kind)
    local age = s:now() - s:submit(job)
    local second = kind == "map" and s:capacity(kind) - s:tasks(job, kind) or s:need(job, kind)
    return (s.params.scale * age + s.per_job.hand[job]) % 977 / 8, second
  end },
  arrive = function(s, job) s.per_job.hand[job] = s:group(job) end,
  elapse = function(s, ms)
    for job in s:jobs() do
      s.per_job.hand[job] = s.per_job.hand[job] + math.min(ms, 1000) * s:unfinished(job,
          "reduce") + s:free "map"
    end
  end,
}
