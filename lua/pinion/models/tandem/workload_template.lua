-- The file that a new workload of the tandem model begins as, and how to run policies on it.

return {
    trial = "pinion compare --workload %s,jobs=1000 "
        .. "--policies fcfs,maxsrpt,splitsrpt --replicas 10",
    text = [[
-- NAME: Poisson arrivals at a given load, sizes of one distribution.
--
-- Look at it:  pinion workload FILE
-- Run it:      pinion compare --workload FILE,jobs=1000 --policies fcfs,maxsrpt,splitsrpt \
--                --replicas 10
-- Vary it:     pinion sweep --workload FILE --over workload.jobs=100,1000 ...
--
-- The file runs in a sandbox: no files, no clock, math.random only as g:random. The same seed and
-- replica always make the same jobs. Jobs come in the order of their arrival.

---@type pinion.WorkloadDefinition
return {
  name = "NAME", model = "tandem",
  params = {
    jobs = { default = 10000, min = 1, doc = "number of jobs" },
    load = { default = 0.7, min = 0.001, max = 1, doc = "of each station" },
    size = { default = "exp(1)", doc = "map size, and shuffle size" },
  },

  generate = function(g)
    local gap = g:mean(g.params.size) / g.params.load
    for _ = 1, g.params.jobs do
      g:job { gap = g:exponential(gap),                    -- or arrival = time, in every job
        map = g:real(g.params.size), shuffle = g:real(g.params.size) }
    end
  end,

  -- As needed:
  --   groups = { "large", "small" },                      -- the names of all groups
  --   attributes = { weight = 1 },                        -- numbers that jobs carry, with their defaults
  --   local sizes = g:stream(1)                           -- draws that do not shift the others
}
]],
}
