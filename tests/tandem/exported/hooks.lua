-- Not a good policy: what the hooks of a policy may do, in forms that C has otherwise than Lua.
local function half(s, job)
  local x = s:map_left(job)
  if x > 2 then return job, x / 2 end
  return nil, x
end

local function note(s, job, cell, value)
  s.per_job[cell .. "_of"][job] = value
  s.state.last = job
end

local function most(s, give)
  local best, longest
  for job in s:by "present" do
    local x = s:map_left(job) + s:shuffle_left(job)
    if not best or x > longest then best, longest = job, x end
  end
  if best and s:mapping(best) then give(s, best, s:map_idle() / 4) end
  return best
end

return {
  name = "hooks", model = "tandem",
  params = { share = { default = 0.5, min = 0.0, max = 1.0 },
      part = { default = 2, min = 1, max = 4 }, notes = { default = true },
      way = { default = "up", choices = { "up", "down", "half_way" } } },
  state = { "last", "count", list = { per_job = 1, more = 2 } },
  per_job = { "mapped_of", "seen_of" },
  orders = {
    mapping = { of = "mapping", changes = "served",
        key = function(s, job, x, y) return y, s.per_job.seen_of[job] > 1, x end },
    backlog = { of = "backlog", changes = "served",
        key = function(s, job)
          return s.per_job.mapped_of[job] + s:attribute_number(job, "weight", 1),
              s:age(job) // 1 + s:attribute(job, "deadline", 0.5)
        end },
    present = { of = "present" },
  },
  arrive = function(s, job)
    s.state.count = s.state.count + 1
    s.state.list[s.state.count % 2 + 1] = s:map_size(job)
    local way = s.params.way
    if s.params.notes and way ~= "down" then note(s, job, "seen", s.state.count % 3) end
  end,
  finish = function(s, job)
    if s.state.last == job then s.state.last, s.state.count = 0, s.state.count + 1 end
  end,
  rates = function(s)
    local first = s:first "mapping"
    local best = most(s, s.give_map)
    if first then
      local known, x = half(s, first)
      if known then note(s, known, "mapped", x) end
      s:give_map(first, s:map_idle() * s.params.share)
    end
    local left = s:fill_map("mapping", s:speed() / s.params.part)
    if left > 0 and best and s.state.last ~= 0 then s.state.last = best end
    s:fill_map "mapping"
    s:fill_shuffle("backlog", s:shuffle_idle() / 3)
    s:fill_shuffle "backlog"
  end,
  wake = function(s)
    if s:in_system() > 3 then return nil end
    return s.state.list[1] > 1 and s.state.list[1] or math.huge
  end,
}
