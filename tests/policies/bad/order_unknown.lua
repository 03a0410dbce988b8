-- expect: there is no order 'mine'
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:fill("all", "mine")
    s:fill("all", "remaining")
  end,
}
