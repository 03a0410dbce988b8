-- expect: a key or share cannot write to memory
return {
  name = "bad", model = "slotted",
  per_job = { "calls" },
  key = { changes = "served", of = function(s, job)
    s.per_job.calls[job] = 1
    return 1
  end },
}
