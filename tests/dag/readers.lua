-- The readers of traces for the dag model, on small traces with the oddities of real ones:
-- workflows of WfCommons, profiles of TPC-H queries, Alibaba's batch tasks; and damaged files.

package.path = "tests/support/?.lua;" .. package.path
local pinion = require "pinion"
local check = require "check"
local program = require "program"

local directory = program.directory

local function show(value)
    if type(value) ~= "table" then return tostring(value) end
    local pieces = {}
    for i, element in ipairs(value) do pieces[i] = show(element) end
    return "[" .. table.concat(pieces, " ") .. "]"
end

-- Stages as tasks x duration or a list of them, demand, parents.
local function stages_of(job)
    local pieces = {}
    for i, stage in ipairs(job.stages) do
        pieces[i] = string.format("%s %s<%s", stage.durations and show(stage.durations)
            or stage.tasks .. "x" .. stage.duration, show(stage.demand), show(stage.parents or {}))
    end
    return table.concat(pieces, "; ")
end

local function bad(name, read, bytes, wanted, options)
    local path = check.temporary_file(bytes)
    check.raises(name, path .. wanted, function() read(path, options):open {} end)
end

-- ---- WfCommons ----------------------------------------------------------------------------------

local function workflow(tasks, runs, version)
    return string.format('{"name":"w","schemaVersion":%s,"workflow":{"specification":{"tasks":%s},'
        .. '"execution":{"tasks":%s}}}', version or '"1.5"', tasks, runs)
end

local TASKS = '[{"id":"c","name":"last","parents":["a","b","a"]},{"id":"a","children":["c"]},'
    .. '{"id":"b","parents":[],"children":[]}]'
local RUNS = '[{"id":"b","runtimeInSeconds":0.0005,"coreCount":0.25,"memoryInBytes":1048577},'
    .. '{"id":"a","runtimeInSeconds":3},{"id":"c","runtimeInSeconds":1.2344999,'
    .. '"coreCount":1.5,"memoryInBytes":1048576.5},{"id":"other","runtimeInSeconds":1}]'
check.write_file(directory .. "/small.json", workflow(TASKS, RUNS))
os.execute(string.format("gzip -c '%s/small.json' >'%s/packed.json.gz'", directory, directory))

local wf = pinion.trace.wfcommons
local two = wf { directory .. "/small.json", directory .. "/packed.json.gz" }
local made = two:open {}
local jobs = two:jobs()
check.equal("a job for each file", table.concat(made.names, " "), "small packed")
check.equal("all at once", jobs[1].arrival .. " " .. jobs[2].arrival, "0 0")
check.equal("stages in the order of the specification, parents by id and once",
    stages_of(jobs[1]), "1x1234 [1500 2]<[1 2]; 1x3000 [1000 0]<[]; 1x1 [250 2]<[]")
check.equal("plain or compressed", stages_of(jobs[2]), stages_of(jobs[1]))
check.equal("names of stages", jobs[1].stages[1].name .. jobs[1].stages[2].name, "lasta")
for name, want in pairs { rows = 2, jobs = 2, repeated_parents = 2, unmatched_children = 2,
        runs_only = 2 } do
    check.equal("counted " .. name, made.summary[name], want)
end
check.equal("what it suggests", show(two:default_settings().resources), "[cpu memory]")
check.equal("nothing is drawn", two.random, false)

bad("an empty workflow", wf, "", ": is empty (expected a workflow as one JSON object)")
bad("an array", wf, "[]", ": must be an object, got an array")
bad("two values", wf, workflow(TASKS, RUNS) .. "\n{}", ":2: something follows the value")
bad("cut off", wf, workflow(TASKS, RUNS):sub(1, -2), ":1: the text ends too early")
bad("another version", wf, workflow(TASKS, RUNS, '"1.4"'),
    ": schemaVersion: must be '1.5', got '1.4'")
bad("no version", wf, '{"workflow":{}}', ": schemaVersion: must be '1.5', got nothing")
bad("no tasks", wf, '{"schemaVersion":"1.5","workflow":{"specification":{}}}',
    ": workflow.specification.tasks: must be an array of tasks, got nothing")
bad("no workflow", wf, '{"schemaVersion":"1.5","workflow":7}',
    ": workflow.specification.tasks: must be an array of tasks, got 7")
bad("nothing in it", wf, workflow("[]", "[]"),
    ": workflow.specification.tasks: must be 1..65536 tasks, got 0")

local function bad_task(name, tasks, wanted, runs)
    bad(name, wf, workflow(tasks, runs or '[{"id":"a","runtimeInSeconds":1}]'),
        ": workflow." .. wanted)
end

local function bad_run(name, fields, wanted)
    bad_task(name, '[{"id":"a"}]', "execution.tasks[1]" .. wanted, '[{"id":"a",' .. fields .. '}]')
