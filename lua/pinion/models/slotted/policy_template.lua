-- The file that a new policy of the slotted model begins as, and how to run it beside others.

return {
    trial = "pinion compare --workload zheng:0 --policies fifo,asrpt,%s --replicas 20",
    text = [[
-- NAME: shortest remaining work first, with a bias between map and reduce work.
-- By bias * maps left + reduces left, smallest first; ties by id.
-- O(log jobs) per job served.
--
-- Compare it:   pinion compare --workload zheng:0 --policies fifo,asrpt,FILE --replicas 20
-- Change it:    pinion compare --workload zheng:0 --policies FILE --param bias=0.5
-- Look it up:   pinion policies FILE      more policies like this one: pinion policies asrpt --source
--
-- The file runs in a sandbox: integers and floats, strings, tables, math, string and table functions, no files and no clock;
-- print writes to standard error. `s` is the view of the cluster, `job` a number that names a job while it is in the system
-- (s:id(job) is its id). Sizes are what a scheduler sees: estimates where the workload has them.

---@param s pinion.View
---@param job pinion.JobHandle
local function work(s, job)
  return s.params.bias * s:maps_left(job) + s:reduces_left(job)
end

---@type pinion.PolicyDefinition
return {
  name = "NAME", model = "slotted",
  params = { bias = { default = 1.0, min = 0, doc = "weight of map work against reduce work" } },

  -- One of three forms. A key: jobs are served in its order, each with as many machines as it can use. It is computed again when
  -- `changes` says: "arrival" (never), "served" (after slots in which the job ran), "tick" (every tick_slots slots), "time" (every slot).
  key = { changes = "served", of = work },

  -- Shares: machines one by one to the job that holds the fewest for its weight (1 to 2^20).
  --   share = { changes = "served", of = function(s, job) return 1 end },

  -- Code that hands out the machines of a slot. Orders are kept by the kernel; those with walk = true can be walked.
  --   orders = { mine = { changes = "served", of = work, walk = true }, reducing = { by = "remaining", jobs = "reduce" } },
  --   slot = function(s)
  --     for job in s:by "mine" do                     -- smallest first
  --       if s:idle() == 0 then break end
  --       s:map(job, math.min(s:maps_ready(job), s:idle()))
  --     end
  --     s:fill("reduce", "reducing")                  -- or let the kernel do the loop
  --   end,

  -- Hooks and memory, as needed. What a policy remembers is declared, so that checkpoints carry it.
  --   state = { "served" },                           -- s.state.served, 0 at first
  --   per_job = { "credit" },                         -- s.per_job.credit[job], 0 when the job arrives
  --   init = function(s) end,                         -- once
  --   arrive = function(s, job) s.per_job.credit[job] = s:random(1, 6) end,
  --   finish = function(s, job) s.state.served = s.state.served + 1 end,
  --   tick_slots = 100, tick = function(s) end,       -- every 100 slots
}
]],
}
