-- The reader of the Standard Workload Format: every field, headers, parts, options; random traces
-- against a second, naive reader; malformed and damaged files.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"
local program = require "program"

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED")) or os.time() & 0xFFFFFF
print("seed " .. seed .. " (PINION_TEST_SEED=" .. seed .. " repeats the random traces)")
math.randomseed(seed)

local FIELDS = 18

-- A line with these fields by number, and -1 in all others.
local function row(given)
    local values = {}
    for field = 1, FIELDS do values[field] = given[field] or -1 end
    return table.concat(values, " ") .. "\n"
end

local function write(bytes)
    return check.temporary_file(bytes)
end

local function opened(bytes, options, model)
    return pinion.trace.swf(write(bytes), options):open { model = model or "cluster" }
end

local function listed(bytes, options, model)
    return opened(bytes, options, model).core:jobs(100000)
end

-- ---- the mapping --------------------------------------------------------------------------------

local FULL = row { 7, 90, 3, 61, 4, 60.5, 1024, 8, 120, 2048, 1, 5, 6, 9, 2, 3, 6, 17 }

local job = listed(FULL)[1]
check.equal("submission in ms", job.submit, 90000)
check.equal("a map on each processor", job.maps, 4)
check.equal("a map lasts as the job ran", job.map_ms, 61000)
check.equal("no reduces", job.reduces, 0)
check.equal("the time that was asked for", job.est_map_ms, 120000)
check.equal("no more than these", job.group, 0)

job = listed(FULL, nil, "slotted")[1]
check.equal("slots of a minute", job.arrival, 2)
check.equal("units, rounded up", job.maps, 5) -- 244 s
check.equal("no estimates unless asked for", job.estimate_maps, nil)
job = listed(FULL, { slot = 61, estimates = true }, "slotted")[1]
check.equal("the second slot of 61 s", job.arrival, 2)
check.equal("exactly four units", job.maps, 4)
check.equal("480 s were asked for", job.estimate_maps, 8)
check.is_true("policies are told of estimates",
    opened(FULL, { estimates = true }, "slotted").estimates)

job = listed(row { 1, 0, 0, "1.5", -1, [8] = 3 })[1]
check.equal("requested processors where the others are not known", job.maps, 3)
check.equal("decimals", job.map_ms, 1500)
check.equal("no estimate", job.est_map_ms, nil)
for text, ms in pairs { ["0.0005"] = 1, ["0.9995"] = 1000, ["2.12345"] = 2123 } do
    check.equal("run time " .. text, listed(row { 1, 0, 0, text, 1 })[1].map_ms, ms)
end
check.equal("blanks of all kinds, and no last line feed",
    listed("\t1 0\t\t0 5 1" .. (" -1"):rep(13) .. "  \r\n ;comment\n\n" .. row { 2, 1, 0, 5, 1 }
        :sub(1, -2))[2].submit, 1000)

-- ---- groups and attributes ----------------------------------------------------------------------

local PEOPLE = row { 1, 0, 0, 5, 1, [11] = 1, [12] = 10, [13] = 1, [14] = 4, [15] = 0, [16] = 1 }
    .. row { 2, 1, 0, 5, 1, [11] = 0, [12] = 9, [13] = 1, [15] = 1, [16] = 2 }
    .. row { 3, 2, 0, 5, 1, [11] = 5, [13] = 1, [14] = 4, [15] = 1, [16] = 2 }
    .. row { 4, 3, 0, 5, 1, [11] = 7, [12] = 9, [13] = 1, [15] = 1, [16] = 1 }

for group, want in pairs {
    none = "/0 0 0 0", user = "user unknown,user 9,user 10/2 1 0 1", group = "group 1/0 0 0 0",
    application = "application unknown,application 4/1 0 1 0", queue = "queue 0,queue 1/0 1 1 1",
    partition = "partition 1,partition 2/0 1 1 0",
    status = "failed,completed,cancelled,status 7/1 0 2 3",
} do
    for _, model in ipairs { "cluster", "slotted" } do
        local made, numbers = opened(PEOPLE, { group = group }, model), {}
        for i, each in ipairs(made.core:jobs(10)) do numbers[i] = each.group or 0 end
        check.equal("groups by " .. group .. ", " .. model,
            table.concat(made.groups, ",") .. "/" .. table.concat(numbers, " "), want)
    end
