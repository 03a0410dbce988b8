-- The example that runs real processes: whoever decides, the results are right, the checker accepts
-- what was decided, and nothing is left behind. Nothing here depends on how fast the machine is.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"

local mapreduce = (program.path:match "^(.*/)" or "./") .. "mapreduce"
local room = program.file "room"
os.execute("mkdir '" .. room .. "'")

---@return string output, string messages, integer exit_code
local function run(arguments)
    local output, messages = program.file "mapreduce.out", program.file "mapreduce.err"
    local _, _, code = os.execute(string.format("TMPDIR='%s' '%s' %s >'%s' 2>'%s' </dev/null", room,
        mapreduce, arguments, output,
        messages))
    return check.read_file(output), check.read_file(messages), code
end

-- A job a line; what may be in `commands` is a kind, or two commands.
local function jobs_file(name, jobs)
    local lines = { "# when, name, maps, reduces, KiB, what" }
    for i, job in ipairs(jobs) do lines[i + 1] = table.concat(job, "\t") end
    return program.file(name, table.concat(lines, "\n") .. "\n")
end

local function count(text, pattern)
    return select(2, text:gsub(pattern, ""))
end

-- The lines of a log, decoded.
local function read_log(path)
    local entries = {}
    for line in io.lines(path) do entries[#entries + 1] = assert(core.json_decode(line, path)) end
    return entries
end

-- How many events of a log have these fields.
local function events(entries, fields)
    local found = 0
    for _, entry in ipairs(entries) do
        local same = true
        for name, value in pairs(fields) do same = same and entry[name] == value end
        found = found + (same and 1 or 0)
    end
    return found
end

-- Runs jobs with logs: the checker accepts that of decisions, what the core was told replays to
-- these, and a chart can be drawn. The table, the log's lines, the exit code.
local function logged(name, arguments)
    local log, scenario = program.file(name .. ".log"), program.file(name .. ".json")
    local inputs = program.file(name .. ".inputs")
    local policy = arguments:match "%-%-policy '?([^' ]*%.lua)"
    local output, messages,
        code = run(string.format("%s --check --log '%s' --inputs '%s' --scenario '%s'", arguments,
        log, inputs, scenario))
    check.equal("no results are wrong: " .. name, count(output, "RESULTS ARE WRONG"), 0)
    program.succeed("verify " .. name, { "verify", scenario, log })
    local replay = { "verify", inputs, log }
    if policy then table.move({ "--policy", policy }, 1, 2, 4, replay) end
    local digest = output:match "digest +(%x+)"
    check.contains("replay " .. name, program.succeed("replay " .. name, replay),
        "digest " .. digest)
    program.succeed("gantt " .. name, { "gantt", log, "--output", program.file "chart.svg" })
    check.contains("chart of " .. name, check.read_file(program.file "chart.svg"), "measured")
    check.equal("nothing is left of " .. name, #program.lines_of("ls '" .. room .. "'"), 0)
    return output, read_log(log), code, messages, scenario
end

-- ---- policies -----------------------------------------------------------------------------------

local JOBS = jobs_file("jobs", {
    { 0, "words", 9, 2, 48, "count" }, { 20, "lines", 4, 3, 32, "sort" },
    { 20, "capitals", 2, 0, 8, "tr a-z A-Z", "-" },
    { 60, "few words", 1, 1, 16, "count" }, { 80, "nothing", 2, 1, 0, "sort" },
})
local SHORT = program.file("short.lua", [[
return { name = "short-first", model = "cluster",
         key = { changes = "served", of = function(s, job, kind) return s:unfinished(job, kind) end } }
]])

for _, policy in ipairs { "fifo", "fair", "hsrtf-pup", "hsrtf-prp", SHORT } do
    local output, entries, code, messages,
        scenario = logged(policy:gsub(".*/", ""), string.format("--policy '%s' --jobs '%s'",
        policy, JOBS))
    check.equal("silence of " .. policy, messages, "")
    check.equal("exit code of " .. policy, code, 0)
    check.equal("all jobs finish under " .. policy, count(output, "\n *%d+ +finished "), 5)
    check.equal("all results are right under " .. policy, count(output, "results are right"), 5)
    check.equal("the log says so, too", events(entries, { finish = true }), 5)
    check.equal("each task is done once", events(entries, { event = "end" }),
        9 + 2 + 4 + 3 + 2 + 1 + 1 + 2 + 1)
    check.equal("a measured log", entries[1].measured, true)
    -- The same work, in the model: tasks as long as they were.
    local simulated = program.succeed("simulate " .. policy,
        { "simulate", scenario, "--format", "json", "--policy", "fifo",
                                                              "--quiet" })
    check.contains("what would have been under fifo", simulated, '"finished": 5')
end

-- The checker looks at a measured log, too: here at one whose last map ends on another node than it
-- began.
local tampered = program.file "tampered.log"
local text, changed = check.read_file(program.file "fifo.log"):gsub(
    '("event":"end","job":1,"kind":"map","task":9,"node":)(%d)',
    function(before, node) return before .. (node + 1) % 3 end)
check.equal("one line is changed", changed, 1)
check.write_file(tampered, text)
local _, problem, rejected = program.run { "verify", program.file "fifo.json", tampered }
check.equal("exit code of a changed log", rejected, 1)
check.contains("why", problem, "tampered.log:")

-- ---- kills --------------------------------------------------------------------------------------

-- The long job has all map slots when the short one comes: its maps sleep for longer than the time
-- until then takes to give out all of them, and while they sleep nothing can be known of their
-- length but the default, an hour.
local KILLS = jobs_file("kills",
    { { 0, "long", 16, 2, 16, "sleep 0.2; cat", "sort" }, { 300, "short", 1, 1, 16, "count" } })
local output,
    entries = logged("kills",
    string.format("--policy hsrtf-pup --nodes 2 --jobs '%s' --param default_task_ms=3600000 "
    .. "--param tick_ms=3600000", KILLS))
check.is_true("the short job takes a slot from the long one",
    events(entries, { event = "kill", job = 1, kind = "map" }) >= 1)
check.equal("what was killed is done again", count(output, "results are right"), 2)
check.equal("nothing but kills goes wrong", events(entries, { event = "fail" }), 0)

-- ---- suspended and second attempts --------------------------------------------------------------

-- The same, but the processes of the long job are stopped and continue where they were.
output, entries = logged("suspensions",
    string.format("--policy hsrtf-pup --nodes 2 --jobs '%s' --param default_task_ms=3600000 "
    .. "--param tick_ms=3600000 --param preemption=suspend", KILLS))
local suspended = events(entries, { event = "suspend", job = 1, kind = "map" })
check.is_true("the short job takes a slot from the long one, whose process stops", suspended >= 1)
check.equal("all of them continue", events(entries, { event = "resume", job = 1 }), suspended)
check.equal("nothing is lost or done again", events(entries, { event = "launch" }), 16 + 2 + 1 + 1)
check.equal("nobody is killed", events(entries, { event = "kill" }), 0)
check.equal("and both results are right", count(output, "results are right"), 2)

-- A map whose first attempt sleeps has a second one, which ends first.
local CLONES = jobs_file("clones",
    { { 0, "sleepy", 2, 0, 16, '[ "$PINION_ATTEMPT" -gt 0 ] || sleep 20; cat', "-" } })
local COPY = program.file("copy.lua", [[
return { name = "copy-all", model = "cluster",
  key = { changes = "arrival", of = function(s, job) return s:id(job) end },
  copy = function(s, node, kind)
    for job in s:jobs() do
      for task, at, _, _, _, copied in s:tasks_running(job, kind) do
        if at ~= node and not copied then return job, task end
      end
    end
  end }
]])
output, entries = logged("clones",
    string.format("--policy '%s' --nodes 3 --jobs '%s' --param tick_ms=200", COPY, CLONES))
check.equal("both maps end with their second attempt",
    events(entries, { event = "end", kind = "map", attempt = 1 }), 2)
check.equal("the first ones are cancelled",
    events(entries, { event = "cancel", kind = "map", attempt = 0 }), 2)
check.equal("and the result is right", count(output, "results are right"), 1)

-- ---- failures -----------------------------------------------------------------------------------

local FAILURES = jobs_file("failures", {
    { 0, "flaky", 5, 2, 16, '[ "$PINION_ATTEMPT" -gt 0 ] || exit 1; cat', "sort" },
    { 0, "flaky reduce", 2, 2, 16, "cat", '[ "$PINION_ATTEMPT" -gt 1 ] || kill -9 $$; sort' },
    { 10, "bad map", 3, 1, 16, "cat; exit 3", "sort" },
    { 10, "bad reduce", 2, 1, 16, "cat", "cat; false" },
})
output, entries = logged("failures",
    string.format("--policy fair --jobs '%s' --param attempts_max=3", FAILURES))
check.equal("jobs that finish in the end", count(output, "\n *%d+ +finished "), 2)
check.equal("… rightly", count(output, "results are right"), 2)
check.equal("jobs that fail", count(output, "\n *%d+ +failed "), 2)
check.equal("every map of the flaky job fails once",
    events(entries, { event = "fail", job = 1, kind = "map" }), 5)
check.equal("every reduce of the other one twice",
    events(entries, { event = "fail", job = 2, kind = "reduce" }), 4)
check.equal("a job fails with a task's last attempt",
    events(entries, { event = "job_failed", job = 3 }), 1)
check.equal("… also of a reduce",
    events(entries, { event = "fail", job = 4, kind = "reduce", task = 1 }), 3)
local _, _, code = run(string.format("--policy fifo --jobs '%s' --param attempts_max=1", FAILURES))
check.equal("exit code of jobs that fail", code, 1)

-- ---- nodes that go down -------------------------------------------------------------------------

-- As above, all slots are taken by maps that sleep when the node goes down; its reduce slot by one
-- that waits for them.
local DOWN = jobs_file("down",
    { { 0, "long", 24, 3, 16, "sleep 0.2; cat", "sort" }, { 50, "short", 1, 1, 16, "count" } })
output, entries,
    code = logged("down", string.format("--policy fifo --down 1,300,600 --down 0,1500 --jobs '%s'",
    DOWN))
check.equal("exit code", code, 0)
check.equal("what was lost is done again", count(output, "results are right"), 2)
check.equal("a node goes down", events(entries, { event = "node_down", node = 1 }), 1)
check.is_true("its attempts are lost",
    events(entries, { event = "lose", node = 1, kind = "map" }) >= 2)
local last_launch, down_at
for _, entry in ipairs(entries) do
    if entry.event == "launch" and entry.node == 0 then last_launch = entry.time end
    if entry.event == "node_down" and entry.node == 0 then down_at = entry.time end
end
check.is_true("nothing is launched on a node that stays down", not down_at
    or last_launch <= down_at)
check.contains("the scenario has it, too", check.read_file(program.file "down.json"),
    '"failures":[{"time":')

-- ---- deadlines ----------------------------------------------------------------------------------

-- Estimates and deadlines of hours, or of a millisecond: what is decided does not depend on how
-- fast the machine is.
for _, policy in ipairs { "rtmr", "rtmr-live", "policies/cluster/rtmr_live.lua", "fifo" } do
    output, entries, code, messages,
        scenario = logged("accepted", string.format("--policy %s --jobs '%s' --deadline 360000000 "
        .. "--est-map 3600000 --est-reduce 3600000", policy, JOBS))
    check.equal("exit code of deadlines far away under " .. policy, code, 0)
    check.equal("all are accepted", events(entries, { event = "accept", deadline = 360000000 }), 5)
    check.equal("… and finish rightly", count(output, "results are right"), 5)
    check.contains("… and in time", output, "\nsuccessful           100.0 % of the accepted jobs\n")
    check.equal("who decides about jobs says so at once", count(messages, "accepted at %d+ ms: "),
        policy == "fifo" and 0 or 5)
    check.contains("the scenario has the deadlines", check.read_file(scenario),
        '"deadline":360000000,"est_map_ms":3600000')
end
check.matches("what a job is told", select(2, run(string.format("--policy rtmr-live --jobs '%s'",
    jobs_file("own", { { "0+500000,100000,1000", "own", 1, 1, 1, "sort" } })))),
    "^mapreduce: job 1 %(own%): accepted at %d+ ms: estimated finish 101%d+ ms, deadline 50%d+ "
        .. "ms\n$")

-- The first job has all slots for hours, as far as one knows; what comes behind it waits: the
-- second for one round, in time. The third would go before it, and in its way; the fourth would not
-- even be in time alone.
local REFUSED = jobs_file("refused", {
    { "0+9000000,1000000,1000000", "long", 6, 0, 1, "sort", "cat" },
    { "0+2100000,1000000,1000000", "waits", 6, 0, 1, "sort", "cat" },
    { "0+2050000,1000000,1000000", "in its way", 6, 0, 1, "sort", "cat" },
    { "0+1,1000000,1000000", "hopeless", 1, 1, 1, "sort" },
})
output, entries, code,
    messages = logged("refused", string.format("--policy rtmr-live --jobs '%s'", REFUSED))
check.equal("exit code when jobs are rejected", code, 3)
check.equal("two are accepted", events(entries, { event = "accept" }), 2)
check.equal("… and finish", count(output, "results are right"), 2)
check.equal("two are not", count(output, "\n *%d+ +rejected "), 2)
check.matches("who would miss its deadline", messages,
    "\nmapreduce: job 3 %(in its way%): rejected at %d+ ms: "
    .. "estimated finish 200%d%d%d%d ms, deadline 205%d%d%d%d ms; job 2 %(waits%) would miss "
        .. "its own\n")
check.matches("the job itself", messages, "\nmapreduce: job 4 %(hopeless%): rejected at %d+ ms: "
    .. "estimated finish %d+ ms, deadline %d+ ms\n$")
check.equal("rejected jobs start nothing", events(entries, { event = "launch", job = 3 })
    + events(entries, { event = "launch", job = 4 }), 0)
check.contains("the chart names them", check.read_file(program.file "chart.svg"),
    "2 jobs rejected: J3 J4")

-- Two maps side by side are in time, one after the other not: that is known as soon as one of two
-- nodes is down, while they sleep.
local LATE = jobs_file("late",
    { { "0+1500000,1000000,1000", "two", 2, 0, 16, "sleep 1.5; cat", "cat" } })
output, entries, code,
    messages = logged("late",
    string.format("--policy rtmr-live --nodes 2 --map-slots 1 --down 1,700 --jobs '%s'",
    LATE))
check.equal("exit code of a job that is in time in the end", code, 0)
check.equal("it is late", events(entries, { event = "late", job = 1, deadline = 1500000 }), 1)
for i, entry in ipairs(entries) do
    if entry.event == "late" then
        check.equal("… at the same time", entry.time, entries[i - 1].time)
        check.equal("… and behind what is lost with it", entries[i - 1].event, "lose")
        check.matches("… which is said", messages,
            string.format("\nmapreduce: job 1 %%(two%%): late at %d ms: estimated finish %d ms, "
            .. "deadline 15%%d+ ms\n$", entry.time, entry.estimate))
    end
end
check.equal("results are right all the same", count(output, "results are right"), 1)

-- Nobody promised anything here, but the deadline is missed.
output, entries, code = logged("missed", string.format("--policy fair --deadline 1 --jobs '%s'",
    jobs_file("missed", { { 0, "missed", 1, 0, 1, "sleep 0.1; cat", "cat" } })))
check.equal("exit code of a missed deadline", code, 3)
check.contains("it is no success", output, "\nsuccessful           0.0 % of the accepted jobs\n")
check.contains("the chart says so", check.read_file(program.file "chart.svg"),
    "1 deadline missed: J1")

-- The policy dc may hold reduces back until they must start: here 0.7 s after the job has come.
local HELD = jobs_file("held", { { "0+1000700,1,1000000", "held", 2, 1, 16, "cat", "sort" } })
_, entries, code = logged("held",
    string.format("--policy dc --param dc_reduce_start=srmax --jobs '%s'", HELD))
check.equal("exit code of a job that was held back", code, 0)
local held_until
for _, entry in ipairs(entries) do
    if entry.event == "accept" then held_until = entry.time + 700 end
    if entry.event == "launch" and entry.kind == "reduce" then
        check.is_true("its reduce starts as late as it may", entry.time >= held_until)
    end
end

-- Estimates of hours are forgotten when a job has shown how long its tasks take; nothing can be
-- said if it is not done by then.
local LEARNT = jobs_file("learnt", { { "0+90000000,1000000,1000000", "teaches", 1, 1, 1, "sort" },
                                     { "1500+500000,1000000,1000000", "gains", 1, 1, 1, "sort" } })
for estimates, accepted in pairs { given = 1, learnt = 2 } do
    output, entries = logged("learnt",
        string.format("--policy rtmr-live --param estimates=%s --jobs '%s'", estimates, LEARNT))
    local done_at, came_at
    for _, entry in ipairs(entries) do
        if entry.finish and entry.job == 1 then done_at = entry.time end
        if (entry.event == "accept" or entry.event == "reject") and entry.job == 2 then
            came_at = entry.time
        end
    end
    if estimates == "given" or done_at < came_at then
        check.equal("jobs accepted with estimates " .. estimates,
            events(entries, { event = "accept" }), accepted)
    end
end

-- ---- Ctrl-C -------------------------------------------------------------------------------------

local pids = program.file "pids"
local SLOW = jobs_file("slow",
    { { 0, "slow", 9, 1, 16, "echo $$ >>'" .. pids .. "'; sleep 1000 & echo $! >>'" .. pids
    .. "'; sleep 1000", "sort" } })
local log, scenario = program.file "slow.log", program.file "slow.json"
os.execute(string.format([[
TMPDIR='%s' '%s' --jobs '%s' --log '%s' --scenario '%s' >'%s' 2>&1 </dev/null &
pid=$!
for i in $(seq 600); do
    [ "$(cat '%s' 2>/dev/null | wc -l)" -ge 12 ] && break
    sleep 0.1
done
kill -INT $pid
wait $pid
echo $? >'%s']], room, mapreduce, SLOW, log, scenario, program.file "slow.out", pids, program.file "slow.code"))
check.equal("exit code after Ctrl-C", check.read_file(program.file "slow.code"), "130\n")
check.contains("what was done is reported", check.read_file(program.file "slow.out"), "unfinished")
check.equal("its files are gone", #program.lines_of("ls '" .. room .. "'"), 0)
local started = 0
for pid in io.lines(pids) do
    started = started + 1
    check.is_true("process " .. pid .. " is gone",
        not os.execute("kill -0 " .. pid .. " 2>/dev/null"))
end
check.equal("two processes of each of six maps", started, 12)
program.succeed("verify what was done until then", { "verify", scenario, log })

-- ---- a runner that is killed --------------------------------------------------------------------

-- Where the system tells processes of the end of their parent.
if io.open "/proc/self/status" then
    check.equal("they are gone", program.killed_runner(string.format(
        "TMPDIR='%s' '%s' --jobs '%s'", room, mapreduce, SLOW), pids, 12), "")
    check.equal("two processes of each of six maps were there", #program.lines_of("cat '" .. pids
        .. "'"), 12)
    os.execute("rm -rf '" .. room .. "'/*")
end

-- ---- mistakes -----------------------------------------------------------------------------------

for _, mistake in ipairs {
    { "--policy none",
        "mapreduce: unknown policy: none (expected a built-in one, or a file that ends in .lua)" },
    { "--policy /no/such.lua", "mapreduce: /no/such.lua: No such file or directory" },
    { "--param tick_ms=0", "mapreduce: tick_ms: expected an integer in 1..1099511627776, got 0" },
    { "--param order=EDF",
        "mapreduce: --param: neither hsrtf-pup nor the model has this one: order=EDF" },
    { "--param colocate=perhaps", "mapreduce: colocate: not a value it may have: perhaps" },
    { "--down '3;5'",
        "mapreduce: --down: expected a node, when it goes down and when it comes back, got 3;5" },
    { "--down 3,5", "mapreduce: --down: there is no node 3 (expected 0..2), got 3,5" },
    { "--down 1,5,5",
        "mapreduce: --down: expected a node, when it goes down and when it comes back, got 1,5,5" },
    { "--down 1",
        "mapreduce: --down: expected a node, when it goes down and when it comes back, got 1" },
    { "--policy rtmr-live",
        "mapreduce: long count has no deadline, and policy rtmr-live needs one (--deadline "
        .. "gives one to all)" },
    { "--deadline 0", "mapreduce: --deadline: expected an integer in 1..4503599627370496, got 0" },
    { "--est-map 1s", "mapreduce: --est-map: expected an integer in 1..1099511627776, got 1s" },
    { "--jobs '" .. jobs_file("when", { { "5+", "x", 1, 1, 1, "sort" } }) .. "'",
        "mapreduce: " .. program.file "when"
      .. ":2: when: expected ms, got " },
    { "--jobs '" .. jobs_file("when3", { { "5+5,5", "x", 1, 1, 1, "sort" } }) .. "'",
        "mapreduce: " .. program.file "when3"
      .. ":2: when: expected the longest time of a reduce, too: WHEN+DEADLINE,MAP,REDUCE" },
    { "--nodes 0", "mapreduce: --nodes: expected an integer in 1..1000, got 0" },
    { "--reduce-slots 0", "mapreduce: long count has reduces, and no node has slots for them" },
    { "--size 3", "mapreduce: unknown option: --size (--help lists them)" },
    { "--log", "mapreduce: --log: unknown, or its value is missing (--help lists all)" },
    { "--jobs '" .. jobs_file("bad", { { 0, "x", 1, 1, 1 } }) .. "'",
        "mapreduce: " .. program.file "bad"
      .. ":2: a job needs 6 or 7 fields, apart by tabs, got 5" },
    { "--jobs '" .. jobs_file("bad3", { { 0, "x", 1, 1, 1, "sort" }, { 0, "x", 0, 1, 1, "sort" } })
        .. "'", "mapreduce: "
      .. program.file "bad3" .. ":3: maps: expected an integer in 1..10000, got 0" },
    { "--jobs '" .. jobs_file("bad2", { { 0, "x", 1, 1, 1, "join" } }) .. "'",
      "mapreduce: " .. program.file "bad2"
          .. ":2: unknown kind of job: join (expected count or sort, or two commands)" },
    { "--jobs '" .. jobs_file("none", {}) .. "'", "mapreduce: " .. program.file "none"
        .. ": no jobs" },
} do
    local nothing, messages, status = run(mistake[1])
    check.equal("message of " .. mistake[1], messages, mistake[2] .. "\n")
    check.equal("exit code of " .. mistake[1], status, 2)
    check.equal("no result of " .. mistake[1], nothing, "")
end
local few = jobs_file("few", { { 0, "x", 1, 1, 1, "sort" } })
local few_text, place = check.read_file(few), program.file "own-place"
local twice = program.file "twice"
for options, message in pairs {
    ["--log " .. few] = "--log: " .. few .. " is read",
    ["--scenario " .. few] = "--scenario: " .. few .. " is read",
    ["--log " .. twice .. " --scenario " .. twice] = "--scenario: " .. twice
        .. " is where --log goes",
} do
    local nothing, messages, status = run(string.format("--dir '%s' --jobs '%s' %s", place, few,
        options))
    check.equal("message: " .. message, messages,
        "mapreduce: " .. message .. " (expected another file)\n")
    check.equal("exit code: " .. message, status, 2)
    check.equal("no result: " .. message, nothing, "")
    check.equal("jobs after: " .. message, check.read_file(few), few_text)
    check.is_true("nothing is left: " .. message,
        not os.execute("test -e '" .. place .. "' -o -e '" .. twice .. "'"))
end
check.contains("help", (run "--help"), "usage: mapreduce [OPTION...]")
check.equal("-h is --help", (run "-h"), (run "--help"))

-- ---- policies that do not end well --------------------------------------------------------------

local ONE = jobs_file("one", { { 0, "one", 1, 1, 1, "sort" } })
for _, case in ipairs {
    { "nil", "policy %s stopped giving slots although slots were free: 1 job unfinished" },
    { "s.qqqq.q", "%s:1: time ", ": the view has no 'qqqq'" }, -- in real ms, not always the first
} do
    local bad = program.file("bad.lua",
        'return { name = "bad", model = "cluster", pick = function(s, node, kind) return '
        .. case[1] .. " end }")
    local table_text, messages, status = run(string.format("--policy '%s' --jobs '%s'", bad, ONE))
    check.equal("exit code of pick = " .. case[1], status, 1)
    check.contains("message of pick = " .. case[1], messages,
        "mapreduce: " .. string.format(case[2], bad))
    check.contains("what is wrong with pick = " .. case[1], messages, case[3] or "")
    check.equal("… in one line", count(messages, "\n"), 1)
    check.is_true("no mean of no jobs", table_text == ""
        or table_text:find("\nmean response time   %-\n"))
end
check.contains("no node", select(2, run(string.format("--nodes 1 --down 0,0 --jobs '%s'", ONE))),
    "mapreduce: no node is up: 1 job unfinished\n")

check.done()
