-- expect: has no map work left
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    if not s:in_maps(job) then s:map(job, 1) end
    s:fill("all", "remaining")
  end,
}
