-- Policies that admit jobs: what runs, logs, tables, comparisons and checkpoints say of jobs with
-- deadlines.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"
local pinion = require "pinion"

local joined = program.joined

local with = check.with

-- Two map slots and one reduce slot. The second job's reduce is ready long before the first one's,
-- which has to have the slot first.
local JOBS = {
    { submit = 0, maps = 1, reduces = 1, map_ms = 100000, reduce_ms = 10000, deadline = 110000 },
    { submit = 0, maps = 1, reduces = 1, map_ms = 10000, reduce_ms = 200000, deadline = 1000000 },
    { submit = 1000, maps = 1, map_ms = 50000, deadline = 20000 },
}
local BASE = { model = "cluster", nodes = "1x2x1", workload = JOBS, quiet = true }

local function scenario_text(params)
    return [[
{ "model": "cluster", "nodes": [ { "map_slots": 2, "reduce_slots": 1 } ], "params": {]] .. (params or "") .. [[},
  "jobs": [ { "submit": 0, "maps": 1, "reduces": 1, "map_ms": 100000, "reduce_ms": 10000, "deadline": 110000 },
            { "submit": 0, "maps": 1, "reduces": 1, "map_ms": 10000, "reduce_ms": 200000, "deadline": 1000000 },
            { "submit": 1000, "maps": 1, "map_ms": 50000, "deadline": 20000 } ] }
]]
end
local scenario = program.file("three.json", scenario_text())

-- ---- one run ------------------------------------------------------------------------------------

local function run(policy, params, over)
    return pinion.run(with(with(BASE, { policy = policy, params = params }), over or {}))
end

