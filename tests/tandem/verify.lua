-- The checker on logs of the tandem model: those of every policy pass, and no field of a line can
-- be altered unnoticed.

package.path = "tests/support/?.lua;" .. package.path
local altered = require "altered"
local check = require "check"
local program = require "program"
local pinion = require "pinion"

local directory = program.directory

local with = check.with

-- ---- every policy -------------------------------------------------------------------------------

local log = program.file "run.log"
local verified = 0
local function passes(name, options, arguments)
    altered.passes(name, with({ model = "tandem", bounds = "none" }, options), arguments,
        function(result)
            return result.decisions .. " decisions, " .. result.finished
                .. " jobs, time [%d.e+-]+"
        end)
    verified = verified + 1
end

for _, policy in ipairs(pinion.policies "tandem") do
    for _, overlap in ipairs { true, false } do
        passes(policy.name, { policy = policy.name, workload = "lin,jobs=300,seed=3",
            overlap = overlap, speed = 1.5 },
            { "--workload", "lin,jobs=300,seed=3", "--set", "overlap=" .. tostring(overlap),
                "--set", "speed=3/2" })
    end
end
check.is_true("all policies", verified >= 28)
for _, case in ipairs { { "splitsrpt", { lend = "none" } }, { "splitsrpt", { lend = "empty" } },
    { "klps", { k = 3 } },
                        { "maxsrpt", { work_conserving = false } },
                        { "bsrpt", { theta = 0.1 } } } do
    passes(case[1] .. " with parameters",
        { policy = case[1], workload = "lin,jobs=300", params = case[2] },
        { "--workload", "lin,jobs=300" })
end
passes("errors in sizes",
    { policy = "maxsrpt", workload = "lin,jobs=300", error = "lognormal(1,1)" },
    { "--workload", "lin,jobs=300", "--error", "lognormal(1,1)" })
local scripted = program.file("mine.lua", [[
-- Largest job first, with parameters of every kind.
return {
  name = "mine", model = "tandem",
  params = { weight = { default = 1.5, doc = "a" }, fast = { default = true, doc = "b" },
             mode = { default = "two", choices = { "one", "two" }, doc = "c" } },
  map = { changes = "served", key = function(s, job) return -s.params.weight * s:map_left(job) end },
  shuffle = { changes = "arrival", key = function(s, job) return -s:shuffle_size(job) end },
}]])
passes("a policy in Lua",
    { policy = scripted, workload = "lin,jobs=300",
    params = { weight = 0.25, fast = false, mode = "one" } },
    { "--workload", "lin,jobs=300" })
check.contains("what the log says of it", check.read_file(log),
    '"params":{"fast":false,"mode":0,"weight":0.25},"lua":{"work_conserving":true},"settings":')

-- ---- every field --------------------------------------------------------------------------------

-- Section 2.1 of the paper.
local scenario = program.file("s.json",
    '{"model":"tandem","jobs":[{"arrival":0,"map":1,"shuffle":2},'
    .. '{"arrival":0,"map":3,"shuffle":1},{"arrival":0,"map":2,"shuffle":2}]}')
local result = pinion.run { policy = "fcfs", workload = pinion.trace.scenario(scenario),
    quiet = true, log = log }
