-- LATE: fifo; idle slots go to second attempts of the tasks that would end last.
-- (Zaharia, Konwinski, Joseph, Katz, Stoica 2008; CL37, CL38.) A task goes on at its rate, which
-- is its progress over the time that it has run: the one with the most time left is copied first,
-- ties by priority (CL41), job and task. All three thresholds are the paper's: so many slots run
-- copies at most, a copied task is at or below a percentile of the rates (so that a task that
-- runs alone is slow), and the node of a copy is not below a percentile of the nodes' work. The
-- model leaves out the phases of sorting (a shuffle is a third of a reduce, CL12), nodes that
-- hang, and copies that go before tasks of later jobs: a copy only gets a slot that no task waits
-- for. Input is not looked at either in the paper or here.
-- O(running tasks) per instant with free slots, and per copy; O(slots) per event.
local NODES <const>, ALL <const> = 16384, 1000000     -- most nodes; the progress of what is done

-- The smallest value that this share of the list does not exceed.
local function percentile(list, permille)
  table.sort(list)
  return list[math.max(1, (#list * permille + 999) // 1000)]
end

-- What a node has done is the progress of all that has ended well there and of all that runs there.
local function progress_on(s, node)
  local sum = s.state.done[node + 1]
  for _, _, _, _, _, progress in s:attempts_on(node) do sum = sum + progress end
  return sum
end

-- Attempts that end now are seen for the last time, at the end of their progress (CL12).
local function elapse(s)
  for node = 0, s:nodes() - 1 do
    for _, _, _, _, _, progress in s:attempts_on(node) do
      if progress >= ALL - 1 then s.state.done[node + 1] = s.state.done[node + 1] + ALL end
    end
  end
end

local function is_slow_node(s, node)
  if s.params.slow_node_permille == 0 then return false end
  local list = {}
  for other = 0, s:nodes() - 1 do
    if s:node_up(other) then list[#list + 1] = progress_on(s, other) end
  end
  return progress_on(s, node) < percentile(list, s.params.slow_node_permille)
end

-- The attempts of this kind that run and have made progress, with their rates per ms.
local function running(s, kind)
  local list, rates = {}, {}
  for job in s:jobs() do
    for task, node, start, _, progress, copied in s:tasks_running(job, kind) do
      local ms = s:now() - start
      if ms > 0 and progress > 0 then
        local rate = s:scale(progress, ALL, ms)
        rates[#rates + 1] = rate
        list[#list + 1] = { job = job, priority = s:priority(job), task = task, node = node,
            ms = ms, rate = rate, copied = copied, left = s:scale(ALL - progress, ms, progress) }
      end
    end
  end
  return list, rates
end

-- Those that may be copied now: slow, for long enough, and with one attempt.
local function candidates(s, kind)
  local all, rates = running(s, kind)
  local slow, list = percentile(rates, s.params.slow_task_permille), {}
  for _, it in ipairs(all) do
    if not it.copied and it.ms >= s.params.min_ms and it.rate <= slow
        and s:may_run(it.job, kind) then
      list[#list + 1] = it
    end
  end
  return list
end

local function goes_before(a, b)
  if a.left ~= b.left then return a.left > b.left end
  if a.priority ~= b.priority then return a.priority > b.priority end
  return a.job == b.job and a.task < b.task
end

-- When there are no candidates, the other nodes need not be asked at this time.
local function copy(s, node, kind)
  local cap, none = (s:capacity(kind) * s.params.cap_permille + 999) // 1000, "none_" .. kind
  if s:copied(kind) >= cap or s.state[none] == s:now() + 1 then return nil end
  local list, best = candidates(s, kind), nil
  if #list == 0 then s.state[none] = s:now() + 1 end
  for _, it in ipairs(list) do
    if it.node ~= node and (not best or goes_before(it, best)) then best = it end
  end
  if best and not is_slow_node(s, node) then return best.job, best.task end
end

return {
  name = "late", model = "cluster",
  params = {
    cap_permille = { default = 100, min = 0, max = 1000,
        doc = "most slots that run copies, of all of the kind, rounded up: SpeculativeCap" },
    slow_task_permille = { default = 250, min = 0, max = 1000,
        doc = "percentile of rates at or below which a task is slow: SlowTaskThreshold" },
    slow_node_permille = { default = 250, min = 0, max = 1000,
        doc = "percentile of progress below which a node gets no copies: SlowNodeThreshold" },
    min_ms = { default = 60000, min = 1, doc = "how long a task has run before it is judged" },
  },
  state = { "none_map", "none_reduce", done = { more = NODES } },
  uses = function(params) return { params.slow_node_permille > 0 and "elapses" } end,
  key = { changes = "arrival", of = function(s, job) return -s:priority(job), s:submit(job) end },
  elapse = elapse, copy = copy,
}
