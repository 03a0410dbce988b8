-- Moves one job at a time while that improves the makespan, or else the total completion.
-- By place of the job moved, then by its new place; the first better order is taken, and all begins
-- again (beyond the paper; MK27).
-- O(max_evals) evaluations, and those of the order to begin with.
local TIMES = { "given", "waves_req", "waves", "capped", "fluid" }
local QUARTERS = { 0, 1, 2, 4, 8 }

-- MK28, as in portfolio.lua.
local function portfolio(s)
  local best, score
  local function try(order)
    local better = s:evaluate(order, { best = score })
    if better then best, score = order, better end
  end
  local function weighed(stage, quarters)
    local value = {}
    for job = 1, s:jobs() do
      value[job] = s:work(job, stage) / s:slots(stage) + s:longest(job, stage) * quarters / 4
    end
    return value
  end
  for _, map in ipairs(QUARTERS) do
    for _, reduce in ipairs(QUARTERS) do
      try(s:johnson { map = weighed("map", map), reduce = weighed("reduce", reduce) })
    end
  end
  try(s:johnson { estimate = "waves" })
  return best, score
end

-- MK26, as in neh.lua.
local function neh(s)
  local jobs, size, order, score = {}, {}, {}, nil
  for job = 1, s:jobs() do
    jobs[job] = job
    size[job] = s:work(job, "map") / s:slots("map") + s:work(job, "reduce") / s:slots("reduce")
  end
  table.sort(jobs, function(a, b) return size[b] < size[a] end)
  for _, job in ipairs(jobs) do
    table.insert(order, 1, job)
    local place = 1
    score = s:evaluate(order)
    for i = 2, #order do
      order[i - 1], order[i] = order[i], order[i - 1]
      local better = s:evaluate(order, { best = score })
      if better then place, score = i, better end
    end
    table.insert(order, place, table.remove(order))
  end
  return order, score
end

local function begin(s)
  local start = s.params.start
  if start == "johnson" then
      return s:johnson { estimate = s.params.estimate, tie = s.params.tie }
  end
  if start == "portfolio" then return portfolio(s) end
  local order, score = neh(s)
  if start == "neh" then return order end
  local other, other_score = portfolio(s)
  return score < other_score and order or other
end

return {
  name = "local_search", model = "makespan",
  params = {
    estimate = { default = "fluid", choices = TIMES,
        doc = "how long stages are taken to last, for the order" },
    tie = { default = "alg21", choices = { "alg21", "mkjr" },
            doc = "which of the two Johnson orders, alg21 (Algorithm 2.1) or mkjr" },
    start = { default = "johnson", choices = { "johnson", "portfolio", "neh", "best" },
              doc = "the order to begin with; best: of portfolio and neh" },
    max_evals = { default = 2000, min = 1, doc = "orders evaluated at most, the first one too" },
  },
  order = function(s)
    local order, left = begin(s), s.params.max_evals - 1
    local score = s:evaluate(order)

    -- The first move that helps, made; whether there is one.
    local function improve()
      for from = 1, #order do
        for to = 1, #order do
          if from ~= to and left > 0 then
            left = left - 1
            table.insert(order, to, table.remove(order, from))
            local better = s:evaluate(order, { best = score, total = true })
            if better then
              score = better
              return true
            end
            table.insert(order, from, table.remove(order, to))
          end
        end
      end
      return false
    end

    while improve() do end
    return order
  end,
}
