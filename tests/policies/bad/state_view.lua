-- expect: declared memory holds numbers, got userdata
return {
  name = "bad", model = "slotted",
  state = { "calls" },
  slot = function(s)
    local job = 1
    s.state.calls = s
    s:fill("all", "remaining")
  end,
}
