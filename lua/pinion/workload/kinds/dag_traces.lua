-- Traces and profiles for the dag model: workflows of WfCommons, TPC-H queries, Alibaba's cluster.

local alibaba = require "pinion.workload.alibaba"
local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local readers = require "pinion.base.readers"
local tpch = require "pinion.workload.tpch"
local wfcommons = require "pinion.workload.wfcommons"

-- What was read for each set of options: jobs are asked for more than once.
local found = setmetatable({}, { __mode = "k" })

local function once(options, read)
    found[options] = found[options] or read(options)
    return found[options]
end

-- Makes a trace whose jobs are the same in every run.
local function trace(reader, nodes, made)
    local function trace_of(o) return once(o, reader.read) end
    made.models, made.subject = { dag = true }, "file"
    function made.names(o) return trace_of(o).list.names end
    function made.records(o) return trace_of(o).list.jobs end
    function made.open(o)
        return core.workload_dag_table(trace_of(o).list.jobs), trace_of(o).summary
    end
    made.beside = { dag = function()
        return { resources = { table.unpack(reader.RESOURCES) }, nodes = nodes() }
    end }
    return made
end

local function nodes_of(count, ...)
    local capacity = { ... }
    return function()
        return { { count = count, capacity = { table.unpack(capacity) }, speed = 1000 } }
    end
end

-- ---- TPC-H --------------------------------------------------------------------------------------

-- Reads the profiles of a file, and the jobs that were made of them last.
local function read_profiles(o)
    return { profiles = tpch.profiles(o.file) }
end

local function open_queries(o, binding)
    local of = once(o, read_profiles)
    of.made = tpch.made(of.profiles, o, binding.seed or o.seed, binding.replica)
    return core.workload_dag_table(of.made.list.jobs), of.made.summary
end

local function names_of_queries(o)
    return once(o, read_profiles).made.list.names
end

local executors, with_memory = nodes_of(10, 5), nodes_of(6, 10, 20480)

-- Returns the setting of the experiments that the profiles are from, and one with memory.
local function around_tpch(o)
    return { resources = tpch.resources(o),
        nodes = o.memory and with_memory() or executors() }
end

local queries = {
    doc = "profiles of TPC-H queries on Spark as JSON: each once, or drawn at random",
    random = true, models = { dag = true }, subject = "file",
    fields = {
        { name = "file", read = readers.path, required = true, doc = "the profiles" },
        { name = "sizes", read = tpch.read_sizes,
            doc = "sizes of the data in GB, joined by +, such as 2+10; default: all" },
        { name = "queries", read = tpch.read_queries,
            doc = "numbers of queries, joined by +, such as 1+3; default: all" },
        { name = "jobs", read = readers.integer(1, core.limits.jobs),
            doc = "number of queries drawn with replacement; default: each once, in the order of "
                .. "the file" },
        { name = "group", read = readers.choice("none", "size", "query"), default = "none",
            doc = "groups of the jobs: none, size or query" },
        { name = "cpu", read = distribution.read,
            doc = "cpu demand of each task of a stage; default: one executor" },
        { name = "memory", read = distribution.read,
            doc = "memory demand of each task of a stage; default: none" },
        readers.SEED,
    },
    open = open_queries,
    names = names_of_queries,
    groups = function(o) return tpch.groups(once(o, read_profiles).profiles, o) end,
    beside = { dag = around_tpch },
}

return {
    wfcommons = trace(wfcommons, nodes_of(4, 12000, 16384), {
        doc = "scientific workflows in WfFormat 1.5 (WfCommons), plain or gzip: a stage for each "
            .. "task",
        fields = { { name = "file", read = readers.paths, required = true,
            doc = "the workflows, a job each: FILE+FILE" } },
    }),
    tpch = queries,
    alibaba = trace(alibaba, nodes_of(4000, 96000, 1000000), {
        doc = "batch tasks of Alibaba's cluster trace of 2018, plain or gzip: graphs of stages",
        fields = {
            { name = "file", read = readers.paths, required = true,
                doc = "batch_task.csv, or its parts in order: FILE+FILE" },
            { name = "first", read = readers.integer(1), default = 1,
                doc = "first job to take, in the order of the file" },
            { name = "jobs", read = readers.integer(1),
                doc = "number of jobs; default: all" },
        },
    }),
}
