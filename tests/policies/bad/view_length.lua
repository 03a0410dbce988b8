-- expect: attempt to get length of a pinion.View value
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local n = #s
    s:fill("all", "remaining")
  end,
}
