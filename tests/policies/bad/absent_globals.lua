-- expect: '_G' is not available in a policy (there is no table of globals)
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    _G.x = 1
    s:fill("all", "remaining")
  end,
}
