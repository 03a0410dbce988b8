-- Shares by weights drawn on arrival, which grow and shrink with the ticks.
-- Its rule in C: tests/slotted/support/pairs.c. Uses weights with changes = "tick", up to the
-- largest.
local HEAVIEST <const> = 1 << 20

return {
  name = "weights", model = "slotted",
  state = { "round" },
  per_job = { "drawn" },
  arrive = function(s, job) s.per_job.drawn[job] = s:random(1, s:random(1, HEAVIEST)) end,
  tick_slots = 3,
  tick = function(s) s.state.round = s.state.round + 1 end,
  share = {
    changes = "tick",
    of = function(s, job) return math.min(HEAVIEST, s.per_job.drawn[job] * (1 + s.state.round % 4))
        end,
  },
}
