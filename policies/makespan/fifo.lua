-- First in, first out: jobs in the order in which they are listed.
-- By index, which is the order of ids (Tian, Luo, Tian, Chen, section 1; MK32).
-- O(jobs).
return {
  name = "fifo", model = "makespan",
  order = function(s)
    local order = {}
    for job = 1, s:jobs() do order[job] = job end
    return order
  end,
}
