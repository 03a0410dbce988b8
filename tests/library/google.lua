-- The reader of Google's cluster trace, on two small parts: tasks that are scheduled again, jobs
-- that begin or end outside the parts.

package.path = "tests/support/?.lua;" .. package.path
local pinion = require "pinion"
local check = require "check"
local program = require "program"
local core = require "pinion.core"

local PARTS = { "tests/data/google_0.csv", "tests/data/google_1.csv" }

local function opened(file)
    return pinion.trace.google(file):open {}
end

local made = opened(PARTS)
local jobs = made.core:jobs(10)
check.equal("jobs", table.concat(made.names, " "), "100 103 106")
check.equal("times from the first event", jobs[1].submit .. " " .. jobs[2].submit .. " "
    .. jobs[3].submit, "999 4999 6499")
check.equal("a task from its last schedule, to the nearest ms",
    table.concat(jobs[1].map_times, " "), "5501 1000")
check.equal("tasks by index, over both parts", table.concat(jobs[2].map_times, " "), "4000 4000")
check.equal("updates change nothing", table.concat(jobs[3].map_times, " "), "400")
check.equal("maps only", jobs[1].maps .. " " .. jobs[1].reduces, "2 0")
check.equal("groups", made.groups[jobs[1].group + 1] .. " " .. made.groups[jobs[2].group + 1]
    .. " " .. #made.groups, "class 2 class 0 2")
for name, want in pairs { rows = 31, seen = 7, earlier = 2, unfinished = 2, tasks = 5, jobs = 3 } do
    check.equal("counted " .. name, made.summary[name], want)
end
check.equal("one part alone", opened(PARTS[2]).core:count(), 1)

local function line(time, job, index, event, more)
    return string.format("%s,,%s,%s,,%s,u,2,9,0.1,0.1,0,0%s\n", time, job, index, event, more or "")
end
local whole = line(5, 1, 0, 0) .. line(5, 1, 0, 1) .. line(9, 1, 0, 4)

local function bad(name, bytes, wanted)
    local path = check.temporary_file(bytes)
    check.raises(name, path .. wanted, opened, path)
end

bad("an empty file", "", ": holds no events (expected one on each line)")
bad("nothing whole", line(5, 1, 0, 0), ": none of its 1 jobs was submitted and finished in it")
bad("job events", "5,,1,0,u,2,name,name\n", ":1: 8 columns (expected 13, as task events have)")
bad("one column", whole .. "x\n", ":4: 1 column (expected 13")
bad("no columns", whole .. "\n", ":4: 1 column (expected 13")
bad("no time", whole .. line("", 1, 0, 0), ":4: column 1, the time: must be an integer, got ''")
bad("no integer", line(5, 1, "x", 0), ":1: column 4, the task's index: must be an integer, got 'x'")
bad("a long index", line(5, 1, ("9"):rep(30), 0),
    ":1: column 4, the task's index: must be an integer")
bad("no event", line(5, 1, 0, ""), ":1: column 6, the event: must be an integer, got ''")
bad("an unknown event", line(5, 1, 0, 9), ":1: column 6, the event: must be 0..8, got '9'")
bad("a late line", whole .. line(8, 1, 0, 0),
    ":4: column 1, the time: lies before that of the line above (expected at least 9, and parts in "
    .. "order), got 8")
bad("a large time", line("9223372036854775808", 1, 0, 0),
    ":1: column 1, the time: must be an integer below 2^63")
bad("line ends of others", whole:gsub("\n", "\r\n"), ":1: the line ends with a carriage return")
bad("too long", line(5, 1, 0, 0) .. line(5, 1, 0, 1) .. line((1 << 40) * 1000 + 1006, 1, 0, 4),
    ": job 1 has a task of more than 2^40 ms")
check.equal("a last line without its end",
    opened(check.temporary_file(whole:sub(1, -2))).core:count(), 1)
check.equal("as long as may be",
    opened(check.temporary_file(line(5, 1, 0, 0) .. line(5, 1, 0, 1)
    .. line((1 << 40) * 1000 + 5, 1, 0, 4))).core:count(), 1)
check.raises("parts in the wrong order", PARTS[1] .. ":1: column 1, the time: lies before", opened,
    { PARTS[2], PARTS[1] })
check.raises("no file", "/nowhere: cannot open", opened, "/nowhere")
check.raises("no name", "google: file: must be file names such as part-0.csv+part-1.csv, got ''",
    opened, "")
check.raises("names of another type", "google: file: must be file names", opened, { 7 })

-- Whatever a file holds, it is read or refused in words that name it.
local seed = math.tointeger(os.getenv "PINION_TEST_SEED") or os.time()
math.randomseed(seed)
local HOSTILE = { "", ",", "\n", "-1", "0", "9", "9223372036854775807", "9223372036854775808", "x",
    "\0", "\r", '"', ",,," }
local path, text, odd = check.temporary_file "", check.read_file(PARTS[1]), 0
for _ = 1, 400 do
    local at = math.random(#text)
    check.write_file(path, text:sub(1, at - 1) .. HOSTILE[math.random(#HOSTILE)]
        .. text:sub(at + math.random(0, 9)))
    local ok, problem = pcall(opened, path)
    if not ok and not tostring(problem):find(path, 1, true) then
        odd = odd + 1
        print(seed, problem)
    end
end
check.equal("changed files that are refused without their name", odd, 0)

-- The program: compressed parts, joined by +.
for i, part in ipairs(PARTS) do
    os.execute(string.format("gzip -c '%s' >'%s/%d.gz'", part, program.directory, i))
end
local spec = string.format("google:%s/1.gz+%s/2.gz", program.directory, program.directory)
local described =
    core.json_decode(program.succeed("a description", { "workload", spec, "--format", "json" }),
    "description")
for name, want in pairs { jobs = 3, map_only = 3, all_map_tasks = 5, groups = 2,
        reduce_slots = 0 } do
    check.equal("described " .. name, described[name], want)
end
check.equal("described work", described.map_work.sum, 14901.0)
check.equal("described trace", described.trace.earlier .. " " .. described.trace.unfinished, "2 2")

check.done()
