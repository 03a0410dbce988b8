-- Wrong arguments of the functions of pinion.core. Commands run while each call that they make is
-- made with wrong values, too: in place of each argument, and of each value in tables. Such a call
-- returns, or it fails with one line, and the command prints the same as without these calls.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"

-- What writes files, starts processes, shows progress or changes its workload, which happens once.
local LEFT_OUT <const> = { workers = true, make_folder = true, database = true, output = true,
    store_writer = true, interrupt_guard = true, progress = true, show_reading = true,
    workload_carry = true }
local NOTHING <const> = {}
local NAN <const> = 0 / 0
local VALUES <const> = { NOTHING, true, false, -1, 0, 1.5, 1 << 62, NAN, math.huge, "",
    "/dev/null/x", "\0", {}, { 1 }, function() end, io.stdout }
-- So many calls of a function whose arguments have the same shape are repeated.
local CALLS <const> = 2
-- So many values of a list are replaced, and tables so deep.
local ITEMS <const>, DEPTH <const> = 3, 3

local seen, counts = {}, { returned = 0, failed = 0, raised = 0 }

-- ---- calls --------------------------------------------------------------------------------------

-- Returns which fields and types a value has.
local function shape_of(value, depth)
    if type(value) ~= "table" or depth == 0 then return type(value) end
    local parts = {}
    for key, inner in next, value do
        if math.type(key) ~= "integer" or key <= ITEMS then
            parts[#parts + 1] = tostring(key) .. "=" .. shape_of(inner, depth - 1)
        end
    end
    table.sort(parts)
    return "{" .. table.concat(parts, ",") .. "}"
end

-- Calls `try` with each copy of a value in which one value is a wrong one.
local function each_wrong(value, depth, try)
    for _, wrong in ipairs(VALUES) do
        try(wrong ~= NOTHING and wrong or nil)
    end
    if type(value) ~= "table" or depth == 0 then return end
    for key, inner in next, value do
        if math.type(key) ~= "integer" or key <= ITEMS then
            each_wrong(inner, depth - 1, function(wrong)
                local copy = setmetatable({}, getmetatable(value))
                for k, v in next, value do copy[k] = v end
                copy[key] = wrong
                try(copy)
            end)
        end
    end
end

local function is_message(text)
    return type(text) == "string" and #text > 0 and not text:find "\n"
        and not text:find "attempt to" and not text:find "internal"
end

local function try(name, f, arguments)
    local results = table.pack(pcall(f, table.unpack(arguments, 1, arguments.n)))
    local first, why = results[2], results[3]
    if not results[1] then
        counts.raised = counts.raised + 1
        check.is_true(name .. " raises one line: " .. tostring(first), is_message(first))
    elseif first == nil and why ~= nil then
        counts.failed = counts.failed + 1
        if type(why) == "string" then
            check.is_true(name .. " has one line: " .. why, is_message(why))
        end
    else
        counts.returned = counts.returned + 1
    end
end

local function repeating(name, f)
    return function(...)
        local given = table.pack(...)
        local shape = name .. shape_of(given, DEPTH)
        seen[shape] = (seen[shape] or 0) + 1
        for i = 1, seen[shape] <= CALLS and given.n or 0 do
            each_wrong(given[i], DEPTH, function(wrong)
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

-- Returns the command lines of the goldens.
local function commands()
    local lines = {}
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
