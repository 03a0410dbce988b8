-- expect: bad argument #1 to 'floor' (number expected, got pinion.View)
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local x = math.floor(s)
    s:fill("all", "remaining")
  end,
}
