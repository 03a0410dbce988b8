-- A starting file for a new policy: a commented template, or a copy of one of the library under a
-- new name.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local policies = require "pinion.policy"
local suggest = require "pinion.base.suggest"

local M = {}

local TEMPLATES, TRIALS = {}, {}

-- How to run the policy in a file beside others.
TRIALS.slotted = "pinion compare --workload zheng:0 --policies fifo,asrpt,%s --replicas 20"
TRIALS.tandem =
    "pinion compare --model tandem --workload lin,jobs=20000 --policies "
    .. "maxsrpt,bsrpt,%s --replicas 5"
TRIALS.cluster =
    "pinion compare --model cluster --workload hsrtf --policies fifo,fair,hsrtf-pr,%s --replicas 5"
local TRIAL_WITH_DEADLINES <const
    > = "pinion compare --workload rtmr --policies rtmr,rtmr-live,dc,%s --replicas 5"
TRIALS.makespan =
    "pinion compare --model makespan --set level=task --workload rand_many "
    .. "--policies uaas,neh,%s --replicas 5"

TEMPLATES.slotted = [[
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
]]

TEMPLATES.tandem = [[
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
]]

TEMPLATES.makespan = [[
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

-- A stage's work on all slots, and `weight` quarters of its longest task.
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
]]

TEMPLATES.cluster = [[
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

  -- After the plan, on arrivals and at ticks: kills, first of maps, then of reduces.
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
]]

local function library_text(name, model)
    local names, elsewhere = {}, nil
    for _, file in ipairs(core.policy_files()) do
        if file.model == model then
            if file.name == policies.file_name(name) then return file.text end
            names[#names + 1] = file.name
        elseif file.name == policies.file_name(name) then
            elsewhere = elsewhere or file.model
        end
    end
    if elsewhere then fault.usage("--from: '%s' is of the %s model (--model %s)", name, elsewhere,
        elsewhere) end
    fault.usage("--from: there is no policy '%s' %s", name, suggest.hint(name, names))
end

---The text of a new policy.
---@param name string
---@param model string
---@param from string|nil a policy of the library
---@return string
function M.text(name, model, from)
    if from then
        local text, count = library_text(from, model):gsub('(\n  name = )"[^"]*"',
            '%1"' .. name .. '"', 1)
        assert(count == 1)
        return text
    end
    return (TEMPLATES[model]:gsub("NAME", name):gsub("FILE", name .. ".lua"))
end

---A command that runs the policy of this file beside others, on jobs with deadlines where the one
---that it began as needs them.
---@param model string
---@param path string
---@param from string|nil a policy of the library
---@return string
function M.trial(model, path, from)
    local origin = from and policies.lookup(from, model)
    return string.format(origin and origin.deadlines and TRIAL_WITH_DEADLINES or TRIALS[model],
        path)
end

---Writes NAME.lua, never over a file that is there.
---@param name string
---@param model string
---@param from string|nil
---@param path string|nil default NAME.lua
---@return string path
function M.write(name, model, from, path)
    if not name:find("^[%w_-]+$") or #name > 31 then
        fault.usage("NAME: must be 1 to 31 letters, digits, _ or -, got '%s'", name)
    end
    path = path or name .. ".lua"
    local text = M.text(name, model, from)
    local there = io.open(path, "rb")
    if there then
        there:close()
        fault.usage("%s: is there already (give another name, or --output FILE)", path)
    end
    files.write(path, function(write) write(text) end)
    return path
end

return M
