-- Bounded: first come, first served, and no more work at once than the cluster does in some rounds.
-- By submission, ties by id. A job comes in when the maps that are to be done, its own among them,
-- are at most `rounds` for each slot that is up, or when it is alone. Nothing need be known of how
-- long tasks take, and there are no deadlines.
-- O(jobs) per job admitted, O(log jobs) per task.

---@type pinion.ClusterPolicyDefinition
return {
  name = "bounded", model = "cluster",
  params = { rounds = { default = 3, min = 1,
      doc = "maps that are to be done for each slot, at most" } },
  key = { changes = "arrival", of = function(s, job) return s:submit(job) end },
  admit = function(s)
    local maps = 0
    -- the one that asks is among them
    for job in s:jobs() do maps = maps + s:unfinished(job, "map") end
    return s:in_system() == 1 or maps <= s.params.rounds * s:capacity_up "map"
  end,
}