end

bad_task("no object", "[7]", "specification.tasks[1]: must be an object, got 7")
bad_task("no id", '[{"name":"a"}]',
    "specification.tasks[1].id: must be a text that is not empty, got nothing")
bad_task("an id twice", '[{"id":"a"},{"id":"a"}]',
    "specification.tasks[2].id: names 'a', as workflow.specification.tasks[1] does")
bad_task("no run", '[{"id":"a"},{"id":"b"}]',
    "specification.tasks[2]: 'b' has no run (expected its id in workflow.execution.tasks)")
bad_task("an unknown parent", '[{"id":"a","parents":["x"]}]',
    "specification.tasks[1].parents[1]: names 'x' (expected the id of a task of the workflow)")
bad_task("an unknown child", '[{"id":"a","children":[null]}]',
    "specification.tasks[1].children[1]: names null (expected the id of a task of the workflow)")
bad_task("parents that are none", '[{"id":"a","parents":"a"}]',
    "specification.tasks[1].parents: must be an array of ids, got 'a'")
bad_run("no time", '"x":1',
    ".runtimeInSeconds: must be a number >= 0 and <= 1099511626, got nothing")
bad_run("a negative time", '"runtimeInSeconds":-1', ".runtimeInSeconds: must be a number >= 0")
bad_run("a long time", '"runtimeInSeconds":1e12', ".runtimeInSeconds: must be a number >= 0")
bad_run("cores in words", '"runtimeInSeconds":1,"coreCount":"1"', ".coreCount: must be a number")
bad_run("too much memory", '"runtimeInSeconds":1,"memoryInBytes":1e30',
    ".memoryInBytes: must be a number")
bad_task("a task that waits for itself", '[{"id":"a","parents":["a"]}]',
    "specification.tasks[1].parents[1]: names the task itself")
bad("tasks that wait for each other", wf, workflow(
    '[{"id":"a","parents":["b"]},{"id":"b","parents":["a"]}]',
    '[{"id":"a","runtimeInSeconds":1},{"id":"b","runtimeInSeconds":1}]'),
    ": its stages wait for each other in a circle")
check.raises("no file", "nowhere.json: ", function() wf "nowhere.json":open {} end)

-- ---- TPC-H --------------------------------------------------------------------------------------

local function profiles(list, format)
    return string.format('{"format":%s,"jobs":[%s]}', format or '"pinion-dag-jobs/1"', list)
end

local function query(size, number, stages)
    return string.format('{"name":"tpch-%s-q%d","stages":[%s]}', size, number, stages)
end

local STAGES = '{"parents":[],"executors":50,"durations":[5,7]},{"parents":[0],"durations":[3]}'
local all = directory .. "/tpch.json"
check.write_file(all, profiles(table.concat({ query("2g", 1, STAGES),
    query("2g", 3, '{"parents":[],"durations":[9]}'), query("10g", 1, STAGES) }, ",")))
local tpch = pinion.trace.tpch

local function names_of(options, binding)
    return table.concat(tpch(all, options):open(binding or {}).names, " ")
end

check.equal("each once, in order", names_of {}, "tpch-2g-q1 tpch-2g-q3 tpch-10g-q1")
check.equal("of these sizes", names_of { sizes = "2" }, "tpch-2g-q1 tpch-2g-q3")
check.equal("of these queries", names_of { queries = "3+1", sizes = "10g+2" },
    "tpch-2g-q1 tpch-2g-q3 tpch-10g-q1")
check.equal("executors", stages_of(tpch(all):jobs()[1]), "[5 7] [1]<[]; [3] [1]<[0]")
check.equal("one resource", show(tpch(all):default_settings().resources), "[executor]")
check.equal("cpus", stages_of(tpch(all, { cpu = 2 }):jobs()[2]), "[9] [2]<[]")
check.equal("cpus as a resource", show(tpch(all, { cpu = 2 }):default_settings().resources),
    "[cpu]")
local with_memory = tpch(all, { memory = "uniform(100,104)", jobs = 50 })
check.equal("and memory", show(with_memory:default_settings().resources), "[cpu memory]")
local least, most, others = 1000, 0, 0
for _, job in ipairs(with_memory:jobs()) do
    for _, stage in ipairs(job.stages) do
        least, most = math.min(least, stage.demand[2]), math.max(most, stage.demand[2])
        others = others + (stage.demand[1] == 1 and 0 or 1)
    end
end
check.equal("a demand of memory for each stage", least .. ".." .. most .. " " .. others,
    "100..104 0")
