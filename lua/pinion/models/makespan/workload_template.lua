-- The file that a new workload of the makespan model begins as, and how to run policies on it.

return {
    trial = "pinion compare --workload %s --set map_slots=30 --set reduce_slots=30 "
        .. "--policies mk_jr,uaas,balanced_pools --replicas 10",
    text = [[
-- NAME: A batch of jobs with many short and some long tasks.
--
-- Look at it:  pinion workload FILE
-- Run it:      pinion compare --workload FILE --set map_slots=30 --set reduce_slots=30 \
--                --policies mk_jr,uaas,balanced_pools --replicas 10
-- Vary it:     pinion sweep --workload FILE --over workload.jobs=100,1000 ...
--
-- The file runs in a sandbox: no files, no clock, math.random only as g:random. The same seed and
-- replica always make the same jobs. Jobs come in the order of their arrival.

---@type pinion.WorkloadDefinition
return {
  name = "NAME", model = "makespan",
  params = {
    jobs = { default = 100, min = 1, doc = "number of jobs" },
    length = { default = "exp(10)", doc = "of a task" },
  },
  -- ticks = 10,                                           -- durations may be tenths

  generate = function(g)
    for _ = 1, g.params.jobs do
      local maps = {}
      for k = 1, g:random(1, 40) do maps[k] = g:draw(g.params.length) end
      g:job { maps = maps, reduces = { count = g:random(1, 20), duration = g:draw(g.params.length) } }
    end
  end,

  -- As needed:
  --   groups = { "large", "small" },                      -- the names of all groups
  --   attributes = { weight = 1 },                        -- numbers that jobs carry, with their defaults
  --   local sizes = g:stream(1)                           -- draws that do not shift the others
}
]],
}
