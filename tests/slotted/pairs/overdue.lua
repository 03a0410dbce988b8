-- What virtual SRPT has served and reality has not, the most overdue first. Then the job that SRPT
-- serves now; then the others. Its rule in C: tests/slotted/support/pairs.c. Uses a scripted key
-- over loads, the list of what SRPT served, three orders.
return {
  name = "overdue", model = "slotted", work_conserving = true,
  virtual = "estimates", load = "cumulative",
  orders = {
    loaded = { changes = "served", jobs = "load",
        of = function(s, job) return -s:load(job), s:arrival(job) end },
    rest = { changes = "arrival", of = function(s, job) return -s:arrival(job) end },
  },
  slot = function(s)
    s:fill("load", "loaded", s:machines() // 2 + 1)
    for i = 1, s:served_count() do
      local job, maps, reduces = s:served_at(i)
      if s:active(job) then
          s:give(job, math.min(maps + reduces, s:offer(job) - s:given(job), s:idle()))
      end
    end
    s:fill("all", "rest")
  end,
}
