-- NEH: the longest job first, each next one put in where the makespan is least.
-- Longest by map work / map slots + reduce work / reduce slots, ties by index; of equal places the
-- earliest (beyond the paper, after Nawaz, Enscore, Ham 1983; MK26).
-- O(jobs^2) evaluations.
return {
  name = "neh", model = "makespan",
  order = function(s)
    local jobs, size, order = {}, {}, {}
    for job = 1, s:jobs() do
      jobs[job] = job
      size[job] = s:work(job, "map") / s:slots("map") + s:work(job, "reduce") / s:slots("reduce")
    end
    table.sort(jobs, function(a, b) return size[b] < size[a] end) -- stable
    for _, job in ipairs(jobs) do
      table.insert(order, 1, job)
      local place, score = 1, s:evaluate(order)
      for i = 2, #order do -- the job walks to the end of the order
        order[i - 1], order[i] = order[i], order[i - 1]
        local better = s:evaluate(order, { best = score })
        if better then place, score = i, better end
      end
      table.insert(order, place, table.remove(order))
    end
    return order
  end,
}
