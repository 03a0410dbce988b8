-- Ctrl-C in a call of a policy that never ends, without a budget, in each model and while a file
-- loads: the first SIGINT ends the run with exit code 130 and with what there is, and so do SIGTERM
-- and SIGHUP with their exit codes. The policy prints a marker when the loop begins.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

local ENDLESS = "print 'looping' while true do end"

-- In each model the call begins when something has been done already, where there is anything
-- before the one plan of a batch.
local cases = {
    slotted = { "zheng:0,slots=100", "machines=100", [[return { name = "x", model = "slotted", key = { changes = "arrival",
        of = function(s, job) if s:slot() > 50 then ENDLESS end return job end } }]] },
    tandem = { "lin,jobs=300,load=0.8", nil, [[local order = { changes = "arrival",
        key = function(s, job) if s:time() > 50 then ENDLESS end return job end }
        return { name = "x", model = "tandem", map = order, shuffle = order }]] },
    makespan = { "rand_few", nil,
        [[return { name = "x", model = "makespan", order = function(s) ENDLESS end }]] },
    cluster = { "rtmr:I,jobs=40", nil, [[return { name = "x", model = "cluster", key = { changes = "arrival",
        of = function(s, job) if s:now() > 50000 then ENDLESS end return job end } }]] },
    -- One library call after another, each of which takes its time.
    library = { "zheng:0,slots=100", "machines=100", [[local t = {} for i = 1, 100000 do t[i] = -i end
        return { name = "x", model = "slotted", key = { changes = "arrival",
        of = function(s, job) print 'looping' while true do table.sort { table.unpack(t, 1, 7000) } local _ = table.concat(t) end end } }]] },
}

-- Starts the program, sends it a signal when the marker is there, waits. A second signal would kill
-- it without a word.
local function interrupt(name, arguments, signal)
    local base = check.directory() .. "/" .. name
    local words = {}
    for i, argument in ipairs(arguments) do words[i] = "'" .. argument:gsub("'", "'\\''") .. "'" end
    local script = string.format([[
        %s %s >%s.out 2>%s.err & program=$!
        for i in $(seq 2000); do
            grep -q looping %s.err && break
            kill -0 $program 2>/dev/null || break
            sleep 0.01
        done
        kill -%s $program
        (sleep 20; kill -KILL $program) 2>/dev/null & guard=$!
        wait $program; code=$?
        kill $guard 2>/dev/null
        exit $code]], program.path, table.concat(words, " "), base, base, base, signal or "INT")
    local path = base .. ".sh"
    check.write_file(path, script)
    -- A shell without job control lets its children ignore SIGINT.
    local _, _, code = os.execute("bash -m " .. path .. " 2>/dev/null")
    return check.read_file(base .. ".out"), check.read_file(base .. ".err"), code
end

