-- Weighted processor sharing: each station to all jobs that it can serve, by their weights.
-- (Lin, Zhang, Wierman, Tan 2013, section 5.1.) The weight is the attribute `weight`, 1 where jobs
-- carry none; 0 and less count as next to nothing, so that everybody is served. What a job without
-- backlog cannot use of its shuffle share goes to the others, by their weights.
-- O(jobs log jobs) per instant.
local LEAST <const> = 1e-9

local function weight(s, job) return math.max(s:attribute(job, "weight", 1), LEAST) end

local function map(s)
  local jobs, sum = {}, 0
  for job in s:by "mapping" do jobs[#jobs + 1], sum = job, sum + weight(s, job) end
  for _, job in ipairs(jobs) do
    s:give_map(job, math.min(s:speed() * weight(s, job) / sum, s:map_idle()))
  end
end

-- What a job of the shuffle station can use.
local function most(s, job)
  return s:backlog(job) > 0 and s:speed() or math.min(s:speed(), s:generation_rate(job))
end

-- Those that can use the least beside their weight are filled first; all others share what is left.
local function shuffle(s)
  local jobs, can, sum = {}, {}, 0
  for job in s:by "present" do
    local rate = most(s, job)
    if rate > 0 then
      jobs[#jobs + 1], can[job], sum = job, rate, sum + weight(s, job)
    end
  end
  table.sort(jobs, function(a, b)
    local first, second = can[a] * weight(s, b), can[b] * weight(s, a)
    if first ~= second then return first < second end
    return a < b
  end)
  for _, job in ipairs(jobs) do
    s:give_shuffle(job, math.min(can[job], s:shuffle_idle() * weight(s, job) / sum))
    sum = sum - weight(s, job)
  end
end

return {
  name = "wps", model = "tandem", work_conserving = true,
  orders = { mapping = { of = "mapping" }, present = { of = "present" } },
  rates = function(s)
    map(s)
    shuffle(s)
  end,
}
