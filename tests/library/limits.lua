-- Files that would use up the machine are refused at their bounds, and reading stops at Ctrl-C.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"
local program = require "program"

local file, quote = program.file, "'" .. program.path .. "'"

-- Bytes that any of these commands may use, with room for the program itself. The sanitizers take
-- address space of their own.
local sanitized = program.path:find "asan" ~= nil
local MEMORY = sanitized and "" or "ulimit -v 1500000; "

local function shell(command)
    local out = program.directory .. "/messages"
    local _, _, code = os.execute(string.format("( %s%s ) >/dev/null 2>%s", MEMORY, command, out))
    return check.read_file(out), code
end

-- `make` writes the file to standard output.
local function refused(name, make, command, message)
    local path = file "bomb"
    check.is_true("making " .. name, os.execute(make .. " >'" .. path .. "'") == true)
    local messages, code = shell(string.format(command, quote, path))
    check.equal("exit code of " .. name, code, 2)
    check.equal("message of " .. name, messages, (message:gsub("FILE", path)) .. "\n")
end

local CSV = "%s simulate --workload csv:%s --policy fifo"
local SWIM = "%s simulate --workload swim:%s --policy fifo"
local RUMEN = "%s simulate --model cluster --workload rumen:%s --policy fifo"
local GOOGLE = "%s simulate --workload google:%s --policy fifo"
local SWF = "%s simulate --model cluster --workload swf:%s --policy fifo"
local SCENARIO = "%s simulate %s --policy fifo"

local function repeated(byte, mebibytes)
    return string.format("head -c %d /dev/zero | tr '\\0' '%s'", mebibytes << 20, byte)
end
-- The program's own reader unpacks what gzip packs.
local function packed(make)
    return "( " .. make .. " ) | gzip -1"
end

local TOO_LONG = "the line is too long (expected at most 16 MiB)"
refused("a long line of a csv file", "( echo arrival,maps,reduces; " .. repeated("1", 17) .. " )",
    CSV, "FILE:2: " .. TOO_LONG)
refused("a csv file of zeros, packed", packed("head -c 20000000 /dev/zero"), CSV,
    "FILE:1: " .. TOO_LONG)
refused("a csv record of many lines", "( echo arrival,name; printf '1,\"'; yes " .. ("y"):rep(1023)
    .. " | head -c 20000000 )", CSV,
    "FILE:16385: the record is too long (expected at most 16 MiB)")
refused("a long line of a SWIM trace, packed", packed(repeated("a", 17)), SWIM,
    "FILE:1: " .. TOO_LONG)
refused("a long line of Google's trace, packed", packed(repeated("1", 17)), GOOGLE,
    "FILE:1: " .. TOO_LONG)
refused("a long line of a trace in the Standard Workload Format, packed", packed(repeated("1", 17)),
    SWF, "FILE:1: " .. TOO_LONG)
refused("a long comment of one", packed(repeated(";", 17)), SWF, "FILE:1: " .. TOO_LONG)
refused("a value of a Rumen trace, packed",
    packed("printf '{\"jobID\": \"'; " .. repeated("a", 129)), RUMEN,
    "FILE:1: the value is too long (expected at most 128 MiB)")
refused("blanks without end, and no job", packed(repeated(" ", 17)), RUMEN,
    "FILE: holds no jobs (expected JSON objects, one for each job)")

local BATCH =
    '{"model":"makespan","level":"task","map_slots":1,"reduce_slots":1,"jobs":[{"maps":{"count":%s,'
    .. '"duration":1}}]}'
refused("a batch of many tasks", "echo '" .. BATCH:format("4294967295") .. "'", SCENARIO,
    "FILE: jobs[1].maps: makes a batch of more than 1000000000 tasks (expected at most so many "
        .. "in all jobs)")
local CLUSTER =
    '{"model":"cluster","nodes":"2x2x2","jobs":[{"submit":0,"maps":16700000,"map_ms":10}]}'
refused("a job of many maps", "echo '" .. CLUSTER .. "'", SCENARIO,
    "FILE: jobs[1].maps: must be an integer in 1..1048576, got 16700000")

-- What is within the bounds is read: a line of a megabyte, with half a million tasks.
local path = file("long.csv", "arrival,maps,reduces\n1,1," .. ("1;"):rep(500000) .. "\n")
check.contains("a line of a megabyte",
    program.succeed("a line of a megabyte", { "workload", "csv:" .. path, "--format", "json" }),
    '"reduce_tasks": 500000')

