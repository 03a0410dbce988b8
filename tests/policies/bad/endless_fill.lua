-- expect: used up its budget of 10000000 instructions in one call
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    while true do s:fill("all", "remaining") end
    s:fill("all", "remaining")
  end,
}
