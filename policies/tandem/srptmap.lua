-- SRPT by map work: least map work left first at both stations (TA16).
-- By (map left, shuffle left), ties by id.
-- O(log jobs) per instant: only the keys of the jobs served change.
-- x and y: map and shuffle work left.
local function key(s, job, x, y) return x, y end

return {
  name = "srptmap", model = "tandem",
  map = { changes = "served", key = key },
  shuffle = { changes = "served", key = key },
}
