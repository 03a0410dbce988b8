-- expect: there is no job 99 in the system
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local step = s:by "remaining"
    step(s, 99)
    s:fill("all", "remaining")
  end,
}
