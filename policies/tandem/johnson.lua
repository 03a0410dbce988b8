-- Johnson's rule with overlap: jobs with at least as much shuffle as map work come first.
-- By class, ties by id, which is the order of arrival; the same order at both stations.
-- O(log jobs) per instant: the key never changes.
local function class(s, job) return s:shuffle_size(job) >= s:map_size(job) and 0 or 1 end

return {
  name = "johnson", model = "tandem",
  map = { changes = "arrival", key = class },
  shuffle = { changes = "arrival", key = class },
}
