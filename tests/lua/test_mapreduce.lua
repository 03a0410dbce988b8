-- The example that runs real processes: whoever decides, the results are right, the checker accepts what was decided, and nothing
-- is left behind. Nothing here depends on how fast the machine is.

package.path = (arg[0]:match("^(.*/)") or "./") .. "?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"

local mapreduce = (program.path:match "^(.*/)" or "./") .. "mapreduce"
local room = program.file "room"
os.execute("mkdir '" .. room .. "'")

---@return string output, string messages, integer exit_code
local function run(arguments)
    local output, messages = program.file "mapreduce.out", program.file "mapreduce.err"
    local _, _, code = os.execute(string.format("TMPDIR='%s' '%s' %s >'%s' 2>'%s' </dev/null", room, mapreduce, arguments, output,
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

-- Runs jobs with a log: the checker accepts it, and a chart of it can be drawn. The table, the log's lines, the exit code.
local function logged(name, arguments)
    local log, scenario = program.file(name .. ".log"), program.file(name .. ".json")
    local output, messages, code = run(string.format("%s --check --log '%s' --scenario '%s'", arguments, log, scenario))
    check.equal("no results are wrong: " .. name, count(output, "RESULTS ARE WRONG"), 0)
    program.succeed("verify " .. name, { "verify", scenario, log })
    program.succeed("gantt " .. name, { "gantt", log, "--output", program.file "chart.svg" })
    check.contains("chart of " .. name, check.read_file(program.file "chart.svg"), "measured")
    check.equal("nothing is left of " .. name, #program.lines_of("ls '" .. room .. "'"), 0)
    return output, read_log(log), code, messages, scenario
end

-- ---- policies -------------------------------------------------------------------------------------------------

local JOBS = jobs_file("jobs", {
    { 0, "words", 9, 2, 48, "count" }, { 20, "lines", 4, 3, 32, "sort" }, { 20, "capitals", 2, 0, 8, "tr a-z A-Z", "-" },
    { 60, "few words", 1, 1, 16, "count" }, { 80, "nothing", 2, 1, 0, "sort" },
})
local SHORT = program.file("short.lua", [[
return { name = "short-first", model = "cluster",
         key = { changes = "served", of = function(s, job, kind) return s:unfinished(job, kind) end } }
]])

for _, policy in ipairs { "fifo", "fair", "hsrtf-pup", "hsrtf-prp", SHORT } do
    local output, entries, code, messages, scenario = logged(policy:gsub(".*/", ""), string.format("--policy '%s' --jobs '%s'",
        policy, JOBS))
    check.equal("silence of " .. policy, messages, "")
    check.equal("exit code of " .. policy, code, 0)
    check.equal("all jobs finish under " .. policy, count(output, "\n *%d+ +finished "), 5)
    check.equal("all results are right under " .. policy, count(output, "results are right"), 5)
    check.equal("the log says so, too", events(entries, { finish = true }), 5)
    check.equal("each task is done once", events(entries, { event = "end" }), 9 + 2 + 4 + 3 + 2 + 1 + 1 + 2 + 1)
    check.equal("a measured log", entries[1].measured, true)
    -- The same work, in the model: tasks as long as they were.
    local simulated = program.succeed("simulate " .. policy, { "simulate", scenario, "--format", "json", "--policy", "fifo",
                                                              "--quiet" })
    check.contains("what would have been under fifo", simulated, '"finished": 5')
end

-- The checker looks at a measured log, too: here at one whose last map ends on another node than it began.
local tampered = program.file "tampered.log"
local text, changed = check.read_file(program.file "fifo.log"):gsub('("event":"end","job":1,"kind":"map","task":9,"node":)(%d)',
    function(before, node) return before .. (node + 1) % 3 end)
check.equal("one line is changed", changed, 1)
check.write_file(tampered, text)
local _, problem, rejected = program.run { "verify", program.file "fifo.json", tampered }
check.equal("exit code of a changed log", rejected, 1)
check.contains("why", problem, "tampered.log:")

-- ---- kills ----------------------------------------------------------------------------------------------------

-- The long job has all map slots when the short one comes: its maps sleep for longer than the time until then takes to give out
-- all of them, and while they sleep nothing can be known of their length but the default, an hour.
local KILLS = jobs_file("kills", { { 0, "long", 16, 2, 16, "sleep 0.2; cat", "sort" }, { 300, "short", 1, 1, 16, "count" } })
local output, entries = logged("kills", string.format("--policy hsrtf-pup --nodes 2 --jobs '%s' --param default_task_ms=3600000 "
    .. "--param tick_ms=3600000", KILLS))
check.is_true("the short job takes a slot from the long one", events(entries, { event = "kill", job = 1, kind = "map" }) >= 1)
check.equal("what was killed is done again", count(output, "results are right"), 2)
check.equal("nothing but kills goes wrong", events(entries, { event = "fail" }), 0)

-- ---- failures -------------------------------------------------------------------------------------------------

local FAILURES = jobs_file("failures", {
    { 0, "flaky", 5, 2, 16, '[ "$PINION_ATTEMPT" -gt 0 ] || exit 1; cat', "sort" },
    { 0, "flaky reduce", 2, 2, 16, "cat", '[ "$PINION_ATTEMPT" -gt 1 ] || kill -9 $$; sort' },
    { 10, "bad map", 3, 1, 16, "cat; exit 3", "sort" },
    { 10, "bad reduce", 2, 1, 16, "cat", "cat; false" },
})
output, entries = logged("failures", string.format("--policy fair --jobs '%s' --param attempts_max=3", FAILURES))
check.equal("jobs that finish in the end", count(output, "\n *%d+ +finished "), 2)
check.equal("… rightly", count(output, "results are right"), 2)
check.equal("jobs that fail", count(output, "\n *%d+ +failed "), 2)
check.equal("every map of the flaky job fails once", events(entries, { event = "fail", job = 1, kind = "map" }), 5)
check.equal("every reduce of the other one twice", events(entries, { event = "fail", job = 2, kind = "reduce" }), 4)
check.equal("a job fails with a task's last attempt", events(entries, { event = "job_failed", job = 3 }), 1)
check.equal("… also of a reduce", events(entries, { event = "fail", job = 4, kind = "reduce", task = 1 }), 3)
local _, _, code = run(string.format("--policy fifo --jobs '%s' --param attempts_max=1", FAILURES))
check.equal("exit code of jobs that fail", code, 1)

-- ---- nodes that go down ---------------------------------------------------------------------------------------

-- As above, all slots are taken by maps that sleep when the node goes down; its reduce slot by one that waits for them.
local DOWN = jobs_file("down", { { 0, "long", 24, 3, 16, "sleep 0.2; cat", "sort" }, { 50, "short", 1, 1, 16, "count" } })
output, entries, code = logged("down", string.format("--policy fifo --down 1,300,600 --down 0,1500 --jobs '%s'", DOWN))
check.equal("exit code", code, 0)
check.equal("what was lost is done again", count(output, "results are right"), 2)
check.equal("a node goes down", events(entries, { event = "node_down", node = 1 }), 1)
check.is_true("its attempts are lost", events(entries, { event = "lose", node = 1, kind = "map" }) >= 2)
local last_launch, down_at
for _, entry in ipairs(entries) do
    if entry.event == "launch" and entry.node == 0 then last_launch = entry.time end
    if entry.event == "node_down" and entry.node == 0 then down_at = entry.time end
end
check.is_true("nothing is launched on a node that stays down", not down_at or last_launch <= down_at)
check.contains("the scenario has it, too", check.read_file(program.file "down.json"), '"failures":[{"time":')

-- ---- Ctrl-C ---------------------------------------------------------------------------------------------------

local pids = program.file "pids"
local SLOW = jobs_file("slow", { { 0, "slow", 9, 1, 16, "echo $$ >>'" .. pids .. "'; sleep 1000 & echo $! >>'" .. pids
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
    check.is_true("process " .. pid .. " is gone", not os.execute("kill -0 " .. pid .. " 2>/dev/null"))
end
check.equal("two processes of each of six maps", started, 12)
program.succeed("verify what was done until then", { "verify", scenario, log })

-- ---- mistakes -------------------------------------------------------------------------------------------------

for _, mistake in ipairs {
    { "--policy none", "mapreduce: unknown policy: none (expected a built-in one, or a file that ends in .lua)" },
    { "--policy /no/such.lua", "mapreduce: /no/such.lua: No such file or directory" },
    { "--param tick_ms=0", "mapreduce: tick_ms: expected an integer in 1..1099511627776, got 0" },
    { "--param order=EDF", "mapreduce: --param: neither hsrtf-pup nor the model has this one: order=EDF" },
    { "--param colocate=perhaps", "mapreduce: colocate: not a value it may have: perhaps" },
    { "--down '3;5'", "mapreduce: --down: expected a node, when it goes down and when it comes back, got 3;5" },
    { "--down 3,5", "mapreduce: --down: there is no node 3 (expected 0..2), got 3,5" },
    { "--down 1,5,5", "mapreduce: --down: expected a node, when it goes down and when it comes back, got 1,5,5" },
    { "--down 1", "mapreduce: --down: expected a node, when it goes down and when it comes back, got 1" },
    { "--nodes 0", "mapreduce: --nodes: expected an integer in 1..1000, got 0" },
    { "--reduce-slots 0", "mapreduce: long count has reduces, and no node has slots for them" },
    { "--size 3", "mapreduce: unknown option: --size (--help lists them)" },
    { "--log", "mapreduce: --log: unknown, or its value is missing (--help lists all)" },
    { "--jobs '" .. jobs_file("bad", { { 0, "x", 1, 1, 1 } }) .. "'", "mapreduce: " .. program.file "bad"
      .. ":2: a job needs 6 or 7 fields, apart by tabs, got 5" },
    { "--jobs '" .. jobs_file("bad3", { { 0, "x", 1, 1, 1, "sort" }, { 0, "x", 0, 1, 1, "sort" } }) .. "'", "mapreduce: "
      .. program.file "bad3" .. ":3: maps: expected an integer in 1..10000, got 0" },
    { "--jobs '" .. jobs_file("bad2", { { 0, "x", 1, 1, 1, "join" } }) .. "'",
      "mapreduce: " .. program.file "bad2" .. ":2: unknown kind of job: join (expected count or sort, or two commands)" },
    { "--jobs '" .. jobs_file("none", {}) .. "'", "mapreduce: " .. program.file "none" .. ": no jobs" },
} do
    local nothing, messages, status = run(mistake[1])
    check.equal("message of " .. mistake[1], messages, mistake[2] .. "\n")
    check.equal("exit code of " .. mistake[1], status, 2)
    check.equal("no result of " .. mistake[1], nothing, "")
end
check.contains("help", (run "--help"), "usage: mapreduce [OPTION...]")
check.equal("-h is --help", (run "-h"), (run "--help"))

-- ---- policies that do not end well ------------------------------------------------------------------------------

local ONE = jobs_file("one", { { 0, "one", 1, 1, 1, "sort" } })
for _, case in ipairs {
    { "nil", "policy %s gave no slot any more, although slots were free: 1 job unfinished" },
    { "s.qqqq.q", "%s:1: time 0: " },
} do
    local bad = program.file("bad.lua", 'return { name = "bad", model = "cluster", pick = function(s, node, kind) return ' .. case[1] .. " end }")
    local table_text, messages, status = run(string.format("--policy '%s' --jobs '%s'", bad, ONE))
    check.equal("exit code of pick = " .. case[1], status, 1)
    check.contains("message of pick = " .. case[1], messages, "mapreduce: " .. string.format(case[2], bad))
    check.equal("… in one line", count(messages, "\n"), 1)
    check.is_true("no mean of no jobs", table_text == "" or table_text:find("\nmean makespan        %-\n"))
end
check.contains("no node", select(2, run(string.format("--nodes 1 --down 0,0 --jobs '%s'", ONE))), "mapreduce: no node is up any more: 1 job unfinished\n")

check.done()
