-- Input logs: what a real host told its core replays to its decisions; a log that was cut off goes
-- as far as it goes; what does not fit is named by file and line. The logs here are of the example
-- with real processes; tests/random/replays.c makes those of random scenarios.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"
local replay = require "pinion.run.replay"

local mapreduce = (program.path:match "^(.*/)" or "./") .. "mapreduce"

local SHORT = program.file("short.lua", [[
return { name = "short-first", model = "cluster",
         params = { sign = { default = 1, min = -1, max = 1, doc = "d" } },
         key = { changes = "served", of = function(s, job, kind)
             return s:unfinished(job, kind) * s.params.sign
         end } }
]])

-- What a run told the core, and what was decided: two files.
local function run(name, options)
    local inputs, log = program.file(name .. ".inputs"), program.file(name .. ".log")
    local _, _, code = os.execute(string.format(
        "'%s' %s --inputs '%s' --log '%s' >/dev/null 2>&1 </dev/null", mapreduce, options, inputs,
        log))
    check.equal(name .. " runs", code, 0)
    return inputs, log
end

local PLAIN, DECISIONS = run("plain", "--policy hsrtf-pup --param tick_ms=20")
local SCRIPTED, SCRIPTED_DECISIONS = run("scripted", "--policy '" .. SHORT .. "' --param sign=-1")

