-- Fair: a slot goes to the job that holds the fewest of its kind, or has the largest deficit.
-- (Hadoop's Fair Scheduler; CL15, CL16.) By priority (CL41), then by running tasks for its weight,
-- or by deficit, the largest first; ties by id. A job without a local map waits for
-- locality_delay_ms. O(log jobs) per task; by deficit
-- O(jobs log jobs) per event, as time changes every key.

-- A deficit grows by what a job's fair share is above the slots that it holds, in milli-slots times
-- ms.
local function elapse(s, ms)
  for _, kind in ipairs { "map", "reduce" } do
    local share, deficit = s:fill(kind), s.per_job[kind]
    for job in s:jobs() do
      deficit[job] = deficit[job] + (share[job] - 1000 * s:running(job, kind)) * ms
    end
  end
end

-- In two numbers, as a key of one is exact up to 2^53 only.
local HALF <const> = 1 << 32

local function key(s, job, kind)
  local before = -s:priority(job)
  if s.params.fair_mode == "running" then
    return before, s:running(job, kind) * 1000000 // s:weight(job)
  end
  local deficit = -(kind == "map" and s.per_job.map[job] or s.per_job.reduce[job])
  return before * HALF + deficit // HALF, deficit % HALF
end

return {
  name = "fair", model = "cluster",
  params = {
    fair_mode = { default = "running", choices = { "running", "deficit" },
                  doc = "fewest running tasks first, or the largest deficit first" },
  },
  per_job = { "map", "reduce" },                      -- deficits
  uses = function(params)
    return params.fair_mode == "deficit" and { "delays", "elapses" } or { "delays" }
  end,
  key = {
    changes = function(params) return params.fair_mode == "deficit" and "timed" or "served" end,
    of = key,
  },
  elapse = elapse,
}
