-- Poisson arrivals at a given load, heavy-tailed sizes: the built-in workload lin, draw by draw.
-- The rate of arrivals follows from the means of the sizes, which g:mean knows.

---@type pinion.WorkloadDefinition
return {
  name = "lin", model = "tandem",
  params = {
    load = { default = 0.75, min = 0.001, max = 1000, doc = "of the station with more work" },
    jobs = { default = 100000, min = 1, doc = "number of jobs" },
    map = { default = "lognormal(1,3.65)", doc = "map size of a job" },
    ratio = { default = "lognormal(1,3.28)", doc = "shuffle / map of a job" },
  },
  generate = function(g)
    local p = g.params
    local map_mean = g:mean(p.map)
    local rate = p.load / math.max(map_mean, map_mean * g:mean(p.ratio))
    -- Streams of their own: other sizes do not shift the arrivals.
    local sizes, ratios = g:stream(1), g:stream(2)
    for _ = 1, p.jobs do
      local map = sizes:real(p.map)
      g:job { gap = g:exponential(1 / rate), map = map, shuffle = map * ratios:real(p.ratio) }
    end
  end,
}
