-- Not a good policy: what admission has in C otherwise than in Lua.
-- Finishes that are not known, kinds that are chosen, functions in functions, numbers that begin as
-- math.huge, draws.
local function fastest(s)
  local least, most = math.huge, -math.huge
  for node = 0, s:nodes() - 1 do
    least = math.min(least, s:node_speed(node))
    most = math.max(most, s:node_speed(node))
  end
  if least == math.huge or most < least then return 0 end
  return most * 10 // least
end

-- Of floats in the end.
local function longest(s, job)
  local least = math.huge
  if s:est(job, "map") < least then least = s:est(job, "map") / 2 end
  return least
end

-- Integers that begin as nil.
local function smallest(s)
  local least, other
  for job in s:jobs() do
    local maps = s:unfinished(job, "map")
    if not least or maps < least then least = maps end
    other = math.max(other or maps, maps)
    if other == 3 then other = nil end
  end
  return (least or 5) + (other ~= nil and other or 1)
end

local function later(s, job, known)
  local finish = s:estimate(job)
  if known then finish = nil end
  return finish
end

return {
  name = "offers", model = "cluster",
  params = { strict = { default = false } },
  state = { "agreed", "left", "last", "draws" }, per_job = { "mood", "seen" },
  uses = function(params)
    return { params.strict and "reserves_less", "forecasts", "deadlines", "reserves", "maps_first",
        "in_order" }
  end,
  key = { changes = "arrival", of = function(s, job)
    return s:deadline(job) // 1000 % 64 + s.per_job.mood[job], longest(s, job) end },
  admit = function(s, job)
    local part = 2
    local function ms(kind, most) return math.min(s:est(job, kind), most) // part end
    s.per_job.mood[job] = s:random(0, 3)
    s.state.draws = s.state.draws + s:uniform()
    local mood = s.per_job.mood[job]
    if mood == 0 then s:set_est(job, "map", 1 + ms("map", 1000000000)) end
    local finish, blocker = s:foresee(job)
    if blocker == job and finish then
      s:set_deadline(job, math.min(finish - s:submit(job) + mood, 1 << 53))
      finish, blocker = s:foresee(job)
      s.state.agreed = s.state.agreed + 1
    end
    local needed = finish or 7
    s.state.last = s.state.last + (needed + (blocker == nil and 1 or 0)) % 5
    return not blocker or mood == 3
  end,
  arrive = function(s, job)
    local mood = s.per_job.mood[job]
    s.per_job.seen[job] = fastest(s) + smallest(s)
    if mood < 3 then s:limit(job, "map", 1 + 2 * mood) end
    if mood > 0 then s:hold(job, mood == 1 and "map" or "reduce", s:now() + 3000 * mood) end
  end,
  plan = function(s, reason)
    for job in s:jobs() do
      local finish = later(s, job, s.per_job.seen[job] % 2 == 1)
      if reason == "tick" and (not finish or finish < s:now()) then
        s:limit(job, "map", nil)
      elseif reason == "finish" and s.state.left % 3 == 0 and finish ~= nil then
        s:hold(job, "reduce", s:id(job) % 2 == 0 and s:now() + 500 or 0)
      end
    end
  end,
  leave = function(s, job)
    local all = s.state
    all.left = all.left + s:longest(job, "map") % 7 + (s:input(job) + s:intermediate(job)) % 5
    if s:has_failed(job) then return end
    all.left = all.left + s.per_job.mood[job]
  end,
}
