return { name = "picks", model = "cluster", state = { "turns" },
  pick = function(s, node, kind)
    s.state.turns = s.state.turns + 1
    if s.state.turns % 4 == 0 then return nil end
    local best
    for job in s:jobs() do
      if s:pending(job, kind) > 0 and (kind == "reduce" or s:has_local(job, node) or s:node_free(node, "map") > 1) then best = job end
    end
    return best or s:first(kind)
  end }