local drawn = names_of { jobs = 40 }
check.is_true("drawn with replacement", drawn:find "10g" and drawn:find "q3")
check.equal("as often as asked for", select(2, drawn:gsub("tpch", "")), 40)
check.equal("the same again", names_of { jobs = 40 }, drawn)
check.is_true("other seeds draw others", names_of({ jobs = 40 }, { seed = 2 }) ~= drawn)
check.is_true("other replicas draw others", names_of({ jobs = 40 }, { replica = 1 }) ~= drawn)
check.equal("memory does not shift what is drawn", names_of { jobs = 40, memory = "uniform(1,9)" },
    drawn)
local grouped = tpch(all, { jobs = 40, group = "size" })
local of_sizes = {}
made = grouped:open {}
for id, job in ipairs(grouped:jobs()) do
    of_sizes[job.group] = (of_sizes[job.group] or 0) + 1
    check.is_true("group of job " .. id, made.names[id]:find("-" .. job.group .. "-", 1, true))
end
check.equal("groups as in the file", table.concat(grouped:group_names(), " "), "2g 10g")
check.equal("jobs of both", of_sizes["2g"] + of_sizes["10g"], 40)
check.equal("groups of queries", table.concat(made.groups, " ") .. " "
    .. table.concat(tpch(all, { group = "query" }):group_names(), " "), "2g 10g q1 q3")
