-- Critical path: the job whose longest path of unfinished stages is longest goes first, ties by id;
-- or the one whose path is shortest. (DG20; list scheduling by level, Graham 1969.)
-- O(log jobs) per task.
return {
  name = "cp", model = "dag",
  params = { cp_first = { default = "longest", choices = { "longest", "shortest" },
      doc = "which path goes first" } },
  key = { changes = "stage", of = function(s, job)
    return -s:priority(job), s.params.cp_first == "longest" and -s:path(job) or s:path(job)
  end },
}
