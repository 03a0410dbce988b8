-- Cloning: fifo; tasks of small jobs get two attempts from the start, if slots are free.
-- (Dolly: Ananthanarayanan, Ghodsi, Shenker, Stoica 2013; CL37, CL38.) Each task of a job of few
-- tasks gets a second attempt on another node while less than the budget of the slots of its kind
-- run such clones, by priority (CL41), submission and task; the first of the two to end well
-- counts. The model leaves out the paper's further clones of a task, as many as stragglers ask
-- for, and its delay assignment: here all attempts of reduces read the output of the map that
-- ended first. Clones only get slots that no task waits for; in the paper they are launched with
-- the first attempts.
-- O(jobs + running tasks of small jobs) per instant at which slots stay free, and per clone.

local function is_small(s, job)
  return s:tasks(job, "map") + s:tasks(job, "reduce") <= s.params.tasks_max
end

-- Whether a task has no clone, and the first job, with its task, of those that run elsewhere.
local function find(s, node, kind)
  local any, best, index = false, nil, nil
  for job in s:jobs() do
    local first
    if s:running(job, kind) > 0 and s:may_run(job, kind) and is_small(s, job) then
      for task, at, _, _, _, copied in s:tasks_running(job, kind) do
        any = any or not copied
        if not copied and at ~= node then first = math.min(first or task, task) end
      end
    end
    if first and (not best or s:priority(job) > s:priority(best)) then best, index = job, first end
  end
  return any, best, index
end

-- When there is no such task, the other nodes need not be asked at this time.
local function copy(s, node, kind)
  local budget, none = (s:capacity(kind) * s.params.budget_permille + 999) // 1000, "none_" .. kind
  if s:copied(kind) >= budget or s.state[none] == s:now() + 1 then return nil end
  local any, job, task = find(s, node, kind)
  if not any then s.state[none] = s:now() + 1 end
  return job, task
end

return {
  name = "cloning", model = "cluster",
  params = {
    tasks_max = { default = 10, min = 1, doc = "most tasks of a job that is small, of both kinds" },
    budget_permille = { default = 50, min = 0, max = 1000,
        doc = "most slots that run clones, of all of the kind, rounded up" },
  },
  state = { "none_map", "none_reduce" },
  key = { changes = "arrival", of = function(s, job) return -s:priority(job), s:submit(job) end },
  copy = copy,
}
