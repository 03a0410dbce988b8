-- Pools that are given: params.pools, and one more for the jobs and nodes that these leave over.
-- In each pool Johnson's order for the slots of that pool (MK22, MK25).
-- O(jobs log jobs), and the estimates.
local TIMES = { "given", "waves_req", "waves", "capped", "fluid" }

return {
  name = "fixed_pools", model = "makespan",
  params = {
    estimate = { default = "waves_req", choices = TIMES,
        doc = "how long stages are taken to last, for the order" },
    tie = { default = "alg21", choices = { "alg21", "mkjr" },
            doc = "which of the two Johnson orders, alg21 (Algorithm 2.1) or mkjr" },
  },
  pools = function(s)
    local pools = s:pools_set() or error("needs pools (params.pools, a list of { nodes, jobs })")
    for _, pool in ipairs(pools) do
      pool.jobs = s:johnson {
        jobs = pool.jobs, estimate = s.params.estimate, tie = s.params.tie,
        map_slots = s:slots("map") // s:nodes() * pool.nodes,
        reduce_slots = s:slots("reduce") // s:nodes() * pool.nodes,
      }
    end
    return pools
  end,
}
