-- Checkpoints: a run that is killed again and again ends as the run that was left alone; a file
-- that is not as it was written is refused.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local exists = check.exists
local program = require "program"
program.run = program.start -- a run and what resumes it are two processes
local signed = require "signed"
local core = require "pinion.core"
local pinion = require "pinion"

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
math.randomseed(seed)
print("seed " .. seed .. " (PINION_TEST_SEED=" .. seed .. " repeats the moments of the kills)")

local pinion_path = (program.path:sub(1, 1) == "/" and "" or os.getenv "PWD" .. "/") .. program.path
local directory = program.directory

local function quote(word)
    return "'" .. word:gsub("'", "'\\''") .. "'"
end

local function command_of(arguments)
    local words = { quote(pinion_path) }
    for i, argument in ipairs(arguments) do words[i + 1] = quote(argument) end
    return table.concat(words, " ")
end

local function joined(...)
    local made = {}
    for _, list in ipairs { ... } do table.move(list, 1, #list, #made + 1, made) end
    return made
end

local function seconds_now()
    local pipe = assert(io.popen "date +%s.%N")
    local now = pipe:read "n"
    pipe:close()
    return now
end

local function run(name, arguments)
    local output, messages, code = program.run(arguments)
    check.equal("exit code of " .. name, code, 0)
    check.equal("silence of " .. name, messages, "")
    return output
end

-- ---- killed at random moments -------------------------------------------------------------------

-- Long enough for many checkpoints, which lie at a share of the slots, and kills between them.
local SLOTS <const> = check.IS_SHORT and 2500 or 10000

local kills, start = 0, seconds_now()

local function check_kills(name, arguments, log)
    local slots = SLOTS
    local whole = joined(arguments, { "--workload", "zheng,slots=" .. slots })
    local checkpoint = program.file("kill.checkpoint")
    local keeping = joined(whole,
        { "--checkpoint", checkpoint, "--every", tostring(slots // math.random(40, 120)) })
    if log then table.move({ "--log", program.file "whole.log" }, 1, 2, #whole + 1, whole) end
    if log then table.move({ "--log", program.file "killed.log" }, 1, 2, #keeping + 1, keeping) end
    local resume = { "resume", checkpoint, log and "--log" or nil,
        log and program.file "killed.log" or nil }
    local want = run(name, whole)
    local output, times = program.survive(name, keeping, resume, checkpoint)
    kills = kills + times
    check.equal(name .. ": the outcome of a run that was killed", output, want)
    check.equal(name .. ": the outcome again", run(name .. " resumed at its end", resume), want)
    if log then
        check.is_true(name .. ": the log of a run that was killed",
            check.read_file(program.file "killed.log") == check.read_file(program.file "whole.log"))
        local scenario = { "--workload", "zheng,slots=" .. slots }
        for i, word in ipairs(arguments) do
            if word == "--set" then table.move(arguments, i, i + 1, #scenario + 1, scenario) end
        end
        check.matches(name .. ": the log is a proof", run("verify", joined({ "verify" }, scenario,
            { program.file "killed.log" })), ": ok: ")
    end
end

local function simulated(policy, ...)
    return { "simulate", "--policy", policy, ... }
end

check_kills("asrpt preemptive", simulated("asrpt", "--set", "reduce=preemptive", "--no-jobs"))
if not check.IS_SHORT then
    check_kills("fair nonpreemptive",
        simulated("fair", "--set", "reduce=nonpreemptive", "--no-jobs"))
    check_kills("dsrpt", simulated("dsrpt", "--set", "reduce=preemptive", "--no-jobs"))
    check_kills("psrpt with rows", simulated "psrpt")
    check_kills("asrpt with rows and a log",
        simulated("asrpt", "--set", "reduce=nonpreemptive"), true)
    check_kills("fifo without room",
        simulated("fifo", "--set", "machines=60", "--no-jobs", "--quiet"))
end
-- More and more jobs in the system: the run starts again with more room, killed or not.
check_kills("asrpt without room, with rows and a log",
    simulated("asrpt", "--set", "machines=60", "--quiet"), true)
print(string.format("%d kills, %.1f s", kills, seconds_now() - start))

-- ---- by steps -----------------------------------------------------------------------------------

local checkpoint, result_file = program.file "s.checkpoint", program.file "result.json"
local scenario = program.file("s.json",
    run("conversion", { "workload", "facebook,jobs=120", "--jobs", "--format", "json" }))
local function fields_of(path)
    return core.json_decode(check.read_file(path):match "^[^\n]*", path)
end

for _, policy in ipairs { "fifo", "fair", "dspt", "asrpt_cu", "idx" } do
    local arguments = { "simulate", scenario, "--policy", policy, "--set", "machines=40",
        "--bounds", "tight", "--format", "json",
        "--quiet" }
    local error = policy == "dspt" and { "--error", "lognormal(1,0.5)", "--warmup", "20" } or {}
    table.move(error, 1, #error, #arguments + 1, arguments)
    local want = run("left alone", arguments)
    local log = program.file "s.log"
    run("begun", joined(arguments, { "--checkpoint", checkpoint, "--every", "17", "--until", "30",
        "--log", log }))
    local header = fields_of(checkpoint)
    check.equal("version in the first line", header.pinion, core.version)
    check.equal("policy in the first line", header.policy, policy)
    check.equal("slot in the first line", header.slot, 30)
    check.equal("arguments in the first line", header.arguments[2], scenario)
    check.equal("files in the first line", header.inputs[1].bytes, #check.read_file(scenario))
    for slot = 35, 400, 45 do
        run("a step", { "resume", checkpoint, "--log", log, "--until", tostring(slot) })
        check.is_true("the arguments do not pile up",
            #fields_of(checkpoint).arguments <= #header.arguments)
    end
    check.equal("in steps: " .. policy,
        run("the last step", { "resume", checkpoint, "--log", log, "--until",
        "9007199254740992" }), want)
    check.matches("in steps: the log",
        run("verify", joined({ "verify", scenario, log, "--set", "machines=40" }, { error[1],
        error[2] })), ": ok: ")
end

-- Metrics are of the rows, which a checkpoint holds.
local measured = { "simulate", scenario, "--policy", "fifo", "--metrics", "slowdown", "--format",
    "json" }
local kept = program.file "measured.checkpoint"
run("begun with a metric", joined(measured, { "--checkpoint", kept, "--every=50", "--until=60" }))
check.equal("a metric of a resumed run", run("resume with a metric", { "resume", kept, "--until",
    "9007199254740992" }), run("with a metric", measured))

-- Options of resume stand in for those of the run, here and in what is resumed later.
run("begun for options", { "simulate", scenario, "--policy", "fifo", "--checkpoint", checkpoint,
    "--every=50", "--until=60",
    "--no-jobs", "--format", "json" })
local second = program.file "second.checkpoint"
local before = check.read_file(checkpoint)
check.matches("--format of resume",
    run("resume to a table", { "resume", checkpoint, "--format", "table", "--until", "200",
    "--checkpoint", second, "--every", "20" }), "^fifo on 100 machines, ")
check.equal("the checkpoint stays when another is written", check.read_file(checkpoint) == before,
    true)
check.equal("--every of resume", fields_of(second).every, 20)
check.equal("--until of resume", fields_of(second).slot, 200)
check.equal("--output of resume",
    run("resume to a file", { "resume", second, "--format", "json", "--until", "9007199254740992",
    "--output", result_file }), "")
local want = run("left alone", { "simulate", scenario, "--policy", "fifo", "--no-jobs", "--format",
    "json" })
check.equal("the result in the file", check.read_file(result_file), want)
os.remove(result_file)
program.fails("a place that only the checkpoint names", { "resume", second }, 2,
    second .. ": is of a run with --output '"
    .. result_file
        .. "' (give --output FILE again: resume writes only to files of its own command line)")
check.equal("nothing is written there", exists(result_file), false)
run("resume with the options kept", { "resume", second, "--output", result_file })
check.equal("the result in the file again", check.read_file(result_file), want)

-- An idle stretch that a chunk may jump: an end in the middle of it is no end before the
-- checkpoint.
local gap = program.file("gap.json",
    '{"model":"slotted","machines":2,"jobs":[{"arrival":1,"maps":3},{"arrival":100000,"maps":3,'
        .. '"reduces":[2,1]}]}')
for _, stop in ipairs { 1, 2, 3, 99998, 99999, 100000, 100001, 100002 } do
    local arguments = { "simulate", gap, "--policy", "asrpt", "--until", tostring(stop) }
    local partial = run("left alone", arguments)
    check.equal("a partial result",
        run("with checkpoints", joined(arguments, { "--checkpoint", second, "--every", "1000" })),
        partial)
    check.equal("a partial result again", run("with checkpoints", { "resume", second }), partial)
    check.equal("behind the idle stretch",
        run("resumed", { "resume", second, "--until", "200000" }), run("left alone",
        { "simulate", gap, "--policy", "asrpt" }))
end

-- The room of the first checkpoint is too small for what comes later.
local crowd = { "simulate", "--workload", "zheng,slots=400", "--set", "machines=40", "--policy",
    "asrpt", "--format", "json",
    "--quiet" }
local crowded = run("left alone", crowd)
check.is_true("more jobs than the first room holds", core.json_decode(crowded, "").peak_jobs < 1024)
crowd[3] = "zheng,slots=2000"
crowded = run("left alone", crowd)
check.is_true("more jobs than the first room holds", core.json_decode(crowded, "").peak_jobs > 1024)
for _, log in ipairs { false, program.file "crowd.log" } do
    local keeping = joined(crowd, { "--checkpoint", second, "--every", "100" },
        log and { "--log", log } or {})
    run("begun in a small room", joined(keeping, { "--until", "300" }))
    check.equal("a larger room after all",
        run("resumed", joined({ "resume", second, "--until", "9007199254740992" },
        log and { "--log", log } or {})), crowded)
    if log then check.matches("its log",
        run("verify", { "verify", "--workload", "zheng,slots=2000", "--set", "machines=40",
        log }), ": ok: ") end
end

-- A disk that is full: the run fails, and the last checkpoint is as good as any.
do
    local arguments = { "simulate", "--workload", "zheng,slots=3000", "--policy", "asrpt",
        "--format", "json" }
    local keeping = joined(arguments, { "--checkpoint", second, "--every", "100" })
    local limited = string.format(
        "trap '' XFSZ; ulimit -f 400; LLVM_PROFILE_FILE=/dev/null %s >%s 2>%s",
        command_of(keeping), program.file "full.out", program.file "full.err")
    local _, _, code = os.execute("bash -c " .. quote(limited))
    check.equal("exit code with a full disk", code, 1)
    check.equal("no result with a full disk", check.read_file(program.file "full.out"), "")
    check.equal("a full disk is said", check.read_file(program.file "full.err"),
        "pinion: cannot write " .. second
        .. ": File too large\n")
    check.equal("nothing is left beside the checkpoint",
        #program.lines_of("ls " .. quote(second) .. ".* 2>/dev/null"), 0)
    check.is_true("it went some way", fields_of(second).slot >= 100 and fields_of(second).slot
        < 3000)
    check.equal("resumed when there is room again", run("resumed", { "resume", second }),
        run("left alone", arguments))
end

-- Ctrl-C says how to go on.
do
    local arguments = { "simulate", "--policy", "fair", "--no-jobs" }
    local slots = 10 * SLOTS
    arguments = joined(arguments, { "--workload", "zheng,slots=" .. slots })
    local code, output,
        messages = program.killed(joined(arguments, { "--checkpoint", second, "--every",
        tostring(slots // 100) }), second, 2, "INT")
    check.equal("exit code of an interrupted run", code, 130)
    check.contains("partial result of an interrupted run", output, '"interrupted": true')
    check.matches("how to go on", messages,
        "^pinion: interrupted: %d+ jobs finished with policy fair\npinion: continue with: "
            .. "pinion resume "
        .. second:gsub("%p", "%%%0") .. "\n$")
    check.is_true("an interrupt keeps what was done", fields_of(second).slot > 0)
    check.equal("interrupted and resumed", run("resumed", { "resume", second }),
        run("left alone", arguments))
end

-- A policy written in Lua stays as it was, whatever its file holds by then.
do
    local POLICY = [[
-- The job that was served least, by a count that lives with the job.
return {
  name = "least-served", model = "slotted", per_job = { "served" },
  key = { changes = "served", of = function(s, job) return s:maps_left(job) %s s:reduces_left(job) end },
}
]]
    local policy = program.file("least.lua", POLICY:format "+")
    local arguments = { "simulate", "--policy", policy, "--no-jobs", "--format", "json" }
    local slots = SLOTS
    arguments = joined(arguments, { "--workload", "zheng,slots=" .. slots })
    local expected = run("a Lua policy left alone", arguments)
    local keeping = joined(arguments, { "--checkpoint", second, "--every", tostring(slots // 50) })
    check.equal("a Lua policy that was killed",
        program.survive("a Lua policy", keeping, { "resume", second }, second), expected)
    for _, text in ipairs { POLICY:format "*", "return 1" } do
        check.write_file(policy, POLICY:format "+")
        run("a Lua policy begun", joined(keeping, { "--until", tostring(slots // 3) }))
        check.write_file(policy, text)
        local output, messages,
            code = program.run { "resume", second, "--until", tostring(2 * slots) }
        check.equal("a Lua policy of another text now", output, expected)
        check.equal("exit code with another text", code, 0)
        check.equal("that it is another is said", messages,
            string.format(
                "pinion: %s has changed since %s was written: the run continues with the old "
                .. "text\n", policy, second))
    end
    local function by_library(over)
        local made = { machines = 60, workload = "zheng:1,slots=200", policy = policy,
            checkpoint = program.file "lua.checkpoint",
            every = 10, quiet = true }
        for name, value in next, over or {} do made[name] = value end
        return pinion.run(made)
    end
    check.write_file(policy, POLICY:format "+")
    local whole = by_library().digest
    by_library { until_slot = 90 }
    check.write_file(policy, POLICY:format "*")
    check.equal("a Lua policy by the library", by_library({ resume = true }).digest, whole)
    check.is_true("another text is another policy", by_library().digest ~= whole)
    check.write_file(policy, POLICY:format "+")
    by_library { until_slot = 90, policy = pinion.policy(POLICY:format "+") }
    check.equal("a Lua policy from a text",
        by_library({ resume = true, policy = pinion.policy(POLICY:format "*") }).digest,
        whole)
    check.raises("a Lua policy is not another one", "policy is least-served there and fifo here",
        by_library, { resume = true,
        policy = "fifo" })
end

-- ---- what is refused ----------------------------------------------------------------------------

local function refuse(name, arguments, message, code)
    local output, messages, got = program.run(arguments)
    check.equal("exit code of " .. name, got, code or 2)
    check.equal("no result of " .. name, output, "")
    check.matches("message of " .. name, messages,
        "^" .. message:gsub("%p", "%%%0"):gsub("%%%*", ".*") .. "\n$")
end

local small = program.file("small.json",
    '{"model":"slotted","machines":2,"reduce":"preemptive","jobs":[{"arrival":1,"maps":3,'
        .. '"reduces":[2]},{"arrival":2,"maps":1}]}')
local file = program.file "small.checkpoint"
local begin = { "simulate", small, "--policy", "fifo", "--checkpoint", file, "--every", "1" }
refuse("standard input", { "simulate", "-", "--policy", "fifo", "--checkpoint", file, "--every",
    "1" },
    "pinion: --checkpoint: a scenario from standard input cannot be read again when the run "
        .. "resumes (expected a file)")
refuse("no --every", { "simulate", small, "--policy", "fifo", "--checkpoint", file },
    "pinion: --every is missing (with --checkpoint: slots between two checkpoints)")
refuse("--every alone", { "simulate", small, "--policy", "fifo", "--every", "5" },
    "pinion: --every: needs --checkpoint FILE")
refuse("--every 0", joined(begin, { "--every", "0" }),
    "pinion: --every: must be an integer >= 1, got 0")
refuse("a checkpoint over the scenario",
    { "simulate", small, "--policy", "fifo", "--checkpoint", small, "--every", "1" },
    "pinion: --checkpoint: " .. small .. " is read (expected another file)")
local foreign = program.file("foreign", "a text\n")
refuse("a checkpoint over a foreign file",
    { "simulate", small, "--policy", "fifo", "--checkpoint", foreign, "--every", "1" },
    foreign .. ": is there already and is no checkpoint (expected a new file, or a checkpoint "
        .. "to replace)")
refuse("a checkpoint over a device",
    { "simulate", small, "--policy", "fifo", "--checkpoint", "/dev/null", "--every", "1" },
    "/dev/null: is no plain file (expected a checkpoint)")
local fifo = program.file "fifo"
assert(os.execute("mkfifo " .. quote(fifo)))
refuse("a checkpoint into a pipe that nobody writes to",
    { "simulate", small, "--policy", "fifo", "--checkpoint", fifo, "--every", "1" },
    fifo .. ": is no plain file (expected a checkpoint)")
refuse("a checkpoint over the log", joined(begin, { "--log", file }), "pinion: --checkpoint: "
    .. file
    .. " is where the decision log goes (expected another file)")
refuse("a checkpoint over the result", joined(begin, { "--output", file }),
    "pinion: --checkpoint: " .. file
    .. " is where the result goes (expected another file)")
refuse("a log that cannot be cut back", joined(begin, { "--log", "/dev/null" }),
    "pinion: /dev/null: is no plain file (expected one that can be cut back when the run resumes)")
refuse("a place that cannot be written",
    { "simulate", small, "--policy", "fifo", "--checkpoint", directory .. "/no/such",
    "--every", "1" },
    "pinion: cannot write " .. directory .. "/no/such: No such file or directory", 1)
refuse("a missing checkpoint", { "resume", directory .. "/nothing" },
    directory .. "/nothing: No such file or directory")
refuse("a directory", { "resume", directory }, directory .. ": Is a directory")
refuse("a foreign file", { "resume", small }, small
    .. ': is no checkpoint (expected a first line that begins with {"pinion_checkpoint":)')
refuse("an empty file", { "resume", program.file("empty", "") }, directory
    .. '/empty: is no checkpoint (expected a first line that begins with {"pinion_checkpoint":)')
check.equal("what was refused left no file", exists(file), false)

run("a small run", joined(begin, { "--until", "2", "--log", program.file "small.log" }))
local bytes, small_log = check.read_file(file), program.file "small.log"
local resume = { "resume", file, "--log", small_log }
refuse("a log that only the checkpoint names", { "resume", file },
    file .. ": is of a run with --log '" .. small_log
    .. "' (give --log FILE again: resume writes only to files of its own command line)")
refuse("an end before the checkpoint", joined(resume, { "--until", "1" }), file
    .. ": has already reached slot 2 (expected an end there or later, got 1)")
local log_text = check.read_file(program.file "small.log")
program.file("small.log", log_text:sub(1, 100))
refuse("a log that was cut", resume, "pinion: " .. directory
    .. "/small.log: is shorter than it was, or another one (*)")
program.file("small.log", (log_text:gsub('"scenario":"%x', '"scenario":"x', 1)))
refuse("a foreign log", resume, "pinion: " .. directory
    .. "/small.log: is not the log of this run (expected the one that the run began)")
os.remove(program.file "small.log")
refuse("a missing log", resume, "pinion: " .. directory .. "/small.log: No such file or directory")
program.file("small.log", log_text .. '{"slot":3,"job":1,"ma')
check.contains("a log that went further", run("resumed", joined(resume, { "--until", "9" })),
    '"complete": true')
check.matches("… is cut back", run("verify", { "verify", small, program.file "small.log" }),
    ": ok: ")

local scenario_text = check.read_file(small)
program.file("small.json", (scenario_text:gsub('"maps":3', '"maps":4')))
refuse("another scenario", resume, small .. ": has changed since " .. file .. " was written: *")
os.remove(small)
refuse("no scenario", resume, small .. ": No such file or directory (the run of " .. file
    .. " reads it, and began in '*')")
program.file("small.json", scenario_text)
for _, spec in ipairs { "csv:" .. program.file("w.csv", "arrival,maps\n1,4\n2,9\n"),
    "swim:" .. program.file("w.tsv",
    "job0\t0\t0\t900000000000\t5\t5\njob1\t30\t30\t900000000000\t0\t0\n") } do
    local path = spec:match ":(.*)"
    run("a trace", { "simulate", "--workload", spec, "--policy", "fifo", "--checkpoint", second,
        "--every", "1", "--until", "2",
        "--quiet" })
    check.contains("a trace resumed", run("resumed", { "resume", second, "--until", "100000" }),
        '"complete": true')
    check.write_file(path, check.read_file(path):gsub("9", "8"))
    refuse("another trace", { "resume", second }, path .. ": has changed since " .. second
        .. " was written: *")
end

-- ---- damage -------------------------------------------------------------------------------------

local function changed(pattern, replacement)
    local line, rest = bytes:match "^([^\n]*)\n(.*)$"
    local other = line:gsub(pattern, replacement, 1):gsub(" *}$", "}")
    other = other:sub(1, -2) .. (" "):rep(-(#other + 1) % 8) .. "}\n"
    return signed(other .. rest)
end

check.is_true("signing is what the program does", signed(bytes) == bytes)
check.is_true("an unchanged file is read",
    core.checkpoint_read(program.file("d.checkpoint", bytes)) ~= nil)
local damaged = program.file "d.checkpoint"
local function refuse_changed(name, text, message)
    check.write_file(damaged, text)
    refuse(name, { "resume", damaged, "--log", small_log }, message)
end
refuse_changed("another version", changed('"pinion":"[^"]*"', '"pinion":"0.0.7"'), damaged
    .. ": was written by version '0.0.7' (expected " .. core.version .. ")")
refuse_changed("another machine", changed("(%w+)%-endian", "middle-endian"), damaged
    .. ": was written on another kind of machine, or by another build: 'middle-endian*' "
        .. "(expected '*')")
refuse_changed("another format", changed('"pinion_checkpoint":4', '"pinion_checkpoint":1'), damaged
    .. ": is a checkpoint of format 1, or damaged (expected format 4)")
refuse_changed("a first line that is not JSON", changed('"pinion":', '"pinion"'),
    damaged .. ":1: *")
refuse_changed("a first line without the run", changed('"run":', '"ran":'), damaged
    .. ":1: lacks what a checkpoint says about its run (expected the line as it was written)")
refuse_changed("arguments that are none", changed('"arguments":%b[]', '"arguments":[1]'), damaged
    .. ":1: lacks what a checkpoint says about its run *")
refuse_changed("another command", changed('"simulate"', '"workload"'),
    damaged .. ": was written by a script *")
refuse_changed("another run", changed('"machines":"2"', '"machines":"3"'),
    damaged .. ": belongs to another run: machines is 3 there and 2 here (expected the "
        .. "checkpoint of this run, or no file)")
refuse_changed("a checkpoint of a script", changed('"arguments":%b[]', '"arguments":null'),
    damaged .. ": was written by a script (expected one of `pinion simulate`; run the script "
        .. "again to resume, with resume = true)")
local sizes = #bytes:match "^[^\n]*\n"
local state_bytes = string.unpack("<i8", bytes, sizes + 1)
refuse_changed("a state of another shape",
    signed(bytes:sub(1, sizes) .. string.pack("<i8", state_bytes - 8)
    .. bytes:sub(sizes + 9, sizes + 48)
    .. bytes:sub(sizes + 57)), "pinion: the checkpoint is one of another build of this program")
local block_at = sizes + 48 + state_bytes
refuse_changed("a block that is not the sealed one",
    signed(bytes:sub(1, block_at + 12) .. "\1" .. bytes:sub(block_at + 14), true),
    "pinion: the checkpoint is damaged: its block is not the one that was sealed")
refuse_changed("a seal of another format", signed(bytes:sub(1, -37) .. "\7" .. bytes:sub(-35)),
    "pinion: the checkpoint's block is of another version, or of a machine of another kind")
refuse_changed("a foreign block",
    signed(bytes:sub(1, block_at) .. ("x"):rep(64) .. bytes:sub(block_at + 65)),
    "pinion: the kernel refuses the checkpoint's block with PN_ERR_BLOCK")
refuse_changed("a busy block",
    signed(bytes:sub(1, block_at + 12) .. "\1" .. bytes:sub(block_at + 14)),
    "pinion: the kernel refuses the checkpoint's block with PN_ERR_BUSY")
refuse_changed("something behind the end", bytes .. "12345678", damaged
    .. ": is longer than it should be, or damaged (expected a complete checkpoint)")

-- Every byte, and every length.
local function fuzz()
    local handle = assert(io.open(damaged, "wb"))
    handle:setvbuf "no"
    handle:write(bytes)
    local accepted, silent = 0, 0
    local function try()
        local got, why = core.checkpoint_read(damaged)
        if got then accepted = accepted + 1 end
        if not got and not (type(why) == "string" and why:find "expected") then
            silent = silent + 1
        end
    end
    for at = 1, #bytes do
        handle:seek("set", at - 1)
        handle:write(string.char(bytes:byte(at) ~ (1 << math.random(0, 7))))
        try()
        handle:seek("set", at - 1)
        handle:write(bytes:sub(at, at))
    end
    check.equal("files with a changed byte that are accepted", accepted, 0)
    check.is_true("the file is whole again", core.checkpoint_read(damaged) ~= nil)
    handle:close()
    handle = assert(io.open(damaged, "wb"))
    handle:setvbuf "no"
    for size = 0, #bytes - 1 do
        try()
        handle:write(bytes:sub(size + 1, size + 1))
    end
    handle:close()
    check.equal("files that are too short and accepted", accepted, 0)
    check.equal("refusals that do not say what was expected", silent, 0)
    check.is_true("the whole file is accepted", core.checkpoint_read(damaged) ~= nil)
end
local from = seconds_now()
fuzz()
print(string.format("%d bytes, each of them changed, each length: %.1f s", #bytes,
    seconds_now() - from))
for _ = 1, 25 do
    local at = math.random(1, #bytes)
    check.write_file(damaged,
        bytes:sub(1, at - 1) .. string.char(bytes:byte(at) ~ math.random(1, 255))
        .. bytes:sub(at + 1))
    local _, messages, code = program.run { "resume", damaged, "--log", small_log }
    check.equal("exit code with byte " .. at .. " changed", code, 2)
    check.matches("message with byte " .. at .. " changed", messages,
        "^" .. damaged:gsub("%p", "%%%0") .. ": [^\n]+\n$")
end

-- ---- the library --------------------------------------------------------------------------------

local function settings(over)
    local made = { machines = 60, reduce = "preemptive", policy = "asrpt",
        workload = pinion.workload.zheng { slots = 300,
        seed = 5 }, quiet = true }
    for name, value in next, over or {} do made[name] = value end
    return made
end

local FIELDS = { "total_flow_time", "mean_flow_time", "lower_bound", "efficiency_ratio", "slots",
    "digest", "submitted",
    "finished", "complete",
                 "decisions", "slots_run", "units_run", "peak_jobs" }
local function check_equal_results(name, got, expected)
    for _, field in ipairs(FIELDS) do
        check.equal(name .. ": " .. field, got[field], expected[field])
    end
    local differ = 0
    for id = 1, #expected.jobs do
        for _, field in ipairs { "arrival", "map_finish", "finish", "flow_time" } do
            if got.jobs[id][field] ~= expected.jobs[id][field] then differ = differ + 1 end
        end
    end
    check.equal(name .. ": rows that differ", differ, 0)
    for _, q in ipairs { 0, 0.5, 0.99, 1 } do
        check.equal(name .. ": quantile", got:quantile("flow_time", q),
        expected:quantile("flow_time", q)) end
end

local path = program.file "library.checkpoint"
local alone = pinion.run(settings())
local keeping = { checkpoint = path, every = 25, resume = true }
check_equal_results("a missing file is a fresh start", pinion.run(settings(keeping)), alone)
check_equal_results("the end again", pinion.run(settings(keeping)), alone)
keeping.resume, keeping.until_slot = false, 110
check.equal("a part", pinion.run(settings(keeping)).complete, false)
keeping.resume, keeping.until_slot = true, nil
check_equal_results("resumed", pinion.run(settings(keeping)), alone)
local table_of_jobs = { { arrival = 1, maps = 5, reduces = { 4, 4, 2 } },
    { arrival = 30, maps = 2, group = "late" } }
local from_table = settings { workload = table_of_jobs,
    checkpoint = program.file "table.checkpoint", every = 3, resume = true,
    until_slot = 2 }
pinion.run(from_table)
from_table.until_slot = nil
check_equal_results("a table of jobs", pinion.run(from_table),
    pinion.run(settings { workload = table_of_jobs }))
from_table.workload = { table_of_jobs[1], { arrival = 30, maps = 3 } }
check.raises("another table of jobs", "belongs to another run: workload is 2 jobs with hash ",
    pinion.run, from_table)

for _, difference in ipairs {
    { { policy = "fifo" }, "policy is asrpt there and fifo here" },
    { { machines = 61 }, "machines is 60 there and 61 here" },
    { { reduce = "nonpreemptive" }, "reduce is preemptive there and nonpreemptive here" },
    { { bounds = "none" },
        "bounds is fast there and none here" },
    { { seed = 6 }, "seed is 5 there and 6 here" },
    { { replica = 1 }, "replica is 0 there and 1 here" },
    { { error = "exp(1)" }, "error is not given there and {" },
    { { warmup = 7 }, "warmup is not given there and {jobs=7} here" },
    { { keep_jobs = false }, "keep_jobs is true there and false here" },
    { { log = program.file "unwritten.log" },
        "log is false there and true here" },
    { { workload = "zheng:0,slots=301,seed=5" }, "workload is zheng{" },
    { { workload = "facebook,seed=5" },
        "here (expected the checkpoint of this run, or no file)" },
} do
    local over = difference[1]
    over.checkpoint, over.every, over.resume = path, 25, true
    check.raises("another run: " .. difference[2], difference[2], pinion.run, settings(over))
end
check.equal("a log of another run is not begun", exists(program.file "unwritten.log"), false)
pinion.run(settings { policy = "idx", params = { wm = 3 }, checkpoint = path, every = 25 })
check.raises("other parameters", "params.wm is 3 there and 4 here", pinion.run,
    settings { policy = "idx", params = { wm = 4 }, checkpoint = path, every = 25, resume = true })
check.raises("every is required", "every: is required with checkpoint", pinion.run,
    settings { checkpoint = path })
check.raises("every alone", "every: needs checkpoint", pinion.run,
    settings { every = 3 })
check.raises("resume alone", "resume: needs checkpoint", pinion.run,
    settings { resume = true })
check.raises("an end before the checkpoint", "(expected an end there or later, got 5)",
    pinion.run,
    settings { policy = "idx", params = { wm = 3 }, checkpoint = path, every = 25, resume = true,
        until_slot = 5 })
check.raises("no checkpoint for comparisons", "checkpoint: unknown option", pinion.compare,
    { machines = 1, workload = "zheng",
    checkpoint = path })
check.write_file(path, bytes:sub(1, -2))
check.raises("a damaged file", path .. ": is cut short", pinion.run,
    settings { checkpoint = path, every = 25, resume = true })

-- Anything that can be run, stopped anywhere, any number of times.
do
    local names = {}
    for _, policy in ipairs(pinion.policies "slotted") do names[#names + 1] = policy end
    for round = 1, 3 * #names do
        local policy = names[(round - 1) % #names + 1]
        local modes = { policy.preemptive and "preemptive" or nil }
        if policy.nonpreemptive then modes[#modes + 1] = "nonpreemptive" end
        local over = { policy = policy.name, reduce = modes[math.random(#modes)],
            machines = math.random(1, 120),
            seed = math.random(1, 1 << 30),
                       workload = string.format(math.random(2) == 1 and "zheng:%d,slots=60"
                           or "facebook,jobs=40,gap=%d.5",
                           math.random(0, 3)),
                       error = math.random(3) == 1 and "lognormal(1,0.7)" or nil,
                       warmup = math.random(3) == 1 and 10 or nil,
                       bounds = ({ "none", "fast", "tight" })[math.random(3)] }
        local name = string.format("%s %s, round %d", policy.name, over.reduce, round)
        local expected = pinion.run(settings(over))
        over.checkpoint, over.every, over.resume = program.file "any.checkpoint",
            math.random(1, 40), true
        os.remove(over.checkpoint)
        for _ = 1, 4 do
            over.until_slot = (over.until_slot or 0) + math.random(1,
                math.max(1, expected.slots // 4))
            pinion.run(settings(over))
        end
        over.until_slot = nil
        check_equal_results(name, pinion.run(settings(over)), expected)
    end
end

-- How a run is cut does not show: where sizes seem larger than they are, the virtual run continues
-- behind the last job, and holds its place, up to the next arrival.
do
    local jobs = {}
    for i = 1, 6 do jobs[i] = { arrival = 30 * i, maps = 1, estimate_maps = 80 } end
    local over = { machines = 4, policy = "asrpt", workload = jobs, quiet = true }
    local expected = pinion.run(over)
    check.equal("one job is in the system at once", expected.peak_jobs, 1)
    for _, every in ipairs { 1, 2, 5, 13, 64, 1000 } do
        over.checkpoint, over.every = program.file "cut.checkpoint", every
        os.remove(over.checkpoint)
        check_equal_results("cut every " .. every .. " slots", pinion.run(over), expected)
    end
end

-- A script that is simply run again.
do
    local slots = SLOTS
    local script = program.file("again.lua", string.format([[
local result = require "pinion".run { machines = 100, policy = "fair", workload = "zheng,slots=%d", checkpoint = %q, every = %d,
    resume = true, keep_jobs = false }
print(result.digest, result.total_flow_time, result.peak_jobs)]], slots, program.file "again.checkpoint", slots // 37))
    local output = program.survive("a script", { "run", script }, { "run", script },
        program.file "again.checkpoint")
    local expected = pinion.run { machines = 100, policy = "fair", workload = "zheng,slots="
        .. slots, keep_jobs = false,
        quiet = true }
    check.equal("a script that is simply run again", output,
        string.format("%s\t%d\t%d\n", expected.digest, expected.total_flow_time,
            expected.peak_jobs))
    check.equal("its checkpoint", fields_of(program.file "again.checkpoint").finished,
        expected.finished)
end

check.done()
