-- For tests: srptshuffle (TA17) by code that looks for the next crossing of any two jobs.
--
local function before(s, a, b)
  local ya, yb = s:shuffle_left(a), s:shuffle_left(b)
  if ya ~= yb then return ya < yb end
  local ba, bb = s:backlog(a) > 0, s:backlog(b) > 0
  if ba ~= bb then return ba end
  local xa, xb = s:map_left(a), s:map_left(b)
  if xa ~= xb then return xa < xb end
  return s:id(a) < s:id(b)
end

local function sorted(s)
  local jobs = {}
  for job in s:by "all" do jobs[#jobs + 1] = job end
  table.sort(jobs, function(a, b) return before(s, a, b) end)
  return jobs
end

return {
  name = "srptshuffle_rates", model = "tandem", work_conserving = true,
  orders = { all = { of = "present", key = "id" } },
  rates = function(s)
    local jobs = sorted(s)
    for _, job in ipairs(jobs) do
      if s:mapping(job) then
        s:give_map(job, s:speed())
        break
      end
    end
    for _, job in ipairs(jobs) do
      local wanted = s:backlog(job) > 0 and s:speed() or s:generation_rate(job)
      s:give_shuffle(job, math.min(wanted, s:shuffle_idle()))
    end
  end,
  wake = function(s)
    local jobs, least = sorted(s), math.huge
    for k, behind in ipairs(jobs) do
      for i = 1, k - 1 do
        local gain = s:shuffle_rate(behind) - s:shuffle_rate(jobs[i])
        local lead = s:shuffle_left(behind) - s:shuffle_left(jobs[i])
        if gain > 0 and lead > 0 then least = math.min(least, lead / gain) end
      end
    end
    return least
  end,
}
