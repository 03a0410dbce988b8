-- Shortest job first: the least total work, by estimates and dominant demands, goes first, ties by
-- id; the longest path of a job leads its stages (DG11). (DG19; Mao et al. 2019, baseline 2.)
-- O(log jobs) per task.
return {
  name = "sjf-cp", model = "dag",
  key = { changes = "arrival", of = function(s, job) return s:exact(s:work(job)) end },
}
