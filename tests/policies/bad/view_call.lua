-- expect: attempt to call a pinion.View value
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s()
    s:fill("all", "remaining")
  end,
}
