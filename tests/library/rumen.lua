-- The reader of Rumen traces, on a small trace with the oddities of real ones: jobs one after
-- another that are not in order, tasks not by index, attempts that failed, tasks without any,
-- clocks that disagree, numbers beyond a double.

package.path = "tests/support/?.lua;" .. package.path
local pinion = require "pinion"
local check = require "check"
local program = require "program"
local core = require "pinion.core"

local TRACE, TOPOLOGY = "tests/data/rumen.json", "tests/data/rumen_topology.json"

local function show(value)
    if type(value) ~= "table" then return tostring(value) end
    local pieces = {}
    for i, element in ipairs(value) do pieces[i] = show(element) end
    return "[" .. table.concat(pieces, " ") .. "]"
end

local function opened(path, options)
    return pinion.trace.rumen(path, options):open {}
end

-- ---- the fixture --------------------------------------------------------------------------------

local made = opened(TRACE, { topology = TOPOLOGY })
local jobs = made.core:jobs(10)
check.equal("jobs", #jobs, 3)
check.equal("by submission, then by number", table.concat(made.names, " "),
    "job_1_4 job_1_9 job_1_10")
check.equal("times from the first submission, of a job that is dropped",
    jobs[1].submit .. " " .. jobs[2].submit .. " " .. jobs[3].submit,
    "5000 10000 10000")
check.equal("maps by index", show(jobs[2].map_times), "[2000 3500]")
check.equal("only what succeeded", jobs[2].maps .. " " .. jobs[2].reduces .. " " .. jobs[1].maps,
    "2 5 1")
check.equal("shuffles behind the last map", show(jobs[2].shuffle_times), "[0 500 0 0 1000]")
check.equal("work of reduces behind it", show(jobs[2].reduce_times), "[0 2000 1000 1000 0]")
check.equal("blocks by the topology", show(jobs[2].blocks), "[[3 0] [1 2]]")
check.equal("a host that it lacks", show(jobs[1].blocks), "[[2]]")
check.equal("no locations at all", jobs[3].blocks, nil)
check.equal("no reduces", show(jobs[3].reduce_times) .. jobs[3].reduces .. show(jobs[3].map_times),
    "nil0[700]")
check.equal("no noise in what was measured", jobs[2].map_ms, nil)
for name, want in pairs { rows = 6, failed = 1, unplaced = 1, empty = 1, lost_tasks = 2,
    waiting_ms = 127500, unknown_hosts = 1, hosts = 4,
                          jobs = 3 } do
    check.equal("counted " .. name, made.summary[name], want)
end

made = opened(TRACE)
check.equal("hosts seen", made.summary.hosts, 5)
check.equal("hosts by name", show(made.core:job(1).blocks) .. show(made.core:job(2).blocks),
    "[[4 2]][[3 0] [1 2]]")
check.equal("nodes that it suggests", pinion.trace.rumen(TRACE):default_settings().nodes[1].count,
    5)
check.equal("nodes of the topology",
    pinion.trace.rumen(TRACE, { topology = TOPOLOGY }):default_settings().nodes[1].count, 4)

made = opened(TRACE, { outcome = "all" })
check.equal("jobs that failed too", table.concat(made.names, " "),
    "job_1_2 job_1_4 job_1_9 job_1_10")
check.equal("what succeeded of them", show(made.core:job(1).map_times) .. made.core:job(1).submit,
    "[50]0")
check.equal("lost of them", made.summary.lost_tasks .. " " .. made.summary.failed, "3 0")

made = opened(TRACE, { blocks = "drawn", remote_ms = 250 })
check.equal("blocks to be drawn", made.core:job(2).blocks, nil)
check.equal("what a map takes longer elsewhere", made.core:job(2).remote_ms, 250)
check.equal("needs no node then", made.core:needs(), 0)

-- Plain or compressed, with a mark at its beginning, without blanks between the jobs.
local text = check.read_file(TRACE)
local packed = program.directory .. "/rumen.json.gz"
check.write_file(program.directory .. "/rumen.json", text)
os.execute(string.format("gzip -c '%s/rumen.json' >'%s'", program.directory, packed))
local function all_of(path)
    return show(opened(path).core:job(2).reduce_times) .. opened(path).core:count()
end
check.equal("compressed", all_of(packed), all_of(TRACE))
check.equal("a mark", all_of(check.temporary_file("\xEF\xBB\xBF\n \t\r\n" .. text)), all_of(TRACE))
check.equal("without blanks", all_of(check.temporary_file((text:gsub("\n", "")))), all_of(TRACE))

-- ---- what is refused ----------------------------------------------------------------------------

local function job(fields)
    local parts = {}
    for name, value in pairs { jobID = '"job_1_1"', submitTime = "5", outcome = '"SUCCESS"',
            mapTasks = "[]", reduceTasks = "[]" } do
        parts[#parts + 1] = string.format('"%s":%s', name, fields[name] or value)
    end
    return "{" .. table.concat(parts, ",") .. "}"
end

local function map(attempt, more)
    return string.format('[{"attempts":[{"result":"SUCCESS","startTime":10,"finishTime":20%s}]%s}]',
        attempt or "", more or "")
end

local function bad(name, bytes, wanted, options)
    local path = check.temporary_file(bytes)
    check.raises(name, path .. wanted, function() opened(path, options) end)
end

bad("an empty file", "", ": holds no jobs (expected JSON objects, one for each job)")
bad("blanks", " \n\n", ": holds no jobs")
bad("nothing left", job { outcome = '"FAILED"' } .. job { submitTime = "-1" },
    ": none of its 2 jobs is left (expected one that succeeded, with a map)")
bad("an array", "[" .. job {} .. "]", ":1: must be an object with a jobID, got an array")
bad("no job", job { mapTasks = map() } .. '\n\n{"name": "<root>"}',
    ":3: must be an object with a jobID, got an object")
bad("a number", job { mapTasks = map() } .. "\n7 ", ":2: must be an object with a jobID, got 7")
bad("null", "null ", ":1: must be an object with a jobID, got null")
bad("cut off", job { mapTasks = map() } .. '\n{"jobID":\n', ":3: the text ends too early")
bad("no JSON", job { mapTasks = map() } .. "\n{jobID}",
    ":2: unexpected 'jobID' (expected string or '}')")
bad("a key twice", '{"jobID":"a",\n"jobID":"b"}', ":2: a key appears twice")
bad("no submission", job { submitTime = "null" },
    ": job job_1_1: submitTime: must be an integer, got null")
bad("a text for a time", job { mapTasks = map ',"x":1' :gsub("20", '"20"') },
    ": job job_1_1: mapTasks[1].attempts[1].finishTime: must be an integer, got '20'")
bad("no tasks", job { mapTasks = "7" }, ": job job_1_1: mapTasks: must be an array, got 7")
bad("no task", job { mapTasks = "[7]" }, ": job job_1_1: mapTasks[1]: must be an object, got 7")
bad("no attempt", job { mapTasks = '[{"attempts":[7]}]' },
    ": job job_1_1: mapTasks[1].attempts[1]: must be an object, got 7")
bad("too long", job { mapTasks = map():gsub("20", "1099511627787") },
    ": job job_1_1: mapTasks[1].attempts[1]: lasts more than 2^40 ms")
bad("a location", job { mapTasks = map("", ',"preferredLocations":[{"layers":[]}]') },
    ": job job_1_1: mapTasks[1].preferredLocations[1].layers: must end with the name of a host")
bad("a reduce's time", job { mapTasks = map(), reduceTasks = map ',"shuffleFinished":true' },
    ": job job_1_1: reduceTasks[1].attempts[1].shuffleFinished: must be an integer, got true")
check.raises("no file", "/nowhere: cannot open: No such file or directory", opened, "/nowhere")
local bytes = check.read_file(packed)
check.raises("compressed and cut", "the compressed file ends too early", opened,
    check.temporary_file(bytes:sub(1, -20)))
check.raises("compressed and changed", "the compressed file is damaged", opened,
    check.temporary_file(bytes:sub(1, 500) .. ("x"):rep(40) .. bytes:sub(541)))

-- Whatever a file holds, it is read or refused in words that name it.
local seed = math.tointeger(os.getenv "PINION_TEST_SEED") or os.time()
math.randomseed(seed)
local HOSTILE = { "", "{", "}", "[", "]", "null", "-1", "0", "1e999", "9223372036854775808", '"',
    "\0", "\n", '"SUCCESS"', "true", "{}", ",", "\\" }
local path, odd = check.temporary_file "", 0
for _ = 1, 400 do
    local at = math.random(#text)
    local until_ = math.min(#text, at + math.random(0, 12))
    check.write_file(path, text:sub(1, at - 1) .. HOSTILE[math.random(#HOSTILE)]
        .. text:sub(until_))
    local ok, problem = pcall(opened, path, { topology = TOPOLOGY })
    if not ok and not tostring(problem):find(path, 1, true) then
        odd = odd + 1
        print(seed, problem)
    end
end
check.equal("changed files that are refused without their name", odd, 0)

local function bad_topology(name, bytes, wanted)
    local path = check.temporary_file(bytes)
    check.raises(name, path .. wanted, opened, TRACE, { topology = path })
end
bad_topology("an empty topology", "",
    ": is empty (expected a topology: an object of name and children)")
bad_topology("a host twice",
    '{"name":"r","children":[{"name":"/a/h","children":null},{"name":"h"}]}',
    ": names host 'h' twice")
bad_topology("no topology", "[]", ": holds an array (expected a topology")
bad_topology("children", '{"name":"r","children":7}', ": has children that are no array")
bad_topology("two of them", '{"name":"h"}{"name":"i"}', ": holds more than one value")

check.raises("an unknown outcome", "rumen: outcome: must be success or all, got 'failed'", opened,
    TRACE, { outcome = "failed" })
check.raises("an unknown option", "rumen: topologie: unknown option (did you mean 'topology'?)",
    opened, TRACE, { topologie = TOPOLOGY })
check.raises("no file name", "rumen: file: is required (the trace)", opened, nil)
check.raises("another model", "its jobs are of the cluster model",
    function() pinion.trace.rumen(TRACE):open { model = "slotted" } end)
check.raises("too few nodes",
        "the inputs of its maps lie on 4 nodes, the cluster has 2 (blocks=drawn places them anew)",
        function()
    pinion.trace.rumen(TRACE, { topology = TOPOLOGY }):open {
        nodes = { { count = 2, map_slots = 1, reduce_slots = 1, speed = 1000 } } }
end)
check.raises("no reduce slot", "its jobs have reduces, the cluster has no reduce slot", function()
    pinion.trace.rumen(TRACE, { blocks = "drawn" }):open {
        nodes = { { count = 2, map_slots = 1, reduce_slots = 0, speed = 1000 } } }
end)

-- ---- the program --------------------------------------------------------------------------------

local SPEC = string.format("rumen:%s,topology=%s", TRACE, TOPOLOGY)
local described =
    core.json_decode(program.succeed("a description", { "workload", SPEC, "--format", "json" }),
    "description")
for name, want in pairs { jobs = 3, map_only = 2, all_map_tasks = 4, all_reduce_tasks = 5,
    placed = 2, nodes = 4, map_slots = 8,
                          shuffle_work = 1500.0, span = 5000 } do
    check.equal("described " .. name, described[name], want)
end
check.equal("described map work", described.map_work.sum, 6300.0)
check.equal("described trace", described.trace.failed .. " " .. described.trace.waiting_ms,
    "1 127500")
check.contains("in words", program.succeed("a table", { "workload", SPEC, "--format", "table" }),
    "trace: jobs that did not succeed, dropped")
check.matches("numbers of tasks are whole",
    program.succeed("a table", { "workload", SPEC, "--format", "table" }),
    "\nmap tasks +1%.333 +0%.5774 +1 +1 +2 +2 +2\n")

-- As a scenario file, which gives the same jobs.
local scenario = program.succeed("a scenario", { "workload", SPEC, "--jobs", "--format", "json" })
local path = check.temporary_file(scenario)
local again =
    pinion.trace.scenario(path):open {
    nodes = { { count = 4, map_slots = 2, reduce_slots = 2, speed = 1000 } } }
check.equal("the same jobs", show(again.core:job(2).blocks)
    .. show(again.core:job(2).shuffle_times), "[[3 0] [1 2]][0 500 0 0 1000]")
check.equal("the same names", table.concat(again.names, " "), "job_1_4 job_1_9 job_1_10")
local _, messages, code = program.run { "workload", SPEC, "--format", "csv" }
check.equal("no lists in csv", code .. messages,
    "2pinion: job 1 has a list, map_times, and csv files have none (expected --format json)\n")

check.done()
