-- Two tenants with unlike demands on a cluster with processors and memory: analytics wants memory,
-- training wants processors, as in the example of dominant resource fairness (Ghodsi et al. 2011,
-- section 4.1).
--
-- Try it:  pinion compare --workload tenants.lua --set resources=cpu+memory --set nodes=1x36/72 \
--            --policies fifo,fair,drf

---@type pinion.WorkloadDefinition
return {
  name = "tenants", model = "dag",
  groups = { "analytics", "training" },
  params = {
    jobs = { default = 80, min = 1, doc = "number of jobs" },
    gap = { default = 1500, min = 0, doc = "mean ms between two arrivals" },
    burst = { default = 8, min = 1, doc = "jobs of training that come together" },
  },
  generate = function(g)
    local time, sent = 0, 0
    local function send(group, tasks, demand)
      sent = sent + 1
      if sent > g.params.jobs then return end
      g:job { arrival = time, group = group,
        stages = { { tasks = tasks, duration = g:draw "exp(4000)", demand = demand } } }
    end
    while sent < g.params.jobs do
      time = time + g:exponential(g.params.gap)
      send("analytics", g:random(4, 12), { 1, 4 })
      if g:chance(0.3) then
        for _ = 1, g.params.burst do send("training", g:random(4, 12), { 3, 1 }) end
      end
    end
  end,
}
