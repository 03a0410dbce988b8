-- lua/meta says what the library has: every function, parameter, option, field and
-- method, and nothing that is not there. What the library has is found by walking it and by running
-- it in all variants.

local here = arg[0]:match("^(.*/)") or "./"
local root = here .. "../../"
package.path = root .. "tests/support/?.lua;" .. root .. "scripts/reference/?.lua;" .. package.path
local check = require "check"
local conformance = require "conformance"
local generators = require "pinion.workload.generators"
local luacats = require "luacats"
local models = require "pinion.models"
local pinion = require "pinion"
local program = require "program"

local META = program.lines_of("ls " .. root .. "lua/meta/*.lua")
local file = luacats.read(table.unpack(META))

-- What objects hold for the library's own use. Each of these must be there, too.
local HIDDEN = {
    ["pinion.Result"] = { "counts", "expected", "group_stats", "interrupted", "lowest_at_end",
        "named", "rows", "stats",
                          "counts_of", "drop_rows", "flow_time_counts", "portable" },
    ["pinion.Comparison"] = { "completed", "expected", "interrupted" },
    ["pinion.ComparisonRow"] = { "against", "by_replica", "group_counts", "lowest_at_end",
        "pooled" },
    ["pinion.Sweep"] = { "completed", "interrupted", "machines", "reduce", "submitted", "title",
        "workload" },
    ["pinion.SweepRow"] = { "against", "by_replica", "cell", "lowest_at_end" },
    ["pinion.Workload"] = { "attribute_names", "default_policies", "depends_on_cluster",
        "fact_list", "files", "fill", "given",
        "generator", "group_names", "identity",
        "is_generated", "is_recorded", "list", "make", "only_model", "open", "options", "require",
        "script", "sized",
        "suggestions",
        "with" },
    ["pinion.Policy"] = { "chunk", "key_name", "keys", "orders" },
    ["pinion.PolicyParameter"] = { "absent", "encode", "form", "read" },
}

for _, name in ipairs { "Result", "Comparison", "ComparisonRow", "SweepRow" } do
    for _, model in ipairs { "Tandem", "Cluster", "Dag" } do
        HIDDEN["pinion." .. model .. name] = HIDDEN["pinion." .. name]
    end
    HIDDEN["pinion.Makespan" .. name] = {}
    for _, hidden in ipairs(HIDDEN["pinion." .. name]) do -- nothing arrives in a batch
        if hidden ~= "lowest_at_end" then
            table.insert(HIDDEN["pinion.Makespan" .. name], hidden)
        end
    end
end
for _, name in ipairs { "Result", "Comparison" } do
    HIDDEN["pinion.Cluster" .. name] = { "rules", table.unpack(HIDDEN["pinion." .. name]) }
    HIDDEN["pinion.Dag" .. name] = HIDDEN["pinion.Cluster" .. name]
end
HIDDEN["pinion.MakespanSweep"] = { "completed", "interrupted", "map_slots", "reduce_slots", "level",
    "submitted", "title", "workload" }
HIDDEN["pinion.ClusterSweep"] = { "completed", "interrupted", "nodes", "map_slots", "reduce_slots",
    "rules", "submitted", "title", "workload" }
HIDDEN["pinion.DagSweep"] = { "completed", "interrupted", "name", "resources", "nodes", "capacity",
    "rules", "submitted", "title", "workload" }
for _, model in ipairs { "Cluster", "Dag" } do
    HIDDEN["pinion." .. model .. "GroupResult"] = { "sums" }
    HIDDEN["pinion." .. model .. "ComparisonGroup"] = { "sums" }
end
HIDDEN["pinion.TandemSweep"] = { "completed", "interrupted", "speed", "overlap", "submitted",
    "title", "workload" }

conformance.open(file, HIDDEN)
local members_of, takes_nil = conformance.members_of, conformance.takes_nil

-- Two lists of names hold the same.
local function same_names(what, got, want)
    table.sort(got)
    table.sort(want)
    check.equal(what, table.concat(got, " "), table.concat(want, " "))
end

local function names_of(items)
    local names = {}
    for i, item in ipairs(items) do names[i] = item.name end
    return names
end

-- ---- the judge itself ---------------------------------------------------------------------------

local function fits(name, class, value)
    check.equal(name, conformance.class_mismatch(class, value), nil)
end

-- It must see each kind of difference.
local batches = { size = 2, count = 1, mean = 1.5, means = { 1.5 } }
fits("what fits", "pinion.Batches", batches)
for _, case in ipairs {
    { "count", 1.5, "is 1.5, not of type integer" },
    { "means", { "x" }, "means[1] is x, not of type number" }, { "means", 7, "not an array" },
    { "more", 1, "more is not annotated" }, { "mean", nil, "mean is nil" },
} do
    local changed = {}
    for key, value in next, batches do changed[key] = value end
    changed[case[1]] = case[2]
    check.contains("the judge sees " .. case[3],
        conformance.class_mismatch("pinion.Batches", changed), case[3])
end
conformance.forget()

-- ---- functions ----------------------------------------------------------------------------------

-- The function behind one that turns faults into messages.
local function inner(f)
    for i = 1, math.huge do
        local name, value = debug.getupvalue(f, i)
        if not name then return f end
        if name == "f" and type(value) == "function" then return value end
    end
end

local function parameters_of(f)
    local names = {}
    for i = 1, debug.getinfo(f, "u").nparams do names[i] = debug.getlocal(f, i) end
    return names
end

local function check_parameters(what, f, item)
    local names = parameters_of(inner(f))
    if item.method and names[1] == "self" then table.remove(names, 1) end
    check.equal("parameters of " .. what, table.concat(names, ", "),
        table.concat(names_of(item.params), ", "))
end

