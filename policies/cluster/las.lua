-- Least attained service: a slot goes to the job whose tasks have held slots for the least time.
-- (Foreground-background, FB; Kleinrock 1976.) By slot time of both kinds so far, killed and failed
-- attempts included, then by running tasks, so that equal jobs share; ties by id. Sizes and
-- estimates are never looked at.
-- O(jobs) per event, and per slot that is given.
local function elapse(s, ms)
  local held = s.per_job.held
  for job in s:jobs() do
    held[job] = held[job] + (s:running(job, "map") + s:running(job, "reduce")) * ms
  end
end

local function pick(s, node, kind)
  local best, least, fewest
  for job in s:jobs() do
    if s:pending(job, kind) > 0 then
      local held, running = s.per_job.held[job], s:running(job, kind)
      if not best or held < least or held == least and running < fewest then
        best, least, fewest = job, held, running
      end
    end
  end
  return best
end

return {
  name = "las", model = "cluster",
  per_job = { "held" },
  elapse = elapse,
  pick = pick,
}
