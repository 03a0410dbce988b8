-- expect: declared memory holds numbers, got function
return {
  name = "bad", model = "slotted",
  state = { "calls" },
  slot = function(s)
    local job = 1
    s.state.calls = s.give
    s:fill("all", "remaining")
  end,
}
