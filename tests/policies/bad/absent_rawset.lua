-- expect: 'rawset' is not available in a policy
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    rawset(s, "x", 1)
    s:fill("all", "remaining")
  end,
}
