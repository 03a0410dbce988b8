-- Bursts of small jobs with a few giants among them.

local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local fault = require "pinion.base.fault"
local readers = require "pinion.base.readers"

local integer, positive, chance = readers.integer, readers.positive, readers.chance

local kind = {
    doc = "bursts of small jobs with a few giants among them: on 40 machines the example "
        .. "against Theorem 4 of Zheng, Shroff, Sinha",
    random = true,
    models = { slotted = true },
    fields = {
        { name = "chance", read = chance, default = 0.01,
            doc = "probability of a burst in a slot" },
        { name = "burst", read = integer(1, 1000000), default = 20, doc = "jobs of a burst" },
        { name = "maps", read = distribution.read, default = 1,
            doc = "map units of a small job" },
        { name = "reduces", read = distribution.read, default = 1,
            doc = "reduce units of a small job" },
        { name = "giant", read = chance, default = 0.05,
            doc = "probability that a job is a giant" },
        { name = "giant_maps", read = distribution.read, default = 2000,
            doc = "map units of a giant" },
        { name = "giant_reduces", read = distribution.read, default = 1,
            doc = "reduce units of a giant" },
        { name = "tasks", read = distribution.read_count(1, 65536), default = 10,
            doc = "reduce tasks of a job, at most; a number or a distribution" },
        { name = "slots", read = integer(1), default = 10000, doc = "slots with arrivals" },
        readers.SEED,
    },
    open = function(o, binding)
        local workload, why = core.workload_bursts {
            chance = o.chance, burst = o.burst, maps = o.maps, reduces = o.reduces,
            giant = o.giant, giant_maps = o.giant_maps,
            giant_reduces = o.giant_reduces, tasks = o.tasks,
            slots = o.slots, seed = binding.seed or o.seed, replica = binding.replica,
        }
        if not workload then fault.from_core("usage", why) end
        return workload
    end,
    expected_jobs = function(o) return o.chance * o.burst * o.slots end,
    groups = function() return { "small", "giant" } end,
}

return { bursts = kind }
