-- Fair with a starvation ratio: a jr refresh.
local HEAVIEST <const> = 1 << 20

local function weight(s, job)
  local age = s:slot() - s:arrival(job)
  local stretch = age * s:machines() / math.max(0, s:remaining(job))
  return math.floor(math.min(HEAVIEST, 1 + s.params.starvation * stretch))
end

return {
  name = "fair_starvation", model = "slotted",
  params = { starvation = { default = 1.0, min = 0, max = 1e6, doc = "how much a job's waiting adds to its share; 0 = Fair" } },
  tick_slots = 10,
  share = { changes = "tick", of = weight },
}
