-- The file that a new policy of the makespan model begins as, and how to run it beside others.

return {
    trial = "pinion compare --model makespan --set level=task --workload rand_many "
        .. "--policies uaas,neh,%s --replicas 5",
    text = [[
-- NAME: the better of two Johnson orders, one on work divided by all slots, one with the longest tasks on top.
-- The first of equal makespans; in an order ties go by index, as in Algorithm 2.1.
-- O(jobs log jobs) and two evaluations.
--
-- Compare it:   pinion compare --model makespan --set level=task --workload rand_many --policies uaas,neh,FILE --replicas 5
-- Change it:    pinion compare --model makespan --set level=task --workload rand_many --policies FILE --param weight=3
-- Look it up:   pinion policies FILE      more policies like this one: pinion policies neh --source
--
-- The file runs in a sandbox: integers and floats, strings, tables, math, string and table functions, no files and no clock;
-- print writes to standard error. `s` is the view of the batch, jobs are named by their ids 1 .. s:jobs(). It is asked once. Times are
-- exact numbers: they compute with one another and with integers, exact "1/3" makes one, :number() gives the nearest float.

-- Returns a stage's work on all slots, and `weight` quarters of its longest task.
---@param s pinion.MakespanView
---@param job integer
---@param stage "map"|"reduce"
local function length(s, job, stage)
  return s:work(job, stage) / s:slots(stage) + s:longest(job, stage) * s.params.weight / 4
end

---@type pinion.MakespanPolicyDefinition
return {
  name = "NAME", model = "makespan",
  params = { weight = { default = 2, min = 0, doc = "quarters of the longest task" } },
  -- also: { default = 0.5, doc = .. } (any number, not integers only), { default = true, doc = .. },
  -- { default = "best", choices = { "first", "best" }, doc = .. }

  -- The order of all jobs. Instead: pools = function(s) return { { nodes = 2, jobs = { ids } }, .. } end, at most s:nodes() in all.
  order = function(s)
    local fluid = s:johnson { estimate = "fluid" }     -- also: given, waves_req, waves, capped; tie = "mkjr"; jobs = { ids }
    local weighed = s:johnson {
      map = function(job) return length(s, job, "map") end,
      reduce = function(job) return length(s, job, "reduce") end,
    }
    local score = s:evaluate(fluid)                    -- runs the order under the rules of the scenario; score:makespan() is exact
    local better = s:evaluate(weighed, { best = score }) -- nil unless its makespan is smaller (total = true: or its total completion)
    return better and weighed or fluid
  end,

  -- Rules that are the policy's own where the scenario says nothing.
  --   stage_time = "fluid",                           -- stage level: given, waves_req (default), waves, capped, fluid
  --   share = "exclusive", cap = "requested", task_order = "lpt", -- task level
  --   level = "task",                                 -- the only level it is for
}
]],
}
