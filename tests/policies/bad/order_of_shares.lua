-- expect: order 'remaining' is not one of shares
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:share "remaining"
    s:fill("all", "remaining")
  end,
}
