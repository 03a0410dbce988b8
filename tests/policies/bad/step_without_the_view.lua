-- expect: the view comes first
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local step = s:by "remaining"
    step(nil, job)
    s:fill("all", "remaining")
  end,
}
