-- expect: attempt to index a boolean value
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    getmetatable(s).__index.idle = nil
    s:fill("all", "remaining")
  end,
}
