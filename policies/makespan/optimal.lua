-- The best order of all, for up to 8 jobs.
-- Orders are tried by ids, smallest first; the first of equal makespans counts (MK32).
-- O(jobs!) evaluations.
local JOBS_MOST = 8

-- Makes of an order the next one, by ids; false after the last.
local function advance(order)
  local rise, swap = #order, #order
  while rise > 1 and order[rise - 1] > order[rise] do rise = rise - 1 end
  if rise == 1 then return false end
  while order[swap] < order[rise - 1] do swap = swap - 1 end
  order[rise - 1], order[swap] = order[swap], order[rise - 1]
  local left, right = rise, #order
  while left < right do
    order[left], order[right] = order[right], order[left]
    left, right = left + 1, right - 1
  end
  return true
end

return {
  name = "optimal", model = "makespan",
  order = function(s)
    if s:jobs() > JOBS_MOST then
        error("takes at most " .. JOBS_MOST .. " jobs, got " .. s:jobs())
    end
    local order, best, score = {}, nil, nil
    for job = 1, s:jobs() do order[job] = job end
    repeat
      local better = s:evaluate(order, { best = score })
      if better then best, score = { table.unpack(order) }, better end
    until not advance(order)
    return best
  end,
}
