-- A decision log with one thing changed is drawn, or refused with its place: never an error of the
-- program.

package.path = "tests/support/?.lua;" .. package.path
local again = require "pinion.output.again"
local check = require "check"
local fault = require "pinion.base.fault"
local gantt = require "pinion.output.gantt"
local program = require "program"
local setup = require "pinion.cli.setup"
local single = require "pinion.run.single"

local cluster = program.file("cluster.json", [[{
    "model": "cluster", "nodes": [{ "count": 2, "map_slots": 2, "reduce_slots": 1 }],
    "failures": [{ "time": 9000, "node": 1, "recover": 20000 }],
    "jobs": [{ "submit": 0, "maps": 6, "map_ms": 5000, "reduces": 2, "reduce_ms": 4000 },
             { "submit": 100, "maps": 2, "map_ms": 500, "reduces": 1, "reduce_ms": 900 }] }]])
local LOGS = {
    cluster = { cluster, "--policy", "hsrtf-prp", "--param", "attempt_fail_permille=100" },
    dag = { "--workload", "dag:chains,jobs=3", "--policy", "drf", "--set",
        "nodes=2x16000/32768", "--set", "failures=900:1:2000" },
    deadlines = { "--workload", "rtmr:I,jobs=4", "--policy", "rtmr-live", "--set", "nodes=2x2x1" },
    makespan = { "--workload", "rand_few,jobs=3,most=4", "--policy", "fifo", "--set", "level=task",
        "--set", "map_slots=2",
                 "--set", "reduce_slots=2" },
    pools = { "--workload", "rand_few,jobs=3,most=4", "--policy", "balanced_pools", "--set",
        "level=stage", "--set", "map_slots=2",
              "--set", "reduce_slots=2" },
    slotted = { "--workload", "zheng:0,slots=3", "--policy", "fifo" },
    tandem = { "--workload", "lin,jobs=3", "--policy", "fcfs" },
}

-- What takes the place of a value.
local VALUES = { "0", "-1", "1", "7", "1.5", "9007199254740993", "9223372036854775807", "1e300",
    '"x"', '"1/3"', '"1/0"', "null", "true",
                 "[]", "{}", '[{}]' }

-- The places of the values in a line: behind a colon, up to the next comma or the end.
local function values_of(line)
    local places = {}
    for from, to in line:gmatch '":()[^%[{][^,}%]]*()' do places[#places + 1] = { from, to - 1 } end
    for from, to in line:gmatch '":()%b[]()' do places[#places + 1] = { from, to - 1 } end
    return places
end

-- Lines with one value changed, or one field taken out.
local function changed(line, visit)
    for _, place in ipairs(values_of(line)) do
        local before, behind = line:sub(1, place[1] - 1), line:sub(place[2] + 1)
        for _, value in ipairs(VALUES) do visit(before .. value .. behind) end
        visit((before:gsub('"[%w_]+":$', '"other":')) .. line:sub(place[1]))
    end
end

local log, drawn, refused = program.file "mutant.log", 0, 0

-- What logs do not say of themselves, of models that need it; these have no traces.
local BESIDE = {}
for _, name in ipairs { "slotted", "tandem" } do
    local settings = setup.settings { workload = LOGS[name][2] }
    local opened = single.open(settings)
    BESIDE[name] = again.beside(settings, opened, again.jobs(settings, opened))
end

local function try(name, lines)
    check.write_file(log, table.concat(lines, "\n") .. "\n")
    for _, extension in ipairs(BESIDE[name] and { "svg" } or { "json", "svg" }) do
        local ok, problem = pcall(gantt.write, log, program.directory .. "/mutant." .. extension,
            BESIDE[name] or {})
        if ok then drawn = drawn + 1 else refused = refused + 1 end
        if ok or fault.is(problem) and problem.text:sub(1, #log + 1) == log .. ":" then
            goto continue
        end
        check.equal(name .. ": " .. table.concat(lines, "\n"), tostring(problem),
            "a refusal with its place")
        ::continue::
    end
end

-- All changes of the first lines and of some others, spread over the log.
local WHOLE, OTHERS = 5, 6

for _, name in ipairs { "cluster", "deadlines", "makespan", "pools", "slotted", "tandem" } do
    local path = program.file(name .. ".log")
    program.run(program.joined({ "simulate", "--log", path, "--quiet", "--output", "/dev/null" },
        LOGS[name]))
    local lines = program.lines_of("cat '" .. path .. "'")
    check.is_true(name .. " has a log", #lines > 3)
    local function with(at, ...)
        local list = table.move(lines, 1, at - 1, 1, {})
        for _, line in ipairs { ... } do list[#list + 1] = line end
        return table.move(lines, at + 1, #lines, #list + 1, list)
    end
    gantt.write(path, program.directory .. "/whole.svg", BESIDE[name] or {})
    local step = math.max(1, (#lines - WHOLE) // OTHERS)
    for at = 1, #lines do
        if at <= WHOLE or at % step == 0 or at >= #lines - 1 then
            changed(lines[at], function(line) try(name, with(at, line)) end)
            try(name, with(at))
            try(name, with(at, lines[at], lines[at]))
            try(name, with(at, lines[at]:sub(1, #lines[at] // 2)))
            if lines[at + 1] then try(name, with(at, lines[at + 1], lines[at])) end
        end
    end
end
print(drawn .. " mutants drawn, " .. refused .. " refused")
check.is_true("some mutants are drawn", drawn > 0)
check.is_true("most are refused", refused > drawn)
check.done()
