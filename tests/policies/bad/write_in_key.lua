-- expect: a key or share cannot write to memory
return {
  name = "bad", model = "slotted",
  state = { "calls" },
  key = { changes = "served", of = function(s, job)
    s.state.calls = s.state.calls + 1
    return s.state.calls
  end },
}
