-- Not a good policy: the functions of the dag model that no built-in policy has, and its numbers.
local SCALE <const> = 1000

local function fits(s, job, stage, node)
  local most = 0
  for r = 1, s:resources() do
    local demand, free = s:demand(job, stage, r), s:node_free(node, r)
    most = math.max(most, (free - demand) * SCALE // math.max(1, s:largest(r)))
  end
  return most
end

return {
  name = "places", model = "dag",
  params = { by = { default = "tasks", choices = { "tasks", "depth", "use" } },
      speed = { default = true } },
  per_job = { "came", "left_at" }, state = { "jobs" },
  key = { changes = "used", of = function(s, job)
    if s.params.by == "use" then return s:use(job, 1), s.per_job.came[job] end
    return s:stages_left(job) * 3 - s:running(job), -s.per_job.came[job]
  end },
  arrive = function(s, job)
    s.state.jobs = s.state.jobs + 1
    s.per_job.came[job] = s.state.jobs % 7
  end,
  leave = function(s, job) s.state.jobs = s.state.jobs - 1 end,
  score = function(s, job, stage, node)
    local waste, by = fits(s, job, stage, node), s.params.by
    if by == "tasks" then
      waste = waste + s:pending_in(job, stage)
    elseif by == "depth" then
      waste = waste - s:depth(job, stage)
    end
    return s.params.speed and waste * 1000 // math.max(1, s:node_speed(node)) or waste
  end,
}
