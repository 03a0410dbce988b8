-- HFSP: in the order in which a cluster that shares itself among the jobs, by weight, would finish
-- them. (DG24; Pastorelli et al. 2013, after Friedman and Henderson 2003.)
-- O(log jobs) per task and arrival.
return {
  name = "hfsp", model = "dag", uses = { "virtual" },
  key = { changes = "arrival", of = function(s, job) return s:virtual_tag(job) end },
}
