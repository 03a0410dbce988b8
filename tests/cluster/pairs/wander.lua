-- Picks by credits, locality and chance; now and then no job, or the one that came first.
local function score(s, job, node, kind)
  local near = 0
  if kind == "map" then
      near = s:has_local(job, node) and 500 or 0
  else
      near = s:has_affinity(job, node) and 300 or 0
  end
  return 1000 * s.per_job.credit[job] - s:running(job, kind) + near
      + (s:unfinished(job, kind) * 7 + s:node_free(node, kind)) % 5
end

return {
  name = "wander", model = "cluster",
  state = { "turns", "left" },
  per_job = { "credit" },
  arrive = function(s, job) s.per_job.credit[job] = s:random(0, 3) + s:deadline(job) % 2 end,
  leave = function(s, job) s.state.left = s.state.left + s:id(job) + s:done(job, "map") end,
  pick = function(s, node, kind)
    s.state.turns = s.state.turns + 1
    if s.state.turns % 7 == s.state.left % 7 and s:free(kind) < s:capacity_up(kind) then
        return nil
    end
    if s.state.turns % 5 == 0 then return s:first(kind) end
    local best, most
    for job in s:jobs() do
      if s:pending(job, kind) > 0 then
        local this = score(s, job, node, kind)
        if not best or this > most then best, most = job, this end
      end
    end
    if best then s.per_job.credit[best] = s.per_job.credit[best] - 1 end
    return best
  end,
}
