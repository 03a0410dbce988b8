-- Input logs in which one value is another one: the replay either takes the log or refuses a line
-- of it, with a message in one line.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local wrong_values = require "wrong_values"

local LOGS <const> = { "tests/cli/0.8.0/scheduler.inputs", "tests/cli/0.8.0/dispatch.inputs" }

-- Returns the lines of a log without their checks, which would be wrong.
local function lines_of(path)
    local lines = {}
    for line in check.read_file(path):gmatch "[^\n]+" do
        lines[#lines + 1] = line:gsub(',"check":"%x+"}$', "}")
    end
    return lines
end

local path = program.directory .. "/changed.inputs"
local taken, refused = 0, 0

local function try(text, changed)
    check.write_file(path, text)
    local output, messages, code = program.run { "verify", path }
    if code == 0 then
        taken = taken + 1
        check.matches("what is taken: " .. changed, output, ": ok: ")
        return
    end
    refused = refused + 1
    check.is_true("exit code: " .. changed, code == 1 or code == 2)
    check.matches("the line is named: " .. changed, messages, "^" .. path .. ":%d+: [^\n]+\n$")
    check.is_true("no accident: " .. changed .. ": " .. messages,
        not messages:find "internal" and not messages:find "attempt to")
end

for _, log in ipairs(LOGS) do wrong_values.each(lines_of(log), try) end
print(string.format("%d changed logs: %d refused, %d taken", taken + refused, refused, taken))
check.is_true("some are refused, and some are not", taken > 0 and refused > 0)

check.done()
