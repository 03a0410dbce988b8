-- expect: bad argument #1 to 'pairs' (table expected, got pinion.View)
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    for k in pairs(s) do print(k) end
    s:fill("all", "remaining")
  end,
}
