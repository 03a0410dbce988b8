-- expect: the view has no 'secrets'
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local x = s.secrets
    s:fill("all", "remaining")
  end,
}
