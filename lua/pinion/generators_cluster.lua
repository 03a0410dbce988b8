-- What only the cluster model has: its generator, its traces, and how other generators and traces make jobs of it.

local core = require "pinion.core"
local distribution = require "pinion.distribution"
local google = require "pinion.google"
local quantity = require "pinion.quantity"
local readers = require "pinion.readers"
local rumen = require "pinion.rumen"

local M = {}

local CLUSTER = { cluster = true }

-- As in the kernel.
local TIME_MOST, TASKS_MOST = 1 << 40, 1 << 24

-- Such that no product of options leaves 64 bits, and no submission 53.
local BLOCK_MOST, MAPS_MOST, GAP_MOST, OUTPUT_MOST = 1 << 24, 1 << 20, 1 << 34, 10000

local milliseconds = readers.integer(0, TIME_MOST)
local per_block = readers.integer(0, BLOCK_MOST)

-- ---- the paper's workload --------------------------------------------------------------------------------------

-- Its jobs in order of submission.
local KINDS = {
    { count = "large", size = "large", app = "sort" }, { count = "medium", size = "medium", app = "sort" },
    { count = "small_sort", size = "small", app = "sort" }, { count = "small_wc", size = "small", app = "wordcount" },
}
local SIZES = { "large", "medium", "small" }

-- A reduce's share of the input goes through it as a whole when it sorts, in part when it counts words: its time, rounded up.
local function share_ms(block_ms, maps, reduces, permille)
    local parts = reduces * 1000
    return (block_ms * maps * permille + parts - 1) // parts
end

local function hsrtf_job(o, kind)
    local sorts = kind.app == "sort"
    local blocks, shares = o[kind.size .. "_maps"], o[kind.size .. "_reduces"]
    local output = sorts and 1000 or o.wc_output_permille
    return {
        maps = blocks, reduces = shares, map_ms = sorts and o.sort_map_ms or o.wc_map_ms, remote_ms = o.remote_ms,
        reduce_ms = shares > 0 and o.reduce_start_ms + share_ms(o.reduce_block_ms, blocks, shares, output) or 0,
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
    doc = "the jobs of the paper on hSRTF, table 2: sort and wordcount in three sizes, one every 10 s; times are fitted",
    models = CLUSTER,
    fields = {
        { name = "large", read = count, default = 3, doc = "large sort jobs" },
        { name = "medium", read = count, default = 8, doc = "medium sort jobs" },
        { name = "small_sort", read = count, default = 10, doc = "small sort jobs" },
        { name = "small_wc", read = count, default = 10, doc = "small wordcount jobs" },
        { name = "gap_ms", read = readers.integer(0, GAP_MOST), default = 10000, doc = "ms from one submission to the next" },
        { name = "large_maps", read = maps, default = 256, doc = "maps of a large job: one for each block of input" },
        { name = "large_reduces", read = reduces, default = 32, doc = "its reduces" },
        { name = "medium_maps", read = maps, default = 64, doc = "maps of a medium job" },
        { name = "medium_reduces", read = reduces, default = 8, doc = "its reduces" },
        { name = "small_maps", read = maps, default = 1, doc = "maps of a small job" },
        { name = "small_reduces", read = reduces, default = 1, doc = "its reduces" },
        { name = "sort_map_ms", read = milliseconds, default = 76000, doc = "ms of a map that sorts" },
        { name = "wc_map_ms", read = milliseconds, default = 40000, doc = "ms of a map that counts words" },
        { name = "remote_ms", read = milliseconds, default = 3000, doc = "ms more where a map's input is not on its node" },
        { name = "reduce_start_ms", read = milliseconds, default = 3000, doc = "ms of each reduce, whatever its input" },
        { name = "reduce_block_ms", read = per_block, default = 42000, doc = "ms of a reduce for each block of its share of the input" },
        { name = "shuffle_block_ms", read = per_block, default = 12000, doc = "ms of its shuffle for each block" },
        { name = "wc_output_permille", read = readers.integer(0, OUTPUT_MOST), default = 100,
          doc = "thousandths of a block that counting words makes of one" },
    },
    settle = function(o)
        if hsrtf_count(o) == 0 then return "large", "no job is left (expected at least one large, medium, small_sort or small_wc)" end
        for _, kind in ipairs(KINDS) do
            local job = hsrtf_job(o, kind)
            if job.reduce_ms > TIME_MOST then return "reduce_block_ms", "gives reduces of more than 2^40 ms" end
            if job.shuffle_ms > TIME_MOST then return "shuffle_block_ms", "gives shuffles of more than 2^40 ms" end
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
            params = { heartbeat_ms = 3000, factor_lo = 500, factor_hi = 1000, locality_delay_ms = 5000, max_kills_per_task = 0 },
        }
    end,
}

