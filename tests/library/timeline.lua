-- What happened over time: the areas of series are those of the results, in all models; small
-- examples by hand; several policies; what cannot be shown.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"
local program = require "program"

local function decoded(name, arguments)
    return assert(core.json_decode(program.succeed(name, arguments), name))
end

local function timeline(name, ...)
    return decoded(name, { "timeline", "--format", "json", ... })
end

-- The area of a series.
local function area(made, run, name)
    local sum = 0.0
    for _, mean in ipairs(made.runs[run].series[name]) do sum = sum + mean end
    return sum * (made.to - made.from) / made.buckets
end

local function near(name, got, want)
    check.is_true(string.format("%s: got %s, want %s", name, got, want),
        math.abs(got - want) <= 1e-9 * math.max(1, math.abs(want)))
end

-- ---- by hand ------------------------------------------------------------------------------------

-- Two machines: job 1 maps in slots 1 and 2, job 2 waits for slot 3 and reduces in slot 4.
local small = program.file("small.json", [[{ "model": "slotted", "machines": 2,
    "reduce": "preemptive", "jobs": [{ "arrival": 1, "maps": 4, "reduces": [] },
        { "arrival": 2, "maps": 1, "reduces": [2] }] }]])
local made = timeline("small", small, "--policies", "fifo", "--buckets", "4")
check.equal("from the first arrival to the end of the last slot", made.from .. " " .. made.to,
    "1.0 5.0")
for name, means in next, { jobs = "1 2 1 1", waiting = "0 1 0 0", queue = "0 1 0 0",
        map = "2 2 1 0", reduce = "0 0 0 2" } do
    local got = {}
    for x, mean in ipairs(made.runs[1].series[name]) do got[x] = string.format("%g", mean) end
    check.equal(name, table.concat(got, " "), means)
end
check.equal("there are two machines", made.runs[1].capacity.map, 2)
local halves = timeline("halves", small, "--policies", "fifo", "--buckets", "2")
check.equal("means of two slots", table.concat(halves.runs[1].series.jobs, " "), "1.5 1.0")

local result = pinion.run { machines = 2, reduce = "preemptive", policy = "fifo", quiet = true,
    workload = { { arrival = 1, maps = 4, reduces = {} }, { arrival = 2, maps = 1,
        reduces = { 2 } } } }
check.equal("of a result", table.concat(result:timeline(4).runs[1].series.map, " "),
    "2.0 2.0 1.0 0.0")
check.contains("as text", tostring(result:timeline(4)), "from  jobs  waiting  queue")
check.raises("not so many", "timeline: buckets must be an integer in 1..1000000", result.timeline,
    result, 0)

-- ---- areas are those of results -----------------------------------------------------------------

local function sum_of(rows, column)
    local sum = 0
    for _, row in ipairs(rows) do sum = sum + row[column] end
    return sum
end

local RUNS = {
    { "slotted", "zheng:0,slots=12", { "fifo", "srpt" }, "flow_time",
        { "--set", "machines=30", "--set", "reduce=preemptive" } },
    { "tandem", "lin,jobs=40,load=.9", { "fcfs", "maxsrpt" }, "response_time", {} },
    { "makespan", "rand_few,jobs=8,most=6", { "fifo", "mk_jr" }, "finish",
        { "--set", "level=task", "--set", "map_slots=5", "--set", "reduce_slots=3" } },
    { "cluster", "hsrtf", { "fifo", "hsrtf-prp" }, "makespan", { "--set", "nodes=20x4x2" } },
    { "dag", "dag:mixed,jobs=30,load=.9", { "drf", "tetris" }, "jct", {} },
}
for _, run in ipairs(RUNS) do
    local model, spec, policies, column, set = table.unpack(run)
    local from = program.joined({ "--model", model, "--workload", spec }, set)
    local shown = decoded(model, program.joined({ "timeline", "--format", "json", "--policies",
        table.concat(policies, ","), "--buckets", "37" }, from))
    local logs = {}
    for i, policy in ipairs(policies) do
        logs[i] = program.file(policy .. i .. ".log")
        local name = model .. ", " .. policy
        local document = decoded(name, program.joined({ "simulate", "--policy", policy, "--log",
            logs[i], "--quiet", "--format", "json" }, from))
        near(name .. ": jobs in the system", area(shown, i, "jobs"), sum_of(document.jobs, column))
        check.equal(name .. ": its name", shown.runs[i].policy, policy)
        if model == "dag" then
            near(name .. ": cpu", area(shown, i, "cpu"), document.used[1])
            near(name .. ": memory", area(shown, i, "memory"), document.used[2])
            near(name .. ": waiting", area(shown, i, "waiting"), sum_of(document.jobs, "waiting"))
        end
        for _, kind in ipairs { "map", "reduce", "task", "shuffle" } do
            local most, means = shown.runs[i].capacity[kind], shown.runs[i].series[kind]
            for x, mean in ipairs(most and means or {}) do
                check.is_true(name .. ": no more than there is, bucket " .. x,
                    mean <= most * (1 + 1e-9))
            end
        end
    end
    check.equal(model .. ": logs say what runs say", program.succeed("logs", program.joined(
        { "timeline", "--format", "csv", "--buckets", "9" }, from, logs)),
        program.succeed("runs", program.joined({ "timeline", "--format", "csv", "--buckets", "9",
            "--policies", table.concat(policies, ",") }, from)))
