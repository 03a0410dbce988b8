-- What only the cluster model has: its generators, its traces, and how other generators and traces
-- make jobs of it.

local lazy = require "pinion.base.lazy"
local cluster_nodes = require "pinion.models.cluster_nodes"
local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local fault = require "pinion.base.fault"
local google = lazy.module "pinion.workload.google"
local quantity = require "pinion.base.quantity"
local readers = require "pinion.base.readers"
local rumen = lazy.module "pinion.workload.rumen"

local M = {}

local CLUSTER = { cluster = true }

-- As in the kernel.
local TIME_MOST, TASKS_MOST = 1 << 40, core.limits.job_tasks

-- Such that no product of options leaves 64 bits, and no submission 53.
local BLOCK_MOST, MAPS_MOST, GAP_MOST, OUTPUT_MOST = 1 << 24, 1 << 20, 1 << 34, 10000

local milliseconds = readers.integer(0, TIME_MOST)
local per_block = readers.integer(0, BLOCK_MOST)

-- ---- the paper's workload -----------------------------------------------------------------------

-- Its jobs in order of submission.
local KINDS = {
    { count = "large", size = "large", app = "sort" },
    { count = "medium", size = "medium", app = "sort" },
    { count = "small_sort", size = "small", app = "sort" },
    { count = "small_wc", size = "small", app = "wordcount" },
}
local SIZES = { "large", "medium", "small" }

-- A reduce's share of the input goes through it as a whole when it sorts, in part when it counts
-- words: its time, rounded up.
local function share_ms(block_ms, maps, reduces, permille)
    local parts = reduces * 1000
    return (block_ms * maps * permille + parts - 1) // parts
end

local function hsrtf_job(o, kind)
    local sorts = kind.app == "sort"
    local blocks, shares = o[kind.size .. "_maps"], o[kind.size .. "_reduces"]
    local output = sorts and 1000 or o.wc_output_permille
    return {
        maps = blocks, reduces = shares, map_ms = sorts and o.sort_map_ms or o.wc_map_ms,
        remote_ms = o.remote_ms,
        reduce_ms = shares > 0 and o.reduce_start_ms + share_ms(o.reduce_block_ms, blocks, shares,
            output) or 0,
        shuffle_ms = shares > 0 and share_ms(o.shuffle_block_ms, blocks, shares, output) or 0,
    }
end

