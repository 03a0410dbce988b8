-- BalancedPools: the best split of jobs and nodes into two pools, each in Johnson's order, or none.
-- The first of equal splits: fewer jobs, then fewer nodes, in the first pool (Verma, Cherkasova,
-- Campbell, as told by Tian, Luo, Tian, Chen, section 3; MK22-MK24).
-- O(jobs nodes) evaluations of two pools; with bp_size = "binary" O(jobs log nodes), with
-- "exhaustive" all sets of jobs.
local TIMES = { "given", "waves_req", "waves", "capped", "fluid" }
local EXHAUSTIVE_JOBS = 30

-- A pool of some nodes: its jobs in Johnson's order, and what they take there.
local function pool(s, jobs, nodes)
  local slots = { map_slots = s:slots("map") // s:nodes() * nodes,
      reduce_slots = s:slots("reduce") // s:nodes() * nodes }
  local order = s:johnson {
    jobs = jobs, estimate = s.params.estimate, tie = s.params.tie,
    map_slots = slots.map_slots, reduce_slots = slots.reduce_slots,
  }
  return { nodes = nodes, jobs = order, score = s:evaluate(order, slots) }
end

-- Jobs by what bp_sort says, ascending, ties by index.
local function sorted(s)
  local by, key, jobs = s.params.bp_sort, {}, {}
  for job = 1, s:jobs() do
    jobs[job] = job
    key[job] = by == "map_tasks" and s:tasks(job, "map") or by == "work"
        and s:work(job, "map") + s:work(job, "reduce") or job
  end
  table.sort(jobs, function(a, b) return key[a] < key[b] end)
  return jobs
end

-- The jobs of a list of which `chosen` says yes and no, as two lists.
local function parted(jobs, chosen)
  local parts = { [true] = {}, [false] = {} }
  for i, job in ipairs(jobs) do
    local part = parts[chosen(i, job)]
    part[#part + 1] = job
  end
  return parts[true], parts[false]
end

-- MK24: where the first pool becomes as fast as the second, the best size is there or just below.
local function sizes_by_halving(s, first, second)
  local low, high = 1, s:nodes() - 1
  while low < high do
    local middle = (low + high) // 2
    if pool(s, first, middle).score <= pool(s, second, s:nodes() - middle).score then
        high = middle
    else
        low = middle + 1
    end
  end
  return math.max(low - 1, 1), low
end

return {
  name = "balanced_pools", model = "makespan",
  params = {
    estimate = { default = "waves_req", choices = TIMES,
        doc = "how long stages are taken to last, for the order" },
    tie = { default = "alg21", choices = { "alg21", "mkjr" },
            doc = "which of the two Johnson orders, alg21 (Algorithm 2.1) or mkjr" },
    bp_partition = { default = "prefix", choices = { "prefix", "exhaustive" },
                     doc = "which jobs may share a pool: prefix of the sorted jobs, or any" },
    bp_size = { default = "scan", choices = { "scan", "binary" },
        doc = "sizes of the first pool: scan all, or binary search" },
    bp_sort = { default = "map_tasks", choices = { "map_tasks", "work", "index" },
                doc = "what jobs are sorted by, ascending, before they are split" },
    bp_allow_single = { default = true, doc = "whether one pool with all jobs is a candidate" },
  },
  pools = function(s)
    local jobs, nodes, best, makespan = sorted(s), s:nodes(), nil, nil
    local splits = #jobs > 1 and nodes > 1

    local function try(pools)
      local slowest = pools[1].score
      if pools[2] and slowest < pools[2].score then slowest = pools[2].score end
      if not best or slowest < makespan then best, makespan = pools, slowest end
    end

    local function try_sizes(first, second)
      local low, high = 1, nodes - 1
      if s.params.bp_size == "binary" then low, high = sizes_by_halving(s, first, second) end
      for size = low, high do try { pool(s, first, size), pool(s, second, nodes - size) } end
    end

    if s.params.bp_allow_single then
      try { pool(s, jobs, nodes) } -- candidate 0
    elseif not splits then
      error("there is nothing to split: one job or one node, and bp_allow_single = false")
    end
    if splits and s.params.bp_partition == "exhaustive" then
      if #jobs > EXHAUSTIVE_JOBS then
          error("too many sets of " .. #jobs .. " jobs (expected at most " .. EXHAUSTIVE_JOBS
              .. ")")
      end
      for set = 1, (1 << #jobs) - 2 do
        try_sizes(parted(jobs, function(_, job) return set >> (job - 1) & 1 == 1 end))
      end
    elseif splits then
      for count = 1, #jobs - 1 do
        try_sizes(parted(jobs, function(i) return i <= count end))
      end
    end
    return best
  end,
}
