return { name = "records", model = "cluster", records = true, state = { "n" }, uses = function() return { "in_order", "keep", "satu" } end,
  key = { changes = "arrival", of = function(s, job) return -s:id(job) end },
  admit = function(s, job) s:foresee(job) s.state.n = s.state.n + 1 return s.state.n ~= 3 end,
  leave = function(s, job)
    print(s:estimate(job), s:estimate_anew(job), s:longest(job, "map"), s:has_failed(job))
    if not s:has_failed(job) then s:feed_back(job) s:feed_back(job) end
  end }