-- ---- Ctrl-C -------------------------------------------------------------------------------------

-- An endless file: its writer sends the signal when the reader has taken so much that it must be in
-- the midst of it, however slow the machine is. The reader ends the writer, by closing the pipe.
local function interrupted(name, first, lines, command)
    local fifo, output = file "endless", file "output"
    check.is_true("a pipe", os.execute("mkfifo '" .. fifo .. "'") == true)
    local words = string.format([[%s & pid=$!
( printf '%%s' '%s'; yes '%s' | head -c 300000; kill -INT $pid; exec yes '%s' ) >'%s' 2>/dev/null
wait $pid]], string.format(command, "exec " .. quote, fifo, output), first, lines, lines, fifo)
    local messages, code = shell(words)
    check.equal("exit code of " .. name, code, 130)
    check.equal("message of " .. name, messages, "pinion: interrupted\n")
    check.equal("no result of " .. name, io.open(output), nil)
    os.remove(fifo)
end
-- Shells let what runs behind them ignore Ctrl-C unless they control jobs.
MEMORY = "set -m; " .. MEMORY
interrupted("a csv file", "arrival,maps\n", "1,3",
    "%s simulate --workload csv:%s --policy fifo --output %s")
interrupted("a conversion", "arrival,maps\n", "1,3", "%s workload csv:%s --jobs --output %s")
interrupted("a SWIM trace", "", "job\t5\t5\t1\t1\t1",
    "%s simulate --workload swim:%s --policy fifo --output %s")
interrupted("a Rumen trace", "", "         ",
    "%s simulate --workload rumen:%s --policy fifo --output %s")
interrupted("a value of a Rumen trace", '{"jobID": [', "1,",
    "%s simulate --workload rumen:%s --policy fifo --output %s")
interrupted("a Google trace", "", "0,,1,1,,0,,0,,,,,",
    "%s compare --workload google:%s --policies fifo --output %s")
interrupted("a scenario", '{"model":"slotted","machines":1,"jobs":[', '{"arrival":1,"maps":1},',
    "%s simulate %s --policy fifo --output %s")
interrupted("a decision log",
    '{"pinion_log":1,"model":"makespan","level":"task","map_slots":1,"reduce_slots":1}\n', "",
    "%s gantt %s --output %s.svg")

-- ---- loops in C ---------------------------------------------------------------------------------

-- So many that also loops of short turns look whether they should end.
local LOTS <const> = 70000
local function workload(spec, model)
    return pinion.workload.spec(spec):open { model = model, seed = 1 }.core
end
local small = { cluster = workload("facebook,jobs=2", "cluster"), dag = workload("dag,jobs=2"),
    graphs = core.workload_dag_table(workload("dag,jobs=2"):jobs(2), 2) }
local at_once = core.workload_facebook { jobs = 9, gap = 0.0, bins = 6,
    reduce_length = "constant(1)", seed = 1 }
local deadlines = {}
for i = 1, 5000 do
    deadlines[i] = { submit = i, maps = 1, map_ms = 1, deadline = i < 5000 and 2 * i or nil }
end
local deadline = core.workload_cluster_table(deadlines)
check.equal("the first job without a deadline",
    core.cluster_without_deadline { workload = deadline }, 5000)

for _, spec in ipairs { "zheng:0,rate=1e-9,slots=" .. LOTS, "bursts,chance=1e-9,slots=" .. LOTS } do
    check.equal("jobs of " .. spec, workload(spec):totals().jobs, 0)
end
check.equal("a batch of Facebook's jobs", core.workload_facebook_batch { jobs = LOTS, bins = 6,
    map_length = "constant(1)", reduce_length = "constant(1)", seed = 1 }:count(), LOTS)
check.equal("jobs of two workloads in one", core.workload_rtmr { workload = "I", jobs = LOTS,
    gap_ms = 1, map_ms = 1, reduce_ms = 1, reduce_block_ms = 1, est_map_permille = 1000,
    est_reduce_permille = 1000, map_slots = 1, reduce_slots = 1, seed = 1 }:count(), LOTS)

