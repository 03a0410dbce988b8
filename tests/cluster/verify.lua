-- The checker on logs of the cluster model: those of every policy pass, and no field of a line can
-- be altered unnoticed.

package.path = "tests/support/?.lua;" .. package.path
local altered = require "altered"
local check = require "check"
local core = require "pinion.core"
local program = require "program"
local pinion = require "pinion"

local directory = program.directory

local with = check.with

-- ---- every policy -------------------------------------------------------------------------------

local log = program.file "run.log"
local function passes(name, options, arguments)
    return altered.passes(name, with({ model = "cluster" }, options), arguments, function()
        return "%d+ decisions, %d+ jobs, last finish %d+ ms[%w, ]*"
    end)
end

local WORK = "facebook,jobs=40,seed=3,deadline_factor=uniform(1,3)"
local FROM = { "--model", "cluster", "--workload", WORK, "--set", "nodes=9x2x1+2x1x3x700", "--set",
    "failures=20000:3:90000+50000:10" }
local RUN = { workload = WORK, nodes = "9x2x1+2x1x3x700", failures = "20000:3:90000+50000:10" }
local verified = 0
for _, policy in ipairs(pinion.policies "cluster") do
    -- The log says which parameters it was: verify need not be told. A seed is the generator's,
    -- too.
    for _, params in ipairs { {},
        { heartbeat_ms = 3000, factor_lo = 500, attempt_fail_permille = 50,
        reduce_start = "after_maps",
                                    locality_delay_ms = 4000, max_kills_per_task = 1,
                                    slowstart_permille = 900 } } do
        passes(policy.name, with(RUN, { policy = policy.name, params = params }), FROM)
        verified = verified + 1
    end
end
check.is_true("all policies", verified >= 12)
passes("parameters of the policy",
    with(RUN, { policy = "fair", params = { fair_mode = "deficit" } }), FROM)
check.contains("… are in the log", check.read_file(log),
    '"params":{"fair_mode":"deficit","seed":3},"nodes":[{"count":9,"map_slots":2,"reduce_slots":1},'
    .. '{"count":2,"map_slots":1,"reduce_slots":3,"speed":700}],')
for _, policy in ipairs { "hsrtf-pup", "hsrtf-prp" } do
    local result = passes("suspending " .. policy, with(RUN, { policy = policy,
        params = { preemption = "suspend", factor_lo = 500, heartbeat_ms = 3000 } }), FROM)
    check.is_true(policy .. " suspends", result.suspensions > 0)
end
for policy, params in next, { late = { min_ms = 1000, cap_permille = 500 },
    cloning = { budget_permille = 500 } } do
    params.factor_lo, params.attempt_fail_permille = 200, 50
    local result = passes("copies of " .. policy, with(RUN, { policy = policy, params = params }),
        FROM)
    check.is_true(policy .. " copies", result.copies > 0 and result.copies_won > 0)
end
passes("another seed", with(RUN, { policy = "fifo", seed = 8, params = { factor_lo = 500 } }),
    program.joined(FROM, { "--seed", "8" }))
passes("nodes in other groups",
    with(RUN, { policy = "fifo", nodes = "4x2x1+5x2x1+1x1x3x700+1x1x3x700" }), FROM)
local stopped,
    output = passes("a run that was ended", with(RUN, { policy = "fifo", until_time = 100000 }),
    FROM)
check.contains("… says so", output,
    string.format(" ms, %d jobs unfinished, digest ", stopped.unfinished))
check.contains("… in its last line", check.read_file(log),
    string.format('"unfinished":%d,"until":100000,"digest":"%s"}\n', stopped.unfinished,
    stopped.digest))
passes("a run to max_time_ms", with(RUN, { policy = "fifo", params = { max_time_ms = 100000 } }),
    FROM)

-- A policy that is built in keeps to the job's deadline and takes it only with an estimate in time.
passes("rtmr-live",
    with(RUN, { policy = "rtmr-live", params = { est_extra_ms = "auto", heartbeat_ms = 3000 } }),
    FROM)
