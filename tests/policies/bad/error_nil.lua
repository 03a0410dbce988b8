-- expect: error value of type nil
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    error()
    s:fill("all", "remaining")
  end,
}
