-- Traces of whole clusters for the cluster model: Rumen (Hadoop) and Google.

local core = require "pinion.core"
local google = require "pinion.workload.google"
local readers = require "pinion.base.readers"
local rumen = require "pinion.workload.rumen"

-- As in the kernel.
local TIME_MOST = 1 << 40

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

-- Makes a generator that gives what a reader finds in files.
local function trace(read, made)
    made.models, made.subject, made.sized = { cluster = true }, "file", true
    function made.open(o)
        local found = trace_of(o, read)
        return core.workload_cluster_table(found.jobs), found.summary
    end
    function made.names(o) return trace_of(o, read).names end
    function made.groups(o) return trace_of(o, read).groups end
    made.beside = { cluster = function(o) return made.suggested(trace_of(o, read)) end }
    return made
end

local REMOTE = { name = "remote_ms", read = readers.integer(0, TIME_MOST), default = 0,
    doc = "extra ms of a map whose input is on another node" }

return {
    rumen = trace(rumen.read, {
        doc = "a Rumen trace (Hadoop's job history as JSON), plain or gzip, with measured "
            .. "durations and input locations",
        fields = {
            { name = "file", read = readers.path, required = true, doc = "the trace" },
            { name = "topology", read = readers.path,
                doc = "topology file with the nodes; default: the hosts in the trace" },
            { name = "outcome", read = readers.choice("success", "all"), default = "success",
              doc = "success: jobs that succeeded; all: also the successful tasks of other jobs" },
            { name = "blocks", read = readers.choice("listed", "drawn"), default = "listed",
              doc = "nodes of the maps' inputs: listed in the trace, or drawn at random" },
            { name = "group", read = readers.choice("none", "user", "queue", "priority", "size"),
              default = "none", doc = "groups of the jobs: none, user, queue, priority or size" },
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
        doc = "task events of Google's cluster trace of 2011, plain or gzip: jobs that begin and "
            .. "end within the files, maps only",
        fields = {
            { name = "file", read = readers.paths, required = true,
              doc = "the parts of the trace in order: FILE+FILE" },
            { name = "group", read = readers.choice("none", "class", "user", "priority", "size"),
              default = "class",
              doc = "groups of the jobs: none, class (scheduling class), user, priority or size" },
        },
        suggested = function() return {
            nodes = { { count = 50, map_slots = 4, reduce_slots = 0, speed = 1000 } } } end,
    }),
}
