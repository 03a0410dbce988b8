-- Patience: shortest remaining work first, but the place also depends on how long a job waited.
-- By work left + patience * arrival, ties by id: patience 0 is shortest work first, a large one is
-- first come, first served.
-- O(log jobs) per job served.  "Work left - patience * slots waited" gives the same order, as the
-- slot at hand is the same for all jobs. Written this way a key changes only when its job is
-- served, and not from slot to slot.

---@type pinion.PolicyDefinition
return {
  name = "patient", model = "slotted",
  params = { patience = { default = 2, min = 0, max = 1000,
      doc = "work units that a slot of waiting is worth" } },
  key = {
    changes = "served",
    of = function(s, job) return s:remaining(job) + s.params.patience * s:arrival(job) end,
  },
}
