-- For tests: one parameter of each kind, and stations whose way of serving is chosen in init.
return {
  name = "chosen", model = "tandem", work_conserving = false,
  params = {
    bias = { default = 0.25, min = -4, max = 4, doc = "weight of the arrival" },
    flip = { default = false, doc = "largest first" },
    k = { default = 2, min = 1, max = 50, doc = "jobs that share the map station" },
    way = { default = "first", choices = { "first", "strict", "share", "rigid" },
        doc = "how the shuffle station serves" },
  },
  orders = {
    all = { of = "present", changes = "served", key = function(s, job)
      return (s.params.flip and -1 or 1) * s:shuffle_left(job) + s.params.bias * s:arrival(job)
    end },
    line = { of = "mapping", changes = "arrival", key = function(s, job)
      return s:map_size(job) * (s.params.flip and -1 or 1), s.params.k * s:shuffle_size(job)
    end },
    stored = { of = "backlog", key = "id" },
  },
  map = { order = "line" },
  shuffle = { order = "stored" },
  init = function(s)
    local way = s.params.way
    if way == "strict" then
      s:serve("shuffle", { serve = "strict", order = "all" })
    else
      s:serve("shuffle", { serve = way })
    end
    s:serve("map",
        { serve = way == "first" and "first" or "share", limit = way ~= "first" and s.params.k
        or nil })
  end,
}
