-- Timelines recorded during runs are those of the decision logs, in all models: random runs, and
-- such with failures, kills, suspensions, groups and ends before the last job. They survive
-- checkpoints, need constant memory, and are refused where they would mean nothing.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local models = require "pinion.models"
local of_runs = require "pinion.run.timeline"
local pinion = require "pinion"
local program = require "program"
local single = require "pinion.run.single"
local timeline = require "pinion.output.timeline"

local function decoded(name, arguments)
    return assert(core.json_decode(program.succeed(name, arguments), name))
end

local function near(a, b, most)
    return math.abs(a - b) <= 1e-9 * math.max(1, most)
end

-- ---- against decision logs ----------------------------------------------------------------------

-- Sums of what a log says, in the buckets of what was recorded. Buckets behind the last finish are
-- not those of the log.
local function check_series(name, recorded, logged)
    for _, series in ipairs(recorded.names) do
        local ours, theirs = recorded.runs[1].series[series], logged.runs[1].series[series]
        local most = 0.0
        for _, mean in ipairs(ours) do most = math.max(most, mean) end
        if theirs == nil and series ~= "backlog" then
            check.equal(name .. ": " .. series .. " is nowhere in the log", most, 0.0)
        end
        for x = 1, theirs and recorded.count or 0 do
            if not near(ours[x], theirs[x], most) then
                check.equal(string.format("%s: %s, bucket %d", name, series, x), ours[x], theirs[x])
            end
        end
        check.is_true(name .. ": " .. series, true)
    end
    for series, capacity in next, logged.runs[1].capacity do
        check.equal(name .. ": what there is of " .. series,
            recorded.runs[1].capacity[series] or capacity, capacity)
    end
end

-- The log of a run in the buckets that it recorded.
local function logged_of(result, log, width)
    local settings = single.settings_of(result)
    local jobs = models.find(result.model).log.needs_jobs
        and single.open(settings).core:jobs(100000) or nil
    return timeline.read({ log }, { jobs = jobs, machines = settings.machines, width = width })
end

local function check_run(name, options, buckets)
    options.log, options.quiet = program.file(name:gsub("[^%w]", "_") .. ".log"), true
    local bare = pinion.run(options)
    options.timeline = buckets
    local result = pinion.run(options)
    check.equal(name .. ": the same schedule", result.digest, bare.digest)
    local recorded = result:timeline()
    check.is_true(name .. ": at most as many buckets", recorded.count <= buckets)
    check.equal(name .. ": its end", recorded.to,
        recorded.from + recorded.count * recorded.width)
    local logged = logged_of(result, options.log, recorded.width)
    check.equal(name .. ": from", recorded.from, logged.from)
    check.equal(name .. ": buckets", recorded.count, logged.count)
    check_series(name, recorded, logged)
    return result, recorded
end

-- The slotted model's backlog by its log and its jobs: what has arrived by the end of each slot and
-- was neither run nor begun by then.
local function check_backlog(name, options, result, recorded)
    local change, last = {}, 0
    local function add(slot, units)
        change[slot], last = (change[slot] or 0) + units, math.max(last, slot)
    end
    local jobs = single.open(single.settings_of(result)).core:jobs(100000)
    for _, job in ipairs(jobs) do
        add(job.arrival, job.maps)
        for _, units in ipairs(job.reduces or {}) do add(job.arrival, units) end
    end
    for _, entry in ipairs(pinion.experiment.decisions(options.log)) do
        add(entry.slot or last, -(entry.map or entry.reduce or 0))
        for _, task in ipairs(entry.start or {}) do
            add(entry.slot, -jobs[entry.job].reduces[task])
        end
    end
    local backlog, at = 0, recorded.from
    for x, mean in ipairs(recorded.runs[1].series.backlog) do
        local sum = 0
        for _ = 1, recorded.width do
            backlog = backlog + (change[math.tointeger(at)] or 0)
            sum, at = sum + backlog, at + 1
        end
        check.equal(string.format("%s: backlog, bucket %d", name, x), mean, sum / recorded.width)
    end
end

