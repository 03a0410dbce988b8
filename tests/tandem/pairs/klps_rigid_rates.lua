-- For tests: klps_rigid (TA12) by code alone.
return {
  name = "klps_rigid_rates", model = "tandem",
  params = { k = { default = 100, min = 1, max = 4294967294,
      doc = "jobs that share the map station at once" } },
  orders = { all = { of = "present", key = "id" }, line = { of = "mapping", key = "id" } },
  rates = function(s)
    local line, active = {}, {}
    for job in s:by "line" do
      if #line < s.params.k then line[#line + 1] = job end
    end
    for _, job in ipairs(line) do s:give_map(job, s:speed() / #line) end
    for job in s:by "all" do
      if s:backlog(job) > 0 or s:generation_rate(job) > 0 then active[#active + 1] = job end
    end
    for _, job in ipairs(active) do
      local share = s:speed() / #active
      if s:backlog(job) == 0 then share = math.min(share, s:generation_rate(job)) end
      s:give_shuffle(job, math.min(share, s:shuffle_idle()))
    end
  end,
}
