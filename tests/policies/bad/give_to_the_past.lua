-- expect: there is no job 2 in the system (it may have finished)
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    if s:slot() > 4 then s:give(2, 1) end
    s:fill("all", "remaining")
  end,
}