-- ---- traces ------------------------------------------------------------------------------------------------

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

local REMOTE = { name = "remote_ms", read = milliseconds, default = 0, doc = "ms more where a map's input is not on its node" }

M.kinds = {
    hsrtf = hsrtf,
    rumen = trace(rumen.read, {
        doc = "a Rumen trace (Hadoop's job history as JSON), plain or gzip: tasks as long as they took, inputs where they lay",
        fields = {
            { name = "file", read = readers.path, required = true, doc = "the trace" },
            { name = "topology", read = readers.path, doc = "its topology file: the nodes; default: the hosts that the trace names" },
            { name = "outcome", read = readers.choice("success", "all"), default = "success",
              doc = "success: jobs that succeeded; all: of the others the tasks that did" },
            { name = "blocks", read = readers.choice("listed", "drawn"), default = "listed",
              doc = "nodes of the maps' inputs: as the trace lists them, or drawn at random" },
            REMOTE,
        },
        suggested = function(found)
            if found.nodes == 0 then return {} end
            return { nodes = { { count = found.nodes, map_slots = rumen.MAP_SLOTS, reduce_slots = rumen.REDUCE_SLOTS, speed = 1000 } } }
        end,
    }),
    google = trace(google.read, {
        doc = "task events of Google's cluster trace of 2011, plain or gzip: jobs of maps only, those that begin and end in the parts",
        fields = { { name = "file", read = readers.paths, required = true, doc = "its parts in order: FILE+FILE" } },
        suggested = function() return { nodes = { { count = 50, map_slots = 4, reduce_slots = 0, speed = 1000 } } } end,
    }),
}

-- ---- fields and jobs of generators that other models have too --------------------------------------------------------

---Those of facebook. Reduces get longer with the blocks that they share.
M.facebook_fields = {
    { name = "gap_ms", models = CLUSTER, read = readers.positive(1e12), default = 14000, doc = "mean ms between submissions" },
    { name = "map_ms", models = CLUSTER, read = distribution.read, default = 15500, doc = "ms of each map of a job" },
    { name = "remote_ms", models = CLUSTER, read = milliseconds, default = 0, doc = REMOTE.doc },
    { name = "reduce_ms", models = CLUSTER, read = distribution.read, default = 4600, doc = "ms of each reduce, whatever its input" },
    { name = "reduce_block_ms", models = CLUSTER, read = per_block, default = 7100,
      doc = "ms of a reduce for each block of its share of the input" },
    { name = "shuffle_block_ms", models = CLUSTER, read = per_block, default = 0, doc = "ms of its shuffle for each block" },
}

function M.facebook(o, seed, binding)
    return core.workload_facebook_cluster {
        jobs = o.jobs, bins = o.bins, gap_ms = o.gap_ms, map_ms = o.map_ms, reduce_ms = o.reduce_ms, remote_ms = o.remote_ms,
        reduce_block_ms = o.reduce_block_ms, shuffle_block_ms = o.shuffle_block_ms, seed = seed, replica = binding.replica,
    }
end

---Three quarters of these slots are busy with the default times.
function M.facebook_beside()
    return { nodes = { { count = 100, map_slots = 4, reduce_slots = 2, speed = 1000 } } }
end

---Those of swim. The rates are what Rumen traces of one cluster measure, but for writing, of which they say nothing.
M.swim_fields = {
    { name = "map_start_ms", models = CLUSTER, read = milliseconds, default = 3300, doc = "ms that each map takes to start" },
    { name = "remote_ms", models = CLUSTER, read = milliseconds, default = 0, doc = REMOTE.doc },
    { name = "reduce_start_ms", models = CLUSTER, read = milliseconds, default = 10600, doc = "ms that each reduce takes to start" },
    { name = "shuffle_rate", models = CLUSTER, read = quantity.bytes, default = "2.9MB", doc = "bytes that a reduce shuffles in a second" },
    { name = "write_rate", models = CLUSTER, read = quantity.bytes, default = "20MB", doc = "bytes that a reduce writes in a second" },
}

function M.swim(o)
    return core.workload_swim_cluster {
        path = o.file, unit = o.unit, reduce_bytes = o.reduce_bytes, scale_num = o.scale[1], scale_den = o.scale[2],
        tasks = math.min(o.tasks, TASKS_MOST),
        map_start_ms = o.map_start_ms, map_rate = o.map_rate, remote_ms = o.remote_ms, reduce_start_ms = o.reduce_start_ms,
        shuffle_rate = o.shuffle_rate, write_rate = o.write_rate, first = o.first, jobs = o.jobs,
    }
end

---For the largest of the traces at the default scale.
function M.swim_beside()
    return { nodes = { { count = 10, map_slots = 4, reduce_slots = 2, speed = 1000 } } }
end

return M
