-- Fair pools: weighted max-min sharing among pools with minimum shares and preemption timeouts.
-- (Hadoop's FairScheduler; Zaharia, Borthakur, Sen Sarma, Elmeleegy, Shenker, Stoica 2009.) A pool
-- is a group of jobs; jobs without one are the pool "default". A slot goes to the pool that is
-- furthest below its minimum share, else to the one that runs the fewest tasks for its weight; in
-- the pool to the job that runs the fewest, or that came first. A pool that has been below its
-- minimum share, or below half of its fair share, for longer than a timeout gets it by kills: of
-- the youngest tasks of the pools that are furthest above theirs. Ties go by name, and by id.
-- O(jobs) per slot that is given, and per kind and tick.

local POOLS_MOST <const> = 4097                       -- numbers of groups, 0 for jobs without one
local MIN <const> = { map = "min_maps", reduce = "min_reduces" }
local NONE <const> = { weight = 1.0, min_maps = 0, min_reduces = 0, order = "fair" }

local function settings_of(s, job)
  return s.params.pools[s:group_name(job) or "default"] or NONE
end

-- The pools that have jobs, by the order of their names, with what they run and could run.
local function pools_of(s, kind)
  local pools, by_number = {}, {}
  for job in s:jobs() do
    local number = s:group(job)
    local pool = by_number[number]
    if not pool then
      local said = settings_of(s, job)
      pool = { number = number, weight = said.weight, least = said[MIN[kind]], order = said.order,
        running = 0, demand = 0, pending = 0 }
      by_number[number], pools[#pools + 1] = pool, pool
    end
    pool.running = pool.running + s:running(job, kind)
    pool.pending = pool.pending + s:pending(job, kind)
  end
  for _, pool in ipairs(pools) do
    pool.demand = pool.running + pool.pending
    pool.least = math.min(pool.least, pool.demand)
  end
  table.sort(pools, function(a, b) return a.number < b.number end)
  return pools
end

-- ---- who gets a slot ----------------------------------------------------------------------------

local function goes_before(a, b)
  local a_needs, b_needs = a.running < a.least, b.running < b.least
  if a_needs ~= b_needs then return a_needs end
  if a_needs then return a.running * b.least < b.running * a.least end
  return a.running * b.weight < b.running * a.weight
end

local function pick(s, node, kind)
  local first
  for _, pool in ipairs(pools_of(s, kind)) do
    if pool.pending > 0 and (not first or goes_before(pool, first)) then first = pool end
  end
  if not first then return nil end
  local best, fewest
  for job in s:jobs() do                              -- in order of submission
    if s:group(job) == first.number and s:pending(job, kind) > 0 then
      local running = first.order == "fifo" and 0 or s:running(job, kind)
      if not best or running < fewest then best, fewest = job, running end
    end
  end
  return best
end

-- ---- fair shares and preemption -----------------------------------------------------------------

-- What a pool has when every unit of weight has so many slots.
local function at_level(pool, level)
  return math.min(math.max(level * pool.weight, pool.least), pool.demand)
end

-- Weighted max-min: the level at which all slots are given away, found by bisection.
local function fill(pools, slots)
  local low, high = 0.0, 1.0
  local function given(level)
    local sum = 0.0
    for _, pool in ipairs(pools) do sum = sum + at_level(pool, level) end
    return sum
  end
  while given(high) < slots and high < 1e9 do high = 2 * high end
  for _ = 1, 60 do
    local middle = (low + high) / 2
    if given(middle) < slots then low = middle else high = middle end
  end
  for _, pool in ipairs(pools) do pool.share = at_level(pool, high) end
end

-- How many slots the pool is owed now; notes when it last had what it is due.
local function owed(s, pool, kind)
  local now, place, slots = s:now(), pool.number + 1, 0
  local at_least, at_half = s.state["least_" .. kind], s.state["half_" .. kind]
  if pool.running >= pool.least then at_least[place] = now end
  if pool.running >= math.min(pool.share / 2, pool.demand) then at_half[place] = now end
  if s.params.min_timeout_ms > 0 and now - at_least[place] >= s.params.min_timeout_ms then
    slots = pool.least - pool.running
  end
  if s.params.fair_timeout_ms > 0 and now - at_half[place] >= s.params.fair_timeout_ms then
    slots = math.max(slots, math.floor(math.min(pool.share, pool.demand)) - pool.running)
  end
  return math.max(slots, 0)
end

-- The youngest task of the pool's.
local function youngest(s, pool, kind)
  local victim, number, latest
  for job in s:jobs() do
    if s:group(job) == pool.number then
      for task, _, start in s:tasks_running(job, kind) do
        if not victim or start > latest then victim, number, latest = job, task, start end
      end
    end
  end
  return victim, number
end

local function preempt(s, kind)
  local pools, wanted = pools_of(s, kind), -s:free(kind)
  fill(pools, s:capacity_up(kind))
  local owes = 0
  for _, pool in ipairs(pools) do owes = owes + owed(s, pool, kind) end
  if owes == 0 then return end
  for _ = 1, wanted + owes do
    local richest
    for _, pool in ipairs(pools) do
      local above = pool.running - math.max(pool.share, pool.least)
      if above > 0 and (not richest or above > richest.above) then
        richest, pool.above = pool, above
      end
    end
    if not richest then return end
    local job, task = youngest(s, richest, kind)
    if not job then return end
    s:kill_task(job, kind, task)
    richest.running = richest.running - 1
  end
end

-- A pool that was empty is owed nothing yet.
local function arrive(s, job)
  local number = s:group(job)
  for other in s:jobs() do
    if other ~= job and s:group(other) == number then return end
  end
  for _, name in ipairs { "least_map", "least_reduce", "half_map", "half_reduce" } do
    s.state[name][number + 1] = s:now()
  end
end

local TIMES <const> = { more = POOLS_MOST }

return {
  name = "fair_pools", model = "cluster",
  params = {
    pools = { default = {}, doc = "by name: weight, min_maps, min_reduces, order",
      shape = { type = "map", of = { type = "record", fields = {
        weight = { type = "number", min = 0.001, max = 1000000, default = 1 },
        min_maps = { type = "integer", min = 0, default = 0 },
        min_reduces = { type = "integer", min = 0, default = 0 },
        order = { type = "string", default = "fair" } } } } },
    min_timeout_ms = { default = 0, min = 0,
      doc = "below its minimum share for so long, a pool gets it by kills; 0: never" },
    fair_timeout_ms = { default = 0, min = 0,
      doc = "below half of its fair share for so long, a pool gets it by kills; 0: never" },
  },
  state = { least_map = TIMES, least_reduce = TIMES, half_map = TIMES, half_reduce = TIMES },
  init = function(s)
    for name, pool in pairs(s.params.pools) do
      if pool.order ~= "fair" and pool.order ~= "fifo" then
        error(string.format("params.pools.%s.order: must be fair or fifo, got %s", name,
          pool.order))
      end
    end
  end,
  arrive = arrive, pick = pick, preempt = preempt,
}
