-- expect: an integer >= 0 is expected, got -5
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:fill("all", "remaining", -5)
    s:fill("all", "remaining")
  end,
}