-- A table of functions and tables, such as the module itself.
local function check_module(class, value)
    local names, want = {}, names_of(class.fields)
    conformance.covered[class.name] = true
    for name in next, value do names[#names + 1] = name end
    for _, item in ipairs(class.methods) do
        want[#want + 1] = item.name
        if value[item.name] then
            check_parameters(class.name .. "." .. item.name, value[item.name], item)
        end
    end
    same_names("what " .. class.name .. " has", names, want)
    for _, item in ipairs(class.fields) do
        local below, entry = item.type.kind == "name" and file.classes[item.type.name],
            value[item.name]
        if below then
            check_module(below, entry)
        else
            check.equal(item.name, conformance.mismatch(item.type, entry, item.name), nil)
        end
    end
end

check_module(file.classes["pinion"], pinion)

-- The methods of an object by name: of results, what stands behind the guard of their fields.
local function class_of(object)
    local index = getmetatable(object).__index
    if type(index) == "table" then return index end
    local found = {}
    for _, item in ipairs { require "pinion.run.result", require "pinion.run.comparison",
        require "pinion.run.sweep", require "pinion.run.tune" } do
        if item.class.__name == getmetatable(object).__name then found = item.class end
    end
    return found
end

local function check_methods(class_name, object)
    local names, want, index = {}, {}, class_of(object)
    for name, f in next, index do
        if type(f) == "function" and not name:find("^__") and not conformance.is_hidden(class_name,
            name) then names[#names + 1] = name end
    end
    for i, item in ipairs(luacats.methods(file, file.classes[class_name])) do
        want[i] = item.name
        if index[item.name] then
            check_parameters(class_name .. ":" .. item.name, index[item.name], item)
        end
    end
    same_names("methods of " .. class_name, names, want)
end

-- ---- options ------------------------------------------------------------------------------------

local UNKNOWN = ("q"):rep(40)

-- A copy with one entry set, or taken away.
local function copy(original, name, value)
    local made = {}
    for key, entry in next, original do made[key] = entry end
    made[name] = value
    return made
end

local function split(list, separator)
    local names = {}
    for name in (list .. separator):gmatch("(.-)" .. separator) do names[#names + 1] = name end
    return names
end

local function message_of(f, ...)
    local ok, message = pcall(f, ...)
    return not ok and message or ""
end

-- The names in "unknown option (known: a, b)".
local function known_names(message)
    return split(message:match("%(known: (.-)%)") or "no list in: " .. message, ", ")
end

-- The words that an option takes, where these are all it takes.
local function words_of(item)
    local words = {}
    for i, member in ipairs(members_of(item.type)) do
        if member.kind ~= "literal" or type(member.value) ~= "string" then return nil end
        words[i] = member.value
    end
    return words
end

local function check_words(what, message, item)
    local list = message:match("must be (.-), got")
    same_names("words of " .. what, list and split(list, " or ") or known_names(message),
        words_of(item))
end

-- `call` takes options; with `required` alone it must be content.
local function check_options(class_name, call, required, except)
    local known, want = {}, names_of(luacats.fields(file, file.classes[class_name]))
    conformance.cover(class_name)
    for _, name in ipairs(known_names(message_of(call, copy(required, UNKNOWN, 1)))) do
        if name ~= except then known[#known + 1] = name end
    end
    same_names("options of " .. class_name, known, want)
    check.equal(class_name .. ", with what is required", message_of(call, required), "")
    for _, item in ipairs(luacats.fields(file, file.classes[class_name])) do
        local needed = required[item.name] ~= nil
            and message_of(call, copy(required, item.name, nil)) ~= ""
        check.equal(class_name .. "." .. item.name .. " may be left out", item.optional, not needed)
        local odd = message_of(call, copy(required, item.name, coroutine.create(print)))
        check.contains(class_name .. ": no coroutine will do as " .. item.name, odd, item.name)
        local misspelt = words_of(item) and message_of(call, copy(required, item.name, UNKNOWN))
        if misspelt then check_words(class_name .. "." .. item.name, misspelt, item) end
    end
end

local JOBS = { { arrival = 1, maps = 2, reduces = { 1 }, name = "a", group = "g" },
    { arrival = 3, maps = 1 } }
local RUN = { machines = 4, policy = "fifo", workload = JOBS, quiet = true }

check_options("pinion.RunOptions", pinion.run, RUN)
check_options("pinion.CompareOptions", pinion.compare, { machines = 4, workload = JOBS })
check_options("pinion.SweepOptions", pinion.sweep,
    { machines = 4, workload = JOBS, over = { reduce = { "preemptive" } } })

-- Those of tuning come beside the options of a run.
local TUNE = { machines = 4, workload = JOBS, policy = "fair_starvation",
    over = { starvation = { 0.0, 1.0 } }, quiet = true }
local of_run, of_tune = {}, {}
for _, item in ipairs(luacats.fields(file, file.classes["pinion.RunOptions"])) do
    of_run[item.name] = item.name ~= "policy"
end
for _, name in ipairs(known_names(message_of(pinion.tune, copy(TUNE, UNKNOWN, 1)))) do
    if not of_run[name] then of_tune[#of_tune + 1] = name end
end
same_names("options of pinion.TuneOptions", of_tune,
    names_of(luacats.fields(file, file.classes["pinion.TuneOptions"])))
conformance.cover "pinion.TuneOptions"
for _, item in ipairs(luacats.fields(file, file.classes["pinion.TuneOptions"])) do
    check.contains("no coroutine will do as " .. item.name,
        message_of(pinion.tune, copy(TUNE, item.name, coroutine.create(print))), item.name)
end

local FLUID = { { arrival = 0, map = 2, shuffle = 1, name = "a", group = "g" },
    { arrival = "7/2", map = 0.5 }, { arrival = 9 } }
check_options("pinion.TandemRunOptions", pinion.run,
    { model = "tandem", policy = "fcfs", workload = FLUID, quiet = true })
check_options("pinion.TandemCompareOptions", pinion.compare, { model = "tandem", workload = FLUID })
check_options("pinion.TandemSweepOptions", pinion.sweep,
    { model = "tandem", workload = FLUID, over = { speed = { 1, 2 } } })

local BATCH = { { maps = { 3, 3, 2 }, reduces = { 4 }, name = "a", group = "g" },
    { maps = { 2 }, reduces = { "1/2" } }, { map_time = "5/3" } }
local SLOTS = { model = "makespan", map_slots = 4, reduce_slots = 2, workload = BATCH }
check_options("pinion.MakespanRunOptions", pinion.run,
    copy(copy(SLOTS, "policy", "fifo"), "quiet", true))
check_options("pinion.MakespanCompareOptions", pinion.compare, SLOTS)
check_options("pinion.MakespanSweepOptions", pinion.sweep,
    copy(SLOTS, "over", { level = { "stage", "task" } }))

local TASKS = {
    { submit = 0, maps = 6, reduces = 2, map_ms = 100, remote_ms = 50, reduce_ms = 200,
        deadline = 9000, name = "a", group = "g" },
    { submit = 40, maps = 2, map_ms = 70, remote_ms = 10 }, { submit = 600, maps = 1, map_ms = 5 },
}
local CLUSTER = { model = "cluster", nodes = { { count = 4, map_slots = 1, reduce_slots = 1 } },
    workload = TASKS }
check_options("pinion.ClusterRunOptions", pinion.run,
    copy(copy(CLUSTER, "policy", "fifo"), "quiet", true))
check_options("pinion.ClusterCompareOptions", pinion.compare, CLUSTER)
check_options("pinion.ClusterSweepOptions", pinion.sweep,
    copy(CLUSTER, "over", { seed = { 1, 2 } }))
same_names("fields of a group of nodes",
    known_names(message_of(pinion.run,
    copy(copy(CLUSTER, "policy", "fifo"), "nodes", { { [UNKNOWN] = 1 } }))),
    names_of(file.classes["pinion.NodeGroup"].fields))
same_names("fields of a failure",
    known_names(message_of(pinion.run,
    copy(copy(CLUSTER, "policy", "fifo"), "failures", { { [UNKNOWN] = 1 } }))),
    names_of(file.classes["pinion.NodeFailure"].fields))
conformance.covered["pinion.NodeGroup"], conformance.covered["pinion.NodeFailure"] = true, true

local GRAPHS = {
    { arrival = 0, name = "a", group = "g", queue = "prod", deadline = 700, weight = 2,
        stages = { { tasks = 6, duration = 100, demand = { 1 } },
            { durations = { 50, 90 }, demand = { 2 }, parents = { 0 }, estimate = 80,
            start_ms = 5, name = "last" } } },
    { arrival = 40, queue = "dev", stages = { { tasks = 2, duration = 70, demand = { 1 } } } },
    { arrival = 600, queue = "dev", deadline = 1,
        stages = { { tasks = 1, duration = 5, demand = { 1 } } } },
}
local DAG = { model = "dag", nodes = { { count = 3, capacity = { 2 } } }, workload = GRAPHS }
check_options("pinion.DagRunOptions", pinion.run, copy(copy(DAG, "policy", "fifo"), "quiet", true))
check_options("pinion.DagCompareOptions", pinion.compare, DAG)
check_options("pinion.DagSweepOptions", pinion.sweep, copy(DAG, "over", { seed = { 1, 2 } }))
for field, class in next, { nodes = "pinion.DagNodeGroup", queues = "pinion.DagQueue" } do
    same_names("fields of " .. class, known_names(message_of(pinion.run,
        copy(copy(DAG, "policy", "fifo"), field, { { [UNKNOWN] = 1 } }))),
        names_of(file.classes[class].fields))
    conformance.covered[class] = true
end

local function one() return 1 end
check_options("pinion.EachOptions",
    function(options) return pinion.experiment.each(1, one, options) end, {})
check_options("pinion.JobsOptions", function(options) return pinion.workload.zheng {}:jobs(options)
    end, {})
local FIGURE = { path = program.directory .. "/figure.svg", data = "1\t2\n2\t3\n",
    script = "plot data" }
check_options("pinion.FigureOptions", pinion.experiment.figure, FIGURE)
check_options("pinion.Column", function(column) return pinion.experiment.table({ column }, {})
    end, { key = "x" })

local function check_generator(class_name, kind, call, except, required)
    check_options(class_name, call, required or {}, except)
    local defaults, want = {}, {}
    for _, field in ipairs(generators.find(kind).fields) do
        if field.default ~= nil then
            want[#want + 1] = field.name .. "=" .. tostring(field.default)
        end
    end
    for _, item in ipairs(file.classes[class_name].fields) do
        local default = item.doc:match("default (%S+)$")
        if default then defaults[#defaults + 1] = item.name .. "=" .. default end
    end
    same_names("defaults of " .. kind, defaults, want)
end

check_options("pinion.ListOptions",
    function(options) return pinion.workload.jobs(JOBS, options) end, {})
local list_of_jobs = check.temporary_file "arrival,maps\n1,2\n"
check_options("pinion.FileOptions",
    function(options) return pinion.trace.csv(list_of_jobs, options) end, {})
check_generator("pinion.ZhengOptions", "zheng", pinion.workload.zheng)
check_generator("pinion.BurstsOptions", "bursts", pinion.workload.bursts)
check_generator("pinion.FacebookOptions", "facebook", pinion.workload.facebook)
check_generator("pinion.LinOptions", "lin", pinion.workload.lin)
check_generator("pinion.Theorem2Options", "theorem2", pinion.workload.theorem2)
check_generator("pinion.Corollary4Options", "corollary4", pinion.workload.corollary4)
check_generator("pinion.Corollary6Options", "corollary6", pinion.workload.corollary6)
check_generator("pinion.NmtsOptions", "nmts", pinion.workload.nmts, nil,
    { f = { 1 }, g = { 2 }, h = { 3 } })
check_generator("pinion.HsrtfOptions", "hsrtf", pinion.workload.hsrtf)
check_generator("pinion.RtmrOptions", "rtmr", pinion.workload.rtmr)
check_generator("pinion.SwimOptions", "swim",
    function(options) return pinion.trace.swim("trace.tsv", options) end, "file")
check_generator("pinion.RumenOptions", "rumen",
    function(options) return pinion.trace.rumen("trace.json", options) end, "file")
check_generator("pinion.GoogleOptions", "google",
    function(options) return pinion.trace.google("part.csv", options) end, "file")
check_generator("pinion.SwfOptions", "swf",
    function(options) return pinion.trace.swf("trace.swf", options) end, "file")
check_generator("pinion.DagOptions", "dag", pinion.workload.dag)
check_generator("pinion.TpchOptions", "tpch",
    function(options) return pinion.trace.tpch("tpch.json", options) end, "file")
check_generator("pinion.AlibabaOptions", "alibaba",
    function(options) return pinion.trace.alibaba("batch_task.csv", options) end, "file")
for _, kind in ipairs { "rand_many", "rand_few", "one_wave", "t1_like", "straggler", "fb_mild",
        "fb_lognorm" } do
    check_options("pinion.BatchOptions", pinion.workload[kind], {})
end
local annotated = {}
for _, item in ipairs(file.classes["pinion.workload"].methods) do annotated[item.name] = true end
for _, item in ipairs(file.classes["pinion.trace"].methods) do annotated[item.name] = true end
for _, kind in ipairs(generators.names()) do
    check.is_true("generator " .. kind, annotated[kind])
end

-- A job of a table has the fields of a job of a scenario, and the same are required.
local job_fields = file.classes["pinion.Job"].fields
same_names("fields of a job",
    known_names(message_of(pinion.workload.jobs, { { arrival = 1, [UNKNOWN] = 1 } })),
    names_of(job_fields))
for _, item in ipairs(job_fields) do
    local job = { arrival = 1, maps = 1, reduces = { 1 }, name = "x", group = "y",
        estimate_maps = 1, estimate_reduces = 1 }
    check.equal("a job with " .. item.name, message_of(pinion.workload.jobs, { job }), "")
    job[item.name] = nil
    check.equal("a job needs no " .. item.name, message_of(pinion.workload.jobs, { job }) == "",
        item.optional)
end
conformance.covered["pinion.Job"] = true

-- … and so has one of the tandem model.
local tandem_fields = file.classes["pinion.TandemJob"].fields
same_names("fields of a tandem job",
    known_names(message_of(pinion.workload.jobs, { { arrival = 1, map = 1, [UNKNOWN] = 1 } })),
    names_of(tandem_fields))
for _, item in ipairs(tandem_fields) do
    local job = { arrival = "1/2", map = 1, shuffle = 1, name = "x", group = "y", estimate_map = 1,
        estimate_shuffle = "3/2" }
    check.equal("a tandem job with " .. item.name, message_of(pinion.workload.jobs, { job }), "")
    job[item.name] = nil
    check.equal("a tandem job needs no " .. item.name,
        message_of(pinion.workload.jobs, { job }) == "", item.optional)
end
conformance.covered["pinion.TandemJob"] = true

-- … and one of the cluster model, where a list may stand for a time.
local cluster_fields = file.classes["pinion.ClusterJob"].fields
same_names("fields of a cluster job",
    known_names(message_of(pinion.workload.jobs, { { submit = 0, map_ms = 1, [UNKNOWN] = 1 } })),
    names_of(cluster_fields))
local LISTED = { map_ms = "map_times", reduce_ms = "reduce_times", shuffle_ms = "shuffle_times" }
for _, item in ipairs(cluster_fields) do
    local job = { submit = 0, maps = 2, reduces = 1, map_ms = 5, remote_ms = 1, reduce_ms = 2,
        shuffle_ms = 3, deadline = 9, blocks = { { 0, 1 }, {} },
                  map_factor = { 500, 1000 }, reduce_factor = { 1 }, est_map_ms = 4,
                  est_reduce_ms = 1, input = 7, intermediate = 8, weight = 2, priority = -1,
                  name = "x", group = "y" }
    for time, list in pairs(LISTED) do
        if item.name == list then
            job[time], job[list] = nil, list == "map_times" and { 7, 0 } or { 8 }
        end
    end
    check.equal("a cluster job with " .. item.name, message_of(pinion.workload.jobs, { job }), "")
    job[item.name] = nil
    if item.name == "map_times" then job.map_ms = 5 end
    if item.name == "map_ms" then job.map_times = { 1, 2 } end
    if item.name == "reduces" then
        job.reduce_factor, job.reduce_times, job.shuffle_times = nil, nil, nil
    end
    check.equal("a cluster job needs no " .. item.name,
        message_of(pinion.workload.jobs, { job }) == "", item.optional)
end
conformance.covered["pinion.ClusterJob"] = true

-- … and one of the dag model, with its stages.
local GRAPH = GRAPHS[1]
local function with_stage(field, value)
    return { copy(GRAPH, "stages", { GRAPH.stages[1], copy(GRAPH.stages[2], field, value) }) }
end
same_names("fields of a dag job",
    known_names(message_of(pinion.workload.jobs, { copy(GRAPH, UNKNOWN, 1) })),
    names_of(file.classes["pinion.DagJob"].fields))
same_names("fields of a stage",
    known_names(message_of(pinion.workload.jobs, with_stage(UNKNOWN, 1))),
    names_of(file.classes["pinion.DagStage"].fields))
for _, item in ipairs(file.classes["pinion.DagJob"].fields) do
    local job = copy(GRAPH, item.name, nil)
    job[item.name] = nil
    local message = message_of(pinion.workload.jobs, { job, GRAPHS[2] })
    check.equal("a dag job needs no " .. item.name, message == "", item.optional)
end
check.equal("a dag job with all fields", message_of(pinion.workload.jobs, GRAPHS), "")
conformance.covered["pinion.DagJob"], conformance.covered["pinion.DagStage"] = true, true

-- … and one of the makespan model, where two fields say that a stage has work.
local makespan_fields = file.classes["pinion.MakespanJob"].fields
local EQUAL = { count = 2, duration = "1/2" }
same_names("fields of a makespan job",
    known_names(message_of(pinion.workload.jobs, { { maps = EQUAL, [UNKNOWN] = 1 } })),
    names_of(makespan_fields))
for _, item in ipairs(makespan_fields) do
    local job = { maps = EQUAL, reduces = { 3, 0.1, EQUAL, pinion.exact "1/3" }, map_time = 4,
        reduce_time = "7/2", map_slots = 3, reduce_slots = 2,
                  name = "x", group = "y" }
    check.equal("a makespan job with " .. item.name, message_of(pinion.workload.jobs, { job }), "")
    job[item.name] = nil
    check.equal("a makespan job needs no " .. item.name, message_of(pinion.workload.jobs, { job }),
        "")
end
same_names("fields of equal tasks",
    known_names(message_of(pinion.workload.jobs,
    { { maps = { count = 2, duration = 3, [UNKNOWN] = 1 } } })),
    names_of(file.classes["pinion.EqualTasks"].fields))
conformance.covered["pinion.MakespanJob"], conformance.covered["pinion.EqualTasks"] = true, true

-- ---- workloads, policies ------------------------------------------------------------------------

for _, made in ipairs {
    pinion.workload.zheng {}, pinion.workload.bursts {}, pinion.workload.facebook {},
    pinion.workload.spec "zheng:1",
    pinion.workload.lin {}, pinion.workload.corollary4 {}, pinion.workload.theorem2 { case = 1 },
    pinion.workload.straggler {},
    pinion.workload.script(root .. "examples/workloads/diurnal.lua"),
    pinion.workload.jobs { { arrival = 0, map = 1 } },
    pinion.workload.jobs(JOBS), pinion.trace.swim "trace.tsv",
    pinion.trace.csv(check.temporary_file "arrival,maps\n1,2\n"),
    pinion.trace.scenario(
        check.temporary_file '{"model":"slotted","machines":2,"jobs":[{"arrival":1,"maps":1}]}'),
} do
    fits("workload " .. made.text, "pinion.Workload", made)
    check_methods("pinion.Workload", made)
end

fits("a sample", "pinion.Sample", pinion.experiment.summary { 1, 2 })
local made = pinion.experiment.table(
    { { key = "x" }, { key = "y", title = "y", right = true, words = true, show = tostring } },
    { { x = 1 } })
fits("a table", "pinion.Table", made)
check_methods("pinion.Table", made)

local mine = pinion.policy [[
-- One that takes parameters of both kinds.
return { name = "mine", model = "slotted", key = "arrival", key_name = "arrival", params = {
    whole = { default = 1, min = 0, max = 9, doc = "a" }, any = { default = 0.5, doc = "b" },
    tab = { default = {}, doc = "c", shape = { type = "list", of = "number" } } } }]]
for _, parameter in ipairs(mine.policy.params) do
    fits("a parameter", "pinion.PolicyParameter", parameter)
end
fits("a policy from a text", "pinion.PolicyText", mine)
for _, policy in ipairs(pinion.policies()) do
    fits("policy " .. policy.name, "pinion.Policy", policy)
end
local of_models = 0
for _, model in ipairs(models.names()) do of_models = of_models + #pinion.policies(model) end
check.equal("policies of the models", of_models, #pinion.policies())

-- ---- tuning -------------------------------------------------------------------------------------

TUNE.subject_to, TUNE.reference = { "finished>=1", "mean_flow_time<=0" }, "fifo"
local tuned = pinion.tune(TUNE)
fits("what was tuned", "pinion.Tune", tuned)
check_methods("pinion.Tune", tuned)
TUNE.workload, TUNE.over = "zheng,slots=30", { starvation = "0.5..2.0:log" }
TUNE.runs, TUNE.replicas, TUNE.maximize, TUNE.subject_to = 40, 2, true, nil
fits("what was tuned with replicas", "pinion.Tune", pinion.tune(TUNE))
TUNE.until_slot = 1
fits("what had no end", "pinion.Tune", pinion.tune(TUNE))

-- ---- results in all variants --------------------------------------------------------------------

local directory = check.directory()

local with = check.with

local function weighted(list)
    return { workload = list, attributes = { weight = 2 } }
end

-- Replicas of a list, which differ.
local function resampled(list)
    return { replicas = 3, workload = pinion.workload.jobs(list,
        { attributes = { weight = 2 }, resample = "jobs" }) }
end

local BASE_RUN = { machines = 100, policy = "asrpt", workload = "facebook,jobs=200", quiet = true }
local VARIANTS = {
    { "a generator", {} },
    { "listed jobs, tight bound", { workload = JOBS, bounds = "tight", reduce = "preemptive" } },
    { "no bounds", { bounds = "none" } },
    { "no rows", { keep_jobs = false } },
    { "stopped", { until_slot = 40 } },
    { "stopped before any job", { workload = { { arrival = 9, maps = 1 } }, until_slot = 3 } },
    { "errors and warm-up", { error = "lognormal(1,0.5)", warmup = 20 } },
    { "warm-up by slots", { warmup = "50slots" } },
    { "a relaxation", { policy = "srpt" } },
    { "a timeline", { timeline = 8 } },
    { "a policy in Lua", { policy = mine } },
    { "more than the cluster can do", { machines = 20 } },
    { "checkpoints", { checkpoint = directory .. "/state", every = 100 } },
    { "weights", weighted(JOBS) },
}
for _, variant in ipairs(VARIANTS) do
    local result = pinion.run(with(BASE_RUN, variant[2]))
    fits("result of " .. variant[1], "pinion.Result", result)
    check_methods("pinion.Result", result)
end

local FLUID_RUN = { model = "tandem", policy = "maxsrpt", workload = "lin,jobs=200", quiet = true }
for _, variant in ipairs {
    { "a generator", {} },
    { "listed jobs, tight bound", { workload = FLUID, bounds = "tight", overlap = false } },
    { "no bounds", { bounds = "none", speed = 2 } },
    { "an interval", { workload = "lin,jobs=2000,load=0.3,map=exp(1),shuffle=0" } },
    { "a warm-up", { policy = "ps",
        workload = "lin,jobs=8000,map=exp(1),shuffle=0,arrivals=rates(0:0.02;40000:0.5)" } },
    { "a warm-up that is found", { warmup = "auto", workload = "lin,jobs=2000,map=exp(1)" } },
    { "no rows", { keep_jobs = false } },
    { "stopped", { until_time = 40 } },
    { "stopped before any job", { workload = { { arrival = 9, map = 1 } }, until_time = 3 } },
    { "errors and warm-up", { error = "lognormal(1,0.5)", warmup = 20 } },
    { "warm-up by time", { warmup = "50time" } },
    { "parameters", { policy = "splitsrpt", params = { lend = "none" } } },
    { "a timeline", { timeline = 8 } },
    { "slowdowns by size", { slowdown_by_size = "40x0.05" } },
    { "checkpoints", { checkpoint = directory .. "/fluid", every = 100 } },
    { "weights", weighted(FLUID) },
} do
    local result = pinion.run(with(FLUID_RUN, variant[2]))
    fits("tandem result of " .. variant[1], "pinion.TandemResult", result)
    check_methods("pinion.TandemResult", result)
end

local UNEVEN = { { maps = { "5/2", 3 }, reduces = { 1 } }, { maps = { "1/3" }, reduces = { 5 } } }
local BATCH_RUN = with(SLOTS, { policy = "uaas", level = "task", quiet = true })
for _, variant in ipairs {
    { "listed jobs", {} },
    { "weights", weighted(UNEVEN) },
    { "a generator, at stages", { workload = "rand_few,jobs=6", level = "stage" } },
    { "tight bound", { bounds = "tight" } },
    { "tight bound at stages", { bounds = "tight", level = "stage" } },
    { "tight bound that is no integer",
        { bounds = "tight", workload = UNEVEN, map_slots = 1, policy = "fifo" } },
    { "no bounds, no rows", { bounds = "none", keep_jobs = false } },
    { "given times", { policy = "johnson", level = "stage" } },
    { "a timeline", { timeline = 8 } },
    { "stopped", { until_time = "1/2" } },
    { "pools and parameters",
        { policy = "fixed_pools", params = { pools = { { nodes = 1, jobs = { 2 } } }, tie = "mkjr",
        cap = "requested" } } },
    { "the best ratio", { params = { search_ratio = true, total_slots = 5 } } },
} do
    local result = pinion.run(with(BATCH_RUN, variant[2]))
    fits("makespan result of " .. variant[1], "pinion.MakespanResult", result)
    check_methods("pinion.MakespanResult", result)
end

local CLUSTER_RUN = with(CLUSTER, { policy = "hsrtf-pr", quiet = true })
for _, variant in ipairs {
    { "listed jobs", {} },
    { "weights", weighted(TASKS) },
    { "a generator",
        { workload = "facebook,jobs=200", nodes = "20x2x1",
        params = { heartbeat_ms = 3000, factor_lo = 500 } } },
    { "no rows", { keep_jobs = false } },
    { "stopped", { until_time = 300 } },
    { "stopped while a job waits", { nodes = "1x1x1", until_time = 60 } },
    { "a timeline", { timeline = 8 } },
    { "stopped before any job",
        { workload = { { submit = 9, map_ms = 1, maps = 1 } }, until_time = 3 } },
    { "warm-up", { warmup = 1 } },
    { "warm-up by time", { warmup = "1ms" } },
    { "maps only", { workload = { { submit = 9, map_ms = 1, maps = 1 } } } },
    { "failures",
        { failures = "50:1:90", params = { attempt_fail_permille = 900, attempts_max = 1 } } },
    { "no node left", { nodes = "1x1x1", failures = "50:0" } },
    { "checkpoints", { checkpoint = directory .. "/cluster", every = 100 } },
    { "deadlines", { policy = "rtmr", workload = "rtmr,jobs=20" } },
} do
    local result = pinion.run(with(CLUSTER_RUN, variant[2]))
    fits("cluster result of " .. variant[1], "pinion.ClusterResult", result)
    check_methods("pinion.ClusterResult", result)
end

local DAG_RUN = with(DAG, { policy = "capacity", quiet = true })
local LAYERED = { workload = "dag:layered,jobs=200", resources = "cpu+memory",
    nodes = "10x16000/32768" }
local ONE_NODE = { { capacity = { 2 } } }
for _, variant in ipairs {
    { "listed jobs", { name = "some" } },
    { "a generator", LAYERED },
    { "no bounds, no groups", { bounds = "none", workload = { GRAPHS[3] } } },
    { "no rows", { keep_jobs = false } },
    { "rules", { params = { placement = "best", preempt = true, tick_ms = 10 } } },
    { "stopped", { until_time = 130 } },
    { "stopped by the scenario", { params = { max_time_ms = 130 } } },
    { "stopped before any job", { workload = { GRAPHS[3] }, until_time = 3 } },
    { "warm-up", { warmup = 1 } },
    { "warm-up by time", { warmup = "1ms" } },
    { "failures", { failures = "50:1:90" } },
    { "no node left", { nodes = ONE_NODE, failures = "50:0" } },
    { "no room", { queues = "prod:1:0:1+dev", nodes = ONE_NODE } },
    { "checkpoints", { checkpoint = directory .. "/dag", every = 100 } },
    { "attributes", { workload = GRAPHS, attributes = { priority = 1 } } },
} do
    local result = pinion.run(with(DAG_RUN, variant[2]))
    fits("dag result of " .. variant[1], "pinion.DagResult", result)
    check_methods("pinion.DagResult", result)
end

local COMPARISON = { machines = 100, workload = "facebook,jobs=100",
    policies = { "fifo", "asrpt", mine }, quiet = true }
for _, variant in ipairs {
    { "once", {} },
    { "once, tight", { workload = JOBS, bounds = "tight", reduce = "preemptive" } },
    { "weights", with(resampled(JOBS), { error = "lognormal(1,0.5)" }) },
    { "replicas", { replicas = 3, baseline = "asrpt", bounds = "tight" } },
    { "replicas, errors and warm-up",
        { replicas = 3, error = "lognormal(1,0.5)", warmup = { slots = 9 } } },
    { "replicas without bounds or groups",
        { replicas = 2, workload = "zheng:0,slots=20", bounds = "none" } },
    { "stopped before any job", { workload = { { arrival = 9, maps = 1 } }, until_slot = 3 } },
    { "hardly any load",
        { workload = "zheng:0,slots=60,load=.01", policies = { "fifo", "fair" } } },
    { "timelines", { timeline = 8 } },
} do
    local comparison = pinion.compare(with(COMPARISON, variant[2]))
    fits("comparison " .. variant[1], "pinion.Comparison", comparison)
    check_methods("pinion.Comparison", comparison)
end

local FLUID_COMPARISON = { model = "tandem", workload = "lin,jobs=100",
    policies = { "fcfs", "ps", "maxsrpt" }, quiet = true }
for _, variant in ipairs {
    { "once", {} },
    { "once, tight", { workload = FLUID, bounds = "tight", overlap = false } },
    { "weights", with(resampled(FLUID), { error = "lognormal(1,0.5)" }) },
    { "replicas",
        { replicas = 3, baseline = "ps", bounds = "tight",
        slowdown_by_size = { buckets = 3, width = 1 } } },
    { "replicas with groups, errors and warm-up",
        { workload = FLUID, replicas = 3, error = "lognormal(1,0.5)", warmup = { time = 1 } } },
    { "replicas without bounds", { replicas = 2, bounds = "none" } },
    { "warm-ups that are found", { replicas = 2, warmup = "auto" } },
    { "stopped before any job", { workload = { { arrival = 9, map = 1 } }, until_time = 3 } },
} do
    local comparison = pinion.compare(with(FLUID_COMPARISON, variant[2]))
    fits("tandem comparison " .. variant[1], "pinion.TandemComparison", comparison)
    check_methods("pinion.TandemComparison", comparison)
end

local WEIGHTED_BATCH = program.file("weighted.lua", [[
return { name = "weighted", model = "makespan", attributes = { weight = 1 },
  generate = function(g)
    for k = 1, 3 do g:job { maps = { g:random(1, 9) }, reduces = { 1 }, weight = k } end
  end }]])
local BATCH_COMPARISON = with(SLOTS,
    { level = "task", quiet = true, policies = { "uaas", "neh", "fixed_pools" } })
BATCH_COMPARISON.params = { pools = { { nodes = 1, jobs = { 2 } } } }
for _, variant in ipairs {
    { "once", {} },
    { "weights", weighted(UNEVEN) },
    { "weights of replicas", { workload = WEIGHTED_BATCH, replicas = 2, policies = { "uaas" } } },
    { "once, tight", { bounds = "tight", workload = UNEVEN, map_slots = 1, policies = { "fifo" },
        params = {} } },
    { "given times", { level = "stage", policies = { "johnson", "uaas" } } },
    { "replicas", { workload = "rand_few,jobs=6", replicas = 3, baseline = "neh",
        policies = { "uaas", "neh" }, bounds = "tight" } },
    { "replicas without bounds",
        { workload = "rand_few,jobs=6", replicas = 3, policies = { "uaas", "neh" },
        bounds = "none" } },
    { "ratios", { policies = { "uaas" }, params = { search_ratio = true } } },
    { "ratios of replicas",
        { workload = "rand_few,jobs=4", replicas = 5, params = { search_ratio = true },
        policies = { "uaas", "neh" } } },
    { "stopped", { until_time = "1/2" } },
} do
    local comparison = pinion.compare(with(BATCH_COMPARISON, variant[2]))
    fits("makespan comparison " .. variant[1], "pinion.MakespanComparison", comparison)
    check_methods("pinion.MakespanComparison", comparison)
end

local CLUSTER_COMPARISON = with(CLUSTER,
    { policies = { "fifo", "fair", "hsrtf-prp" }, quiet = true })
for _, variant in ipairs {
    { "once", {} },
    { "weights", with(resampled(TASKS), { params = { replication = 1 } }) },
    { "replicas", { replicas = 3, params = { replication = 1 } } },
    { "replicas of a generator, warm-up",
        { replicas = 2, workload = "facebook,jobs=100", nodes = "20x2x1", warmup = { ms = 9 } } },
    { "maps only", { replicas = 2, workload = { { submit = 9, map_ms = 1, maps = 1 } },
        params = { replication = 1 } } },
    { "stopped before any job",
        { workload = { { submit = 9, map_ms = 1, maps = 1 } }, until_time = 3 } },
    { "stopped before any job of a group", { until_time = 3 } },
    { "no node left", { nodes = "1x1x1", failures = "50:0" } },
    { "deadlines", { policies = { "fifo", "rtmr" }, workload = "rtmr,jobs=20" } },
    { "deadlines, replicas", { policies = { "fifo", "rtmr" }, workload = "rtmr,jobs=20",
        replicas = 2 } },
} do
    local comparison = pinion.compare(with(CLUSTER_COMPARISON, variant[2]))
    fits("cluster comparison " .. variant[1], "pinion.ClusterComparison", comparison)
    check_methods("pinion.ClusterComparison", comparison)
end

local DAG_COMPARISON = with(DAG, { policies = { "fifo", "drf", "tetris" }, quiet = true })
local DRAWN = { params = { factor_lo = 500, factor_hi = 1500 } }
for _, variant in ipairs {
    { "once", { name = "some" } },
    { "a generator", LAYERED },
    { "once, without bounds", { bounds = "none", workload = { GRAPHS[2], GRAPHS[3] } } },
    { "replicas", with(DRAWN, { replicas = 3 }) },
    { "replicas, warm-up", with(DRAWN, { replicas = 2, warmup = { ms = 9 } }) },
    { "stopped before any job", { workload = { GRAPHS[3] }, until_time = 3 } },
    { "stopped before any job of a group", { until_time = 3 } },
    { "no node left", { nodes = ONE_NODE, failures = "50:0" } },
} do
    local comparison = pinion.compare(with(DAG_COMPARISON, variant[2]))
    fits("dag comparison " .. variant[1], "pinion.DagComparison", comparison)
    check_methods("pinion.DagComparison", comparison)
end

local function check_sweeps(class_name, base, variants)
    local row_name, of_row = class_name .. "Row", {}
    for _, field in ipairs(luacats.fields(file, file.classes[row_name])) do
        if field.name then of_row[field.name] = true end
    end
    for _, variant in ipairs(variants) do
        local sweep = pinion.sweep(with(base, variant[2]))
        -- The values of the cell stand beside the annotated fields.
        for _, row in ipairs(sweep.rows) do
            for _, axis in ipairs(sweep.over) do
                check.is_true("a row has its " .. axis.name, row[axis.name] ~= nil)
                row[axis.name] = nil
            end
            for key in next, row do
                check.is_true("a row of a sweep has no more than annotated: " .. key, of_row[key]
                    or conformance.is_hidden(row_name, key))
            end
        end
        fits("sweep " .. variant[1], class_name, sweep)
        check_methods(class_name, sweep)
    end
end
check_sweeps("pinion.Sweep", COMPARISON, {
    { "over one", { over = { machines = { 90, 100 } } } },
    { "over two",
        { replicas = 2,
        over = { ["workload.gap"] = { 4, 5 }, error = { "constant(1)", "lognormal(1,1)" } } } },
    { "in order", { over = { { "reduce", { "preemptive", "nonpreemptive" } } } } },
})
check_sweeps("pinion.TandemSweep", FLUID_COMPARISON, {
    { "over speeds", { over = { speed = { 1, 1.5 } } } },
    { "over two",
        { replicas = 2, over = { ["workload.load"] = { 0.5, 0.9 }, overlap = { true, false } } } },
})

check_sweeps("pinion.MakespanSweep", BATCH_COMPARISON, {
    { "over sizes", { over = { slots = { "4x2", "6x4" } } } },
    { "over two", { over = { map_slots = { 4, 6 }, ["params.cap"] = { "none", "requested" } },
        policies = { "uaas" } } },
    { "over seeds", { over = { seed = { 1, 2 } } } },
    { "over replicas", { over = { level = { "stage", "task" } }, workload = "rand_few,jobs=5",
        replicas = 2, policies = { "uaas", "neh" } } },
})

check_sweeps("pinion.ClusterSweep", CLUSTER_COMPARISON, {
    { "over sizes", { over = { nodes = { "4x1x1", "8x1x1" } } } },
    { "over sizes, a generator",
        { over = { nodes = { "20x2x1", "40x2x1" } }, workload = "facebook,jobs=100" } },
    { "over two", { replicas = 2, over = { ["params.replication"] = { 1, 2 }, seed = { 1, 2 } } } },
    { "deadlines",
        { policies = { "fifo", "rtmr" },
        over = { workload = { "rtmr,jobs=20", "rtmr:II,jobs=20" } } } },
})

check_sweeps("pinion.DagSweep", DAG_COMPARISON, {
    { "over sizes", { name = "some", over = { nodes = { "3x2", "6x2" } } } },
    { "a generator", with(LAYERED, { over = { ["params.order"] = { "depth", "index" } } }) },
    { "over two", { replicas = 2, params = DRAWN.params,
        over = { ["params.placement"] = { "first", "spread" }, seed = { 1, 2 } } } },
})

-- Explanations: of a job that waits and ends, of one that does not, where capacity is not known, of
-- policies whose order says more or nothing.
local picks = pinion.policy [[return { name = "picks", model = "cluster",
    pick = function(s, node, kind)
        for job in s:jobs() do
            if s:pending(job, kind) > 0 then return job end
        end
    end }]]
for name, options in next, {
    waiting = { machines = 2, policy = "fifo", workload = { { arrival = 1, maps = 4, reduces = {} },
        { arrival = 1, maps = 1, reduces = { 2 } } } },
    unfinished = { machines = 2, policy = "fifo", until_slot = 1,
        workload = { { arrival = 1, maps = 4, reduces = {} },
            { arrival = 1, maps = 1, reduces = { 2 } } } },
    ["in need of room"] = { model = "dag", nodes = "1x2", policy = "fifo", workload = {
        { arrival = 0, stages = { { tasks = 1, duration = 9, demand = { 2 } } } },
        { arrival = 1, stages = { { tasks = 1, duration = 9, demand = { 1 } } } } } },
    ["of a policy without an order"] = { machines = 1, policy = "srpt", workload = {
        { arrival = 1, maps = 1, reduces = {} }, { arrival = 1, maps = 4, reduces = {} } } },
    ["of a policy that says more"] = { machines = 1, policy = "rfirst", workload = {
        { arrival = 1, maps = 1, reduces = {} }, { arrival = 1, maps = 4, reduces = {} } } },
    ["of a policy with two numbers"] = { model = "tandem", policy = "srptmap", workload = {
        { arrival = 1, map = 1, shuffle = 1 }, { arrival = 1, map = 4, shuffle = 1 } } },
    ["of a policy that picks"] = { model = "cluster", nodes = "1x1x1", policy = picks,
        workload = { { submit = 0, maps = 4, map_ms = 1000 },
            { submit = 1, maps = 4, map_ms = 1000 } } },
} do
    options.quiet = true
    local result = pinion.run(options)
    fits("explanation of a job " .. name, "pinion.Explanation", result:explain(2))
    for _, phase in ipairs(result:explain(2).phases) do
        fits("a phase of a job " .. name, "pinion.ExplainedPhase", phase)
        for _, at in ipairs(phase.orders or {}) do
            fits("an order of a job " .. name, "pinion.OrderAt", at)
        end
    end
    fits("an instant of a job " .. name, "pinion.Instant", result:instant(1))
    if result.complete then
        fits("the timeline of a job " .. name, "pinion.Timeline", result:timeline(3))
    end
end

for name, limit in next, { whole = 99, stopped = 1 } do
    local list = { { arrival = 1, maps = 4, reduces = {} },
        { arrival = 1, maps = 1, reduces = {} } }
    local function under(policy)
        return pinion.run { machines = 2, workload = list, policy = policy, until_slot = limit,
            quiet = true }
    end
    fits(name .. " runs that part", "pinion.Difference", under "fifo":diff(under "srpt"))
    local same = under "fifo":diff(under "fifo")
    same.groups = { { group = "a", jobs = 1, sooner = 0, later = 0, mean = 0.0 } }
    fits(name .. " runs that do not", "pinion.Difference", same)
end

-- Whatever is annotated was there in some variant, and missing in some where nil is allowed.
for _, item in ipairs(file.items) do
    if item.kind == "class" and conformance.covered[item.name] then
        for _, field in ipairs(item.fields) do
            local mark = conformance.met(field)
            if mark then
                local name = item.name .. "." .. field.name
                check.is_true(name .. " is there in some variant", mark.there)
                check.equal(name .. " is nil in some variant", mark.missing or false,
                    takes_nil(field))
            end
        end
    end
end

-- ---- figures ------------------------------------------------------------------------------------

local comparison = pinion.compare(COMPARISON)
local sweep = pinion.sweep(with(COMPARISON, { over = { machines = { 90, 100 } } }))
local fluid = pinion.compare(with(FLUID_COMPARISON, { slowdown_by_size = "4x0.5" }))
local function plotting(object)
    return function(options) return object:plot(directory .. "/figure.svg", options) end
end
check_options("pinion.PlotOptions", plotting(fluid), {})
check_options("pinion.PlotOptions",
    plotting(pinion.run(with(FLUID_RUN, { slowdown_by_size = "4x0.5" }))), {})
check.equal("a figure of a slotted comparison", message_of(plotting(comparison), {}), "")
check.contains("no slowdowns in the slotted model",
    message_of(plotting(comparison), { kind = "slowdown" }),
    "kind must be cdf or bars or convergence, got 'slowdown'")
check_options("pinion.SweepPlotOptions", plotting(sweep), {})
local drawn = pinion.run(RUN)
check_options("pinion.ChartOptions",
    function(options) return drawn:gantt(directory .. "/chart.svg", options) end, {})

-- ---- what a policy's file may hold --------------------------------------------------------------

local function refusal(fields, model)
    return message_of(pinion.policy,
        string.format('return { name = "x", model = "%s", %s }', model or "slotted", fields))
end

local SLOT, SERVES = "slot = function(s) end", "map = {}, shuffle = {}"
for class, fields in next, {
    ["pinion.PolicyDefinition"] = 'key = "arrival", qqqq = 1',
    ["pinion.OrderDefinition"] = SLOT .. ", orders = { o = { qqqq = 1 } }",
    ["pinion.StateArray"] = SLOT .. ", state = { a = { qqqq = 1 } }",
    ["pinion.ParameterDefinition"] = SLOT
        .. ', params = { p = { default = 1, doc = "d", qqqq = 1 } }',
} do
    conformance.covered[class] = true
    same_names("fields of " .. class, known_names(refusal(fields)),
        names_of(file.classes[class].fields))
end

conformance.covered["pinion.ShapeDefinition"] = true
same_names("fields of a shape", known_names(refusal(SLOT
    .. ', params = { p = { default = {}, doc = "d", shape = { type = "list", qqqq = 1 } } }')),
    names_of(file.classes["pinion.ShapeDefinition"].fields))

for class, fields in next, {
    ["pinion.TandemPolicyDefinition"] = SERVES .. ", qqqq = 1",
    ["pinion.TandemOrderDefinition"] = SERVES .. ", orders = { o = { qqqq = 1 } }",
    ["pinion.MapService"] = "map = { qqqq = 1 }, shuffle = {}",
    ["pinion.ShuffleService"] = "map = {}, shuffle = { qqqq = 1 }",
    ["pinion.TandemParameterDefinition"] = SERVES
        .. ', params = { p = { default = 1, doc = "d", qqqq = 1 } }',
} do
    conformance.covered[class] = true
    same_names("fields of " .. class, known_names(refusal(fields, "tandem")),
        names_of(file.classes[class].fields))
end

-- ---- workloads written in Lua -------------------------------------------------------------------

for class, fields in next, {
    ["pinion.WorkloadDefinition"] = "qqqq = 1",
    ["pinion.WorkloadParameterDefinition"] = "params = { p = { default = 1, qqqq = 1 } }",
} do
    conformance.covered[class] = true
    same_names("fields of " .. class, known_names(message_of(pinion.workload.script,
        "return { name = 'x', model = 'slotted', generate = print,\n" .. fields .. " }")),
        names_of(file.classes[class].fields))
end

-- Everything that a generator and a stream have, by what their metatables find.
pinion.run {
    machines = 1, policy = "fifo", quiet = true,
    workload = function(g)
        for class, object in next, { ["pinion.JobGenerator"] = g,
            ["pinion.RandomStream"] = g:stream(1),
            ["pinion.ArrivalProcess"] = g:arrivals "poisson(1)" } do
            conformance.covered[class] = true
            for _, list in ipairs { file.classes[class].fields, file.classes[class].methods } do
                for _, item in ipairs(list) do
                    check.is_true(class .. "." .. item.name, object[item.name] ~= nil)
                end
            end
        end
        for _, item in ipairs(file.classes["pinion.RandomStream"].methods) do
            check.is_true("the generator has " .. item.name, g[item.name] ~= nil)
        end
        g:job { arrival = 1, maps = 1 }
    end,
}

local ORDER = "order = function(s) end"
for class, fields in next, { ["pinion.MakespanPolicyDefinition"] = ORDER .. ", qqqq = 1" } do
    conformance.covered[class] = true
    same_names("fields of " .. class, known_names(refusal(fields, "makespan")),
        names_of(file.classes[class].fields))
end

for _, model in ipairs { "Cluster", "Dag" } do
    for class, fields in next, { PolicyDefinition = "qqqq = 1", Key = "key = { qqqq = 1 }" } do
        class = "pinion." .. model .. class
        conformance.covered[class] = true
        same_names("fields of " .. class, known_names(refusal(fields, model:lower())),
            names_of(file.classes[class].fields))
    end
end

local function definition(class, name)
    for _, item in ipairs(file.classes[class].fields) do
        if item.name == name then return item end
    end
end

for _, case in ipairs {
    { 'key = { changes = "qqqq", of = function(s, job) return 1 end }',
        { type = file.aliases["pinion.Changes"].type } },
    { SLOT .. ', orders = { o = { by = "arrival", jobs = "qqqq" } }',
        { type = file.aliases["pinion.OrderJobs"].type } },
    { SLOT .. ', orders = { o = { by = "qqqq" } }',
        { type = file.aliases["pinion.OrderKey"].type } },
    { SLOT .. ', virtual = "qqqq"', definition("pinion.PolicyDefinition", "virtual") },
    { SLOT .. ', load = "qqqq"', definition("pinion.PolicyDefinition", "load") },
    { SLOT .. ', modes = { "qqqq" }',
        { type = definition("pinion.PolicyDefinition", "modes").type.of } },
} do
    local list = refusal(case[1]):match("must be one of (.-);")
    same_names("words in " .. case[1], split(list or "no list in: " .. refusal(case[1]), ", "),
        words_of(case[2]))
end
local KEYED = "key = function(s, job) return 1 end"
for _, case in ipairs {
    { "shuffle = {}, map = { changes = 'qqqq', " .. KEYED .. " }",
        { type = file.aliases["pinion.TandemChanges"].type } },
    { SERVES .. ", orders = { o = { of = 'qqqq' } }",
        { type = file.aliases["pinion.TandemMembers"].type } },
    { "shuffle = {}, map = { key = 'qqqq' }",
        { type = file.aliases["pinion.TandemKernelKey"].type } },
    { "shuffle = {}, map = { serve = 'qqqq' }", definition("pinion.MapService", "serve") },
    { "map = {}, shuffle = { serve = 'qqqq' }", definition("pinion.ShuffleService", "serve") },
} do
    local list = refusal(case[1], "tandem"):match("must be one of (.-);")
    same_names("words in " .. case[1], split(list or "no list in: " .. refusal(case[1], "tandem"),
        ", "), words_of(case[2]))
end
for _, case in ipairs {
    { "key = { of = function(s, job, kind) return 1 end, changes = 'qqqq' }",
        { type = file.aliases["pinion.ClusterChanges"].type } },
    { "uses = { 'qqqq' }", { type = file.aliases["pinion.ClusterUse"].type } },
} do
    local list = refusal(case[1], "cluster"):match("must be one of (.-);")
    same_names("words in " .. case[1], split(list or "no list in: " .. refusal(case[1], "cluster"),
        ", "), words_of(case[2]))
end
for fields, alias in next, {
    ["key = { of = function(s, job) return 1 end, changes = 'qqqq' }"] = "pinion.DagChanges",
    ["uses = { 'qqqq' }"] = "pinion.DagUse",
} do
    local message = refusal(fields, "dag")
    same_names("words of " .. alias,
        split(message:match("must be one of (.-);") or "no list in: " .. message, ", "),
        words_of({ type = file.aliases[alias].type }))
end
for _, name in ipairs { "stage_time", "share", "cap", "task_order", "level" } do
    local message = refusal(ORDER .. ", " .. name .. " = 'qqqq'", "makespan")
    same_names("words of " .. name,
        split(message:match("must be one of (.-);") or "no list in: " .. message, ", "),
        words_of(definition("pinion.MakespanPolicyDefinition", name)))
end
for _, name in ipairs { "name", "model" } do
    local fields = { name = 'name = "x"', model = 'model = "slotted"' }
    fields[name] = nil
    local _, rest = next(fields)
    check.contains("a policy without " .. name,
        message_of(pinion.policy, "return { key = \"arrival\", " .. rest .. " }"), name)
    check.equal(name .. " is required", definition("pinion.PolicyDefinition", name).optional, false)
end

-- ---- the view s ---------------------------------------------------------------------------------

-- A userdata in a sandbox of its own can be called, but not listed: the list is read from its
-- source.
local function methods_in(...)
    local listed = {}
    for _, path in ipairs { ... } do
        local text = check.read_file(root .. path)
        for _, row in ipairs { '{"([%w_]+)", [%w]+_[%w_]+}', "VIEW_ASKED[_A-Z]*%(%s*([%l%d_]+),",
            "VIEW_ACTS%(%s*([%l%d_]+),", "VIEW_WALKS%(%s*([%l%d_]+)," } do
            for name in text:gmatch(row) do listed[#listed + 1] = name end
        end
    end
    return listed
end
---Returns the path of a file of a model's part for scripts.
local function of_model(model, name)
    return string.format("lua/pinion/models/%s/script/%s.c", model, name)
end
for class, paths in next, {
    ["pinion.SharedView"] = { "lua/policy/view.c", "lua/policy/labels.c" },
    ["pinion.View"] = { of_model("slotted", "view") },
    ["pinion.TandemView"] = { of_model("tandem", "view") },
    ["pinion.ClusterView"] = { of_model("cluster", "view"), of_model("cluster", "admission") },
    ["pinion.DagView"] = { of_model("dag", "view"), of_model("dag", "preempt") },
} do
    same_names("methods of " .. class, methods_in(table.unpack(paths)),
        names_of(file.classes[class].methods))
    conformance.covered[class] = true
end

-- What to give as a parameter.
local function argument_for(item, method)
    if item.name == "job" or item.name == "after" then return takes_nil(item) and "nil" or "job" end
    if item.name == "order" then
        return method == "share" and '"equal"' or method == "fill_shuffle" and '"stored"'
            or '"mine"'
    end
    local values = { what = '"all"', limit = "0", machines = "0", offer = "1", low = "1",
        high = "1", index = "1", station = '"map"',
                     rate = "0", capacity = "0", service = "{}", kind = '"map"', node = "0",
                     maps = "1", reduces = "1",
                     a = "1", b = "1", c = "1", weight = "1", most = "0", task = "1", ms = "1",
                     resource = "1", queue = "0", stage = "0", x = "1", permille = "1",
                     time = "0", name = '"weight"', default = "2" }
    return values[item.name] or error("no value for the parameter " .. item.name)
end

local RAW = { integer = "integer", number = "number", boolean = "boolean", ["nil"] = "nil",
              string = "string",
              ["pinion.JobHandle"] = "integer", ["pinion.View"] = "userdata",
              ["pinion.TandemView"] = "userdata",
              ["pinion.ClusterView"] = "userdata", ["pinion.DagView"] = "userdata",
              table = "table" }

-- The types that a result may have, as the policy below tells them apart.
local function raw_types(type_)
    local words = {}
    for i, member in ipairs(type_.kind == "name" and { type_ } or members_of(type_)) do
        words[i] = member.kind == "fun" and "function" or member.kind == "array" and "table"
            or RAW[member.name]
            or error("no raw type of " .. luacats.show(member))
    end
    return string.format("%q", table.concat(words, " "))
end

-- What is called elsewhere, in hooks of its own.
local SEPARATE = { serve = true, weigh = true, kill = true, kill_task = true, suspend = true,
    suspend_task = true, set_est = true, set_deadline = true, foresee = true,
                   estimate_anew = true, feed_back = true, limit = true, hold = true,
                   exchange = true, launch = true, suppose = true, kill_supposed = true,
                   spare_supposed = true }

-- A call of every method, each with what it is annotated to return.
local function calls_of(class)
    local calls = {}
    for _, item in ipairs(luacats.methods(file, file.classes[class])) do
        local arguments, results = {}, {}
        for i, param in ipairs(item.params) do arguments[i] = argument_for(param, item.name) end
        for i, result in ipairs(item.returns) do results[i] = raw_types(result.type) end
        local call = string.format("s:%s(%s)", item.name, table.concat(arguments, ", "))
        if not SEPARATE[item.name] and call ~= "s:estimate(job)" then
            calls[#calls + 1] = string.format("expect(%q, { %s }, %s)", item.name,
                table.concat(results, ", "), call)
        end
    end
    return table.concat(calls, "\n    ")
end

-- The text of a policy that calls every method of the view once and says so.
local function probe(class, text)
    local frame = [[
local function expect(name, types, ...)
  if select("#", ...) ~= #types then error(name .. " returned " .. select("#", ...) .. " values") end
  for i, words in ipairs(types) do
    local value = (select(i, ...))
    local kind = math.type(value) == "integer" and "integer" or type(value)
    local function names(word) return string.find(" " .. words .. " ", " " .. word .. " ", 1, true) end
    local found = names(kind) or kind == "integer" and names "number"
    if not found then error(name .. " returned " .. kind .. " for " .. words) end
  end
end
return {
  name = "probe", state = { "calls", list = { more = 2 } }, per_job = { "credit" },
  params = { weight = { default = 1.5, doc = "a parameter" } },
  ]] .. text .. [[
    CALLS
    if s.params.weight ~= 1.5 or s.state.calls ~= 0 or s.state.list[2] ~= 0 or s.per_job.credit[job] ~= 0 then error("memory") end
    error("every method was called")
  end,
}]]
    return pinion.policy((frame:gsub("CALLS", function() return calls_of(class) end)))
end
local outcome = message_of(pinion.run, with(RUN, { policy = probe("pinion.View", [[
  model = "slotted", virtual = "truth", work_conserving = false,
  orders = { mine = { by = "remaining", walk = true }, equal = { by = "share" } },
  slot = function(s)
    local job = s:next_at_least("mine", nil, 1)
    if not job or s:served_count() == 0 then return end
]]) }))
check.contains("every method of the view, as annotated", outcome, "every method was called")
outcome = message_of(pinion.run, with(FLUID_RUN, { policy = probe("pinion.TandemView", [[
  model = "tandem", ranks = true, work_conserving = false, orders = { mine = { of = "mapping" }, stored = { of = "backlog" } },
  rates = function(s)
    local job = s:first "mine"
    if not job then return end
]]) }))
check.contains("every method of the tandem view, as annotated", outcome, "every method was called")
check.equal("serve, as annotated", message_of(pinion.run, with(FLUID_RUN, { policy = pinion.policy [[
return { name = "serving", model = "tandem", map = {}, shuffle = {},
  init = function(s) s:serve("map", { serve = "share", limit = 2 }) end }]] })), "")
local NODES = { model = "cluster", nodes = { { count = 2, map_slots = 2, reduce_slots = 1 } },
    quiet = true,
                workload = { { submit = 0, maps = 3, reduces = 1, map_ms = 5000, reduce_ms = 9000 },
                    { submit = 12000, maps = 2, map_ms = 10 } } }
outcome = message_of(pinion.run, with(NODES, { policy = probe("pinion.ClusterView", [[
  model = "cluster", uses = { "estimates", "shares" }, key = { changes = "arrival", of = function(s, job, kind) return -s:id(job) end },
  plan = function(s, reason)
    local job = s:first "map"
    if reason ~= "arrival" then return end
]]) }))
check.contains("every method of the cluster view, as annotated", outcome, "every method was called")
check.contains("what is done in plan and preempt, as annotated", message_of(pinion.run, with(NODES, { policy = pinion.policy [[
return { name = "killing", model = "cluster", uses = { "shares", "suspends" },
  plan = function(s, reason) for job in s:jobs() do assert(select("#", s:weigh(job, 2)) == 0) end end,
  preempt = function(s, kind)
    local job = s:now() > 0 and s:first "reduce" or s:now() > 0 and 1
    if not job or s:running(job, "reduce") == 0 then return end
    assert(s:kill(job, "map", 1) == 0 and s:kill_task(job, "reduce", 1) == true)
    assert(s:suspend(job, "map", 1) == 0 and s:suspend(job, "reduce", 1) == 0)
    error "tasks were killed and suspended"
  end }]] })), "tasks were killed and suspended")
check.contains("what is done in admit, arrive and leave, as annotated", message_of(pinion.run, with(NODES, { policy = pinion.policy [[
return { name = "admitting", model = "cluster", records = true, uses = { "in_order" },
  key = { changes = "arrival", of = function(s, job) return s:submit(job) end },
  admit = function(s, job)
    assert(select("#", s:set_est(job, "map", 6000)) == 0 and select("#", s:set_deadline(job, 8000)) == 0)
    assert(select("#", s:foresee(job)) == 2 and select("#", s:estimate(job)) == 1 and s:estimate(job) == nil)
    local finish, blocker = s:foresee(job)
    assert(math.type(finish) == "integer" and (s:id(job) == 1 and blocker == job or blocker == nil))
    return true
  end,
  arrive = function(s, job)
    assert(select("#", s:limit(job, "map", 2)) == 0 and select("#", s:limit(job, "map")) == 0)
    assert(select("#", s:hold(job, "reduce", 9000)) == 0 and math.type(s:estimate(job)) == "integer")
  end,
  leave = function(s, job)
    assert(math.type(s:estimate_anew(job)) == "integer" and select("#", s:feed_back(job)) == 0)
    error "all of it was called"
  end }]] })), "all of it was called")
local TICKING = copy(copy(DAG, "params", { tick_ms = 10 }), "workload", {
    { arrival = 0, stages = { { tasks = 9, duration = 100, demand = { 1 } } } } })
outcome = message_of(pinion.run, with(TICKING, { quiet = true, policy = probe("pinion.DagView", [[
  model = "dag", uses = { "queues", "limits", "virtual", "preempts" },
  queue_key = function(s, queue) return s:queue_weight(queue) end,
  preempt = function(s)
    local job, running = s:first_offered(0), 0
    for _ in s:attempts_on(0) do running = running + 1 end
    if not job or s:running_in(job, 0) == 0 or running == 0 then return end
]]) }))
check.contains("every method of the dag view, as annotated", outcome, "every method was called")
check.contains("what is done in init and preempt, as annotated",
    message_of(pinion.run, with(TICKING, { quiet = true, policy = pinion.policy [[
return { name = "killing", model = "dag", uses = { "preempts" },
  key = { changes = "arrival", of = function(s, job) return s:arrival(job) + 1 end },
  align = function(s, job, stage, node) return 1 end,
  init = function(s) assert(select("#", s:exchange(500)) == 0) end,
  preempt = function(s)
    local job, stage, task = s:attempts_on(0)()
    if not job then return end
    assert(select("#", s:suppose(0, job, stage, task)) == 0)
    assert(select("#", s:spare_supposed()) == 0 and s:kill(0, job, stage, task) == true)
    assert(select("#", s:launch(job, stage, 0)) == 0)
    job, stage, task = s:attempts_on(0)()
    assert(select("#", s:suppose(0, job, stage, task)) == 0)
    assert(select("#", s:kill_supposed()) == 0)
    error "tasks were killed and launched"
  end }]] })), "tasks were killed and launched")
local MAKESPAN_METHODS = methods_in(of_model("makespan", "view"), "lua/policy/labels.c")
table.move({ "random", "uniform" }, 1, 2, #MAKESPAN_METHODS + 1, MAKESPAN_METHODS)
same_names("methods of pinion.MakespanView", MAKESPAN_METHODS,
    names_of(file.classes["pinion.MakespanView"].methods))
conformance.covered["pinion.MakespanView"] = true
outcome = message_of(pinion.run,
    { model = "makespan", map_slots = 4, reduce_slots = 2, quiet = true,
    workload = { { maps = { 3, 3, 2 }, reduces = { 4 } }, { maps = { 2 }, reduces = { "1/2" } } }, policy = pinion.policy [[
-- Calls every method of the view, of scores and of exact numbers once and says so.
return { name = "probe", model = "makespan", order = function(s)
  local stretch, score, half = s:stretches(1, "map")[1], s:evaluate { 1 }, exact "1/2"
  local integers = { s:jobs(), s:slots "map", s:nodes(), s:tasks(1, "map"), s:requested(1, "map"), s:random(1, 2), stretch.count,
                     half:num(), half:den(), half:floor(), half:ceil() }
  for i, value in ipairs(integers) do assert(math.type(value) == "integer", i) end
  local exacts = { s:work(1, "map"), s:longest(1, "map"), s:estimate(1, "map", "fluid", 2), stretch.duration, score:makespan(),
                   score:total_completion(), half + half, half - 1, 2 * half, half / 3, -half }
  for i, value in ipairs(exacts) do assert(type(value) == "userdata" and value:den() >= 1, i) end
  assert(s:level() == "stage" and s:order_set() == nil and s:pools_set() == nil and math.type(s:uniform()) == "float")
  assert(math.type(half:number()) == "float" and score:better(score) == false and s:evaluate({ 1 }, { best = score }) == nil)
  assert(s:attribute(1, "weight", 2) == 2 and #s:attributes() == 0 and #s:groups() == 0 and s:group(1) == 0 and s:group_name(1) == nil)
  local order = s:johnson { estimate = "waves" }
  assert(#order == 2 and math.type(order[1]) == "integer")
  error "every method was called"
end }]] })
check.contains("every method of the makespan view, as annotated", outcome,
    "every method was called")
for _, name in ipairs { "Exact", "Score", "Stretch", "MakespanPool" } do
    conformance.covered["pinion." .. name] = true
end
same_names("methods of pinion.Score", { "better", "makespan", "total_completion" },
    names_of(file.classes["pinion.Score"].methods))
same_names("methods of pinion.Exact", { "ceil", "den", "floor", "num", "number" },
    names_of(file.classes["pinion.Exact"].methods))
same_names("fields of the view", { "params", "per_job", "state" },
    names_of(file.classes["pinion.SharedView"].fields))

-- ---- the file itself ----------------------------------------------------------------------------

local function check_name(where)
    return function(name)
        check.is_true(where .. ": the type " .. name .. " is known", conformance.BASE[name]
            or file.classes[name] or file.aliases[name])
    end
end
for _, item in ipairs(file.items) do
    if item.kind == "alias" then luacats.names(item.type, check_name(item.name)) end
    for _, part in ipairs { item.fields or {}, item.params or {}, item.returns or {} } do
        for _, one in ipairs(part) do luacats.names(one.type, check_name(item.name)) end
    end
    if item.kind == "class" then
        check.is_true(item.name .. " is checked by this test", conformance.covered[item.name])
    end
    if item.kind == "function" then
        check.is_true(item.class.name .. "." .. item.name .. " says what it does", item.doc ~= ""
            or #item.returns > 0)
    end
end
for class, names in next, HIDDEN do
    for _, name in ipairs(names) do
        check.is_true("hidden " .. class .. "." .. name .. " is there",
            conformance.hidden_seen[class .. "." .. name])
    end
end
for text, why in next, {
    ["---@fild x integer"] = "unknown tag @fild",
    ["---@class A\n---@field x tab<"] = ":2: expected",
    ["---@param x integer\nfunction A.f(y) end"] = "nothing is known of A",
} do
    check.raises("refused: " .. text, why, luacats.read, check.temporary_file(text .. "\n"))
end

-- ---- what files name for editors ----------------------------------------------------------------

local named = 0
for _, path in ipairs(program.lines_of("cd " .. root .. " && ls examples/policies/*.lua "
    .. "examples/workloads/*.lua lua/pinion/models/*/*_template.lua")) do
    local of = assert(io.open(root .. path)):read "a"
    check.contains(path .. " says what its table is", of, "---@type pinion.")
    for class in of:gmatch "%-%-%-@%l+ [%l ]*pinion%.(%u%w+)" do
        named = named + 1
        check.is_true(path .. ": pinion." .. class .. " is there", file.classes["pinion." .. class]
            or file.aliases and file.aliases["pinion." .. class])
    end
end
check.is_true("files name types", named > 20)
local settings = assert(io.open(root .. ".luarc.json")):read "a"
for folder in settings:match('"workspace.library": %[(.-)%]'):gmatch '"(.-)"' do
    check.is_true(folder .. " has the annotations", io.open(root .. folder .. "/pinion.lua"))
end

-- ---- the reference that is made of it -----------------------------------------------------------

local reference, messages, code = program.run { "run", root .. "scripts/reference/api.lua",
    table.unpack(META) }
check.equal("the reference is made", messages .. code, "0")
local anchors, headings = {}, {}
for title in reference:gmatch("\n#+ ([^\n]+)") do
    local anchor = title:lower():gsub("[^%w%- _]", ""):gsub(" ", "-")
    check.is_true("one heading is '" .. title .. "'", not anchors[anchor])
    anchors[anchor], headings[title] = true, true
end
for target in reference:gmatch("%]%(#([^)]+)%)") do
    check.is_true("a link leads to " .. target, anchors[target])
end
for _, item in ipairs(file.items) do
    local title = item.name
    if item.kind == "function" then title = item.class.name .. (item.method and ":" or ".")
        .. item.name end
    local module = item.kind == "class" and item.methods[1] and not item.methods[1].method
    local heading = item.kind == "function" and not item.method and "function " .. title or title
    if not module then check.is_true("a heading for " .. title, headings[heading]) end
    for _, part in ipairs { item.fields or {}, item.params or {} } do
        for _, one in ipairs(part) do
            local row = one.name and not module and "| `" .. one.name
                .. (one.optional and "?" or "") .. "` |"
            if row then check.contains(title .. " has " .. one.name, reference, row) end
        end
    end
end

check.done()
