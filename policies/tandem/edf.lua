-- Earliest deadline first at both stations, for jobs that carry deadlines.
-- (Jackson 1955, Horn 1974.) By arrival plus the attribute `deadline`, which is a time after the
-- arrival; ties by id. Jobs without a deadline (0 in a table) are last. Preemptive; no sizes are
-- needed.
-- O(log jobs) per instant: a key never changes.
local NONE <const> = 1e300

local function due(s, job)
  local deadline = s:attribute(job, "deadline", 0)
  return deadline > 0 and s:arrival(job) + deadline or NONE
end

return {
  name = "edf", model = "tandem",
  map = { key = due, changes = "arrival" },
  shuffle = { key = due, changes = "arrival" },
}
