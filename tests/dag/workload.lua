-- Jobs of the dag model: lists, scenario files, functions and files of Lua; and what options make
-- of them.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"
local pinion = require "pinion"

local STAGES = {
    { tasks = 3, duration = 20, demand = { 2, 1 } },
    { durations = { 5, 0 }, demand = { 1, 4 }, parents = { 0 }, estimate = 9, start_ms = 2 },
}
local JOBS = {
    { arrival = 30, stages = { STAGES[1] }, queue = "b", group = 7 },
    { arrival = 10, stages = STAGES, queue = "a", weight = 5, deadline = 90, name = "first" },
}

-- ---- lists --------------------------------------------------------------------------------------

local work = pinion.workload.jobs(JOBS)
check.is_true("of the dag model", work.models.dag)
local listed = work:jobs()
check.equal("by arrival", listed[1].arrival, 10)
for name, want in next, { name = "first", queue = "a", weight = 5, deadline = 90 } do
    check.equal("a job's " .. name, listed[1][name], want)
end
check.equal("a group", listed[2].group, 7)
for s, stage in ipairs(STAGES) do
    for name, want in next, stage do
        local got = listed[1].stages[s][name]
        check.equal(string.format("%s of stage %d", name, s - 1),
            type(got) == "table" and table.concat(got, " ") or got,
            type(want) == "table" and table.concat(want, " ") or want)
    end
end
local RUN = { model = "dag", policy = "fifo", resources = "cpu+memory", nodes = "2x4/8",
    quiet = true }
local function run(given, changes)
    local options = { workload = given }
    for _, part in ipairs { RUN, changes or {} } do
        for name, value in next, part do options[name] = value end
    end
    return pinion.run(options)
end
local result = run(work)
check.equal("listed again they are the same", run(listed).digest, result.digest)
check.equal("queues by the first job of each", result.queues[1].name, "a")

-- A scenario file of them.
local json = [[{"model":"dag","resources":["cpu","memory"],"nodes":"2x4/8","jobs":[
 {"arrival":30,"stages":[{"tasks":3,"duration":20,"demand":[2,1]}],"queue":"b"},
 {"arrival":10,"queue":"a","weight":5,"deadline":90,"stages":[
  {"tasks":3,"duration":20,"demand":[2,1]},
  {"durations":[5,0],"demand":[1,4],"parents":[0],"estimate":9,"start_ms":2}]}]}]]
local file = program.file("jobs.json", json)
check.contains("a scenario file", program.succeed("file", { "simulate", file, "--policy", "fifo",
    "--format", "json" }), result.digest)
local converted = program.succeed("conversion", { "workload", file, "--jobs", "--format", "json" })
check.contains("converted it is the same", program.succeed("converted", { "simulate", "-",
    "--policy", "fifo", "--format", "json" }, converted), result.digest)
program.fails("csv", { "workload", file, "--jobs", "--format", "csv" }, 2,
    "pinion: job 1 has a list, stages, and csv files have none (expected --format json)")
local described = core.json_decode(program.succeed("description", { "workload", file,
    "--format", "json" }), "")
for name, want in next, { jobs = 2, all_stages = 3, all_tasks = 8, parents = 1, deadlines = 1,
        span = 20, nodes = 2 } do
    check.equal("described: " .. name, described[name], want)
end
check.equal("described: load", described.load, (2 * 60 * 2 + 5) / 8 / 20)

-- The model of a list and of columns is told by what only it has.
check.equal("weight is an attribute elsewhere",
    pinion.trace.csv(program.file("w.csv", "weight,arrival,map\n2,1,3\n")).models.tandem, true)
check.raises("columns of a csv file", "'stages' would be a list", pinion.trace.csv,
    program.file("s.csv", "arrival,stages\n1,2\n"))
check.raises("an attribute with a field's name", "weight", run, JOBS,
    { attributes = { weight = 1 } })

-- ---- options of all workloads -------------------------------------------------------------------

local function scaled(field, value)
    local scenario = program.file("scaled.json",
        '{"model":"dag","resources":["cpu","memory"],"nodes":"2x4/8",' .. field .. ",\"jobs\":["
        .. ('{"arrival":%d,"stages":[{"durations":[20,30],"demand":[2,1],"estimate":8}]}'):format(0)
        .. ("," .. '{"arrival":100,"stages":[{"tasks":2,"duration":40,"demand":[1,1]}]}') .. "]}")
    local made = core.json_decode(program.succeed(field, { "workload", scenario, "--jobs",
        "--format", "json" }), field)
    return value(made.jobs)
