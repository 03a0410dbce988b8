-- Least attained service: the job that has held least of the cluster for least time goes first,
-- ties by id. (DG25; Tiresias, Gu et al. 2019; Aalo, Chowdhury and Stoica 2015.)
-- O(log jobs) per task in most runs: the service of a job grows while its tasks run.

-- By priority, then by a number of any size (DG32).
local function behind(s, job, high, low) return high - (s:priority(job) << 32), low end

return {
  name = "las", model = "dag",
  key = { changes = "growing", of = function(s, job)
    return behind(s, job, s:service(job))
  end },
}