end
check.equal("names of groups before the jobs",
    table.concat(pinion.trace.swf(write(PEOPLE), { group = "queue" }):group_names(), ","),
    "queue 0,queue 1")

local ATTRIBUTES = { job_number = 7, wait_s = 3, processors = 4, cpu_s = 60.5, memory_kb = 1024,
    requested_processors = 8, requested_s = 120, requested_memory_kb = 2048, status = 1, user = 5,
    user_group = 6, application = 9, queue = 2, partition = 3, preceding_job = 6, think_s = 17 }
for name, value in pairs(ATTRIBUTES) do
    for _, model in ipairs { "cluster", "slotted" } do
        check.equal(name .. ", " .. model, listed(FULL, { attributes = name }, model)[1][name],
            value + 0.0)
    end
end
local carried = opened(PEOPLE, { attributes = "user+queue" })
check.equal("their names, sorted", table.concat(carried.core:attributes(), ","), "queue,user")
check.equal("what is not known is -1", carried.core:job(3).user, -1.0)
check.equal("its neighbour", carried.core:job(3).queue, 1.0)

local by_user = pinion.run {
    model = "slotted", machines = 1, quiet = true,
    workload = pinion.trace.swf(write(PEOPLE), { slot = 1, attributes = "user" }),
    policy = pinion.policy [[return { name = "users", model = "slotted",
        key = { changes = "arrival", of = function(s, job) return s:attribute(job, "user") end } }]],
}
check.is_true("a policy sees them", by_user.jobs[3].finish < by_user.jobs[2].finish)

-- ---- which jobs are taken -----------------------------------------------------------------------

local MIXED = row { 1, 0, 0, 5, 1, [11] = 1 } .. row { 2, 1, 0, 5, 1, [11] = 0 }
    .. row { 3, 2, 0, 5, 1, [11] = 5 } .. row { 4, 3, 0, 5, 1 } .. row { 5, 4, 0, 5, 1, [11] = 6 }
    .. row { 6, 5, 0, 5, 1, [11] = 2 } .. row { 7, 6, 0, 5, 1, [11] = 4 }
    .. row { 8, 7, 0, 0, 1, [11] = 1 } .. row { 9, 8, 0, -1, 1, [11] = 5 }
    .. row { 10, 9, 0, 5, 0, [11] = 1 } .. row { 11, -1, 0, 5, 1, [11] = 1 }
    .. row { 12, 8, 0, 5, -1, [8] = 2, [11] = 1 }

local function taken(options)
    local made, places = opened(MIXED, options), {}
    for i, each in ipairs(made.core:jobs(100)) do places[i] = each.submit // 1000 end
    return table.concat(places, " "), made.summary
end

for status, want in pairs { ran = "0 1 2 3 4 8", completed = "0 8", failed = "1", cancelled = "2",
    unknown = "3", ["completed+failed"] = "0 1 8", ["unknown+cancelled+ran"] = "0 1 2 3 4 8" } do
    check.equal("status=" .. status, (taken { status = status }), want)
end
check.equal("rows from the second on", (taken { first = 2, jobs = 3 }), "1 2 3")
check.equal("all of the rest", (taken { first = 5 }), "4 8")

local _, summary = taken {}
for name, want in pairs { rows = 12, jobs = 6, executions = 2, other_status = 0, no_run = 2,
    no_processors = 1, unplaced = 1, requested = 1, unsorted = 0, processor_s = 35.0 } do
    check.equal("counted: " .. name, summary[name], want)
end
_, summary = taken { status = "completed" }
check.equal("others by status", summary.other_status, 5)

local SWAPPED = row { 1, 9, 0, 5, 1 } .. row { 2, 3, 0, 6, 2 } .. row { 3, 9, 0, 7, 3 }
    .. row { 4, 3, 0, 8, 4 }
local sorted, order = opened(SWAPPED, { attributes = "job_number" }), {}
for i, each in ipairs(sorted.core:jobs(10)) do
    order[i] = string.format("%d:%d:%d", each.submit, each.maps, each.job_number)
end
check.equal("sorted, ties as they stand, attributes with their jobs", table.concat(order, " "),
    "3000:2:2 3000:4:4 9000:1:1 9000:3:3")
check.equal("which is said", sorted.summary.unsorted, 2)

