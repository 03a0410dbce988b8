-- Fair sharing: the job, or the queue, with the fewest running tasks for its weight goes first,
-- ties by id. (DG15; Zaharia et al. 2010, the Fair Scheduler of Hadoop.)
-- O(log jobs) per task.
local SCALE <const> = 1000000000000

-- By priority, then by a number of any size (DG32).
local function behind(s, job, high, low) return high - (s:priority(job) << 32), low end

return {
  name = "fair", model = "dag",
  params = { share_by = { default = "job", choices = { "job", "queue" },
      doc = "job: jobs share the cluster; queue: queues do, and their jobs come by order of "
          .. "submission" } },
  uses = function(params) return { params.share_by == "queue" and "queues" } end,
  key = { changes = "used", of = function(s, job)
    return behind(s, job, s:exact(s:scale(s:holds(job), SCALE, s:weight(job))))
  end },
  queue_key = function(s, queue)
    return s:exact(s:scale(s:queue_running(queue), SCALE, s:queue_weight(queue)))
  end,
}
