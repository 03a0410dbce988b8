-- expect: asked for 1000 machines, 4 are idle
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:give(job, 1000)
    s:fill("all", "remaining")
  end,
}
