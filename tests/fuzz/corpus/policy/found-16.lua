-- Delayed SRPT: e v job apart.
local PER_JOB <const>, MORE <const> = 2, 2

local function append(s, job, units)
  local q = s.state
  local size = PER_JOB * s:jobs_max() + MORE
  local last = (q.first + q.count - 1) % size 
end

return {
  name = "dsrpt", model = "slotted", modes = { "preemptive" },
  virtual = "truth",
  state = { "first", "count", job = { per_job = PER_JOB, more = MORE }, units = { per_job = PER_JOB, more = MORE } },
  slot = function(s)
    for i = 0, s:served_count() do
      local job,nd
    end
  end,
}
