-- First in, first out: every job in turn gets as many machines as it can use.
-- (Zheng, Shroff, Sinha 2013, section VII-A; SL14.) By arrival, ties by id; a job that waits for
-- its maps to finish does not hold up those behind it.
-- O(log jobs) per job served: a key that never changes is computed once per job.
return {
  name = "fifo", model = "slotted",
  key = { changes = "arrival", of = function(s, job) return s:arrival(job) end },
}
