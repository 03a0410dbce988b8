-- A third of the cluster for maps, a quarter in equal shares, two machines for the longest reduces.
-- The rest goes by work left. Its rule in C: tests/slotted/support/pairs.c. Uses four orders,
-- filling by phase and up to a limit, shares of what is left.
return {
  name = "phases", model = "slotted", work_conserving = true,
  orders = {
    all = { by = "remaining", walk = true },
    equal = { by = "share" },
    maps = { changes = "served", jobs = "map",
        of = function(s, job) return s:maps_left(job), -s:id(job) end },
    reducing = { by = "most_remaining", jobs = "reduce" },
  },
  slot = function(s)
    s:fill("map", "maps", s:machines() // 3)
    s:share("equal", s:machines() // 4)
    s:fill("reduce", "reducing", 2)
    local given = s:fill("reduce", "all", 1)
    s:fill("map", "all", 2 * given)
    for job in s:by "all" do
      if s:in_maps(job) and s:slot() % 2 == 0 then
          s:map(job, math.min(1, s:maps_ready(job), s:idle()))
      end
      if s:slot() % 3 == 0 then s:reduce(job, math.min(1, s:reduces_ready(job), s:idle())) end
    end
    s:fill("all", "all")
  end,
}
