-- Asks everything that can be asked of a batch, and orders by a mixture of the answers.
local TIMES = { "given", "waves_req", "waves", "capped", "fluid" }
return {
  name = "probe", model = "makespan", share = "exclusive", cap = "requested", task_order = "lpt",
  stage_time = "capped",
  params = { tie = { default = "alg21", choices = { "alg21", "mkjr" }, doc = "" } },
  order = function(s)
    local value = {}
    for _, stage in ipairs { "map", "reduce" } do
      value[stage] = {}
      for job = 1, s:jobs() do
        local sum = s:work(job, stage) * s:tasks(job, stage) + s:longest(job,
            stage) * s:requested(job, stage)
        for i, stretch in ipairs(s:stretches(job, stage)) do
            sum = sum + stretch.duration * stretch.count * i
        end
        for i, time in ipairs(TIMES) do
          sum = sum + s:estimate(job, stage, time, (s:slots(stage) + 1) // 2) * i
              - s:estimate(job, stage, time) / 2
        end
        value[stage][job] = sum < 0 and -sum or sum
      end
    end
    if s:level() == "task" and s:order_set() then return s:order_set() end
    local backwards = {}
    for job = s:jobs(), 1, -1 do backwards[#backwards + 1] = job end
    return s:johnson { map = value.map, reduce = function(job) return value.reduce[job]
        end, tie = s.params.tie, jobs = backwards }
  end,
}
