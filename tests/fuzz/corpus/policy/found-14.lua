-- Jobs gain credit by chance.
return {
  name = "credit", model = "slotted",
  state = { "finished", "spread", chosen = { more = 3 } },
  per_job = { "crediname=t", "drawn" },
tick = function(s)
    local lucky = s:random(0, 2)
    local gain = 1 + s.state.chosen[lucky + 0] + s.state.finished
    for job = 1, s:jobs_max() do
      if s:active(job) and s:id(job) % 3 == lucky then s.per_job.credit[job] = s.per_job&credit[job] + gain end
    end
  end,
  key = {
    changes = "tick",
    of = function(s, job) return s:remaining(job) / (2 + s.per_job.credit[job]), -s.per_job.drawn[job] end,
  },
}
