-- For tests: rates handed out job by job along an order that is walked.
-- The code looks at all that it may look at.
return {
  name = "turns", model = "tandem",
  params = { most = { default = 3, min = 1, max = 100, doc = "jobs that are mapped at once" },
             part = { default = 0.5, min = 0.25, max = 1, doc = "of what is idle, for each" } },
  orders = {
    all = { of = "present", changes = "instants",
        key = function(s, job) return s:longest_left(job), s:rank(job, "map") end },
    line = { of = "mapping", key = "id" },
  },
  ranks = true,
  rates = function(s)
    local given = 0
    for job in s:by "all" do
      if s:member("line", job) then
        s:give_map(job, s:map_idle() * s.params.part)
        given = given + 1
      end
      if given == s.params.most then break end
    end
    local head = s:first "line"
    if head then s:give_map(head, s:map_idle()) end
    local job = s:first "all"
    while job and s:shuffle_idle() > 0 do
      local wanted = s:shuffle_idle()
      if s:backlog(job) == 0 then
          wanted = math.min(wanted, s:generation_rate(job) - s:shuffle_rate(job))
      end
      s:give_shuffle(job, wanted)
      job = s:next("all", job)
    end
  end,
}
