-- Poisson arrivals with random job sizes, as in Zheng, Shroff, Sinha (2013), figures 5-8.

local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local fault = require "pinion.base.fault"
local readers = require "pinion.base.readers"

-- The four rows of the paper's figures 5-8: map work, reduce work.
local SETTINGS = {
    [0] = { "exp(5)", "exp(40)" },
    [1] = { "exp(30)", "exp(15)" },
    [2] = { "uniform(1,9)", "uniform(10,70)" },
    [3] = { "uniform(10,50)", "uniform(10,20)" },
}

local kind = {
    doc = "Poisson arrivals with random job sizes, as in Zheng, Shroff, Sinha (2013), "
        .. "figures 5-8",
    random = true,
    models = { slotted = true },
    subject = "setting",
    fields = {
        { name = "setting", read = readers.integer(0, 3), default = 0,
            doc = "row of the figures: sets maps and reduces" },
        { name = "maps", read = distribution.read, doc = "map units of a job" },
        { name = "reduces", read = distribution.read, doc = "reduce units of a job" },
        { name = "rate", read = readers.positive(1e6), default = 2,
            doc = "mean arrivals per slot" },
        { name = "slots", read = readers.integer(1), default = 500, doc = "slots with arrivals" },
        { name = "tasks", read = distribution.read_count(1, 65536), default = 10,
            doc = "reduce tasks of a job, at most; a number or a distribution" },
        readers.SEED,
    },
    settle = function(options)
        local row = SETTINGS[options.setting]
        options.maps = options.maps or distribution.read(row[1])
        options.reduces = options.reduces or distribution.read(row[2])
    end,
    open = function(o, binding)
        local workload, why = core.workload_zheng {
            maps = o.maps, reduces = o.reduces, rate = o.rate, slots = o.slots,
            tasks = o.tasks, seed = binding.seed or o.seed,
            replica = binding.replica,
        }
        if not workload then fault.from_core("usage", why) end
        return workload
    end,
    expected_jobs = function(o) return o.rate * o.slots end,
}

return { zheng = kind }
