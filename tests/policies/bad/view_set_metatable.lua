-- expect: bad argument #1 to 'setmetatable'
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    setmetatable(s, {})
    s:fill("all", "remaining")
  end,
}
