-- MaxSRPT: shortest longer side first, as a job cannot be done before either of its sides is.
-- (Lin, Zhang, Wierman, Tan 2013, Algorithm 1; TA14.) By max(map left, shuffle left) at both
-- stations, ties by id; strictly, or with the leftover for the next.
-- O(log jobs) per instant: only the keys of the jobs served change. Of the map and shuffle work
-- left.
local function longest(s, job, x, y) return x > y and x or y end

return {
  name = "maxsrpt", model = "tandem", work_conserving = "by default",
  params = { work_conserving = { default = true,
      doc = "whether shuffle capacity that the first job cannot use goes to others" } },
  orders = {
    unmapped = { of = "mapping", changes = "served", key = longest },
    stored = { of = "backlog", changes = "served", key = longest },
    all = { of = "present", changes = "served", key = longest },
  },
  map = { order = "unmapped" },
  shuffle = { order = "stored" },
  init = function(s)
    if not s.params.work_conserving then s:serve("shuffle", { serve = "strict", order = "all" }) end
  end,
}
