-- Files that a policy or a workload requires: which are allowed, the messages about them, and that
-- stores and checkpoints keep them with the policy.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

local function command(name, policy, ...)
    return { name, "--workload", "zheng:0,slots=60", "--set", "machines=100", "--policy", policy,
        ... }
end

local function succeed(arguments)
    return program.succeed(table.concat(arguments, " "), arguments)
end

local function fail(name, arguments, pattern)
    local output, messages, code = program.run(arguments)
    check.is_true(name .. ": fails", code ~= 0)
    check.equal(name .. ": no result", output, "")
    check.matches(name, messages, pattern)
end

local function digest(policy, ...)
    return succeed(command("simulate", policy, "--format", "json", ...)):match '"digest": "(%x+)"'
end

-- Returns a policy whose key is this expression, behind these lines.
local function policy_text(lines, key)
    return lines .. '\nreturn { name = "mine", model = "slotted",\n'
        .. '  params = { bias = { default = 2.0, min = 0, doc = "weight of map work" } },\n'
        .. '  key = { changes = "served", of = ' .. key .. " } }\n"
end

local WORK = "function(s, job) return s.params.bias * s:maps_left(job) + s:reduces_left(job) end"
local SHARED = 'local sums = require "./sums"\nlocal M = {}\nfunction M.work(s, job)\n'
    .. "  return sums.of(s.params.bias * s:maps_left(job), s:reduces_left(job))\nend\nreturn M\n"
local SUMS = "local function of(a, b) return a + b end\nreturn { of = of }\n"

local alone = program.file("alone.lua", policy_text("", WORK))
local mine = program.file("mine.lua", policy_text('local shared = require "./shared"',
    "shared.work"))
local shared = program.file("shared.lua", SHARED)
program.file("sums.lua", SUMS)

-- ---- the same decisions as in one file ----------------------------------------------------------

check.equal("the decisions of one file", digest(mine), digest(alone))
check.equal("interpreted", digest(mine, "--no-compile"), digest(alone))
local through = program.file("through.lua", policy_text('local shared = require("./shared")',
    "function(s, job) return shared.work(s, job) end"))
check.equal("called by a function of its own", digest(through), digest(alone))
check.matches("the place of a compiled function", succeed { "policies", mine },
    "\ncompiled +shared%.lua:3\n")
check.equal("--source is the file", succeed { "policies", mine, "--source" },
    check.read_file(mine))

local made = program.file("made.lua", 'local sizes = require "./sizes"\n'
    .. 'return { name = "made", model = "slotted",\n  generate = function(g)\n'
    .. "    for i = 1, 4 do g:job { arrival = i, maps = sizes[i] } end\n  end }\n")
local sizes = program.file("sizes.lua", "return { 5, 1, 9, 3 }\n")
check.equal("a workload's file", succeed { "workload", made, "--format", "csv" },
    "arrival,maps,reduces\n1,5,\n2,1,\n3,9,\n4,3,\n")
program.file("sizes.lua", "return { 5, 'x', 9, 3 }\n")
fail("a workload that does not fit", { "workload", made }, "made%.lua:4: job 2: ")
check.write_file(sizes, "error 'no sizes'\n")
fail("a workload's file that fails", { "workload", made }, "sizes%.lua:1: no sizes\n")

-- ---- what is kept of a policy -------------------------------------------------------------------

local function compare(message)
    local output, messages, code = program.run { "compare", "--workload", "zheng:0,slots=60",
        "--set", "machines=100", "--policies", "fifo," .. mine, "--format", "csv",
        "--store", program.file "store" }
    check.equal("compare: " .. messages, code, 0)
    check.matches("what was stored", messages, message)
    return output
end
local first = compare "^$"
check.equal("from the store", compare "2 of 2 runs were stored already", first)

local checkpoint = program.file "half.checkpoint"
local code, _, why = program.killed({ "simulate", "--workload", "zheng,slots=6000", "--policy",
    mine, "--checkpoint", checkpoint, "--every", "100" }, checkpoint, 2)
check.equal("the run is killed: " .. why, code, 137)
local whole = succeed { "simulate", "--workload", "zheng,slots=6000", "--policy", mine }

check.write_file(program.file "sums.lua", (SUMS:gsub("a %+ b", "b - a")))
check.is_true("another file, other decisions", digest(mine) ~= digest(alone))
compare "1 of 2 runs were stored already"
local output, messages, status = program.run { "resume", checkpoint }
check.equal("it continues", status, 0)
check.matches("and tells of the old text", messages, "mine%.lua has changed since .* was written: "
    .. "the run continues with the old text")
check.equal("with the old file", output, whole)
check.write_file(program.file "sums.lua", SUMS)

-- ---- what is refused, and where -----------------------------------------------------------------

local function refuse(name, file, text, message)
    local path = program.file("wrong.lua", policy_text('local other = require "' .. file .. '"',
        "other.of"))
    if text then check.write_file(program.file("other.lua"), text) end
    fail(name, command("simulate", path), message)
end
refuse("no such file", "./nowhere", nil,
    "wrong%.lua:1: require: there is no file nowhere%.lua in its folder\n")
refuse("a module of Lua", "socket", nil, "wrong%.lua:1: require: 'socket' is not available in a "
    .. 'policy %(expected a file in its folder, as "%./shared"')
refuse("a folder above", "../other", nil, "wrong%.lua:1: require: '%.%./other' is not available")
refuse("a folder below", "./a/b", nil, "wrong%.lua:1: require: '%./a/b' is not available")
refuse("a file that fails", "./other", "\nerror 'no'", "other%.lua:2: no\n")
refuse("no Lua", "./other", "return {\nlocal", "other%.lua:2: unexpected symbol near 'local'\n")
refuse("a power", "./other", "\nreturn { of = 2 ^ 2 }", "other%.lua:2: '%^' is not available")
refuse("a local that outlives the call", "./other",
    "local n = 0\nreturn { of = function() n = n + 1 return n end }",
    "other%.lua:2: assigns to 'n', a local of the file, from inside a function")
refuse("memory in its table", "./other",
    "local M = { n = 0 }\nfunction M.of() M.n = M.n + 1 return M.n end\nreturn M",
    "other%.lua:2: job 1 at slot 1: this table is read%-only once the file is loaded")
refuse("a closure with memory", "./other",
    "local function new() local n = 0\nreturn function() n = n + 1 return n end end\n"
    .. "return { of = new() }", "other%.lua:2: assigns to 'n', which outlives the call")
refuse("nothing", "./other", "local x = 1", "wrong%.lua:1: require: '%./other' returned nothing "
    .. "%(expected a table or a function%)\n")
refuse("a circle", "./other", 'return require "./other"',
    "other%.lua:1: require: '%./other' requires itself\n")
refuse("a call that fails", "./other", "return { of = function() return {} + 1 end }",
    "other%.lua:1: job 1 at slot 1: attempt to perform arithmetic on a table value\n")
refuse("a wrong key", "./other", "return {\n of = function() return 'x' end }",
    "other%.lua:2: job 1 at slot 1: a key must be ")
refuse("a call of require in a function", "./other",
    'return { of = function() return require("./other").n end }',
    "other%.lua:1: job 1 at slot 1: require: only while the file is loaded %(expected "
    .. 'local other = require "%./other" at the top of the file%)\n')
fail("printed over", command("simulate", mine, "--output", shared),
    "%-%-output: .*shared%.lua is read %(expected another file%)\n")
fail("export", { "export", mine }, "mine%.lua: requires other files, which are not "
    .. "exported %(expected a policy of one file%)\n")
check.equal("the file is as it was", check.read_file(shared), SHARED)

check.done()
