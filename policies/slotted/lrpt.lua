-- Longest remaining processing time first: the worst work-conserving order.
-- (Zheng, Shroff, Sinha 2013, VII-A; SL15.) By work left, most first, ties by id.
-- O(log jobs) per job served.
return {
  name = "lrpt", model = "slotted",
  key = { changes = "served", of = function(s, job) return -s:remaining(job) end },
}
