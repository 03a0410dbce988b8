-- expect: error value of type table
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    error({ job = 1 })
    s:fill("all", "remaining")
  end,
}
