-- First in, first out: a slot goes to the first job that has a task for it.
-- (Hadoop's default; CL10, CL41.) By priority, then by submission, ties by id; a job whose tasks
-- all run, or whose reduces
-- wait for its maps, does not hold up those behind it.
-- O(log jobs) per task: a key that never changes is computed once per job and kind.
return {
  name = "fifo", model = "cluster",
  key = { changes = "arrival", of = function(s, job) return -s:priority(job), s:submit(job) end },
}
