-- Who holds the fewest machines, then least work, in two passes: small offers before large ones.
-- Its rule in C: tests/slotted/support/pairs.c. Uses an order that also holds jobs that only have
-- tasks running, and both ways to search it.
return {
  name = "holders", model = "slotted", work_conserving = true,
  orders = {
    mine = { changes = "served", jobs = "unfinished", walk = true,
        of = function(s, job) return s:held(job), s:remaining(job) end },
  },
  slot = function(s)
    local job = s:next_at_most("mine", nil, 2)
    while job and s:idle() > 0 do
      s:give(job, math.min(s:offer(job), s:idle()))
      job = s:next_at_most("mine", job, 2)
    end
    for other in s:by "mine" do
      s:give(other, math.min(s:maps_ready(other) + s:reduces_ready(other), s:idle()))
    end
  end,
}
