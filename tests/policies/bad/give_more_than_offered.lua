-- expect: asked for 2 machines, it can use
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    while s:idle() > 0 do s:give(job, math.min(2, s:idle())) end
    s:fill("all", "remaining")
  end,
}
