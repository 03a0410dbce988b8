-- Experiments: worker processes, replicas, statistics, errors in sizes, warm-up, batches, growth;
-- from inside and from the command line.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local parallel = require "pinion.base.parallel"
local fault = require "pinion.base.fault"
local pinion = require "pinion"
local statistics = require "pinion.base.statistics"

local function close_to(name, got, want)
    check.is_true(string.format("%s: %s is near %s", name, got, want),
        got and math.abs(got - want) <= 1e-9 * math.max(1, math.abs(want)))
end

-- ---- worker processes ---------------------------------------------------------------------------

check.is_true("cores", core.cores() >= 1)

-- Everything a pool says until all have ended: lines by worker, and how each ended.
local function listen(pool)
    local lines, ends = {}, {}
    while true do
        local index, line, why = pool:next(1)
        if index == false then return lines, ends end
        if index and line then
            lines[index] = lines[index] or {}
            table.insert(lines[index], line)
        elseif index then
            ends[index] = why or "well"
        end
    end
end

local long = ("x"):rep(3000000)
local pool = core.workers(3, function(index, send)
    for k = 1, 100 do send(index .. ":" .. k) end
    if index == 2 then send(long) end
    if index == 3 then return 7 end
end)
local lines, ends = listen(pool)
check.equal("a worker's lines in order", table.concat(lines[1], " ", 98), "1:98 1:99 1:100")
check.equal("a line of three million letters", lines[2][101], long)
check.equal("a worker that ends", ends[1], "well")
check.equal("a worker's exit code", ends[3], "exit code 7")

lines, ends = listen(core.workers(2, function(index, send)
    send "begun"
    if index == 1 then error "broken" end
    os.execute "kill -9 $PPID"
end))
check.equal("a worker that raises", ends[1], "exit code 1")
check.matches("a worker that is killed", ends[2], "^killed by signal 9 ")
check.equal("what it had said", lines[2][1], "begun")

local function exists(pid)
    local file = io.open("/proc/" .. pid .. "/stat")
    if file then file:close() end
    return file ~= nil
end
if io.open "/proc/self/stat" then
    local pid
    do
        local endless <close> = core.workers(1, function(_, send)
            send(io.open("/proc/self/stat"):read "n" .. "")
            while true do end
        end)
        repeat local index, line = endless:next(1); pid = line or nil until index
        check.is_true("a worker at work", exists(pid))
    end
    check.equal("a pool that is let go of leaves nobody behind", exists(pid), false)
end

