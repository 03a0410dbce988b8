-- expect: state.calls is not declared
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s.state.calls = 1
    s:fill("all", "remaining")
  end,
}
