-- Not a good policy: picks by what has passed, and by the kind of the slot.
local function left(s, job, kind)
  local tasks = s:unfinished(job, kind)
  if kind == "map" then return tasks * s.params.maps end
  return tasks + s:running(job, "map")
end

local function held(s, job, kind)
  return kind == "map" and s.per_job.map_ms[job] or s.per_job.reduce_ms[job]
end

return {
  name = "picks", model = "cluster",
  uses = function(params)
    return params.near and { "elapses", params.maps > 2 and "deadlines" } or { "elapses" }
  end,
  params = { maps = { default = 2, min = 1, max = 5 }, near = { default = true } },
  state = { "passed", "last" }, per_job = { "map_ms", "reduce_ms" },
  elapse = function(s, ms)
    s.state.passed = s.state.passed + ms
    for job in s:jobs() do
      s.per_job.map_ms[job] = s.per_job.map_ms[job] + s:running(job, "map") * ms
      s.per_job.reduce_ms[job] = s.per_job.reduce_ms[job] + s:running(job, "reduce") * ms
    end
  end,
  leave = function(s, job) if s.state.last == job then s.state.last = 0 end end,
  pick = function(s, node, kind)
    local best, least
    for job in s:jobs() do
      if s:pending(job, kind) > 0 then
        local word = held(s, job, kind) // 1000 + left(s, job, kind) - s:priority(job)
        if s.params.near and kind ~= "reduce" and s:has_local(job, node) then word = word - 5 end
        if s.state.last == job then word = word + 1 end
        if not best or word < least then best, least = job, word end
      end
    end
    if best and s.state.passed > 0 then s.state.last = best end
    return best
  end,
}
