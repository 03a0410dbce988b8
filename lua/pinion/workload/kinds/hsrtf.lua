-- The jobs of the paper on hSRTF, table 2.

local core = require "pinion.core"
local readers = require "pinion.base.readers"

local CLUSTER = { cluster = true }

-- As in the kernel.
local TIME_MOST = 1 << 40

-- Such that no product of options leaves 64 bits, and no submission 53.
local BLOCK_MOST, MAPS_MOST, GAP_MOST, OUTPUT_MOST = 1 << 24, 1 << 20, 1 << 34, 10000

local milliseconds = readers.integer(0, TIME_MOST)
local per_block = readers.integer(0, BLOCK_MOST)

-- Its jobs in order of submission.
local KINDS = {
    { count = "large", size = "large", app = "sort" },
    { count = "medium", size = "medium", app = "sort" },
    { count = "small_sort", size = "small", app = "sort" },
    { count = "small_wc", size = "small", app = "wordcount" },
}
local SIZES = { "large", "medium", "small" }

-- Returns the time, rounded up, that a reduce takes for its share of the input, which goes through
-- it as a whole when it sorts, in part when it counts words.
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
            doc = "ms between submissions" },
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
            doc = "extra ms of a map whose input is on another node" },
        { name = "reduce_start_ms", read = milliseconds, default = 3000,
            doc = "ms of each reduce, independent of its input" },
        { name = "reduce_block_ms", read = per_block, default = 42000,
            doc = "ms of a reduce for each block of its share of the input" },
        { name = "shuffle_block_ms", read = per_block, default = 12000,
            doc = "ms of its shuffle for each block" },
        { name = "wc_output_permille", read = readers.integer(0, OUTPUT_MOST), default = 100,
          doc = "output of a wordcount map, in thousandths of its block" },
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
    beside = { cluster = function()
        return {
            nodes = { { count = 57, map_slots = 8, reduce_slots = 2, speed = 1000 } },
            params = { heartbeat_ms = 3000, factor_lo = 500, factor_hi = 1000,
                locality_delay_ms = 5000, max_kills_per_task = 0 },
        }
    end },
}

return { hsrtf = hsrtf }
