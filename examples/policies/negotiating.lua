-- Negotiating: a job that cannot make its deadline is offered the earliest that it can make.
-- As rtmr-live: jobs that have started, in that order, then the others by deadline, ties by id. A
-- job that would make another one late goes behind it, with the same deadline.
-- O(slots + jobs log slots) per job admitted, and the same again for each job that it goes behind;
-- O(log jobs) per task.

local function due(s, job) return s:submit(job) + s:deadline(job) end

-- Each turn the deadline is later, until it and all that are behind it make theirs.
local function admit(s, job)
  local latest = s:submit(job) + s:scale(s:deadline(job), s.params.patience, 100)
  while true do
    local finish, blocker = s:foresee(job)
    if not blocker then return true end
    local needed = blocker == job and finish or due(s, blocker)
    if not finish or needed > latest then return false end
    s:set_deadline(job, needed - s:submit(job))
  end
end

---@type pinion.ClusterPolicyDefinition
return {
  name = "negotiating", model = "cluster",
  params = { patience = { default = 200, min = 100,
      doc = "the latest deadline that a job agrees to, in percent of its own" } },
  uses = { "in_order", "maps_first", "reserves", "deadlines", "forecasts" },
  key = {
    changes = "arrival",
    -- a key of one number is exact up to 2^53 only
    of = function(s, job) return due(s, job) // 2, due(s, job) % 2 end,
  },
  admit = admit,
}
