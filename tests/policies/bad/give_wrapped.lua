-- expect: asked for 4294967296 machines
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:give(job, 1 << 32)
    s:fill("all", "remaining")
  end,
}
