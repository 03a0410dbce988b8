-- What a command writes destroys nothing that it reads, and appears whole or not at all.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"
local pinion = require "pinion"

local file = program.file
local directory = program.directory

local function shell(format, ...)
    check.is_true(format, os.execute(string.format(format, ...)) == true)
end

local function names_in(path)
    return table.concat(program.lines_of("ls -A '" .. path .. "'"), " ")
end

-- ---- inputs and outputs -------------------------------------------------------------------------

local SCENARIO =
    '{"model":"slotted","machines":2,"reduce":"preemptive","jobs":[{"arrival":1,"maps":3,'
    .. '"reduces":[2]}]}'
local scenario = file("in.json", SCENARIO)
local table_of_jobs = file("jobs.csv", "arrival,maps\n1,3\n2,4\n")
local trace = file("t.tsv", "job0\t5\t5\t100\t200\t300\n")
local policy = file("p.lua", check.read_file "policies/slotted/fifo.lua")
local rumen = file("r.json", check.read_file "tests/data/rumen.json")
local topology = file("topology.json", '{"name":"<root>","children":[{"name":"a"},{"name":"b"}]}')
local log = file "made.log"
local batch = file("batch.json",
    '{"model":"makespan","policy":"fifo","map_slots":1,"reduce_slots":1,"jobs":[{"maps":[1],'
    .. '"reduces":[2]}]}')
program.succeed("a log to draw", { "simulate", batch, "--log", log })
shell("ln -s in.json '%s/symbolic.json'", directory)
shell("ln '%s/in.json' '%s/hard.json'", directory, directory)
shell("ln -s '%s' '%s/folder'", directory, directory)
local symbolic, hard, around = file "symbolic.json", file "hard.json", file "folder/in.json"
local output, other = file "o", directory .. "/./o"

local simulate = { "simulate", scenario, "--policy", "fifo" }
local compare = { "compare", scenario, "--policies", "fifo,fair" }
local swim = { "simulate", "--workload", "swim:" .. trace, "--set", "machines=5", "--policy",
    "fifo" }
local cluster = { "workload", "rumen:" .. rumen .. ",topology=" .. topology, "--jobs" }

-- Command, the option at fault, its file, what the message says of it.
local REFUSED = {
    { simulate, { "--output", scenario }, "is read" },
    { simulate, { "--output", symbolic }, "leads to " .. scenario .. ", which is read" },
    { simulate, { "--output", hard }, "leads to " .. scenario .. ", which is read" },
    { simulate, { "--output", around }, "leads to " .. scenario .. ", which is read" },
    { simulate, { "--log", scenario }, "is read" },
    { simulate, { "--log", hard }, "leads to " .. scenario .. ", which is read" },
    { simulate, { "--every", "1", "--checkpoint", symbolic }, "leads to " .. scenario
        .. ", which is read" },
    { simulate, { "--output", output, "--log", output }, "is where the result goes" },
    { simulate, { "--output", output, "--log", other }, "is where the result goes" },
    { simulate, { "--every", "1", "--log", output, "--checkpoint", other },
        "is where the decision log goes" },
    { { "simulate", scenario, "--policy", policy }, { "--output", policy }, "is read" },
    { { "simulate", scenario, "--policy", policy }, { "--log", policy }, "is read" },
    { { "simulate", "--workload", "csv:" .. table_of_jobs, "--policy", "fifo" },
        { "--log", table_of_jobs }, "is read" },
    { swim, { "--log", trace }, "is read" },
    { swim, { "--output", trace }, "is read" },
    { compare, { "--output", hard }, "leads to " .. scenario .. ", which is read" },
    { compare, { "--plot", directory .. "/in.svg", "--output", directory .. "/in.gp" },
        "is where the result goes", "--plot", directory .. "/in.gp" },
    { { "compare", scenario, "--policies", "fifo," .. policy }, { "--output", policy }, "is read" },
    { { "sweep", scenario, "--policies", "fifo", "--over", "machines=1,2" },
        { "--output", scenario }, "is read" },
    { { "sweep", scenario, "--policies", policy, "--over", "machines=1,2" }, { "--output", policy },
        "is read" },
    { { "sweep", "--policies", "fifo", "--over", "workload=zheng:0,csv:" .. table_of_jobs },
        { "--output", table_of_jobs }, "is read" },
    { { "workload", scenario }, { "--output", scenario }, "is read" },
    { cluster, { "--output", rumen }, "is read" },
    { cluster, { "--output", topology }, "is read" },
    { { "policies", policy, "--source" }, { "--output", policy }, "is read" },
}
local before = {}
for _, path in ipairs { scenario, table_of_jobs, trace, policy, rumen, topology, log } do
    before[path] = check.read_file(path)
