-- Capacity: queues with guaranteed shares of the slots, which lend what they do not use.
-- (Hadoop's CapacityScheduler, HADOOP-3445; Apache Hadoop documentation, Capacity Scheduler.) A
-- slot goes to the queue that runs the least beside its guarantee and is below its maximum, there
-- to the job with the highest priority, then by submission, ties by id. A job's queue is its group;
-- jobs of other groups are in the queue `default`, which is guaranteed what the others leave.
-- O(jobs) per slot that is given, and per tick with preemption.
local DEFAULT <const>, QUEUES <const> = "default", 64

-- The names of the queues in order; `default` is always one.
local function names(s)
  local list, others = {}, true
  for name in pairs(s.params.queues) do
    list[#list + 1], others = name, others and name ~= DEFAULT
  end
  if others then list[#list + 1] = DEFAULT end
  return list
end

local function init(s)
  local sum = 0
  for name, queue in pairs(s.params.queues) do
    if queue.max < queue.share then
      error("queues." .. name .. ".max: must not be below its share")
    end
    sum = sum + queue.share
  end
  if sum > 1 + 1e-9 then error("queues: shares must not sum to more than 1, got " .. sum) end
  local list = names(s)
  if #list > QUEUES then error("queues: at most " .. QUEUES .. " are expected, got " .. #list) end
  for i, name in ipairs(list) do
    local queue = s.params.queues[name] or { share = math.max(0, 1 - sum), max = 1 }
    s.state.share[i], s.state.max[i] = queue.share, queue.max
  end
  s.state.count = #list
end

local function arrive(s, job)
  local name = s:group_name(job)
  local number
  for i, queue in ipairs(names(s)) do
    if queue == name or queue == DEFAULT and not number then number = i end
    if queue == name then break end
  end
  s.per_job.queue[job] = number
end

-- Slots are whole: what is guaranteed is rounded down, and so is the maximum, but not below 1. The
-- small number is for products such as 0.29 * 100.
local function slots(s, part, kind) return math.floor(part * s:capacity(kind) + 1e-9) end
local function guarantee(s, queue, kind) return slots(s, s.state.share[queue], kind) end
local function most(s, queue, kind) return math.max(1, slots(s, s.state.max[queue], kind)) end

-- What each queue runs and could start.
local function totals(s, kind)
  local running, pending = {}, {}
  for i = 1, s.state.count do running[i], pending[i] = 0, 0 end
  for job in s:jobs() do
    local queue = s.per_job.queue[job]
    running[queue] = running[queue] + s:running(job, kind)
    pending[queue] = pending[queue] + s:pending(job, kind)
  end
  return running, pending
end

-- Queues below their guarantee come before all others, by what they run beside their share.
local function next_queue(s, kind)
  local running, pending = totals(s, kind)
  local best, least, first
  for queue = 1, s.state.count do
    if pending[queue] > 0 and running[queue] < most(s, queue, kind) then
      local share = s.state.share[queue]
      local above = running[queue] >= guarantee(s, queue, kind)
      local used = running[queue] / math.max(share, 1e-9)
      if not best or first and not above or first == above and used < least then
        best, least, first = queue, used, above
      end
    end
  end
  return best
end

local function priority(s, job)
  return s.params.priorities and s:attribute(job, "priority", 0) or 0
end

local function pick(s, node, kind)
  local queue = next_queue(s, kind)
  local best
  for job in s:jobs() do
    if s.per_job.queue[job] == queue and s:pending(job, kind) > 0
        and (not best or priority(s, job) > priority(s, best)) then
      best = job
    end
  end
  return best
end

-- What queues miss of their guarantees for longer than the grace time.
local function overdue(s, kind, running, pending)
  local since, need = s.state[kind], 0
  for queue = 1, s.state.count do
    local missing = math.min(pending[queue], guarantee(s, queue, kind) - running[queue])
    if missing <= 0 then
      since[queue] = 0
    elseif since[queue] == 0 then
      since[queue] = s:now() + 1
    end
    if missing > 0 and s:now() + 1 - since[queue] >= s.params.grace_ms then
      need = need + missing
    end
  end
  return need
end

-- Jobs of queues above their guarantees lose tasks, the job that came last first.
local function preempt(s, kind)
  if not s.params.preemption then return end
  local running, pending = totals(s, kind)
  local need = overdue(s, kind, running, pending) - s:free(kind)
  local jobs = {}
  for job in s:jobs() do jobs[#jobs + 1] = job end
  for i = #jobs, 1, -1 do
    if need <= 0 then return end
    local queue = s.per_job.queue[jobs[i]]
    local above = math.min(need, running[queue] - guarantee(s, queue, kind))
    if above > 0 then
      local killed = s:kill(jobs[i], kind, above)
      need, running[queue] = need - killed, running[queue] - killed
    end
  end
end

return {
  name = "capacity", model = "cluster",
  params = {
    queues = { default = {}, doc = "queues by group: guaranteed and largest share of the slots",
        shape = { type = "map", of = { type = "record", fields = {
            share = { type = "number", min = 0, max = 1 },
            max = { type = "number", min = 0, max = 1, default = 1 } } } } },
    priorities = { default = true, doc = "the attribute `priority` goes before submission" },
    preemption = { default = false,
        doc = "kills tasks of queues above their guarantee for those below" },
    grace_ms = { default = 15000, min = 0,
        doc = "how long a queue is below its guarantee before that" },
  },
  state = { "count", share = { more = QUEUES }, max = { more = QUEUES }, map = { more = QUEUES },
      reduce = { more = QUEUES } },
  per_job = { "queue" },
  init = init,
  arrive = arrive,
  pick = pick,
  preempt = preempt,
}