local answered = check.read_file(log)
for fault, change in pairs {
    ["the deadline is not the job's"] = function(before, estimate) return before .. estimate
        .. ',"deadline":99999999}\n' end,
    ["a job is taken without a promise"] =
        function(before, _, deadline) return before:gsub(',"estimate":$', "") .. deadline end,
    ["a job is expected to finish before it has begun"] =
        function(before, _, deadline) return before .. "1" .. deadline end,
    ["a job is taken that is expected too late"] = function(before, _, deadline) return before
        .. "99999999" .. deadline end,
} do
    local mutated,
        changes = answered:gsub('("event":"accept","job":%d+,"estimate":)(%d+)(,"deadline":%d+}\n)',
        change, 1)
    check.equal(fault .. ": one line is altered", changes, 1)
    check.write_file(log, mutated)
    local _, messages, code = program.run(program.joined({ "verify" }, FROM, { log }))
    check.equal(fault .. ": exit code", code, 1)
    check.matches(fault .. ": message", messages, "run%.log:%d+: " .. fault:gsub("%p", "%%%0")
        .. " %(time %d+, job %d+%)\n$")
end

-- Ctrl-C, once the log has grown: its last line says how far the run came, as if it had been asked
-- to end there.
local MANY = "--model cluster --workload facebook,jobs=50000,bins=6 --set nodes=40x4x2"
local interrupted = program.file "interrupted.log"
os.execute(string.format([[
'%s' simulate %s --policy hsrtf-pr --log '%s' --format json --no-jobs --quiet >'%s' 2>/dev/null </dev/null &
pid=$!
for i in $(seq 600); do
    [ "$(cat '%s'.*.tmp 2>/dev/null | wc -c)" -ge 1000000 ] && break
    sleep 0.05
done
kill -INT $pid
wait $pid]], program.path, MANY, interrupted, program.file "interrupted.json", interrupted))
local partial = core.json_decode(check.read_file(program.file "interrupted.json"), "")
check.equal("interrupted", partial.interrupted, true)
check.contains("interrupted: the last line",
        program.lines_of("tail -n 1 '" .. interrupted .. "'")[1], string.format(
    '"unfinished":%d,"until":%d,"digest":"%s"}', 50000 - partial.finished, partial.time + 1,
    partial.digest))