end
local there = names_in(directory)
for _, case in ipairs(REFUSED) do
    local command, options, reason, name, path = table.unpack(case)
    name, path = name or options[#options - 1], path or options[#options]
    local named = table.concat(command, " ") .. " " .. table.concat(options, " ")
    program.fails(named, program.joined(command, options), 2,
        string.format("pinion: %s: %s %s (expected another file)", name, path, reason))
end
program.fails("gantt over its log", { "gantt", log, "--output", log .. ".svg/../made.log.json" }, 1,
    log .. ".svg/../made.log.json: No such file or directory")
shell("ln '%s' '%s/made.svg'", log, directory)
program.fails("gantt over its log", { "gantt", log, "--output", file "made.svg" }, 2,
    "pinion: gantt: " .. file "made.svg" .. " leads to " .. log
        .. ", which is read (expected another file)")
shell("rm '%s/made.svg'", directory)
for path, text in next, before do
    check.equal(path .. " is as it was", check.read_file(path), text)
end
check.equal("nothing new is there but what the tests redirect",
    (names_in(directory):gsub("run%.%w+ ?", "")), (there:gsub("run%.%w+ ?", "")))

local _, messages,
    code = program.run({ "simulate", "-", "--policy", "fifo", "--output", directory .. "/run.in" },
    SCENARIO)
check.equal("exit code over standard input", code, 2)
check.contains("message over standard input", messages,
    "run.in leads to standard input, which is read (expected another file)")
_, messages, code = program.run(program.joined(simulate, { "--log", directory .. "/both" }), nil,
    directory .. "/both")
check.equal("exit code of a log over standard output", code, 2)
check.contains("message of a log over standard output", messages,
    "/both is where the result goes (expected another file)")
program.succeed("one device for both",
    program.joined(simulate, { "--output", "/dev/null", "--log", "/dev/null" }))

-- ---- checkpoints --------------------------------------------------------------------------------

local state = file "run.state"
program.succeed("a checkpoint",
    program.joined(simulate, { "--checkpoint", state, "--every", "1", "--output", output }))
program.fails("a result over the next checkpoint", { "resume", state, "--output", state }, 2,
    "pinion: --checkpoint: " .. state .. " is where the result goes (expected another file)")
program.fails("a result over the last checkpoint",
    { "resume", state, "--checkpoint", state .. 2, "--output", state }, 2,
    "pinion: --output: " .. state .. " is read (expected another file)")
program.succeed("a checkpoint over itself", { "resume", state, "--output", output })

local beside = file("near.state.tmp", SCENARIO)
program.succeed("a checkpoint beside its scenario",
    { "simulate", beside, "--policy", "fifo", "--checkpoint", file "near.state", "--every", "1",
        "--log", file "near.state.log", "--output", output })
check.equal("a checkpoint takes no name that is in use", check.read_file(beside), SCENARIO)
shell("rm '%s' && ln -s in.json '%s'", beside, beside)
program.succeed("a checkpoint beside a link",
    program.joined(simulate, { "--checkpoint", file "near.state", "--every", "1", "--output",
        output }))
check.equal("a checkpoint is written through no link", check.read_file(scenario), SCENARIO)
shell("ln -s far.state '%s'", file "link.state")
program.succeed("a checkpoint through a link",
    program.joined(simulate, { "--checkpoint", file "link.state", "--every", "1", "--output",
        output }))
program.succeed("a checkpoint behind a link", { "resume", file "far.state", "--output", output })
check.equal("a checkpoint leaves nothing beside it", names_in(directory):find(".tmp", 1, true)
    and names_in(directory):gsub("near%.state%.tmp", ""):find(".tmp", 1, true), nil)

-- ---- stores -------------------------------------------------------------------------------------

local store = file "store"
local filling = { "compare", "--workload", "zheng:0,slots=20", "--policies", "fifo,srpt",
    "--replicas", "2", "--store", store, "--processes", "1", "--quiet" }
program.succeed("a store", filling)
local unit_file = store .. "/" .. names_in(store)
local units = check.read_file(unit_file)
shell("ln -s '%s' '%s'", unit_file, file "units.csv")
local stored = pinion.compare { model = "slotted", workload = "zheng:0,slots=20", machines = 100,
    replicas = 2, policies = { "fifo", "srpt" }, store = store, quiet = true }
local sweeping = { "sweep", "--workload", "zheng:0,slots=20", "--policies", "fifo", "--over",
    "machines=5,6", "--replicas", "2", "--store", store }
for _, case in ipairs {
    { filling, { "--output", file "units.csv" }, "--output: " .. file "units.csv" .. " leads to "
        .. unit_file .. ", which" },
    { filling, { "--format", "csv", "--output", unit_file }, "--output: " .. unit_file },
    { filling, { "--only-stored", "--format", "csv", "--output", unit_file },
        "--output: " .. unit_file },
    { sweeping, { "--format", "csv", "--output", unit_file }, "--output: " .. unit_file },
    { { "store", store }, { "--format", "json", "--output", unit_file },
        unit_file .. ": " .. unit_file },
} do
    local command, options, what = table.unpack(case)
    program.fails(what, program.joined(command, options), 2,
        "pinion: " .. what .. " is read (expected another file)")
end
check.raises("a table over a store", "is read (expected another file)", stored.csv, stored,
    unit_file)
check.raises("a data base over a store", "is read (expected another file)", stored.db, stored,
    unit_file)
check.is_true("the store is as it was", check.read_file(unit_file):sub(1, #units) == units)

-- ---- whole or not at all ------------------------------------------------------------------------

shell("mkdir '%s/w'", directory)
local target = file "w/out"
local failing = file("failing.lua", [[
return {
  name = "failing", model = "slotted",
  key = { changes = "arrival", of = function(s, job) return s:arrival(job) == 2 and error "no" or 1 end },
}
]])
local function fail(name, options, expected)
    local _, text,
        status = program.run(
        program.joined({ "simulate", "--workload", "csv:" .. table_of_jobs, "--policy", failing },
        options))
    check.equal("exit code of " .. name, status, expected or 1)
    return text
end
local words = fail("a policy that fails", { "--output", target })
check.contains("a policy that fails, message", words, "failing.lua")
check.equal("a failed run leaves no result", names_in(directory .. "/w"), "")
fail("a policy that fails beside a log", { "--log", target })
check.equal("a failed run leaves no log", names_in(directory .. "/w"), "")
check.write_file(target, "old\n")
fail("a policy that fails over old files", { "--output", target, "--log", file "w/log" })
check.equal("an old result outlives a failed run", check.read_file(target), "old\n")
fail("a policy that fails over an old log", { "--log", target })
check.equal("an old log outlives a failed run", check.read_file(target), "old\n")
check.equal("no other file is left", names_in(directory .. "/w"), "out")

program.fails("a chart of no log", { "gantt", table_of_jobs, "--output", file "w/chart.svg" }, 1,
    table_of_jobs .. ":1: not a decision log (expected a file that simulate --log wrote)")
check.equal("a failed chart leaves no file", names_in(directory .. "/w"), "out")

-- ---- what the target is -------------------------------------------------------------------------

local function mode(path) return program.lines_of("stat -c %a '" .. path .. "'")[1] end

shell("chmod 640 '%s'", target)
program.succeed("over a file",
    program.joined(simulate, { "--output", target, "--log", file "w/log" }))
check.contains("the result is there", check.read_file(target), '"digest"')
check.equal("permissions are kept", mode(target), "640")
shell("umask 027 && '%s' simulate '%s' --policy fifo --output '%s' --log '%s'", program.path,
    scenario, file "w/new", file "w/new.log")
check.equal("permissions of a new file", mode(file "w/new"), "640")
check.equal("permissions of a new log", mode(file "w/new.log"), "640")
shell("rm '%s' '%s' '%s'", file "w/new", file "w/new.log", file "w/log")

shell("ln -s out '%s/w/link' && ln -s nothing '%s/w/dangling' && ln -s loop '%s/w/loop'", directory,
    directory, directory)
check.write_file(target, "old\n")
program.succeed("through a link",
    program.joined(simulate, { "--output", file "w/link", "--log", file "w/dangling" }))
check.contains("the link's target is replaced", check.read_file(target), '"digest"')
check.contains("a dangling link's target is made", check.read_file(file "w/nothing"),
    '"pinion_log"')
check.equal("links stay links", #program.lines_of("find '" .. directory .. "/w' -type l"), 3)
program.fails("through a loop of links", program.joined(simulate, { "--output", file "w/loop" }), 1,
    file "w/loop" .. ": Too many levels of symbolic links")
program.fails("over a directory", program.joined(simulate, { "--output", directory .. "/w" }), 1,
    directory .. "/w: Is a directory")
program.fails("a log over a directory", program.joined(simulate, { "--log", directory .. "/w" }), 1,
    "pinion: cannot write " .. directory .. "/w: Is a directory")
program.fails("into no directory", program.joined(simulate, { "--output", file "w/no/such" }), 1,
    file "w/no/such" .. ": No such file or directory")

local text = program.succeed("to standard output by name",
    program.joined(simulate, { "--output", "/dev/stdout" }))
check.contains("standard output has the result", text, '"digest"')
local piped =
    program.lines_of(
    string.format("'%s' simulate '%s' --policy fifo --output /dev/fd/3 3>&1 >/dev/null | tail -n 1",
    program.path, scenario))
check.equal("a descriptor has the result", piped[1], "}")
shell("mkfifo '%s/pipe'", directory)
local through =
    program.lines_of(
    string.format(
    "'%s' simulate '%s' --policy fifo --log '%s/pipe' --output /dev/null & head -n "
    .. "1 '%s/pipe'; wait",
    program.path, scenario, directory, directory))
check.contains("a pipe has the log", through[1], '"pinion_log"')
_, messages, code = program.run(program.joined(simulate, { "--output", "/dev/full" }))
check.equal("exit code of a full disk", code, 1)
check.contains("message of a full disk", messages, "/dev/full: No space left on device")
_, messages, code = program.run(program.joined(simulate, { "--log", "/dev/full" }))
check.equal("exit code of a log on a full disk", code, 1)
check.contains("message of a log on a full disk", messages,
    "cannot write /dev/full: No space left on device")

-- A limit of the shell on the size of files; the signal that comes with it kills by default.
check.write_file(file "w/limited", "old\n")
shell("bash -c 'ulimit -f 1; LLVM_PROFILE_FILE=/dev/null %s simulate --workload zheng:0,slots=20 "
    .. "--set machines=100 --policy fifo --format json --output %s 2>%s; test $? = 1'",
    program.path, file "w/limited", file "limited.err")
check.equal("message of a file that is too large", check.read_file(file "limited.err"),
    file "w/limited" .. ": File too large\n")
check.equal("what was there outlives it", check.read_file(file "w/limited"), "old\n")
check.equal("no file is left beside it", (names_in(directory .. "/w"):find("tmp", 1, true)), nil)
shell("rm '%s'", file "w/limited")

-- Who may write everything everywhere cannot see what others meet.
local nobody = os.execute "test $(id -u) != 0" and "" or os.execute "command -v setpriv >/dev/null"
    and "setpriv --reuid=65534 --regid=65534 --clear-groups "
if nobody then
    shell("chmod 755 '%s' && chmod 644 '%s' && chmod 666 '%s' && chmod 555 '%s/w'", directory,
        scenario, target, directory)
    check.write_file(target, "old\n")
    shell("%s'%s' simulate '%s' --policy fifo --output '%s'", nobody, program.path, scenario,
        target)
    check.contains("a file in a folder that takes no new one is written in place",
        check.read_file(target), '"digest"')
    shell("%s'%s' simulate '%s' --policy fifo --output /dev/null --log '%s'", nobody, program.path,
        scenario, target)
    check.matches("so is a log", check.read_file(target), '^{"pinion_log".*"digest":"%x+"}\n$')
    shell("chmod 444 '%s'", target)
    shell("! %s'%s' simulate '%s' --policy fifo --output '%s' 2>/dev/null", nobody, program.path,
        scenario, target)
    check.contains("a file that must not be written stays", check.read_file(target), '"pinion_log"')
    shell("chmod 755 '%s/w'", directory)
end
check.equal("nothing is left beside the files", (names_in(directory .. "/w"):find("tmp", 1, true)),
    nil)

-- ---- figures, with a program in gnuplot's place -------------------------------------------------

shell("mkdir '%s/bin'", directory)
check.write_file(file "bin/gnuplot", [[#!/bin/sh
test -z "$NO_FIGURE" || exit 1
figure=${2#figure = ?}
echo figure >"${figure%?}"
]])
shell("chmod +x '%s'", file "bin/gnuplot")
local figure = file "w/f.svg"
check.write_file(figure, "old\n")
local draw = string.format(
    "PATH='%s/bin':$PATH '%s' compare '%s' --policies fifo,fair --plot '%s' >/dev/null 2>&1",
    directory, program.path, scenario, figure)
shell("! NO_FIGURE=1 %s", draw)
check.equal("an old figure outlives one that fails", check.read_file(figure), "old\n")
shell("%s", draw)
check.equal("a figure takes its place", check.read_file(figure), "figure\n")
check.contains("its script can be run by hand", check.read_file(file "w/f.gp"),
    "if (!exists('figure')) figure = '" .. figure .. "'")

-- A name is data in scripts and data files of figures, whatever it holds.
local odd = file "w/a\nsystem \"echo\"\n'`\\#.lua"
check.write_file(odd, check.read_file "policies/slotted/fifo.lua")
local odd_figure = file "w/b\nsystem \"echo\"\n.svg"
for _, kind in ipairs { "bars", "cdf" } do
    local words = { "compare", scenario, "--policies", odd .. ",fair", "--plot", odd_figure,
        "--kind", kind, "--quiet" }
    for i, word in ipairs(words) do words[i] = "'" .. word:gsub("'", "'\\''") .. "'" end
    shell("PATH='%s/bin':$PATH '%s' %s >/dev/null", directory, program.path,
        table.concat(words, " "))
    for _, ending in ipairs { "gp", "dat" } do
        check.equal("no line of the " .. ending .. " of " .. kind .. " begins in a name",
            check.read_file((odd_figure:gsub("svg$", ending))):find "\nsystem", nil)
    end
end
check.contains("a title with the end of a line",
    check.read_file((odd_figure:gsub("svg$", "gp"))), "'.\"\\012\".'system \"echo\"")

-- ---- the binding's own --------------------------------------------------------------------------

check.equal("a text of pages that there is not", core.asset "nosuch", nil)
local gone = file("gone.lua", 'print(require "pinion.core".directory())')
local pipe = assert(io.popen(string.format("cd '%s' && mkdir gone && cd gone && rmdir ../gone && "
    .. "'%s' run '%s'", directory, program.path, gone)))
check.equal("a folder that is gone", pipe:read "a", "nil\tNo such file or directory\n")
pipe:close()

-- ---- scripts ------------------------------------------------------------------------------------

local from_csv = pinion.trace.csv(table_of_jobs)
local options = { model = "slotted", machines = 2, workload = from_csv, quiet = true }
options.policy, options.log = "fifo", table_of_jobs
check.raises("a log over the workload", "log: " .. table_of_jobs
    .. " is read (expected another file)", pinion.run, options)
options.policy, options.log, options.policies = nil, nil, { "fifo", policy }
local made = pinion.compare(options)
check.raises("a table over the workload", "output: " .. table_of_jobs .. " is read", made.csv, made,
    table_of_jobs)
check.raises("a table over a policy", "output: " .. policy .. " is read", made.json, made, policy)
options.over = { machines = { 1, 2 } }
made = pinion.sweep(options)
check.raises("a sweep over the workload", "output: " .. table_of_jobs .. " is read", made.csv, made,
    table_of_jobs)
check.equal("the workload is as it was", check.read_file(table_of_jobs), before[table_of_jobs])

check.done()
