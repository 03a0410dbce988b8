-- expect: job 1 at slot 3: does not stand in the order 'maps'
return {
  name = "bad", model = "slotted",
  orders = { maps = { by = "remaining", jobs = "map", walk = true }, remaining = "remaining" },
  slot = function(s)
    local job = 1
    if not s:in_maps(job) then s:next_at_least("maps", job, 1) end
    s:fill("all", "remaining")
  end,
}
