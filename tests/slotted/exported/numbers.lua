-- Not a good policy: its key goes through the arithmetic that C has otherwise than Lua.
local BIG <const>, LOW <const> = 1 << 60, (1 << 20) - 1

-- Integers wrap around, are divided down, and are shifted as words.
local function mixed(s, job)
  local left, more = s:remaining(job), s:maps_left(job) - s:reduces_left(job)
  local product = left * BIG * 77 + more
  local large = left > 3 and BIG or 4 * BIG
  product = product + 4 * large - 2 * BIG * 7 + (large - (-BIG) * 8)
  local down, rest = more // 3, more % -7
  local bits = (product >> 3) ~ (more & LOW) | 5
  return down * 3 - rest, bits & LOW
end

local function halves(s, job, x)
  if x > 4 then return math.sqrt(x / 2) end
  return -(x + 0.5)
end

-- Names that C gives to values of its own.
local function named(s, job, x)
  local last, result, result_2 = x % 5, 3, 4
  for i = 1, 2 do last = last + i * last end
  local i = 0
  repeat
    i = i + 1
    if i == 3 then break end
    local far = i * last
  until far > 9 or i > 4
  last = last + i
  local high, low = mixed(s, job)
  return last + result - result_2 + (high ~ low) % 7
end

-- Which of the values are tried, and when it stops.
local function steps(s, job, most)
  local sum, i = 0, 0
  while true do
    i = i + 1
    if i > most then break end
    for k = 1, i do
      if k == 3 then break end
      sum = sum + k * i
    end
  end
  return sum
end

return {
  name = "numbers", model = "slotted",
  params = {
    most = { default = 3, min = 0, max = 9 }, scale = { default = 0.5, min = 0.0, max = 4.0 },
    way = { default = 0, min = 0, max = 2 },
  },
  per_job = { "seen" }, state = { "count", "sum" },
  arrive = function(s, job)
    s.state.count = s.state.count + 1
    s.per_job.seen[job] = s.state.count % 5 - 2
    s.state.sum = s.state.sum + s.params.scale
  end,
  finish = function(s, job) s.state.count = s.state.count - 1 end,
  key = {
    changes = "served",
    of = function(s, job)
      local high, low = mixed(s, job)
      local way, x = s.params.way, s:remaining(job)
      local first
      if way == 0 then
        first = math.max(high, s.per_job.seen[job], -9) + named(s, job, x)
      elseif way ~= 1 then
        first = steps(s, job, s.params.most)
      else
        first = -math.min(high, low)
      end
      local second = s.params.most > 1 and x % 2 == 1 and halves(s, job, x) or 1
      local far = not (x < 3) or second > 1
      if far and s.state.sum > 2 then return first, second + s.params.scale * x end
      return first, far and low or 0
    end,
  },
}
