-- First lines of decision logs that are wrong, and what may follow the last line: whole messages.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

local path = program.directory .. "/changed.log"

-- Returns a log of the scenario, and the command that verifies the changed one.
local function written(name, ...)
    local scenario, log = "tests/cli/" .. name .. ".json", program.file(name .. ".log")
    program.succeed("a log of " .. name, { "simulate", scenario, "--log", log, "--quiet",
        "--no-jobs", "--output", program.file "result.json", ... })
    return check.read_file(log), { "verify", scenario, path }
end

local function refused(text, arguments, message)
    check.write_file(path, text)
    local output, messages, code = program.run(arguments)
    check.equal("exit code of " .. message, code, 1)
    check.equal("output of " .. message, output, "")
    check.equal(message, messages, path .. ":" .. message .. "\n")
end

-- ---- first lines --------------------------------------------------------------------------------

local function with(log, from, to)
    local made, count = log:gsub(from, to, 1)
    check.equal("there is " .. from, count, 1)
    return made
end

local slotted, verify = written("slotted", "--policy", "fifo")
local JOBS <const> = '"count":5,"every":1,"marks":"%x+"'
local NO_MARKS <const> =
    'field "jobs": expected {"count":n,"every":n,"marks":"8 hex digits each"}'
local function jobs(count, every, marks)
    return string.format('"count":%d,"every":%d,"marks":"%s"', count, every, ("0"):rep(8 * marks))
end
for _, case in ipairs {
    { "^[^\n]*", "[1]", "not an object (expected one JSON object)" },
    { "^[^\n]*", "", "not valid JSON: '[' or '{' expected near end of file (expected one JSON "
        .. "object)" },
    { '"scenario":"%x+"', '"scenario":"68fd5be580be63dg"',
        'field "scenario": expected 16 hex digits' },
    { '"scenario":"%x+"', '"scenario":"68fd5be580be63d"',
        'field "scenario": expected 16 hex digits' },
    { '"scenario":"%x+"', '"params":{}', 'field "scenario" is missing' },
    { '"fifo"', '"fifo","params":{"k":true}', 'field "params.k": expected a number' },
    { '"fifo"', '"fifo","params":{"k":"x"}', 'field "params.k": expected a number' },
    { '"fifo"', '"fifo","params":{"k":1}', 'field "params.k": policy fifo has no such parameter' },
    { '"fifo"', '"idx","params":{"wm":1e300}',
        "params.wm: must be an integer in -1048576..1048576, got 1e+300" },
    { '"fifo"', '"fifo","params":[]', 'field "params": expected an object' },
    { '"fifo"', '"nosuch"', "a log of policy nosuch, which does not exist" },
    { JOBS, jobs(18, 1, 18), NO_MARKS },
    { JOBS, jobs(5, 2, 5), NO_MARKS },
    { JOBS, jobs(5, 2, 3), "the log belongs to another scenario: one of jobs 1..2 differs" },
    { JOBS, jobs(8, 4, 2),
        "the log belongs to another scenario: the log's scenario has 8 jobs, this one 5" },
    { JOBS, jobs(3, 1, 3),
        "the log belongs to another scenario: the log's scenario has 3 jobs, this one 5" },
} do
    refused(with(slotted, case[1], case[2]), verify, "1: " .. case[3])
end

local cluster, verify_cluster = written("cluster", "--policy", "fifo")
for _, case in ipairs {
    { '"policy":"fifo"', '"policy":"fifo","nodes_absent":0',
        'field "nodes_absent": only of a measured log' },
    { '"params":{', '"params":{"k":true,', 'field "params.k": policy fifo has no such parameter' },
    { '"params":{', '"params":{"k":null,',
        'field "params.k": expected a number, a word, true or false' },
} do
    refused(with(cluster, case[1], case[2]), verify_cluster, "1: " .. case[3])
end
local measured = check.read_file "tests/cli/0.8.0/scheduler.log"
local verify_measured = { "verify", "tests/cli/0.8.0/scheduler.json", path }
for _, case in ipairs {
    { "4294967296", 'field "nodes_absent": expected at most 4294967295' },
    { "-1", 'field "nodes_absent": expected an integer in 0..2^53' },
} do
    refused(with(measured, '"measured":true', '"measured":true,"nodes_absent":' .. case[1]),
        verify_measured, "1: " .. case[2])
end
refused(with(measured, '"measured":true', '"measured":true,"scenario":"x"'), verify_measured,
    '1: field "scenario": expected 16 hex digits')

-- What a log says of a policy in Lua.
local policy = program.file("own.lua",
    "return { name = 'own', model = 'slotted', key = 'arrival' }")
local scripted = written("slotted", "--policy", policy)
for _, promise in ipairs { "true", "{}", "[]", '{"work_conserving":1}',
    '{"work_conserving":true,"more":1}', '{"work":true}' } do
    refused(with(scripted, '"lua":%b{}', '"lua":' .. promise), verify,
        '1: field "lua": expected {"work_conserving":true} or false')
end

-- ---- last lines ---------------------------------------------------------------------------------

local _, lines = slotted:gsub("\n", "")
refused(slotted .. "{}\n", verify,
    lines + 1 .. ": something follows the last line (expected the end of the log)")
check.write_file(path, slotted)
os.execute("gzip -nf '" .. path .. "'")
local packed = check.read_file(path .. ".gz")
path = path .. ".gz"
verify[3] = path
refused(packed:sub(1, -5), verify, lines
    .. ": the compressed file ends too early (expected all of it: was it cut off?)")

-- ---- scenarios that end with a fault ------------------------------------------------------------

-- The jobs are made for the hash of the scenario; those of a measured log, which has none, later.
local function failing(model, job)
    return program.file(model .. "_failing.lua", string.format([[
return { name = "x", model = "%s", params = { most = { default = 9 } }, generate = function(g)
    for i = 1, 9 do
        if i > g.params.most then error "enough" end
        g:job { %s }
    end end }]], model, job))
end
local function verified(workload, ...)
    local output, messages, code = program.run { "verify", "--workload", workload, ... }
    check.equal("exit code of a workload that fails", code, 1)
    check.equal("output of a workload that fails", output, "")
    return messages
end
local log, workload = program.file "failing.log", failing("slotted", "arrival = i, maps = 1")
program.succeed("a whole run", { "simulate", "--workload", workload, "--set", "machines=1",
    "--policy", "fifo", "--log", log, "--quiet", "--no-jobs", "--output",
    program.file "result.json" })
check.equal("a workload that fails", verified(workload .. ",most=3", "--set", "machines=1", log),
    log .. ":1: " .. workload .. ":3: job 4: enough\n")
workload = failing("cluster", "submit = i, maps = 1, map_ms = 5")
check.equal("the same beside a measured log", verified(workload .. ",most=3",
    "--set", "nodes=2x2x1", "tests/cli/0.8.0/scheduler.log"),
    workload .. ":3: job 4: enough\n")

check.done()
