-- expect: 'package' is not available in a policy
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    package.loaded.os = nil
    s:fill("all", "remaining")
  end,
}
