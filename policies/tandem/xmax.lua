-- XMax: shortest map first, shuffles by the longer side: bsrpt that never counts on its backlog.
-- (ours; TA18 with infinite theta.) Maps by map left, shuffles by max(map left, shuffle left), ties
-- by id.
-- O(log jobs) per instant: only the keys of the jobs served change.
return {
  name = "xmax", model = "tandem",
  -- x and y: map and shuffle work left.
  map = { changes = "served", key = function(s, job, x, y) return x end },
  shuffle = { changes = "served", key = function(s, job, x, y) return x > y and x or y end },
}
