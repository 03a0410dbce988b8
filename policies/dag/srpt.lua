-- Shortest remaining processing time: the least pending work goes first, ties by id.
-- (DG21; Schrage 1968, Grandl et al. 2014.)
-- O(log jobs) per task.
return {
  name = "srpt", model = "dag",
  key = { changes = "served", of = function(s, job) return s:exact(s:left(job)) end },
}
