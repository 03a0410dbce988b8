-- RTMR: takes a job only if it and all those behind it would make their deadlines.
-- (He, Lu, Swanson 2012, Algorithms I-VI; CL21-CL25.) Jobs that have started, in that order, then
-- the others by deadline, or submission; ties by id. Slots are kept for jobs ahead. O(slots) per
-- job admitted and for each waiting one behind it, and again when feedback puts estimates right;
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

-- Section IV.A: what a unit of input took at most, in millionths of a ms, in jobs that are done;
-- what part of it the maps handed on.
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

local function admit(s, job)
  if s.params.estimates ~= "given" then estimate(s, job) end
  local _, blocker = s:foresee(job)                   -- Algorithms I-III
  return not blocker
end

-- Algorithm V: when a job ends long before or after its time, the estimates behind it are put
-- right.
local function leave(s, job)
  if s:has_failed(job) then return end
  if s.params.estimates ~= "given" then learn(s, job) end
  if not s.params.feedback then return end
  local expected = s.params.fc_estimate == "recompute" and s:estimate_anew(job) or s:estimate(job)
  local late = s:now() > s:submit(job) + s:deadline(job)
  if late or math.abs(expected - s:now()) > s.params.theta_ms then s:feed_back(job) end
end

return {
  name = "rtmr", model = "cluster",
  params = {
    order = { default = "EDF", choices = { "EDF", "FIFO" },
              doc = "of jobs that have not started: by deadline, or as they were submitted" },
    feedback = { default = true,
        doc = "estimates are put right when a job ends at another time than expected" },
    theta_ms = { default = 30000, min = 0, doc = "... by more than this" },
    reserve = { default = "ge", choices = { "ge", "gt", "strict" },
                doc = "slots kept for jobs ahead: all that they need, one less (as published), or "
                    .. "all there are" },
    fc_estimate = { default = "recorded", choices = { "recorded", "recompute" },
                    doc = "feedback compares with the estimate as recorded, or made anew (as "
                        .. "published)" },
    fc_completed = { default = "skip", choices = { "skip", "satu" },
                     doc = "feedback passes over jobs behind that are over, or goes through them" },
    pred = { default = "drop", choices = { "drop", "keep" },
             doc = "what is ahead of a job: those that are not over, or all" },
    estimates = { default = "given", choices = { "given", "learnt", "learnt_by_speed" },
                  doc = "of tasks: the jobs' own, or what the longest so far make of their sizes" },
  },
  state = { "map", "ratio", "reduce" },
  -- the times at which slots become free, with each job
  records = true,
  uses = function(params)
    return { "in_order", "maps_first", "reserves", "deadlines",
             params.reserve == "gt" and "reserves_less",
             params.reserve == "strict" and "reserves_strict",
             params.pred == "keep" and "keep", params.fc_completed == "satu" and "satu" }
  end,
  key = {
    changes = "arrival",
    of = function(s, job)
      if s.params.order == "FIFO" then return s:submit(job) end
      local due = s:submit(job) + s:deadline(job)
      -- a key of one number is exact up to 2^53 only
      return due // 2, due % 2
    end,
  },
  admit = admit,
  leave = leave,
}
