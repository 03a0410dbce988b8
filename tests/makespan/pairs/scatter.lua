-- Deals the jobs out to pools by dice, each pool of one node but the last.
-- Pools that the scenario gives are kept.
return {
  name = "scatter", model = "makespan",
  pools = function(s)
    if s:pools_set() then return s:pools_set() end
    local pools = {}
    for i = 1, math.min(s:nodes(), s:jobs() + 1, s:random(1, 4)) do
        pools[i] = { nodes = 1, jobs = {} }
    end
    pools[#pools].nodes = s:nodes() - #pools + 1
    for job = 1, s:jobs() do
      local jobs = pools[s:random(1, #pools)].jobs
      jobs[#jobs + 1] = job
    end
    return pools
  end,
}
