-- Dominant resource fairness: the job, or the queue, whose largest share of any resource is
-- smallest for its weight goes first, ties by id. (DG16; Ghodsi et al. 2011, Algorithm 1.)
-- O(log jobs) per task.
return {
  name = "drf", model = "dag",
  params = { share_by = { default = "job", choices = { "job", "queue" },
      doc = "job: jobs share the cluster; queue: queues do, and their jobs come by order of "
          .. "submission" } },
  uses = function(params) return { params.share_by == "queue" and "queues" } end,
  key = { changes = "used", of = function(s, job)
    return -s:priority(job), s:share(job, s:weight(job))
  end },
  queue_key = function(s, queue) return s:queue_share(queue, s:queue_weight(queue)) end,
}