local words = { "verify" }
for word in MANY:gmatch "%S+" do words[#words + 1] = word end
words[#words + 1] = interrupted
check.contains("interrupted: verified", program.succeed("verify an interrupted run", words),
        string.format(
    " ms, %d jobs unfinished, digest %s\n", 50000 - partial.finished, partial.digest))
os.remove(interrupted)

passes("replicas",
    with(RUN, { policy = "fifo", replica = 2, workload = "hsrtf,small_sort=3,large=1,medium=0",
    params = { factor_lo = 700 } }),
    { "--workload", "hsrtf,small_sort=3,large=1,medium=0", table.unpack(FROM, 5) })
local scripted = program.file("mine.lua", [[
-- Most maps first; a parameter of every kind.
return {
  name = "mine", model = "cluster",
  params = { weight = { default = 1.5, doc = "a" }, fast = { default = true, doc = "b" }, mode = { default = "two", choices = { "one", "two" }, doc = "c" } },
  key = { changes = "arrival", of = function(s, job, kind) return -s.params.weight * s:tasks(job, "map") end },
}]])
passes("a policy in Lua",
    with(RUN, { policy = scripted, params = { weight = 0.25, mode = "one", heartbeat_ms = 20 } }),
    FROM)
check.contains("what the log says of it", check.read_file(log),
    '"params":{"fast":true,"mode":0,"weight":0.25,"seed":3,"heartbeat_ms":20},'
        .. '"lua":{"preempts":false},"nodes":')

-- ---- every field --------------------------------------------------------------------------------

local scenario = program.file("s.json", [==[{"model":"cluster","nodes":[{"count":2,"map_slots":1,"reduce_slots":1}],"params":{"replication":1},
 "jobs":[{"submit":0,"maps":3,"reduces":1,"map_ms":10,"reduce_ms":7,"shuffle_ms":6,"blocks":[[0],[1],[0]]},
         {"submit":5,"maps":1,"map_ms":4,"blocks":[[1]]}],
 "failures":[{"time":12,"node":1,"recover":15}]}]==])
local function logged(policy)
    local _, messages, code = program.run { "simulate", scenario, "--policy", policy, "--log", log,
        "--quiet" }
    check.equal("exit code of " .. policy .. " " .. messages, code, 0)
    local lines = {}
    for line in io.lines(log) do lines[#lines + 1] = line end
    return lines
end
local lines = logged "fifo"
for i, want in ipairs {
    '{"time":0,"event":"accept","job":1}',
    '{"time":0,"event":"launch","job":1,"kind":"map","task":1,"node":0,"attempt":0}',
    '{"time":0,"event":"launch","job":1,"kind":"map","task":2,"node":1,"attempt":0}',
    '{"time":5,"event":"accept","job":2}',
    '{"time":10,"event":"end","job":1,"kind":"map","task":1,"node":0,"attempt":0}',
    '{"time":10,"event":"end","job":1,"kind":"map","task":2,"node":1,"attempt":0}',
    '{"time":10,"event":"launch","job":1,"kind":"map","task":3,"node":0,"attempt":0}',
    '{"time":10,"event":"launch","job":1,"kind":"reduce","task":1,"node":0,"attempt":0}',
    '{"time":10,"event":"launch","job":2,"kind":"map","task":1,"node":1,"attempt":0}',
    '{"time":12,"event":"node_down","node":1}',
    '{"time":12,"event":"lose","job":2,"kind":"map","task":1,"node":1,"attempt":0}',
    '{"time":12,"event":"rerun","job":1,"kind":"map","task":2,"node":1,"attempt":0}',
    '{"time":15,"event":"node_up","node":1}',
    '{"time":15,"event":"launch","job":1,"kind":"map","task":2,"node":1,"attempt":1}',
    '{"time":20,"event":"end","job":1,"kind":"map","task":3,"node":0,"attempt":0}',
    '{"time":20,"event":"launch","job":2,"kind":"map","task":1,"node":0,"attempt":1}',
    '{"time":24,"event":"end","job":2,"kind":"map","task":1,"node":0,"attempt":1}',
    '{"time":24,"job":2,"finish":true}',
    '{"time":25,"event":"end","job":1,"kind":"map","task":2,"node":1,"attempt":1}',
    '{"time":32,"event":"end","job":1,"kind":"reduce","task":1,"node":0,"attempt":0}',
    '{"time":32,"job":1,"finish":true}',
} do
    check.equal("line " .. i + 1, lines[i + 1], want)
end
check.matches("the last line", lines[#lines], '^{"end":32,"unfinished":0,"digest":"%x+"}$')
local last = #lines

local read = require("pinion.run.scenario").read(scenario)
local settings = { model = "cluster", nodes = read.nodes, failures = read.failures,
    params = read.params, workload = read.workload, replica = 0 }
local rejects, verdict = altered.log(lines, settings)
local line_is = altered.line_is
check.equal("the log as it is", verdict(lines), nil)

-- Any number, a little larger, a little smaller, and far off; any word.
local numbers = 0
for i = 2, last do
    for _, field in ipairs { "time", "job", "task", "node", "attempt", "end", "unfinished" } do
        local before, number, after = lines[i]:match('^(.*"' .. field .. '":)(%d+)(.*)$')
        for _, other in ipairs(number and { number + 1, number - 1, 7 * number + 5 } or {}) do
            numbers = numbers + 1
            rejects(nil, "", line_is(i, string.format("%s%d%s", before, other, after)))
        end
    end
    for _, change in ipairs { { '"map"', '"reduce"' }, { '"reduce"', '"map"' },
        { '"end"', '"fail"' }, { '"lose"', '"kill"' },
                              { '"launch"', '"end"' }, { '"rerun"', '"lose"' },
                              { '"accept"', '"reject"' }, { '"node_up"', '"node_down"' } } do
        local other = lines[i]:gsub(change[1], change[2])
        if other ~= lines[i] and not lines[i]:find '^{"end"' then
            rejects(nil, "", line_is(i, other))
        end
    end
    rejects(nil, "", function(copy) table.remove(copy, i) end)
    rejects(nil, "", function(copy) table.insert(copy, i, lines[i]) end)
end
check.is_true("numbers were altered", numbers > 250)

local function header(change, by) return line_is(1, (lines[1]:gsub(change, by, 1))) end
rejects(1, "belongs to scenario", header('"scenario":"%x+"', '"scenario":"0000000000000000"'))
rejects(1, 'field "scenario" is missing', header('"scenario":"%x+",', ""))
rejects(1, "a log of model slotted (expected cluster)", header("cluster", "slotted"))
rejects(1, "policy nix, which does not exist", header('"fifo"', '"nix"'))
rejects(1, "belongs to scenario", header('"fifo"', '"fair"'))
rejects(1, "belongs to scenario", header('"replication":1', '"replication":2'))
rejects(1, "belongs to scenario", header('"replication":1', ""))
rejects(1, "params.replication: is none of the values of this parameter: -1",
    header('"replication":1', '"replication":-1'))
rejects(1, "params.replication: is none of the values of this parameter: x",
    header('"replication":1', '"replication":"x"'))
rejects(1, "params.est_extra_ms: is none of the values of this parameter: never",
    header('"replication":1', '"replication":1,"est_extra_ms":"never"'))
rejects(1, "out of range: replication: 1..65536", header('"replication":1', '"replication":0'))
rejects(1, "params.reduce_start: is none of the values",
    header('"replication":1', '"replication":1,"reduce_start":1'))
rejects(1, 'field "nodes": expected an array of groups of nodes',
    header('"nodes":%[.*%]', '"nodes":7'))
rejects(1, 'field "nodes": expected an array', header(',"nodes":%[.*%]', ""))
rejects(1, 'field "nodes[1]": expected {"count":n,"map_slots":n,"reduce_slots":n}',
    header('"count":2', '"count":0'))
for _, value in ipairs { '"x"', "2.5", "-1", "4294967296" } do
    for _, field in ipairs { "count", "map_slots", "reduce_slots" } do
        rejects(1, 'field "nodes[1]": expected {"count":n,', header('"' .. field .. '":%d',
            '"' .. field .. '":' .. value))
    end
end
rejects(1, 'field "nodes": they are not those of the scenario', header('"count":2,', ""))
rejects(1, 'field "nodes_absent": only of a measured log',
    header('"nodes"', '"nodes_absent":1,"nodes"'))
rejects(1, 'field "nodes": they are not those of the scenario', header('"count":2', '"count":3'))
rejects(1, 'field "nodes": they are not those of the scenario', header('"count":2', '"count":1'))
rejects(1, 'field "nodes": they are not those of the scenario',
    header('"map_slots":1', '"map_slots":2'))
rejects(1, 'field "nodes": they are not those of the scenario',
    header('"reduce_slots":1', '"reduce_slots":1,"speed":999'))
rejects(1, 'field "measured": expected true', header('"nodes"', '"measured":false,"nodes"'))
rejects(1, 'field "lua": expected {"preempts":true} or false',
    header('"nodes"', '"lua":{"work_conserving":true},"nodes"'))
rejects(1, 'unknown field "relaxed"', header('"nodes"', '"relaxed":true,"nodes"'))
rejects(2, 'field "event" is missing', line_is(2, '{"time":0,"job":1}'))
rejects(2, 'field "event": unknown word "begin"', line_is(2, '{"time":0,"event":"begin","job":1}'))
rejects(2, 'field "job" is missing', line_is(2, '{"time":0,"event":"accept"}'))
rejects(2, 'field "time": expected an integer in 0..2^53',
    line_is(2, '{"time":0.5,"event":"accept","job":1}'))
rejects(2, 'unknown field "node"', line_is(2, '{"time":0,"event":"accept","job":1,"node":0}'))
rejects(3, 'field "kind": expected map or reduce, got "both"',
    line_is(3, (lines[3]:gsub('"map"', '"both"'))))
rejects(3, 'field "task": expected an integer in 1..4294967295, got 0',
    line_is(3, (lines[3]:gsub('"task":1', '"task":0'))))
rejects(3, 'field "task": expected an integer in 1..4294967295, got 4294967296',
    line_is(3, (lines[3]:gsub('"task":1', '"task":4294967296'))))
rejects(3, 'field "node" is missing', line_is(3, (lines[3]:gsub('"node":0,', ''))))
rejects(11, 'unknown field "job"', line_is(11, (lines[11]:gsub('"node":1', '"job":1,"node":1'))))
rejects(19, 'field "finish": expected true', line_is(19, '{"time":24,"job":2,"finish":false}'))
rejects(last, 'field "unfinished" is missing',
    line_is(last, (lines[last]:gsub('"unfinished":0,', ''))))
rejects(last, 'field "until": expected an integer in 1..2^53',
    line_is(last, (lines[last]:gsub('"unfinished"', '"until":0,"unfinished"'))))
rejects(last, 'the run continues after "until"',
    line_is(last, (lines[last]:gsub('"unfinished"', '"until":32,"unfinished"'))))
rejects(last - 2, "the run ends before an attempt that runs", function(copy)
    table.remove(copy, last - 2)
    table.remove(copy, last - 2)
    copy[last - 2] = '{"end":24,"unfinished":1,"until":40,"digest":"0000000000000000"}'
end)
rejects(last, "digest", line_is(last, '{"end":32,"unfinished":0,"digest":"0000000000000000"}'))
rejects(last, "the log ends without its last line", function(copy) copy[last] = nil end)
rejects(last + 1, "something follows the last line", function(copy) copy[last + 1] = copy[2] end)

-- A scenario that is not the log's.
for _, set in ipairs { "nodes=2x1x2", "nodes=3x1x1" } do
    local _, messages, code = program.run { "verify", scenario, log, "--set", set }
    check.equal("exit code with " .. set, code, 1)
    check.contains("message with " .. set, messages,
        log .. ':1: field "nodes": they are not those of the scenario')
end
local _, messages, code = program.run { "verify", scenario, log, "--set", "failures=12:1:16" }
check.equal("exit code with another failure", code, 1)
check.contains("another failure", messages,
    log .. ":1: the log belongs to another scenario: the failures differ")

-- ---- logs of real hosts -------------------------------------------------------------------------

-- Times are the log's: the same events, each a little later than the model would have them.
lines = { '{"pinion_log":1,"model":"cluster","policy":"fifo","params":{},"nodes":[{"count":2,'
    .. '"map_slots":1,"reduce_slots":1}],"measured":true}',
    '{"time":3,"event":"accept","job":1}',
    '{"time":3,"event":"launch","job":1,"kind":"map","task":1,"node":0,"attempt":0}',
    '{"time":4,"event":"launch","job":1,"kind":"map","task":2,"node":1,"attempt":0}',
    '{"time":7,"event":"accept","job":2}',
    '{"time":13,"event":"end","job":1,"kind":"map","task":2,"node":1,"attempt":0}',
    '{"time":14,"event":"launch","job":1,"kind":"map","task":3,"node":1,"attempt":0}',
    '{"time":15,"event":"end","job":1,"kind":"map","task":1,"node":0,"attempt":0}',
    '{"time":15,"event":"launch","job":2,"kind":"map","task":1,"node":0,"attempt":0}',
    '{"time":15,"event":"launch","job":1,"kind":"reduce","task":1,"node":0,"attempt":0}',
    '{"time":18,"event":"end","job":2,"kind":"map","task":1,"node":0,"attempt":0}',
    '{"time":18,"job":2,"finish":true}',
    '{"time":29,"event":"end","job":1,"kind":"map","task":3,"node":1,"attempt":0}',
    '{"time":40,"event":"end","job":1,"kind":"reduce","task":1,"node":0,"attempt":0}',
    '{"time":40,"job":1,"finish":true}',
    '{"end":40,"unfinished":0,"digest":"0000000000000000"}' }
-- Everything is right but the digest, which a host has from the kernel.
rejects = altered.log(lines, settings)
check.contains("a measured log", verdict(lines), ":16: the digest does not match the entries")
rejects(16, "the digest does not match the entries", function(copy)
    copy[11] = copy[11]:gsub("end", "drop")
    copy[12] = '{"time":18,"event":"job_cancelled","job":2}'
end)
rejects(6, "the job is cancelled, but its attempts are not dropped", function(copy)
    copy[6] = '{"time":13,"event":"job_cancelled","job":1}'
end)
local RESIZE = '{"time":13,"event":"node_resize","node":1,"map_slots":%d,"reduce_slots":1}'
rejects(18, "the digest does not match the entries", function(copy)
    copy[1] = copy[1]:gsub('"measured"', '"nodes_absent":0,"measured"')
    copy[6] = copy[6] .. "\n" .. RESIZE:format(0) .. "\n" .. RESIZE:format(1)
end)
rejects(8, "more attempts than the node has slots", function(copy)
    copy[6] = copy[6] .. "\n" .. RESIZE:format(0)
end)
rejects(3, "more attempts than the node has slots", function(copy)
    copy[1] = copy[1]:gsub('"measured"', '"nodes_absent":2,"measured"')
end)
rejects(1, "nodes_absent: 0..number of nodes", function(copy)
    copy[1] = copy[1]:gsub('"measured"', '"nodes_absent":3,"measured"')
end)
for value, message in next, { ['"x"'] = "an integer in 0..2^53", ["-1"] = "an integer in 0..2^53",
    ["4294967296"] = "at most 4294967295" } do
    rejects(1, 'field "nodes_absent": expected ' .. message, function(copy)
        copy[1] = copy[1]:gsub('"measured"', '"nodes_absent":' .. value .. ',"measured"')
    end)
end
rejects(9, "", function(copy) copy[9] = (copy[9]:gsub('"node":0', '"node":1')) end)
rejects(3, "", function(copy) copy[3] = (copy[3]:gsub('"attempt":0', '"attempt":1')) end)
rejects(1, "the log belongs to scenario 0123456789abcdef",
    function(copy) copy[1] = (copy[1]:gsub('"params"', '"scenario":"0123456789abcdef","params"'))
    end)

-- The verdict says what it does not hold a measured log to: here a map of a second took 5 ms.
local short = program.file("short.log", [[
{"pinion_log": 1, "model": "cluster", "policy": "fifo", "scenario": "05a298289a6d4d2b", "params": {}, "nodes": [{"count": 1, "map_slots": 1, "reduce_slots": 1}], "measured": true}
{"time": 0, "event": "accept", "job": 1}
{"time": 0, "event": "launch", "job": 1, "kind": "map", "task": 1, "node": 0, "attempt": 0}
{"time": 5, "event": "end", "job": 1, "kind": "map", "task": 1, "node": 0, "attempt": 0}
{"time": 5, "job": 1, "finish": true}
{"end": 5, "unfinished": 0, "digest": "68a2942608fa0bcc"}
]])
local its_own = program.file("one.json",
    '{"model":"cluster","policy":"fifo","nodes":[{"map_slots":1,"reduce_slots":1}],'
    .. '"jobs":[{"submit":0,"maps":1,"map_ms":1000}]}')
check.equal("a measured log", program.succeed("a measured log", { "verify", its_own, short }),
    short .. ": ok, as measured (durations, failures and submissions are taken from the log): "
        .. "fifo: 1 "
        .. "decision, 1 job, last finish 5 ms, "
    .. "digest 68a2942608fa0bcc\n")

local _, none, missing = program.run { "verify", scenario, directory .. "/none" }
check.equal("exit code without a log", missing, 2)
check.equal("no log", none, directory .. "/none: cannot open: No such file or directory\n")

check.done()
