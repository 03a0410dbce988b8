-- Dynamic partition of sticky executors: jobs by arrival, each up to an equal share.
-- The share is the number of executors, divided by the number of jobs that can use another one,
-- rounded up; jobs that have their share come last. Without executors=sticky (DG35) it is fifo.
-- O(jobs) per executor that moves. (The fair scheduler of Mao et al. 2019,
-- github.com/hongzimao/decima-sim.)
return {
  name = "partition", model = "dag",
  key = { changes = "stage", of = function(s, job)
    local wanting = math.max(s:wanting(), 1)
    local last = s:executors(job) >= (s:nodes() + wanting - 1) // wanting and 1 or 0
    return last - (s:priority(job) << 32), s:id(job)
  end },
}
