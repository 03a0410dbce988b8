-- Johnson's rule on the stage times given in the workload.
-- Jobs with map <= reduce, shortest map first, ties by index; then the others, longest reduce
-- first, ties by index downwards (Johnson 1954; Tian, Luo, Tian, Chen, Algorithm 2.1; MK7).
-- O(jobs log jobs), and the estimates.
local TIMES = { "given", "waves_req", "waves", "capped", "fluid" }

return {
  name = "johnson", model = "makespan", stage_time = "given",
  params = {
    estimate = { default = "given", choices = TIMES,
        doc = "how long stages are taken to last, for the order" },
    tie = { default = "alg21", choices = { "alg21", "mkjr" },
            doc = "which of the two Johnson orders, alg21 (Algorithm 2.1) or mkjr" },
  },
  order = function(s)
    -- MK8: jobs with map = reduce belong to the others, and ties go by index upwards there too
    local mkjr = s.params.tie == "mkjr"
    local map, reduce, front, back = {}, {}, {}, {}
    for job = 1, s:jobs() do
      map[job] = s:estimate(job, "map", s.params.estimate)
      reduce[job] = s:estimate(job, "reduce", s.params.estimate)
      local block = (map[job] < reduce[job] or not mkjr and map[job] == reduce[job]) and front
          or back
      block[#block + 1] = job
    end
    -- sorting is stable: ties keep the order of ids
    table.sort(front, function(a, b) return map[a] < map[b] end)
    table.sort(back,
        function(a, b) return reduce[b] < reduce[a] or not mkjr and reduce[a] == reduce[b]
        and a > b end)
    return table.move(back, 1, #back, #front + 1, front)
  end,
}
