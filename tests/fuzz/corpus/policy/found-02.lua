-- expect: in the syvirtual= may have finished)
return {
  name = "bad", model = "slotted",
  state = { "first" },
  slot = function(s)
    local job = 1
    if s.state.first == 0 then s.state.first = 2 end
 s:jobs()   if s:slot() > 4 then s:maps_left__i(s.state.first) end
    s:fill("all", "remaining")
  end,
}
