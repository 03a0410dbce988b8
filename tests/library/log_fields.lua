-- Decision logs in which one value is another one: the checker either takes the log or refuses a
-- line of it, with a message in one line. No value of a line but the first can be another one, but
-- the deadlines that a policy in Lua may agree on.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local wrong_values = require "wrong_values"

local path = program.directory .. "/changed.log"

local taken, refused

local function try(arguments, first, text, changed)
    check.write_file(path, text)
    local output, messages, code = program.run(arguments)
    if code == 0 then
        taken = taken + 1
        check.equal("what is unknown: " .. changed, changed:find '"unknown"', nil)
        check.matches("what is taken: " .. changed, output, ": ok[:,] ")
        check.is_true("what may be taken: " .. changed, text:sub(1, #first) ~= first
            or first:find '"lua":' and changed:find '"event":"accept",.*"deadline":')
        return
    end
    refused = refused + 1
    check.equal("exit code: " .. changed .. ": " .. messages, code, 1)
    check.matches("the line is named: " .. changed, messages, "^" .. path .. ":%d+: [^\n]+\n$")
    check.is_true("no accident: " .. changed .. ": " .. messages,
        not messages:find "internal" and not messages:find "attempt to")
end

local function try_all(name, log, arguments)
    taken, refused = 0, 0
    check.write_file(path, check.read_file(log))
    program.succeed("verify " .. log, arguments)
    local lines = program.lines_of("cat '" .. log .. "'")
    wrong_values.each(lines, function(text, changed)
        try(arguments, lines[1] .. "\n", text, changed)
    end)
    print(string.format("%s: %d changed logs: %d refused, %d taken", name, taken + refused,
        refused, taken))
    check.is_true("most of them are refused: " .. name, refused > 10 * taken)
end

-- What released versions wrote, and with more in the first line what this one writes.
for _, name in ipairs { "slotted", "tandem", "makespan", "cluster", "dag", "scheduler",
    "dispatch" } do
    local base = "tests/cli/0.8.0/" .. name
    try_all(base, base .. ".log", { "verify", base .. ".json", path })
end
for _, run in ipairs {
    { "slotted", {}, "--set", "machines=2" },
    { "tandem", {}, "--set", "overlap=false" },
    { "makespan", { "--policy", "balanced_pools" }, "--set", "level=stage" },
    { "cluster", { "--policy", "late", "--until", "12000" }, "--set",
        "nodes=2x2x1+1x1x1x250", "--set", "failures=5000:0" },
    { "dag", {}, "--set", "queues=prod:3:700:1000+dev", "--set", "failures=0:2:1" },
} do
    local scenario, log = "tests/cli/" .. run[1] .. ".json", program.file "written.log"
    local settings = table.move(run, 3, #run, 1, {})
    program.succeed("log of " .. run[1], program.joined({ "simulate", scenario, "--log", log,
        "--quiet", "--no-jobs", "--output", program.file "result.json" }, run[2], settings))
    try_all(run[1], log, program.joined({ "verify", scenario, path }, settings))
end

check.done()
