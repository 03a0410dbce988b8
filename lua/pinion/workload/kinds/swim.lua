-- SWIM traces (FB-2009, FB-2010), plain or gzip: bytes become tasks, or sizes in seconds.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local quantity = require "pinion.base.quantity"
local readers = require "pinion.base.readers"

local integer, positive, choice = readers.integer, readers.positive, readers.choice

-- Share of its time that a station may be asked to be busy: more than 1 is overload.
local LOAD_MAX, LOAD = 1000, 0.75

local SLOTTED, TANDEM, MAKESPAN, CLUSTER = { slotted = true }, { tandem = true },
    { makespan = true }, { cluster = true }
local TIMED = { slotted = true, tandem = true, cluster = true }
local BYTES = { slotted = true, makespan = true, cluster = true } -- where bytes become tasks
local PART = { makespan = true, cluster = true } -- where part of a trace is a workload of its own

-- As in the kernel.
local TIME_MOST, TASKS_MOST = 1 << 40, core.limits.job_tasks

local milliseconds = integer(0, TIME_MOST)

-- By model.
local READ = {}

function READ.slotted(o, binding)
    if not binding.machines then
        fault.usage("workload swim: machines: is required for jobs of the slotted model "
            .. "(an integer >= 1)")
    end
    return core.workload_swim {
        path = o.file, slot_seconds = o.slot, unit = o.unit, reduce_bytes = o.reduce_bytes,
        scale_num = o.scale[1], scale_den = o.scale[2], machines = binding.machines,
    }
end

function READ.tandem(o)
    return core.workload_swim_tandem {
        path = o.file, load = o.load or LOAD, shuffle_load = o.shuffle_load or o.load or LOAD,
        span = o.span,
        drop_zero = o.zero == "drop", balance = o.balance,
    }
end

function READ.makespan(o)
    return core.workload_swim_batch {
        path = o.file, unit = o.unit, reduce_bytes = o.reduce_bytes, scale_num = o.scale[1],
        scale_den = o.scale[2],
        tasks = o.tasks, map_start = o.map_start, map_rate = o.map_rate,
        reduce_start = o.reduce_start, reduce_rate = o.reduce_rate,
        first = o.first, jobs = o.jobs,
    }
end

function READ.cluster(o)
    return core.workload_swim_cluster {
        path = o.file, unit = o.unit, reduce_bytes = o.reduce_bytes, scale_num = o.scale[1],
        scale_den = o.scale[2],
        tasks = math.min(o.tasks, TASKS_MOST),
        map_start_ms = o.map_start_ms, map_rate = o.map_rate, remote_ms = o.remote_ms,
        reduce_start_ms = o.reduce_start_ms,
        shuffle_rate = o.shuffle_rate, write_rate = o.write_rate, first = o.first, jobs = o.jobs,
    }
end

local kind = {
    doc = "a SWIM trace (FB-2009, FB-2010), plain or gzip: bytes become tasks, or sizes in "
        .. "seconds (tandem)",
    models = { slotted = true, tandem = true, makespan = true, cluster = true },
    beside = {
        makespan = function() return { map_slots = 100, reduce_slots = 50 } end,
        -- for the largest of the traces at the default scale
        cluster = function()
            return { nodes = { { count = 10, map_slots = 4, reduce_slots = 2, speed = 1000 } } }
        end,
    },
    subject = "file",
    fields = {
        { name = "file", read = readers.path, required = true, doc = "the trace" },
        { name = "scale", models = BYTES, read = quantity.ratio, default = "1/100",
          doc = "factor on all bytes, taken as an exact ratio" },
        { name = "slot", models = SLOTTED, read = integer(1, 1 << 30), default = 10,
            doc = "seconds in a slot" },
        { name = "unit", models = BYTES, read = quantity.bytes, default = "128MiB",
          doc = "bytes of one unit of work, or of one map task" },
        { name = "reduce_bytes", models = BYTES, read = quantity.bytes, default = "1GiB",
            doc = "bytes of one reduce task" },
        { name = "load", models = TIMED, read = positive(LOAD_MAX),
          doc = "tandem: load of the map station, 0.75, whose work is load * span seconds; else "
              .. "the load to which the jobs are scaled" },
        { name = "shuffle_load", models = TANDEM, read = positive(LOAD_MAX),
            doc = "load of the shuffle station; default: load" },
        { name = "span", models = TANDEM, read = positive(1e9), default = 86400,
            doc = "seconds of the trace" },
        { name = "zero", models = TANDEM, read = choice("keep", "drop"), default = "keep",
          doc = "keep or drop rows that neither read nor shuffle" },
        { name = "balance", models = TANDEM, read = readers.boolean, default = false,
          doc = "cube root of every ratio shuffle / map" },
        { name = "first", models = PART, read = integer(1), default = 1,
            doc = "row of the first job" },
        { name = "jobs", models = PART, read = integer(1),
            doc = "number of rows; default: all" },
        { name = "tasks", models = PART, read = integer(1, 1 << 31), default = 100,
            doc = "reduce tasks of a job, at most" },
        { name = "map_start", models = MAKESPAN, read = integer(0, 1 << 30), default = 3,
          doc = "start-up seconds of each map task" },
        { name = "map_rate", models = PART, read = quantity.bytes, default = "4.7MB",
          doc = "bytes that a map task reads per second" },
        { name = "reduce_start", models = MAKESPAN, read = integer(0, 1 << 30), default = 11,
          doc = "start-up seconds of each reduce task" },
        { name = "reduce_rate", models = MAKESPAN, read = quantity.bytes, default = "2.9MB",
          doc = "bytes that a reduce task shuffles per second" },
        -- rates as Rumen traces of one cluster measure them, but for writing, of which they say
        -- nothing
        { name = "map_start_ms", models = CLUSTER, read = milliseconds, default = 3300,
            doc = "start-up ms of each map" },
        { name = "remote_ms", models = CLUSTER, read = milliseconds, default = 0,
            doc = "extra ms of a map whose input is on another node" },
        { name = "reduce_start_ms", models = CLUSTER, read = milliseconds, default = 10600,
            doc = "start-up ms of each reduce" },
        { name = "shuffle_rate", models = CLUSTER, read = quantity.bytes, default = "2.9MB",
            doc = "bytes that a reduce shuffles per second" },
        { name = "write_rate", models = CLUSTER, read = quantity.bytes, default = "20MB",
            doc = "bytes that a reduce writes per second" },
    },
    own_load = TANDEM,
    unit_ms = function(o, model) return model == "slotted" and o.slot * 1000 or 1000 end,
    open = function(o, binding)
        local workload, second = READ[binding.model](o, binding)
        if workload == nil then fault.located("usage", second) end
        return workload, second
    end,
}

return { swim = kind }
