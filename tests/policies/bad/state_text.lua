-- expect: declared memory holds numbers, got string
return {
  name = "bad", model = "slotted",
  state = { "calls" },
  slot = function(s)
    local job = 1
    s.state.calls = "1"
    s:fill("all", "remaining")
  end,
}
