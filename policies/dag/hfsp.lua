-- HFSP: in the order in which a cluster that shares itself among the jobs, by weight, would finish
-- them. (DG24; Pastorelli et al. 2013, after Friedman and Henderson 2003.)
-- O(log jobs) per task and arrival.

-- By priority, then by a number of any size (DG32).
local function behind(s, job, high, low) return high - (s:priority(job) << 32), low end

return {
  name = "hfsp", model = "dag", uses = { "virtual" },
  key = { changes = "arrival", of = function(s, job)
    return behind(s, job, s:virtual_tag(job))
  end },
}
