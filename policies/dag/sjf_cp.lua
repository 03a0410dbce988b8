-- Shortest job first: the least total work, by estimates and dominant demands, goes first, ties by
-- id; the longest path of a job leads its stages (DG11). (DG19; Mao et al. 2019, baseline 2.)
-- O(log jobs) per task.

-- By priority, then by a number of any size (DG32).
local function behind(s, job, high, low) return high - (s:priority(job) << 32), low end

return {
  name = "sjf-cp", model = "dag",
  key = { changes = "arrival", of = function(s, job)
    return behind(s, job, s:exact(s:work(job)))
  end },
}
