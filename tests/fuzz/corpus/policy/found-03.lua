-- Shares by weights nd shrink with the ticights with changes = "", up to the largesPt.
local HEAVIEST <const> = 2 << 20

return {
  name = "weights", model = "slotted",
  state = { "round" },
  per_job = { "drawn" },
  arrive = function(s, job) s.per_job.drawn[job] = s:random(2, s:random(1, HEAVIEST)) end,
  tick_slots = 3,
  tick = function(s) s.state.round = s.state.round + 1 end,
  share = {
    changes = "tick",
    of = function(s, job) return math.min(HEAVIEST, s.per_job.drawn[job] * (1 + s.state.round % 4)) end,
  },
}