local lines = {}
for line in io.lines(log) do lines[#lines + 1] = line end
for i, want in ipairs {
    '{"time":0,"job":1,"map_rate":1,"shuffle_rate":1}',
    '{"time":1,"job":1,"map_rate":0,"shuffle_rate":1}',
    '{"time":1,"job":2,"map_rate":1,"shuffle_rate":0}', '{"time":2,"job":1,"finish":true}',
    '{"time":2,"job":2,"map_rate":1,"shuffle_rate":1}',
    '{"time":2.5,"job":2,"map_rate":1,"shuffle_rate":0.33333333333333331}',
    '{"time":4,"job":2,"finish":true}', '{"time":4,"job":3,"map_rate":1,"shuffle_rate":1}',
    '{"time":6,"job":3,"finish":true}',
    '{"end":6,"digest":"' .. result.digest .. '"}',
} do
    check.equal("line " .. i + 1, lines[i + 1], want)
end

local settings = { model = "tandem", speed = 1.0, overlap = true,
    workload = pinion.trace.scenario(scenario), replica = 0 }
local rejects, verdict = altered.log(lines, settings)
local line_is = altered.line_is
check.equal("the log as it is", verdict(lines), nil)

-- Any number, a little larger, a little smaller, and far off.
local numbers = 0
for i = 2, #lines do
    for _, field in ipairs { "time", "job", "map_rate", "shuffle_rate", "end" } do
        local before, number, after = lines[i]:match('^(.*"' .. field .. '":)([%d.e+-]+)(.*)$')
        for _, change in ipairs(number and { 1.001, 0.999, 2, 0 } or {}) do
            local other = string.format(field == "job" and "%d" or "%.17g",
                field == "job" and number % 3 + 1 or number * change)
            if tonumber(other) ~= tonumber(number) then
                numbers = numbers + 1
                rejects(nil, "", line_is(i, before .. other .. after))
            end
        end
    end
end
check.is_true("numbers were altered", numbers > 60)
for i = 2, #lines do
    rejects(nil, "", function(copy) table.remove(copy, i) end)
    rejects(nil, "", function(copy) table.insert(copy, i, lines[i]) end)
end
-- Lines of one instant may come in any order, the digest being a sum; those of different ones may
-- not.
check.equal("lines of one instant swapped",
    verdict { lines[1], lines[2], lines[4], lines[3], table.unpack(lines, 5) }, nil)
rejects(nil, "", function(copy) copy[4], copy[5] = copy[5], copy[4] end)

local HEADER = '{"pinion_log":1,"model":"tandem","policy":%s,"scenario":"0000000000000000"%s}'
rejects(1, "belongs to scenario 0000000000000000", line_is(1, HEADER:format('"fcfs"', "")))
rejects(1, "a log of model slotted (expected tandem)",
    line_is(1, (lines[1]:gsub("tandem", "slotted"))))
rejects(1, "a log of version 2", line_is(1, (lines[1]:gsub('log":1', 'log":2'))))
rejects(1, "policy nix, which does not exist", line_is(1, HEADER:format('"nix"', "")))
rejects(1, 'unknown field "relaxed"', line_is(1, HEADER:format('"fcfs"', ',"relaxed":true')))
rejects(1, "params.lend", line_is(1, HEADER:format('"splitsrpt"', ',"params":{"lend":"half"}')))
rejects(1, 'field "params.lend": expected a number, a word, true or false',
    line_is(1, HEADER:format('"splitsrpt"', ',"params":{"lend":[]}')))
rejects(1, "belongs to scenario", line_is(1, (lines[1]:gsub('"fcfs"', '"johnson"'))))
rejects(2, "not valid JSON", line_is(2, "{"))
rejects(2, 'field "time" is missing', line_is(2, '{"job":1,"map_rate":1,"shuffle_rate":1}'))
rejects(2, 'expected one of "map_rate", "finish", "end"',
    line_is(2, '{"time":0,"job":1,"shuffle_rate":1}'))
rejects(2, 'field "shuffle_rate": expected a number >= 0',
    line_is(2, '{"time":0,"job":1,"map_rate":1,"shuffle_rate":-1}'))
rejects(2, 'field "map_rate": expected a number >= 0',
    line_is(2, '{"time":0,"job":1,"map_rate":"1","shuffle_rate":1}'))
rejects(2, 'field "job": expected an integer in 1..2^53',
    line_is(2, '{"time":0,"job":0,"map_rate":1,"shuffle_rate":1}'))
rejects(2, 'field "job": expected an integer',
    line_is(2, '{"time":0,"job":1.5,"map_rate":1,"shuffle_rate":1}'))
rejects(2, 'unknown field "rate"',
    line_is(2, '{"time":0,"job":1,"map_rate":1,"shuffle_rate":1,"rate":1}'))
rejects(2, "(time 0, job 4)", line_is(2, '{"time":0,"job":4,"map_rate":1,"shuffle_rate":1}'))
rejects(2, 'field "time": expected a number >= 0',
    line_is(2, '{"time":1e999,"job":1,"map_rate":1,"shuffle_rate":1}'))
rejects(5, 'field "finish": expected true', line_is(5, '{"time":2,"job":1,"finish":false}'))
rejects(5, 'field "shuffle_rate" is missing',
    line_is(5, '{"time":2,"job":1,"finish":true,"map_rate":0}'))
rejects(11, 'field "end": expected a number >= 0',
    line_is(11, '{"end":"6","digest":"0000000000000000"}'))
rejects(11, "digest", line_is(11, '{"end":6,"digest":"0000000000000000"}'))
rejects(11, "the log ends without its last line", function(copy) copy[11] = nil end)
rejects(12, "something follows the last line", function(copy) copy[12] = copy[2] end)

-- A scenario that is not the log's.
for set, differs in next, { ["speed=2"] = "speed is 1 there, 2 here",
    ["overlap=false"] = "overlap is true there, false here" } do
    local _, messages, code = program.run { "verify", scenario, log, "--set", set }
    check.equal("exit code with " .. set, code, 1)
    check.contains("message with " .. set, messages,
        log .. ":1: the log belongs to another scenario: " .. differs)
end
local _, messages, code = program.run { "verify", scenario, directory .. "/none" }
check.equal("exit code without a log", code, 2)
check.equal("no log", messages, directory .. "/none: cannot open: No such file or directory\n")

check.done()
