-- expect: attempt to concatenate a pinion.View value
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    local x = "view " .. s
    s:fill("all", "remaining")
  end,
}
