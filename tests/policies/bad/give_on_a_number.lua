-- expect: the view comes first
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s.give(5, job, 1)
    s:fill("all", "remaining")
  end,
}
