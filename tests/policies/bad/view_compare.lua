-- expect: attempt to compare two pinion.View values
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local x = s < s
    s:fill("all", "remaining")
  end,
}
