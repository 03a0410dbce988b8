-- Traces in the Standard Workload Format of the Parallel Workloads Archive: parallel jobs as maps.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local readers = require "pinion.base.readers"
local swf = require "pinion.workload.swf"

local integer = readers.integer

local SLOTTED = { slotted = true }

-- Headers, and the names of groups once the jobs were read, by options.
local known = setmetatable({}, { __mode = "k" })

local function about(o)
    local found = known[o]
    if not found then
        local headers = swf.headers(o.file)
        found = { headers = headers, parts = swf.parts(o.file, headers) }
        known[o] = found
    end
    return found
end

local function fields_of(names)
    local fields = {}
    for i, name in ipairs(names) do fields[i] = swf.ATTRIBUTES[name] end
    return fields
end

local function open(o, binding)
    local found, names = about(o), o.attributes or {}
    local made, summary, groups = core.workload_swf {
        model = binding.model, parts = found.parts, first = o.first, jobs = o.jobs,
        statuses = o.status, group_field = swf.GROUPS[o.group].field,
        group_name = swf.group_namer(o.group), attributes = names,
        attribute_fields = fields_of(names), slot_ms = o.slot * 1000, estimates = o.estimates,
    }
    if not made then fault.located("usage", summary) end
    found.groups, summary.unit = groups, "job"
    return made, summary, { estimates = binding.model == "slotted" and o.estimates }
end

-- Groups are those of the jobs that are taken, whatever the model makes of these.
local function groups(o)
    if o.group == "none" then return {} end
    if not about(o).groups then open(o, { model = "cluster" }) end
    return about(o).groups
end

local function machines(o)
    return { machines = swf.processors(about(o).headers) }
end

local function nodes(o)
    return { nodes = swf.nodes(about(o).headers) }
end

local GROUP_NAMES = { "none", "user", "group", "application", "queue", "partition", "status",
    "size" }

local kind = {
    doc = "a trace of parallel jobs in the Standard Workload Format, plain or gzip: one map per "
        .. "processor",
    models = { slotted = true, cluster = true },
    beside = { slotted = machines, cluster = nodes },
    unit_ms = function(o) return o.slot * 1000 end,
    subject = "file",
    sized = true,
    fields = {
        { name = "file", read = readers.paths, required = true,
            doc = "the trace, or its parts in order: FILE+FILE" },
        { name = "slot", models = SLOTTED, read = integer(1, 1 << 30), default = 60,
            doc = "seconds in a slot" },
        { name = "estimates", models = SLOTTED, read = readers.boolean, default = false,
            doc = "true: policies see the time that users requested" },
        { name = "status", read = swf.read_status, default = "ran",
            doc = "jobs to take: ran, or completed, failed, cancelled, unknown, joined by +" },
        { name = "group", read = readers.choice(table.unpack(GROUP_NAMES)), default = "none",
            doc = "groups of the jobs: none, user, group, application, queue, partition, status "
                .. "or size" },
        { name = "attributes", read = swf.read_attributes,
            doc = "fields that become attributes of jobs, joined by +, such as user+queue" },
        { name = "first", read = integer(1), default = 1, doc = "row of the first job" },
        { name = "jobs", read = integer(1), doc = "number of rows; default: all" },
    },
    open = open,
    groups = groups,
    facts = function(o) return swf.facts(about(o).headers) end,
}

return { swf = kind }
