-- Shares by the work that is left: the more, the more machines.
-- Its rule in C: tests/slotted/support/pairs.c. Uses weights with changes = "served", which fall
-- while a job's tasks run.
return {
  name = "heavy", model = "slotted",
  share = { changes = "served", of = function(s, job) return 1 + s:remaining(job) end },
}
