-- Wrong arguments of the functions of pinion.core. Commands run while each call that they make is
-- made with wrong values, too: in place of each argument, and of each value in tables. Such a call
-- returns, or it fails with one line, and the command prints the same as without these calls.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"
local wrong_values = require "wrong_values"

-- What writes files, starts processes, shows progress or changes its workload, which happens once.
local LEFT_OUT <const> = { workers = true, make_folder = true, database = true, output = true,
    store_writer = true, interrupt_guard = true, progress = true, show_reading = true,
    workload_carry = true }
-- So many calls of a function whose arguments have the same shape are repeated.
local CALLS <const> = 2

local seen, counts = {}, { returned = 0, failed = 0, raised = 0 }

-- ---- calls --------------------------------------------------------------------------------------

local function try(name, f, arguments)
    local results = table.pack(pcall(f, table.unpack(arguments, 1, arguments.n)))
    local first, why = results[2], results[3]
    if not results[1] then
        counts.raised = counts.raised + 1
        check.is_true(name .. " raises one line: " .. tostring(first),
            wrong_values.is_message(first))
    elseif first == nil and why ~= nil then
        counts.failed = counts.failed + 1
        if type(why) == "string" then
            check.is_true(name .. " has one line: " .. why, wrong_values.is_message(why))
        end
    else
        counts.returned = counts.returned + 1
    end
end

local function repeating(name, f)
    return function(...)
        local given = table.pack(...)
        local shape = name .. wrong_values.shape_of(given)
        seen[shape] = (seen[shape] or 0) + 1
        for i = 1, seen[shape] <= CALLS and given.n or 0 do
            wrong_values.each_in_place(given[i], function(wrong)
                local arguments = table.move(given, 1, given.n, 1, { n = given.n })
                arguments[i] = wrong
                try(name, f, arguments)
            end)
        end
        return f(...)
    end
end

-- ---- commands -----------------------------------------------------------------------------------

-- What starts processes, or what needs another program, is left out.
local KINDS <const> = { simulate = true, verify = true, explain = true, timeline = true,
    diff = true, gantt = true, resume = true, workload = true }

local function words_of(line)
    local words = {}
    line = line:gsub("'([^']*)'", function(quoted) return (quoted:gsub(" ", "\1")) end)
    for word in line:gmatch "%S+" do words[#words + 1] = word:gsub("\1", " ") end
    return words
end

-- Returns the command lines of the goldens, and some more.
local function commands()
    local lines = { "workload lin,jobs=50,resample=blocks(9)",
        "workload zheng:0,slots=20,resample=jobs" }
    for line in io.lines "tests/cli/commands.txt" do
        line = line:match "^[%w-]+ +([^<]*)$"
        if line and KINDS[line:match "^%w+"] and not line:find "%-%-plot" and not line:find "html"
                then
            lines[#lines + 1] = line:gsub("@/", program.directory .. "/")
        end
    end
    return lines
end

local function run(line)
    local output, messages, code = program.run(words_of(line))
    return string.format("%d\n%s\n%s", code, output, messages)
end

local lines, before = commands(), {}
check.is_true("there are commands", #lines > 50)
for i, line in ipairs(lines) do before[i] = run(line) end
for name, f in next, core do
    if type(f) == "function" and not LEFT_OUT[name] then core[name] = repeating(name, f) end
end
for i, line in ipairs(lines) do check.equal("result of " .. line, run(line), before[i]) end
print(string.format("%d calls returned, %d failed, %d raised", counts.returned, counts.failed,
    counts.raised))
for what, count in next, counts do check.is_true("some calls " .. what, count > 100) end

check.done()
