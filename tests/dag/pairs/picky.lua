-- Keys by credits and chance; nodes by what would be left of the last resource there.
return {
  name = "picky", model = "dag",
  state = { "turns", "gone" },
  per_job = { "credit" },
  arrive = function(s, job)
    s.state.turns = s.state.turns + 1
    s.per_job.credit[job] = s:random(0, 3) + s:weight(job) % 2 + s:stages(job)
  end,
  leave = function(s, job) s.state.gone = s.state.gone + s:id(job) % 7 end,
  key = { changes = "used", of = function(s, job)
    return (3 * s:running(job) + s:stages_left(job)) % 5 - s.per_job.credit[job], s:queue(job)
  end },
  score = function(s, job, stage, node)
    local r = s:resources()
    return (s:node_free(node, r) - s:demand(job, stage, r)) % 97 + s:pending_in(job, stage)
        + s:node_speed(node) % 3 + s:done_in(job, stage)
  end,
}
