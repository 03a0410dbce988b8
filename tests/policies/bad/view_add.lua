-- expect: attempt to perform arithmetic on a pinion.View value
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local x = s + 1
    s:fill("all", "remaining")
  end,
}