-- Tasks: values come back as they are and in order, and the first task to fail is the one that is
-- heard of.
local function run_tasks(count, processes, run)
    local delivered = {}
    local complete = parallel.run(count, processes, {
        run = run, deliver = function(task, value) delivered[#delivered + 1] = { task, value }
            end, name = function(task) return "task " .. task end,
    })
    return delivered, complete
end
for _, processes in ipairs { 1, 2, 5 } do
    local values = run_tasks(23, processes, function(task, tick)
        tick()
        return { task = task, third = task / 3, whole = task + 0.0, text = 'a "b"\n',
            list = { 1, 2.5, task }, none = {}, yes = true }
    end)
    local seen = {}
    for i, entry in ipairs(values) do seen[i] = entry[1] end
    check.equal("order with processes " .. processes, table.concat(seen, " "),
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23")
    local value = values[7][2]
    check.equal("doubles are exact", value.third, 7 / 3)
    check.equal("floats stay floats", value.whole, 7.0)
    check.equal("integers stay integers", value.task, 7)
    check.equal("texts", value.text, 'a "b"\n')
    check.equal("lists", table.concat(value.list, " ") .. #value.none, "1 2.5 70")
    local ok, problem = pcall(run_tasks, 9, processes, function(task)
        if task >= 4 then fault.usage("task %d has failed", task) end
        return {}
    end)
    check.equal("the first task to fail, with processes " .. processes,
        ok == false and fault.is(problem) and problem.text, "task 4 has failed")
    check.equal("whose fault it was", problem.code, 2)
    local _, defect = pcall(run_tasks, 9, processes, function(task) return task.x.y end)
    check.matches("a defect keeps its place", tostring(defect),
        "experiments%.lua:%d+: attempt to index")
end
local _, lost = pcall(run_tasks, 9, 3, function(task)
    if task == 5 then os.execute "kill -9 $PPID" end
    return {}
end)
check.matches("a task that takes two processes with it", tostring(lost),
    "^the process that ran task 5 was lost: killed by signal 9 .*, as the one before it$")

-- The task of a process that is lost is run again, and only that one.
local begun = os.tmpname()
local function noted(task)
    local file <close> = assert(io.open(begun, "a"))
    file:write(task, "\n")
end
local function times_begun(task)
    local times = 0
    for line in io.lines(begun) do times = times + (line == tostring(task) and 1 or 0) end
    return times
end
local again = run_tasks(40, 3, function(task)
    noted(task)
    if task % 10 == 5 and times_begun(task) == 1 then os.execute "kill -9 $PPID" end
    return { task = task }
end)
local delivered = {}
for i, entry in ipairs(again) do delivered[i] = entry[2].task end
check.equal("all values are delivered", #delivered, 40)
for task = 1, 40 do
    check.equal("in order", delivered[task], task)
    check.equal("task " .. task .. " is begun", times_begun(task), task % 10 == 5 and 2 or 1)
end
os.remove(begun)

-- Whoever is free takes the next task: the first, which ends after all others have begun, holds
-- nobody up.
local function begun_tasks()
    local count = 0
    for _ in io.lines(begun) do count = count + 1 end
    return count
end
local of_worker = {}
for _, entry in ipairs(run_tasks(30, 2, function(task)
    noted(task)
    for _ = 1, task == 1 and 3000 or 0 do
        if begun_tasks() == 30 then break end
        os.execute "sleep 0.01"
    end
    return { pid = io.open("/proc/self/stat"):read "n" }
end)) do
    local pid = entry[2].pid
    of_worker[pid] = (of_worker[pid] or 0) + 1
end
local least = 30
for _, count in next, of_worker do least = math.min(least, count) end
check.equal("the worker with the long task has no other", least, 1)
os.remove(begun)
local values, complete = run_tasks(4, 2, function(task) return task ~= 3 and {} or nil end)
check.equal("an interrupted task is no value", complete, false)
check.is_true("what is complete stays", #values >= 1)

-- ---- statistics over replicas -------------------------------------------------------------------

local work = pinion.workload.zheng { slots = 100, seed = 3 }
local REPLICAS = 6
local compared = pinion.compare { machines = 100, workload = work,
    policies = { "fifo", "asrpt", "fair" }, replicas = REPLICAS, baseline = "asrpt", quiet = true }
local samples, pooled = {}, { fifo = {}, asrpt = {} }
for _, policy in ipairs { "fifo", "asrpt" } do
    samples[policy] = {}
    for replica = 0, REPLICAS - 1 do
        local result = pinion.run { machines = 100, workload = work, policy = policy,
            replica = replica, quiet = true }
        samples[policy][replica + 1] = result.mean_flow_time
        for _, job in ipairs(result.jobs) do table.insert(pooled[policy], job.flow_time) end
    end
    table.sort(pooled[policy])
end
local fifo, asrpt = compared.rows[1], compared.rows[2]
local sum, squares, differences, wins = 0, 0, 0, 0
for k = 1, REPLICAS do
    sum = sum + samples.fifo[k]
    differences = differences + samples.fifo[k] - samples.asrpt[k]
    wins = wins + (samples.fifo[k] < samples.asrpt[k] and 1 or 0)
end
for k = 1, REPLICAS do squares = squares + (samples.fifo[k] - sum / REPLICAS) ^ 2 end
close_to("mean over replicas", fifo.mean_flow_time, sum / REPLICAS)
close_to("standard deviation over replicas", fifo.mean_flow_time_sd,
    math.sqrt(squares / (REPLICAS - 1)))
check.is_true("half width: t of 5 degrees",
    math.abs(fifo.mean_flow_time_half
    / (fifo.mean_flow_time_sd / math.sqrt(REPLICAS)) - 2.5706) < 0.01)
close_to("paired difference", fifo.difference, differences / REPLICAS)
check.is_true("pairs know more than the two alone", fifo.difference_half < fifo.mean_flow_time_half
    + asrpt.mean_flow_time_half)
close_to("ratio to the baseline", fifo.relative, fifo.mean_flow_time / asrpt.mean_flow_time)
check.equal("wins", fifo.wins, wins)
check.equal("the baseline beats nobody", asrpt.wins, nil)
check.equal("the baseline", compared.baseline, "asrpt")
for name, q in pairs { p50 = 0.5, p90 = 0.9, p99 = 0.99, p999 = 0.999, max = 1 } do
    check.equal("pooled " .. name, fifo[name],
        pooled.fifo[math.ceil(q * #pooled.fifo * statistics.RANK)])
end
check.equal("samples by replica", fifo.samples.mean_flow_time[4], samples.fifo[4])
check.equal("a replica alone is the replica",
    pinion.compare { machines = 100, workload = work, policies = { "fifo" }, replica = 3,
    quiet = true }.rows[1].mean_flow_time,
    samples.fifo[4])

local grouped = pinion.compare { machines = 100, workload = "facebook,jobs=60",
    policies = { "fifo", "asrpt" }, replicas = 3, quiet = true }
local jobs = 0
for _, group in ipairs(grouped.rows[1].groups) do jobs = jobs + group.finished end
check.equal("groups over replicas", jobs, 180)
check.is_true("quantiles of groups", grouped.rows[2].groups[1].flow_time.p99
    >= grouped.rows[2].groups[1].flow_time.p50)
check.equal("their names", grouped.rows[1].groups[1].group, "1 map")

-- Text of whatever is compared fits a screen.
local wide = pinion.compare { machines = 3, workload = "zheng:0,slots=300",
    policies = { "fifo", "lrpt", "asrpt", "srpt" }, replicas = 3, bounds = "tight", quiet = true,
    baseline = "srpt" }
for line in tostring(wide):gmatch "[^\n]+" do
    if not line:find "^warning" then
        check.is_true("fits 120 columns: " .. line, utf8.len(line) <= 120)
    end
end

-- ---- errors in sizes ----------------------------------------------------------------------------

local JOBS = { { arrival = 1, maps = 5, reduces = { 4, 4, 2 } },
    { arrival = 2, maps = 0, reduces = { 7 } }, { arrival = 3, maps = 3 },
               { arrival = 3, maps = 9, reduces = { 9 }, estimate_maps = 1 } }
local function with_error(kind, a, b, seed)
    local truth = core.workload_slotted_table(JOBS)
    return core.workload_error { workload = truth,
        factor = string.format(b and "%s(%s,%s)" or "%s(%s)", kind, a, b),
        seed = seed or 1, replica = 0 }:jobs(9)
end
local doubled = with_error("constant", 2)
check.equal("maps times two", doubled[1].estimate_maps, 10)
check.equal("reduces times two", doubled[1].estimate_reduces, 20)
check.equal("the truth stays", doubled[1].maps, 5)
check.equal("nothing stays nothing", doubled[2].estimate_maps, nil)
check.equal("an estimate of the job's own wins", doubled[4].estimate_maps, 1)
check.equal("… and is its only one", doubled[4].estimate_reduces, nil)
check.equal("at least 1", with_error("constant", 0)[1].estimate_maps, 1)
check.equal("rounded up from the half", with_error("constant", 0.5)[1].estimate_maps, 3)
check.equal("rounded down below it", with_error("constant", 0.49)[1].estimate_maps, 2)
check.equal("at most 2^52", with_error("constant", 1e15)[2].estimate_reduces, 1 << 52)
local first, second = with_error("uniform", 0.5, 1.5), with_error("uniform", 0.5, 1.5, 2)
check.is_true("another seed, other errors", first[1].estimate_reduces ~= second[1].estimate_reduces
    or first[2].estimate_reduces ~= second[2].estimate_reduces)

local function digest(options)
    options.machines, options.workload, options.quiet = 100, options.workload or work, true
    return pinion.run(options).digest
end
check.equal("no error is the truth", digest { policy = "asrpt", error = 1 },
    digest { policy = "asrpt" })
check.is_true("errors change what looks at sizes",
    digest { policy = "asrpt", error = "lognormal(1,1)" } ~= digest { policy = "asrpt" })
check.equal("… and nothing else", digest { policy = "fifo", error = "lognormal(1,1)" },
    digest { policy = "fifo" })
local both = pinion.compare { machines = 2, workload = JOBS, policies = { "dspt" },
    error = "pareto(1,0.1)", replicas = 12, quiet = true }
check.is_true("so a list of jobs may have replicas", both.rows[1].mean_flow_time_sd > 0)
check.equal("the bound is of the true sizes",
    pinion.run { machines = 100, workload = work, policy = "asrpt", error = "exp(1)",
    quiet = true }.lower_bound,
    pinion.run { machines = 100, workload = work, policy = "asrpt", quiet = true }.lower_bound)

-- ---- warm-up and batches ------------------------------------------------------------------------

local whole = pinion.run { machines = 100, workload = work, policy = "asrpt", quiet = true }
local warm = pinion.run { machines = 100, workload = work, policy = "asrpt", quiet = true,
    warmup = 50 }
local times, total = {}, 0
for id = 51, #whole.jobs do
    times[#times + 1] = whole.jobs[id].flow_time
    total = total + whole.jobs[id].flow_time
end
table.sort(times)
check.equal("the schedule is the same", warm.digest, whole.digest)
check.equal("totals are of all jobs", warm.total_flow_time, whole.total_flow_time)
check.equal("ratios too", warm.efficiency_ratio, whole.efficiency_ratio)
check.equal("jobs that count", warm.measured, #times)
check.equal("all jobs count without warm-up", whole.measured, whole.finished)
close_to("mean behind the warm-up", warm.mean_flow_time, total / #times)
check.equal("p90 behind the warm-up", warm.flow_time.p90,
    times[math.ceil(0.9 * #times * statistics.RANK)])
check.equal("quantile behind the warm-up", warm:quantile("flow_time", 0.25),
    times[math.ceil(0.25 * #times * statistics.RANK)])
check.equal("quantile of arrivals behind the warm-up", warm:quantile("arrival", 0),
    whole.jobs[51].arrival)
check.equal("rows are of all jobs", #warm.jobs, #whole.jobs)
local in_slots = pinion.run { machines = 100, workload = work, policy = "asrpt", quiet = true,
    warmup = { slots = 30 } }
local before = 0
while whole.jobs[before + 1].arrival <= 30 do before = before + 1 end
check.equal("warm-up in slots", in_slots.measured, whole.finished - before)
check.equal("warm-up in slots as text",
    pinion.run { machines = 100, workload = work, policy = "asrpt", quiet = true,
    warmup = "30slots" }.measured, in_slots.measured)
check.equal("a warm-up beyond all jobs",
    pinion.run { machines = 100, workload = work, policy = "asrpt", quiet = true,
    warmup = 1e6 }.mean_flow_time, nil)
local counts = 0
for _, count in pairs(warm:flow_time_counts()) do counts = counts + count end
check.equal("counts behind the warm-up", counts, #times)
local warmed = pinion.compare { machines = 100, workload = work, policies = { "fifo", "asrpt" },
    warmup = 50, replicas = 2, quiet = true }
check.equal("a comparison behind the warm-up", warmed.rows[2].samples.mean_flow_time[1],
    warm.mean_flow_time)
check.equal("jobs measured over replicas", warmed.rows[1].measured, warmed.rows[1].finished - 100)

local long_run = pinion.run { machines = 120, workload = "zheng:0,slots=10000", policy = "fifo",
    quiet = true }
local batches = long_run.batches
check.is_true("batches", batches.count >= 32 and batches.count < 64
    and batches.count * batches.size <= long_run.finished)
check.is_true("they hold nearly all jobs", (batches.count + 1) * batches.size > long_run.finished)
check.is_true("their mean is the run's", math.abs(batches.mean - long_run.mean_flow_time) < 0.5)
local apart = long_run.flow_time.sd * 1.96 / math.sqrt(long_run.finished)
check.is_true("neighbours depend on each other: the honest interval is wider",
    batches.half > 2 * apart)
check.equal("too few batches for an interval",
    pinion.run { machines = 4, workload = JOBS, policy = "fifo", quiet = true }.batches.half, nil)

-- ---- growth -------------------------------------------------------------------------------------

local small = pinion.run { machines = 40, workload = "zheng:0,slots=12,seed=5", policy = "fifo",
    quiet = true }
local seen = small.number_in_system
check.is_true("a short series has every arrival", #seen == small.finished and seen.jobs == 1)
for id, job in ipairs(small.jobs) do
    local present = 0
    for _, other in ipairs(small.jobs) do
        if other.arrival < job.arrival and other.finish >= job.arrival then
            present = present + 1
        end
    end
    check.equal("what job " .. id .. " saw", math.tointeger(seen[id]), present)
end
local overload = pinion.compare { machines = 75, workload = "zheng:0,slots=1500",
    policies = { "fifo", "asrpt" }, quiet = true }
check.is_true("overload is noticed", overload.growing and overload.rows[1].growing
    and overload.rows[2].growing)
check.equal("four quarters", #overload.rows[1].quarters, 4)
check.equal("enough machines", pinion.run { machines = 110, workload = "zheng:0,slots=1500",
    policy = "fifo", quiet = true }.growing, false)
local batch = {}
for i = 1, 500 do batch[i] = { arrival = 1, maps = 5 } end
check.equal("a batch of jobs is no overload",
    pinion.run { machines = 1, workload = batch, policy = "fifo", quiet = true }.growing, false)
check.equal("growth over replicas",
    pinion.compare { machines = 80, workload = "zheng:0", policies = { "fifo" }, replicas = 10,
    quiet = true }.growing, true)
check.equal("none over replicas",
    pinion.compare { machines = 105, workload = "zheng:0", policies = { "fifo" }, replicas = 10,
    quiet = true }.growing, false)
check.equal("up and never down", statistics.is_growing({ 10, 30, 50, 70 }, 60), true)
check.equal("back to where it was", statistics.is_growing({ 10, 30, 50, 70 }, 29), false)
check.equal("hardly up", statistics.is_growing({ 10, 30, 31, 32 }, 31), false)
check.equal("up and down", statistics.is_growing({ 10, 50, 30, 70 }, 60), false)
check.equal("too short a series", statistics.quarters({ 1, 2, 3 }, 1), nil)

-- ---- from the command line ----------------------------------------------------------------------

local function succeed(name, arguments, messages_wanted)
    local output, messages, code = program.run(arguments)
    check.equal("exit code of " .. name, code, 0)
    if messages_wanted then
        check.contains("messages of " .. name, messages, messages_wanted)
    else
        check.equal("silence of " .. name, messages, "")
    end
    return output
end

-- Nothing depends on the number of processes, to the last byte.
for _, format in ipairs { "json", "csv", "table" } do
    local alone
    for _, processes in ipairs { "1", "2", "5" } do
        local output = succeed("replicas on " .. processes .. " processes",
            { "compare", "--workload", "facebook,jobs=80", "--policies", "fifo,asrpt,dspt",
            "--replicas", "7",
            "--error", "lognormal(1,1)", "--warmup", "5", "--bounds", "tight", "--quiet",
            "--format", format, "--processes", processes })
        alone = alone or output
        check.equal("the same " .. format .. " from " .. processes .. " processes", output, alone)
    end
end
-- One replica, its policies side by side.
for _, format in ipairs { "json", "csv", "table" } do
    local arguments = { "compare", "--workload", "facebook,jobs=300", "--policies",
        "fifo,asrpt,srpt", "--bounds", "tight", "--quiet", "--format", format }
    local alone = succeed("one replica", arguments)
    arguments[#arguments + 1] = "--processes=3"
    check.equal("the same " .. format .. " of one replica from 3 processes",
        succeed("policies side by side", arguments), alone)
end
local here = pinion.compare { machines = 100, workload = work, policies = { "fifo", "asrpt" },
    quiet = true }
local apart = pinion.compare { machines = 100, workload = work, policies = { "fifo", "asrpt" },
    quiet = true, processes = 2 }
check.equal("a result from another process", tostring(apart.rows[2].result),
    tostring(here.rows[2].result))
check.equal("its quantiles", apart.rows[2].result:quantile("flow_time", 0.7),
    here.rows[2].result:quantile("flow_time", 0.7))
check.equal("exact ones", apart.rows[2].result:quantile("flow_time", 0.7),
    pinion.run { machines = 100, workload = work, policy = "asrpt",
    quiet = true }:quantile("flow_time", 0.7))
check.raises("no rows", "this result has no rows",
    function() apart.rows[2].result:quantile("finish", 0.5) end)

-- Without rows, counts are those of the histogram: as many as there are jobs, extremes exact.
local bare = pinion.run { machines = 100, workload = work, policy = "lrpt", quiet = true,
    keep_jobs = false }
local histogram, smallest, largest = 0, math.huge, 0
for value, count in pairs(bare:flow_time_counts()) do
    histogram, smallest, largest = histogram + count, math.min(smallest, value),
        math.max(largest, value)
end
check.equal("counts of a histogram", histogram, bare.finished)
check.equal("its extremes", smallest .. " " .. largest, bare.flow_time.min .. " "
    .. bare.flow_time.max)
check.equal("its median", statistics.quantile(bare:flow_time_counts(), 0.5), bare.flow_time.p50)
local nobody = pinion.run { machines = 100, workload = work, policy = "fifo", quiet = true,
    keep_jobs = false, warmup = 1e6 }
check.equal("counts of nothing", next(nobody:flow_time_counts()), nil)

local decoded =
    core.json_decode(
    succeed("json", { "compare", "--workload", "zheng:0,slots=60", "--policies", "fifo,asrpt",
    "--replicas", "4", "--baseline", "asrpt", "--quiet" }), "r")
check.equal("rows of replicas", #decoded.rows, 2)
check.equal("every sample", #decoded.rows[1].samples.mean_flow_time, 4)
check.equal("difference to itself", decoded.rows[2].difference, core.null)
check.matches("digest over replicas", decoded.rows[1].digest, "^%x+$")
check.matches("csv of replicas",
    succeed("csv", { "compare", "--workload", "zheng:0,slots=60", "--policies", "fifo,asrpt",
    "--replicas", "3", "--format", "csv", "--quiet" }),
    "^policy,replicas,finished,mean_flow_time,mean_flow_time_sd,[^\n]*\nfifo,3,%d+,[^\n]*,fifo,"
        .. "[^\n]*\nasrpt,3,")

local log = program.file "error.log"
local run = { "simulate", "--workload", "zheng:0,slots=40", "--policy", "asrpt", "--error",
    "lognormal(1,1)", "--log", log, "--quiet" }
check.contains("error in a result", succeed("a run with errors", run), '"error": "lognormal(1,1)"')
check.contains("verified with its errors",
    succeed("verify", { "verify", "--workload", "zheng:0,slots=40", "--error", "lognormal(1,1)",
    log }), ": ok: asrpt: ")
check.equal("another scenario without them",
    select(3, program.run { "verify", "--workload", "zheng:0,slots=40", log }), 1)

local grown = succeed("overload", { "simulate", "--workload", "zheng:0,slots=1500", "--set",
    "machines=75", "--policy", "fifo", "--no-jobs" },
    "pinion: fifo: the number of jobs was still growing when arrivals ended (on "
        .. "average ")
check.contains("growth in json", grown, '"growing": true')
check.contains("growth in a table",
    succeed("overload as a table", { "simulate", "--workload", "zheng:0,slots=1500", "--set",
    "machines=75", "--policy", "fifo", "--format", "table" }),
    "warning: the number of jobs was still growing")
succeed("overload, quietly", { "simulate", "--workload", "zheng:0,slots=1500", "--set",
    "machines=75", "--policy", "fifo", "--no-jobs", "--quiet" })

-- What the parent has printed already is printed once.
local echo = program.file("echo.lua", [[
io.write "before\n"
require "pinion".compare { machines = 9, workload = "zheng:0,slots=9", policies = { "fifo" }, replicas = 6, processes = 3, quiet = true }
io.write "after\n"]])
check.equal("workers print nothing of their parent's", succeed("a script", { "run", echo }),
    "before\nafter\n")
local flushing = program.file("flushing.lua", [[
io.stdout:setvbuf "full"
io.write "before\n"
local pool <close> = require "pinion.core".workers(1, function(_, send) io.stdout:flush() send "done" return 0 end)
while pool:next(10) ~= false do end
io.write "after\n"]])
check.equal("not even one that flushes", succeed("a script", { "run", flushing }),
    "before\nafter\n")

-- { arguments, exit code, message }
local MISTAKES = {
    { { "--replicas", "0" }, 2, "pinion: --replicas: must be an integer in 1..100000, got 0\n" },
    { { "--replicas", "two" }, 2,
        "pinion: --replicas: must be an integer in 1..100000, got 'two'\n" },
    { { "--processes", "0" }, 2, "pinion: --processes: must be an integer in 1..256, got 0\n" },
    { { "--processes", "1000" }, 2,
        "pinion: --processes: must be an integer in 1..256, got 1000\n" },
    { { "--policies", "fifo,fair", "--baseline", "asrpt" }, 2,
        "pinion: baseline: must be fifo or fair, got 'asrpt'\n" },
    { { "--error", "lognormal(1)" }, 2,
        "pinion: --error: takes 2 arguments: lognormal(mean,sd)\n" },
    { { "--error", "lognormal(1e-200,1)" }, 2,
        "pinion: --error: lognormal: sd must be at most 1e+150 times the mean\n" },
    { { "--error", "uniform(2,1)" }, 2, "pinion: --error: uniform: low must not be above high\n" },
    { { "--error", "constant(-1)" }, 2,
        "pinion: --error: constant: value must be a number >= 0 and <= 9007199254740992, "
        .. "got -1\n" },
    { { "--warmup", "100days" }, 2,
        "pinion: --warmup: must be a number of jobs such as 1000, or of slots such as 500slots, "
        .. "or auto, got '100days'\n" },
    { { "--warmup", "-1" }, 2,
        "pinion: --warmup: must be a number of jobs such as 1000, or of slots such as 500slots, "
        .. "or auto, got '-1'\n" },
    { { "--replicas", "2", "--jobs-detail" }, 2,
        "pinion: --jobs-detail: jobs of several replicas or cells are rows of csv, not of json "
        .. "(expected --format csv, or --output FILE.db)\n" },
    { { "--long", "--format", "json" }, 2,
        "pinion: --long: has no effect in json (expected --format csv)\n" },
    { { "--long", "--format", "csv", "--jobs-detail" }, 2,
        "pinion: --long gives one number per row, --jobs-detail one job per row (choose one)\n" },
}
for _, mistake in ipairs(MISTAKES) do
    local arguments = { "compare", "--workload", "zheng:0,slots=20" }
    for _, word in ipairs(mistake[1]) do
        if word:find "^%-%d" then
            arguments[#arguments] = arguments[#arguments] .. "=" .. word
        else
            arguments[#arguments + 1] = word
        end
    end
    local output, messages, code = program.run(arguments)
    local name = table.concat(mistake[1], " ")
    check.equal("exit code of " .. name, code, mistake[2])
    check.equal("message of " .. name, messages, mistake[3])
    check.equal("no result of " .. name, output, "")
end
local fixed = program.file("fixed.json",
    '{"model":"slotted","machines":4,"jobs":[{"arrival":1,"maps":5}]}')
check.contains("replicas of a fixed workload",
    select(2, program.run { "compare", fixed, "--replicas", "2" }),
    "replicas must be 1 for a fixed workload")
check.raises("misspelt warm-up", "warmup: slot: unknown field (did you mean 'slots'?)", pinion.run,
    { machines = 4, policy = "fifo", workload = work, warmup = { slot = 3 } })
check.raises("two warm-ups", "warmup: must say either jobs or slots", pinion.run,
    { machines = 4, policy = "fifo", workload = work, warmup = { slots = 3, jobs = 3 } })
check.raises("no distribution", "error: must be a distribution such as exp(5)", pinion.run,
    { machines = 4, policy = "fifo", workload = work, error = true })

-- A replica that fails fails the comparison, with its own message and exit code, from however many
-- processes.
for _, processes in ipairs { "1", "3" } do
    local _, messages,
        code = program.run { "compare", "--workload", "zheng,maps=pareto(0.05,1),slots=50",
        "--policies", "fifo", "--replicas", "5", "--processes", processes }
    check.equal("exit code of replicas that fail", code, 1)
    check.matches("message of replicas that fail", messages, "^pinion: job %d+[^\n]*2%^53[^\n]*\n$")
end

-- Ctrl-C keeps the replicas that are complete and leaves no worker behind, whoever the signal
-- reaches.
local MARK = "7919791979"
local BEGUN = program.file("begun.lua", [[return { name = "begun", model = "slotted",
    key = { changes = "arrival", of = function(s, job)
        if job == 1 then print "begun" end
        return s:arrival(job)
    end } }]])
for _, target in ipairs { "$p", "-$p" } do
    local out, err = program.file "int.out", program.file "int.err"
    local command =
        string.format( -- the file is emptied first, or the lines of the last trial are counted
        ": >%s; '%s' compare --workload zheng:0 --policies fifo,%s --replicas 100000 --processes 3 "
        .. "--seed %s --format json --quiet >%s 2>%s & p=$!; "
        .. "until [ $(grep -c begun %s) -ge 100 ] || ! kill -0 $p; do read -t 0.01 -u 9; done "
        .. "9<> <(:); kill -INT -- %s; wait $p",
        err, program.path, BEGUN, MARK, out, err, err, target)
    local status, trials = nil, 0
    repeat -- replicas are kept in order: none, where the process with the first one had to wait
        status = select(3, os.execute("bash -c 'set -m; " .. command:gsub("'", "'\\''")
            .. "' 2>/dev/null"))
        trials = trials + 1
    until trials == 5 or not check.read_file(err):find("interrupted: 0 of", 1, true)
    check.equal("exit code of interrupted replicas", status, 130)
    local partial = core.json_decode(check.read_file(out), "partial") or {}
    check.equal("interrupted is in the result", partial.interrupted, true)
    check.is_true("complete replicas are kept", partial.completed and partial.completed >= 1
        and #partial.rows[1].samples.mean_flow_time == partial.completed)
    check.matches("interrupted is said", check.read_file(err),
        "pinion: interrupted: %d+ of 100000 replicas are complete\n")
    check.equal("nobody is left",
        os.execute(string.format(
        "! grep -lsa %s /proc/[0-9]*/cmdline | grep -v \"/$$/\" | grep -q .",
        MARK:gsub("^.", "[%0]"))), true)
end

-- The same from a stock interpreter, where it is installed and the module was built.
local module = program.path:gsub("[^/]*$", "") .. "module/?.so"
if os.execute "command -v lua5.4 >/dev/null" and io.open((module:gsub("%?", "pinion/core")))
        and not program.path:find("asan", 1, true) then
    local script = program.file("stock.lua", [[
local pinion = require "pinion"
io.write(tostring(pinion.compare { machines = 100, workload = "zheng:0,slots=50", policies = { "fifo", "asrpt" }, replicas = 5, processes = tonumber(arg[1]), quiet = true }), "\n")]])
    local function stock(processes)
        local pipe = io.popen(
            string.format("LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='%s' lua5.4 %s %d 2>&1",
            module, script, processes))
        return pipe:read "a", pipe:close()
    end
    local text = stock(1)
    check.contains("a stock interpreter", text, "5 replicas")
    check.equal("with worker processes", stock(3), text)
else
    print "left out: no stock interpreter or no module"
end

check.done()
