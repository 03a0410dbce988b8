-- Poisson arrivals with random sizes, as in Lin, Zhang, Wierman, Tan (2013), section 5.3.

local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local fault = require "pinion.base.fault"
local readers = require "pinion.base.readers"

-- Share of its time that a station may be asked to be busy: more than 1 is overload.
local LOAD_MAX = 1000

local function draw(o, seed, replica)
    local workload, facts = core.workload_lin {
        map = o.map, ratio = o.ratio, shuffle = o.shuffle, load = o.load, jobs = o.jobs,
        balance = o.balance, batch = o.batch,
        seed = seed, replica = replica,
    }
    if not workload then fault.from_core("usage", facts) end
    return workload, facts
end

local kind = {
    doc = "Poisson arrivals with random sizes, as in Lin, Zhang, Wierman, Tan (2013), "
        .. "section 5.3",
    random = true,
    models = { tandem = true },
    own_load = { tandem = true },
    fields = {
        { name = "load", read = readers.positive(LOAD_MAX), default = 0.75,
          doc = "load of the station with more work; sets the arrival rate" },
        { name = "jobs", read = readers.integer(1), default = 100000, doc = "number of jobs" },
        { name = "map", read = distribution.read_factor, default = "lognormal(1,3.65)",
            doc = "map size of a job" },
        { name = "ratio", read = distribution.read_factor,
          doc = "shuffle / map of a job: lognormal(1,3.28) unless shuffle is given" },
        { name = "shuffle", read = distribution.read_factor,
          doc = "shuffle size of a job, independent of its map size, instead of ratio" },
        { name = "balance", read = readers.boolean, default = false,
          doc = "cube root of every ratio shuffle / map, at the same mean shuffle size" },
        { name = "batch", read = readers.boolean, default = false,
            doc = "all jobs arrive at 0; load is then ignored" },
        readers.SEED,
    },
    settle = function(o)
        if o.ratio and o.shuffle then
            return "shuffle", "cannot be given together with ratio"
        end
        if not o.shuffle then
            o.ratio = o.ratio or distribution.read_factor "lognormal(1,3.28)"
        end
    end,
    open = function(o, binding) return (draw(o, binding.seed or o.seed, binding.replica))
        end,
    facts = function(o)
        local _, facts = draw(o, o.seed, 0)
        return {
            { "mean_map", facts.map, "mean map size" },
            { "mean_shuffle", facts.shuffle, "mean shuffle size" },
            { "rate", facts.rate, "arrivals per unit of time" },
        }
    end,
    expected_jobs = function(o) return o.jobs end,
}

return { lin = kind }
