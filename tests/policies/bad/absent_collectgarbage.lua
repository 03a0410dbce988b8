-- expect: 'collectgarbage' is not available in a policy
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    collectgarbage()
    s:fill("all", "remaining")
  end,
}
