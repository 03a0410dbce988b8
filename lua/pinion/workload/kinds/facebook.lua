-- Job sizes of a Facebook cluster in 2009: bins of Zaharia et al. as in He, Lu, Swanson (2012),
-- table II.

local check = require "pinion.base.check"
local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local fault = require "pinion.base.fault"
local quantity = require "pinion.base.quantity"
local readers = require "pinion.base.readers"

local integer, positive = readers.integer, readers.positive

local SLOTTED, MAKESPAN, CLUSTER = { slotted = true }, { makespan = true }, { cluster = true }
local UNITS = { slotted = true, makespan = true } -- where tasks are units of work

-- As in the kernel; and such that no product of options leaves 64 bits.
local TIME_MOST, BLOCK_MOST = 1 << 40, 1 << 24

local milliseconds = integer(0, TIME_MOST)
local per_block = integer(0, BLOCK_MOST)

-- The bins are the groups of the workload: flow times are also reported by size of job.
local FACEBOOK_BINS = { "1 map", "2 maps", "10 maps", "50 maps", "100 maps", "200 maps", "400 maps",
    "800 maps", "4800 maps" }

local function read_bins(value)
    local bins = quantity.integer(value, 6, 9)
    if bins == 6 or bins == 9 then return bins end
    return nil, "must be 6 or 9, got " .. check.show(value)
end

local function facebook_cluster(o, seed, binding)
    return core.workload_facebook_cluster {
        jobs = o.jobs, bins = o.bins, gap_ms = o.gap_ms, map_ms = o.map_ms, reduce_ms = o.reduce_ms,
        remote_ms = o.remote_ms,
        reduce_block_ms = o.reduce_block_ms, shuffle_block_ms = o.shuffle_block_ms, seed = seed,
        replica = binding.replica,
    }
end

local function draw(o, seed, binding)
    if binding.model == "cluster" then return facebook_cluster(o, seed, binding) end
    if binding.model == "makespan" then
        return core.workload_facebook_batch {
            jobs = o.jobs, bins = o.bins, map_length = o.map_length,
            reduce_length = o.reduce_length,
            seed = seed, replica = binding.replica,
        }
    end
    return core.workload_facebook {
        jobs = o.jobs, gap = o.gap, bins = o.bins, reduce_length = o.reduce_length, seed = seed,
        replica = binding.replica,
    }
end

local kind = {
    doc = "job sizes of a Facebook cluster in 2009 (bins of Zaharia et al. as in He, Lu, "
        .. "Swanson, table II), exponential gaps or none",
    random = true,
    models = { slotted = true, makespan = true, cluster = true },
    beside = {
        makespan = function() return { map_slots = 100, reduce_slots = 50 } end,
        -- three quarters of these slots are busy with the default times
        cluster = function()
            return { nodes = { { count = 100, map_slots = 4, reduce_slots = 2, speed = 1000 } } }
        end,
    },
    fields = {
        { name = "jobs", read = integer(1), default = 1000, doc = "number of jobs" },
        { name = "gap", models = SLOTTED, read = positive(1e9), default = 4,
            doc = "mean gap between arrivals in slots" },
        { name = "bins", read = read_bins, default = 9,
            doc = "6: jobs up to 200 maps; 9: up to 4800" },
        { name = "map_length", models = MAKESPAN, read = distribution.read, default = 1,
            doc = "units of each map task of a job" },
        { name = "reduce_length", models = UNITS, read = distribution.read, default = "exp(5)",
          doc = "units of each reduce task of a job" },
        readers.SEED,
        -- reduces get longer with the blocks that they share
        { name = "gap_ms", models = CLUSTER, read = readers.positive(1e12), default = 14000,
            doc = "mean ms between submissions" },
        { name = "map_ms", models = CLUSTER, read = distribution.read, default = 15500,
            doc = "ms of each map of a job" },
        { name = "remote_ms", models = CLUSTER, read = milliseconds, default = 0,
            doc = "extra ms of a map whose input is on another node" },
        { name = "reduce_ms", models = CLUSTER, read = distribution.read, default = 4600,
            doc = "ms of each reduce, independent of its input" },
        { name = "reduce_block_ms", models = CLUSTER, read = per_block, default = 7100,
          doc = "ms of a reduce for each block of its share of the input" },
        { name = "shuffle_block_ms", models = CLUSTER, read = per_block, default = 0,
            doc = "ms of its shuffle for each block" },
    },
    open = function(o, binding)
        local workload, why = draw(o, binding.seed or o.seed, binding)
        if not workload then fault.from_core("usage", why) end
        return workload
    end,
    expected_jobs = function(o) return o.jobs end,
    groups = function(o) return table.move(FACEBOOK_BINS, 1, o.bins, 1, {}) end,
}

return { facebook = kind }
