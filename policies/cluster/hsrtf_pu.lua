-- hSRTF-Pu: the job with the shortest remaining time first.
-- (the hSRTF paper, equations 1 and 2; CL17, CL19.) By remaining time as estimated on arrival and
-- at every tick, ties by id. Reduces go to nodes with data of their job, if one is free.
-- O(log jobs) per task; O(running tasks + jobs log jobs) per tick.

-- By priority, then by remaining time (CL41).
local function by_time_left(s, job) return -s:priority(job), s:remaining(job) end

return {
  name = "hsrtf-pu", model = "cluster",
  params = { colocate = { default = true,
      doc = "reduces near the job's maps while such slots are free" } },
  uses = function(params) return { "estimates", "memoryless", params.colocate and "colocates" } end,
  key = { changes = "planned", of = by_time_left },
}
