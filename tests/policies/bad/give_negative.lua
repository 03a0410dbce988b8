-- expect: an integer >= 0 is expected, got -1
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:give(job, -1)
    s:fill("all", "remaining")
  end,
}
