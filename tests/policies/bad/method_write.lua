-- expect: attempt to index a function value
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s.give.name = 1
    s:fill("all", "remaining")
  end,
}
