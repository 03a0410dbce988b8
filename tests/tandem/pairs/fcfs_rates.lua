-- For tests: fcfs (TA10) by code alone.
return {
  name = "fcfs_rates", model = "tandem", work_conserving = true,
  orders = { all = { of = "present", key = "id" }, line = { of = "mapping", key = "id" } },
  rates = function(s)
    local head = s:first "line"
    if head then s:give_map(head, s:speed()) end
    for job in s:by "all" do
      local wanted = s:backlog(job) > 0 and s:speed() or s:generation_rate(job)
      s:give_shuffle(job, math.min(wanted, s:shuffle_idle()))
    end
  end,
}
