-- Queues by their running tasks; kills by chance on ticks, and launches what is offered then.
return {
  name = "killer", model = "dag", uses = { "queues", "preempts" },
  state = { "killed" },
  queue_key = function(s, queue)
    return s:queue_running(queue) * s:queue_weight(queue) % 7, -s:queue_use(queue, 1)
  end,
  preempt = function(s)
    local all = s.state
    for node = 0, s:nodes() - 1 do
      for job, stage, task, start, attempt in s:attempts_on(node) do
        if s:random(0, 3) == 0 and s:may_kill(node, job, stage, task) then
          s:kill(node, job, stage, task)
          all.killed = all.killed + 1 + (start + attempt) % 3
        end
      end
    end
    for queue = 0, s:queues() - 1 do
      local job, stage = s:first_offered(queue)
      local node = job and s:room(job, stage)
      if node and (all.killed + queue) % 2 == 0 then s:launch(job, stage, node) end
    end
  end,
}
