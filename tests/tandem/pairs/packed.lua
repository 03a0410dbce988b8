-- For tests: keys of a number and a boolean, of all three, and of large integers.
-- Its orders take some jobs only.
local function small(s, job) return s:map_size(job) + s:shuffle_size(job) < 2 end
local function class(s, job) return small(s, job) and -9007199254740992 or 9007199254740992 end

return {
  name = "packed", model = "tandem",
  orders = {
    a_small = { of = "mapping", member = small, changes = "served", key = function(s, job)
      return class(s, job), s:backlog(job) > 0
    end },
    b_large = { of = "mapping", member = function(s, job) return not small(s, job)
        end, changes = "instants",
                key = function(s, job) return -s:age(job), s:overlap(), s:map_left(job) end },
    c_stored = { of = "backlog", changes = "served", key = function(s, job)
      return class(s, job), not s:mapping(job), s:backlog(job)
    end },
  },
  rates = function(s)
    local left = s:fill_map("a_small", 0.625 * s:speed())
    left = s:fill_map("b_large", left + 0.375 * s:speed())
    s:fill_map("a_small")
    s:fill_shuffle("c_stored", 0.75 * s:speed())
    s:fill_shuffle "c_stored"
  end,
}
