-- Where two schedules of the same jobs part: by hand; against the results of random runs of all
-- models; what cannot be compared.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"
local program = require "program"

local function decoded(name, arguments)
    return assert(core.json_decode(program.succeed(name, arguments), name))
end

-- ---- by hand ------------------------------------------------------------------------------------

-- On one machine, shortest first lets job 3 pass job 2 in slot 3.
local JOBS = { { arrival = 1, maps = 2, reduces = {} }, { arrival = 1, maps = 3, reduces = {} },
    { arrival = 2, maps = 1, reduces = {} } }
local function under(policy, list)
    return pinion.run { machines = 1, policy = policy, workload = list or JOBS, quiet = true }
end
local made = under "fifo":diff(under "srpt")
check.equal("two decisions and a finish are alike", made.parting.alike, 3)
check.equal("when they part", made.parting.time, 3)
check.contains("the first has", made.parting.lines[1], '"job":2')
check.contains("the second has", made.parting.lines[2], '"job":3')
check.equal("sooner, later, the same", made.sooner .. made.later .. made.same, "111")
check.equal("the deltas", string.format("%d %d %d", made.jobs[1].delta, made.jobs[2].delta,
    made.jobs[3].delta), "0 1 -3")
check.equal("their mean", made.mean, -2 / 3)
check.equal("their median", made.quantiles.p50, 0)
check.contains("as text", tostring(made),
    "the first 3 decisions are the same; the schedules first differ in slot 3:")
check.contains("in numbers", tostring(made),
    "of 3 jobs, the second schedule finishes 1 earlier, 1 later, 1 at the same time")
local same = under "fifo":diff(under "fifo")
check.equal("the same run", same.parting, nil)
check.contains("it says so", tostring(same), "all decisions are the same")

-- ---- random runs --------------------------------------------------------------------------------

local RUNS = {
    { "slotted", "zheng:0,slots=12", { "fifo", "asrpt" }, "flow_time", { "--set", "machines=30" } },
    { "tandem", "lin,jobs=40,load=.9", { "fcfs", "maxsrpt" }, "response_time", {} },
    { "makespan", "rand_few,jobs=8,most=6", { "fifo", "mk_jr" }, "finish",
        { "--set", "level=task", "--set", "map_slots=5", "--set", "reduce_slots=3" } },
    { "cluster", "hsrtf", { "fifo", "hsrtf-pr" }, "makespan", { "--set", "nodes=20x4x2" } },
    { "dag", "dag:mixed,jobs=30,load=.9", { "drf", "tetris" }, "jct", {} },
}

