-- expect: there is no job 1000000000000
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:give(1000000000000, 1)
    s:fill("all", "remaining")
  end,
}
