-- Lines of decision logs as C reads them by their rows, against a check of what jansson makes of
-- them: random lines of all kinds, their fields in any order and with blanks, damaged ones; then
-- files: what is asked for, their ends, lines longer than any buffer.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local models = require "pinion.models"
local values = require "pinion.base.check"

local SEED <const> = 20261125
math.randomseed(SEED)
-- Random lines of each model. Programs with sanitizers are slow.
local LINES <const> = check.IS_SHORT and 2000 or 10000
local random = math.random

-- ---- the rows, said a second time: types of fields, "?" of those that may be missing ------------

local SMALL, MOST, DEMAND = 4294967295, 1 << 53, 1 << 40
local function is_in(value, low, high)
    return math.type(value) == "integer" and low <= value and value <= high
end

local function integer(low, high)
    return function(value) return is_in(value, low, high) and { value } end
end
local TIME, ID, COUNT, TASK = integer(0, MOST), integer(1, MOST), integer(0, SMALL),
    integer(1, SMALL)

local function number(value)
    return math.type(value) and value >= 0 and value < math.huge and { value } or nil
end

local function divisor(a, b) return b == 0 and a or divisor(b, a % b) end

local function exact(value)
    if math.type(value) == "integer" then return value >= 0 and { value } or nil end
    local p, q = tostring(value):match "^([1-9]%d*)/([1-9]%d*)$"
    p, q = math.tointeger(p), math.tointeger(q)
    return p and q and q > 1 and p <= 1 << 62 and q <= 1 << 62 and divisor(p, q) == 1 and { value }
end

local function word(value) return (value == "map" or value == "reduce") and { value } or nil end
local function yes(value) return value == true and { 1 } or nil end

local function digest(value)
    return type(value) == "string" and value:find("^" .. ("[0-9a-f]"):rep(16) .. "$")
        and { tonumber(value, 16) } or nil
end