local RUNS = {
    slotted = {
        { { machines = 30, workload = "zheng:1,slots=40" }, { "fifo", "fair", "srpt", "asrpt",
            "psrpt", "lrpt", "rfirst" } },
        { { machines = 12, reduce = "preemptive", workload = "zheng:0,slots=12" },
            { "fifo", "srpt", "dsrpt", "asrpt" } },
    },
    tandem = {
        { { workload = "lin,jobs=60,load=.9" }, { "fcfs", "ps", "klps", "maxsrpt", "splitsrpt",
            "bsrpt" } },
        { { workload = "lin,jobs=40,load=.8", overlap = false, speed = 1.5 }, { "fcfs", "ps",
            "maxsrpt" } },
    },
    makespan = {
        { { level = "task", map_slots = 5, reduce_slots = 3,
            workload = "rand_few,jobs=8,most=6" }, { "fifo", "mk_jr", "neh" } },
        { { level = "stage", map_slots = 12, reduce_slots = 8,
            workload = "rand_few,jobs=8,most=6" }, { "fifo", "mk_jr", "balanced_pools" } },
    },
    cluster = {
        { { nodes = "20x4x2", workload = "hsrtf" }, { "fifo", "fair", "hsrtf-prp", "hsrtf-pu" } },
        { { nodes = "12x2x2", failures = "50000:1:90000+120000:3:150000",
            params = { attempt_fail_permille = 60 }, workload = "hsrtf" }, { "fair", "hsrtf-pr" } },
        { { nodes = "20x2x2", workload = "rtmr" }, { "rtmr", "dc", "fifo" } },
    },
    dag = {
        { { workload = "dag:mixed,jobs=30,load=.9" }, { "fifo", "drf", "srpt", "tetris", "hfsp" } },
        { { workload = "dag:mixed,jobs=25,load=1.1", failures = "2000:0:9000+5000:2:20000" },
            { "fair", "capacity" } },
    },
}
local BUCKETS = { 2, 7, 64, 1000 }
for model, runs in next, RUNS do
    for r, run in ipairs(runs) do
        for i, policy in ipairs(run[2]) do
            local options = { model = model, policy = policy, seed = 10 * r + i }
            for name, value in next, run[1] do options[name] = value end
            local name = string.format("%s %d, %s", model, r, policy)
            local result, recorded = check_run(name, options, BUCKETS[(r + i) % #BUCKETS + 1])
            if model == "slotted" then check_backlog(name, options, result, recorded) end
        end
    end
end

-- ---- by hand ------------------------------------------------------------------------------------

-- Two machines: job 1 maps in slots 1 and 2, job 2 waits for slot 3 and reduces in slot 4.
local small = program.file("small.json", [[{ "model": "slotted", "machines": 2, "timeline": 4,
    "reduce": "preemptive", "jobs": [{ "arrival": 1, "maps": 4, "reduces": [] },
        { "arrival": 2, "maps": 1, "reduces": [2] }] }]])
local shown = decoded("small", { "simulate", small, "--policy", "fifo", "--format", "json",
    "--no-jobs" }).timeline
check.equal("begins with the first arrival", shown.from, 1.0)
for series, means in next, { jobs = "1 2 1 1", queue = "0 1 0 0", map = "2 2 1 0",
        reduce = "0 0 0 2", backlog = "2 3 2 0" } do
    local got = {}
    for x, mean in ipairs(shown.series[series]) do got[x] = string.format("%g", mean) end
    check.equal(series, table.concat(got, " "), means)
end
check.equal("there are two machines", shown.capacity.map, 2)
local csv = program.succeed("csv", { "simulate", small, "--policy", "fifo", "--format", "csv" })
check.contains("columns of csv", csv, "timeline_from,timeline_width,timeline_jobs,timeline_queue,")
check.contains("a series in a cell", csv, ",1.0,1.0,1.0 2.0 1.0 1.0,0.0 1.0 0.0 0.0,")
check.contains("as text", program.succeed("text", { "simulate", small, "--policy", "fifo",
    "--format", "table" }), "4 buckets of 1 slots, in json and csv")
check.equal("the command line over the file", decoded("halves", { "simulate", small, "--policy",
    "fifo", "--timeline", "2", "--format", "json" }).timeline.width, 2.0)
check.equal("and by --set", decoded("set", { "simulate", small, "--policy", "fifo", "--set",
    "timeline=3", "--format", "json" }).timeline.width, 2.0)

-- ---- ends before the last job -------------------------------------------------------------------

for _, case in ipairs {
    { model = "slotted", machines = 30, workload = "zheng:1,slots=40", policy = "fair",
        until_slot = 25 },
    { model = "tandem", workload = "lin,jobs=60,load=.9", policy = "ps", until_time = 33.5 },
    { model = "cluster", nodes = "20x4x2", workload = "hsrtf", policy = "fair",
        until_time = 300000 },
    { model = "dag", workload = "dag:mixed,jobs=30,load=.9", policy = "drf", until_time = 60001 },
} do
    local name = case.model .. ", stopped"
    case.timeline, case.log, case.quiet = 50, program.file(case.model .. "_stopped.log"), true
    local result = pinion.run(case)
    local recorded, path = result:timeline(), case.log
    local stop = case.until_time or case.until_slot + 1
    check.is_true(name .. ": up to its end", recorded.to >= stop
        and recorded.to - recorded.width < stop)
    local area, want = 0, 0
    for _, mean in ipairs(recorded.runs[1].series.jobs) do area = area + mean * recorded.width end
    for _, job in ipairs(result.jobs) do
        local came = job.arrival or job.submit
        want = want + math.max(0, math.min(job.finish
            and job.finish + (case.model == "slotted" and 1 or 0) or stop, stop) - came)
    end
    check.is_true(string.format("%s: jobs there, %s, and %s", name, area, want),
        near(area, want, want))
    check.is_true("there is a log", path ~= nil)
end

-- ---- checkpoints --------------------------------------------------------------------------------

for _, case in ipairs {
    { "slotted", { "--workload", "zheng:0,slots=400", "--set", "machines=120", "--every", "37",
        "--policy", "srpt" }, "150", "290" },
    { "tandem", { "--workload", "lin,jobs=300,load=.9", "--every", "11", "--policy", "ps" },
        "77.7", "200" },
    { "cluster", { "--workload", "hsrtf", "--set", "nodes=20x4x2", "--every", "20000",
        "--policy", "fair" }, "100000", "250000" },
    { "dag", { "--workload", "dag:mixed,jobs=60,load=.9", "--every", "7000", "--policy",
        "tetris" }, "50000", "90000" },
} do
    local model, arguments, first, second = table.unpack(case)
    local path = program.file(model .. ".checkpoint")
    arguments = program.joined({ "simulate", "--model", model, "--format", "json", "--no-jobs",
        "--timeline", "40" }, arguments, { "--checkpoint", path })
    local whole = decoded(model .. ", whole", arguments).timeline
    os.remove(path)
    program.succeed(model .. ", begun", program.joined(arguments, { "--until", first }))
    program.succeed(model .. ", resumed", { "resume", path, "--until", second })
    local resumed = decoded(model .. ", to the end", { "resume", path, "--until",
        model == "slotted" and "1000000" or "100000000" }).timeline
    check.equal(model .. ": the widths after checkpoints", resumed.width, whole.width)
    for series, means in next, whole.series do
        for x, mean in ipairs(means) do
            check.is_true(string.format("%s: %s after checkpoints, bucket %d", model, series, x),
                near(mean, resumed.series[series][x], mean))
        end
    end
end

local kept = { machines = 30, workload = "zheng:1,slots=40", policy = "fair", timeline = 40,
    checkpoint = program.file "kept.checkpoint", every = 10, quiet = true }
pinion.run(kept)
kept.resume, kept.timeline = true, 41
check.raises("another number of buckets", "timeline is 40 there and 41 here", pinion.run, kept)
kept.timeline = nil
check.raises("no timeline", "timeline is 40 there and not given here", pinion.run, kept)

-- ---- a run that starts again with more room, and a long one -------------------------------------

local crowd = { machines = 3, workload = "zheng:0,slots=600", policy = "fifo", quiet = true,
    timeline = 30 }
check.is_true("more jobs than the first block holds", pinion.run(crowd).peak_jobs > 1024)
check_run("a crowd", crowd, 30)

-- The most memory of a process of its own, in KB.
local function most_memory(jobs)
    local script = program.file("long.lua", string.format([[
local pinion = require "pinion"
local made = pinion.run { model = "tandem", workload = "lin,jobs=%d,load=.5", policy = "fcfs",
    keep_jobs = false, timeline = 100, quiet = true }
assert(made:timeline().count > 50 and made.finished == %d)
for line in io.lines "/proc/self/status" do
    local size = line:match "^VmHWM:%%s*(%%d+)"
    if size then print(size) end
end]], jobs, jobs))
    return tonumber(program.succeed("long", { "run", script }))
end
if not check.IS_SHORT then -- sanitizers keep what is freed
    -- 8 bytes of each job would be 8 MB; what differs from start to start are pages of 2 MB.
    local short, long = most_memory(2000), most_memory(1000000)
    check.is_true(string.format("constant memory: %d KB of 2000 jobs, %d KB of 1000000", short,
        long), long - short < 6500)
end

-- ---- comparisons and sweeps ---------------------------------------------------------------------

local options = { machines = 30, workload = "zheng:1,slots=40", policies = { "fifo", "srpt",
    "lrpt" }, timeline = 16, quiet = true }
local compared = pinion.compare(options)
local joined = compared:timeline()
check.equal("a run for each policy", #joined.runs, 3)
for i, run in ipairs(joined.runs) do
    local alone = pinion.run { machines = 30, workload = "zheng:1,slots=40", policy = run.policy,
        timeline = 16, quiet = true }:timeline()
    for series, means in next, run.series do
        local area, want = 0, 0
        for _, mean in ipairs(means) do area = area + mean * joined.width end
        for _, mean in ipairs(alone.runs[1].series[series]) do want = want + mean * alone.width end
        check.is_true(string.format("%s %s: %s, %s", run.policy, series, area, want),
            near(area, want, want))
    end
    check.equal("row " .. i, compared.rows[i].recorded.count, alone.count)
end
options.processes = 2
check.equal("from several processes", tostring(pinion.compare(options):timeline()),
    tostring(joined))
check.contains("as text", tostring(joined), "from   jobs  queue")
options.policies, options.processes = { "fifo" }, nil
options.over = { machines = { 20, 40 } }
local swept = program.file "swept.json"
local sweep = pinion.sweep(options)
sweep:json(swept)
for i, row in ipairs(assert(core.json_decode(check.read_file(swept), swept)).rows) do
    check.equal("sweep, row " .. i, #row.timeline.series.jobs, sweep.rows[i].recorded.count)
    check.equal("sweep, machines of row " .. i, row.timeline.capacity.map, row.machines)
end
sweep:csv(swept)
check.contains("sweep as csv", check.read_file(swept), ",timeline_from,timeline_width,")

-- ---- what is refused ----------------------------------------------------------------------------

for _, case in ipairs {
    { { "compare", "--workload", "zheng:0,slots=9", "--replicas", "2", "--timeline", "9" },
        "timeline: has no meaning over 2 replicas" },
    { { "sweep", "--workload", "zheng:0,slots=9", "--over", "machines=2,3", "--policies", "fifo",
        "--replicas", "2", "--timeline", "9" }, "timeline: has no meaning over 2 replicas" },
    { { "sweep", "--workload", "zheng:0,slots=9", "--over", "timeline=2,3", "--policies",
        "fifo" }, "over.timeline: cannot be varied" },
    { { "simulate", small, "--policy", "fifo", "--timeline", "1" },
        "--timeline: must be an integer in 2..1048576, got 1" },
} do
    local output, says, code = program.run(case[1])
    check.equal("exit code of " .. case[2], code, 2)
    check.equal("no output of " .. case[2], output, "")
    check.contains(case[2], says, case[2])
end
local function piece(from, width)
    return { from = from, width = width, count = 3, to = from + 3 * width, names = { "jobs" },
        runs = { { policy = "p", series = { jobs = { 1.0, 2.0, 3.0 } }, capacity = {} } } }
end
local two = of_runs.join { piece(1.0, 2.0), piece(1.0, 0.5) }
check.equal("in the widest buckets", two.width .. " " .. two.count .. " " .. two.to, "2.0 3 7.0")
check.equal("means of the narrow ones", table.concat(two.runs[2].series.jobs, " "), "1.5 0.0 0.0")
check.raises("of other fineness", "does not match the others", of_runs.join,
    { piece(0.0, 1.5), piece(0.0, 1.0) })
check.raises("of another beginning", "does not match the others", of_runs.join,
    { piece(0.0, 1.0), piece(1.0, 1.0) })
check.raises("no timeline was recorded", "timeline: none was recorded", function()
    pinion.compare { machines = 2, workload = { { arrival = 1, maps = 1 } }, policies = { "fifo" },
        quiet = true }:timeline()
end)

check.done()
