-- Arrivals that come and go with the time of day, two kinds of jobs, a weight for each.
-- The rate rises from its least to its most by noon and falls again; candidates that a lower rate
-- would not have are dropped (thinning).
--
-- Try it:   pinion compare --workload diurnal.lua,jobs=2000 --set machines=40 \
--             --policies fifo,asrpt --replicas 10
-- Vary it:  pinion sweep --workload diurnal.lua,jobs=2000 --set machines=40 \
--             --over workload.load=.5,.7,.9 --policies fifo,asrpt

-- Of the most, at a time of day between 0 and 1.
local function share_of_peak(day)
  return 0.2 + 0.8 * (1 - math.abs(2 * day - 1))
end

---@type pinion.WorkloadDefinition
return {
  name = "diurnal", model = "slotted",
  groups = { "batch", "interactive" },
  attributes = { weight = 1 },
  params = {
    load = { default = 0.8, min = 0.001, max = 1, doc = "work of an average slot per machine" },
    machines = { default = 40, min = 1, doc = "that the load is of" },
    jobs = { default = 10000, min = 1, doc = "number of jobs" },
    day = { default = 1440, min = 2, doc = "slots of a day" },
  },
  generate = function(g)
    local p, time = g.params, 0
    -- A job has a size of mean 12.5 and reduces of half of it; 0.6 is the mean share of the peak.
    local peak = p.load * p.machines / (1.5 * 12.5) / 0.6
    for _ = 1, p.jobs do
      repeat
        time = time + g:exponential(1 / peak)
      until g:chance(share_of_peak(time / p.day % 1))
      local size = g:draw "hyperexp(0.9,5,0.1,75)"
      local large = size > 30
      g:job { arrival = time, maps = size, reduces = size // 2, tasks = 4,
        group = large and "batch" or "interactive", weight = large and 1 or 5 }
    end
  end,
}
