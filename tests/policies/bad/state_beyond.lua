-- expect: state.ring[4]: the index must be in 1..3
return {
  name = "bad", model = "slotted",
  state = { ring = { more = 3 } },
  slot = function(s)
    local job = 1
    s.state.ring[4] = 0
    s:fill("all", "remaining")
  end,
}