for _, run in ipairs(RUNS) do
    local model, spec, policies, column, set = table.unpack(run)
    local from = program.joined({ "--model", model, "--workload", spec }, set)
    local rows, logs = {}, {}
    for i, policy in ipairs(policies) do
        logs[i] = program.file(policy .. i .. ".log")
        rows[i] = decoded(policy, program.joined({ "simulate", "--policy", policy, "--log", logs[i],
            "--quiet", "--format", "json" }, from)).jobs
    end
    local difference = decoded(model, program.joined({ "diff", "--format", "json" }, from, logs))
    check.equal(model .. ": all jobs", #difference.jobs, #rows[1])
    for i, job in ipairs(difference.jobs) do
        local delta = rows[2][i][column] - rows[1][i][column]
        check.is_true(string.format("%s, job %d", model, job.job),
            math.abs(job.delta - delta) <= 1e-9 * math.max(1, math.abs(rows[1][i][column])))
    end
    check.equal(model .. ": they are counted", difference.sooner + difference.later
        + difference.same, #difference.jobs)
    -- The lines before the parting are alike, that one is not.
    local first, second = check.read_file(logs[1]), check.read_file(logs[2])
    local ends, at = difference.parting.alike + 1, 1
    for _ = 1, ends do at = first:find("\n", at, true) + 1 end
    check.equal(model .. ": alike until then", first:sub(first:find "\n", at - 1),
        second:sub(second:find "\n", second:find "\n" + at - 1 - first:find "\n"))
    check.is_true(model .. ": and then not", difference.parting.lines[1]
        ~= difference.parting.lines[2])
    check.equal(model .. ": runs say what logs say", program.succeed("runs", program.joined(
        { "diff", "--policies", table.concat(policies, ","), "--format", "json" }, from)),
        program.succeed("logs", program.joined({ "diff", "--format", "json" }, from, logs)))
end
local groups = decoded("groups", { "diff", "--model", "cluster", "--workload", "hsrtf",
    "--policies", "fifo,hsrtf-pr", "--format", "json" })
check.equal("groups in sorted order", groups.groups[1].group .. " " .. groups.groups[3].group,
    "large small")
local jobs = 0
for _, group in ipairs(groups.groups) do jobs = jobs + group.jobs end
check.equal("every job is in one", jobs, #groups.jobs)

-- Lines of the makespan model name their start, and their slot.
local batch = program.file("batch.json", [[{ "model": "makespan", "level": "task", "map_slots": 1,
    "reduce_slots": 1, "jobs": [{ "maps": [5], "reduces": [1] }, { "maps": [2], "reduces": [4] },
        { "maps": [3], "reduces": [2] }] }]])
check.equal("the time of a parting", decoded("batch", { "diff", batch, "--policies",
    "fifo,johnson", "--format", "json" }).parting.time, 0)
-- One that was stopped has an end where the other goes on.
local function until_slot(limit)
    return pinion.run { machines = 1, policy = "fifo", workload = JOBS, quiet = true,
        until_slot = limit }
end
check.equal("where one stops", until_slot(2):diff(until_slot(9)).parting.time, 3)

-- ---- what cannot be compared --------------------------------------------------------------------

local slotted = program.file "slotted.log"
program.succeed("a log", { "simulate", "--workload", "zheng:0,slots=3", "--policy", "fifo", "--log",
    slotted, "--quiet" })
local function cluster_log(name, submit)
    local scenario = program.file(name .. ".json", string.format([[{ "model": "cluster",
        "nodes": [{ "count": 1, "map_slots": 1, "reduce_slots": 1 }],
        "jobs": [{ "submit": %d, "maps": 1, "map_ms": 9 }] }]], submit))
    local log = program.file(name .. ".log")
    program.succeed(name, { "simulate", scenario, "--policy", "fifo", "--log", log, "--quiet" })
    return log
end
local early, late = cluster_log("early", 0), cluster_log("late", 5)
for _, case in ipairs {
    { { early }, "expected two logs, or none and --policies, got 1" },
    { { early, slotted }, "is of the cluster model, " .. slotted .. " of the slotted model" },
    { { slotted, slotted }, slotted .. ": logs of the slotted model do not contain arrival times" },
    { { early, program.file("broken.log", (check.read_file(early):gsub("[^\n]+\n$", ""))) },
        "broken.log:6: the log ends without its last line" },
    { { early, late }, "are of different jobs (job 1 arrives at 0, and at 5)" },
    { { early, late, "--policies", "fifo,fair" },
        "--policies: cannot be given together with a log" },
    { { "--workload", "zheng:0", "--policies", "fifo" },
        "--policies: must be two policies, got 1" },
    { { "--workload", "zheng:0" }, "--policies: must be two policies, got 0" },
    { { early, early, "--format", "csv" }, "--format: a difference cannot be written as csv "
        .. "(expected table or json)" },
} do
    local output, messages, code = program.run(program.joined({ "diff" }, case[1]))
    check.equal("exit code of " .. case[2], code, case[2]:find "broken" and 1 or 2)
    check.equal("no output of " .. case[2], output, "")
    check.contains(case[2], messages, case[2])
end
check.raises("no result", "diff: only results of pinion.run", under "fifo".diff, under "fifo", 7)

-- ---- partings far behind ------------------------------------------------------------------------

-- Files are compared by blocks of so many bytes behind their first lines.
local BLOCK <const> = 1 << 16
local logs = require "pinion.output.diff".logs
local whole, changed = os.tmpname(), os.tmpname()
program.succeed("a long log", { "simulate", "--model", "dag", "--workload", "dag,jobs=300",
    "--policy", "fifo", "--log", whole, "--no-jobs", "--quiet" })
local text = io.open(whole, "rb"):read "a"
local header = text:find "\n"
check.is_true("it has several blocks", #text > 3 * BLOCK)

local function part_at(from)
    -- The first launch that begins behind the place is another in the second.
    local first, last = text:find('"event":"launch"[^\n]*"attempt":%d+', from)
    local file <close> = io.open(changed, "wb")
    file:write(text:sub(1, last - 1), "7", text:sub(last))
    file:close()
    local _, lines_before = text:sub(1, first):gsub("\n", "")
    check.equal("lines alike before byte " .. first, logs({ whole, changed }).parting.alike,
        lines_before - 1)
end
for block = 1, 3 do
    for _, shift in ipairs { -200, -80, -1, 0, 80 } do
        part_at(header + block * BLOCK + shift)
    end
end
part_at(header)
check.equal("nothing differs", logs({ whole, whole }).parting, nil)
os.remove(whole)
os.remove(changed)

check.done()
