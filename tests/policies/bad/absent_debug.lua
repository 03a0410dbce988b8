-- expect: 'debug' is not available in a policy
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    debug.getregistry()
    s:fill("all", "remaining")
  end,
}
