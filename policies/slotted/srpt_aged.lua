-- Shortest remaining work first, with aging: waiting counts as work that is already done.
-- (ours; SL34.) By work left - aging * slots since the arrival, ties by id. Leaving out the present
-- slot, which is the same for all jobs, keeps a key until its job is served: work left + aging *
-- arrival, as two numbers, its high part and its low 26 bits. aging = 0 is DSPT.
-- O(log jobs) per job served.
local LOW_BITS <const> = 26
local LOW_MASK <const> = (1 << LOW_BITS) - 1

return {
  name = "srpt_aged", model = "slotted",
  key_name = "(remaining work + aging * arrival) / 2^26, machine slots, and its rest",
  params = { aging = { default = 0, min = 0, max = 1 << 20,
      doc = "machine slots of work that a slot of waiting counts for" } },
  key = {
    changes = "served",
    of = function(s, job)
      local work, arrival, aging = s:remaining(job), s:arrival(job), s.params.aging
      local low = (work & LOW_MASK) + aging * (arrival & LOW_MASK)
      return (work >> LOW_BITS) + aging * (arrival >> LOW_BITS) + (low >> LOW_BITS), low & LOW_MASK
    end,
  },
}
