-- expect: attempt to call a nil value
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local x = nil
    x()
    s:fill("all", "remaining")
  end,
}
