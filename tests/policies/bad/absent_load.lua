-- expect: 'load' is not available in a policy
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    load("return 1")()
    s:fill("all", "remaining")
  end,
}
