-- Those that have waited long beside the work they have left, by a float key.
-- It is computed again in every slot. Its rule in C: tests/slotted/support/pairs.c. Uses changes =
-- "time", a searchable order, the kernel's log, exp and pow.
return {
  name = "aging", model = "slotted",
  key = {
    changes = "time", walk = true,
    of = function(s, job)
      local age = s:slot() - s:arrival(job)
      return -math.log(1 + age) / math.pow(1 + s:remaining(job), 0.7), math.exp(-age / 9)
    end,
  },
}
