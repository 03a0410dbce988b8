-- MK_JR: Johnson's rule on given stage times, each stage on the slots that its job requests.
-- Jobs with map < reduce by map upwards, then the others by reduce downwards; ties by index (Tang,
-- Lee, He, as told by Tian, Luo, Tian, Chen, section 3; MK8).
-- O(jobs log jobs), and the estimates; the order is the kernel's.
local TIMES = { "given", "waves_req", "waves", "capped", "fluid" }

return {
  name = "mk_jr", model = "makespan",
  stage_time = "waves_req", cap = "requested", -- a job never has more slots than it asks for
  params = {
    estimate = { default = "given", choices = TIMES,
        doc = "how long stages are taken to last, for the order" },
    tie = { default = "mkjr", choices = { "alg21", "mkjr" },
            doc = "which of the two Johnson orders, alg21 (Algorithm 2.1) or mkjr" },
  },
  order = function(s) return s:johnson { estimate = s.params.estimate, tie = s.params.tie } end,
}
