-- expect: random(low, high) needs low <= high
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:random(2, 1)
    s:fill("all", "remaining")
  end,
}
