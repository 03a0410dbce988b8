-- Shortest job first: by map work / map slots + reduce work / reduce slots.
-- For the total of completions, not the makespan (Smith 1956: optimal for one machine). Ties by
-- index.
-- O(jobs log jobs).
return {
  name = "spt", model = "makespan",
  order = function(s)
    local jobs, size = {}, {}
    for job = 1, s:jobs() do
      jobs[job] = job
      size[job] = s:work(job, "map") / s:slots("map") + s:work(job, "reduce") / s:slots("reduce")
    end
    table.sort(jobs, function(a, b) return size[a] < size[b] end) -- stable
    return jobs
  end,
}