check.equal("no groups", #tpch(all):open({}).groups, 0)
check.equal("counted", tpch(all, { sizes = "2" }):open({}).summary.chosen, 2)

bad("another format", tpch, profiles(query("2g", 1, STAGES), '"x"'),
    ": format: must be 'pinion-dag-jobs/1', got 'x'")
bad("no object", tpch, "[]", ": format: must be 'pinion-dag-jobs/1', got an array")
bad("no queries", tpch, profiles "", ": jobs: must be an array of queries")
bad("no name", tpch, profiles '{"name":"q1"}',
    ": jobs[1].name: must be a name such as tpch-2g-q1, got 'q1'")
bad("no stages", tpch, profiles(query("2g", 1, "")),
    ": jobs[1].stages: must be an array of stages")
bad("no tasks", tpch, profiles(query("2g", 1, '{"parents":[],"durations":[]}')),
    ": jobs[1].stages[1].durations: must not be empty")
bad("a time in words", tpch, profiles(query("2g", 1, '{"parents":[],"durations":[1,"2"]}')),
    ": jobs[1].stages[1].durations[2]: must be an integer in 0..1099511627776, got '2'")
bad("no such parent", tpch, profiles(query("2g", 1, '{"parents":[1],"durations":[1]}')),
    ": jobs[1].stages[1].parents[1]: must be an integer in 0..0, got 1")
bad("a stage that is none", tpch, profiles(query("2g", 1, "7")),
    ": jobs[1].stages[1]: must be an object, got 7")
check.raises("an unknown size", all .. ": has no query of size 3g (known: 10g, 2g)", names_of,
    { sizes = "2+3" })
check.raises("an unknown query", all .. ": has no query of query 22 (known: 1, 3)", names_of,
    { queries = "22" })
check.raises("none of both",
    all .. ": has none of the queries that sizes and queries name together", names_of,
    { sizes = 10, queries = 3 })
check.raises("a bad size", "sizes: must be sizes such as 2+10, joined by +, got '2+x'", names_of,
    { sizes = "2+x" })

-- ---- Alibaba ------------------------------------------------------------------------------------

local BATCH = "tests/data/alibaba_batch_task.csv"
local ali = pinion.trace.alibaba
made = ali(BATCH):open {}
jobs = ali(BATCH):jobs()
check.equal("jobs by their first start", table.concat(made.names, " "), "j_6 j_3 j_1")
check.equal("arrivals", jobs[1].arrival .. " " .. jobs[2].arrival .. " " .. jobs[3].arrival,
    "64000 80000 100000")
check.equal("rows that are apart, parents by number, missing plans", stages_of(jobs[3]),
    "3x10000 [1000 5000]<[]; 2x20000 [500 2500]<[0]; 1x1000 [1000 0]<[0 1]")
check.equal("names without numbers", stages_of(jobs[2]), "1x0 [1000 0]<[]; 1x3000 [1000 3000]<[]")
check.equal("parents that are missing, a number twice, hardly any cpu", stages_of(jobs[1]),
    "4x5000 [2000 10000]<[1]; 1x5000 [1 5000]<[]; 8x6000 [1000 5000]<[]")
for name, want in pairs { rows = 14, seen = 7, jobs = 3, not_terminated = 1, no_times = 2,
        cyclic = 1, repeated_numbers = 1, missing_parents = 2, no_number = 2, no_plan = 4 } do
    check.equal("counted " .. name, made.summary[name], want)
end
check.equal("some of the jobs", table.concat(ali(BATCH, { first = 2, jobs = 2 }):open({}).names,
    " "), "j_3")
check.equal("parts", stages_of(ali({ BATCH, BATCH }, { jobs = 1 }):jobs()[1]):gsub("[^;]", ""),
    ";;;;;")

local ROW = "M1,3,j_1,1,Terminated,100,110,100,0.5\n"
bad("no rows", ali, "", ": none of its 0 jobs is left")
bad("no job left", ali, (ROW:gsub("Terminated", "Running")),
    ": none of its 1 jobs is left (expected one whose rows are all Terminated, with their times)")
bad("columns", ali, ROW .. "M1,3\n",
    ":2: 2 columns (expected 9: task_name,instance_num,job_name,task_type,status,start_time,"
    .. "end_time,plan_cpu,plan_mem)")
bad("no instances", ali, (ROW:gsub(",3,", ",0,")),
    ":1: column 2, instance_num: must be an integer in 1..1048576, got 0")
bad("a job without a name", ali, (ROW:gsub("j_1", "")), ":1: column 3, job_name: must not be empty")
bad("a time in words", ali, ROW .. ROW:gsub("110", "soon"),
    ":2: column 7, end_time: must be an integer in 0..1099511627, got 'soon'")
bad("a plan in words", ali, (ROW:gsub("0.5", "half")),
    ":1: column 9, plan_mem: must be a number >= 0 and <= 100000000, got 'half'")
made = ali(check.temporary_file(ROW .. ROW:gsub("j_1", "j_2"):gsub("100,110", ","))):open {}
check.equal("times that are missing", #made.names .. " " .. made.summary.no_times, "1 1")
check.equal("line ends of others",
    stages_of(ali(check.temporary_file((ROW:gsub("\n", "\r\n")))):jobs()[1]),
    "3x10000 [1000 5000]<[]")

-- ---- on the command line ------------------------------------------------------------------------

local described = program.succeed("description", { "workload", "alibaba:" .. BATCH, "--format",
    "table" })
check.contains("what was dropped", described, "jobs whose stages wait for each other, dropped")
check.contains("critical paths", described, "critical path, ms")
check.contains("what is held", described, "cpu times ms of all tasks")
local _, notice = program.run { "simulate", "--workload", "alibaba:" .. BATCH, "--policy", "fifo",
    "--format", "json" }
check.contains("a notice", notice, BATCH .. ": 14 rows: 7 jobs")
check.contains("what it says", notice, "1 that did not terminate are dropped")

local queries = "tpch:" .. all .. ",arrivals=regular(10)"
program.succeed("as a scenario", { "workload", queries, "--jobs", "--format", "json", "--output",
    directory .. "/queries.json" })

local function digest_of(name, arguments)
    local output = program.succeed(name, arguments)
    return output:match '"digest": "(%x+)"'
end

local digest = digest_of("a run", { "simulate", "--workload", queries, "--policy", "srpt",
    "--format", "json", "--quiet" })
check.is_true("there is a digest", digest)
check.equal("the scenario runs the same", digest_of("a run of it", { "simulate",
    directory .. "/queries.json", "--policy", "srpt", "--format", "json", "--quiet" }), digest)

-- ---- damaged files ------------------------------------------------------------------------------
-- Whatever a file holds, reading it gives jobs or a message that begins with the file's name.

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
print(string.format("seed %d (PINION_TEST_SEED=%d repeats the damaged files)", seed, seed))
local random = pinion.random(seed, 0, 0)
local PIECES = { "", "0", "-1", "9999999999999999999", "1e400", "null", "[]", "{}", '"', ",", "\n",
    "\0", "\xff", "a", "[", "}", ":", "true", '"a"', "1.5", "_", "Terminated" }

local function damaged(text)
    for _ = 1, random:random(1, 3) do
        local from = random:random(1, #text + 1)
        local size = random:random(0, 8) // 3
        text = text:sub(1, from - 1) .. PIECES[random:random(1, #PIECES)] .. text:sub(from + size)
    end
    return random:chance(0.1) and text:sub(1, random:random(0, #text)) or text
end

local path = check.temporary_file("")
local read, refused = 0, 0
for _, reader in ipairs { { wf, workflow(TASKS, RUNS) }, { tpch, check.read_file(all) },
        { ali, check.read_file(BATCH) } } do
    for _ = 1, 400 do
        local bytes = damaged(reader[2])
        check.write_file(path, bytes)
        local good, why = pcall(function() return reader[1](path):open({}).core:totals().jobs end)
        if good then
            read = read + 1
        else
            refused = refused + 1
            if not tostring(why):find(path .. ":", 1, true) then
                check.equal(string.format("a message about %q", bytes), tostring(why), path)
            end
        end
    end
end
check.is_true("some files are read", read > 100)
check.is_true("some are refused", refused > 100)

check.done()
