-- Shortest remaining processing time: the least pending work goes first, ties by id.
-- (DG21; Schrage 1968, Grandl et al. 2014.)
-- O(log jobs) per task.

-- By priority, then by a number of any size (DG32).
local function behind(s, job, high, low) return high - (s:priority(job) << 32), low end

return {
  name = "srpt", model = "dag",
  key = { changes = "served", of = function(s, job)
    return behind(s, job, s:exact(s:left(job)))
  end },
}
