-- SplitSRPT: map-heavy and shuffle-heavy jobs apart, each class by its own longer side.
-- (Lin, Zhang, Wierman, Tan 2013, Algorithm 2; TA15.) Class one by (map left, shuffle left), class
-- two by (shuffle left, those with backlog first, map left), ties by id.
-- O(log jobs) per instant: four orders, and one that knows the job whose two sides are the most
-- alike.

-- Class one has at least as much map as shuffle work, class two more shuffle work.
local function in_one(s, job) return s:map_size(job) >= s:shuffle_size(job) end
local function in_two(s, job) return not in_one(s, job) end

-- x and y: map and shuffle work left.
local function by_map(s, job, x, y) return x, y end
local function by_shuffle(s, job, x, y) return y, s:backlog(job) > 0, x end

-- The larger side over the smaller; of a job with both sides.
local function imbalance(s, job)
  local x, y = s:map_size(job), s:shuffle_size(job)
  return math.max(x, y) / math.min(x, y)
end

-- Fills both classes up to their shares; when one leaves something, all that is idle may go to the
-- other.
local function fill(s, fill_one, one, share_one, two, share_two)
  local left_one, left_two = fill_one(s, one, share_one), fill_one(s, two, share_two)
  if s.params.lend ~= "full" then return end
  if left_one > 0 then fill_one(s, two) end
  if left_two > 0 then fill_one(s, one) end
end

return {
  name = "splitsrpt", model = "tandem", work_conserving = "by default",
  params = {
    lend = { default = "full", choices = { "none", "empty", "full" },
             doc = "what goes to the other class: nothing, all of an empty class, all that is "
                 .. "not used" },
  },
  state = { "ones", "twos" },                         -- jobs present of each class
  orders = {
    map_one = { of = "mapping", member = in_one, changes = "served", key = by_map },
    map_two = { of = "mapping", member = in_two, changes = "served", key = by_shuffle },
    shuffle_one = { of = "backlog", member = in_one, changes = "served", key = by_map },
    shuffle_two = { of = "backlog", member = in_two, changes = "served", key = by_shuffle },
    alike = { of = "present", changes = "arrival", key = imbalance,
              member = function(s, job) return s:map_size(job) > 0 and s:shuffle_size(job) > 0
                  end },
  },
  arrive = function(s, job)
    local class = in_one(s, job) and "ones" or "twos"
    s.state[class] = s.state[class] + 1
  end,
  finish = function(s, job)
    local class = in_one(s, job) and "ones" or "twos"
    s.state[class] = s.state[class] - 1
  end,
  rates = function(s)
    local speed, job = s:speed(), s:first "alike"
    local less, more = 0, speed                       -- mu1 and mu2 of the paper
    if job then
      local beta = imbalance(s, job)
      less, more = speed / (1 + beta), speed * beta / (1 + beta)
    end
    local map_one, map_two, shuffle_one, shuffle_two = more, less, less, more
    if s.params.lend == "empty" and s.state.twos == 0 then
      map_one, map_two, shuffle_one, shuffle_two = speed, 0, speed, 0
    elseif s.params.lend == "empty" and s.state.ones == 0 then
      map_one, map_two, shuffle_one, shuffle_two = 0, speed, 0, speed
    end
    fill(s, s.fill_map, "map_one", map_one, "map_two", map_two)
    fill(s, s.fill_shuffle, "shuffle_one", shuffle_one, "shuffle_two", shuffle_two)
  end,
}
