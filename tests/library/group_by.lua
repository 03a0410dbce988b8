-- group=size, user, queue, …: groups of the jobs of traces and lists.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local function failure(...)
    local ok, problem = pcall(...)
    return ok and "nothing" or tostring(problem)
end

-- Writes "user a: 1 3; user b: 2", the ids of the jobs of each group.
local function groups_of(workload, options)
    local by_group, names = {}, {}
    for id, job in ipairs(workload:jobs(options)) do
        local name = job.group or "none"
        if not by_group[name] then
            by_group[name] = {}
            names[#names + 1] = name
        end
        table.insert(by_group[name], id)
    end
    table.sort(names)
    for i, name in ipairs(names) do
        names[i] = name .. ": " .. table.concat(by_group[name], " ")
    end
    return table.concat(names, "; ")
end

-- ---- by size ------------------------------------------------------------------------------------

-- A class begins at its first size; the sizes of a job add up.
local SLOTTED = { { arrival = 1, maps = 9 }, { arrival = 2, maps = 4, reduces = { 3, 3 } },
    { arrival = 3, maps = 99 }, { arrival = 4, maps = 100 }, { arrival = 5, maps = 9999 },
    { arrival = 6, maps = 10000 }, { arrival = 7, maps = 123456 } }
check.equal("units of work", groups_of(pinion.workload.jobs(SLOTTED, { group = "size" })),
    "size 1-9: 1; size 10-99: 2 3; size 100-999: 4; size 1000-9999: 5; size 10000 and more: 6 7")
check.equal("work of the tandem model", groups_of(pinion.workload.jobs({
    { arrival = 0, map = 0.002 }, { arrival = 1, map = 0.015, shuffle = 0.005 },
    { arrival = 2, map = 50, shuffle = 50 }, { arrival = 3, map = 0.5 } }, { group = "size" }),
    { model = "tandem" }),
    "size 0.01-0.1: 2; size 0.1-1: 4; size 100 and more: 3; size below 0.01: 1")
check.equal("tasks of the cluster model", groups_of(pinion.workload.jobs({
    { submit = 0, maps = 8, reduces = 1, map_ms = 5, reduce_ms = 5 },
    { submit = 0, maps = 9, reduces = 1, map_ms = 5, reduce_ms = 5 } }, { group = "size" })),
    "size 1-9: 1; size 10-99: 2")
check.equal("tasks of all stages", groups_of(pinion.workload.jobs({
    { arrival = 0, stages = { { tasks = 6, duration = 1, demand = { 1 } },
        { tasks = 6, duration = 1, demand = { 1 } } } },
    { arrival = 0, stages = { { tasks = 6, duration = 1, demand = { 1 } } } } },
    { group = "size" })), "size 1-9: 2; size 10-99: 1")

-- Samples and other sizes leave jobs in their groups; attributes stay with them.
local sample = pinion.workload.jobs(SLOTTED, { group = "size", resample = "jobs(40)",
    attributes = { mark = 0 } })
for _, job in ipairs(sample:jobs()) do
    check.equal("its group", job.group == "size 1-9", job.maps == 9)
    check.equal("what it carries", job.mark, 0.0)
end
check.equal("sizes before load=", groups_of(pinion.workload.jobs(SLOTTED,
    { group = "size", load = 300, load_by = "sizes" }), { machines = 4 }),
    groups_of(pinion.workload.jobs(SLOTTED, { group = "size" })))

-- Statistics of the groups are those of their jobs, and the digest is that without groups.
local settings = { workload = pinion.workload.jobs(SLOTTED, { group = "size" }), machines = 30,
    policy = "fifo", quiet = true }
local result = pinion.run(settings)
check.equal("groups of a result", result.groups[2].group .. " " .. result.groups[2].finished,
    "size 10-99 2")
settings.workload = SLOTTED
check.equal("the same decisions", pinion.run(settings).digest, result.digest)
local compared = pinion.compare { workload = pinion.workload.jobs(SLOTTED,
    { group = "size", resample = "jobs" }), machines = 30, policies = { "fifo", "srpt" },
    replicas = 3, quiet = true }
check.equal("groups of replicas", compared.rows[2].groups[5].group, "size 10000 and more")

-- ---- csv files and lists ------------------------------------------------------------------------

local users = check.temporary_file "arrival,maps,user,shape\n1,4,ann,wide\n2,40,bob,wide\n"
local function of_csv(group) return pinion.trace.csv(users, { group = group }) end
check.equal("a column", groups_of(of_csv "user"), "ann: 1; bob: 2")
check.equal("sizes", groups_of(of_csv "size"), "size 1-9: 1; size 10-99: 2")
local size = check.temporary_file "arrival,maps,size\n1,4,big\n2,40,small\n"
check.equal("a column called size", groups_of(pinion.trace.csv(size, { group = "size" })),
    "big: 1; small: 2")
check.contains("neither", failure(of_csv, "users"), "group: the jobs have no text attribute "
    .. "'users' (they have shape, user; size groups the jobs by their size)")
check.contains("no sizes in a batch", failure(pinion.workload.jobs, { { map_time = 3 } },
    { group = "size" }), "group: the jobs have no text attribute 'size' (they have none)")

-- ---- traces -------------------------------------------------------------------------------------

local swim = check.temporary_file(
    "job0\t10\t10\t100\t0\t0\njob1\t20\t10\t2000000000000\t500000000000\t100\n")
for model, wanted in pairs { slotted = "size 1-9: 1; size 100-999: 2",
    cluster = "size 1-9: 1; size 100-999: 2" } do
    check.equal("swim, " .. model, groups_of(pinion.trace.swim(swim, { group = "size" }),
        { model = model, machines = model == "slotted" and 100 or nil }), wanted)
end
check.contains("words of swim", failure(pinion.trace.swim, swim, { group = "user" }),
    "group: must be size, got 'user'")
check.contains("no batch", failure(pinion.run, { model = "makespan", policy = "mk_jr",
    workload = pinion.trace.swim(swim, { group = "size" }) }),
    "group: is an option of the cluster, the slotted and the tandem models")

local RUMEN = "tests/data/rumen.json"
for group, wanted in pairs { user = "user geek1: 1 2 3", priority = "priority NORMAL: 1 2 3",
    size = "size 1-9: 1 2 3", none = "none: 1 2 3" } do
    check.equal("rumen by " .. group, groups_of(pinion.trace.rumen(RUMEN, { group = group })),
        wanted)
end
check.contains("queues of rumen", groups_of(pinion.trace.rumen(RUMEN, { group = "queue" })),
    "queue unknown: ")
check.contains("words of rumen", failure(pinion.trace.rumen, RUMEN, { group = "users" }),
    "group: must be none or user or queue or priority or size, got 'users' (did you mean 'user'?)")

local PARTS = { "tests/data/google_0.csv", "tests/data/google_1.csv" }
for group, wanted in pairs { class = "class 0: 2; class 2: 1 3", size = "size 1-9: 1 2 3",
    none = "none: 1 2 3" } do
    check.equal("google by " .. group, groups_of(pinion.trace.google(PARTS, { group = group })),
        wanted)
end
check.contains("users of google", groups_of(pinion.trace.google(PARTS, { group = "user" })),
    "user us/er+=: ")
check.contains("priorities", groups_of(pinion.trace.google(PARTS, { group = "priority" })),
    "priority 9: ")

local swf = check.temporary_file "1 0 0 60 4 -1 -1 4 60 -1 1 3 1 -1 0 -1 -1 -1\n"
check.equal("swf by size", groups_of(pinion.trace.swf(swf, { group = "size", attributes = "user" }),
    { model = "cluster" }), "size 1-9: 1")

check.equal("alibaba by size", groups_of(pinion.trace.alibaba("tests/data/alibaba_batch_task.csv",
    { group = "size" })), "size 1-9: 2 3; size 10-99: 1")

-- ---- generators and workloads in Lua ------------------------------------------------------------

local by_class = {}
for _, job in ipairs(pinion.workload.spec("zheng:0,slots=50,group=size"):jobs()) do
    local size = job.maps
    for _, reduce in ipairs(job.reduces) do size = size + reduce end
    check.equal("size of a generated job", job.group == "size 10-99", size >= 10 and size < 100)
    by_class[job.group] = true
end
check.is_true("two classes", by_class["size 1-9"] and by_class["size 10-99"])
check.equal("sizes in place of a generator's own groups",
    groups_of(pinion.workload.bursts { slots = 100, group = "size" }):match "^size", "size")

local made = [[return { name = "made", model = "slotted", %s
  generate = function(g)
    for i = 1, 3 do g:job { arrival = i, maps = i * 5, group = "g" %s } end
  end }]]
check.equal("a workload in Lua", groups_of(pinion.workload.script(made:format("", ""),
    { group = "size" })), "size 1-9: 1; size 10-99: 2 3")
local users = made:format('attributes = { user = { "a", "b" } },', ', user = "b"')
check.equal("one with a text attribute, by size", groups_of(pinion.workload.script(users,
    { group = "size" })), "size 1-9: 1; size 10-99: 2 3")
check.equal("and by that", groups_of(pinion.workload.script(users, { group = "user" })), "b: 1 2 3")
check.contains("by neither", failure(groups_of, pinion.workload.script(users,
    { group = "users" })), "group: the jobs have no text attribute 'users' (they have user; "
    .. "size groups the jobs by their size)")
check.contains("a generator has sizes only", failure(pinion.workload.spec, "zheng:0,group=user"),
    "group: must be size, got 'user'")

check.done()
