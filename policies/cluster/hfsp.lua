-- HFSP: jobs in the order in which they would be done if all shared the cluster equally.
-- (Pastorelli, Barbuzzi, Carra, Dell'Amico, Michiardi 2013, after the Fair Sojourn Protocol of
-- Friedman and Henderson 2003.) A virtual run beside the real one gives every job its equal share
-- of each kind of slots, so that a job ages while it waits: jobs that are done in the virtual run
-- go first, in the order in which they were; then by the virtual work that is left; ties by id.
-- A job's size is learnt from its first `sample` tasks, which go ahead of all others; before one of
-- them is done, its tasks are taken to last as those of the jobs before it did. Nothing is killed.
-- O(jobs log jobs) per event, and a key per job and instant.

local KINDS <const> = { "map", "reduce" }
local PARTS <const> = 2520                            -- of a slot: shares of ten jobs are exact

-- Milliseconds that a task of the job is thought to take.
local function task_time(s, job, kind)
  if s.params.sizes == "known" then return math.max(1, s:est(job, kind)) end
  local known = s:done(job, kind) > 0
  return math.max(1, known and s:average(job, kind) or s.state["typical_" .. kind])
end

-- Virtual work that is left, in parts of a slot times ms; none once it was done.
local function left_of(s, job, kind)
  if s.per_job["finish_" .. kind][job] > 0 then return 0 end
  local size = s:tasks(job, kind) * task_time(s, job, kind) * PARTS
  return math.max(0, size - s.per_job["served_" .. kind][job])
end

-- Jobs that have left before they were done in the virtual run, where they still have their share:
-- the work that is left and the slots that they use at most, of maps and of reduces.
local GHOSTS_MOST <const>, FIELDS <const> = 2048, 4
local PLACE <const> = { map = 1, reduce = 3 }