local function hsrtf_jobs(o)
    local jobs, names = {}, {}
    for _, kind in ipairs(KINDS) do
        for _ = 1, o[kind.count] do
            local job = hsrtf_job(o, kind)
            job.submit = #jobs * o.gap_ms
            for group, size in ipairs(SIZES) do
                if size == kind.size then job.group = group - 1 end
            end
            jobs[#jobs + 1], names[#names + 1] = job, kind.app
        end
    end
    return jobs, names
end

local function hsrtf_count(o)
    return o.large + o.medium + o.small_sort + o.small_wc
end

local count = readers.integer(0, 100000)
local maps = readers.integer(1, MAPS_MOST)
local reduces = readers.integer(0, MAPS_MOST)

local hsrtf = {
    doc = "the jobs of the paper on hSRTF, table 2: sort and wordcount in three sizes, one "
        .. "every 10 s; times are fitted",
    models = CLUSTER,
    fields = {
        { name = "large", read = count, default = 3, doc = "large sort jobs" },
        { name = "medium", read = count, default = 8, doc = "medium sort jobs" },
        { name = "small_sort", read = count, default = 10, doc = "small sort jobs" },
        { name = "small_wc", read = count, default = 10, doc = "small wordcount jobs" },
        { name = "gap_ms", read = readers.integer(0, GAP_MOST), default = 10000,
            doc = "ms from one submission to the next" },
        { name = "large_maps", read = maps, default = 256,
            doc = "maps of a large job: one for each block of input" },
        { name = "large_reduces", read = reduces, default = 32, doc = "its reduces" },
        { name = "medium_maps", read = maps, default = 64, doc = "maps of a medium job" },
        { name = "medium_reduces", read = reduces, default = 8, doc = "its reduces" },
        { name = "small_maps", read = maps, default = 1, doc = "maps of a small job" },
        { name = "small_reduces", read = reduces, default = 1, doc = "its reduces" },
        { name = "sort_map_ms", read = milliseconds, default = 76000,
            doc = "ms of a map that sorts" },
        { name = "wc_map_ms", read = milliseconds, default = 40000,
            doc = "ms of a map that counts words" },
        { name = "remote_ms", read = milliseconds, default = 3000,
            doc = "ms more where a map's input is not on its node" },
        { name = "reduce_start_ms", read = milliseconds, default = 3000,
            doc = "ms of each reduce, whatever its input" },
        { name = "reduce_block_ms", read = per_block, default = 42000,
            doc = "ms of a reduce for each block of its share of the input" },
        { name = "shuffle_block_ms", read = per_block, default = 12000,
            doc = "ms of its shuffle for each block" },
        { name = "wc_output_permille", read = readers.integer(0, OUTPUT_MOST), default = 100,
          doc = "thousandths of a block that counting words makes of one" },
    },
    settle = function(o)
        if hsrtf_count(o) == 0 then
            return "large",
                "no job is left (expected at least one large, medium, small_sort or small_wc)"
        end
        for _, kind in ipairs(KINDS) do
            local job = hsrtf_job(o, kind)
            if job.reduce_ms > TIME_MOST then
                return "reduce_block_ms", "gives reduces of more than 2^40 ms"
            end
            if job.shuffle_ms > TIME_MOST then
                return "shuffle_block_ms", "gives shuffles of more than 2^40 ms"
            end
        end
    end,
    open = function(o) return core.workload_cluster_table((hsrtf_jobs(o))) end,
    names = function(o) return select(2, hsrtf_jobs(o)) end,
    groups = function() return { table.unpack(SIZES) } end,
    expected_jobs = hsrtf_count,
    -- The paper's testbed, and its literal rules: there is no limit to kills.
    beside = function()
        return {
            nodes = { { count = 57, map_slots = 8, reduce_slots = 2, speed = 1000 } },
            params = { heartbeat_ms = 3000, factor_lo = 500, factor_hi = 1000,
                locality_delay_ms = 5000, max_kills_per_task = 0 },
        }
    end,
}

-- ---- the workloads of the paper on RTMR ---------------------------------------------------------

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

-- Of an estimate, with the factor that is common to both.
local function pessimistic(o, field)
    local num, den = o.pessimism[1], o.pessimism[2]
    return (o[field] * num + den - 1) // den
end

local rtmr = {
    doc = "workloads I and II of He, Lu, Swanson (2012), tables III and IV: jobs with "
        .. "deadlines; times and estimates are fitted",
    random = true,
    models = CLUSTER,
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
          doc = "share of the submission time that the busier kind of slots has work for; "
              .. "factors aside, and instead of gap_ms" },
        { name = "map_ms", read = rtmr_ms, default = 15500, doc = "ms of a map" },
        { name = "reduce_ms", read = rtmr_ms, default = 4600,
            doc = "ms of a reduce, whatever its input" },
        { name = "reduce_block_ms", read = readers.integer(0, BLOCK_MOST - 1), default = 7100,
          doc = "ms of a reduce for each block, a map's each, of its share of the input" },
        { name = "est_map_permille", read = permille, default = 1750,
            doc = "estimate of a map, in thousandths of its time" },
        { name = "est_reduce_permille", read = permille, default = 10950,
            doc = "estimate of a reduce, in thousandths of its time" },
        { name = "pessimism", read = quantity.ratio, default = 1,
            doc = "factor on both estimates" },
        { name = "drop_reduces_above", read = readers.integer(0, 0xFFFFFFFF),
            doc = "jobs with more reduces than this are left out" },
        readers.SEED,
    },
    settle = function(o)
        if o.gap_ms and o.load then
            return "gap_ms", "means nothing beside load (expected one of the two)"
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
    policies = { "rtmr", "rtmr-live", "dc", "fifo" },
    -- The paper's testbed: tasks take half of their time at least, and feedback begins at one
    -- map's.
    beside = function(o)
        local nodes = {}
        for i, group in ipairs(RTMR_NODES) do
            nodes[i] = { count = group.count, map_slots = group.map_slots,
                reduce_slots = group.reduce_slots, speed = group.speed }
        end
        return { nodes = nodes,
            params = { factor_lo = 500, factor_hi = 1000, theta_ms = o.map_ms } }
    end,
}

-- ---- traces -------------------------------------------------------------------------------------

-- A trace is read once for each set of options: its jobs are asked for more than once.
local read_traces = setmetatable({}, { __mode = "k" })

local function trace_of(options, read)
    local trace = read_traces[options]
    if not trace then
        trace = read(options)
        read_traces[options] = trace
    end
    return trace
end

-- A generator that gives what a reader finds in files.
local function trace(read, made)
    made.models, made.subject = CLUSTER, "file"
    function made.open(o)
        local found = trace_of(o, read)
        return core.workload_cluster_table(found.jobs), found.summary
    end
    function made.names(o) return trace_of(o, read).names end
    function made.groups(o) return trace_of(o, read).groups or {} end
    function made.beside(o) return made.suggested(trace_of(o, read)) end
    return made
end

local REMOTE = { name = "remote_ms", read = milliseconds, default = 0,
    doc = "ms more where a map's input is not on its node" }

