-- Delayed SRPT: the maps of a virtual SRPT run, and its reduces one slot later.
-- (Zheng, Shroff, Sinha 2013, section VI-B; SL17.) Reduce pieces first come, first served, in the
-- order in which SRPT served them; machines may idle. Preemptive reduces only.
-- O(pieces served) per slot. The queue is a ring in declared memory: SRPT leaves at most two pieces
-- of a job apart.
local PER_JOB <const>, MORE <const> = 2, 2

local function append(s, job, units)
  local q = s.state
  local size = PER_JOB * s:jobs_max() + MORE
  local last = (q.first + q.count - 1) % size + 1
  if q.count > 0 and q.job[last] == job then         -- the same piece continues
    q.units[last] = q.units[last] + units
    return
  end
  local place = (q.first + q.count) % size + 1
  q.job[place], q.units[place], q.count = job, units, q.count + 1
end

local function serve(s)
  local q = s.state
  local size = PER_JOB * s:jobs_max() + MORE
  while q.count > 0 and s:idle() > 0 do
    local head = q.first + 1
    local units = math.min(q.units[head], s:idle())
    s:reduce(q.job[head], units)
    q.units[head] = q.units[head] - units
    if q.units[head] == 0 then q.first, q.count = (q.first + 1) % size, q.count - 1 end
  end
end

return {
  name = "dsrpt", model = "slotted", modes = { "preemptive" },
  virtual = "truth",
  state = { "first", "count", job = { per_job = PER_JOB, more = MORE },
      units = { per_job = PER_JOB, more = MORE } },
  slot = function(s)
    for i = 1, s:served_count() do
      local job, maps = s:served_at(i)
      s:give(job, maps)
    end
    serve(s)
    -- what SRPT serves in this slot waits for the next
    for i = 1, s:served_count() do
      local job, _, reduces = s:served_at(i)
      if reduces > 0 then append(s, job, reduces) end
    end
  end,
}
