-- Deadline Constraint: a job gets the fewest map slots that make its deadline, or is not taken.
-- (Kc, Anyanwu 2010; RTMR, III; CL26.) By deadline, ties by id; at most `least` running maps of a
-- job; reduces when all maps are done, or not before they have to start. O(jobs) per job admitted,
-- O(log jobs) per task.
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

local function due(s, job) return s:submit(job) + s:deadline(job) end

-- How long the maps may take, if the reduces shall be done in time.
local function room(s, job)
  return s:deadline(job) - (s:tasks(job, "reduce") > 0 and s:est(job, "reduce") or 0)
end

-- s_r^max: when its reduces have to start.
local function latest(s, job) return s:submit(job) + room(s, job) end

-- n_m^min: so many maps side by side are done in that time, rounded up. (Products may wrap around,
-- but both do alike.)
local function fewest(s, job)
  local maps, est, time = s:tasks(job, "map"), s:est(job, "map"), room(s, job)
  local whole = math.min(s:scale(maps, est, time), MOST)
  return whole * time == maps * est and whole or whole + 1
end

-- Map slots that the other jobs may still ask for, and reduce slots that they are to have at this
-- time.
local function claimed(s, asking, at)
  local maps, reduces = 0, 0
  for job in s:jobs() do
    if job ~= asking then
      local most = math.min(s.per_job.least[job], s:need(job, "map"))
      maps = maps + math.max(0, most - s:running(job, "map"))
      if latest(s, job) <= at and at < due(s, job) then
          reduces = reduces + s:tasks(job, "reduce")
      end
    end
  end
  return maps, reduces
end

local function admit(s, job)
  if s.params.estimates ~= "given" then estimate(s, job) end
  if room(s, job) <= 0 then return false end
  local least, maps, reduces = fewest(s, job), claimed(s, job, latest(s, job))
  s.per_job.least[job] = least
  return s:free "map" - maps >= least and s:capacity "reduce" - reduces >= s:tasks(job, "reduce")
end

local function arrive(s, job)
  s:limit(job, "map", s.per_job.least[job])
  if s.params.dc_reduce_start == "srmax" and s:tasks(job, "reduce") > 0 then
      s:hold(job, "reduce", latest(s, job))
  end
end

return {
  name = "dc", model = "cluster",
  params = {
    dc_reduce_start = { default = "asap", choices = { "asap", "srmax" },
      doc = "reduces start as soon as the maps are done, or as late as they may" },
    estimates = { default = "given", choices = { "given", "learnt", "learnt_by_speed" },
                  doc = "of tasks: the jobs' own, or what the longest so far make of their sizes" },
  },
  state = { "map", "ratio", "reduce" },
  per_job = { "least" },
  uses = { "maps_first", "deadlines" },
  key = {
    changes = "arrival",
    -- a key of one number is exact up to 2^53 only
    of = function(s, job) return due(s, job) // 2, due(s, job) % 2 end,
  },
  admit = admit,
  arrive = arrive,
  leave = function(s, job)
    if s.params.estimates ~= "given" and not s:has_failed(job) then learn(s, job) end
  end,
}
