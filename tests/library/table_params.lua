-- Parameters of policies that are tables: declared by a shape, given in scripts, in scenarios and
-- on the command line, checked by the policy, part of what a run is.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"
local program = require "program"

local directory = check.directory()

-- ---- declarations -------------------------------------------------------------------------------

local function policy_with(default, shape)
    return pinion.policy(string.format([[
-- A policy with a table.
return { name = "t", model = "slotted", key = "arrival",
  params = { p = { default = %s, doc = "d", shape = %s } } }]], default, shape))
end

local SHAPES = {
    { "{}", '"map"', 'params.p.shape: must say what it holds, such as { type = "map", of =' },
    { "{}", '"record"',
        'params.p.shape: must say what it holds, such as { type = "record", fields = { ... } }' },
    { "{}", '"nothing"', "params.p.shape: must be one of number, integer, boolean, string, list" },
    { "{}", "3", "params.p.shape: must be a shape such as \"number\" or" },
    { "{}", "{ of = 'number' }", "params.p.shape.type: must be one of number" },
    { "{}", "{ type = 'map' }", "params.p.shape.of: must be a shape" },
    { "{}", "{ type = 'record' }", "params.p.shape.fields: is required" },
    { "{}", "{ type = 'map', of = 'numbr' }", "params.p.shape.of: must be one of number" },
    { "{}", "{ type = 'map', off = 'number' }",
        "params.p.shape.off: unknown field (did you mean 'of'?)" },
    { "{}", "{ type = 'list', of = { type = 'string', min = 1 } }",
        "params.p.shape.of.min: goes with numbers" },
    { "{}", "{ type = 'list', of = { type = 'number', min = 'a' } }",
        "params.p.shape.of.min: must be a number" },
    { "{}", "{ type = 'record', fields = { a = { type = 'number', default = 'x' } } }",
        "params.p.shape.a.default: must be a finite number, got 'x'" },
    { "{ 'a' }", "{ type = 'list', of = 'number' }",
        "params.p[1]: must be a finite number, got 'a'" },
    { "3", "{ type = 'list', of = 'number' }",
        "params.p.shape: goes with a default that is a table" },
    { "{}", "nil", "params.p.shape: is required beside a default that is a table" },
    { "{}", ("{ type = 'list', of = "):rep(5) .. "'number'" .. ("}"):rep(5),
        "tables nest deeper than 4" },
}
for _, case in ipairs(SHAPES) do check.raises(case[3], case[3], policy_with, case[1], case[2]) end

-- ---- values -------------------------------------------------------------------------------------

-- The policy's key says what it sees, so that every value shows in the order of the jobs.
local TEXT = [[
-- Jobs by the bias of the first queue.
return { name = "queues", model = "slotted",
  key = { changes = "arrival", of = function(s, job)
    local queue = s.params.queues.main
    return queue and queue.bias * job or job
  end },
  init = function(s)
    local seen = {}
    for name, queue in pairs(s.params.queues) do
      local users = {}
      for i, user in ipairs(queue.users or {}) do users[i] = user end
      seen[#seen + 1] = string.format("%s %s %s %s", name, queue.bias, queue.open,
        table.concat(users, "+"))
    end
    print(table.concat(seen, "; "))
  end,
  params = { queues = {
    default = { main = { bias = 1 } }, doc = "queues by name",
    shape = { type = "map", of = { type = "record", fields = {
      bias = { type = "integer", min = -5, max = 5 }, open = { type = "boolean", default = true },
      users = { type = "list", of = "string", optional = true } } } } } } }]]
local path = directory .. "/queues.lua"
check.write_file(path, TEXT)

local RUN = { "simulate", "--workload", "zheng:0,slots=20", "--set", "machines=20", "--policy",
    path, "--no-jobs" }

