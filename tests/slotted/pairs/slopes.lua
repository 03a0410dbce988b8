-- A linear index with integer and float slopes.
-- Its rule in C: tests/slotted/support/pairs.c. Uses parameters of both kinds.
return {
  name = "slopes", model = "slotted",
  params = {
    down = { default = -0.25, doc = "slope over maps left" },
    turn = { default = 3, min = -1000, max = 1000, doc = "slope over reduces left" },
    up = { default = 1.5, min = -1e300, max = 1e300, doc = "slope over arrivals" },
  },
  key = {
    changes = "served",
    of = function(s, job)
      local p = s.params
      return p.down * s:maps_left(job) + p.turn * s:reduces_left(job), p.up * s:arrival(job)
    end,
  },
}
