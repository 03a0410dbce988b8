-- Input logs in which one value is another one: each value of each kind of line, also those inside
-- lists and objects, becomes one of a wrong type, size or length, or gets an unknown neighbour. The
-- replay either takes the log or refuses a line of it, with a message in one line.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

local LOGS <const> = { "tests/cli/0.8.0/scheduler.inputs", "tests/cli/0.8.0/dispatch.inputs" }
local VALUES <const> = { "null", "true", "-1", "0", "1", "4294967295", "4294967296",
    "9007199254740993", "-2147483649", "1.5", "1e300", '""', '"x"', '"0x10"', '"0xZ"', '"-0x1p+3"',
    "[]", "{}", "[1]", "[0,0]", "[[1]]", '[{"x":1}]' }

-- Returns the lines of a log without their checks, which would be wrong.
local function lines_of(path)
    local lines = {}
    for line in check.read_file(path):gmatch "[^\n]+" do
        lines[#lines + 1] = line:gsub(',"check":"%x+"}$', "}")
    end
    return lines
end

-- Returns where each value of a line begins and ends.
local function values_of(line)
    local places = {}
    local function add(from)
        local last = select(2, line:find('^%b""', from)) or select(2, line:find("^%b[]", from))
            or select(2, line:find("^%b{}", from)) or select(2, line:find("^[^,%]}]+", from))
        if last then places[#places + 1] = { from, last } end
    end
    for from in line:gmatch '":()' do add(from) end
    for from in line:gmatch "[%[,]()[%d%[{]" do add(from) end
    return places
end

local path = program.directory .. "/changed.inputs"
local taken, refused = 0, 0

local function try(lines, number, changed)
    local others = table.move(lines, 1, #lines, 1, {})
    others[number] = changed
    check.write_file(path, table.concat(others, "\n") .. "\n")
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

for _, log in ipairs(LOGS) do
    local lines, seen = lines_of(log), {}
    for number, line in ipairs(lines) do
        local kind = line:gsub("%d+", "")
        if not seen[kind] then
            seen[kind] = true
            for _, place in ipairs(values_of(line)) do
                local before, after = line:sub(1, place[1] - 1), line:sub(place[2] + 1)
                for _, value in ipairs(VALUES) do try(lines, number, before .. value .. after) end
                local old = line:sub(place[1], place[2])
                try(lines, number, before .. old .. ',"unknown":1' .. after)
            end
        end
    end
end
print(string.format("%d changed logs: %d refused, %d taken", taken + refused, refused, taken))
check.is_true("some are refused, and some are not", taken > 0 and refused > 0)

check.done()
