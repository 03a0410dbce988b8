-- Metrics beside those of the models: slowdown and fairness against their definitions, and own
-- functions, in results, tables, files and figures, over replicas and processes.
-- The seed is printed; PINION_TEST_SEED repeats a run.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"
local tally = require "pinion.base.tally"

local seed = tonumber(os.getenv "PINION_TEST_SEED" or os.time())
print(string.format("seed %d (PINION_TEST_SEED=%d repeats it)", seed, seed))
math.randomseed(seed)

local function close(name, got, want, part)
    check.is_true(string.format("%s: got %s, want %s", name, got, want),
        got == want or got and want and math.abs(got - want) <= (part or 1e-9) * math.abs(want))
end

local function jain(values)
    local sum, squares = 0, 0
    for _, value in ipairs(values) do sum, squares = sum + value, squares + value * value end
    return sum * sum / (#values * squares)
end

local function mean_of(values)
    local sum = 0
    for _, value in ipairs(values) do sum = sum + value end
    return sum / #values
end

-- ---- the tally ----------------------------------------------------------------------------------

for _, case in ipairs { { "integers", 300, function() return math.random(-20, 20) end, 0 },
        { "reals", 4000, math.random, 0 },
        { "many reals", 30000, function() return math.exp(8 * math.random() - 4) end, 0.01 },
        { "many below 0", 9000, function() return -math.exp(3 * math.random()) end, 0.01 } } do
    local name, count, draw, within = table.unpack(case)
    local one, values, squares = tally.new(), {}, 0
    for i = 1, count do
        values[i] = draw()
        one:add(values[i])
    end
    local made, mean = one:describe(), mean_of(values)
    for _, value in ipairs(values) do squares = squares + (value - mean) ^ 2 end
    check.is_true("mean of " .. name, math.abs(made.mean - mean) <= 1e-9)
    close("sd of " .. name, made.sd, math.sqrt(squares / (count - 1)), 1e-9)
    -- A sum of integers may be exactly 0; the running mean is that up to rounding, below 1e-12.
    local fairness, index = one:fairness(), jain(values)
    check.is_true(string.format("fairness of %s: got %s, want %s", name, fairness, index),
        math.abs(fairness - index) <= 1e-9 * index + 1e-24)
    table.sort(values)
    check.equal("least of " .. name, made.min, values[1])
    check.equal("most of " .. name, made.max, values[count])
    for quantile, q in next, { p50 = 0.5, p90 = 0.9, p99 = 0.99 } do
        close(quantile .. " of " .. name, made[quantile], values[math.ceil(q * count - 1e-9)],
            within)
    end
    local kept = 0
    for _ in next, one.counts do kept = kept + 1 end
    check.is_true("values kept of " .. name .. ": " .. kept, kept <= 4097)
end
check.equal("nothing has no fairness", tally.new():fairness(), nil)

-- ---- slowdown and fairness ----------------------------------------------------------------------

-- A deadline is a time after the arrival, an attribute of jobs or a field of theirs.
for _, case in ipairs {
    { model = "slotted", machines = 1, attributes = { deadline = 0 },
      workload = { { arrival = 1, maps = 2, deadline = 2 }, { arrival = 1, maps = 2, deadline = 3 },
          { arrival = 3, maps = 1, deadline = 3 } } },
    { model = "tandem", attributes = { deadline = 0 },
      workload = { { arrival = 0, map = 2, deadline = 2 }, { arrival = 0, map = 2, deadline = 3 },
          { arrival = 2, map = 1, deadline = 3 } } },
    { model = "makespan", map_slots = 1, reduce_slots = 1, attributes = { deadline = 0 },
      workload = { { maps = { 2 }, deadline = 2 }, { maps = { 2 }, deadline = 3 },
          { maps = { 1 }, deadline = 5 } } },
    { model = "cluster", nodes = { { map_slots = 1, reduce_slots = 0 } },
      workload = { { submit = 0, maps = 1, map_ms = 2, deadline = 2 },
          { submit = 0, maps = 1, map_ms = 2, deadline = 3 },
          { submit = 2, maps = 1, map_ms = 1, deadline = 3 } } },
} do
    case.policy, case.quiet, case.metrics = case.model == "tandem" and "fcfs" or "fifo", true,
        { "deadlines_met" }
    local result = pinion.run(case)
    check.is_true("deadlines met, " .. case.model,
        math.abs(result.mean_deadlines_met - 2 / 3) < 1e-12)
    case.metrics = nil
    check.equal("not asked for, " .. case.model, pinion.run(case).mean_deadlines_met, nil)
end
check.equal("no deadlines", pinion.run {
    model = "tandem", policy = "fcfs", quiet = true, workload = { { arrival = 0, map = 2 } },
    metrics = { "deadlines_met" },
}.mean_deadlines_met, nil)

check.equal("a deadline of 0 is none", pinion.run {
    model = "tandem", policy = "fcfs", quiet = true, attributes = { deadline = 0 },
    workload = { { arrival = 0, map = 2 }, { arrival = 0, map = 2, deadline = 4 } },
    metrics = { "deadlines_met" },
}.mean_deadlines_met, 1.0)

local function sum_of(list)
    local sum, most = 0, 0
    for _, value in ipairs(list) do sum, most = sum + value, math.max(most, value) end
    return sum, most
end

local function ceil_of(units, slots)
    return math.ceil(units / slots)
end

-- The time alone by the definitions of docs/results.md.
local ALONE = {
    slotted = function(job, run)
        local sum, most = sum_of(job.reduces)
        if run.reduce == "preemptive" then most = 0 end
        return ceil_of(job.maps, run.machines) + math.max(ceil_of(sum, run.machines), most)
    end,
    makespan = function(job, run)
        local function work(tasks)
            if tasks.count then return tasks.count * tasks.duration end
            return (sum_of(tasks))
        end
        return work(job.maps or {}) / run.map_slots + work(job.reduces or {}) / run.reduce_slots
    end,
    cluster = function(job, run)
        local function stage(count, ms, slots)
            return count > 0 and math.max(ms, count * ms / slots) or 0
        end
        return stage(job.maps, job.map_ms, run.map_slots)
            + stage(job.reduces, (job.reduce_ms or 0) + (job.shuffle_ms or 0), run.reduce_slots)
    end,
    tandem = function(job, run) return math.max(job.map, job.shuffle) / run.speed end,
}
local TIMES = { slotted = "flow_time", tandem = "response_time", makespan = "finish",
    cluster = "makespan" }

local function spec(text)
    return pinion.workload.spec(text .. ",seed=" .. math.random(1 << 30))
end

local CASES = {
    { model = "slotted", machines = 20, workload = spec "zheng:1,slots=60", policy = "asrpt" },
    { model = "slotted", machines = 7, workload = spec "bursts,slots=3000", policy = "fair",
        reduce = "preemptive" },
    { model = "tandem", workload = spec "lin,jobs=200", policy = "ps", speed = 2 },
    { model = "makespan", workload = spec "rand_few", policy = "uaas", map_slots = 10,
        reduce_slots = 5, level = "task" },
    { model = "cluster", workload = "hsrtf", policy = "fair", params = { factor_lo = 1000 } },
}
for _, options in ipairs(CASES) do
    local model = options.model
    options.quiet, options.metrics = true, { "slowdown", "fairness" }
    local run = pinion.run(options)
    local work = type(options.workload) == "string" and pinion.workload.spec(options.workload)
        or options.workload
    local described = work:jobs { model = model, machines = options.machines }
    local values, groups = {}, {}
    for id, job in ipairs(described) do
        local row = run.jobs[id]
        values[id] = row[TIMES[model]] / ALONE[model](job, run)
        local group = row.group or false
        groups[group] = groups[group] or {}
        table.insert(groups[group], values[id])
        check.is_true(string.format("%s: job %d is no faster than alone: %s", model, id,
            values[id]), values[id] >= 1 - 1e-9)
    end
    check.is_true("jobs of " .. model, #values == run.finished and #values > 0)
    close("mean slowdown of " .. model, run.mean_slowdown, mean_of(values))
    close("slowdowns of " .. model, run.slowdown.mean, mean_of(values))
    close("fairness of " .. model, run.fairness, jain(values), 1e-9)
    for _, group in ipairs(run.groups or {}) do
        local own = groups[group.group or false]
        close("slowdown of a group of " .. model, group.slowdown.mean, own and mean_of(own))
    end
    table.sort(values)
    close("median slowdown of " .. model, run.slowdown.p50, values[math.ceil(0.5 * #values)], 1e-9)
    close("… asked for", run:quantile("slowdown", 0.5), values[math.ceil(0.5 * #values)], 1e-9)
end
local plain = pinion.run { machines = 20, workload = "zheng:0,slots=20", policy = "fifo",
    quiet = true }
check.equal("nothing that is not asked for", plain.mean_slowdown, nil)
check.equal("… and no fairness", plain.fairness, nil)

-- ---- own metrics --------------------------------------------------------------------------------

local function late(job) return job.finish > job.arrival + 8 end
local OWN = { late = late, units = function(job) return job.maps end,
    odd = function(job) if job.id % 2 == 1 then return job.flow_time end end }
local BASE = { machines = 60, workload = "facebook,jobs=120", quiet = true }
local function with(more)
    local made = {}
    for name, value in next, BASE do made[name] = value end
    for name, value in next, more do made[name] = value end
    return made
end

local run = pinion.run(with { policy = "asrpt", metrics = OWN })
local count, odd, odds, units = 0, 0, 0, {}
local described = pinion.workload.spec(BASE.workload):jobs { machines = 60 }
for id = 1, #run.jobs do
    local job = run.jobs[id]
    if late(job) then count = count + 1 end
    if id % 2 == 1 then odd, odds = odd + job.flow_time, odds + 1 end
    units[id] = described[id].maps
end
close("a share", run.mean_late, count / #run.jobs)
check.equal("… of 0 and 1", run.late.max, 1)
close("jobs that are left out", run.mean_odd, odd / odds)
close("what the workload says of a job", run.mean_units, mean_of(units))
check.equal("the largest", run.units.max, select(2, sum_of(units)))
check.contains("text", tostring(run), "late              ")
check.contains("a share in the text", tostring(run), " % of the jobs\n")

-- The rows are not kept, and the warm-up does not count.
local unkept = pinion.run(with { policy = "asrpt", metrics = OWN, keep_jobs = false })
check.equal("without rows", unkept.jobs, nil)
check.equal("the same mean", unkept.mean_late, run.mean_late)
local warm = pinion.run(with { policy = "asrpt", metrics = OWN, warmup = 60 })
count = 0
for id = 61, 120 do if late(warm.jobs[id]) then count = count + 1 end end
close("behind the warm-up", warm.mean_late, count / 60)

-- Over replicas and processes.
local function compare(more)
    more.policies, more.metrics = { "fifo", "asrpt" }, { "slowdown", late = late }
    return pinion.compare(with(more))
end
local comparison = compare { replicas = 4, processes = 1 }
local shares, slowdowns = {}, {}
for replica = 0, 3 do
    local own = pinion.run(with { policy = "asrpt", replica = replica,
        metrics = { "slowdown", late = late } })
    shares[replica + 1], slowdowns[replica + 1] = own.mean_late, own.mean_slowdown
end
local row = comparison.rows[2]
close("mean over replicas", row.mean_late, mean_of(shares))
close("mean slowdown over replicas", row.mean_slowdown, mean_of(slowdowns))
check.is_true("its interval", row.mean_late_half > 0 and row.mean_slowdown_half > 0)
check.is_true("interval of a quantile", row.slowdown.p90_half >= 0)
check.is_true("of a group", row.groups[1].late.mean_half)
check.equal("replica by replica", table.concat(row.samples.mean_late, " "),
    table.concat(shares, " "))
local apart = compare { replicas = 4, processes = 3 }
check.equal("processes change nothing", tostring(apart), tostring(comparison))
check.equal("nor for one replica", tostring(compare { replicas = 1, processes = 2 }),
    tostring(compare { replicas = 1, processes = 1 }))
check.matches("in the table", tostring(comparison), "  slowdown +late")
check.contains("and the means of groups", tostring(compare { replicas = 1 }), "  slowdown ")

-- Files and figures.
local function written(method, name, it, ...)
    local path = program.file(name)
    it[method](it, path, ...)
    return path
end
check.matches("csv", check.read_file(written("csv", "m.csv", comparison)),
    "mean_late,mean_late_sd,mean_late_half")
local long = check.read_file(written("long", "m-long.csv", comparison))
for _, part in ipairs { "\nasrpt,3,,mean_late,", "\nasrpt,,,mean_late,",
    "\nasrpt,,,mean_late_difference,", "\nasrpt,,1 map,slowdown_p90," } do
    check.contains("long csv has " .. part, long, part)
end
local object = core.json_decode(check.read_file(written("json", "m.json", comparison)), "m")
close("json", object.rows[2].mean_late, row.mean_late)
close("json of a group", object.rows[2].groups[1].slowdown.mean,
    row.groups[1].slowdown.mean)
written("plot", "m.svg", comparison, { kind = "bars", of = "mean_late" })
check.contains("a figure", check.read_file(program.file "m.dat"),
    string.format("%.6g", row.mean_late):sub(1, 5))
written("plot", "cdf.svg", comparison, { kind = "cdf", of = "slowdown" })
check.contains("its axis", check.read_file(program.file "cdf.gp"), "slowdown")
local sweep = pinion.sweep { over = { machines = { 40, 80 } }, workload = "facebook,jobs=60",
    policies = { "fifo", "asrpt" }, replicas = 2, quiet = true, processes = 2,
    metrics = { "fairness", late = late } }
check.matches("a sweep", tostring(sweep), "machines  policy .*late")
check.is_true("rows of a sweep", sweep.rows[1].mean_late and sweep.rows[4].fairness)
written("plot", "sweep.svg", sweep, { of = "mean_late" })

-- The command line.
local json = core.json_decode(program.succeed("--metrics", { "compare", "-q", "--workload",
    "facebook,jobs=60", "--policies", "fifo,asrpt", "--replicas", "2", "--metrics",
    "slowdown,fairness", "--format", "json" }), "metrics")
check.is_true("--metrics", json.rows[1].mean_slowdown >= 1 and json.rows[1].fairness <= 1)
-- Without gnuplot the figure is not drawn, and that is said.
local _, _, drawn = program.run({ "sweep", "-q", "--workload", "facebook,jobs=60", "--policies",
    "fifo", "--over", "machines=40,80", "--metrics", "slowdown", "--plot", program.file "s.svg",
    "--of", "mean_slowdown", "--format", "csv", "-o", program.file "s.csv" })
check.equal("sweep --metrics", drawn, 0)
check.contains("its columns", check.read_file(program.file "s.csv"), ",mean_slowdown,")
check.contains("rows of all jobs are not JSON's", program.succeed("--no-jobs", { "simulate", "-q",
    "--workload", "lin,jobs=50", "--policy", "ps", "--metrics", "fairness", "--no-jobs",
    "--format", "table" }), "\nfairness  ")

-- A file of functions.
local own = program.file("own.lua",
    'return { "slowdown", late = function(job) return job.flow_time > 10 end }')
local from_file = core.json_decode(program.succeed("a file of metrics", { "compare", "-q",
    "--workload", "zheng:0,slots=60", "--policies", "fifo", "--replicas", "2", "--metrics",
    own .. ",fairness", "--format", "json" }), "own")
local from_script = pinion.compare { machines = 100, workload = "zheng:0,slots=60", quiet = true,
    policies = { "fifo" }, replicas = 2, metrics = { "slowdown", "fairness",
        late = function(job) return job.flow_time > 10 end } }
for _, name in ipairs { "mean_late", "mean_slowdown", "fairness" } do
    close("of a file: " .. name, from_file.rows[1][name], from_script.rows[1][name])
end
local function with_store()
    return program.run { "compare", "--workload", "zheng:0,slots=60", "--policies", "fifo",
        "--metrics", own, "--format", "csv", "--store", program.file "store" }
end
local first = with_store()
local again, messages = with_store()
check.equal("a store takes it", again, first)
check.contains("as it is", messages, "1 of 1 run were stored already")
program.file("own.lua", 'return { late = function(job) return job.flow_time > 11 end }')
check.equal("changed", select(2, with_store()), "")

-- ---- mistakes -----------------------------------------------------------------------------------

local function mistaken(text, message)
    local path = program.file("mistaken.lua", text)
    program.fails(text, { "simulate", "--workload", "zheng:0", "--policy", "fifo", "--metrics",
        path }, message:find "^%d" and 1 or 2, path .. ":" .. message)
end
mistaken("return 5", " must return a table of functions of a job, such as return { late = "
    .. "function(job) return job.finish > 100 end }, got 5")
mistaken("return { late = 3 }", " late: must be a function of a job, got 3")
program.fails("no such file", { "simulate", "--workload", "zheng:0", "--policy", "fifo",
    "--metrics", "nono.lua" }, 2, "pinion: --metrics: nono.lua: No such file or directory")

for _, case in ipairs {
    { { "slowdwn" }, "metrics: must be deadlines_met or fairness or slowdown, got 'slowdwn' "
        .. "(did you mean 'slowdown'?)" },
    { "slowdown", "metrics: must be a table of names and functions" },
    { { late = 3 }, "metrics: late: must be a function of a job, got 3" },
    { { ["a b"] = late }, "metrics: names are letters, digits and _, got 'a b'" },
    { { flow_time = late }, "metrics: flow_time: is a name that results of the slotted model" },
    { { fairness = late }, "metrics: fairness: is a name that results" },
    { { seed = late }, "metrics: seed: is a name that results" },
    { { bad = function() return "x" end }, "metrics.bad: job 1: must return a finite number, "
        .. "true, false, or nil to leave the job out, got 'x'" },
    { { bad = function() return 0 / 0 end }, "metrics.bad: job 1: must return a finite number" },
    { { bad = function(job) return job.flow_time > job.size end }, "metrics.bad: job 1: " },
    { { bad = function() error {} end }, "metrics.bad: job 1: error value of type table" },
    { { bad = function() error(setmetatable({}, { __tostring = error })) end },
        "metrics.bad: job 1: error value of type table" },
} do
    check.raises("mistake: " .. case[2], case[2], pinion.run,
        with { policy = "fifo", metrics = case[1] })
    check.raises("… in workers: " .. case[2], case[2], pinion.compare,
        with { policies = { "fifo" }, replicas = 3, processes = 2, metrics = case[1] })
end
check.raises("a job is named", "metrics.bad: job 2 'b': ", pinion.run, { machines = 2,
    policy = "fifo", quiet = true, workload = { { arrival = 1, maps = 1, name = "a" },
        { arrival = 2, maps = 1, name = "b" } },
    metrics = { bad = function(job) return job.name == "b" and {} or 1 end } })
program.fails("a misspelling", { "simulate", "--workload", "zheng:0", "--policy", "fifo",
    "--metrics", "fairnes" }, 2, "pinion: --metrics: must be deadlines_met or fairness or "
    .. "slowdown, got 'fairnes' (did you mean 'fairness'?)")

check.done()
