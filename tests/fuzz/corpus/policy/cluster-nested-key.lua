return { name = "nested", model = "cluster", state = { "killing" }, uses = function() return { "shares", "strict" } end, plan = function(s) end,
  key = { changes = function(p) return "served" end, of = function(s, job, kind)
    if s.state.killing > 0 and s:now() > 150 then error("in the middle of it") end
    return s:running(job, kind)
  end },
  preempt = function(s, kind) s.state.killing = 1 for job in s:jobs() do s:kill(job, kind, 1) end s.state.killing = 0 end }
