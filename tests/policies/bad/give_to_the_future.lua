-- expect: there is no job 3 in the system
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    if s:slot() == 1 then s:give(3, 1) end
    s:fill("all", "remaining")
  end,
}