M.kinds = {
    hsrtf = hsrtf,
    rtmr = rtmr,
    rumen = trace(rumen.read, {
        doc = "a Rumen trace (Hadoop's job history as JSON), plain or gzip: tasks as long as "
            .. "they took, inputs where they lay",
        fields = {
            { name = "file", read = readers.path, required = true, doc = "the trace" },
            { name = "topology", read = readers.path,
                doc = "its topology file: the nodes; default: the hosts that the trace names" },
            { name = "outcome", read = readers.choice("success", "all"), default = "success",
              doc = "success: jobs that succeeded; all: of the others the tasks that did" },
            { name = "blocks", read = readers.choice("listed", "drawn"), default = "listed",
              doc = "nodes of the maps' inputs: as the trace lists them, or drawn at random" },
            REMOTE,
        },
        suggested = function(found)
            if found.nodes == 0 then return {} end
            return { nodes =
                { { count = found.nodes, map_slots = rumen.MAP_SLOTS,
                reduce_slots = rumen.REDUCE_SLOTS, speed = 1000 } } }
        end,
    }),
    google = trace(google.read, {
        doc = "task events of Google's cluster trace of 2011, plain or gzip: jobs of maps only, "
            .. "those that begin and end in the parts",
        fields = { { name = "file", read = readers.paths, required = true,
            doc = "its parts in order: FILE+FILE" } },
        suggested = function() return {
            nodes = { { count = 50, map_slots = 4, reduce_slots = 0, speed = 1000 } } } end,
    }),
}

-- ---- fields and jobs of generators that other models have too -----------------------------------

---Those of facebook. Reduces get longer with the blocks that they share.
M.facebook_fields = {
    { name = "gap_ms", models = CLUSTER, read = readers.positive(1e12), default = 14000,
        doc = "mean ms between submissions" },
    { name = "map_ms", models = CLUSTER, read = distribution.read, default = 15500,
        doc = "ms of each map of a job" },
    { name = "remote_ms", models = CLUSTER, read = milliseconds, default = 0, doc = REMOTE.doc },
    { name = "reduce_ms", models = CLUSTER, read = distribution.read, default = 4600,
        doc = "ms of each reduce, whatever its input" },
    { name = "reduce_block_ms", models = CLUSTER, read = per_block, default = 7100,
      doc = "ms of a reduce for each block of its share of the input" },
    { name = "shuffle_block_ms", models = CLUSTER, read = per_block, default = 0,
        doc = "ms of its shuffle for each block" },
}

function M.facebook(o, seed, binding)
    return core.workload_facebook_cluster {
        jobs = o.jobs, bins = o.bins, gap_ms = o.gap_ms, map_ms = o.map_ms, reduce_ms = o.reduce_ms,
        remote_ms = o.remote_ms,
        reduce_block_ms = o.reduce_block_ms, shuffle_block_ms = o.shuffle_block_ms, seed = seed,
        replica = binding.replica,
    }
end

---Three quarters of these slots are busy with the default times.
function M.facebook_beside()
    return { nodes = { { count = 100, map_slots = 4, reduce_slots = 2, speed = 1000 } } }
end

---Those of swim. The rates are what Rumen traces of one cluster measure, but for writing, of which
---they say nothing.
M.swim_fields = {
    { name = "map_start_ms", models = CLUSTER, read = milliseconds, default = 3300,
        doc = "ms that each map takes to start" },
    { name = "remote_ms", models = CLUSTER, read = milliseconds, default = 0, doc = REMOTE.doc },
    { name = "reduce_start_ms", models = CLUSTER, read = milliseconds, default = 10600,
        doc = "ms that each reduce takes to start" },
    { name = "shuffle_rate", models = CLUSTER, read = quantity.bytes, default = "2.9MB",
        doc = "bytes that a reduce shuffles in a second" },
    { name = "write_rate", models = CLUSTER, read = quantity.bytes, default = "20MB",
        doc = "bytes that a reduce writes in a second" },
}

function M.swim(o)
    return core.workload_swim_cluster {
        path = o.file, unit = o.unit, reduce_bytes = o.reduce_bytes, scale_num = o.scale[1],
        scale_den = o.scale[2],
        tasks = math.min(o.tasks, TASKS_MOST),
        map_start_ms = o.map_start_ms, map_rate = o.map_rate, remote_ms = o.remote_ms,
        reduce_start_ms = o.reduce_start_ms,
        shuffle_rate = o.shuffle_rate, write_rate = o.write_rate, first = o.first, jobs = o.jobs,
    }
end

---For the largest of the traces at the default scale.
function M.swim_beside()
    return { nodes = { { count = 10, map_slots = 4, reduce_slots = 2, speed = 1000 } } }
end

return M
