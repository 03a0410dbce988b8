-- Backlog SRPT: jobs short at both stations first while there is backlog, else as mapped.
-- So the shuffle station does not run dry (ours; TA18). Maps by that key, shuffles by max(map left,
-- shuffle left), ties by id.
-- O(jobs being mapped) per instant, as the backlog changes the keys of all of them.
return {
  name = "bsrpt", model = "tandem",
  params = {
    theta = { default = 0.3, min = 0, max = 1e300,
              doc = "backlog of all jobs, in units of a job's longer side, above which both "
                  .. "sides count" },
  },
  -- x and y: map and shuffle work left.
  map = { changes = "instants", key = function(s, job, x, y)
    local longest = x > y and x or y
    local stored = s:backlog_total() > s.params.theta * longest
    return x * (stored and longest or x)
  end },
  shuffle = { changes = "served", key = function(s, job, x, y) return x > y and x or y end },
}
