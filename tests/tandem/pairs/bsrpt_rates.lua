-- For tests: bsrpt (TA18) by code that chooses the job to be mapped at each instant.
return {
  name = "bsrpt_rates", model = "tandem", work_conserving = true,
  params = { theta = { default = 0.3, min = 0, max = 1e300, doc = "as of bsrpt" } },
  orders = {
    line = { of = "mapping", key = "id" },
    stored = { of = "backlog", changes = "served",
        key = function(s, job) return s:longest_left(job) end },
  },
  rates = function(s)
    local best, least
    for job in s:by "line" do
      local x, longest = s:map_left(job), s:longest_left(job)
      local key = x * (s:backlog_total() > s.params.theta * longest and longest or x)
      if not least or key < least then best, least = job, key end
    end
    if best then s:give_map(best, s:map_idle()) end
    local left = s:fill_shuffle("stored", s:speed())
    if left > 0 and s:first "stored" then error("a station idles beside backlog") end
  end,
}
