-- expect: 'coroutine' is not available in a policy
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    coroutine.wrap(s.give)(s, 1, 1000)
    s:fill("all", "remaining")
  end,
}
