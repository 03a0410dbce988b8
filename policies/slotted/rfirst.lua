-- Jobs that have finished their maps first: what is nearly done should leave (ours; SL26).
-- By phase, reduces before maps, then by work left, ties by id: a key of two numbers.
-- O(log jobs) per job served.
return {
  name = "rfirst", model = "slotted",
  key = { changes = "served",
      of = function(s, job) return s:in_maps(job) and 1 or 0, s:remaining(job) end },
}
