-- NAME: Poisson arrivals; a job reads, joins what it has read, and writes.
--
-- Look at it:  pinion workload FILE
-- Run it:      pinion compare --workload FILE,jobs=200 --set resources=cpu+memory \
--                --set nodes=10x16000/65536 --policies fifo,fair,srpt --replicas 5
-- Vary it:     pinion sweep --workload FILE --over workload.jobs=100,1000 ...
-- Draw a job:  pinion workload FILE --plot job.svg --job 3
--
-- The file runs in a sandbox: no files, no clock, math.random only as g:random. The same seed and
-- replica always make the same jobs. Jobs come in the order of their arrival.

---@type pinion.WorkloadDefinition
return {
  name = "NAME", model = "dag",
  params = {
    jobs = { default = 1000, min = 1, doc = "number of jobs" },
    gap = { default = 1500, min = 0, doc = "mean ms between two arrivals" },
  },

  generate = function(g)
    local time = 0
    for _ = 1, g.params.jobs do
      time = time + g:exponential(g.params.gap)
      local stages = {}
      for s = 1, g:random(1, 3) do
        stages[s] = { tasks = g:draw "pareto(1.5,4)", duration = g:draw "exp(4000)",
          demand = { 1000, g:random(1024, 4096) } }
      end
      local parents = {}
      for s = 1, #stages do parents[s] = s - 1 end -- stages count from 0 here
      local join = #stages
      stages[join + 1] = { tasks = 4, duration = g:draw "exp(8000)", demand = { 2000, 8192 },
        parents = parents }
      stages[join + 2] = { tasks = 1, duration = 1000, demand = { 500, 512 }, parents = { join } }
      g:job { arrival = time, stages = stages, group = join > 1 and "join" or "copy" }
    end
  end,

  -- As needed:
  --   groups = { "join", "copy" },                        -- the names of all groups
  --   queues = { "prod", "dev" },                         -- those that jobs name by queue = "prod"
  --   attributes = { urgency = 1 },                       -- numbers that jobs carry, with their defaults
  --   local sizes = g:stream(1)                           -- draws that do not shift the others
}
