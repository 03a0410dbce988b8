-- The file that a new policy of the tandem model begins as, and how to run it beside others.

return {
    trial = "pinion compare --model tandem --workload lin,jobs=20000 --policies "
        .. "maxsrpt,bsrpt,%s --replicas 5",
    text = [[
-- NAME: shortest job first at both stations while there is backlog, else whatever is mapped soonest.
-- Maps by bias * map left, plus the longer side left while there is backlog; shuffles by what is left; ties by id.
-- O(jobs being mapped) per instant, as the backlog changes the keys of all of them.
--
-- Compare it:   pinion compare --model tandem --workload lin,jobs=20000 --policies maxsrpt,bsrpt,FILE --replicas 5
-- Change it:    pinion compare --model tandem --workload lin,jobs=20000 --policies FILE --param bias=0.5
-- Look it up:   pinion policies FILE      more policies like this one: pinion policies bsrpt --source
--
-- The file runs in a sandbox: integers and floats, strings, tables, math, string and table functions, no files and no clock;
-- print writes to standard error. `s` is the view of the stations, `job` a number that names a job while it is in the system
-- (s:id(job) is its id). Sizes are what a scheduler sees: estimates where the workload has them.

---@param s pinion.TandemView
---@param job pinion.JobHandle
---@param x number map work left
---@param y number shuffle work left
local function longest(s, job, x, y)
  return x > y and x or y
end

---@type pinion.TandemPolicyDefinition
return {
  name = "NAME", model = "tandem",
  params = { bias = { default = 1.0, min = 0, doc = "weight of map work against the longer side" } },
  -- also: { default = true, doc = … }, { default = "full", choices = { "none", "full" }, doc = … }

  -- How each station serves: by an order, smallest key first, ties by id. A key is one or two numbers; a boolean may stand before the
  -- second (true first). It is computed again when `changes` says: "arrival" (never), "served" (after intervals in which the job was
  -- served), "instants" (at every instant). The shuffle station gives a job without backlog as much as its maps generate, and what
  -- is left to the next.
  map = { changes = "instants", key = function(s, job, x, y)
    return s.params.bias * x + (s:backlog_total() > 0 and longest(s, job, x, y) or 0)
  end },
  shuffle = { changes = "served", key = longest },
  -- also: { key = "id" } (first come, first served), keys that the kernel knows ("longest", "map", "sum", "shuffle"), { serve = "share" } (equal shares; of map with limit = 10), for shuffle
  -- { serve = "strict", key = … } (only the first of all jobs) and { serve = "rigid" } (shares that are not passed on)

  -- When the order changes between events: in what time to look again.
  --   wake = function(s) return 0.5 end,

  -- Instead of map and shuffle: code that sets the rates of an instant. Orders are kept by the kernel.
  --   orders = { line = { of = "mapping", changes = "served", key = longest }, stored = { of = "backlog", key = "id" } },
  --   rates = function(s)
  --     local head = s:first "line"                   -- or: for job in s:by "line" do … end
  --     if head then s:give_map(head, 0.5 * s:map_idle()) end
  --     s:fill_map "line"                             -- what is left, to the first of the order
  --     s:fill_shuffle("stored", s:speed())           -- as the shuffle station serves by itself
  --   end,

  -- Hooks and memory, as needed. What a policy remembers is declared, so that checkpoints carry it.
  --   state = { "served" },                           -- s.state.served, 0 at first
  --   per_job = { "credit" },                         -- s.per_job.credit[job], 0 when the job arrives
  --   init = function(s) end,                         -- once; s:serve("map", { limit = 5 }) changes a service
  --   arrive = function(s, job) s.per_job.credit[job] = s:uniform() end,
  --   finish = function(s, job) s.state.served = s.state.served + 1 end,
}
]],
}
