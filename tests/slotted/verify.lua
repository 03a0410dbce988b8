-- The checker: every policy's log passes, every altered one does not.

package.path = "tests/support/?.lua;" .. package.path
local core = require "pinion.core"
local check = require "check"

local scenario -- the one that is being looked at

local function hash_of(policy, params)
    return core.slotted_scenario_hash { workload = scenario.workload, machines = scenario.machines,
        reduce = scenario.reduce, policy = policy, params = params }
end

local function verify(path)
    return core.slotted_verify { workload = scenario.workload, machines = scenario.machines,
        reduce = scenario.reduce, log = path, hash_of = hash_of }
end

local function write_log(policy, params)
    local path = check.temporary_file ""
    local result =
        assert(core.slotted_run { workload = scenario.workload, machines = scenario.machines,
        reduce = scenario.reduce, policy = policy,
                                             params = params, bounds = "none", quiet = true,
                                             log = path })
    return path, result
end

-- All policies, both modes, generated and stored workloads.
local generated = core.workload_zheng { maps = "exp(5)",
    reduces = "exp(40)", rate = 2, slots = 100, seed = 5 }
local passed = 0
for _, reduce in ipairs { "preemptive", "nonpreemptive" } do
    for _, policy in ipairs(core.policies()) do
        if policy[reduce] then
            scenario = { workload = generated, machines = 100, reduce = reduce }
            local path, result = write_log(policy.name)
            local summary = assert(verify(path))
            check.equal(policy.name, summary.digest, result.digest)
            check.equal("policy", summary.policy, policy.name)
            check.equal("jobs", summary.jobs, result.submitted)
            check.equal("slots", summary.slots, result.slots)
            check.equal("decisions", summary.decisions, result.decisions)
            passed = passed + 1
        end
    end
end
assert(passed >= 20, "policies")

-- One small log, altered in every way.
scenario = {
    workload = core.workload_slotted_table {
        { arrival = 1, maps = 5, reduces = { 2, 2, 1 } }, { arrival = 2, maps = 1 },
    },
    machines = 4, reduce = "nonpreemptive",
}
local text = check.read_file((write_log "fifo"))
local wanted = {
    '{"slot":1,"job":1,"map":4}', '{"slot":2,"job":1,"map":1}', '{"slot":2,"job":2,"map":1}',
    '{"slot":2,"job":2,"finish":true}',
    '{"slot":3,"job":1,"start":[1,2,3]}', '{"slot":4,"job":1,"finish":true}',
}
local lines = {}
for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
for i, line in ipairs(wanted) do check.equal("line " .. i + 1, lines[i + 1], line) end

