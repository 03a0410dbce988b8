-- expect: slot 1: 12
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    error(12)
    s:fill("all", "remaining")
  end,
}
