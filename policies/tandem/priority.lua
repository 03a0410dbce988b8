-- Fixed priorities: each station serves in an order of its own, given as a list of jobs.
-- (params order_map, order_shuffle; TA16.) By the jobs' ranks in these lists, ties by id.
-- O(log jobs) per instant: ranks never change.
return {
  name = "priority", model = "tandem", ranks = true,
  map = { changes = "arrival", key = function(s, job) return s:rank(job, "map") end },
  shuffle = { changes = "arrival", key = function(s, job) return s:rank(job, "shuffle") end },
}
