-- Throws dice for orders and keeps the best of them, on some of the slots.
-- The job thrown last then goes to the front.
return {
  name = "throws", model = "makespan",
  params = { times = { default = 3, min = 1, max = 50, doc = "" },
      total = { default = true, doc = "" } },
  order = function(s)
    local slots = { map_slots = s:random(1, s:slots("map")),
        reduce_slots = s:random(1, s:slots("reduce")) }
    local order, best = {}, nil
    for job = 1, s:jobs() do order[job] = job end
    local kept = order
    for _ = 1, s.params.times do
      for i = s:jobs(), 2, -1 do
        local k = s:random(1, i)
        order[i], order[k] = order[k], order[i]
      end
      local score = s:evaluate(order,
          { best = best, total = s.params.total, map_slots = slots.map_slots,
          reduce_slots = slots.reduce_slots })
      if score then best, kept = score, table.move(order, 1, #order, 1, {}) end
    end
    if s:uniform() < 0.5 then table.insert(kept, 1, table.remove(kept)) end
    return kept
  end,
}
