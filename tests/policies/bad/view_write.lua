-- expect: the view is read-only
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s.idle = function() return 1000 end
    s:fill("all", "remaining")
  end,
}