local function tasks(value)
    if type(value) ~= "table" or #value == 0 then return nil end
    for i, task in ipairs(value) do
        if not is_in(task, 1, SMALL) or task ~= value[1] + i - 1 then return nil end
    end
    return { value[1], #value }
end

local function vector(value)
    if type(value) ~= "table" or #value == 0 or #value > 4 then return nil end
    for _, amount in ipairs(value) do
        if not is_in(amount, 0, DEMAND) then return nil end
    end
    return { value }
end

local function vectors(value)
    if type(value) ~= "table" or #value == 0 then return nil end
    for _, inner in ipairs(value) do
        if not vector(inner) then return nil end
    end
    return { value }
end

local SLOT, AT = { "slot", integer(1, MOST) }, { "time", TIME }
local JOB, NODE, YES, END = { "job", ID }, { "node", COUNT }, { "finish", yes },
    { "digest", digest }
local ATTEMPT = { AT, JOB, { "kind", word }, { "task", TASK }, NODE, { "attempt", COUNT } }
local PROMISE = { AT, JOB, { "estimate", TIME, "?" }, { "deadline", ID, "?" },
    { "blocker", ID, "?" } }
local STAGE = { AT, JOB, { "stage", COUNT }, { "task", TASK }, NODE, { "attempt", COUNT } }
local STOPPED = { { "end", TIME }, { "until", ID, "?" }, { "unfinished", TIME }, END }

local ROWS = {
    slotted = { map = { SLOT, JOB, { "map", ID } }, reduce = { SLOT, JOB, { "reduce", ID } },
        start = { SLOT, JOB, { "start", tasks } }, finish = { SLOT, JOB, YES },
        last = { { "end", TIME }, { "until", ID, "?" }, END } },
    tandem = { rates = { { "time", number }, JOB, { "map_rate", number },
            { "shuffle_rate", number } },
        finish = { { "time", number }, JOB, YES },
        last = { { "end", number }, { "until", number, "?" }, END } },
    makespan = { task = { { "start", exact }, { "end", exact }, JOB, { "kind", word },
            { "task", TASK }, { "slot", TASK } },
        finish = { { "time", exact }, JOB, YES }, last = { { "end", exact }, END } },
    cluster = { accept = PROMISE, reject = PROMISE, late = PROMISE, finish = { AT, JOB, YES },
        node_down = { AT, NODE }, node_up = { AT, NODE }, job_failed = { AT, JOB },
        job_cancelled = { AT, JOB }, last = STOPPED,
        node_resize = { AT, NODE, { "map_slots", COUNT }, { "reduce_slots", COUNT } } },
    dag = { arrive = { AT, JOB, { "demands", vectors } }, finish = { AT, JOB, YES },
        node_down = { AT, NODE }, node_up = { AT, NODE }, cancel = { AT, JOB }, last = STOPPED,
        node_resize = { AT, NODE, { "capacity", vector } } },
}
for _, name in ipairs(models.find "cluster".log.work) do ROWS.cluster[name] = ATTEMPT end
for _, name in ipairs(models.find "dag".log.work) do ROWS.dag[name] = STAGE end

-- The field that tells a kind where "event" does not.
local MARKS = { map = "map", reduce = "reduce", start = "start", finish = "finish", last = "end",
    rates = "map_rate", task = "start" }

local function show(value)
    if type(value) ~= "table" then
        return string.format("%s %s", math.type(value) or type(value), value)
    end
    local parts = {}
    for i, inner in ipairs(value) do parts[i] = show(inner) end
    return "[" .. table.concat(parts, ",") .. "]"
end

-- What a line comes to in one of the kinds; nil when it is none of it.
local function in_kind(name, row, entry)
    local found, known, marked = { name }, 0, not MARKS[name]
    if marked and entry.event ~= name or not marked and entry.event ~= nil then return nil end
    for _, field in ipairs(row) do
        local value = entry[field[1]]
        local read = value ~= nil and field[2](value)
        if value ~= nil then known = known + 1 end
        if not read and (value ~= nil or not field[3]) then return nil end
        if read then table.move(read, 1, #read, #found + 1, found) else found[#found + 1] = "-" end
    end
    for _ in next, entry do known = known - 1 end
    return known == (marked and -1 or 0) and show(found) or nil
end

local function expected_of(model, line)
    local entry = core.json_decode(line, "line")
    if not values.is_object(entry) then return nil end
    for name, row in next, ROWS[model] do
        local found = in_kind(name, row, entry)
        if found then return found end
    end
end

local function got_of(kind, ...)
    if not kind then return nil end
    local found = { kind, ... }
    for i = 1, 1 + select("#", ...) do if found[i] == nil then found[i] = "-" end end
    return show(found)
end

-- ---- lines --------------------------------------------------------------------------------------

local EDGES = { "0", "00", "-1", "1.5", "1e2", "null", "\"1\"", "4294967295", "4294967296",
    "1099511627777", "9007199254740992", "9007199254740993", "4611686018427387904" }

local function digits()
    if random(30) == 1 then return EDGES[random(#EDGES)] end
    return tostring(random(1, 10 ^ random(0, 9) // 1 | 0))
end

local function array(write, most)
    local parts = {}
    for i = 1, random(0, 40) == 0 and 0 or random(most) do parts[i] = write() end
    return "[" .. table.concat(parts, random(9) == 1 and " , " or ",") .. "]"
end

local WRITE = {
    [number] = function() return random(2) == 1 and digits() or random(99) .. "." .. random(99) end,
    [exact] = function()
        return random(2) == 1 and digits() or string.format('"%s/%s"', digits(), digits())
    end,
    [word] = function() return random(2) == 1 and '"map"' or '"reduce"' end,
    [yes] = function() return random(30) == 1 and "false" or "true" end,
    [digest] = function() return string.format('"%016x"', random(0)) end,
    [tasks] = function()
        local at = random(9)
        return array(function() at = at + 1 return tostring(at) end, 9)
    end,
    [vector] = function() return array(digits, 4) end,
    [vectors] = function() return array(function() return array(digits, 4) end, 3) end,
}

local function damaged(line)
    local at, byte = random(0, #line), string.char(random(32, 126))
    local ways = { line:sub(1, at) .. byte .. line:sub(at + 1), line:sub(1, at) .. line:sub(at + 2),
        line:sub(1, at), line:sub(1, at) .. byte .. line:sub(at + 2),
        line:sub(1, at) .. line:sub(random(#line + 1)), line .. line }
    return ways[random(#ways)]
end

local function written(name, row)
    local fields = { not MARKS[name] and string.format('"event":"%s"', name) or nil }
    for _, field in ipairs(row) do
        if not (field[3] and random(2) == 1) then
            fields[#fields + 1] = string.format('"%s":%s', field[1], (WRITE[field[2]] or digits)())
        end
    end
    if random(8) == 1 then
        local i, k = random(#fields), random(#fields)
        fields[i], fields[k] = fields[k], fields[i]
    end
    local line = "{" .. table.concat(fields, random(8) == 1 and " , " or ",") .. "}"
    if random(12) == 1 then line = " " .. line:gsub(":", " : ") .. "\t\r" end
    return random(5) == 1 and damaged(line) or line
end

for _, model in ipairs(models.names()) do
    local names = values.sorted_keys(ROWS[model])
    local read = 0
    for i = 1, LINES do
        local name = names[random(#names)]
        local line = written(name, ROWS[model][name])
        local got, expected = got_of(core.log_event(line, model)), expected_of(model, line)
        if got ~= expected then
            check.equal(string.format("%s, line %d: %s", model, i, line), got, expected)
        end
        read = read + (got and 1 or 0)
    end
    check.is_true(model .. ": lines of both kinds", read > LINES // 4 and read < LINES)
    -- Charts take every kind of line.
    for _, name in ipairs(names) do
        local taken = name == "last" or models.find(model).log.events[name] ~= nil
        check.is_true(model .. ": " .. name, taken)
    end
end

-- ---- messages -----------------------------------------------------------------------------------

for _, case in ipairs {
    { "makespan", '{"event":"task"}', 'field "event": unknown word "task"' },
    { "makespan", '{"event":[1]}', 'field "event": unknown word [1]' },
    { "makespan", '{"start":"4611686018427387905/3","job":1}',
        'field "start": expected an integer >= 0 or "p/q" in lowest terms, got '
            .. '"4611686018427387905/3"' },
    { "dag", '{"event":"node_resize","time":1,"node":0,"capacity":[1,2,3,4,5]}',
        'field "capacity": expected an array with a number for each resource, got [1,2,3,4,5]' },
    { "dag", '{"event":"node_resize","time":1,"node":0,"capacity":"all"}',
        'field "capacity": expected an array with a number for each resource, got "all"' },
    { "cluster", '{"event":"launch","time":1,"job":2,"kind":"reap"}',
        'field "kind": expected map or reduce, got "reap"' },
    { "slotted", '{"slot":1,"job":2,"start":3}',
        'field "start": expected an array of task numbers, one after the other, got 3' },
    { "cluster", '{"time":1}', 'field "event" is missing' },
    { "slotted", '{"slot":1,"job":2,"map":3,"' .. ("x"):rep(50) .. '":1}',
        'unknown field "' .. ("x"):rep(40) .. '" in a line of map' },
    { "slotted", '{"slot":1,"job":2,"map":"\\',
        "not valid JSON, or more than 12 fields (expected one JSON object)" },
    { "slotted", '{"slot":1,"job":2,"map":"\\\n"}',
        "not valid JSON, or more than 12 fields (expected one JSON object)" },
    { "tandem", '{"time":1e+2,"job":2,"finish":false}',
        'field "finish": expected true, got false' },
    { "tandem", '{"time":1e-2,"job":2,"finish":false}',
        'field "finish": expected true, got false' },
    { "tandem", '{"time":1e+,"job":2,"finish":true}',
        "not valid JSON, or more than 12 fields (expected one JSON object)" },
} do
    local kind, got = core.log_event(case[2], case[1])
    check.equal("no line", kind, nil)
    check.equal("message of " .. case[2], got, case[3])
end
for line, message in next, {
    ['{"slot":1,"job":2,"map":3,"x":1}'] = 'unknown field "x" in a line of map',
    ['{"slot":1,"job":2,"job":2,"map":3}'] = 'field "job" occurs twice',
    ['{"job":2,"map":3}'] = 'field "slot" is missing',
    ['{"slot":1,"job":2}'] = 'expected one of "map", "reduce", "start", "finish", "end"',
    ['{"slot":1,"job":2,"start":[1,3]}'] =
        'field "start": expected an array of task numbers, one after the other, got [1,3]',
    ['{"slot":1,"job":2,"map":"' .. ("a"):rep(60) .. '"}'] =
        'field "map": expected an integer in 1..2^53, got "' .. ("a"):rep(37) .. "...",
    [""] = "the line is blank (expected one JSON object)",
    ["[1]"] = "not an object (expected one JSON object)",
    ['{"slot":1'] = "not valid JSON, or more than 12 fields (expected one JSON object)",
} do
    local kind, got = core.log_event(line, "slotted")
    check.equal("no line", kind, nil)
    check.equal("message", got, message)
end

-- ---- files --------------------------------------------------------------------------------------

local path = os.tmpname()

local function write(text)
    local file <close> = assert(io.open(path, "wb"))
    file:write(text)
end

-- The numbers of the lines that come, and what is left to say.
local function lines_of(ask)
    local events <close> = assert(core.log_events(path, "slotted"))
    local numbers = {}
    if ask then ask(events) end
    for line in events do numbers[#numbers + 1] = line end
    return table.concat(numbers, " ") .. " of " .. events:count(), events:problem()
end

write('{"head":1}\n{"slot":1,"job":1,"map":1}\n{"slot":1,"job":12,"start":[1]}\n{ "job" : 1, '
    .. '"slot":2,"finish":true}\n{"end":2,"digest":"0000000000000000"}')
check.equal("all lines but the first", lines_of(), "2 3 4 5 of 5")
check.equal("kinds", lines_of(function(e) e:choose { "map", "last" } end), "2 5 of 5")
check.equal("no kinds but", lines_of(function(e) e:leave_out { "map", "last" } end), "3 4 of 5")
check.equal("a job", lines_of(function(e) e:choose_job(1) end), "2 4 of 5")
write '{"head":1}\n{"slot":1,"job":"1","map":1}\n{"slot":1,"map":1}\n{"slot":1,"job":1,"map":1}\n'
check.equal("a line whose job is no number is of none",
    lines_of(function(e) e:choose_job(1) end), "4 of 4")
write('{"head":1}\n{"slot":1,"job":1,"map":1}\n{"slot":1,"job":12,"start":[1]}\n{ "job" : 1, '
    .. '"slot":2,"finish":true}\n{"end":2,"digest":"0000000000000000"}')
check.equal("again all", lines_of(function(e) e:choose { "map" } e:leave_out {} end),
    "2 3 4 5 of 5")
write ""
check.equal("an empty file", lines_of(), " of 0")
write '{}\n{"slot":1,"job":1,"map":1}\n{"slot":0,"job":1,"map":1}\n'
local numbers, problem = lines_of()
check.equal("up to the fault", numbers, "2 of 3")
check.equal("the fault", problem,
    path .. ':3: field "slot": expected an integer in 1..2^53, got 0')
local starts = { "1" }
for i = 2, 2000000 do starts[i] = tostring(i) end
write('{}\n{"slot":1,"job":1,"start":[' .. table.concat(starts, ",") .. "]}\n")
local _, _, _, _, first, count = assert(core.log_events(path, "slotted"))()
check.equal("tasks of a long line", first .. " " .. count, "1 2000000")

local closed = assert(core.log_events(path, "slotted"))
do local use <close> = closed end
check.raises("a closed file gives no lines", "closed", closed)
for _, name in ipairs { "launch", {}, true } do
    check.raises("no kind", "is no array of kinds of lines", closed.choose, closed, { name })
end
write "{}\n"
for _, model in ipairs { "slotted", "tandem", "makespan", "cluster", "dag" } do
    local events <close> = assert(core.log_events(path, model))
    check.raises("no kind of " .. model, "is no array of kinds of lines", events.choose, events,
        { "none" })
end
os.remove(path)

check.equal("no such file", core.log_events(path, "slotted"), nil)
check.contains("a folder has no lines", select(2, core.log_events("tests", "slotted")), "directory")
check.raises("no model", "is no model", core.log_events, "tests", "nix")

check.done()
