-- The best of 26 Johnson orders: 25 weights of the longest tasks beside the work, and one on waves.
-- The first of equal makespans counts (beyond the paper; MK28).
-- O(jobs log jobs), 26 times, and 26 evaluations.
local QUARTERS = { 0, 1, 2, 4, 8 } -- weights of the longest task: 0, 1/4, 1/2, 1, 2

return {
  name = "portfolio", model = "makespan",
  order = function(s)
    local best, score
    local function try(order)
      local better = s:evaluate(order, { best = score })
      if better then best, score = order, better end
    end

    -- Work on all slots plus so many quarters of the longest task, of each job.
    local function weighed(stage, quarters)
      local value = {}
      for job = 1, s:jobs() do
        value[job] = s:work(job, stage) / s:slots(stage) + s:longest(job, stage) * quarters / 4
      end
      return value
    end

    for _, map_quarters in ipairs(QUARTERS) do
      local map = weighed("map", map_quarters)
      for _, reduce_quarters in ipairs(QUARTERS) do
        try(s:johnson { map = map, reduce = weighed("reduce", reduce_quarters) })
      end
    end
    try(s:johnson { estimate = "waves" })
    return best
  end,
}