local function ghosts_of(s, kind, list)
  local ghost = s.state.ghost
  for i = 0, s.state.ghosts - 1 do
    local at = i * FIELDS + PLACE[kind]
    if ghost[at] > 0 and (kind == "map" or ghost[i * FIELDS + PLACE.map] == 0) then
      list[#list + 1] = { ghost = at, left = ghost[at], most = ghost[at + 1] }
    end
  end
end

-- No job uses more slots than it has tasks left.
local function most_of(s, job, kind, left)
  local slots = left // (task_time(s, job, kind) * PARTS) + 1
  return math.min(slots, s:tasks(job, kind)) * PARTS
end

-- What the virtual run serves: reduces once the job's maps are done there. While no job was in the
-- system, only ghosts.
local function served(s, kind, is_idle)
  local list = {}
  for job in s:jobs() do
    if is_idle then break end
    local ready = kind == "map" or s.per_job.finish_map[job] > 0
    local left = ready and s:tasks(job, kind) > 0 and left_of(s, job, kind) or 0
    if left > 0 then
      list[#list + 1] = { job = job, left = left, most = most_of(s, job, kind, left) }
    end
  end
  ghosts_of(s, kind, list)
  return list
end

-- Equal shares, but no job more than it can use.
local function fill(list, capacity)
  table.sort(list, function(a, b) return a.most < b.most end)
  local room, level = capacity * PARTS, nil
  for i, entry in ipairs(list) do
    level = level or (room // (#list - i + 1) < entry.most and room // (#list - i + 1) or nil)
    entry.share = level or entry.most
    room = room - entry.share
  end
end

-- A job is done in the virtual run at this instant.
local function finish(s, job, kind, time)
  s.per_job["finish_" .. kind][job] = math.max(1, time)
end

local function serve(s, entry, kind, work, time)
  if entry.ghost then
    s.state.ghost[entry.ghost] = math.max(0, entry.left - work)
    return
  end
  local done = s.per_job["served_" .. kind]
  done[entry.job] = done[entry.job] + work
  if work >= entry.left then finish(s, entry.job, kind, time) end
end

-- Advances the virtual run to a time, from one of its completions to the next.
local function advance(s, kind, last, is_idle)
  local from = s.state.reached
  while from < last do
    local list = served(s, kind, is_idle)
    if #list == 0 then return end
    fill(list, s:capacity(kind))
    local step = last - from
    for _, entry in ipairs(list) do
      if entry.share > 0 then
        step = math.min(step, math.max(1, (entry.left + entry.share - 1) // entry.share))
      end
    end
    from = from + step
    for _, entry in ipairs(list) do serve(s, entry, kind, entry.share * step, from) end
  end
end

-- Ghosts that are done leave the list; the last one takes the place.
local function drop_ghosts(s)
  local ghost, i = s.state.ghost, 0
  while i < s.state.ghosts do
    local at, last = i * FIELDS, (s.state.ghosts - 1) * FIELDS
    if ghost[at + PLACE.map] == 0 and ghost[at + PLACE.reduce] == 0 then
      for k = 1, FIELDS do ghost[at + k] = ghost[last + k] end
      s.state.ghosts = s.state.ghosts - 1
    else
      i = i + 1
    end
  end
end

local function catch_up(s, time, is_idle)
  for _, kind in ipairs(KINDS) do advance(s, kind, time, is_idle) end
  s.state.reached = time
  drop_ghosts(s)
end

-- Whether the size is not known yet and a task that tells it may start.
local function trains(s, job, kind)
  if s.params.sizes == "known" then return false end
  return s:done(job, kind) + s:running(job, kind) < math.min(s.params.sample, s:tasks(job, kind))
end

local TRAINING <const>, DONE <const>, WAITING <const> = 0, 1, 2

local function key(s, job, kind)
  if trains(s, job, kind) then return TRAINING, s:submit(job) end
  local done = s.per_job["finish_" .. kind][job]
  if done > 0 then return DONE, done end
  return WAITING, left_of(s, job, kind)
end

-- A job of no maps is past them at once. `elapse` is not called while no job is in the system.
local function arrive(s, job)
  if s.state.reached < s:now() then catch_up(s, s:now(), true) end
  for _, kind in ipairs(KINDS) do
    if s:tasks(job, kind) == 0 then finish(s, job, kind, s:now()) end
  end
end

local function remember(s, job)
  local at, any = s.state.ghosts * FIELDS, false
  if s.state.ghosts == GHOSTS_MOST then return end
  for _, kind in ipairs(KINDS) do
    local left = s:tasks(job, kind) > 0 and left_of(s, job, kind) or 0
    s.state.ghost[at + PLACE[kind]] = left
    s.state.ghost[at + PLACE[kind] + 1] = left > 0 and most_of(s, job, kind, left) or 0
    any = any or left > 0
  end
  if any then s.state.ghosts = s.state.ghosts + 1 end
end

-- What jobs teach about those that come: an average in which the last ones count most.
local function leave(s, job)
  remember(s, job)
  for _, kind in ipairs(KINDS) do
    local name = "typical_" .. kind
    if s:done(job, kind) > 0 then
      s.state[name] = s.state[name] + (s:average(job, kind) - s.state[name]) // 4
    end
  end
end

return {
  name = "hfsp", model = "cluster",
  params = {
    sample = { default = 5, min = 0, max = 1000,
      doc = "tasks of each kind that tell a job's size" },
    sizes = { default = "learnt", choices = { "learnt", "known" },
      doc = "from the first tasks, or from the job's estimates" },
    first_task_ms = { default = 10000, min = 1,
      doc = "what a task is thought to take before any job has left" },
  },
  state = { "typical_map", "typical_reduce", "ghosts", "reached",
    ghost = { more = GHOSTS_MOST * FIELDS } },
  per_job = { "finish_map", "finish_reduce", "served_map", "served_reduce" },
  uses = { "estimates", "delays" },
  key = { changes = "timed", of = key },
  init = function(s)
    s.state.typical_map, s.state.typical_reduce = s.params.first_task_ms, s.params.first_task_ms
  end,
  arrive = arrive, leave = leave, elapse = function(s, ms) catch_up(s, s:now() + ms, false) end,
}