-- ---- headers and parts --------------------------------------------------------------------------

local HEADER = "; Version: 2.2\n;Computer:  A \"thing\"\n; MaxNodes: 3\n; MaxProcs: 8\n"
    .. "; Note: none: of these\n; UnixStartTime: 1000\n; MaxProcs: 99\n\n"
local headed = pinion.trace.swf(write(HEADER .. FULL .. "; MaxRuntime: 5\n"))
local facts = headed:facts()
check.equal("text", facts.Computer, 'A "thing"')
check.equal("a number", facts.UnixStartTime, 1000)
check.equal("the first of two", facts.MaxProcs, 8)
check.equal("no prose", facts.Note, nil)
check.equal("nothing behind the jobs", facts.MaxRuntime, nil)

local suggested = headed:default_settings("cluster").nodes
check.equal("two nodes with one more", suggested[1].count .. "x" .. suggested[1].map_slots, "2x3")
check.equal("one with fewer", suggested[2].count .. "x" .. suggested[2].map_slots, "1x2")
check.equal("machines are processors", headed:default_settings("slotted").machines, 8)
check.equal("nothing where nobody says",
    next(pinion.trace.swf(write(FULL)):default_settings("cluster")), nil)
local nodes_only = pinion.trace.swf(write("; MaxNodes: 5\n" .. FULL))
check.equal("nodes of one processor", nodes_only:default_settings("cluster").nodes[1].map_slots, 1)

-- Parts one after the other, counted from the same moment.
local function joined(second, options)
    local paths = { write(HEADER .. FULL), write(second) }
    local made = pinion.trace.swf(paths, options):open { model = "cluster" }
    local spec = pinion.workload.spec("swf:" .. paths[1] .. "+" .. paths[2])
    check.equal("as a text", spec:open({ model = "cluster" }).core:count(),
        made.core:count())
    return made.core:job(2).submit
end
check.equal("its own start", joined("; UnixStartTime: 1100\n" .. FULL), 190000)
check.equal("no start of its own", joined(FULL), 90000)
check.raises("only the second says", "has UnixStartTime, and the first part has none",
    function()
        pinion.trace.swf({ write(FULL), write(HEADER .. FULL) }):open { model = "cluster" }
    end)
check.raises("before the first begins", ":2: the job is submitted before the first part begins",
    joined, "; UnixStartTime: 900\n" .. FULL)

-- ---- random traces, read once more --------------------------------------------------------------

local function random_fields()
    local chance = math.random
    return { chance(1, 99), chance(1, 20) == 1 and -1 or chance(0, 5000), chance(0, 99),
        chance(1, 8) == 1 and chance(-1, 0) or chance(1, 9000), chance(1, 6) == 1 and -1
            or chance(0, 40), chance(0, 99) / 4, -1, chance(-1, 9), chance(-1, 5000), -1,
        chance(-1, 6), chance(-1, 12), 1, -1, chance(0, 2), -1, -1, -1 }
end

-- By the rules of docs/workloads.md, written down once more.
local function naive(rows, slot)
    local jobs = {}
    for place, f in ipairs(rows) do
        local processors = f[5] > 0 and f[5] or f[8]
        local part = f[11] >= 2 and f[11] <= 4
        if not part and f[2] >= 0 and f[4] > 0 and processors > 0 then
            jobs[#jobs + 1] = { place = place, submit = f[2] * 1000, maps = processors,
                map_ms = f[4] * 1000, est = f[9] > 0 and f[9] * 1000 or nil,
                arrival = 1 + f[2] // slot, units = -(-processors * f[4] // slot),
                user = f[12] }
        end
    end
    table.sort(jobs, function(a, b)
        if a.submit ~= b.submit then return a.submit < b.submit end
        return a.place < b.place
    end)
    return jobs
end

