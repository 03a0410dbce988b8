-- Fair with a starvation ratio: jobs that waited long for their work left get more.
-- Shares by weight 1 + starvation * age * machines / work left, refreshed every 10 slots; ties by
-- id. starvation = 0 is Fair.
-- O(log jobs) per machine, in the kernel; O(jobs) per refresh.
local HEAVIEST <const> = 1 << 20

local function weight(s, job)
  local age = s:slot() - s:arrival(job)
  local stretch = age * s:machines() / math.max(1, s:remaining(job))
  return math.floor(math.min(HEAVIEST, 1 + s.params.starvation * stretch))
end

return {
  name = "fair_starvation", model = "slotted",
  params = { starvation = { default = 1.0, min = 0, max = 1e6,
      doc = "how much a job's waiting adds to its share; 0 = Fair" } },
  tick_slots = 10,
  share = { changes = "tick", of = weight },
}