local function altered(change)
    local copy = table.move(lines, 1, #lines, 1, {})
    change(copy)
    return check.temporary_file(table.concat(copy, "\n") .. "\n")
end

local function rejects(line, message, change)
    local path = altered(change)
    local result, got, kind = verify(path)
    check.equal(message, result, nil)
    check.contains("place of " .. message, got, line and path .. ":" .. line .. ": " or path)
    check.contains("message", got, message)
    check.equal("kind", kind, "run")
end

local function line_is(number, new)
    return function(copy) copy[number] = new end
end

assert(verify(altered(function() end)))
rejects(1, 'unknown field "x"',
    line_is(1, '{"pinion_log":1,"model":"slotted","policy":"fifo","scenario":"0000000000000000",'
    .. '"x":1}'))
rejects(1, "belongs to scenario 0000000000000000",
    line_is(1, '{"pinion_log":1,"model":"slotted","policy":"fifo","scenario":"0000000000000000"}'))
rejects(1, "all lines fit the given one, so what differs is not in the log (compared are jobs, "
    .. "settings, the policy and its parameters)",
    line_is(1, '{"pinion_log":1,"model":"slotted","policy":"fifo","scenario":"0000000000000000"}'))
rejects(1, "of the given one, line 3 would be wrong: ", function(copy)
    copy[1] = '{"pinion_log":1,"model":"slotted","policy":"fifo","scenario":"0000000000000000"}'
    copy[3] = copy[3]:gsub('"slot":%d+', '"slot":9')
end)
rejects(1, 'field "scenario": expected 16 hex digits',
    line_is(1, '{"pinion_log":1,"model":"slotted","policy":"fifo","scenario":"0"}'))
rejects(1, "a log of version 2",
    line_is(1, '{"pinion_log":2,"model":"slotted","policy":"fifo","scenario":"0000000000000000"}'))
rejects(1, "a log of model tandem",
    line_is(1, '{"pinion_log":1,"model":"tandem","policy":"fifo","scenario":"0000000000000000"}'))
rejects(1, "policy nix",
    line_is(1, '{"pinion_log":1,"model":"slotted","policy":"nix","scenario":"0000000000000000"}'))
rejects(1, "is no relaxation",
    line_is(1, '{"pinion_log":1,"model":"slotted","policy":"fifo","scenario":"0000000000000000",'
    .. '"relaxed":true}'))
rejects(1, "is a relaxation",
    line_is(1, '{"pinion_log":1,"model":"slotted","policy":"srpt","scenario":"0000000000000000"}'))
rejects(1, "params.wm: must be an integer in -1048576..1048576, got 1.5",
    line_is(1, '{"pinion_log":1,"model":"slotted","policy":"idx","scenario":"0000000000000000",'
    .. '"params":{"wm":1.5}}'))
rejects(1, "params.wm: must be an integer in",
    line_is(1, '{"pinion_log":1,"model":"slotted","policy":"idx","scenario":"0000000000000000",'
    .. '"params":{"wm":9999999}}'))
rejects(1, 'field "policy" is missing',
    line_is(1, '{"pinion_log":1,"model":"slotted","scenario":"0000000000000000"}'))
rejects(2, "not valid JSON", line_is(2, "{"))
rejects(2, "not an object", line_is(2, "[]"))
rejects(2, "the line is blank", line_is(2, ""))
rejects(2, 'field "slot" is missing', line_is(2, '{"job":1,"map":4}'))
rejects(2, 'unknown field "x"', line_is(2, '{"slot":1,"job":1,"map":4,"x":0}'))
rejects(2, 'expected one of "map", "reduce", "start", "finish"', line_is(2, '{"slot":1,"job":1}'))
rejects(2, 'unknown field "finish" in a line of map',
    line_is(2, '{"slot":1,"job":1,"map":4,"finish":true}'))
rejects(2, 'field "map": expected an integer in 1..2^53', line_is(2, '{"slot":1,"job":1,"map":0}'))
rejects(2, 'field "map": expected an integer', line_is(2, '{"slot":1,"job":1,"map":4.0}'))
rejects(2, 'field "map" occurs twice', line_is(2, '{"slot":1,"job":1,"map":4,"map":4}'))
rejects(2, "job", line_is(2, '{"slot":1,"job":3,"map":4}'))
rejects(nil, "slot 1", line_is(2, '{"slot":1,"job":1,"map":5}'))
rejects(nil, "slot", line_is(2, '{"slot":1,"job":1,"map":3}'))
rejects(5, 'field "finish": expected true', line_is(5, '{"slot":2,"job":2,"finish":false}'))
rejects(6, "one after the other", line_is(6, '{"slot":3,"job":1,"start":[1,3,2]}'))
rejects(6, "expected an array of task numbers", line_is(6, '{"slot":3,"job":1,"start":[]}'))
rejects(6, "expected an array of task numbers", line_is(6, '{"slot":3,"job":1,"start":3}'))
rejects(nil, "(slot", line_is(6, '{"slot":3,"job":1,"start":[1,2]}'))
rejects(8, "digest", line_is(8, '{"end":4,"digest":"0000000000000000"}'))
rejects(8, "finish", line_is(8, (lines[8]:gsub('"end":4', '"end":5'))))
rejects(8, "the log ends without its last line", function(copy) copy[8] = nil end)
rejects(9, "something follows the last line", function(copy) copy[9] = copy[2] end)
rejects(9, "something follows the last line", function(copy) copy[9] = "" end)
for i = 2, 7 do rejects(nil, "", function(copy) table.remove(copy, i) end) end

-- A log of another scenario: its first line tells what differs.
local function with_jobs(count, changed, machines, reduce)
    local jobs = {}
    for i = 1, count do jobs[i] = { arrival = i, maps = i == changed and 3 or 2 } end
    return { workload = core.workload_slotted_table(jobs), machines = machines or 4,
        reduce = reduce or "preemptive" }
end

local function differs(there, here, message)
    local checked = scenario
    scenario = there
    local path = write_log "fifo"
    check.is_true("its own scenario", verify(path))
    scenario = here
    local result, got = verify(path)
    check.equal(message, result, nil)
    check.equal("what differs", got, path .. ":1: the log belongs to another scenario: " .. message)
    scenario = checked
end

differs(with_jobs(9), with_jobs(9, nil, 5), "machines is 4 there, 5 here")
differs(with_jobs(9), with_jobs(9, nil, 6, "nonpreemptive"),
    "machines is 4 there, 6 here; reduce is preemptive there, nonpreemptive here")
differs(with_jobs(9), with_jobs(9, 1), "job 1 differs")
differs(with_jobs(16), with_jobs(16, 16), "jobs 1..15 are the same, job 16 differs")
differs(with_jobs(17), with_jobs(17, 2), "one of jobs 1..2 differs")
differs(with_jobs(17), with_jobs(17, 17), "jobs 1..16 are the same, job 17 differs")
differs(with_jobs(500), with_jobs(500, 129), "jobs 1..128 are the same, one of 129..160 differs")
differs(with_jobs(500), with_jobs(500, 500), "jobs 1..480 are the same, one of 481..500 differs")
differs(with_jobs(500), with_jobs(400),
    "the log's scenario has 500 jobs, this one 400 (the first 384 are the same)")
differs(with_jobs(40, 1), with_jobs(500), "the log's scenario has 40 jobs, this one 500")

local empty = check.temporary_file ""
check.contains("an empty log", select(2, verify(empty)), empty .. ":1: the log is empty")
local _, message, kind = verify "/nonexistent"
check.equal("no log", message, "/nonexistent: cannot open: No such file or directory")
check.equal("no log", kind, "usage")
check.contains("a directory", select(2, verify "/"), "cannot read: Is a directory")

-- A compressed log is read as a plain one; one that was cut off is no log.
local packed = altered(function() end)
assert(os.execute("gzip " .. packed))
check.equal("a compressed log", assert(verify(packed .. ".gz")).jobs, 2)
local cut = check.temporary_file(check.read_file(packed .. ".gz"):sub(1, -12))
check.contains("a cut one", select(2, verify(cut)), "the compressed file ends too early")

-- An error in hash_of goes through, and nothing is left behind.
local ok, raised = pcall(core.slotted_verify,
    { workload = scenario.workload, machines = 4, reduce = "nonpreemptive",
    log = altered(function() end),
                                                hash_of = function() error "raised" end })
check.equal("an error in hash_of", ok, false)
check.contains("an error in hash_of", raised, "raised")

check.done()