local function row_of(job)
    local cells = {}
    for _, name in ipairs { "state", "finish", "promise", "deadline", "deadline_met" } do
        cells[#cells + 1] = tostring(job[name])
    end
    return table.concat(cells, " ")
end

-- By policy: every job's row; accepted, rejected, successful, feedback; the slot time that counts
-- as used.
for _, case in ipairs {
    { "rtmr", {}, { "finished 110000 110000 110000 true", "finished 310000 310000 1000000 true",
        "rejected nil nil 20000 nil" }, { 2, 1, 2, 0 }, 320000, 310000 },
    { "rtmr", { reserve = "gt" },
        { "finished 220000 110000 110000 false", "finished 210000 310000 1000000 true",
        "rejected nil nil 20000 nil" },
      { 2, 1, 1, 2 }, 210000, 220000 },
    { "rtmr-live", {},
        { "finished 110000 110000 110000 true", "finished 310000 310000 1000000 true",
        "rejected nil nil 20000 nil" }, { 2, 1, 2 }, 320000, 310000 },
    { "dc", {}, { "finished 220000 nil 110000 false", "finished 210000 nil 1000000 true",
        "rejected nil nil 20000 nil" }, { 2, 1, 1 }, 210000, 220000 },
    { "fifo", {}, { "finished 220000 nil 110000 false", "finished 210000 nil 1000000 true",
        "finished 60000 nil 20000 false" }, { 3, 0, 1 }, 370000, 220000 },
} do
    local policy, params, rows, counts, used, span = table.unpack(case)
    local name = policy .. " " .. tostring(params.reserve or "")
    local result = run(policy, params)
    for i, want in ipairs(rows) do
        check.equal(name .. ": job " .. i, row_of(result.jobs[i]), want)
    end
    check.equal(name .. ": accepted", result.accepted, counts[1])
    check.equal(name .. ": rejected", result.rejected, counts[2])
    check.equal(name .. ": successful", result.successful, counts[3])
    check.equal(name .. ": feedback", result.feedback_fired, counts[4])
    check.equal(name .. ": late", result.late, policy ~= "fifo"
        and (params.reserve == "gt" and 1 or 0) or nil)
    check.equal(name .. ": accept ratio", result.accept_ratio, counts[1] / 3)
    check.equal(name .. ": success ratio", result.success_ratio, counts[3] / counts[1])
    check.equal(name .. ": utilisation", result.utilisation, used / (3 * span))
    check.equal(name .. ": complete", result.complete, true)
    check.equal(name .. ": a rejected job waits for nothing", result.waiting_time.max,
        policy == "fifo" and 9000 or 0)
end

local text = tostring(run "rtmr")
check.contains("text: rejected jobs", text, "\nother jobs           1 rejected\n")
check.contains("text: accepted", text, "\naccepted             66.7 % of the jobs\n")
check.contains("text: successful, all of them too", text,
    "\nsuccessful           100.0 % of the accepted jobs: finished, and before their deadline if "
    .. "they have one\n")
check.contains("text: utilisation", text,
    "\nutilisation          34.4 % of the slots, by successful jobs\n")
check.is_true("text: nobody is late", not text:find("late", 1, true))
check.contains("text: feedback", tostring(run("rtmr", { reserve = "gt" })),
    "\nfeedback             2 times: a job finished at another time than estimated\n")
check.is_true("text of others", not tostring(run "fifo"):find("by successful", 1, true))

local detail = program.succeed("a table of jobs",
    { "simulate", scenario, "--policy", "rtmr", "--format", "table", "--jobs-detail" })
check.matches("table: columns", detail,
    "\njob +state +submit +first_map_start +map_finish +first_reduce_start +finish +promise "
    .. "+makespan +deadline +deadline_met ")
check.matches("table: accepted", detail,
    "\n +1 +finished +0 +0 +100000 +100000 +110000 +110000 +110000 +110000 +yes ")
check.contains("table: meanings", detail,
    "\npromise: the finish estimated at acceptance; deadline: ms after submission\n")
check.matches("table: rejected", detail,
    "\n +3 +rejected +1000 +%- +%- +%- +%- +%- +%- +20000 +%- ")
local without = program.succeed("a table of jobs without deadlines",
    { "simulate", program.file("plain.json",
    (scenario_text():gsub(', "deadline": %d+', ""))), "--policy", "fifo", "--format", "table",
        "--jobs-detail" })
check.is_true("table: none of it where there is none", not without:find("deadline", 1, true)
    and not without:find("promise", 1, true))

local made = core.json_decode(
    program.succeed("json", { "simulate", scenario, "--policy", "rtmr", "--format", "json" }), "")
check.equal("json: state", made.jobs[3].state, "rejected")
check.equal("json: promise", made.jobs[2].promise, 310000)
check.equal("json: nothing promised", made.jobs[3].promise, core.null)
check.equal("json: no finish", made.jobs[3].finish, core.null)
check.equal("json: nothing met", made.jobs[3].deadline_met, core.null)
for name, value in next, { accepted = 2, rejected = 1, late = 0, feedback_fired = 0, successful = 2,
        complete = true } do
    check.equal("json: " .. name, made[name], value)
end
local live = program.succeed("json of rtmr-live",
    { "simulate", scenario, "--policy", "rtmr-live", "--format", "json" })
check.is_true("json: no feedback without", not live:find("feedback_fired", 1, true))
check.is_true("json: none of it with others",
    not program.succeed("json of fifo", { "simulate", scenario, "--policy", "fifo", "--format",
    "json" }):find('"late"', 1, true))
check.matches("csv of jobs",
    program.succeed("csv", { "simulate", scenario, "--policy", "rtmr", "--format", "csv",
    "--jobs-detail" }),
    "\nrtmr,3,rejected,1000,,,,,,,,20000,,,0,0,0,0\n")
check.matches("csv",
    program.succeed("csv", { "simulate", scenario, "--policy", "rtmr", "--format", "csv" }),
    ",accepted,rejected,late,feedback_fired,successful,")

local none = run("rtmr", {}, { workload = { JOBS[3], with(JOBS[3], { deadline = 40000 }) } })
check.equal("nobody is taken: finished", none.finished, 0)
check.equal("nobody is taken: complete", none.complete, true)
check.equal("nobody is taken: accept ratio", none.accept_ratio, 0.0)
check.equal("nobody is taken: success ratio", none.success_ratio, nil)
check.contains("nobody is taken: text", tostring(none), "accepted             0.0 % of the jobs\n")

-- ---- late ---------------------------------------------------------------------------------------

local LATE = { model = "cluster", nodes = "2x1x0", failures = "50:1", policy = "rtmr-live",
    quiet = true,
               workload = { { submit = 0, maps = 2, map_ms = 100, deadline = 100 },
                   { submit = 60, maps = 1, map_ms = 10, deadline = 500 } } }
local log = program.file "run.log"
local late = pinion.run(with(LATE, { log = log }))
check.equal("late: total", late.late, 1)
check.equal("late: the promise stays", row_of(late.jobs[1]), "finished 200 100 100 false")
check.equal("late: a late job keeps nobody out", row_of(late.jobs[2]), "finished 210 210 500 true")
check.contains("late: text", tostring(late),
    "\nlate                    1 job: accepted, but later expected to miss the deadline\n")
local lines = check.read_file(log)
check.contains("late: its line", lines,
    '"attempt":0}\n{"time":50,"event":"late","job":1,"estimate":200,"deadline":100}\n')
check.contains("late: a promise", lines,
    '{"time":60,"event":"accept","job":2,"estimate":210,"deadline":500}\n')
local down = pinion.run(with(LATE, { failures = "50:1+70:0:1000", log = log }))
check.equal("late: nobody knows when", down.late, 2)
check.contains("late: without an estimate", check.read_file(log),
    '{"time":70,"event":"late","job":2,"deadline":500}\n')
check.equal("late: and yet", down.finished, 2)

-- ---- logs ---------------------------------------------------------------------------------------

local function logged(policy, arguments, params)
    local words = { "simulate", scenario, "--policy", policy, "--log", log, "--quiet", "--format",
        "json" }
    for name, value in next, params or {} do
        words[#words + 1] = "--param=" .. name .. "=" .. value
    end
    local output = program.succeed("a log of " .. policy, joined(words, arguments or {}))
    check.matches("verify " .. policy,
        program.succeed("verify a log of " .. policy,
        joined({ "verify", scenario, log }, arguments or {})),
        ": ok: " .. policy:match("([^/]-)%.?l?u?a?$"):gsub("%-", "%%-")
            .. ": %d+ decisions, 3 jobs, last finish %d+ ms, digest "
            .. output:match '"digest": "(%x+)"')
    return check.read_file(log)
end
lines = logged "rtmr"
check.contains("log: accept", lines,
    '\n{"time":0,"event":"accept","job":1,"estimate":110000,"deadline":110000}\n'
    .. '{"time":0,"event":"accept","job":2,"estimate":310000,"deadline":1000000}\n')
check.contains("log: reject", lines,
    '\n{"time":1000,"event":"reject","job":3,"estimate":60000,"deadline":20000,"blocker":3}\n')
check.contains("log: only what is known", logged "dc",
    '\n{"time":1000,"event":"reject","job":3,"deadline":20000,"blocker":3}\n')
for _, params in ipairs { { order = "FIFO" }, { reserve = "gt" }, { feedback = "false" },
    { fc_estimate = "recompute", theta_ms = 0 },
                          { fc_completed = "satu", theta_ms = 5 }, { pred = "keep" },
                          { estimates = "learnt" } } do
    local name, value = next(params)
    local first = logged("rtmr", nil, params):match "[^\n]+"
    check.contains("log: " .. name, first,
        string.format('"%s":%s', name, tonumber(value) and value or value == "false" and value
        or '"' .. value .. '"'))
end
logged("dc", nil, { dc_reduce_start = "srmax" })
check.contains("log: est_extra_ms",
    logged("rtmr-live", nil, { est_extra_ms = "auto", heartbeat_ms = 3000 }),
    '"heartbeat_ms":3000,"est_extra_ms":"auto"}')
check.contains("log: est_extra_ms", logged("rtmr-live", nil, { est_extra_ms = 7 }),
    '"params":{"est_extra_ms":7}')

-- What policies learn by belongs to the scenario.
logged "rtmr"
for _, field in ipairs { "input", "intermediate" } do
    local sized = program.file("sized.json",
        (scenario_text():gsub('"deadline": 20000', '"deadline": 20000, "' .. field .. '": 7')))
    local _, message, code = program.run { "verify", sized, log }
    check.equal(field .. ": exit code", code, 1)
    check.contains(field .. ": another scenario", message,
        log .. ":1: the log belongs to another scenario: ")
end

-- What cannot be is noticed: a late job that is in time, an agreement that was not, a rejected job
-- that runs.
local WITH_LATE = { "verify", program.file("late.json", [[{"model":"cluster","nodes":[{"count":2,"map_slots":1,"reduce_slots":0}],"failures":[{"time":50,"node":1}],
  "jobs":[{"submit":0,"maps":2,"map_ms":100,"deadline":100},{"submit":60,"maps":1,"map_ms":10,"deadline":500}]}]]), log }
program.succeed("a run with a late job",
    { "simulate", WITH_LATE[2], "--policy", "rtmr-live", "--log", log, "--quiet" })
local whole = check.read_file(log)
check.contains("verify a late job", program.succeed("verify a late job", WITH_LATE),
    ": ok: rtmr-live: 4 decisions, 2 jobs")
for _, case in ipairs {
    { '"estimate":200,"deadline":100', '"estimate":100,"deadline":100',
        "7: a job is late that is expected in time (time 50, job 1)" },
    { '"estimate":200,"deadline":100', '"estimate":200,"deadline":99',
        "7: the deadline is not the one agreed on (time 50, job 1)" },
    { '"estimate":200,"deadline":100', '"estimate":-1,"deadline":100',
        '7: field "estimate": expected an integer in 0..2^53' },
    { '"estimate":200,"deadline":100', '"estimate":200,"deadline":0',
        '7: field "deadline": expected an integer in 1..2^53' },
    { '"estimate":200,"deadline":100', '"estimate":200,"promise":100',
        '7: unknown field "promise"' },
    { '"event":"late","job":1', '"event":"late","job":2',
        "7: the job has not come (time 50, job 2)" },
    { '"event":"late"', '"event":"tardy"', '7: field "event": unknown word "tardy"' },
    { '"accept","job":2', '"reject","job":2', ": the job has ended (time 200, job 2)" },
} do
    local from, to = whole:find(case[1], whole:find("late", 1, true) and case[1]:find "late" and 1
        or whole:find '"event":"late"', true)
    if not from then from, to = whole:find(case[1], 1, true) end
    check.write_file(log, whole:sub(1, from - 1) .. case[2] .. whole:sub(to + 1))
    local _, message, code = program.run(WITH_LATE)
    check.equal("altered: exit code: " .. case[3], code, 1)
    check.contains("altered", message, case[3])
end

-- ---- parameters ---------------------------------------------------------------------------------

local BEATS = { model = "cluster", nodes = "1x1x1", quiet = true,
    workload = { { submit = 0, maps = 1, reduces = 1, map_ms = 1000, reduce_ms = 1000,
    deadline = 8000 } } }
for _, case in ipairs { { nil, 2000 }, { 0, 2000 }, { 500, 3000 }, { "auto", 8000 } } do
    local extra, promise = table.unpack(case, 1, 2)
    for _, policy in ipairs { "rtmr", "rtmr-live" } do
        local result =
            pinion.run(with(BEATS,
            { policy = policy, params = { heartbeat_ms = 3000, est_extra_ms = extra } }))
        check.equal("est_extra_ms " .. tostring(extra) .. ": promise", result.jobs[1].promise,
            promise)
        check.equal("est_extra_ms: the finish is what it is", result.jobs[1].finish, 4000)
        check.equal("est_extra_ms: in the result", result.params.est_extra_ms, extra)
        check.equal("est_extra_ms: in titles", tostring(result):match "\nrules +([^\n]+)",
            "heartbeat_ms 3000"
            .. (extra and extra ~= 0 and ", est_extra_ms " .. extra or ""))
    end
end
check.equal("auto without heartbeats",
    pinion.run(with(BEATS, { policy = "rtmr", params = { est_extra_ms = "auto" } })).jobs[
    1].promise, 2000)
check.equal("it means nothing to others", run("fifo", { est_extra_ms = "auto" }).digest,
    run("fifo").digest)
for _, value in ipairs { -1, (1 << 40) + 1, 1.5, "automatic", true } do
    check.raises("est_extra_ms",
        "params.est_extra_ms: must be auto or an integer in 0..1099511627776, got ", run, "rtmr",
        { est_extra_ms = value })
end
program.fails("est_extra_ms on the command line",
    { "simulate", scenario, "--policy", "rtmr", "--param", "est_extra_ms=much" }, 2,
    "pinion: --param est_extra_ms: must be auto or an integer in 0..1099511627776, got 'much'")
program.fails("a parameter of another", { "simulate", scenario, "--policy", "rtmr-live", "--param",
    "theta_ms=5" }, 2,
    "pinion: --param theta_ms: policy 'rtmr-live' has no such parameter (it has: order, "
        .. "estimates, seed, heartbeat_ms, maps_per_heartbeat, "
    .. "replication, factor_lo, factor_hi, reduce_start, slowstart_permille, locality_delay_ms, "
        .. "tick_ms, default_task_ms, input_ratio_permille, "
    .. "max_kills_per_task, attempt_fail_permille, attempts_max, est_extra_ms, max_time_ms, "
        .. "running_most, restore_ms, restore_permille, save_ms, save_permille)")
-- In a file parameters of all of them may stand side by side.
local all = program.file("all.json",
    scenario_text(
    '"order": "FIFO", "feedback": false, "theta_ms": 5, "reserve": "gt", '
    .. '"fc_estimate": "recompute","fc_completed": "satu", "pred": "keep", '
    .. '"dc_reduce_start": "srmax", "estimates": "learnt", "est_extra_ms": "auto"'))
for _, policy in ipairs { "fifo", "fair", "hsrtf-pr", "rtmr", "rtmr-live", "dc" } do
    program.digest(policy .. " ignores what is not its own",
        { "simulate", all, "--policy", policy })
end
for name, value in next,
    { order = "LIFO", reserve = "eq", fc_estimate = "given", fc_completed = "drop", pred = "skip",
    dc_reduce_start = "late", estimates = "guessed",
                           feedback = 1, theta_ms = "long" } do
    check.raises("params." .. name, "params." .. name .. ": must be ", run, "fifo",
        { [name] = value })
end
for _, policy in ipairs { "rtmr", "rtmr-live", "fifo" } do
    check.raises("theta_ms", "params.theta_ms: must be an integer >= 0, got -1", run, policy,
        { theta_ms = -1 })
end
local below = program.file("theta.json", scenario_text '"theta_ms": -5')
program.fails("theta_ms in a file", { "simulate", below, "--policy", "dc" }, 2,
    below .. ": params.theta_ms: must be an integer >= 0, got -5")

-- Tables name the parameters that are not the defaults, whoever has them.
local GIVEN = { "--param", "reserve=gt", "--param", "feedback=true", "--param", "order=FIFO",
    "--param", "replication=2", "--format", "table" }
local function ruled(...)
    return program.succeed("rules of " .. ...,
        program.joined({ ... }, GIVEN)):match "\nrules:? +([^\n]+)"
end
check.equal("rules: a run", ruled("simulate", scenario, "--policy", "rtmr"),
    "replication 2, order FIFO, reserve gt")
check.equal("rules: a comparison", ruled("compare", scenario, "--policies", "fifo,rtmr-live,rtmr"),
    "replication 2, order FIFO, reserve gt")
check.equal("rules: a sweep, but for what varies",
    ruled("sweep", scenario, "--policies", "rtmr", "--over", "params.theta_ms=5,6"),
    "replication 2, order FIFO, reserve gt")
check.equal("rules: none of policies that do not run",
    tostring(run("dc", { reserve = "gt" })):match "\nrules", nil)

-- What heartbeats take from promises is said once, unless somebody has thought of it.
local NOTICE =
    "pinion: heartbeat_ms is %d and est_extra_ms 0: promises leave out what tasks wait for "
    .. "heartbeats (expected est_extra_ms=auto)\n"
local forecasting = program.file("forecasting.lua", [[
return { name = "forecasting", model = "cluster", uses = { "in_order", "forecasts" },
  admit = function(s, job) return (s:foresee(job) or math.huge) <= s:submit(job) + s:deadline(job) end,
  key = { changes = "arrival", of = function(s, job, kind) return s:submit(job) end } }]])
for _, case in ipairs {
    { 3000, "simulate", scenario, "--policy", "rtmr", "--param", "heartbeat_ms=3000" },
    { 3000, "simulate", scenario, "--policy", forecasting, "--param", "heartbeat_ms=3000" },
    { 3000, "compare", scenario, "--policies", "fifo,dc,rtmr,rtmr-live", "--param",
        "heartbeat_ms=3000" },
    { 70, "sweep", scenario, "--policies", "rtmr-live", "--over", "params.heartbeat_ms=0,70,7" },
    { nil, "simulate", scenario, "--policy", "rtmr" },
    { nil, "simulate", scenario, "--policy", "rtmr", "--param", "heartbeat_ms=3000", "--quiet" },
    { nil, "simulate", scenario, "--policy", "rtmr", "--param", "heartbeat_ms=3000", "--param",
        "est_extra_ms=0" },
    { nil, "compare", scenario, "--policies", "fifo,dc", "--param", "heartbeat_ms=3000" },
    { nil, "sweep", scenario, "--policies", "rtmr", "--param", "heartbeat_ms=7", "--over",
        "params.est_extra_ms=0,7" },
} do
    local command = table.move(case, 2, 9, 1, {})
    local _, said, code = program.run(command)
    check.equal("notice: exit code of " .. table.concat(command, " "), code, 0)
    said = said:gsub("[^\n]* made the same decisions\n", "")
    check.equal("notice: of " .. table.concat(command, " "), said,
        case[1] and string.format(NOTICE, case[1]) or "")
end

-- Rows of comparisons and of sweeps have what became of the jobs.
local function first_row(...)
    local made = core.json_decode(program.succeed("json of rows",
        program.joined({ ... }, { "--policies", "rtmr-live,fifo", "--format", "json" })), "")
    return made.rows[1]
end
-- In one of two replicas a task takes longer than estimated.
for _, case in ipairs {
    { "2 1 0", "compare", scenario },
    { "2 1 0.5", "compare", scenario, "--replicas", "2", "--param", "replication=1", "--param",
        "factor_hi=1001" },
    { "2 1 0", "sweep", scenario, "--over", "params.heartbeat_ms=0" },
} do
    local row = first_row(table.unpack(case, 2))
    check.equal("rows: accepted, rejected, late",
        string.format("%g %g %g", row.accepted, row.rejected, row.late), case[1])
end
check.contains("rows: in csv",
    program.succeed("csv of rows",
    { "sweep", scenario, "--policies", "dc", "--over", "params.heartbeat_ms=0", "--format",
    "csv" }),
    ",accepted,accepted_sd,accepted_half,rejected,rejected_sd,rejected_half,"
    .. "late,late_sd,late_half,")

-- Jobs that all have deadlines are for those who look at them.
check.matches("policies of workload rtmr",
    program.succeed("compare", { "compare", "--workload", "rtmr:I,jobs=6", "--format", "csv" }),
    "\nrtmr,.*\nrtmr%-live,.*\ndc,.*\nfifo,[^\n]*\n$")
check.equal("… in scripts",
    #pinion.compare({ model = "cluster", workload = "rtmr:I,jobs=6", quiet = true }).rows, 4)
program.fails("a factor of 0", { "compare", "--workload", "facebook,jobs=5,deadline_factor=0" }, 2,
    "pinion: workload 'facebook,jobs=5,deadline_factor=0': deadline_factor: must be above 0, "
        .. "got '0'")

-- A job that may yet be in time is neither.
check.equal("stopped before the deadline",
    run("rtmr", {}, { until_time = 110000 }).jobs[1].deadline_met, nil)
check.equal("stopped behind it",
    run("rtmr", { reserve = "gt" }, { until_time = 110001 }).jobs[1].deadline_met, false)
local stuck = pinion.run { model = "cluster", nodes = "1x1x0", failures = "5:0", policy = "fifo",
    quiet = true,
                           workload = { { submit = 0, maps = 1, map_ms = 10, deadline = 100 } } }
check.equal("stuck: it will never be", stuck.jobs[1].deadline_met, false)

local listed = program.succeed("policies", { "policies", "--model", "cluster" })
for _, name in ipairs { "rtmr", "rtmr%-live", "dc" } do
    check.matches("listed: " .. name, listed, "\ncluster +" .. name .. " ")
end
local described = program.succeed("policies rtmr", { "policies", "rtmr" })
check.contains("described: admission", described,
    "jobs may be rejected; every job needs a deadline\n")
check.matches("described: a parameter", described, "\norder +EDF +EDF, FIFO ")
check.matches("described: one of the model", described,
    "\nest_extra_ms +0 +auto, 0%.%.1099511627776 ")
check.is_true("not so of others",
    not program.succeed("policies fair", { "policies", "fair", "--model", "cluster" }):find(
    "admission", 1, true))
local in_json =
    core.json_decode(program.succeed("policies as json", { "policies", "dc", "--format", "json" }),
    "").policies[1]
check.equal("json: admits", in_json.admits, true)
check.equal("json: deadlines", in_json.deadlines, true)

-- ---- jobs that cannot be ------------------------------------------------------------------------

local NEEDS = "deadline: policy rtmr needs one (ms after submit)"
local bare = program.file("bare.json", (scenario_text():gsub(', "deadline": 1000000', "")))
program.fails("no deadline", { "simulate", bare, "--policy", "rtmr" }, 2,
    bare .. ": jobs[2]." .. NEEDS)
program.fails("no deadline, compared", { "compare", bare, "--policies", "fifo,rtmr" }, 2,
    bare .. ": jobs[2]." .. NEEDS)
program.fails("no deadline, swept",
    { "sweep", bare, "--policies", "fifo,rtmr", "--over", "params.est_extra_ms=0,5" }, 2,
    bare .. ": jobs[2]." .. NEEDS)
program.succeed("no deadline, and none needed", { "simulate", bare, "--policy", "fifo" })
-- The place is that in the file, whatever the order of submissions.
local unsorted = program.file("unsorted.json",
    '{"model":"cluster","nodes":[{"map_slots":1,"reduce_slots":0}],"jobs":['
    .. '{"submit":9,"maps":1,"map_ms":1,"deadline":5},{"submit":3,"maps":1,"map_ms":1}]}')
program.fails("no deadline, not in order", { "simulate", unsorted, "--policy", "dc" }, 2,
    unsorted .. ": jobs[2].deadline: policy dc needs one (ms after submit)")
local csv = program.file("jobs.csv", "submit,maps,map_ms,deadline\n0,1,10,100\n5,2,10,\n")
program.fails("no deadline in a csv file",
    { "simulate", "--workload", "csv:" .. csv, "--policy", "rtmr" }, 2, csv .. ":3: " .. NEEDS)
check.raises("no deadline in a table", "workload[1]." .. NEEDS, run, "rtmr", {},
    { workload = { { submit = 0, maps = 1, map_ms = 1 } } })
for _, work in ipairs { "facebook,jobs=20", "hsrtf" } do
    program.fails("no deadline of " .. work,
        { "compare", "--model", "cluster", "--workload", work, "--policies", "fifo,rtmr-live" }, 2,
        "pinion: workload '" .. work
        .. "': job 1 has no deadline, and policy rtmr-live needs one (such as "
            .. "deadline_factor=uniform(1.5,4) or deadline_ms=600000)")
end
local mine = program.file("mine.lua", [[
-- Takes every second job.
return {
  name = "mine", model = "cluster", uses = { "deadlines" }, state = { "seen" },
  key = { changes = "arrival", of = function(s, job, kind) return s:submit(job) end },
  admit = function(s, job) s.state.seen = s.state.seen + 1; return s.state.seen % 2 == 1 end,
}]])
program.fails("a policy in Lua that needs deadlines", { "simulate", bare, "--policy", mine }, 2,
    bare .. ": jobs[2].deadline: policy " .. mine .. " needs one (ms after submit)")
local later = program.file("later.lua", [[
return { name = "later", model = "cluster", params = { strict = { default = true, doc = "a" } },
  uses = function(params) return params.strict and { "deadlines" } or {} end, admit = function(s, job) return true end,
  key = { changes = "arrival", of = function(s, job, kind) return s:submit(job) end } }]])
program.fails("… which only its parameters say", { "simulate", bare, "--policy", later }, 2,
    bare .. ": jobs[2].deadline: policy " .. later
    .. " needs one (ms after submit)")
program.succeed("… or not", { "simulate", bare, "--policy", later, "--param", "strict=false" })
local halved = run(mine)
check.equal("a policy in Lua that rejects", halved.rejected, 1)
check.equal("… late is known of it", halved.late, 0)
check.equal("… feedback is not", halved.feedback_fired, nil)
check.equal("… the job", halved.jobs[2].state, "rejected")
check.contains("… its use of the slots", tostring(halved), " of the slots, by successful jobs\n")
lines = logged(mine)
check.contains("… its log", lines,
    '\n{"time":0,"event":"reject","job":2,"deadline":1000000,"blocker":2}\n')
check.contains("… what it promises", lines, '"lua":{"preempts":false},')
local first = program.file("first.lua", [[
return { name = "first", model = "cluster", uses = { "maps_first" }, admit = function(s, job) return true end,
  key = { changes = "arrival", of = function(s, job, kind) return s:submit(job) end } }]])
check.contains("maps first: in the log", logged(first),
    '"lua":{"preempts":false,"maps_first":true},')

for _, case in ipairs { { "deadline", "0" }, { "deadline", "-5" },
    { "deadline", "9007199254740993" }, { "deadline", "1.5" },
                        { "est_map_ms", "0" }, { "est_reduce_ms", "0" },
                        { "est_map_ms", "1099511627777" }, { "input", "0" },
                        { "intermediate", "-1" } } do
    local field, value = table.unpack(case)
    local bad = program.file("bad.json",
        (scenario_text():gsub('"deadline": 20000', '"deadline": 20000, "' .. field .. '": '
        .. value)
        :gsub('"deadline": 20000, "deadline"', '"deadline"')))
    local _, message, code = program.run { "simulate", bad, "--policy", "rtmr" }
    check.equal(field .. " " .. value .. ": exit code", code, 2)
    check.contains(field .. " " .. value, message, bad .. ": jobs[3]." .. field
        .. ": must be an integer ")
end

-- ---- comparisons --------------------------------------------------------------------------------

local compared = pinion.compare(with(BASE, { policies = { "fifo", "rtmr", "hsrtf-pu", "dc" } }))
check.equal("compared: of the same jobs", compared.rows[3].difference,
    compared.rows[3].mean_makespan - compared.rows[1].mean_makespan)
for _, i in ipairs { 2, 4 } do
    for _, name in ipairs { "difference", "difference_half", "relative", "wins" } do
        check.equal("not compared: " .. name, compared.rows[i][name], nil)
    end
    check.equal("not compared: accepted", compared.rows[i].accept_ratio, 2 / 3)
end
text = tostring(compared)
check.matches("compared: what policies accept comes first", text,
    "\npolicy +accepted %% +success %% +use %% +mean response ")
check.matches("compared: all of it", text, "\nrtmr +66%.7 +100%.0 +34%.4 ")
check.matches("compared: of all jobs", text, "\nfifo +100%.0 +33%.3 +56%.1 ")
check.contains("compared: what is not", text,
    "\ntimes are those of accepted jobs; rows with different accepted jobs are not compared\n")
check.contains("compared: legend", text,
    "accepted %: of all jobs; success %: of the accepted jobs, finished in time")
check.contains("compared: the others are", text, "vs fifo")
check.is_true("compared: none is",
    not tostring(pinion.compare(with(BASE, { policies = { "rtmr", "dc", "fifo" } }))):find(
    "vs rtmr", 1, true))
local easy = { JOBS[1], JOBS[2] }
local taken = pinion.compare(with(BASE, { workload = easy, policies = { "fifo", "rtmr" } }))
check.equal("compared: all were taken", taken.rows[2].difference, 210000.0 - 215000.0)
check.contains("compared: even then shares are shown", tostring(taken), "accepted %")
check.is_true("compared: and nothing is left out", not tostring(taken):find("not "
    .. "compared", 1, true))
check.is_true("compared: nothing of it without",
    not tostring(
    pinion.compare(with(BASE, { workload = easy, policies = { "fifo", "fair" } }))):find(
    "accepted %", 1, true))
local as_json =
    core.json_decode(
    program.succeed("compare", { "compare", scenario, "--policies", "fifo,rtmr", "--format",
    "json" }), "")
check.equal("json: no difference", as_json.rows[2].difference, core.null)
check.equal("json: rejected", as_json.rows[2].rejected, 1)
local function table_of(processes)
    return program.succeed("compare",
        { "compare", scenario, "--policies", "fifo,rtmr,dc", "--format", "table", "--processes",
        processes })
end
check.equal("in processes of their own", table_of "3", table_of "1")

local drawn = { model = "cluster", workload = "rtmr:I,jobs=30", policies = { "fifo", "rtmr", "dc" },
    replicas = 3, processes = 1, quiet = true }
local replicas = pinion.compare(drawn)
check.equal("replicas: not compared", replicas.rows[2].difference, nil)
check.equal("replicas: no wins", replicas.rows[2].wins, nil)
check.is_true("replicas: accepted, with its interval", replicas.rows[2].accept_ratio < 1
    and replicas.rows[2].accept_ratio_half > 0)
check.contains("replicas: said once", tostring(replicas),
    "\ntimes are those of accepted jobs; rows with different accepted jobs are not compared\n")

local swept =
    pinion.sweep(with(BEATS, { policies = { "rtmr", "fifo" }, params = { heartbeat_ms = 3000 },
    over = { ["params.est_extra_ms"] = { 0, 4000, "auto" } }, processes = 1 }))
check.equal("swept: cells", #swept.rows, 6)
check.equal("swept: a value", swept.rows[5]["params.est_extra_ms"], "auto")
check.equal("swept: accepted", swept.rows[1].accept_ratio, 1.0)
check.equal("swept: too much is added", swept.rows[3].accept_ratio, 0.0)
check.equal("swept: what nobody did has no mean", swept.rows[3].mean_makespan, nil)
check.equal("swept: no ratio where jobs were rejected", swept.rows[3].relative_makespan, nil)
check.equal("swept: the bound is of all jobs", swept.rows[4].relative_makespan, 2.0)
text = tostring(swept)
check.matches("swept: columns", text,
    "\nparams%.est_extra_ms +policy +accepted %% +success %% +use %% +mean response ")
check.matches("swept: not compared where jobs were rejected", text,
    "\n +4000 +fifo [^\n]* 4.00 s +%- +%- +4.00 s +2.000\n")
check.contains("swept: said once", text,
    "\ntimes are those of accepted jobs; rows with different accepted jobs are not compared\n")
check.contains("swept: of one policy, too",
    tostring(pinion.sweep(
    with(BASE, { policies = { "rtmr" }, over = { ["params.order"] = { "EDF", "FIFO" } },
    processes = 1 }))),
    "\ntimes are those of accepted jobs; ")
program.succeed("swept: a generator's option",
    { "sweep", "--workload", "rtmr:I,jobs=20", "--policies", "rtmr,dc", "--over",
    "workload.pessimism=1,1.5", "--format", "table" })
for _, kind in ipairs { "cdf", "bars" } do
    program.run { "compare", scenario, "--policies", "fifo,rtmr", "--plot",
        program.file(kind .. ".svg"), "--kind", kind, "--format", "json", "--quiet" }
    check.is_true("a figure: " .. kind, check.read_file(program.file(kind .. ".dat")) ~= "")
end

-- ---- resumed ------------------------------------------------------------------------------------

local checkpoint, parts = program.file "run.checkpoint", program.file "parts.log"
local DRAWN = { "--model", "cluster", "--workload", "rtmr:I,jobs=40,gap_ms=9000", "--set",
    "failures=60000:3:200000+150000:21" }
for _, case in ipairs { { "rtmr", { "pred=keep", "fc_completed=satu" } },
    { "rtmr", { "estimates=learnt" } },
                        { "rtmr-live", { "est_extra_ms=auto", "heartbeat_ms=1000" } },
                        { "rtmr-live", { "estimates=learnt", "attempt_fail_permille=20" } },
                        { "dc", { "dc_reduce_start=srmax" } } } do
    local words = joined({ "simulate" }, DRAWN,
        { "--policy", case[1], "--format", "json", "--quiet" })
    for _, param in ipairs(case[2]) do words = joined(words, { "--param", param }) end
    local name = case[1] .. " " .. table.concat(case[2], " ")
    local want = program.succeed(name, joined(words, { "--log", log }))
    check.matches("verify " .. name,
        program.succeed("verify " .. name, joined({ "verify" }, DRAWN, { log })), ": ok: ")
    os.remove(checkpoint)
    program.succeed(name .. ", begun",
        joined(words, { "--checkpoint", checkpoint, "--every", "70000", "--until", "110000",
        "--log", parts }))
    program.succeed(name .. ", a step",
        { "resume", checkpoint, "--log", parts, "--until", "210000" })
    check.equal(name .. ", at last",
        program.succeed(name .. ", the last step",
        { "resume", checkpoint, "--log", parts, "--until", "1000000000" }), want)
    check.is_true(name .. ", the log", check.read_file(parts) == check.read_file(log))
end

-- With fc_completed = satu jobs that are over keep their places while one ahead of them runs: more
-- than the first room has.
local many = { { submit = 0, maps = 1, map_ms = 1000000, deadline = 1000000 } }
for i = 1, 5000 do many[i + 1] = { submit = 10 * i, maps = 1, map_ms = 5, deadline = 100 } end
local TWO = { workload = many, nodes = "1x2x0" }
local kept = run("rtmr", { fc_completed = "satu" }, TWO)
check.equal("many are kept: accepted", kept.accepted, 5001)
check.equal("many are kept: as if they were passed over", kept.digest, run("rtmr", {}, TWO).digest)
local _, messages = program.run { "simulate", "--workload",
        "csv:" .. program.file("many.csv", (function()
    local rows = { "submit,maps,map_ms,deadline" }
    for i, job in ipairs(many) do
        rows[i + 1] = table.concat({ job.submit, job.maps, job.map_ms, job.deadline }, ",")
    end
    return table.concat(rows, "\n") .. "\n"
end)()), "--set", "nodes=1x2x0", "--policy", "rtmr", "--param", "fc_completed=satu", "--no-jobs",
    "--format", "json" }
check.equal("many are kept: said", messages,
    "pinion: more than 4096 jobs, also such as are over, in the system: starting again with room "
    .. "for 8192\n")
-- … and of many slots, whose times are recorded with each.
local wide = run("rtmr", { fc_completed = "satu" },
    { workload = table.move(many, 1, 300, 1, {}), nodes = "10000x2x1" })
check.equal("many slots: accepted", wide.accepted, 300)

check.done()
