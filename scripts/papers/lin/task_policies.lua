-- The policies of Lin, Zhang, Wierman, Tan (2013) for the cluster model, where maps and shuffles
-- are tasks that run to their ends. A job of the paper is one or more jobs of the model, its
-- batches, with consecutive ids; they have the attributes of M.ATTRIBUTES.

local pinion = require "pinion"

local M = {}

---With their defaults: the number of the paper's job, its two sizes, and what one of its tasks of
---each kind adds to them.
M.ATTRIBUTES = { number = 0, map = 0, shuffle = 0, map_task = 0, shuffle_task = 0 }

-- What the policies share. Sizes and work are in ms of the whole station.
local SHARED = [[
-- Calls visit(batch, ready, maps, shuffles, running) for each job in order of submission, where
-- batch is its first one that is not finished and ready its first one that may start a task of this
-- kind, and the rest are its numbers of unfinished tasks and of running ones of this kind.
local function visit_jobs(s, kind, visit)
  local number, first, ready, maps, shuffles, running
  for batch in s:jobs() do
    if s:attribute(batch, "number") ~= number then
      if first then visit(first, ready, maps, shuffles, running) end
      number, first, ready = s:attribute(batch, "number"), batch, nil
      maps, shuffles, running = 0, 0, 0
    end
    if not ready and s:pending(batch, kind) > 0 then ready = batch end
    maps = maps + s:unfinished(batch, "map")
    shuffles = shuffles + s:unfinished(batch, "reduce")
    running = running + s:running(batch, kind)
  end
  if first then visit(first, ready, maps, shuffles, running) end
end

-- Returns a batch that may start a task, of the job with the smallest key; of equal keys the first
-- job counts. A job without a key gets no slot.
local function pick_least(s, kind, key)
  local best, least
  visit_jobs(s, kind, function(first, ready, maps, shuffles, running)
    local value = key(first, maps, shuffles, running)
    if ready and value and (not best or value < least) then best, least = ready, value end
  end)
  return best
end

local function work_left(s, first, maps, shuffles)
  return maps * s:attribute(first, "map_task"), shuffles * s:attribute(first, "shuffle_task")
end
]]

local PICKS = {
    klps = [[
-- k-LPS: a slot goes to the job that holds the fewest of its kind; of the jobs with unfinished maps
-- only the first k get map slots.
return { name = "klps", model = "cluster",
  params = { k = { default = 100, min = 1, doc = "jobs that share the map slots" } },
  pick = function(s, node, kind)
    local place = 0
    return pick_least(s, kind, function(first, maps, shuffles, running)
      place = place + (kind == "map" and maps > 0 and 1 or 0)
      return place <= s.params.k and running or nil
    end)
  end }
]],
    maxsrpt = [[
-- MaxSRPT: least max(map work left, shuffle work left) first.
return { name = "maxsrpt", model = "cluster",
  pick = function(s, node, kind)
    return pick_least(s, kind, function(first, maps, shuffles)
      return math.max(work_left(s, first, maps, shuffles))
    end)
  end }
]],
    splitsrpt = [[
-- SplitSRPT: two classes of jobs, each with its share of the slots; class 1, the jobs with at least
-- as much map as shuffle work, in the order of map work left, class 2 of shuffle work left. Slots
-- that a class cannot use go to the other.
return { name = "splitsrpt", model = "cluster",
  pick = function(s, node, kind)
    local beta, held, best, least = math.huge, { 0, 0 }, {}, {}
    visit_jobs(s, kind, function(first, ready, maps, shuffles, running)
      local x, y = s:attribute(first, "map"), s:attribute(first, "shuffle")
      local class, map_left, shuffle_left = x >= y and 1 or 2, work_left(s, first, maps, shuffles)
      local key = class == 1 and map_left or shuffle_left
      beta = math.min(beta, math.max(x, y) / math.min(x, y))
      held[class] = held[class] + running
      if ready and (not best[class] or key < least[class]) then
        best[class], least[class] = ready, key
      end
    end)
    local share = s:capacity(kind) / (1 + beta) * (kind == "map" and beta or 1)
    local class = share - held[1] >= s:capacity(kind) - share - held[2] and 1 or 2
    return best[class] or best[3 - class]
  end }
]],
}

---By name: the first is of the model.
---@type table<string, string|pinion.Policy>
M.POLICIES = { fcfs = "fifo" }
for name, pick in next, PICKS do M.POLICIES[name] = pinion.policy(SHARED .. pick) end

return M
