-- The file that a new policy of the dag model begins as, and how to run it beside others.

return {
    trial = "pinion compare --model dag --workload dag:layered,jobs=200 --policies "
        .. "drf,srpt,%s --replicas 5",
    text = [[
-- NAME: the least pending work first, weighted; a task goes to the node that it fills best.
-- By left work over weight, ties by id; nodes by what would be left there of their scarcest resource.
-- O(log jobs) per task, and O(nodes with room) for the choice of the node.
--
-- Compare it:   pinion compare --model dag --workload dag:layered,jobs=200 --policies drf,srpt,FILE --replicas 5
-- Change it:    pinion compare --model dag --workload dag:layered,jobs=200 --policies FILE --param bias=0
-- Look it up:   pinion policies FILE      more policies like this one: pinion policies dag/srpt --source
--
-- The file runs in a sandbox: integers and floats, strings, tables, math, string and table functions, no files and no clock;
-- print writes to standard error. `s` is the view of the cluster, `job` a number that names a job while it is in the system
-- (s:id(job) is its id). Stages, nodes and queues count from 0, resources and tasks from 1. Durations are estimates.

---@param s pinion.DagView
---@param job pinion.JobHandle
---@param stage integer from 0
---@param node integer from 0
local function left_there(s, job, stage, node)
  local least = 1000000
  for r = 1, s:resources() do
    local capacity = s:node_capacity(node, r)
    if capacity > 0 then
      least = math.min(least, (s:node_free(node, r) - s:demand(job, stage, r)) * 1000000 // capacity)
    end
  end
  return least
end

---@type pinion.DagPolicyDefinition
return {
  name = "NAME", model = "dag",
  params = { bias = { default = 1, min = 0, max = 1, doc = "1: work is divided by the job's weight" } },
  -- also: { default = true, doc = … }, { default = "job", choices = { "job", "queue" }, doc = … }

  -- The order of jobs, smallest key first, ties by id. A key is one or two numbers, integers up to 2^53: s:exact(x) makes two of a
  -- larger one. It is computed again when `changes` says: "arrival" (never), "stage" (a stage finishes), "served" (pending tasks
  -- change), "used" (running tasks change), "timed" (at every instant while tasks of the job run),
  -- "growing" (when the job is first: a key that does not fall while its tasks run).
  key = { changes = "served", of = function(s, job)
    return s:exact(s:left(job) // (s.params.bias == 1 and s:weight(job) or 1))
  end },

  -- Where a task goes among the nodes with room, smallest first, ties by number. Without it, --param placement=first|best|spread.
  score = left_there,

  -- Instead of key: an order of queues, whose jobs come by arrival; "limits": queues keep to their maximum.
  --   uses = { "queues", "limits" },
  --   queue_key = function(s, queue) return s:queue_share(queue, s:queue_weight(queue)) end,

  -- Instead of score: nodes are filled one by one, each with what suits it best (as Tetris does); the key is what counts against it.
  --   align = function(s, job, stage, node) return s:demand(job, stage, 1) * s:node_free(node, 1) end,

  -- On ticks (--param tick_ms), with uses = { "preempts" }: kills, and launches of what has room then.
  --   preempt = function(s)
  --     for job, stage, task, start, attempt in s:attempts_on(0) do s:kill(0, job, stage, task) end
  --   end,

  -- Hooks and memory, as needed. What a policy remembers is declared, so that checkpoints carry it.
  --   state = { "served" },                           -- s.state.served, 0 at first
  --   per_job = { "credit" },                         -- s.per_job.credit[job], 0 when the job arrives
  --   init = function(s) end,                         -- once
  --   arrive = function(s, job) s.per_job.credit[job] = s:random(0, 3) end,
  --   leave = function(s, job) s.state.served = s.state.served + 1 end,
}
]],
}
