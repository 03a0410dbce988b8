-- expect: a job is expected, got nil
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:give(nil, 1)
    s:fill("all", "remaining")
  end,
}
