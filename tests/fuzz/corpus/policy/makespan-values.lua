-- Values from everywhere: exact numbers of all signs, functions that ask, pools that leave a node and a job that comes twice.
return { name = "x", model = "makespan", cap = "requested", params = { k = { default = 2, min = 1, doc = "" } },
  pools = function(s)
    local third = exact "1/3"
    local order = s:johnson { map = function(job) return s:work(job, "map") / 7 + third * job end, reduce = { 5, third, 0, 1, exact(2) } }
    print(third, s:evaluate(order), s:evaluate(order, { best = s:evaluate { 1 }, map_slots = 1 }))
    local half = table.move(order, 1, #order // 2, 1, {})
    if s:level() == "task" then return { { nodes = 1, jobs = half }, { nodes = 1, jobs = { half[1] } } } end
    return { { nodes = 1, jobs = half }, { nodes = s:nodes() - 1, jobs = table.move(order, #half + 1, #order, 1, {}) } }
  end }
