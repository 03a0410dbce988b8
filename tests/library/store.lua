-- Stores of finished units: a command with a store prints what it prints without one, to the last
-- byte, whatever is there already, and runs only what is missing.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local json = require "pinion.base.json"
local pinion = require "pinion"
local store_of = require "pinion.base.store"

local FOLDER = check.directory() .. "/store"

local function empty()
    os.execute("rm -rf '" .. FOLDER .. "'")
    return FOLDER
end

-- Finished units, of these new since it was asked last; and failed ones.
local seen = 0
local function count_units()
    local counts = assert(core.store_open(FOLDER)):counts()
    local new = counts.lines - seen
    seen = counts.lines
    return counts.units, new, counts.failed, counts
end

local function with(options, more)
    local made = {}
    for key, value in next, options do made[key] = value end
    for key, value in next, more do made[key] = value end
    made.quiet = true
    return made
end

local function run(options)
    return (options.over and pinion.sweep or pinion.compare)(options)
end

-- All that is written of a result.
local function texts(made)
    local path, all = check.directory() .. "/result", { tostring(made) }
    for _, format in ipairs { "json", "csv", "long" } do
        made[format](made, path)
        all[#all + 1] = check.read_file(path)
    end
    return table.concat(all, "\n")
end

-- ---- the same with a store ----------------------------------------------------------------------

local CASES = {
    { "slotted", { workload = "zheng:0,slots=50", machines = 100, replicas = 3,
        policies = { "fifo", "srpt", "fair" }, bounds = "tight", metrics = { "slowdown" } }, 12 },
    { "slotted, once", { workload = "zheng:0,slots=50", machines = 100,
        policies = { "fifo", "srpt" }, timeline = 20 }, 3 },
    { "slotted, stopped", { workload = "zheng:0,slots=50", machines = 50, until_slot = 40,
        policies = { "fifo", "srpt" }, replicas = 2 }, 6 },
    { "tandem", { workload = "lin,jobs=300", policies = { "fcfs", "maxsrpt" }, replicas = 3,
        bounds = "tight" }, 9 },
    { "tandem, once", { workload = "lin,jobs=300", policies = { "fcfs", "klps" } }, 3 },
    { "makespan", { workload = "rand_few", policies = { "fifo", "neh", "mk_jr" }, replicas = 3 },
        9 },
    { "makespan, once", { workload = "rand_few,jobs=4", policies = { "fifo", "neh" },
        bounds = "tight" }, 2 },
    { "cluster", { workload = "hsrtf", policies = { "fifo", "hsrtf-pr" }, replicas = 2 }, 6 },
    { "cluster, once", { workload = "rtmr,jobs=30", policies = { "rtmr", "dc" } }, 3 },
    { "dag", { workload = "dag,jobs=20", policies = { "fifo", "drf" }, replicas = 2 }, 6 },
    { "dag, once", { workload = "dag,jobs=20", policies = { "fifo", "tetris" } }, 3 },
    { "a policy in Lua", { workload = "zheng:0,slots=50", machines = 100,
        policies = { "policies/slotted/fair.lua", "fair" }, replicas = 2 }, 6 },
    { "a sweep", { workload = "zheng:0,slots=50", replicas = 3, policies = { "fifo", "srpt" },
        over = { machines = { 100, 120 }, error = { "constant(1)", "lognormal(1,1)" } } }, 36 },
    { "a sweep, once", { workload = "rand_few", policies = { "fifo", "uaas" },
        over = { slots = { "20x20", "30x10" } } }, 4 },
}
for _, case in ipairs(CASES) do
    local name, options, units = table.unpack(case)
    local plain = texts(run(with(options, {})))
    seen = 0
    empty()
    check.equal(name .. ": with a store", texts(run(with(options, { store = FOLDER }))), plain)
    check.equal(name .. ": its units", (count_units()), units)
    check.equal(name .. ": again", texts(run(with(options, { store = FOLDER, processes = 1 }))),
        plain)
    check.equal(name .. ": only what is stored",
        texts(run(with(options, { store = FOLDER, only_stored = true }))), plain)
    check.equal(name .. ": nothing is run again", select(2, count_units()), 0)
end
-- A result of one replica is whole in other processes, too.
for _, workload in ipairs { "dag,jobs=20", "hsrtf", "rand_few", "lin,jobs=300" } do
    local options = { workload = workload, policies = { "fifo", workload:find "lin" and "fcfs"
        or workload:find "few" and "neh" or "fair" } }
    if workload:find "lin" then options.policies[1] = "klps" end
    check.equal("processes and " .. workload, texts(run(with(options, { processes = 2 }))),
        texts(run(with(options, {}))))
end

-- ---- what a key holds ---------------------------------------------------------------------------

seen = 0
empty()
local BASE = { workload = "zheng:0,slots=30", machines = 40, policies = { "fifo", "srpt" },
    replicas = 4, bounds = "none", store = FOLDER }
-- How many units a change of the base costs.
local function cost(more)
    run(with(BASE, more))
    return (select(2, count_units()) - 0)
end
-- Lines that are no units: one for each process that has stored something.
local function cost_of(name, more, expected)
    local before = count_units()
    run(with(BASE, more))
    check.equal("cost of " .. name, count_units() - before, expected)
end
cost {}
cost_of("nothing", {}, 0)
cost_of("twice the replicas", { replicas = 8 }, 8)
cost_of("another policy", { policies = { "fifo", "srpt", "fair" } }, 4)
cost_of("another order", { policies = { "fair", "srpt", "fifo" }, baseline = "srpt" }, 0)
cost_of("bounds", { bounds = "fast" }, 4)
cost_of("tight bounds", { bounds = "tight" }, 4)
cost_of("bounds with another first policy", { bounds = "fast", policies = { "srpt", "fifo" } }, 4)
cost_of("other machines", { machines = 50 }, 8)
cost_of("the same machines in a sweep", { over = { machines = { 40, 50 } } }, 0)
cost_of("another seed", { seed = 2 }, 8)
cost_of("another generator", { workload = "zheng:0,slots=31" }, 8)
cost_of("the same in other words", { workload = "zheng,setting=0,slots=30,rate=2.0" }, 0)
cost_of("errors", { error = "lognormal(1,1)" }, 8)
cost_of("a warm-up", { warmup = 5 }, 8)
cost_of("a metric", { metrics = { "slowdown" } }, 8)
cost_of("a limit", { until_slot = 100 }, 8)
cost_of("one replica", { replicas = 1 }, 2)
cost_of("another one", { replicas = 1, replica = 3 }, 2)
cost_of("a default", { policies = { "fair" }, params = { starvation = 1 } }, 0)

-- A policy's file is its text.
local policy = check.read_file "policies/slotted/fair.lua"
check.write_file(FOLDER .. "1.lua", policy)
check.write_file(FOLDER .. "2.lua", policy)
check.write_file(FOLDER .. "3.lua", policy .. "\n")
cost_of("a file", { policies = { FOLDER .. "1.lua" } }, 4)
cost_of("its copy", { policies = { FOLDER .. "2.lua" } }, 0)
cost_of("another text", { policies = { FOLDER .. "3.lua" } }, 4)
-- A trace is what is in it.
local jobs = "arrival,maps,reduces\n1,4,2 3\n2,1,5\n5,3,1 1\n"
check.write_file(FOLDER .. "1.csv", jobs)
check.write_file(FOLDER .. "2.csv", jobs)
check.write_file(FOLDER .. "3.csv", jobs .. "6,1,1\n")
cost_of("a trace", { workload = "csv:" .. FOLDER .. "1.csv", replicas = 1 }, 2)
cost_of("its copy", { workload = "csv:" .. FOLDER .. "2.csv", replicas = 1 }, 0)
cost_of("other jobs", { workload = "csv:" .. FOLDER .. "3.csv", replicas = 1 }, 2)
cost_of("a list", { workload = { { arrival = 1, maps = 3, reduces = { 2 } } }, replicas = 1 }, 2)
cost_of("the same list", { workload = { { arrival = 1, maps = 3, reduces = { 2 } } },
    replicas = 1 }, 0)
cost_of("another list", { workload = { { arrival = 1, maps = 4, reduces = { 2 } } },
    replicas = 1 }, 2)

local function digests(made)
    local found = {}
    for i, row in ipairs(made.rows) do found[i] = row.digest end
    return table.concat(found, " ")
end

-- What makes a difference without a store does so with one that has the first one's units.
local function apart(name, options, first, second)
    first, second = with(options, first), with(options, second)
    empty()
    run(with(first, { store = FOLDER }))
    local alone = run(second)
    check.is_true(name .. " makes a difference", digests(run(first)) ~= digests(alone))
    check.equal(name .. " tells units apart", digests(run(with(second, { store = FOLDER }))),
        digests(alone))
end
local TWO <const> = { workload = "zheng:0,slots=100", machines = 20, replicas = 2,
    policies = { "fifo", "srpt", "dspt" } }
local function jobs_of(more)
    return with(TWO, { workload = TWO.workload .. "," .. more })
end
apart("a mixture of errors", TWO, { error = "mixture(0.9,exp(2),0.1,exp(50))" },
    { error = "mixture(0.5,exp(2),0.5,exp(50))" })
apart("a mixture of sizes", {}, jobs_of "maps=mixture(0.9,exp(2),0.1,exp(50))",
    jobs_of "maps=mixture(0.5,exp(2),0.5,exp(50))")
apart("a process of arrivals", {}, jobs_of "arrivals=mmpp(1,50,9,5)",
    jobs_of "arrivals=mmpp(2,50,9,5)")
-- The adversary goes by the policy that it watches, whose parameters no other policy has.
local WATCHED <const> = { workload = "theorem2:4,against=klps", policies = { "fcfs", "klps" } }
apart("a parameter of a policy that is watched", WATCHED, { params = { k = 1 } },
    { params = { k = 100 } })

-- A result shows the words of the command that asks for it.
do
    local first, second = with(TWO, { replicas = 1 }), with(TWO, { replicas = 1,
        workload = "zheng,setting=0,slots=100" })
    empty()
    run(with(first, { store = FOLDER }))
    check.equal("the same workload in other words", tostring(run(with(second,
        { store = FOLDER })).rows[1].result), tostring(run(second).rows[1].result))
end

-- A file that is written to between two commands of one process has other values.
local function written(name, path, options, first, second)
    empty()
    check.write_file(path, first)
    run(with(options, { store = FOLDER }))
    check.write_file(path, second)
    local alone = digests(run(options))
    check.equal(name .. " that was written to", digests(run(with(options, { store = FOLDER }))),
        alone)
    check.write_file(path, first)
    check.is_true(name .. " makes a difference", digests(run(options)) ~= alone)
end
local file <const> = FOLDER .. ".file"
written("a file of errors", file, with(TWO, { error = "empirical(" .. file .. ")" }), "1\n2\n30\n",
    "1\n1\n1\n")
written("a file of sizes", file, jobs_of("maps=empirical(" .. file .. ")"), "1\n2\n30\n",
    "1\n1\n1\n")
written("a file of rates", file, jobs_of("arrivals=rates(" .. file .. ")"), "0 1\n50 2\n",
    "0 1\n50 9\n")
written("a trace", file, with(TWO, { workload = "csv:" .. file, replicas = 1 }),
    "arrival,maps,reduces\n1,4,2\n", "arrival,maps,reduces\n1,400,2\n")
written("a policy's file that is watched", file .. ".lua", { workload = "theorem2:4,against="
    .. file .. ".lua", policies = { "fcfs", "maxsrpt" } },
    check.read_file "policies/tandem/johnson.lua", check.read_file "policies/tandem/fcfs.lua")

-- Parameters and attributes may be called what the library calls something of its own.
local texted <const> = pinion.policy [[
return { name = "texted", model = "slotted",
    params = { text = { default = 1, min = 0, max = 9, doc = "the direction" } },
    key = { changes = "served", of = function(s, job)
        return (s.params.text - 5) * s:maps_left(job)
    end },
}]]
apart("a parameter called text", TWO, { policies = { texted }, params = { text = 2 } },
    { policies = { texted }, params = { text = 9 } })
local heavy <const> = pinion.policy [[
return { name = "heavy", model = "slotted",
    key = { changes = "served", of = function(s, job) return s:attribute(job, "text") end },
}]]
local function carrying(first, second)
    return { attributes = { text = 1 }, workload = { { arrival = 1, maps = 9, text = first },
        { arrival = 1, maps = 5, text = second } } }
end
apart("an attribute called text", { machines = 1, policies = { heavy } }, carrying(1, 2),
    carrying(2, 1))

-- Lists of jobs are what is in them, in each model and whatever file they are read from.
for workload, names in next, { ["zheng:0,slots=20"] = "fifo,fair", ["rand_few,jobs=4"] = "fifo,neh",
    ["lin,jobs=9"] = "fcfs,klps", ["hsrtf"] = "fifo,fair", ["dag,jobs=9"] = "fifo,drf" } do
    local copies = { FOLDER .. ".1.json", FOLDER .. ".2.json" }
    for _, copy in ipairs(copies) do
        program.run { "workload", workload, "--jobs", "--format", "json", "--output", copy }
    end
    local function compared(copy, ...)
        return program.succeed("jobs of " .. workload, { "compare", copy, "--policies", names,
            "--quiet", ... })
    end
    local alone = compared(copies[1])
    empty()
    check.equal("listed jobs of " .. workload, compared(copies[1], "--store", FOLDER), alone)
    check.equal("a copy of " .. workload, compared(copies[2], "--store", FOLDER, "--only-stored"),
        alone)
end

-- Functions have no content that could be told.
local function fails(name, options, message)
    local ok, problem = pcall(run, with(BASE, options))
    check.equal(name .. " fails", ok, false)
    check.contains(name, tostring(problem), message)
end
local double = { double = function(job) return 2 * job.flow_time end }
fails("a function", { metrics = double },
    "store: metrics: double is a function of this script")
cost_of("a function with a name", { metrics = double, store_key = "double, 1" }, 8)
cost_of("another name", { metrics = double, store_key = "double, 2" }, 8)
fails("a generator", { workload = function(g) g:job { arrival = 1, maps = 1 } end, replicas = 1 },
    "store: the workload is a function of this script")

-- ---- failures -----------------------------------------------------------------------------------

empty()
seen = 0
local flag = FOLDER .. ".flag"
os.remove(flag)
local shaky = { metrics = { shaky = function(job)
    if job.id == 7 and not io.open(flag) then error "the seventh" end
    return job.flow_time
end }, store_key = "shaky" }
fails("a failing unit", shaky, "the seventh")
check.equal("all of them failed", select(3, count_units()), 8)
fails("a stored failure", shaky, "(stored as failed; --retry repeats it)")
check.equal("it is not run again", select(2, count_units()), 0)
check.write_file(flag, "")
local unstored = with(BASE, { metrics = { shaky = function(job) return job.flow_time end } })
unstored.store = nil
check.equal("run again", tostring(run(with(BASE, with(shaky, { retry = true })))),
    tostring(run(unstored)))
check.equal("nothing failed", select(3, count_units()), 0)

-- A unit that no process survives is one that failed; the others are there.
empty()
local deadly = { metrics = { deadly = function(job)
    if job.id == 3 and job.maps == 5 then os.execute "kill -9 $PPID" end
    return job.flow_time
end }, store_key = "deadly", processes = 2, replicas = 6, bounds = "none",
    workload = "zheng:0,slots=30,maps=constant(5)" }
local ok, problem = pcall(run, with(BASE, deadly))
check.equal("a deadly unit", ok, false)
check.matches("which one", tostring(problem), "the process that ran replica %d was lost: killed by "
    .. "signal 9 %(Killed%), as the one before it %(stored as failed; %-%-retry repeats it%)$")
-- A part of one process survives it, too: an engine would start it again for ever.
empty()
ok, problem = pcall(run, with(BASE, with(deadly, { processes = 1, shard = "1/2" })))
check.equal("a part with a deadly unit", ok, false)
check.contains("says so", tostring(problem), "units failed (--retry repeats them)")

-- ---- the command line ---------------------------------------------------------------------------

local ARGS = { "sweep", "--workload", "zheng:0,slots=40", "--over", "machines=20,40,60",
    "--policies", "fifo,srpt", "--replicas", "5", "--quiet" }
local function call(...)
    local output, messages, code = program.run(program.joined(ARGS, { ... }))
    return output, messages, code
end
local plain = call()
for _, parts in ipairs { 1, 2, 7, 40 } do
    seen = 0
    empty()
    for part = 1, parts do
        local output, messages, code = call("--store", FOLDER, "--shard", part .. "/" .. parts)
        check.equal(string.format("part %d of %d prints nothing", part, parts),
            output .. messages .. code, "0")
    end
    local _, lines, _, counts = count_units()
    check.equal("together they are all", counts.units, 45)
    check.equal("and nothing twice", counts.duplicates, 0)
    check.equal("gathered from " .. parts, call("--store", FOLDER), plain)
    check.is_true("some lines", lines > 45)
end
local last = select(2, call("--store", FOLDER, "--shard", "3/2"))
check.equal("no such part", last,
    "pinion: --shard: must be PART/PARTS such as 7/100, got '3/2'\n")

empty()
local output, messages, code = call("--store", FOLDER, "--shard", "1/3")
check.equal("a part", output .. messages .. code, "0")
output, messages, code = call("--store", FOLDER, "--only-stored")
check.equal("what is missing", output .. messages .. code,
    "pinion: " .. FOLDER .. ": 30 of 45 units are missing\n1")
output = call("--store", FOLDER, "--dry-run", "--format", "table", "--shard", "2/5", "--cores",
    "10")
check.matches("what there is to do", output, "^units +45 %(3 cells, 5 replicas, 2 policies, and "
    .. "bounds%)\nstored +15\nfailed +0\nmissing +30\n"
    .. "time +[%d.]+ m?s on one core: [%de.-]+ s per unit, the mean of 10 stored units\n"
    .. " +[%d.]+ m?s on 10 cores, and [%d.]+ m?s to gather the results"
    .. "\npart +2 of 5: 3 missing, 0 failed\nparts +1 complete; incomplete: 2%-5\n$")
local survey = core.json_decode(call("--store", FOLDER, "--dry-run"), "dry run")
check.equal("as JSON", survey.stored + survey.missing, survey.units)
output = call("--store", FOLDER .. "-none", "--dry-run", "--format", "table")
check.contains("of nothing", output, "missing   45\n")
check.equal("it makes no folder", io.open(FOLDER .. "-none"), nil)

-- The same commands, at once, on one store: together they run everything once, give or take what
-- each was at when the other did the same.
empty()
local command = {}
for i, word in ipairs(program.joined({ program.path }, ARGS, { "--store", FOLDER })) do
    command[i] = "'" .. word .. "'"
end
local both = table.concat(command, " ")
os.execute(string.format("%s >%s.1 & %s >%s.2 & %s >%s.3; wait", both, FOLDER, both, FOLDER, both,
    FOLDER))
for i = 1, 3 do
    check.equal("gatherer " .. i, check.read_file(FOLDER .. "." .. i), plain)
end

-- Two processes that take longer over a task than over a look at the store share the tasks: without
-- looks each would run all of them. One that waited for a processor looks less often, so that one
-- of several trials has to show it.
local TASKS <const>, TRIALS <const> = 40, 5
local script = program.file("share.lua", string.format([[
local pinion = require "pinion"
print(#pinion.experiment.each(%d, function(task)
    os.execute "sleep 0.02"
    return task
end, { store = %q, store_key = "share", processes = 1, quiet = true }))
]], TASKS, FOLDER))
local alone = string.format("'%s' run '%s'", program.path, script)
local twice = {}
repeat
    empty()
    os.execute(string.format("%s >%s.1 & %s >%s.2; wait", alone, FOLDER, alone, FOLDER))
    check.equal("one", check.read_file(FOLDER .. ".1"), TASKS .. "\n")
    check.equal("and the other", check.read_file(FOLDER .. ".2"), TASKS .. "\n")
    local shared = assert(core.store_open(FOLDER)):counts()
    check.equal("have all", shared.units, TASKS)
    twice[#twice + 1] = shared.duplicates
until shared.duplicates <= TASKS // 2 or #twice == TRIALS
check.is_true("of which they did few twice: " .. table.concat(twice, ", "),
    twice[#twice] <= TASKS // 2)

-- Mistakes.
for _, case in ipairs {
    { { "--shard", "1/2" }, 2, "pinion: --shard: needs store\n" },
    { { "--only-stored" }, 2, "pinion: --only-stored: needs store\n" },
    { { "--retry" }, 2, "pinion: --retry: needs store\n" },
    { { "--cores", "3" }, 2, "pinion: --cores: needs --dry-run (for a run: "
        .. "--processes)\n" },
    { { "--store", FOLDER, "--shard", "1/2", "--only-stored" }, 2,
        "pinion: --only-stored: runs nothing, which contradicts shard and retry\n" },
    { { "--store", FOLDER, "--jobs-detail", "--format", "csv" }, 2,
        "pinion: --jobs-detail: a store has no rows of jobs (run without --store)\n" },
    { { "--store", "README.md" }, 1,
        "README.md: is not a folder (expected a folder for a store)\n" },
    { { "--store", "" }, 2, "pinion: --store: must be the name of a folder, got ''\n" },
    { { "--store", "/proc/none" }, 1,
        "/proc/none: No such file or directory (expected a folder for a store)\n" },
    { { "--store", FOLDER .. "-none", "--only-stored" }, 1,
        FOLDER .. "-none: cannot open: No such file or directory\n" },
} do
    local said, message, exit = call(table.unpack(case[1]))
    check.equal("message of " .. table.concat(case[1], " "), said .. message, case[3])
    check.equal("exit code of " .. table.concat(case[1], " "), exit, case[2])
end

-- Nothing can be added to a folder of processes; what is missing cannot be run.
output, messages, code = call("--store", "/proc/self/task")
check.equal("a folder that takes no files", output .. code, "1")
check.matches("what is wrong with it", messages, "^/proc/self/task: cannot add a file: %u[%l ]+\n$")

-- A store of another version.
empty()
os.execute("mkdir '" .. FOLDER .. "'")
check.write_file(FOLDER .. "/a" .. store_of.ENDING,
    "d0371e0d " .. store_of.ABOUT .. ' {"store":7,"host":"x"}\n')
output, messages, code = call("--store", FOLDER)
check.equal("another version", output .. messages .. code,
    FOLDER .. "/a.units: is a store of version 7 (expected 1)\n1")

-- ---- forged lines -------------------------------------------------------------------------------

local function crc32(bytes)
    local crc = 0xFFFFFFFF
    for i = 1, #bytes do
        crc = crc ~ bytes:byte(i)
        for _ = 1, 8 do crc = crc >> 1 ~ 0xEDB88320 & -(crc & 1) end
    end
    return crc ~ 0xFFFFFFFF
end

-- Changes the line of a unit of srpt in the only file of the store, and makes its checksum right.
local function forge(change)
    local path = program.lines_of("ls '" .. FOLDER .. "'/*" .. store_of.ENDING)[1]
    local lines, forged = {}, 0
    for line in io.lines(path) do
        if forged == 0 and line:find('"policy":"srpt"', 1, true) then
            local bytes = change(line:sub(10))
            line, forged = string.format("%08x %s", crc32(bytes), bytes), 1
        end
        lines[#lines + 1] = line
    end
    check.equal("a line is forged", forged, 1)
    check.write_file(path, table.concat(lines, "\n") .. "\n")
end

for name, case in pairs {
    ["what it was"] = { function(line) return line end, 0 },
    ["a value that was changed"] = { function(line)
        return (line:gsub('("mean_flow_time":)[%d.]+', "%10.125", 1))
    end, 1 },
    ["a value of another type"] = { function(line)
        return (line:gsub('("mean_flow_time":)[%d.]+', "%1null", 1))
    end, 1 },
    ["a digest that was changed"] = { function(line)
        return (line:gsub('("digest":")%x+', "%10123456789abcdef", 1))
    end, 1 },
} do
    empty()
    call("--store", FOLDER)
    local units = count_units()
    forge(function(line)
        local after = case[1](line)
        check.is_true(name .. " is forged", (after ~= line) == (case[2] == 1))
        return after
    end)
    local left, _, _, counts = count_units()
    check.equal(name .. " is counted", counts.wrong, case[2])
    check.equal(name .. " is no unit", left, units - case[2])
    output, messages, code = call("--store", FOLDER, "--only-stored")
    check.equal(name .. " is not used", output == plain and code == 0, case[2] == 0)
    check.equal(name .. " is missing", messages, case[2] == 0 and "" or "pinion: " .. FOLDER
        .. ": 1 of 45 units are missing\n")
    check.contains(name .. " is told", (program.run { "store", FOLDER, "--format", "table" }),
        string.format(", %d wrong\n", case[2]))
    check.equal(name .. " is run again", call("--store", FOLDER), plain)
    check.equal("all there again after " .. name, count_units(), units)
end

-- ---- machines that disagree ---------------------------------------------------------------------

empty()
call("--store", FOLDER)
local store = store_of.open(FOLDER, nil)
local key, value
store.index:each(function(one, text)
    if text:find '"policy":"srpt"' then key, value = one, text end
    return key == nil
end)
local writer = assert(core.store_writer(FOLDER .. "/other" .. store_of.ENDING))
writer:append(store_of.ABOUT, '{"store":1,"host":"otherhost"}')
local head, of_unit = value:match '^(.-,"value":)(.*)}$'
of_unit = of_unit:gsub("^{", '{"other":true,')
head = head:gsub('"digest":"%x+"', '"digest":"' .. core.sha256(of_unit):sub(1, 16) .. '"', 1)
check.raises("a value with another digest", "must be a value of a store", writer.append, writer,
    key, (value:gsub('"digest":"%x+"', '"digest":"0123456789abcdef"', 1)))
writer:append(key, head .. of_unit .. "}")
writer:close()
output, messages, code = call("--store", FOLDER)
check.equal("nothing is printed", output .. code, "1")
check.contains("the unit", messages, "unit " .. key)
check.contains("one machine", messages, core.host())
check.contains("the other machine", messages, "otherhost")
output, messages, code = program.run { "store", FOLDER, "--format", "table" }
check.equal("the store tells", code, 1)
check.contains("with both", output, "otherhost")
os.execute("touch -d '1 hour ago' '" .. FOLDER .. "'/*")
output, messages, code = program.run { "store", FOLDER, "--prune" }
check.equal("pruning does not choose", output .. messages .. code, "pinion: " .. FOLDER
    .. ": machines disagree on 1 unit, and pruning would hide it (give --host, whose units are "
    .. "removed; see `pinion store " .. FOLDER .. "`)\n1")
output, messages, code = program.run { "store", FOLDER, "--prune", "--host", "otherhost" }
check.equal("pruned", output .. messages .. code, "pinion: " .. FOLDER .. ": kept 45 units\n0")
check.equal("and right again", call("--store", FOLDER, "--only-stored"), plain)
output, messages, code = program.run { "store", FOLDER, "--prune" }
check.contains("not while somebody works on it", messages, "was written to less than 60 s ago")
check.equal("exit code", code, 1)

-- What was pruned still says who wrote it: a machine's units go without those of others.
os.execute("rm '" .. FOLDER .. "'/*; touch -d '1 hour ago' '" .. FOLDER .. "'")
call("--store", FOLDER)
writer = assert(core.store_writer(FOLDER .. "/other" .. store_of.ENDING))
writer:append(store_of.ABOUT, '{"store":1,"host":"otherhost"}')
for i = 1, 10 do writer:append(string.format("%032x", i), value) end
writer:close()
local function prune(...)
    os.execute("touch -d '1 hour ago' '" .. FOLDER .. "'/*")
    local said, message, exit = program.run { "store", FOLDER, "--prune", ... }
    local text, about = said .. message .. exit, "pinion: " .. FOLDER .. ": "
    return text:sub(1, #about) == about and text:sub(#about + 1) or text
end
check.equal("pruned", prune(), "kept 55 units\n0")
check.equal("a file for each machine", assert(core.store_open(FOLDER)):counts().files, 2)
check.contains("no such machine", prune("--host", "nobody"), "nothing in " .. FOLDER)
check.equal("a machine's units go", prune("--host", "otherhost"), "kept 45 units\n0")
check.equal("and no others", call("--store", FOLDER, "--only-stored"), plain)

-- Of more units than are kept, nobody knows which machines disagree on.
do
    local disputed <const> = store_of.open(FOLDER, nil)
    disputed.index = {
        disagreements = function()
            return { { key = "some", file = "a", other = "b", digest = "1", other_digest = "2" } }
        end,
        counts = function() return { disagreements = 2 } end,
        about = function() end,
    }
    check.raises("an unknown dispute", "unit some: a and b disagree on it", disputed.get, disputed,
        "another")
end

-- A file that cannot be read to its end is not taken for read.
do
    local broken <const> = store_of.open(FOLDER, nil)
    broken.index = { each = function() return nil, FOLDER .. "/a.units: cannot read: broken" end }
    check.raises("a listing that ends early", "a.units: cannot read: broken", broken.each, broken,
        print)
end

-- ---- what is in it ------------------------------------------------------------------------------

local units = FOLDER .. ".jsonl"
program.run { "store", FOLDER, "--output", units }
local lines = 0
for line in io.lines(units) do
    local unit = core.json_decode(line, "unit")
    check.equal("a unit's host", unit.host, core.host())
    check.is_true("a unit's value", unit.value ~= nil and unit.of.replica ~= nil)
    lines = lines + 1
end
check.equal("all units", lines, 45)
output = program.run { "store", FOLDER, "--format", "json" }
local told = core.json_decode(output, "store")
check.equal("experiments", #told.experiments, 1)
check.contains("the command", told.experiments[1].experiment, "sweep --workload zheng:0,slots=40")
check.equal("finished", told.experiments[1].finished, 45)
check.equal("a program's text as JSON", json.encode(told.counts.failed), "0")

-- ---- replicas until the intervals are narrow ----------------------------------------------------

local NARROW = { workload = "zheng:0,slots=40", policies = { "fifo", "srpt" }, replicas = 4,
    bounds = "none", over = { machines = { 20, 200 } }, until_half = "3%", replicas_most = 60 }
local narrow = run(with(NARROW, { processes = 1 }))
local counts = {}
for _, row in ipairs(narrow.rows) do
    counts[row.machines] = row.replicas
    check.is_true("narrow enough, or no more", row.replicas == 60
        or row.mean_flow_time_half <= 0.03 * row.mean_flow_time)
end
check.is_true("cells differ", counts[20] ~= counts[200])
for _, count in next, counts do
    check.contains("a round", "4 8 12 18 27 41 60", tostring(count))
end
for _, processes in ipairs { 2, 5 } do
    check.equal("the same with processes " .. processes,
        texts(run(with(NARROW, { processes = processes }))), texts(narrow))
end
seen = 0
empty()
check.equal("the same with a store", texts(run(with(NARROW, { store = FOLDER }))), texts(narrow))
check.equal("its units", (count_units()), 2 * (counts[20] + counts[200]))
check.equal("the same again", texts(run(with(NARROW, { store = FOLDER }))), texts(narrow))
check.equal("nothing was run", select(2, count_units()), 0)
-- The rows are those of a comparison of so many replicas.
local fixed = run { workload = "zheng:0,slots=40", machines = 20, bounds = "none", quiet = true,
    policies = { "fifo", "srpt" }, replicas = counts[20] }
check.equal("as of a fixed number", fixed.rows[1].digest, narrow.rows[1].digest)
check.equal("and its interval", fixed.rows[1].mean_flow_time_half,
    narrow.rows[1].mean_flow_time_half)
local one = run { workload = "zheng:0,slots=40", machines = 200, bounds = "none", quiet = true,
    policies = { "fifo", "srpt" }, until_half = 0.2 }
check.equal("the first round", one.completed, 10)
for reason, more in next, {
    ["until_half: must be a share of the mean such as 1%, or MEASURE=1%, got '0%'"] =
        { until_half = "0%" },
    ["until_half: must be mean_flow_time or"] = { until_half = "nothing=1%" },
    ["replicas: until_half takes at least 2"] = { until_half = "1%", replicas = 1 },
    ["shard: has no effect with until_half"] = { until_half = "1%", shard = "1/2" },
    ["replicas_most: is less than replicas, 4"] = { until_half = "1%", replicas_most = 3 },
} do
    fails(reason, more, reason)
end

-- ---- tasks of scripts ---------------------------------------------------------------------------

empty()
seen = 0
local each = pinion.experiment.each
local runs = 0
local function square(task)
    runs = runs + 1
    return { task * task }
end
local function squares(more)
    local made = with({ store = FOLDER, store_key = { "squares", 1 }, label = "squares",
        processes = 1 }, more)
    local values = each(9, square, made)
    return values and json.encode(json.tree(values))
end
check.equal("a part", squares { shard = "2/3" }, nil)
check.equal("its tasks", (count_units()), 3)
local all = squares {}
check.equal("values", all, "[[1], [4], [9], [16], [25], [36], [49], [64], [81]]")
check.equal("the others' tasks", runs, 6)
check.equal("in processes", squares { processes = 3 }, all)
check.equal("a complete part", squares { shard = "1/3" }, all)
check.equal("nothing more", runs, 6)
squares { store_key = { "squares", 2 } }
check.equal("another key", runs, 15)
-- Values come out of a process or a store as they went in, or not at all.
local function nested(depth)
    return depth > 0 and { nested(depth - 1) } or 1
end
local VALUES <const> = { false, "a\0b\n\u{e9}", { math.mininteger, 2.0, -0.0, 1e-300 }, {},
    { a = {} }, nested(63) }
for i, value in ipairs(VALUES) do
    for _, processes in ipairs { 1, 2 } do
        for _, store in ipairs { false, FOLDER } do
            empty()
            local values = each(2, function() return value end, { quiet = true,
                processes = processes, store = store or nil, store_key = store and 1 or nil })
            check.equal(string.format("value %d of %d processes, store %s", i, processes, store),
                core.json_encode(values), core.json_encode { value, value })
        end
    end
end
for expected, value in next, {
    ["value.1 is not finite"] = { 1 / 0 }, ["value.a.1 is not finite"] = { a = { 0 / 0 } },
    ["value is a function"] = print, ["value is no UTF-8"] = "\xff",
    ["value is a table with a list and with fields"] = { 1, a = 2 },
    ["value.x is a table with a list and with fields, or with a key that is no name"] =
        { x = { [7] = 1 } },
    ["nests too deeply"] = nested(64),
} do
    for _, processes in ipairs { 1, 2 } do
        local good, why = pcall(each, 2, function() return value end,
            { quiet = true, processes = processes })
        check.equal("no value: " .. expected, good, false)
        check.contains("why", tostring(why), expected)
    end
end
for reason, options in next, {
    ["each: store_key: is required with store"] = { store = FOLDER },
    ["each: shard: needs store"] = { shard = "1/2" },
    ["each: shard: must be PART/PARTS"] = { store = FOLDER, store_key = 1, shard = "0/2" },
    ["each: store_key: f is no plain value"] = { store = FOLDER, store_key = { f = print } },
} do
    local good, why = pcall(each, 3, square, options)
    check.equal("fails: " .. reason, good, false)
    check.contains(reason, tostring(why), reason)
end

check.done()
