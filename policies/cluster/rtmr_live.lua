-- RTMR on what runs now: takes a job only if it and those behind it would make their deadlines.
-- Says which ones failures make late. Jobs that have started, in that order, then the others by
-- deadline, or submission; ties by id. Slots are kept for jobs ahead.
-- O(slots + jobs log slots) per job admitted, per node that goes or comes back, and per failed
-- attempt; O(log jobs) per task.
local UNIT <const>, MOST <const>, HUGE <const> = 1000000, 1 << 40, 1 << 62

-- The longest task of a kind; by speed, as if it had run on the fastest node and the next will run
-- on the slowest.
local function longest(s, job, kind)
  local ms, fastest, slowest = s:longest(job, kind), 0, math.huge
  if s.params.estimates ~= "learnt_by_speed" then return ms end
  for node = 0, s:nodes() - 1 do
    fastest = math.max(fastest, s:node_speed(node))
    slowest = math.min(slowest, s:node_speed(node))
  end
  local whole = s:scale(ms, fastest, slowest)
  return whole * slowest == ms * fastest and whole or whole + 1
end

-- What a unit of input took at most, in millionths of a ms, in jobs that are done; what part of it
-- the maps handed on.
local function learn(s, job)
  local known, input, intermediate = s.state, s:input(job), s:intermediate(job)
  local function largest(so_far, a, b, c)
      return math.max(so_far, math.min(s:scale(a, b, c), HUGE) + 1)
  end
  known.map = largest(known.map, longest(s, job, "map"), s:tasks(job, "map") * UNIT, input)
  known.ratio = largest(known.ratio, intermediate, UNIT, input)
  if s:tasks(job, "reduce") > 0 then
    known.reduce = largest(known.reduce, longest(s, job, "reduce"), s:tasks(job, "reduce") * UNIT,
        intermediate)
  end
end

local function estimate(s, job)
  local known, input, maps, reduces = s.state, s:input(job), s:tasks(job, "map"),
      s:tasks(job, "reduce")
  local function at_most(a, b, c) return math.min(s:scale(a, b, c), MOST - 1) + 1 end
  if known.map > 0 then s:set_est(job, "map", at_most(known.map, input, maps * UNIT)) end
  if reduces > 0 and known.reduce > 0 then
    local per_input = math.min(s:scale(known.reduce, known.ratio, UNIT), HUGE) + 1
    s:set_est(job, "reduce", at_most(per_input, input, reduces * UNIT))
  end
end

return {
  name = "rtmr-live", model = "cluster",
  params = {
    order = { default = "EDF", choices = { "EDF", "FIFO" },
              doc = "of jobs that have not started: by deadline, or as they were submitted" },
    estimates = { default = "given", choices = { "given", "learnt", "learnt_by_speed" },
                  doc = "of tasks: the jobs' own, or what the longest so far make of their sizes" },
  },
  state = { "map", "ratio", "reduce" },
  uses = { "in_order", "maps_first", "deadlines", "reserves", "forecasts" },
  key = {
    changes = "arrival",
    of = function(s, job)
      if s.params.order == "FIFO" then return s:submit(job) end
      local due = s:submit(job) + s:deadline(job)
      -- a key of one number is exact up to 2^53 only
      return due // 2, due % 2
    end,
  },
  admit = function(s, job)
    if s.params.estimates ~= "given" then estimate(s, job) end
    local _, blocker = s:foresee(job)
    return not blocker
  end,
  leave = function(s, job)
    if s.params.estimates ~= "given" and not s:has_failed(job) then learn(s, job) end
  end,
}
