-- expect: 'io' is not available in a policy
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    io.open("/etc/passwd")
    s:fill("all", "remaining")
  end,
}
