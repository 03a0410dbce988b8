-- expect: 'calls' is not available in a policy
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    calls = (calls or 0) + 1
    s:fill("all", "remaining")
  end,
}