local function run(...)
    local arguments = table.move(RUN, 1, #RUN, 1, {})
    local output, messages, status = program.run(table.move({ ... }, 1, select("#", ...),
        #arguments + 1, arguments))
    return status, output, messages
end

local function seen_with(value)
    local status, output, messages = run("--param", "queues=" .. value)
    check.equal(value .. ": " .. messages, status, 0)
    return messages:match "slot 1: ([^\n]*)", output:match '"digest": "(%x+)"'
end

check.equal("the default", select(3, run()):match "slot 1: ([^\n]*)", "main 1 true ")
local BOTH = '{"main":{"bias":-1,"users":["b","a"]},"also":{"bias":2,"open":false}}'
local seen, digest = seen_with(BOTH)
check.equal("what the policy sees", seen, "also 2 false ; main -1 true b+a")
local again, same = seen_with
    '{"also":{"open":false,"bias":2},"main":{"users":["b","a"],"bias":-1}}'
check.equal("in another order", again .. same, seen .. digest)
check.is_true("another table, another schedule",
    select(2, seen_with '{"main":{"bias":1}}') ~= digest)

local REFUSED = {
    { "3", "--param queues: must be a table, such as" },
    { "{", "--param queues: must be a table as JSON: " },
    { "null", "--param queues: must be a table, such as" },
    { '{"main":3}', "--param queues.main: must be a table of named entries, got 3" },
    { '{"main":{}}', "--param queues.main.bias: is required" },
    { '{"main":{"bias":9}}', "--param queues.main.bias: must be an integer in -5.0..5.0, got 9" },
    { '{"main":{"bias":1.5}}',
        "--param queues.main.bias: must be an integer in -5.0..5.0, got 1.5" },
    { '{"main":{"bia":1}}', "--param queues.main.bia: unknown field (did you mean 'bias'?)" },
    { '{"main":{"bias":1,"open":1}}', "--param queues.main.open: must be true or false, got 1" },
    { '{"main":{"bias":1,"users":{"a":1}}}',
        "--param queues.main.users: must be a list, and has named entries" },
    { '{"main":{"bias":1,"users":[1]}}',
        "--param queues.main.users[1]: must be a text of at most 200 bytes, got 1" },
    { '{"main":{"bias":1,"users":["' .. ("x"):rep(201) .. '"]}}',
        "--param queues.main.users[1]: must be a text of at most 200 bytes, got a longer one" },
    { '{"main":{"bias":1,"users":[' .. ('"a",'):rep(1000) .. '"a"]}}',
        "--param queues.main.users: has more than 1000 elements" },
    { '{"' .. ("n"):rep(201) .. '":{"bias":1}}',
        "--param queues: a name has more than 200 bytes" },
    { '{"main":{"bias":1,"colour":1}}', "--param queues.main.colour: unknown field" },
    { "[1]", "--param queues: must have named entries only, got a number as a name" },
}
for _, case in ipairs(REFUSED) do
    local status, output, messages = run("--param", "queues=" .. case[1])
    check.equal(case[1] .. " is refused", status, 2)
    check.contains(case[1], messages, case[2])
    check.equal("nothing is written", output, "")
end

-- Fields that are not given: a shape in one word is required, and so is one that says it may not be
-- missing; a default that is a table is copied from the declaration.
local FIELDS <const> = [[{ a = "number", b = { type = "number", optional = false },
    c = { type = "list", of = "number", default = { 4, 5 } } }]]
local function record_with(value)
    return pinion.run { workload = "zheng:0,slots=9", machines = 20, quiet = true,
        policy = pinion.policy("-- r\nreturn { name = 'r', model = 'slotted',\n"
            .. "key = { changes = 'arrival', of = function(s, job)\n"
            .. "return (s.params.p.c[2] - 5) * job end },\n"
            .. "params = { p = { default = { a = 1, b = 2 }, doc = 'd',\n"
            .. "shape = { type = 'record', fields = " .. FIELDS .. "} } } }"),
        params = { p = value } }.digest
end
check.raises("a number that is missing", "params.p.a: is required", record_with, { b = 1 })
check.raises("one that is not optional", "params.p.b: is required", record_with, { a = 1 })
check.equal("a list that is missing", record_with { a = 1, b = 2 },
    record_with { a = 1, b = 2, c = { 4, 5 } })
check.is_true("another list", record_with { a = 1, b = 2, c = { 4, 6 } }
    ~= record_with { a = 1, b = 2 })

-- As many fields as there may be, of which the last in order is near.
local fields = {}
for i = 1, 64 do fields[i] = string.format("field_%03d = 'number'", i) end
check.raises("the last of 64 fields",
    "params.p.field_064x: unknown field (did you mean 'field_064'?)", policy_with,
    "{ field_064x = 1 }", "{ type = 'record', fields = { " .. table.concat(fields, ", ") .. " } }")

-- ---- every door ---------------------------------------------------------------------------------

local QUEUES = { main = { bias = -1, users = { "b", "a" } }, also = { bias = 2, open = false } }
local function in_script(queues)
    return pinion.run { workload = "zheng:0,slots=20", machines = 20, policy = pinion.policy(TEXT),
        params = { queues = queues }, quiet = true }
end
check.equal("in a script", in_script(QUEUES).digest, digest)
check.raises("in a script, wrong", "params.queues.main.bias: is required", in_script, { main = {} })
for name, queues in next, { ["params.queues"] = { ["main\0"] = { bias = 1 } },
    ["params.queues.main"] = { main = { bias = 1, ["open\0x"] = false } } } do
    local message = name
        .. ": must have named entries only, got a text with a zero byte as a name"
    check.raises("a zero byte in a name", message, in_script, queues)
end
check.raises("a function in it",
    "params.queues: must be numbers, texts, booleans and tables of them",
    in_script, { main = { bias = print } })

local scenario = directory .. "/scenario.json"
local _, listed = program.run { "workload", "zheng:0,slots=20", "--jobs", "--format", "json",
    "--output", scenario }
check.equal("a scenario", listed, "")
local text = check.read_file(scenario):gsub("^{", '{ "params": { "queues": {"main":{"bias":-1,'
    .. '"users":["b","a"]},"also":{"bias":2,"open":false}} },', 1)
check.write_file(scenario, text)
local output, messages = program.run { "simulate", scenario, "--set", "machines=20", "--policy",
    path, "--no-jobs" }
check.equal("in a scenario: " .. messages, output:match '"digest": "(%x+)"', digest)

-- A log says which table it was; a log of another one does not verify as this.
local log = directory .. "/log"
run("--param", 'queues={"main":{"bias":-1}}', "--log", log)
local verified, why, code = program.run { "verify", "--workload", "zheng:0,slots=20", "--set",
    "machines=20", log }
check.equal("a log verifies: " .. verified .. why, code, 0)
check.write_file(log, (check.read_file(log):gsub('"queues":%d', '"queues":9', 1)))
check.is_true("a log of another table does not", select(3, program.run { "verify", "--workload",
    "zheng:0,slots=20", "--set", "machines=20", log }) ~= 0)

-- Comparisons, in several processes; checkpoints.
local compared = pinion.compare { workload = "zheng:0,slots=20", machines = 20, replicas = 4,
    policies = { "fifo", pinion.policy(TEXT) }, params = { queues = QUEUES }, quiet = true }
check.equal("in a comparison", #compared.rows, 2)
local state = directory .. "/state"
run("--param", "queues=" .. BOTH, "--checkpoint", state, "--every", "5", "--until", "10")
local resumed, said = program.run { "resume", state, "--until", "100000", "--format", "json" }
check.equal("a run that was resumed: " .. said, resumed:match '"digest": "(%x+)"', digest)

-- More parameters than eight.
local many = {}
for i = 1, 32 do many[i] = string.format("p%d = { default = %d, doc = 'd' }", i, i) end
local function with_params(count)
    return pinion.policy("-- Many.\nreturn { name = 'm', model = 'slotted', key = 'arrival', "
        .. "params = { " .. table.concat(many, ", ", 1, count) .. " } }")
end
check.equal("32 parameters", #with_params(32).policy.params, 32)
check.equal("run with them", pinion.run { workload = "zheng:0,slots=9", machines = 20, quiet = true,
    policy = with_params(32), params = { p32 = 7 } }.complete, true)

check.done()
