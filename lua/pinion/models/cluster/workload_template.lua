-- The file that a new workload of the cluster model begins as, and how to run policies on it.

return {
    trial = "pinion compare --workload %s,jobs=200 --set nodes=20x2x1 "
        .. "--policies fifo,fair,hsrtf-pr --replicas 5",
    text = [[
-- NAME: Poisson arrivals, many small jobs and some large ones.
--
-- Look at it:  pinion workload FILE
-- Run it:      pinion compare --workload FILE,jobs=200 --set nodes=20x2x1 --policies fifo,fair,hsrtf-pr \
--                --replicas 5
-- Vary it:     pinion sweep --workload FILE --over workload.jobs=100,1000 ...
--
-- The file runs in a sandbox: no files, no clock, math.random only as g:random. The same seed and
-- replica always make the same jobs. Jobs come in the order of their arrival.

---@type pinion.WorkloadDefinition
return {
  name = "NAME", model = "cluster",
  params = {
    jobs = { default = 1000, min = 1, doc = "number of jobs" },
    gap = { default = 20000, min = 0, doc = "mean ms between two submissions" },
  },

  generate = function(g)
    local time = 0
    for _ = 1, g.params.jobs do
      time = time + g:exponential(g.params.gap)
      local maps = g:draw "pareto(1.5,4)"
      g:job { submit = time, maps = maps, map_ms = g:draw "exp(15000)",
        reduces = maps // 4, reduce_ms = 10000, shuffle_ms = 2000,
        group = maps > 50 and "large" or "small" }
    end
  end,

  -- As needed:
  --   groups = { "large", "small" },                      -- the names of all groups
  --   attributes = { weight = 1 },                        -- numbers that jobs carry, with their defaults
  --   local sizes = g:stream(1)                           -- draws that do not shift the others
}
]],
}
