-- SRPT by shuffle work: least shuffle work left first at both stations (TA17).
-- By (shuffle left, jobs with backlog first, map left), ties by id; the order changes between
-- events too, when one job catches up.
-- O(log jobs) per instant. x and y: map and shuffle work left.
local function key(s, job, x, y) return y, s:backlog(job) > 0, x end

return {
  name = "srptshuffle", model = "tandem",
  map = { changes = "served", key = key },
  shuffle = { changes = "served", key = key },
  -- The first job with backlog is served what the job being mapped leaves, and may catch up with
  -- it: where the two are level, or where neither seems to have anything left, as estimates may be
  -- too small.
  wake = function(s)
    local ahead, behind = s:first "map", s:first "shuffle"
    if not ahead or not behind or ahead == behind then return nil end
    local y, rate = s:shuffle_left(behind), s:shuffle_rate(behind)
    local ahead_y, ahead_rate = s:shuffle_left(ahead), s:shuffle_rate(ahead)
    local lead, gain = y - ahead_y, rate - ahead_rate
    if lead <= 0 or rate <= 0 then return nil end
    local level = gain > 0 and lead / gain or math.huge
    local nothing = y / rate
    return ahead_y <= ahead_rate * nothing and math.min(nothing, level) or level
  end,
}
