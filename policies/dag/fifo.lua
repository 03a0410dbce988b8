-- First come, first served: jobs in order of their arrival. (DG14; Hadoop, Spark.)
-- Which stage of a job is first, and on which node a task goes, the model decides (DG10, DG11).
-- O(log jobs) per task.
return {
  name = "fifo", model = "dag",
  key = { changes = "arrival", of = function(s, job) return -s:priority(job), s:arrival(job) end },
}
