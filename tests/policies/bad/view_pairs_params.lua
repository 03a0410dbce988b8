-- expect: bad argument #1 to 'pairs' (table expected, got userdata)
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    for k in pairs(s.params) do print(k) end
    s:fill("all", "remaining")
  end,
}
