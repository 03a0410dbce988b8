-- Capacity queues: the queue that uses least of its guarantee goes first, those without one last; a
-- queue keeps to its maximum. On ticks tasks of queues above their guarantee are killed for those
-- below, if the parameter says so. (DG17, DG18; the CapacityScheduler of Hadoop.)
-- O(log queues + log jobs) per task; O(queues + running tasks) per tick and launch by kills.
local SCALE <const> = 1000000000000

-- Ordered by the first number, then by the second.
local function queue_key(s, queue)
  local share, guaranteed = s:queue_share(queue), s:queue_guaranteed(queue)
  if guaranteed == 0 then return 1, share end
  return 0, share * 1000 // guaranteed
end

local function guarantee_of(s, queue) return s:queue_guaranteed(queue) * SCALE // 1000 end

local function by_key(s)
  local order, keys = {}, {}
  for queue = 0, s:queues() - 1 do
    order[#order + 1] = queue
    keys[queue] = { queue_key(s, queue) }
  end
  table.sort(order, function(a, b)
    if keys[a][1] ~= keys[b][1] then return keys[a][1] < keys[b][1] end
    if keys[a][2] ~= keys[b][2] then return keys[a][2] < keys[b][2] end
    return a < b
  end)
  return order
end

-- The first stage of a queue, if tasks may be killed for it: it has no room, and the queue would
-- stay within its guarantee.
local function claim_of(s, queue)
  local job, stage = s:first_offered(queue)
  if job and s:in_maximum(job, stage) and not s:room(job, stage)
      and s:queue_share_with(queue, job, stage) <= guarantee_of(s, queue) then
    return job, stage
  end
end

local function fits(s, job, stage, room)
  for r = 1, s:resources() do
    if s:demand(job, stage, r) > room[r] then return false end
  end
  return true
end

-- Of another queue, which is above its guarantee, and not below it without the attempt.
local function may_take(s, queue, node, job, stage, task)
  local other = s:queue(job)
  return other ~= queue and s:may_kill(node, job, stage, task)
      and s:queue_share(other) > guarantee_of(s, other)
      and s:share_without(node, job, stage, task) >= guarantee_of(s, other)
end

-- Makes room for the stage on a node, if what may be killed there is enough.
local function make_room(s, job, stage, node)
  local capacity, room = {}, {}
  for r = 1, s:resources() do
    capacity[r], room[r] = s:node_capacity(node, r), s:node_free(node, r)
  end
  if not s:node_up(node) or not fits(s, job, stage, capacity) then return false end
  for other, at, task in s:attempts_on(node) do
    if fits(s, job, stage, room) then break end
    if may_take(s, s:queue(job), node, other, at, task) then
      s:suppose(node, other, at, task)
      for r = 1, s:resources() do room[r] = room[r] + s:demand(other, at, r) end
    end
  end
  local enough = fits(s, job, stage, room)
  if enough then s:kill_supposed() else s:spare_supposed() end
  return enough
end

-- Kills for a stage on the first node where that makes room; whether there is one.
local function claim(s, job, stage)
  for node = 0, s:nodes() - 1 do
    if make_room(s, job, stage, node) then
      s:launch(job, stage, node)
      return true
    end
  end
  return false
end

local function preempt_once(s)
  for _, queue in ipairs(by_key(s)) do
    local job, stage = claim_of(s, queue)
    if job and claim(s, job, stage) then return true end
  end
  return false
end

return {
  name = "capacity", model = "dag",
  params = { preempt = { default = false,
      doc = "kill tasks of queues above their guarantee for those below" } },
  uses = function(params) return { "queues", "limits", params.preempt and "preempts" } end,
  queue_key = queue_key,
  preempt = function(s) repeat until not preempt_once(s) end,
}
