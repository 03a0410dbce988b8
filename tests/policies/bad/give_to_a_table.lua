-- expect: a job is expected, got table
return {
  name = "bad", model = "slotted",
  slot = function(s)
    local job = 1
    s:give({ job }, 1)
    s:fill("all", "remaining")
  end,
}
