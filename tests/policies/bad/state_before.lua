-- expect: state.ring[-9223372036854775808]: the index must be in 1..3
return {
  name = "bad", model = "slotted",
  state = { ring = { more = 3 } },
  slot = function(s)
    local job = 1
    s.state.ring[math.mininteger] = 0
    s:fill("all", "remaining")
  end,
}
