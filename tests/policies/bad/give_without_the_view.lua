-- expect: the view comes first
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s.give(job, 1)
    s:fill("all", "remaining")
  end,
}
