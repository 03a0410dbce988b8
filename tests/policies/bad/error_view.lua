-- expect: error value of type userdata
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    error(s)
    s:fill("all", "remaining")
  end,
}
