-- For tests: maxsrpt (TA14) by code that fills, and by hand where it is strict.
local function longest(s, job) return s:longest_left(job) end

return {
  name = "maxsrpt_rates", model = "tandem",
  params = { work_conserving = { default = true, doc = "as of maxsrpt" } },
  orders = {
    all = { of = "present", changes = "instants", key = longest },
    line = { of = "mapping", changes = "served", key = longest },
    stored = { of = "backlog", changes = "instants", key = longest },
  },
  rates = function(s)
    s:fill_map "line"
    if s.params.work_conserving then
      s:fill_shuffle "stored"
    else
      local job = s:first "all"
      s:give_shuffle(job,
          math.min(s:speed(), s:backlog(job) > 0 and s:speed() or s:generation_rate(job)))
    end
  end,
}
