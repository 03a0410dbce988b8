-- expect: asked for 9223372036854775807 machines
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:give(job, math.maxinteger)
    s:fill("all", "remaining")
  end,
}