end

-- Groups of the workload are series of their own, and make up their kind.
local grouped = timeline("groups", "--model", "cluster", "--workload", "hsrtf", "--policies",
    "fair", "--buckets", "11")
near("groups", area(grouped, 1, "map of large") + area(grouped, 1, "map of medium")
    + area(grouped, 1, "map of small"), area(grouped, 1, "map"))

near("queues of groups", area(grouped, 1, "queue of large") + area(grouped, 1, "queue of medium")
    + area(grouped, 1, "queue of small"), area(grouped, 1, "queue"))

-- Of a run that was stopped, bars alone name the jobs of the makespan model that did not finish.
local stopped = program.file("stopped.log")
program.succeed("stopped", { "simulate", "--workload", "t1_like", "--set", "level=task", "--policy",
    "fifo", "--until", "60", "--quiet", "--log", stopped, "--format", "csv" })
local named = {}
for id in check.read_file(stopped):gmatch '"job":(%d+)' do named[id] = true end
local count = 0
for _ in next, named do count = count + 1 end
check.equal("jobs that have tasks are in the system", timeline("stopped", stopped, "--buckets",
    "1000").runs[1].series.jobs[1], count + 0.0)

-- ---- every change -------------------------------------------------------------------------------

-- Job 1 holds nothing in slot 2, where job 2 is first under fifo's opposite.
local stepped = decoded("steps", { "timeline", small, "--policies", "fifo", "--steps", "--format",
    "json" }).runs[1]
check.equal("times", table.concat(stepped.times, " "), "1 2 3 4 5")
for name, values in next, { jobs = "1 2 1 1 0", waiting = "0 1 0 0 0", queue = "0 1 0 0 0",
        map = "2 2 1 0 0", reduce = "0 0 0 2 0" } do
    local got = {}
    for i, value in ipairs(stepped.series[name]) do got[i] = string.format("%g", value) end
    check.equal("steps of " .. name, table.concat(got, " "), values)
end
check.equal("a row for each change", program.succeed("rows", { "timeline", small, "--policies",
    "fifo", "--steps", "--format", "csv" }), [[
policy,time,jobs,waiting,queue,map,reduce
fifo,1.0,1.0,0.0,0.0,2.0,0.0
fifo,2.0,2.0,1.0,1.0,2.0,0.0
fifo,3.0,1.0,0.0,0.0,1.0,0.0
fifo,4.0,1.0,0.0,0.0,0.0,2.0
fifo,5.0,0.0,0.0,0.0,0.0,0.0
]])
check.contains("steps as a table", program.succeed("table", { "timeline", small, "--policies",
    "fifo", "--steps" }), "time  jobs  waiting  queue  map  reduce")

-- A job that was served and waits again holds nothing: under srpt, job 1 makes room in slot 2.
local again = decoded("again", { "timeline", program.file("again.json", [[{ "model": "slotted",
    "machines": 1, "reduce": "preemptive", "jobs": [{ "arrival": 1, "maps": 3, "reduces": [] },
        { "arrival": 2, "maps": 1, "reduces": [] }] }]]), "--policies", "srpt", "--steps",
    "--format", "json" }).runs[1]
