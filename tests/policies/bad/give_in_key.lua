-- expect: machines can only be given in slot
return {
  name = "bad", model = "slotted",
  key = { changes = "served", of = function(s, job)
    s:give(job, 1)
    return 1
  end },
}
