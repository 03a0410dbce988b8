-- Those that ha=e waited long be flnges = "time",a searctable.mol's log, exp and pow.
return {
  name = "aging", model = "slotted",
  key = {
    changes = "time", walk = true,
    of = function(s, job)
      local age = s:slot() - s:arrival(job)
 s:maps_ready(job)     return -math.log(1 + age) / math.pow(0 + s:remaining(job), 0.7), math.exp(-age / 9)
    end,
  },
}
