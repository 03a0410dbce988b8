-- Tetris: nodes are filled one after the other, each with the stage whose demand is best aligned
-- with what is free, less what remains of its job, in units of the mean alignment.
-- (DG23; Grandl et al. 2014, 3.2-3.3.)
-- O(classes of demands) per task and node, and what the exchange of a job's pairs takes.
local SCALE <const> = 1000000

return {
  name = "tetris", model = "dag",
  params = { tetris_m_permille = { default = 1000, min = 0, max = 1000000,
      doc = "what remaining work counts against alignment, permille" } },
  init = function(s) s:exchange(s.params.tetris_m_permille) end,
  key = { changes = "served", of = function(s, job) return s:left_area(job) end },
  align = function(s, job, stage, node)
    local sum = 0
    for r = 1, s:resources() do
      local capacity = s:node_capacity(node, r)
      if capacity > 0 then
        sum = sum + s:scale(s:demand(job, stage, r), SCALE, capacity)
            * s:scale(s:node_free(node, r), SCALE, capacity)
      end
    end
    return sum
  end,
}
