-- expect: an integer >= 0 is expected, got NaN
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:give(job, 0 / 0)
    s:fill("all", "remaining")
  end,
}
