-- Prefetching SRPT: first the cheap maps of jobs that SRPT would reach within two slots, then DSPT.
-- (Ours; SL28.) By work left, ties by id; the flagged jobs go before the others.
-- O(log jobs) per job looked at: those of two slots' work, then those served; non-preemptive also
-- those passed over.

-- Maps worth doing early: few beside the reduces they release, and few beside the cluster.
local function cheap(s, job)
  local maps = s:maps_left(job)
  return s:in_maps(job) and 2 * maps <= s:reduces_left(job) and 4 * maps <= s:machines()
end

-- Flags the cheap jobs within a budget of two slots' work: their order, and who they are.
local function flag(s)
  local order, flagged, budget = {}, {}, 2 * s:idle()
  for job in s:by "shortest" do
    if budget <= 0 then break end
    if cheap(s, job) then
      order[#order + 1] = job
      flagged[job] = true
    end
    budget = budget - math.max(1, s:remaining(job))
  end
  return order, flagged
end

-- Pass 1, one job: all of its offer if that fits; a large one that does not takes the rest, a small
-- one waits for pass 2.
local function visit(s, job, skipped)
  local offer, idle = s:offer(job), s:idle()
  if offer <= idle then
    s:give(job, offer)
  elseif s:preemptive() or 4 * offer > s:machines() then
    s:give(job, idle)
  else
    skipped[#skipped + 1] = job
  end
end

return {
  name = "psrpt", model = "slotted", work_conserving = true,
  orders = { shortest = { by = "remaining", jobs = "unfinished", walk = true } },
  slot = function(s)
    local order, flagged = flag(s)
    local skipped = {}
    for _, job in ipairs(order) do
      if s:idle() == 0 then return end
      visit(s, job, skipped)
    end
    local job = s:next_at_least("shortest", nil, 1)
    while job and s:idle() > 0 do
      if not flagged[job] then visit(s, job, skipped) end
      job = s:next_at_least("shortest", job, 1)
    end
    for _, waiting in ipairs(skipped) do              -- pass 2
      s:give(waiting, math.min(s:offer(waiting), s:idle()))
    end
  end,
}
