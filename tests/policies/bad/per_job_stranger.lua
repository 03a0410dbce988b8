-- expect: there is no job 77 in the system
return {
  name = "bad", model = "slotted",
  per_job = { "credit" },
  slot = function(s)
    local job = 1
    s.per_job.credit[77] = 1
    s:fill("all", "remaining")
  end,
}
