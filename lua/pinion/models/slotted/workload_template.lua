-- The file that a new workload of the slotted model begins as, and how to run policies on it.

return {
    trial = "pinion compare --workload %s,jobs=1000 --set machines=50 "
        .. "--policies fifo,asrpt --replicas 10",
    text = [[
-- NAME: Poisson arrivals, map and reduce work of one size.
--
-- Look at it:  pinion workload FILE
-- Run it:      pinion compare --workload FILE,jobs=1000 --set machines=50 --policies fifo,asrpt \
--                --replicas 10
-- Vary it:     pinion sweep --workload FILE --over workload.jobs=100,1000 ...
--
-- The file runs in a sandbox: no files, no clock, math.random only as g:random. The same seed and
-- replica always make the same jobs. Jobs come in the order of their arrival.

---@type pinion.WorkloadDefinition
return {
  name = "NAME", model = "slotted",
  params = {
    jobs = { default = 10000, min = 1, doc = "number of jobs" },
    gap = { default = 2.0, min = 0, doc = "mean slots between two arrivals" },
    size = { default = "exp(20)", doc = "work of a job" },
  },

  generate = function(g)
    local time = 0
    for _ = 1, g.params.jobs do
      time = time + g:exponential(g.params.gap)
      local size = g:draw(g.params.size)                   -- an integer >= 1
      g:job { arrival = time,                              -- rounded up to a slot
        maps = size, reduces = size, tasks = 5,            -- or reduces = { 4, 4, 2 }
        group = size > 60 and "large" or "small" }
    end
  end,

  -- As needed:
  --   groups = { "large", "small" },                      -- the names of all groups
  --   attributes = { weight = 1 },                        -- numbers that jobs carry, with their defaults
  --   local sizes = g:stream(1)                           -- draws that do not shift the others
}
]],
}
