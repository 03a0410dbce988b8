-- Calls into C for tests/front/core_memory.c, by their names. Each returns texts or numbers that
-- are the same every time; or nil and a message, or it raises one.

local folder, run_command = ...
local core = require "pinion.core"
local main = require "pinion.cli".main
local pinion = require "pinion"
local single = require "pinion.run.single"

local function path(name) return folder .. "/" .. name end

local function write(name, text)
    local file <close> = assert(io.open(path(name), "wb"))
    file:write(text)
    return path(name)
end

write("trace.tsv", "job0\t5\t5\t100\t200\t300\njob1\t9\t4\t100\t0\t10\n")
write("trace.swf", "; a comment\n7 90 3 61 4 60.5 1024 8 120 2048 1 5 6 9 2 3 6 17\n"
    .. "8 95 3 61 2 60.5 1024 8 120 2048 1 6 6 9 2 3 6 17\n")
write("jobs.csv", "arrival,maps,reduces,group,user\n1,3,2,a,x\n2,4,1 5,b,y\n")

-- ---- commands -----------------------------------------------------------------------------------

local calls = {}

local function add(line, name)
    local words = {}
    for word in line:gmatch "%S+" do words[#words + 1] = word:gsub("@", folder) end
    calls[name or line] = function()
        local code, output, messages = run_command(main, words)
        if code ~= 0 then return nil, code .. ": " .. messages end
        return output, messages
    end
end

for _, spec in ipairs {
    "tests/cli/slotted.json", "tests/cli/tandem.json", "tests/cli/makespan.json",
    "tests/cli/cluster.json", "tests/cli/dag.json", "bursts,slots=80,tasks=3",
    "facebook,jobs=5,bins=6", "facebook,jobs=5 --model cluster", "facebook,jobs=5 --model makespan",
    "lin,jobs=4,batch=true", "theorem2:2,against=ps", "t1_like,jobs=3", "straggler,jobs=2",
    "hsrtf,large=1,medium=1,small_sort=1,small_wc=1", "rtmr:II,jobs=3",
    "dag:series-parallel,jobs=2", "zheng:0,slots=10,arrivals=diurnal(1,0.5,10),resample=4",
    "zheng:0,slots=10,arrivals=batches(0.5,constant(2)),load=0.5",
    "google:tests/data/google_0.csv+tests/data/google_1.csv",
    "rumen:tests/data/rumen.json,topology=tests/data/rumen_topology.json",
    "rumen:tests/data/rumen.json,resample=blocks(3s,4)",
    "alibaba:tests/data/alibaba_batch_task.csv", "swim:@/trace.tsv --model slotted",
    "swim:@/trace.tsv --model tandem", "swim:@/trace.tsv --model makespan",
    "swim:@/trace.tsv --model cluster", "swf:@/trace.swf --model slotted",
    "swf:@/trace.swf,group=user --model cluster", "csv:@/jobs.csv --model slotted",
    "zheng:0,slots=10,group=size", "facebook,jobs=5,deadline_factor=uniform(1.5,4) --model cluster",
} do
    add("workload " .. spec .. " --jobs --format json")
end
for model, policy in next, { slotted = "asrpt", tandem = "maxsrpt", makespan = "johnson",
    cluster = "fair", dag = "drf" } do
    local simulate = "simulate tests/cli/" .. model .. ".json --jobs-detail --format csv --log @/"
        .. model .. "1.log --policy " .. policy
    add(simulate)
    assert(calls[simulate]())
    add("verify tests/cli/0.8.0/" .. model .. ".json tests/cli/0.8.0/" .. model .. ".log")
end
add "simulate tests/cli/slotted.json --policy fifo --quiet --checkpoint @/state --every 3"
add "compare tests/cli/slotted.json --policies asrpt,fifo --processes 1 --format csv --quiet"
add "explain tests/cli/tandem.json @/tandem1.log --job 1"
add "timeline tests/cli/cluster.json @/cluster1.log --buckets 3"
add "gantt tests/cli/makespan.json @/makespan1.log --output @/out.svg"
add "diff tests/cli/dag.json @/dag1.log @/dag.log"
for model, policy in next, { slotted = "fifo", dag = "cp" } do
    run_command(main, { "simulate", "tests/cli/" .. model .. ".json", "--policy", policy, "--log",
        path(model .. ".log"), "--output", path "out.json", "--no-jobs", "--quiet" })
    add("verify tests/cli/" .. model .. ".json @/" .. model .. ".log")
    add("verify tests/cli/" .. model .. ".json @/" .. model .. ".log", "JSON of a log of " .. model)
end
for policy, words in next, {
    fifo = "zheng:0,slots=3 --set machines=9 --bounds tight --timeline 2",
    fixed_pools = "t1_like,jobs=3 --set map_slots=9 --set reduce_slots=9 --param pools=1:1;2:2,3 "
        .. "--param nodes=3",
    cp = "dag,jobs=3 --set nodes=9x4000/16384 --jobs-detail --until 9000",
} do
    add("simulate --workload " .. words .. " --policy " .. policy .. " --quiet --format json")
end
add "verify tests/cli/0.8.0/scheduler.inputs"
add "verify tests/cli/0.8.0/dispatch.inputs"

-- ---- calls of the library -----------------------------------------------------------------------

local function run(options)
    options.quiet = true
    return function()
        local result = pinion.run(options)
        return result.digest, result.finished
    end
end

-- A function that makes jobs with groups and with texts.
local function script(model, job)
    return { name = "mine", model = model, attributes = { weight = 1, queue = { "", "a", "b" } },
        generate = function(g)
            for i = 1, 300 do
                job.queue, job.group = i % 2 == 0 and "b" or "a", "group " .. i % 3
                g:job(job)
            end
        end }
end
calls["a function"] = run { workload = script("slotted", { arrival = 1, maps = 2 }), machines = 30,
    policy = "fifo" }
calls["groups by a text"] = function()
    local work, made = core.workload_script { definition = script("slotted", { arrival = 1,
        maps = 2 }), chunk = "chunk", seed = 1, group_by = "queue" }
    if not work then return nil, made end
    return core.jobs_hash { workload = work }
end
calls["a batch"] = run { workload = script("makespan", { maps = { 1, 2 } }), map_slots = 9,
    reduce_slots = 1, policy = "fifo" }
for workload, policy in next, { ["zheng,slots=30"] = "fifo", ["lin,jobs=9"] = "fcfs" } do
    calls["errors in sizes of " .. workload] = run { workload = workload, error = "lognormal(1,1)",
        policy = policy, machines = policy == "fifo" and 3 or nil }
end
calls["no rows"] = run { workload = "zheng,slots=30", machines = 3, policy = "fifo",
    keep_jobs = false }

local json = write("a.json", '{"a":[1,2,{"b":"text"}]}\n[1]\n')
calls["JSON of a file"] = function()
    local list, stream, why = {}, core.json_stream(json)
    if not stream then return nil, why end
    while true do
        local value, line = stream()
        if not value then return not line and table.concat(list, " "), line end
        list[#list + 1] = core.json_encode(value)
    end
end
calls["JSON of a text"] = function()
    local value, why = core.json_decode('{"a":[1,2,{"b":"text"}]}', "text")
    return value and core.json_encode(value), why
end
write("long", ("x"):rep(300000) .. "\n")
calls["lines"] = function()
    local lines, why = core.gz_lines(path "long")
    if not lines then return nil, why end
    local line, number = lines()
    return line and #line .. " in line " .. number, number
end
os.execute("cd '" .. folder .. "' && ln -s out link")
calls["an output"] = function()
    local file, why = core.output(path "link")
    if not file then return nil, why end
    local good
    good, why = file:write "text"
    if good then good, why = file:commit() end
    file:discard()
    return good, why
end
calls["a store"] = function()
    os.remove(path "a.units")
    local writer, why = core.store_writer(path "a.units")
    if not writer then return nil, why end
    local key, good = ("0"):rep(31) .. "1", nil
    good, why = writer:append(key, '{"digest":"0000000000000001","x":"' .. ("x"):rep(1200000)
        .. '"}')
    if not good then return nil, why end
    writer:close()
    local index
    index, why = core.store_open(folder)
    if not index then return nil, why end
    local value = index:get(key)
    good, why = index:each(function() end)
    return value and good and #value, why or not value and "no memory for the value"
end
calls["a quantile"] = function()
    local result = pinion.run { workload = "zheng,slots=30", machines = 3, policy = "fifo",
        quiet = true }
    return result.rows:quantile(0.5), result.rows:quantile(1, "arrival")
end

-- ---- workloads, read to the end -----------------------------------------------------------------

-- Adds a call that reads all jobs of what `open` returns, both ways.
local function add_reading(name, open)
    calls[name] = function()
        local work, why = open()
        if not work then return nil, why end
        local totals, reason = work:totals()
        if not totals then return nil, reason end
        return work:jobs(1 << 40, function() end)
    end
end

local SWIM <const> = write("swim", "job\t1\t0\t900000000\t0\t0\n"
    .. ("job\t1\t0\t900000000\t8900000000\t5\n"):rep(70))
local SWF <const> = write("swf", "3 1 1 9 2 -1 -1 2 10 -1 1 5 6 -1 -1 -1 -1 -1\n")

local SPECS <const> = {
    slotted = { "zheng:0,slots=3", "bursts,slots=3", "facebook,jobs=3",
        "swim:" .. SWIM .. ",scale=1", "swf:" .. SWF },
    tandem = { "lin,jobs=3", "theorem2:3,case=1", "swim:" .. SWIM },
    makespan = { "rand_few", "facebook,jobs=3", "t1_like", "swim:" .. SWIM },
    cluster = { "rtmr:I,jobs=3", "facebook,jobs=3", "hsrtf", "swf:" .. SWF,
        "swim:" .. SWIM .. ",scale=1" },
    dag = { "dag:fork-join,jobs=1,width=100,depth=1",
        "dag:chains,jobs=1,width=1,depth=100", "dag,jobs=70,shape=series-parallel,stages=90" },
}
for model, specs in next, SPECS do
    for _, spec in ipairs(specs) do
        add_reading(model .. ": " .. spec, function()
            return pinion.workload.spec(spec):open { model = model, machines = 10 }.core
        end)
    end
end

-- Tables of jobs.

local function list(count, from)
    local made = {}
    for i = 1, count do made[i] = from + i % 3 end
    return made
end

-- More jobs, and more of each list, than there is room for at first.
local MANY <const> = 70
local JOBS <const> = {
    slotted = { arrival = 1, maps = 1, reduces = list(MANY, 1) },
    tandem = { arrival = 0.0, map = 1.0, shuffle = 1.0 },
    makespan = { map = list(MANY, 1), reduce = list(MANY, 1) },
    cluster = { submit = 0, maps = MANY, reduces = MANY, map_times = list(MANY, 1),
        reduce_times = list(MANY, 1), shuffle_times = list(MANY, 0), blocks = {} },
    dag = { arrival = 0, queue = "q", stages = {} },
}
for i = 1, MANY do
    JOBS.cluster.blocks[i] = { i % 3 }
    JOBS.dag.stages[i] = { tasks = 2, durations = { 5, 6 }, demand = { 1 },
        parents = i > 1 and { i - 2 } or nil }
end

-- Returns a table of a model that has its job often.
local function table_of(model)
    local jobs = {}
    for i = 1, MANY do jobs[i] = JOBS[model] end
    return core["workload_" .. model .. "_table"](jobs, 1)
end

for model in next, JOBS do
    add_reading(model .. ": a table", function() return table_of(model) end)
end

add_reading("makespan: a table of Lua's jobs", function()
    return pinion.workload.script [[return { name = "x", model = "makespan",
      generate = function(g) for _ = 1, 70 do g:job { maps = { 1, 2 }, reduces = { 3 } } end end
    }]]:open { model = "makespan" }.core
end)

-- What wraps a source, by the models that have it.
local WRAPPERS <const> = {
    { "errors", { "slotted", "tandem" }, function(work)
        return core.workload_error { workload = work, seed = 1,
            factor = "lognormal(1,1)" }
    end },
    { "other arrivals", { "slotted", "tandem", "cluster", "dag" }, function(work)
        return core.workload_arrivals { workload = work, seed = 1, process = "poisson(1)" }
    end },
    { "a sample", { "slotted", "tandem", "cluster", "dag" }, function(work)
        return core.workload_resample { workload = work, form = "jobs", jobs = 3, seed = 1 }
    end },
    { "ranks", { "tandem" }, function(work)
        return core.workload_ranks { workload = work, count = 3, map = { 3, 2, 1 } }
    end },
    { "scaled sizes", { "slotted", "tandem", "cluster", "dag" }, function(work)
        return core.workload_scaled { workload = work, sizes = 2 }
    end },
    { "deadlines", { "cluster" }, function(work)
        return core.workload_deadlines { workload = work, seed = 1, draw = "uniform(1,2)",
            relative = true, map_slots = 2, reduce_slots = 2, slowest = 1000 }
    end },
}
for _, wrapper in ipairs(WRAPPERS) do
    for _, model in ipairs(wrapper[2]) do
        add_reading(model .. ": " .. wrapper[1], function()
            local truth, reason = table_of(model)
            if not truth then return nil, reason end
            return wrapper[3](truth)
        end)
    end
end

return calls
