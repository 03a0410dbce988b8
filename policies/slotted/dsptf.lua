-- DSPT that first serves the jobs whose available work fits on the idle machines (ours; SL27).
-- By work left, ties by id; pass 1 takes whole offers that fit in what is left, pass 2 gives the
-- rest greedily.
-- O(log jobs) per job served: the kernel finds the next offer that fits.
return {
  name = "dsptf", model = "slotted", work_conserving = true,
  orders = { shortest = { by = "remaining", walk = true } },
  slot = function(s)
    local job = s:next_at_most("shortest", nil, s:idle())
    while job do
      s:give(job, s:offer(job))
      job = s:next_at_most("shortest", job, s:idle())
    end
    s:fill("all", "shortest")
  end,
}
