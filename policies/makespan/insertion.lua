-- Insertion for the total of completions: shortest job first, inserted where the total is smallest.
-- By the order of spt; of equal places the last. (Ours, after Nawaz, Enscore, Ham 1983, who insert
-- for the makespan.)
-- O(jobs^2) evaluations.
return {
  name = "insertion", model = "makespan",
  order = function(s)
    local jobs, size, order = {}, {}, {}
    for job = 1, s:jobs() do
      jobs[job] = job
      size[job] = s:work(job, "map") / s:slots("map") + s:work(job, "reduce") / s:slots("reduce")
    end
    table.sort(jobs, function(a, b) return size[a] < size[b] end) -- stable
    for _, job in ipairs(jobs) do
      order[#order + 1] = job
      local place, least = #order, s:evaluate(order):total_completion()
      for i = #order, 2, -1 do -- the job walks to the front of the order
        order[i - 1], order[i] = order[i], order[i - 1]
        local total = s:evaluate(order):total_completion()
        if total < least then place, least = i - 1, total end
      end
      table.insert(order, place, table.remove(order, 1))
    end
    return order
  end,
}