check.equal("it waits again", table.concat(again.series.queue, " "), "0 1 0 0")
check.equal("but not for its first start", table.concat(again.series.waiting, " "),
    "0 0 0 0")

-- In all models steps have the areas of buckets, every row changes something, and all ends at 0.
for _, run in ipairs(RUNS) do
    local model, spec, policies, _, set = table.unpack(run)
    local arguments = program.joined({ "timeline", "--format", "json", "--policies",
        table.concat(policies, ","), "--model", model, "--workload", spec }, set)
    local means = decoded(model .. ", buckets", arguments)
    local exact = decoded(model .. ", steps", program.joined(arguments, { "--steps" }))
    for i, one in ipairs(exact.runs) do
        local name = model .. ", " .. one.policy
        for series, values in next, one.series do
            if values == core.null then values = { 0 } end -- other policies have it
            local sum = 0.0
            for k = 1, #values - 1 do
                sum = sum + values[k] * (one.times[k + 1] - one.times[k])
            end
            near(name .. ": steps of " .. series, sum, #values > 1 and area(means, i, series) or 0)
            check.is_true(name .. ": the end of " .. series, values[#values] == 0)
            check.is_true(name .. ": " .. series .. " has a value at each time",
                #values == #one.times or #values == 1)
        end
        for k = 2, #one.times do
            local changed = false
            for _, values in next, one.series do
                changed = changed or values ~= core.null and values[k] ~= values[k - 1]
            end
            if not changed or one.times[k] <= one.times[k - 1] then
                check.equal(name .. ": nothing changes at", one.times[k], nil)
            end
        end
    end
end

-- ---- forms --------------------------------------------------------------------------------------

local text = program.succeed("table", { "timeline", small, "--policies", "fifo,srpt" })
check.contains("a table for each policy", text, "\nsrpt\n")
check.equal("of 20 rows", select(2, text:gsub("\n%s*[%d.]+ [^\n]*", "")), 40)
local csv = program.file "out.csv"
program.succeed("csv", { "timeline", small, "--policies", "fifo", "--output", csv })
check.equal("csv has 200 rows", select(2, check.read_file(csv):gsub("\n", "")), 201)
check.contains("and a header", check.read_file(csv),
    "policy,from,to,jobs,waiting,queue,map,reduce\n")
local figure = program.file "out.svg"
local _, messages = program.run { "timeline", small, "--policies", "fifo", "--output", figure }
check.is_true("a figure, or that gnuplot is missing", messages:find "gnuplot is not installed"
    or check.read_file(figure):find "<svg")
check.contains("with its data", check.read_file((figure:gsub("svg$", "dat"))), "1.0\t")

-- ---- what cannot be shown -----------------------------------------------------------------------

local slotted, cluster = program.file "slotted.log", program.file "cluster.log"
program.succeed("slotted", { "simulate", small, "--policy", "fifo", "--log", slotted, "--quiet" })
program.succeed("cluster", { "simulate", "--model", "cluster", "--workload", "hsrtf", "--policy",
    "fifo", "--log", cluster, "--quiet", "--no-jobs" })
for _, case in ipairs {
    { { slotted }, slotted .. ": logs of the slotted model do not contain arrival times" },
    { { cluster, slotted }, cluster .. " is of the cluster model, " },
    { { cluster, "--policies", "fifo" }, "--policies: cannot be given together with a log" },
    { { small }, "no policies given" },
    { { small, small, "--policies", "fifo" }, "not a decision log" },
    { { cluster, "--steps", "--buckets", "4" }, "--steps: shows every change, --buckets means" },
    { { cluster, "--steps", "--output", figure }, "--steps: figures show buckets" },
    { { cluster, "--buckets", "0" }, "--buckets: must be an integer in 1..1000000" },
    { { small, cluster }, "a log of the cluster model" },
} do
    local output, says, code = program.run(program.joined({ "timeline" }, case[1]))
    check.is_true("exit code of " .. case[2], code == 2 or code == 1)
    check.equal("no output of " .. case[2], output, "")
    check.contains(case[2], says, case[2])
end

check.done()
