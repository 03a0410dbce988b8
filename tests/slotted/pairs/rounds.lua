-- A few machines each in turn, from where the last slot ended.
-- Who had many turns in a row is passed over once. Its rule in C: tests/slotted/support/pairs.c.
-- Uses code for the slot, arrays, random numbers in a slot, numbers of jobs that come and go.
local MANY <const> = 8

return {
  name = "rounds", model = "slotted", work_conserving = true,
  state = { "cursor", turns = { per_job = 1, more = 2 } },
  arrive = function(s, job) s.state.turns[job] = 0 end,
  slot = function(s)
    local q, most = s.state, s:jobs_max()
    local fruitless = 0
    while s:idle() > 0 and fruitless < 2 * most do
      q.cursor = q.cursor % most + 1
      local job = q.cursor
      fruitless = fruitless + 1
      if s:active(job) and s:offer(job) > s:given(job) then
        if q.turns[job] >= MANY then
          q.turns[job] = 0
          q.turns[most + 1] = q.turns[most + 1] + 1
        else
          local machines = math.min(s:random(1, 3), s:idle(), s:offer(job) - s:given(job))
          s:give(job, machines)
          q.turns[job] = q.turns[job] + machines + q.turns[most + 1] % 2
          fruitless = 0
        end
      end
    end
    q.turns[most + 2] = s:slot()
  end,
}
