-- UAAS, utilizing all available slots: Johnson's rule on work divided by all slots.
-- Jobs with map <= reduce by map upwards, then the others by reduce downwards (Tian, Luo, Tian,
-- Chen, Algorithm 2.1; MK7).
-- O(jobs log jobs), and the estimates; the order is the kernel's.
local TIMES = { "given", "waves_req", "waves", "capped", "fluid" }

return {
  name = "uaas", model = "makespan",
  stage_time = "fluid", -- a stage takes all slots, however few its job asks for
  params = {
    estimate = { default = "fluid", choices = TIMES,
        doc = "how long stages are taken to last, for the order" },
    tie = { default = "alg21", choices = { "alg21", "mkjr" },
            doc = "which of the two Johnson orders, alg21 (Algorithm 2.1) or mkjr" },
  },
  order = function(s) return s:johnson { estimate = s.params.estimate, tie = s.params.tie } end,
}