local function lines_of(path)
    local lines = {}
    for line in io.lines(path) do lines[#lines + 1] = line end
    return lines
end

local function written(name, lines)
    return program.file(name, table.concat(lines, "\n") .. "\n")
end

-- The log without its checks, as somebody who edits it has to make it.
local function unchecked(path)
    local lines = lines_of(path)
    for i, line in ipairs(lines) do lines[i] = line:gsub(',"check":"%x+"}$', "}") end
    return lines
end

---The first line of this event behind `from`.
local function find(lines, event, from)
    for i = from or 1, #lines do
        if lines[i]:find('"event":"' .. event .. '"', 1, true) then return i end
    end
    error("no " .. event)
end

-- ---- replays ------------------------------------------------------------------------------------

local output = program.succeed("verify", { "verify", PLAIN, DECISIONS })
local digest = lines_of(DECISIONS)[#lines_of(DECISIONS)]:match '"digest":"(%x+)"'
check.contains("the decisions are compared", output,
    string.format("%s: ok: %d lines as replayed\n", DECISIONS, #lines_of(DECISIONS) - 1))
check.contains("the digest", output, "digest " .. digest .. "\n")
check.equal("a log without checks", replay.run(written("unchecked", unchecked(PLAIN)), {}).digest,
    digest)

program.succeed("a policy in Lua",
    { "verify", SCRIPTED, SCRIPTED_DECISIONS, "--policy", SHORT })

for _, command in ipairs { { "explain", "--job", "2" }, { "timeline", "--buckets", "4" } } do
    local function of(file)
        return program.succeed(command[1], program.joined({ command[1], file },
            { table.unpack(command, 2) }))
    end
    check.equal(command[1] .. " says the same of both", of(PLAIN), of(DECISIONS))
end
program.succeed("gantt", { "gantt", PLAIN, "--output", program.file "chart.svg" })
check.contains("gantt", check.read_file(program.file "chart.svg"), "measured")
program.succeed("explain with a policy in Lua",
    { "explain", SCRIPTED, "--policy", SHORT, "--job", "1" })
check.contains("diff of a log with its own inputs",
    program.succeed("diff", { "diff", PLAIN, DECISIONS }), "are the same")

-- ---- logs that were cut off ---------------------------------------------------------------------

local bytes, all = check.read_file(PLAIN), replay.run(PLAIN, {})
local lines = lines_of(PLAIN)
local last, size = nil, 0
-- Cuts off the log behind a line, and in the middle of the next one.
local function cut_behind(i)
    local made = replay.run(program.file("cut", bytes:sub(1, size)), {})
    check.equal("ended", made.ended, i == #lines)
    check.is_true("no line takes events away", not last or made.events >= last.events)
    local inside = replay.run(program.file("cut", bytes:sub(1, size + 9)), {})
    check.equal("a line that is not whole is none", inside.digest, made.digest)
    check.equal("and said to be missing", inside.cut, i < #lines or made.cut)
    last = made
end

local STEP <const> = check.IS_SHORT and 9 or 1
for i = 1, #lines do
    size = size + #lines[i] + 1
    if i % STEP == 0 or i == #lines then cut_behind(i) end
end
check.equal("all events", last.events, all.events)
local half = program.file("half", bytes:sub(1, #bytes // 2))
check.contains("the decisions so far", program.succeed("half a log", { "verify", half, DECISIONS }),
    "cut off")

-- ---- what is refused ----------------------------------------------------------------------------

local function refused(name, arguments, message, exit)
    local out, messages, code = program.run(program.joined({ "verify" }, arguments))
    check.equal("exit code of " .. name, code, exit or 1)
    check.equal("output of " .. name, out, "")
    check.contains(name, messages, message)
end

-- A log with another line, by its number.
local function changed(name, made, at, from, to, message)
    local before = made[at]
    local start, stop = made[at]:find(from, 1, true)
    made[at] = before:sub(1, start - 1) .. to .. before:sub(stop + 1)
    refused(name, { written("changed", made) },
        string.format("%s:%d: %s", program.file "changed", at, message))
    made[at] = before
end

local plain = unchecked(PLAIN)
local offer, finished = find(plain, "offer", 8), find(plain, "finished")
changed("a changed line", lines, 7, '"time":', '"time": ',
    "the log was changed in this line or before")
changed("an unknown event", plain, offer, "offer", "offal", "event: unknown: offal")
changed("a number that is none", plain, offer, '"node":', '"node":-', "node: expected an integer")
changed("a node that there is not", plain, offer, '"node":', '"node":7',
    "the core refuses the event: PN_ERR_ARGUMENT")
changed("an attempt that there is not", plain, finished, '"token":', '"token":9',
    "the core refuses the event: PN_ERR_STALE")
changed("a field that is not known", plain, offer, '"node":', '"hint":1,"node":',
    "not what a core writes of this event (expected {")
changed("another digest", plain, offer, '"digest":"', '"digest":"f',
    "the core decided otherwise before this event: its digest is ")
changed("no JSON", plain, offer, '"node"', "node", "")
changed("a head of another version", plain, 1, ":1,", ":2,", "not an input log of this version")
changed("another model", plain, 1, '"cluster"', '"slotted"', "model 'slotted' has no core")
changed("a policy of the host's own", plain, 1, "hsrtf-pup", "my-own",
    "there is no policy 'my-own' (a host replays its own policies in C with ")
changed("a parameter that it has not", plain, 1, '"colocate"', '"collocate"',
    "params.collocate: policy hsrtf-pup has no such parameter")
changed("a hook that there is not", plain, 1, '"fetched"', '"fetch"', "hooks: unknown: fetch")
changed("a setting that there is not", plain, 1, '"jobs_max"', '"job_max"',
    'config.unknown field "job_max"')
changed("a setting out of range", plain, 1, '"jobs_max":', '"jobs_max":0,"x":', "config.unknown")
changed("nodes that are none", plain, 1, '"nodes":[{', '"nodes":[{"rack":1,',
    'nodes[1].unknown field "rack"')

-- Tables for millions of jobs take gigabytes; those that the log can need are made in their place.
local function sized(name, made, sizes)
    local large = { table.unpack(made) }
    for field, size in next, sizes do
        large[1] = large[1]:gsub('"' .. field .. '":%d+', string.format('"%s":%d', field, size), 1)
    end
    check.equal(name, replay.run(written("large", large), {}).digest,
        replay.run(written("small", made), {}).digest)
end
local JOBS <const>, TASKS <const> = 1 << 26, 1 << 30
sized("tables as large as there are", plain,
    { jobs_max = JOBS, tasks_max = TASKS, replicas_max = TASKS })
sized("tables that follow from jobs_max", plain, { jobs_max = JOBS, tasks_max = 0,
    replicas_max = 0 })
local DISPATCHED <const> = {
    '{"pinion_inputs":1,"model":"dag","policy":"cp","params":{"cp_first":0},"config":{'
        .. '"resources":1,"jobs_max":2,"stages_max":4,"edges_max":4,"attempts_max":6,'
        .. '"classes_max":0,'
        .. '"nodes":[{"count":1,"capacity":[2,0,0,0]}]}}',
    '{"time":1,"event":"submit","job":{"stages":[{"demand":[1,0,0,0],"estimate":10,"tasks":1},'
        .. '{"demand":[1,0,0,0],"estimate":10,"tasks":1,"parents":[0]}]},'
        .. '"digest":"0000000000000000"}',
    '{"time":1,"event":"run","digest":"fea472abf6201325"}',
    '{"time":15,"event":"finished","token":6,"digest":"08c85dd4ae2f4d5a"}',
}
sized("the same of the dispatch core", DISPATCHED, { jobs_max = JOBS, stages_max = 1 << 28,
    edges_max = TASKS, classes_max = 1 << 28 })

-- What decides stays as it is: a core that takes more memory than is meant for it is refused.
local function too_large(name, made, field, value, options)
    local large, count = { table.unpack(made) }, 0
    large[1], count = large[1]:gsub('"' .. field .. '":%d+', '"' .. field .. '":' .. value, 1)
    check.equal(name .. " is there", count, 1)
    local path = written("large", large)
    check.raises(name, path .. ":1: config: the core takes ", replay.run, path, options or {})
    return path
end
too_large("attempts of a dispatch core", DISPATCHED, "attempts_max", 1 << 27)
too_large("what a scheduler core suspends", plain, "suspended_max", 1 << 26)
too_large("its nodes", plain, "count", 1 << 21)
local path = too_large("of an own limit", DISPATCHED, "attempts_max", 1 << 16,
    { core_memory = 1 << 20 })
refused("--memory", { path, "--memory", "1MiB" }, "bytes with these nodes and tables (expected "
    .. "at most 1048576, or --memory)")
refused("--memory beside a decision log", { DECISIONS, DECISIONS, "--memory", "1MiB" },
    "--memory: applies only to input logs", 2)

local submit = find(plain, "submit")
changed("another job", plain, submit, '"maps":', '"maps":1', "job.replicas: expected an array")
for _, priority in ipairs { "1.5", '"1"', "-2147483649", "2147483648" } do
    changed("priority " .. priority, plain, submit, '"est_ms"', '"priority":' .. priority
        .. ',"est_ms"', "job.priority: expected an integer in -2^31..2^31 - 1")
end
changed("names that are no array", plain, 1, '"hooks"', '"attribute_names":"user","hooks"',
    "attribute_names: expected an array of at most 8 texts")
changed("a name that is none", plain, 1, '"hooks"', '"attribute_names":[1],"hooks"',
    "attribute_names: expected an array of texts")
changed("more names than there may be", plain, 1, '"hooks"', '"attribute_names":['
    .. ('"user",'):rep(8) .. '"user"],"hooks"',
    "attribute_names: expected an array of at most 8 texts")
changed("groups that are no array", plain, 1, '"hooks"', '"group_names":"a","hooks"',
    "group_names: expected an array of at most 1048576 texts")
changed("replicas that are none", plain, submit, '"replicas":[[', '"replicas":[["x",',
    "job.replicas[1]: expected an array of integers")

local function stages_of(count, stage)
    return (DISPATCHED[2]:gsub('"stages":%b[]', function()
        return '"stages":[' .. (stage .. ","):rep(count - 1) .. stage .. "]"
    end))
end
changed("too many stages", DISPATCHED, 2, DISPATCHED[2], stages_of(65537, "{}"),
    "job.stages: expected an array of 1 to 65536 objects")
changed("too many parents", DISPATCHED, 2, DISPATCHED[2], stages_of(9, '{"parents":['
    .. ("0,"):rep(1 << 17) .. "0]}"), "job.stages: too many parents")

-- The decisions of a released version's inputs are a log that its scenario verifies.
for _, core_name in ipairs { "dispatch", "scheduler" } do
    local from, log = "tests/cli/0.8.0/" .. core_name, program.file(core_name .. ".log")
    replay.run(from .. ".inputs", { log = log })
    check.contains(core_name .. ": verified", program.succeed("verify " .. core_name,
        { "verify", from .. ".json", log }), log .. ": ok")
end

-- Inputs without an event are a log without a decision.
local empty = program.file "empty.log"
check.equal("no event", replay.run(written("begun", { DISPATCHED[1] }), { log = empty }).events, 0)
check.matches("no decision", check.read_file(empty), '^{"pinion_log":1,"model":"dag","policy":"cp",'
    .. '[^\n]*\n{"end":0,"unfinished":0,"digest":"0000000000000000"}\n$')

-- A question changes nothing.
local curious = { table.unpack(plain) }
table.insert(curious, submit, (plain[submit]:gsub('"submit"', '"ask"')))
check.equal("a question", replay.run(written("curious", curious), {}).digest, digest)

-- Attributes of jobs, as many numbers as the head declares.
local function with_attributes(list)
    local made = { table.unpack(DISPATCHED) }
    made[1] = made[1]:gsub('"nodes"', '"attributes":2,"nodes"')
    made[2] = made[2]:gsub('"stages"', '"attributes":' .. list .. ',"stages"')
    return made
end
check.equal("attributes", replay.run(written("attributes", with_attributes
    '["0x1.0000000000000p-1",2]'), {}).events, 3)
for _, list in ipairs { "1", "[1]", "[1,2,3]", '[1,"x"]', "[1,null]", "{}" } do
    refused("attributes " .. list, { written("attributes", with_attributes(list)) },
        "attributes:2: attributes: expected an array of 2 numbers")
end

-- Answers that are missing, too many, or of other questions.
local asked = find(plain, "progress")
local fewer = { table.unpack(plain) }
table.remove(fewer, asked)
refused("a missing answer", { written("fewer", fewer) }, "asks what the log does not answer")
table.insert(fewer, asked, plain[asked])
table.insert(fewer, asked, plain[asked])
refused("an answer twice", { written("fewer", fewer) }, "asks ")
fewer[asked] = fewer[asked]:gsub("progress", "fetched")
table.remove(fewer, asked + 1)
refused("an answer to another question", { written("fewer", fewer) },
    "asks what the log does not answer")
refused("the same beside the decisions", { written("fewer", fewer), DECISIONS },
    "asks what the log does not answer")
local behind = { table.unpack(lines) }
behind[#behind + 1] = '{"time":1,"event":"tick","digest":"0"}'
refused("a line behind the end", { written("behind", behind) },
    ":" .. #behind .. ": expected nothing behind the end")
refused("no log at all", { program.file("none", '{"pinion_inputs":1') }, ":1: expected the first")

-- The decisions.
local decisions = lines_of(DECISIONS)
local other = { table.unpack(decisions) }
other[5] = other[5]:gsub('"time":%d+', '"time":99999')
refused("another decision", { PLAIN, written("other", other) }, ":5: not what the core decided (exp")
other[5] = nil
refused("a log of half the decisions", { PLAIN, written("other", { table.unpack(decisions, 1, 9) }) },
    ":10: the log ends before the inputs do")
refused("decisions of another run", { PLAIN, SCRIPTED_DECISIONS },
    ":1: not a decision log of policy hsrtf-pup")

-- Policies.
refused("another policy", { PLAIN, "--policy", "fifo" }, "its inputs depend on the decisions of that policy (to compare ",
    2)
refused("no policy in Lua", { SCRIPTED }, "give its file: --policy FILE.lua", 2)
local twin = program.file("twin.lua", check.read_file(SHORT) .. "-- and more\n")
refused("another text", { SCRIPTED, "--policy", twin }, "is not the policy short-first", 2)
refused("a parameter beside the log", { PLAIN, "--param", "colocate=false" },
    "is in the input log", 2)
refused("a policy beside a decision log", { "--workload", "hsrtf", DECISIONS, "--policy", "fifo" },
    "cannot be given together with a decision log", 2)

-- A table among its parameters stands in the log as a number.
local TABLED = program.file("tabled.lua", [[
return { name = "tabled", model = "cluster",
         params = { weights = { default = { map = 1 }, doc = "d",
             shape = { type = "map", of = "integer" } } },
         key = { changes = "served", of = function(s, job, kind)
             return s:unfinished(job, kind) * s.params.weights.map
         end } }
]])
local TABLE_INPUTS = run("tabled", "--policy '" .. TABLED .. "'")
program.succeed("its own table", { "verify", TABLE_INPUTS, "--policy", TABLED })
program.succeed("the same table",
    { "verify", TABLE_INPUTS, "--policy", TABLED, "--param", 'weights={"map":1}' })
refused("another table",
    { TABLE_INPUTS, "--policy", TABLED, "--param", 'weights={"map":2}' },
    "refuses the event: PN_ERR_POLICY: ")

-- Texts of attributes stand in the head; these jobs have the first one.
local TEXTED = program.file("texted.lua", [[
return { name = "texted", model = "cluster",
         key = { changes = "served", of = function(s, job, kind)
             if s:attribute(job, "user", "none") ~= "none" then error "no text" end
             return s:unfinished(job, kind)
         end } }
]])
local TEXTED_INPUTS, TEXTED_DECISIONS = run("texted", "--policy '" .. TEXTED .. "'")
local function with_texts(name, texts)
    local texted = unchecked(TEXTED_INPUTS)
    texted[1] = texted[1]:gsub('"hooks"', '"attribute_names":["user"],' .. texts .. '"hooks"', 1)
        :gsub('"attributes":0', '"attributes":1', 1)
    return written(name, texted)
end
program.succeed("the same texts", { "verify", with_texts("texts",
    '"attribute_texts":[["none","ann"]],'), TEXTED_DECISIONS, "--policy", TEXTED })
refused("a number", { with_texts("number", ""), "--policy", TEXTED }, "no text")
refused("texts of another attribute", { with_texts("two", '"attribute_texts":[["a"],["b"]],'),
    "--policy", TEXTED }, "attribute_texts: expected an array of texts for each attribute")
refused("one text for all", { with_texts("one", '"attribute_texts":"a",'), "--policy", TEXTED },
    "attribute_texts: expected an array of texts for each attribute")
refused("a text for each", { with_texts("each", '"attribute_texts":["a"],'), "--policy", TEXTED },
    "attribute_texts: expected an array of at most 1048576 texts")
refused("numbers as texts", { with_texts("numbers", '"attribute_texts":[[1]],'), "--policy",
    TEXTED }, "attribute_texts: expected an array of texts")

check.done()
