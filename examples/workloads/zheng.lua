-- Poisson arrivals with random job sizes: the built-in workload zheng, draw by draw.
--
-- Look at it:   pinion workload zheng.lua,rate=1.5 --machines 100
-- Compare on it: pinion compare --workload zheng.lua,slots=1000 --policies fifo,asrpt --replicas 20

---@type pinion.WorkloadDefinition
return {
  name = "zheng", model = "slotted",
  params = {
    maps = { default = "exp(5)", doc = "map units of a job" },
    reduces = { default = "exp(40)", doc = "reduce units of a job" },
    rate = { default = 2.0, min = 0, max = 1e6, doc = "mean arrivals in a slot" },
    slots = { default = 500, min = 1, doc = "slots with arrivals" },
    tasks = { default = 10, min = 1, max = 65536, doc = "reduce tasks of a job, at most" },
  },
  generate = function(g)
    local p = g.params
    for slot = 1, p.slots do
      for _ = 1, g:poisson(p.rate) do
        local maps, reduces = g:draw(p.maps), g:draw(p.reduces)
        g:job { arrival = slot, maps = maps, reduces = reduces, tasks = p.tasks }
      end
    end
  end,
}
