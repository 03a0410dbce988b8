-- expect: 'os' is not available in a policy
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    os.execute("true")
    s:fill("all", "remaining")
  end,
}
