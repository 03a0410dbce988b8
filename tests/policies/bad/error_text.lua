-- expect: slot 1: boom
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    error "boom"
    s:fill("all", "remaining")
  end,
}
