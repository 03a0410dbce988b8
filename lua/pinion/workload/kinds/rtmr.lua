-- The workloads of the paper on RTMR.

local cluster_nodes = require "pinion.models.cluster.nodes"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local quantity = require "pinion.base.quantity"
local readers = require "pinion.base.readers"

-- Such that no product of options leaves 64 bits.
local BLOCK_MOST = 1 << 24

-- Their groups are the bins.
local RTMR_BINS = {
    I = { "1 map", "2 maps", "10 maps", "50 maps", "100 maps", "200 maps" },
    II = { "1-10 maps", "10-50 maps", "50-100 maps", "100-200 maps", "200-300 maps" },
}
local RTMR_JOBS = { I = 88, II = 89 }
local RTMR_NODES = {
    { count = 20, map_slots = 4, reduce_slots = 1, speed = 1000 },
    { count = 10, map_slots = 2, reduce_slots = 1, speed = 1000 },
}

-- Such that no product of them leaves 64 bits.
local RTMR_MS_MOST, RTMR_GAP_MOST, PERMILLE_MOST, RTMR_JOBS_MOST = (1 << 30) - 1, (1 << 28) - 1,
    (1 << 20) - 1, 10000000

local rtmr_ms = readers.integer(0, RTMR_MS_MOST)
local permille = readers.integer(0, PERMILLE_MOST)

-- Returns a pessimistic estimate, with the factor that is common to both.
local function pessimistic(o, field)
    local num, den = o.pessimism[1], o.pessimism[2]
    return (o[field] * num + den - 1) // den
end

local rtmr = {
    doc = "workloads I and II of He, Lu, Swanson (2012), tables III and IV: jobs with "
        .. "deadlines; times and estimates are fitted",
    random = true,
    models = { cluster = true },
    own_load = { cluster = true },
    subject = "workload",
    fields = {
        { name = "workload", read = readers.choice("I", "II"), default = "I",
          doc = "I: 88 jobs as small as the Facebook benchmark's; II: 89 larger ones" },
        { name = "jobs", read = readers.integer(1, RTMR_JOBS_MOST),
            doc = "number of jobs, in the same proportions; default: the paper's" },
        { name = "gap_ms", read = readers.integer(0, RTMR_GAP_MOST),
          doc = "mean ms between submissions: 14000, which makes 21 minutes, "
              .. "unless load is given" },
        { name = "load", read = readers.positive(1000),
          doc = "load of the busier kind of slots over the submission time, without factors; "
              .. "replaces gap_ms" },
        { name = "map_ms", read = rtmr_ms, default = 15500, doc = "ms of a map" },
        { name = "reduce_ms", read = rtmr_ms, default = 4600,
            doc = "ms of a reduce, independent of its input" },
        { name = "reduce_block_ms", read = readers.integer(0, BLOCK_MOST - 1), default = 7100,
          doc = "ms of a reduce for each block (map) of its share of the input" },
        { name = "est_map_permille", read = permille, default = 1750,
            doc = "estimate of a map, in thousandths of its time" },
        { name = "est_reduce_permille", read = permille, default = 10950,
            doc = "estimate of a reduce, in thousandths of its time" },
        { name = "pessimism", read = quantity.ratio, default = 1,
            doc = "factor on both estimates" },
        { name = "drop_reduces_above", read = readers.integer(0, 0xFFFFFFFF),
            doc = "leave out jobs with more reduces than this" },
        readers.SEED,
    },
    settle = function(o)
        if o.gap_ms and o.load then
            return "gap_ms", "cannot be given together with load"
        end
        o.gap_ms = o.gap_ms or 14000
        for _, field in ipairs { "est_map_permille", "est_reduce_permille" } do
            if pessimistic(o, field) > PERMILLE_MOST then
                return "pessimism", string.format("makes more of %s than %d", field, PERMILLE_MOST)
            end
        end
    end,
    open = function(o, binding)
        local sums = cluster_nodes.sums(binding.nodes or RTMR_NODES)
        local source, why = core.workload_rtmr {
            workload = o.workload, jobs = o.jobs or RTMR_JOBS[o.workload], gap_ms = o.gap_ms,
            load = o.load, map_ms = o.map_ms,
            reduce_ms = o.reduce_ms, reduce_block_ms = o.reduce_block_ms,
            est_map_permille = pessimistic(o, "est_map_permille"),
            est_reduce_permille = pessimistic(o, "est_reduce_permille"),
            drop_reduces_above = o.drop_reduces_above,
            map_slots = sums.map_slots, reduce_slots = sums.reduce_slots, seed = binding.seed
                or o.seed, replica = binding.replica,
        }
        if not source then fault.from_core("usage", "workload rtmr: " .. why) end
        return source
    end,
    groups = function(o) return { table.unpack(RTMR_BINS[o.workload]) } end,
    policies = { cluster = { "rtmr", "rtmr-live", "dc", "fifo" } },
    -- The paper's testbed: tasks take half of their time at least, and feedback begins at one
    -- map's.
    beside = { cluster = function(o)
        local nodes = {}
        for i, group in ipairs(RTMR_NODES) do
            nodes[i] = { count = group.count, map_slots = group.map_slots,
                reduce_slots = group.reduce_slots, speed = group.speed }
        end
        return { nodes = nodes,
            params = { factor_lo = 500, factor_hi = 1000, theta_ms = o.map_ms } }
    end },
}

return { rtmr = rtmr }
