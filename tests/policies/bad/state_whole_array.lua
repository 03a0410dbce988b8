-- expect: state.ring has many values: give it an index
return {
  name = "bad", model = "slotted",
  state = { ring = { more = 3 } },
  slot = function(s)
    local job = 1
    s.state.ring = 0
    s:fill("all", "remaining")
  end,
}
