-- Least attained service: each station to the jobs that it has served the least, in equal shares.
-- (Foreground-background, FB; Kleinrock 1976.) By work that the station has done for the job,
-- exactly shared among equals; sizes and estimates are never looked at. What a job without backlog
-- cannot use of its shuffle share goes to the others, then to those served more.
-- O(jobs squared) per instant. Instants are added when jobs become equals.
local SAME <const> = 1e-9                             -- of the work done: rounding, not service

-- What a station has done for a job. Rates hold from one instant to the next.
local function attained(s, job, station)
  local known = s.per_job
  return known[station][job] + known[station .. "_rate"][job] * (s:time() - s.state.last)
end

local function settle(s)
  local served, known = s.state.served, s.per_job
  for i = 1, s.state.count do
    local job = math.tointeger(served[i])
    if s:active(job) then
      known.map[job], known.shuffle[job] = attained(s, job, "map"), attained(s, job, "shuffle")
      known.map_rate[job], known.shuffle_rate[job] = 0, 0
    end
  end
  s.state.count, s.state.last, s.state.wake = 0, s:time(), 0
end

-- Of jobs in the order of what a station has done for them: those that it has served alike, from
-- this one on, and the number of the first one behind them.
local function equals(s, jobs, from, station)
  local done = s.per_job[station]
  local group, level, i = {}, done[jobs[from]], from
  repeat
    group[#group + 1], done[jobs[i]] = jobs[i], level
    i = i + 1
  until i > #jobs or done[jobs[i]] - level > SAME * (1 + level)
  return group, level, i
end

local function note(s, job, station, rate)
  local rates = s.per_job[station .. "_rate"]
  if s.per_job.map_rate[job] + s.per_job.shuffle_rate[job] == 0 then
    s.state.count = s.state.count + 1
    s.state.served[s.state.count] = job
  end
  rates[job] = rate
end

-- Rates are to be set anew when a job that is served faster has got as much as the one behind it.
local function meet(s, gap, faster)
  if faster > 0 and (s.state.wake == 0 or gap / faster < s.state.wake) then
    s.state.wake = gap / faster
  end
end

local function map(s)
  local jobs = {}
  for job in s:by "mapping" do jobs[#jobs + 1] = job end
  if #jobs == 0 then return end
  local group, level, behind = equals(s, jobs, 1, "map")
  local share = s:speed() / #group
  for _, job in ipairs(group) do
    local rate = math.min(share, s:map_idle())
    s:give_map(job, rate)
    note(s, job, "map", rate)
  end
  if jobs[behind] then meet(s, s.per_job.map[jobs[behind]] - level, share) end
end

-- What a job of the shuffle station can use.
local function most(s, job)
  return s:backlog(job) > 0 and s:speed() or math.min(s:speed(), s:generation_rate(job))
end

-- Equal shares, of which a job takes no more than it can use: those that can use the least first.
local function fill(s, group)
  table.sort(group, function(a, b) return most(s, a) < most(s, b) end)
  for i, job in ipairs(group) do
    local rate = math.min(most(s, job), s:shuffle_idle() / (#group - i + 1))
    if rate > 0 then
      s:give_shuffle(job, rate)
      note(s, job, "shuffle", rate)
    end
  end
end

local function shuffle(s)
  local jobs, rates = {}, s.per_job.shuffle_rate
  for job in s:by "shuffling" do
    if most(s, job) > 0 then jobs[#jobs + 1] = job end
  end
  local i, below, fastest = 1, 0, 0                   -- of the group below
  while i <= #jobs do
    local group, level, behind = equals(s, jobs, i, "shuffle")
    if s:shuffle_idle() > 0 then fill(s, group) end
    local slow, fast = math.huge, 0
    for _, job in ipairs(group) do
      slow, fast = math.min(slow, rates[job]), math.max(fast, rates[job])
    end
    meet(s, level - below, fastest - slow)
    if fast == 0 then return end
    i, below, fastest = behind, level, fast
  end
end

return {
  name = "las", model = "tandem", work_conserving = true,
  state = { "last", "wake", "count", served = { per_job = 1 } },
  per_job = { "map", "map_rate", "shuffle", "shuffle_rate" },
  orders = {
    mapping = { of = "mapping", changes = "served",
        key = function(s, job) return attained(s, job, "map") end },
    shuffling = { of = "present", changes = "served",
        key = function(s, job) return attained(s, job, "shuffle") end },
  },
  rates = function(s)
    settle(s)
    map(s)
    shuffle(s)
  end,
  wake = function(s) return s.state.wake > 0 and s.state.wake or nil end,
}
