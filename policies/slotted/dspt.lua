-- Dependent shortest processing time: least remaining work first, one order for maps and reduces.
-- (ours; SL26.) By work left, ties by id.
-- O(log jobs) per job served.
return {
  name = "dspt", model = "slotted",
  key = { changes = "served", of = function(s, job) return s:remaining(job) end },
}
