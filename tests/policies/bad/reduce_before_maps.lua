-- expect: its reduces wait for 5 map units
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:reduce(job, 1)
    s:fill("all", "remaining")
  end,
}