-- From here on Ctrl-C has been pressed: what reads and builds must end at once.
debug.sethook()
local text = "[" .. ("[1,2],"):rep(1000) .. "1]"
io.popen "kill -INT $PPID":close() -- os.execute would ignore the signal
check.is_true("Ctrl-C was pressed", core.interrupted())
local value, why = core.json_decode(text, "t", true)
check.equal("a JSON text that can be stopped", value, nil)
check.equal("its message", why, "t:1: interrupted")
check.equal("one that a run hands over", #core.json_decode(text, "t"), 1001)
local ONE = {
    workload_slotted_table = { arrival = 1, maps = 1 },
    workload_tandem_table = { arrival = 1.0, map = 1.0 },
    workload_cluster_table = { submit = 0, maps = 1 }, workload_makespan_table = { map_time = 1 },
}
for make, one in next, ONE do
    local jobs = {}
    for i = 1, 1000 do jobs[i] = one end
    local made, reason = core[make](jobs, 1)
    check.equal(make, made, nil)
    check.equal("message of " .. make, reason, "interrupted")
end
local function listed(work, why)
    if not work then return why end
    return select(2, work:jobs(1 << 40, function() end))
end
for name, stopped in next, {
    ["slots without jobs"] = function()
        return listed(workload("zheng:0,rate=1e-9,slots=" .. LOTS))
    end,
    ["slots without bursts"] = function()
        return listed(workload("bursts,chance=1e-9,slots=" .. LOTS))
    end,
    ["random graphs"] = function() return listed(small.dag) end,
    ["a batch"] = function()
        return listed(core.workload_batch { jobs = 1, maps = "exp(1)", reduces = "exp(1)",
            map_length = "exp(1)", reduce_length = "exp(1)", spread = "constant(1)",
            stragglers = 0.0, times = 1.0, most = 1, seed = 1 })
    end,
    ["a batch of Facebook's jobs"] = function()
        return listed(core.workload_facebook_batch { jobs = LOTS, bins = 6, map_length = "exp(9)",
            reduce_length = "exp(9)", seed = 1 })
    end,
    ["jobs of two workloads in one"] = function()
        return listed(core.workload_rtmr { workload = "I", jobs = LOTS, gap_ms = 1, map_ms = 1,
            reduce_ms = 1, reduce_block_ms = 1, est_map_permille = 1000,
            est_reduce_permille = 1000, map_slots = 1, reduce_slots = 1, seed = 1 })
    end,
    ["totals of jobs with lists"] = function() return select(2, small.cluster:totals()) end,
    ["a sample of jobs with lists"] = function()
        return select(2, core.workload_resample { workload = small.cluster, form = "jobs",
            jobs = 3, seed = 1 })
    end,
    ["a sample of graphs"] = function()
        return select(2, core.workload_resample { workload = small.graphs, form = "jobs", jobs = 3,
            seed = 1 })
    end,
} do
    check.equal(name .. ", stopped", stopped(), "interrupted")
end
-- A run that is over before it looks for it: its bound is not computed any more.
local result = core.slotted_run { workload = at_once, machines = 1 << 20, reduce = "preemptive",
    policy = "fifo", bounds = "tight", quiet = true }
check.equal("a bound, stopped", result.interrupted, true)
check.equal("the run", result.finished, 9)
check.equal("no bound", result.lower_bound_tight, nil)
-- A log says how far a run came, if it came anywhere.
local line_ends = program.file "stopped.log"
for distance, ends in next, { [0] = "}\n", [1] = ',"until":%d+,"digest":"%x+"}\n' } do
    local jobs = {}
    for i = 1, 250 do jobs[i] = { submit = distance * i, maps = 1, map_ms = 1 } end
    local stopped = core.cluster_run { policy = "fifo", rules = {}, log = line_ends, quiet = true,
        nodes = { { count = 1, map_slots = 1, reduce_slots = 0, speed = 1000 } },
        workload = core.workload_cluster_table(jobs) }
    check.equal("a run with jobs at a distance of " .. distance, stopped.interrupted, true)
    check.matches("the end of its log", check.read_file(line_ends), ends .. "$")
    check.equal("the end of a run that came nowhere",
        check.read_file(line_ends):find '"end":' == nil, distance == 0)
end
check.equal("no deadline is looked for any more",
    core.cluster_without_deadline { workload = deadline }, nil)
check.raises("a guard", "stopped", core.interrupt_guard, function() error "stopped" end)

check.done()
