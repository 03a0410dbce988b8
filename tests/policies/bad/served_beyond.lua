-- expect: served_at(1): there are 0
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:served_at(1)
    s:fill("all", "remaining")
  end,
}