local function check_random(run)
    local rows, lines, slot = {}, {}, math.random(1, 600)
    for i = 1, math.random(1, 400) do
        rows[i] = random_fields()
        lines[i] = row(rows[i])
    end
    local want, bytes = naive(rows, slot), table.concat(lines)
    if #want == 0 then return end
    local cluster = listed(bytes, { attributes = "user" })
    local slotted = listed(bytes, { slot = slot }, "slotted")
    check.equal(run .. ": jobs", #cluster, #want)
    for i, each in ipairs(want) do
        local got = cluster[i]
        check.equal(string.format("%s: job %d", run, i),
            string.format("%s %s %s %s %s, %s %s", got.submit, got.maps, got.map_ms, got.est_map_ms,
                got.user, slotted[i].arrival, slotted[i].maps),
            string.format("%s %s %s %s %s, %s %s", each.submit, each.maps, each.map_ms, each.est,
                each.user + 0.0, each.arrival, each.units))
    end
end
for run = 1, 25 do check_random("trace " .. run) end

-- ---- errors -------------------------------------------------------------------------------------

local function bad(bytes, wanted, options)
    local path = write(bytes)
    local ok, message = pcall(function()
        return pinion.trace.swf(path, options):open { model = "cluster" }
    end)
    check.equal("no jobs for " .. wanted, ok, false)
    check.contains("message", tostring(message), path .. wanted)
end
local fine = row { 1, 5, 0, 5, 1 }

bad("", ": holds no jobs (expected one in each line, as 18 numbers)")
bad("; only: comments\n\n", ": holds no jobs")
bad(fine .. "1 2 3\n", ":2: 3 fields (expected 18 numbers, separated by blanks)")
bad(fine:sub(1, -5) .. "\n", ":1: 17 fields (expected 18")
bad("7\n", ":1: 1 field (expected 18")
bad(fine:sub(1, -2) .. " 7\n", ":1: 19 fields (expected 18")
bad("; c\n" .. row { 1, 5, 0, "5s", 1 },
    ':2: field 4, run time: "5s" (expected a number below 2^53, -1 where it is not known)')
bad(row { 1, 5, 0, "1e3", 1 }, ':1: field 4, run time: "1e3"')
bad(row { 1, 5, 0, "5.", 1 }, ':1: field 4, run time: "5."')
bad(row { 1, 5, 0, ".5", 1 }, ':1: field 4, run time: ".5"')
bad(row { 1, 5, 0, "--5", 1 }, ':1: field 4, run time: "--5"')
bad(row { 1, 5, 0, "+5", 1 }, ':1: field 4, run time: "+5"')
bad(row { 1, "NaN", 0, 5, 1 }, ':1: field 2, submit time: "NaN"')
bad(row { 1, 5, 0, 5, "9007199254740992" }, ':1: field 5, processors: "9007199254740992"')
bad(row { 1, 5, 0, 5, ("9"):rep(100) }, ':1: field 5, processors: "' .. ("9"):rep(40) .. '..."')
bad(row { 1, 5, 0, 5, "1.5" },
    ':1: field 5, processors: "1.5" (expected an integer, -1 where it is not known)')
bad(row { 1, 5, 0, 5, 1, [18] = "x\1" }, ':1: field 18, think time: "x?"')
bad(fine:sub(1, -2) .. "\0\n", ":1: the line holds a null byte (expected text)")
bad(row { 1, 5, 0, 5, 1048577 }, ":1: the job has more than 2^20 processors")
bad(row { 1, 5, 0, 1099511628, 1 }, ":1: the job runs, or asks for, more than 2^40 ms")
bad(row { 1, 5, 0, 5, 1, [9] = 1099511628 }, ":1: the job runs, or asks for, more than 2^40 ms")
bad(row { 1, 9007199254741, 0, 5, 1 }, ":1: the job is submitted before the first part begins, or "
    .. "after 2^53 ms")
bad(row { 1, 5, 0, 0, 1 } .. row { 2, 5, 0, 5, 0 },
    ": none of its 2 jobs is left (expected one that ran on processors")
bad(fine, ": holds 1 jobs (expected at least 2, as `first` says)", { first = 2 })
bad(("x"):rep((1 << 24) + 1), ":1: the line is too long (expected at most 16 MiB)")

local many = {}
for user = 1, 4097 do many[user] = row { user, 5, 0, 5, 1, [12] = user } end
bad(table.concat(many),
    ": field 12, user: 4097 different ones (expected at most 4096 groups, as statistics are kept "
    .. "of each)", { group = "user" })
check.equal("without groups", opened(table.concat(many)).core:count(), 4097)

local function wrong(options, wanted)
    check.raises(wanted, wanted, pinion.trace.swf, "a.swf", options)
end
wrong({ group = "users" }, "group: must be none or user or group or application or queue or "
    .. "partition or status or size, got 'users' (did you mean 'user'?)")
wrong({ status = "complete" }, "status: must be ran or completed or failed or cancelled or "
    .. "unknown, got 'complete' (did you mean 'completed'?)")
wrong({ status = "failed+failed" }, "status: names failed twice")
wrong({ attributes = "user+qeue" }, "(did you mean 'queue'?)")
wrong({ attributes = "" }, "attributes: must be ")
wrong({ attributes = "user+queue+status+cpu_s+wait_s+think_s+processors+memory_kb+partition" },
    "attributes: must be at most 8 of them, got 9")
wrong({ jobs = 0 }, "jobs: must be an integer >= 1")
check.raises("an option of the slotted model", "slot: is an option of the slotted model",
    function() pinion.trace.swf(write(fine), { slot = 5 }):open { model = "cluster" } end)
check.raises("no such file", "/nonexistent: cannot open: No such file or directory",
    function() pinion.trace.swf("/nonexistent"):open { model = "cluster" } end)

local pipe = program.directory .. "/pipe"
assert(os.execute("mkfifo '" .. pipe .. "'"))
for _, name in ipairs { pipe, program.directory } do
    check.raises("no plain file", name .. ": is a pipe or a directory (expected a plain file, "
        .. "which may be compressed)", function() pinion.trace.swf(name):facts() end)
end

-- ---- damaged files ------------------------------------------------------------------------------

-- Never anything but jobs or a message that names the file.
local function check_damaged(what, path)
    local ok, made = pcall(function()
        return pinion.trace.swf(path, { group = "user", attributes = "user" })
            :open { model = "cluster" }.core:count()
    end)
    if ok then
        check.is_true(what .. ": jobs", made >= 1)
    else
        check.contains(what, tostring(made), path)
        check.is_true(what .. ": a message of the reader", not tostring(made):find "stack traceback"
            and not tostring(made):find "%.lua:%d")
    end
end

local function mutated(bytes)
    local pieces = { "", " ", "-", ".", ";", "\n", "\0", "\255", "9", "-1 ", "1e9 ", "\t", "\r",
        "999999999999999999999 " }
    for _ = 1, math.random(1, 6) do
        local at, cut = math.random(0, #bytes), math.random(0, 3)
        bytes = bytes:sub(1, at) .. pieces[math.random(#pieces)] .. bytes:sub(at + cut + 1)
    end
    return bytes
end
for run = 1, 400 do
    check_damaged("mutation " .. run, write(mutated(HEADER .. PEOPLE .. FULL)))
end

local function zipped(bytes)
    local path = write(bytes)
    assert(os.execute("gzip -c '" .. path .. "' >'" .. path .. ".gz'"))
    return path .. ".gz"
end
local LONG = HEADER .. PEOPLE:rep(500)
local whole = zipped(LONG)
check.equal("gzip'ed", pinion.trace.swf(whole):open({ model = "cluster" }).core:count(), 2000)
check.equal("its header", pinion.trace.swf(whole):facts().MaxNodes, 3)
local packed = check.read_file(whole)
local short = write(packed:sub(1, #packed // 2))
check.raises("cut off", "the compressed file ends too early", function()
    pinion.trace.swf(short):open { model = "cluster" }
end)
for run = 1, 100 do check_damaged("damaged gzip " .. run, write(mutated(packed))) end

-- ---- on the command line ------------------------------------------------------------------------

local path = program.file("small.swf", HEADER .. PEOPLE)
local spec = "swf:" .. path
local described = program.succeed("description", { "workload", spec, "--model", "cluster" })
check.matches("the header", described, "header: MaxProcs +8\n")
check.matches("counted", described, "trace: processor seconds of the jobs +20\n")
local _, notice = program.run { "simulate", "--model", "slotted", "--policy", "fifo", "--workload",
    spec .. ",status=failed" }
check.contains("what is left out", notice, path .. ": 4 jobs: 3 of another status are dropped")
local jobs = program.file("small.csv", program.succeed("jobs", { "workload", spec, "--model",
    "cluster", "--jobs", "--format", "csv" }))
local function digest(workload)
    return program.digest(workload, { "simulate", "--model", "cluster", "--policy", "fifo", "--set",
        "nodes=3x2x0", "--workload", workload, "--quiet" })
end
check.equal("the same as a list of jobs", digest(spec), digest("csv:" .. jobs))

check.done()
