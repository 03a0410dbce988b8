-- A scheduler of Figure 1 of Zheng, Shroff and Sinha: it runs the map of job 1 after h slots and
-- starts its reduce l slots later; the other jobs run first come, first served, whenever the
-- machine is idle. Ties: the smaller id first.
-- O(jobs) per slot.
return {
  name = "held", model = "slotted",
  params = {
    h = { default = 0, min = 0, doc = "slots before the map of job 1" },
    l = { default = 1, min = 1, doc = "slots from there to its reduce" },
  },
  orders = { first = { by = "arrival", jobs = "unfinished", walk = true } },
  slot = function(s)
    for job in s:by "first" do
      local from = 1 + s.params.h + (s:in_maps(job) and 0 or s.params.l)
      if job > 1 or s:slot() >= from then s:give(job, math.min(s:offer(job), s:idle())) end
    end
  end,
}