for name, case in pairs(cases) do
    local model = name == "library" and "slotted" or name
    local policy = program.file(name .. "_endless.lua", (case[3]:gsub("ENDLESS", ENDLESS)))
    local arguments = { "simulate", "--model", model, "--workload", case[1], "--policy", policy,
        "--budget", "0", "--quiet", "--format", "json" }
    if case[2] then table.move({ "--set", case[2] }, 1, 2, #arguments + 1, arguments) end
    local output, messages, code = interrupt(name, arguments)
    check.equal("exit code of " .. name, code, 130)
    check.contains("partial results of " .. name, output, '"interrupted": true')
    check.contains("the message of " .. name, messages, "pinion: interrupted: ")
    if name ~= "makespan" and name ~= "library" then
        check.is_true("jobs that had finished in " .. name,
            tonumber(output:match '"finished": (%d+)') > 0)
    end
end

local whole = program.file("slotted_endless.lua")
for signal, expected in pairs { TERM = 143, HUP = 129 } do
    local folder = program.file(signal)
    os.execute("mkdir '" .. folder .. "'")
    local _, messages, code = interrupt("by_" .. signal, { "simulate", "--model", "slotted",
        "--workload", "zheng:0,slots=100", "--set", "machines=100", "--policy", whole, "--budget",
        "0", "--quiet", "--log", folder .. "/o.log", "--output", folder .. "/o.json" }, signal)
    check.equal("exit code after " .. signal, code, expected)
    check.contains("the message after " .. signal, messages, "pinion: interrupted: ")
    check.contains("partial results after " .. signal, check.read_file(folder .. "/o.json"),
        '"interrupted": true')
    check.equal("files after " .. signal,
        table.concat(program.lines_of("ls -A '" .. folder .. "'"), " "), "o.json o.log")
end

-- The budget of ten million units ends this only after a minute, as each comparison takes
-- microseconds.
local loading = program.file("loading.lua", [[local a, b = ("\0"):rep(900), ("\0"):rep(900)
print "looping" while not (a < b) do end]])
local output, messages, code = interrupt("loading", { "policies", loading })
check.equal("exit code while loading", code, 130)
check.equal("nothing while loading", output, "")
check.contains("the message while loading", messages, "pinion: interrupted")

-- A workload's generator that never ends.
local generator = program.file("generator.lua", [[return { name = "x", model = "slotted",
    generate = function(g) g:job { arrival = 1, maps = 1 } print "looping" while true do end end }]])
output, messages, code = interrupt("generating", { "simulate", "--workload", generator, "--policy",
    "fifo", "--set", "machines=1", "--budget", "0", "--quiet", "--format", "json" })
check.equal("exit code while jobs are made", code, 130)
check.contains("partial results while jobs are made", output, '"interrupted": true')
check.contains("the message while jobs are made", messages, "pinion: interrupted: ")

-- A guard that was closed is gone, however often.
do
    local core, before = require "pinion.core", debug.gethook()
    local guard <close> = core.interrupt_guard(function() error "not now" end)
    do local same <close> = guard end
    check.equal("the hook is what it was", debug.gethook(), before)
end

-- ---- calls that begin after Ctrl-C --------------------------------------------------------------

-- A coroutine that was made before the signal continues. Each call in it ends by itself, or is one
-- that a partial result needs.
local calls = program.file("calls.lua", [[
local core, pinion, cli = require "pinion.core", require "pinion", require "pinion.cli"
local folder = ...
local numbers = folder .. "/numbers"
local function show(name, ...)
    local list = table.pack(...)
    for i = 1, list.n do
        list[i] = type(list[i]) == "table" and #list[i] .. " values" or tostring(list[i])
    end
    print(name .. ": " .. table.concat(list, ", "))
end
local jobs = pinion.workload.spec "zheng,slots=20000":open({ seed = 1 }).core
local index = assert(core.store_open(folder .. "/store"))
do
    local more <close> = assert(io.open(folder .. "/store/a.units", "a"))
    more:write "wrong\n"
end
local array = "[" .. ("1,"):rep(999) .. "1]"
local function batch(count)
    return { chunk = "c", seed = 1, text = "return { name = 'b', model = 'makespan', generate ="
        .. " function(g) for i = 1, " .. count .. " do g:job { maps = { 1 } } end end }" }
end
coroutine.wrap(function()
    show("before", core.interrupted())
    io.popen "kill -INT $PPID":close()
    show("after", core.interrupted())
    show("file_fingerprint", core.file_fingerprint(numbers))
    show("sha256_file", core.sha256_file(numbers))
    show("json_decode", core.json_decode(array, "t", true))
    show("json_decode of a result", core.json_decode(array, "t"))
    show("json_stream", core.json_stream(numbers)())
    show("each", index:each(print))
    show("refresh", index:refresh())
    show("store_open", core.store_open(folder .. "/store"))
    show("jobs", jobs:jobs(1000000))
    show("jobs_hash", core.jobs_hash { workload = jobs })
    show("batch", core.workload_script(batch(1000)))
    show("verify", cli.main { "verify", folder .. "/slotted.json", folder .. "/fifo.log" })
end)()]])
local folder = check.directory()
os.execute(string.format("cd '%s' && mkdir store && seq 100000 >numbers", folder))
check.write_file(folder .. "/slotted.json", check.read_file "tests/cli/slotted.json")
program.run { "simulate", folder .. "/slotted.json", "--policy", "fifo", "--log",
    folder .. "/fifo.log" }
check.write_file(folder .. "/store/a.units", ("x"):rep(100) .. "\n")
output, messages = program.start { "run", calls, folder }
local expected = [[
before: false
after: true
file_fingerprint: nil, interrupted
sha256_file: nil, interrupted
json_decode: nil, t:1: interrupted
json_decode of a result: 1000 values
json_stream: nil, FOLDER/numbers:1: interrupted
each: nil, interrupted
refresh: nil, interrupted
store_open: nil, interrupted
jobs: nil, interrupted
jobs_hash: nil, interrupted
batch: nil, interrupted
verify: 130
]]
check.equal("calls after Ctrl-C", output:gsub(folder, "FOLDER"), expected)
check.equal("their messages", messages, "pinion: interrupted\n")

-- While a log is verified: behind the hash of the scenario, which may be another one.
local verified = program.file("verified.lua", [[
local core = require "pinion.core"
local verify, log, slots, other = core.slotted_verify, ...
core.slotted_verify = function(request)
    local hash_of = request.hash_of
    request.hash_of = function(...)
        local hash = hash_of(...)
        io.popen "kill -INT $PPID":close()
        return other or hash
    end
    return verify(request)
end
local pinion, single = require "pinion", require "pinion.run.single"
local made = pinion.run { workload = "zheng,rate=0.2,slots=" .. slots, machines = 90,
    policy = "fifo", log = log, quiet = true }
coroutine.wrap(function() print(pcall(single.verify, single.settings_of(made), log)) end)()]])
for _, case in ipairs {
    { { "30000" }, "long.log:%d+: interrupted" }, -- after some lines
    { { "30000", "0123456789abcdef" }, "long.log:%d+: interrupted" },
    { { "70000" }, "interrupted" }, -- while its jobs are made again
} do
    local words = { "run", verified, folder .. "/long.log", table.unpack(case[1]) }
    output = program.start(words):gsub(folder .. "/", "")
    check.matches("verified with " .. table.concat(case[1], " "), output, "^false\t" .. case[2]
        .. "\n$")
end

check.done()
