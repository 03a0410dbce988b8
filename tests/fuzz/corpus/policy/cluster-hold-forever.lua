return { name = "forever", model = "cluster", key = { changes = "served", of = function(s, job, kind) return s:running(job, kind) end },
  admit = function(s, job) return s:in_system() < 4 end,
  arrive = function(s, job) s:hold(job, "reduce", 1 << 53) s:limit(job, "map", 0) end,
  plan = function(s) for job in s:jobs() do s:limit(job, "map") if s:done(job, "map") > 2 then s:hold(job, "reduce", 0) end end end }