end
check.equal("load by arrivals", scaled('"load":0.5', function(jobs) return jobs[2].arrival end),
    (50 * 2 + 80) // 4)
check.equal("load by sizes", scaled('"load":0.45,"load_by":"sizes"',
    function(jobs) return jobs[1].stages[1].durations[1] .. " " .. jobs[1].stages[1].estimate
        .. " " .. jobs[2].stages[1].duration end), "40 16 80")
check.equal("other arrivals", scaled('"arrivals":"regular(5)"',
    function(jobs) return jobs[1].arrival .. " " .. jobs[2].arrival end), "5 10")
check.equal("a sample", scaled('"resample":7', function(jobs) return #jobs end), 7)

-- ---- what is drawn, and passes a bound ----------------------------------------------------------

local HUGE <const> = "pareto(0.001,1)"
local STAGES <const> = "job 1: it has more than 2^16 stages, drawn at random"
for options, message in next, {
    ["layered,depth=" .. HUGE] = STAGES, ["layered,width=" .. HUGE] = STAGES,
    ["fork-join,depth=" .. HUGE] = STAGES, ["fork-join,width=" .. HUGE] = STAGES,
    ["fork-join,width=65535,depth=1"] = STAGES,
    ["chains,depth=" .. HUGE] = STAGES, ["chains,width=" .. HUGE] = STAGES,
    ["series-parallel,stages=" .. HUGE] = STAGES,
    ["layered,tasks=" .. HUGE] = "job 1: a stage has more than 2^20 tasks, drawn at random",
    ["layered,duration=" .. HUGE] = "job 1: its tasks, drawn at random, pass 2^40 ms",
    ["layered,demand=cpu:0.2"] =
        "job 1: a stage demands nothing of any resource, as it was drawn",
    ["layered,gap_ms=1e12,jobs=20000"] = "job 9007: it arrives after 2^53 ms",
} do
    local source = pinion.workload.spec("dag:" .. options):open { model = "dag" }.core
    check.equal(options, select(2, source:jobs(1 << 40, function() end)), message)
end
for _, job in ipairs(pinion.workload.spec "dag:layered,gap_ms=0,jobs=9":open {}.core:jobs(9)) do
    check.equal("all at once", job.arrival, 0)
end
for _, job in ipairs(pinion.workload.spec "dag:layered,edges=0,jobs=20":open {}.core:jobs(20)) do
    for _, stage in ipairs(job.stages) do
        check.is_true("one parent at most without more edges", #(stage.parents or {}) <= 1)
    end
end

local function changed(maker, options, stage)
    stage.tasks, stage.demand = 2, { 1 }
    local jobs = { { arrival = 0, stages = { stage } }, { arrival = 0, stages = { stage } } }
    options.workload = core.workload_dag_table(jobs, 1)
    return select(2, maker(options):jobs(2))
end
local LONG <const> = 1 << 40
for _, stage in ipairs { { duration = LONG }, { durations = { 1, LONG } },
    { duration = 1, estimate = LONG } } do
    check.equal("scaled times past 2^40", changed(core.workload_scaled, { sizes = 2 }, stage),
        "job 1: its sizes, scaled, pass 2^40 ms")
end
check.equal("arrivals past 2^53", changed(core.workload_arrivals, { process = "regular(9e15)",
    seed = 1 }, { duration = 1 }), "job 2: its arrival passes 2^53 ms")
for _, weight in ipairs { "x", -1, 1 << 60, 0.5 } do
    check.raises("a demand of " .. weight, "must be an integer in", core.workload_dag_table,
        { { arrival = 0, stages = { { tasks = 1, duration = 1, demand = { weight } } } } }, 1)
end

-- ---- Lua ----------------------------------------------------------------------------------------

local function generate(g)
    for i = 1, 20 do
        g:job { arrival = 10 * i, queue = i % 2 == 0 and "even" or "odd", weight = i, group = "x",
            stages = { { tasks = i, duration = 7, demand = { 1, 2 } },
                { durations = { 3, 4 }, demand = { 2, 0 }, parents = { 0 } } } }
    end
end
local DEFINITION = { model = "dag", queues = { "odd", "even" }, generate = generate }
local made = run(DEFINITION)
check.equal("jobs of a function", made.finished, 20)
check.equal("queues of the definition", made.queues[1].name .. " " .. made.queues[1].jobs, "odd 10")
check.equal("it is what a table is", run(pinion.workload.jobs((function()
    local jobs = {}
    generate { job = function(_, job) jobs[#jobs + 1] = job end }
    return jobs
end)())).digest, made.digest)
local script = program.file("mine.lua", [[
return { name = "mine", model = "dag", params = { jobs = { default = 5, min = 1, max = 99 } },
  generate = function(g)
    for i = 1, g.params.jobs do
      g:job { arrival = i, stages = { { tasks = 2, duration = g:random(1, 9), demand = { 1 } } } }
    end
  end }]])
check.contains("a file", program.succeed("script", { "simulate", "--workload", script .. ",jobs=9",
    "--set", "nodes=2x1", "--policy", "srpt", "--format", "csv" }), "srpt,9,9,")
for _, case in ipairs {
    { "stages = 1", "stages: is required (a list of stages)" },
    { "stages = { 5 }", "stages[0]: must be a table, got 5" },
    { "stages = { { tasks = 1, duration = 2 } }", "stages[0].demand: is required" },
    { "stages = { { tasks = 1, duration = 2, zzzzzzzzz = 1 } }",
        "stages[0]: unknown field 'zzzzzzzzz'" },
    { "stages = { { durations = { 1, 2 }, duration = 2, demand = { 1 } } }",
        "stages[0].durations: cannot be given together with tasks and duration" },
    { "stages = { { durations = (function() local all = {} for i = 1, 1048577 do all[i] = 1 end "
        .. "return all end)(), demand = { 1 } } }",
        "stages[0].durations: has 1048577 elements (expected at most 1048576)" },
    { "stages = { { tasks = 1, duration = 2, demand = { -1 } } }",
        "stages[0].demand[1]: must be an integer in 0..1099511627776, got -1" },
    { "stages = { { duration = 2, demand = { 1 } } }", "stages[0].tasks: is required" },
    { "stages = { { tasks = 0, duration = 2, demand = { 1 } } }",
        "stages[0].tasks: must be an integer in 1..1048576, got 0" },
    { "stages = { { tasks = 1, duration = 2, demand = { 1 }, parents = { 1 } } }",
        "stages[0].parents[1]: must be an integer in 0..0, got 1" },
    { "stages = { { tasks = 1, duration = 2, demand = { 1 }, demands = 1 } }",
        "stages[0]: unknown field 'demands' (did you mean 'demand'?)" },
    { "stages = { { tasks = 1, duration = 2, durations = { 1 }, demand = { 1 } } }",
        "stages[0].durations: cannot be given together with tasks and duration" },
    { "queue = 'x', stages = { { tasks = 1, duration = 2, demand = { 1 } } }",
        "queue: 'x' is no queue of the definition" },
    { "stages = { { tasks = 1, duration = 2, demand = { 1 } }, { tasks = 1, duration = 1, "
        .. "demand = { 1, 1 } } }", "stages[1].demand: has 2 elements (expected as many as the" },
} do
    local text = "return { name = 'x', model = 'dag', generate = function(g) g:job { arrival = 0, "
        .. case[1] .. " } end }"
    check.raises(case[2], "job 1: " .. case[2], run, pinion.workload.script(text))
end
for model, message in next, { dag = "queues: 'a' is named twice",
        slotted = "queues: is not an option of the slotted model" } do
    check.raises(message, message, pinion.workload.script, string.format(
        "return { name = 'x', model = '%s', queues = { 'a', 'a' }, generate = function() end }",
        model))
end
check.raises("a queue that is not there", "queues: lack 'odd', which jobs of the workload are in",
    run, DEFINITION, { queues = "even" })

-- Demands for resources that the cluster does not have: a run says so, and a scenario that is
-- written leaves the cluster by default out.
local TWO = "return { name = 'x', model = 'dag', generate = function(g) g:job { arrival = 0, "
    .. "stages = { { tasks = 1, duration = 1, demand = { 5, 1 } } } } end }"
check.raises("a resource too few", "job 1, stage 0: demand: has 2 values (expected 1, one for each "
    .. "resource: the settings resources and nodes say which)", run, pinion.workload.script(TWO),
    { resources = { "cpu" }, nodes = "2x8" })
check.raises("what the kernel refuses", "job 1, stage 0: demand: 0..2^40 of each resource", run,
    pinion.workload.script((TWO:gsub("5, 1", "0"))))
local two = program.file("two.lua", TWO)
local written = program.succeed("jobs of it", { "workload", two, "--jobs", "--format", "json" })
check.is_true("without a cluster", not written:find '"nodes"' and not written:find '"resources"')
local scenario = program.file("two.json", written)
program.succeed("which the command line brings", { "simulate", scenario, "--policy", "drf", "--set",
    "resources=cpu+memory", "--set", "nodes=2x8/8" })
check.contains("jobs of one resource have it", program.succeed("one", { "workload", program.file(
    "one.lua", (TWO:gsub("5, 1", "5"))), "--jobs", "--format", "json" }), '"resources": ["cpu"]')

check.done()
