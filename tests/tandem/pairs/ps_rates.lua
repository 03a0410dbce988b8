-- For tests: ps (TA11) by code alone: equal shares, then water-filling.
-- In increasing order of what jobs can use.
return {
  name = "ps_rates", model = "tandem", work_conserving = true,
  orders = { all = { of = "present", key = "id" }, line = { of = "mapping", key = "id" } },
  rates = function(s)
    local line, caps = {}, {}
    for job in s:by "line" do line[#line + 1] = job end
    for _, job in ipairs(line) do s:give_map(job, s:speed() / #line) end
    for job in s:by "all" do
      local cap = s:backlog(job) > 0 and math.huge or s:generation_rate(job)
      if cap > 0 then caps[#caps + 1] = { job = job, cap = cap } end
    end
    table.sort(caps, function(a, b) return a.cap < b.cap end)
    local rest = s:speed()
    for i, entry in ipairs(caps) do
      local rate = math.min(entry.cap, rest / (#caps + 1 - i))
      s:give_shuffle(entry.job, math.min(rate, s:shuffle_idle()))
      rest = rest - rate
    end
  end,
}
