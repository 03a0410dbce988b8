-- The file that a new policy of the cluster model begins as, and how to run it beside others.

return {
    trial = "pinion compare --model cluster --workload hsrtf "
        .. "--policies fifo,fair,hsrtf-pr,%s --replicas 5",
    -- on jobs with deadlines, for a policy that needs them
    trial_with_deadlines = "pinion compare --workload rtmr "
        .. "--policies rtmr,rtmr-live,dc,%s --replicas 5",
    text = [[
-- NAME: jobs with little work left first, those that have waited long before others of their size.
-- By remaining time less bias times the time since submission, smallest first; ties by id.
-- O(log jobs) per task; O(running tasks + jobs log jobs) per tick.
--
-- Compare it:   pinion compare --model cluster --workload hsrtf --policies fifo,fair,hsrtf-pr,FILE --replicas 5
-- Change it:    pinion compare --model cluster --workload hsrtf --policies FILE --param bias=0
-- Look it up:   pinion policies FILE      more policies like this one: pinion policies hsrtf-pr --source
--
-- The file runs in a sandbox: integers and floats, strings, tables, math, string and table functions, no files and no clock;
-- print writes to standard error. `s` is the view of the cluster, `job` a number that names a job while it is in the system
-- (s:id(job) is its id), `kind` is "map" or "reduce". Times are integer ms, nodes are numbered from 0, tasks of a job from 1.

---@param s pinion.ClusterView
---@param job pinion.JobHandle
local function key(s, job)
  return s:remaining(job) - s.params.bias * (s:now() - s:submit(job)) / 1000
end

---@type pinion.ClusterPolicyDefinition
return {
  name = "NAME", model = "cluster",
  params = { bias = { default = 100, min = 0, doc = "ms of remaining time that a second of waiting makes up for" } },
  -- also: { default = 0.5, doc = .. } (any number, not integers only), { default = true, doc = .. },
  -- { default = "best", choices = { "first", "best" }, doc = .. }

  -- What it makes use of: a list, or a function of the parameters that returns one.
  uses = { "estimates", "colocates" },               -- also "delays" (a job waits for a local map), "shares" and "strict", see plan

  -- A slot goes to the first job in this order that has a task for it; a map to a node with its input, if there is one. The key
  -- is computed again when `changes` says: "arrival" (never), "served" (when a task of the job starts or ends), "planned" (after
  -- arrivals, ticks and the ends of jobs, for all jobs), "timed" (at every instant). A third argument of the function is the kind.
  key = { changes = "planned", of = key },

  -- On arrivals, at ticks and when jobs end: with "shares" jobs are weighed, and those that hold less than their share go first.
  --   plan = function(s, reason)                       -- "arrival", "tick" or "finish"
  --     for job in s:jobs() do s:weigh(job, s:scale(1000000, 1000, 1 + s:remaining(job))) end
  --   end,

  -- After the plan, on arrivals and at ticks: kills, first of maps, then of reduces. With "suspends" in uses also s:suspend, which
  -- keeps what a task has done: it goes on when the job gets a slot of its node.
  --   preempt = function(s, kind)
  --     local first, last = s:first(kind), nil
  --     for job in s:by_key(kind) do last = job end
  --     if first and s:free(kind) == 0 and last ~= first then s:kill(last, kind, 1) end
  --   end,

  -- In place of giving slots in that order (which s:first and s:by_key still walk): the job that gets a slot on a node, or nil.
  --   pick = function(s, node, kind)
  --     for job in s:jobs() do
  --       if s:pending(job, kind) > 0 and (kind == "reduce" or s:has_local(job, node)) then return job end
  --     end
  --     return s:first(kind)
  --   end,

  -- For a slot that no job gets: a running task, on another node, that is launched there once more. The first to end counts.
  --   copy = function(s, node, kind)
  --     if 10 * s:copied(kind) >= s:capacity(kind) then return nil end
  --     for job in s:jobs() do
  --       for task, at, _, _, progress, copied in s:tasks_running(job, kind) do
  --         if at ~= node and not copied and progress < 500000 then return job, task end
  --       end
  --     end
  --   end,

  -- Which jobs are taken: all without it. Those that make their deadlines: pinion policies rtmr-live --source, and its s:foresee.
  --   admit = function(s, job) return s:in_system() <= 100 end,

  -- Hooks and memory, as needed. What a policy remembers is declared, so that checkpoints carry it.
  --   state = { "ended" },                            -- s.state.ended, 0 at first
  --   per_job = { "credit" },                         -- s.per_job.credit[job], 0 when the job comes
  --   init = function(s) end,                         -- once
  --   arrive = function(s, job) s.per_job.credit[job] = s:random(1, 6) end,
  --   leave = function(s, job) s.state.ended = s.state.ended + 1 end,
  --   elapse = function(s, ms) end,                   -- so many ms have passed, and nothing has happened meanwhile
}
]],
}
