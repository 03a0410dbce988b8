-- The example that runs rules like make's as real processes: whoever decides, the kernel that it
-- builds is right, the checker accepts what was decided, the simulator decides the same with the
-- times that were measured, and what the core was told replays to it. Nothing here depends on how
-- fast the machine is.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local exists = check.exists
local program = require "program"

local buildrunner = (program.path:match "^(.*/)" or "./") .. "buildrunner"

---@return string output, string messages, integer exit_code
local function run(arguments)
    local output, messages = program.file "run.out", program.file "run.err"
    local _, _, code = os.execute(string.format("'%s' %s >'%s' 2>'%s' </dev/null", buildrunner,
        arguments, output, messages))
    return check.read_file(output), check.read_file(messages), code
end

-- Rules in a folder of their own, which they call DIR: the file, and the folder.
local function rules(name, text)
    local folder = program.file(name)
    os.execute("mkdir -p '" .. folder .. "'")
    return program.file(name .. ".rules", (text:gsub("DIR", folder))), folder
end

local function options(name, more)
    return string.format("%s --check --log '%s' --inputs '%s' --scenario '%s'", more,
        program.file(name .. ".log"), program.file(name .. ".inputs"),
        program.file(name .. ".json"))
end

-- What the logs of a run say: the decisions replay; the scenario, unless something failed, holds
-- all that the simulator needs to decide the same.
local function check_logs(name, output, policy, failed)
    local log, inputs, scenario = program.file(name .. ".log"), program.file(name .. ".inputs"),
        program.file(name .. ".json")
    local digest = output:match "digest +(%x+)"
    check.contains("replay of " .. name, program.succeed("replay of " .. name, program.joined(
        { "verify", inputs, log }, policy and { "--policy", policy } or {})), "digest " .. digest)
    if failed then return end
    program.succeed("verify " .. name, { "verify", scenario, log })
    check.equal("the simulator's digest of " .. name,
        program.digest(name, { "simulate", scenario, "--quiet" }), digest)
    check.equal("the simulator's digest of the input log of " .. name, program.digest(name,
        program.joined({ "simulate", inputs, "--quiet" }, policy and { "--policy", policy } or {})),
        digest)
end

-- ---- this kernel --------------------------------------------------------------------------------

local ARCHIVE = [[
# The kernel: an object of each source, an archive of these, and a host.
.PHONY: all
all: DIR/libpinion.a DIR/dag

DIR/dag.o: examples/c/dag.c
	@${CC:-cc} -std=c11 -O0 -Ikernel/include -c $< -o $@
DIR/dag: DIR/dag.o DIR/libpinion.a
	${CC:-cc} $^ \
	    -o $@
DIR/libpinion.a:OBJECTS
	rm -f $@
	ar rcs $@ $^
]]

-- The rules that build the kernel in a folder, or some of its rooms.
local function kernel_rules(name, rooms)
    local objects, list = {}, {}
    for _, source in ipairs(program.lines_of(
        "find " .. rooms .. " -name '*.c' | LC_ALL=C sort")) do
        local object = "DIR/" .. source:gsub("/", "_"):gsub("c$", "o")
        list[#list + 1] = object
        objects[#objects + 1] = string.format("%s: %s\n\t${CC:-cc} -std=c11 -O0 -Ikernel/include "
            .. "-Ikernel -c $< -o $@\n", object, source)
    end
    local text = ARCHIVE:gsub("OBJECTS", " \\\n    " .. table.concat(list, " \\\n    "))
    text = (text .. table.concat(objects)):gsub("%${CC:%-cc}", os.getenv "CC" or "cc")
    return #list, rules(name, text)
end

local MINE = program.file("largest.lua", [[
return { name = "largest", model = "dag", key = { changes = "served",
         of = function(s, job) return -s:left(job) end } }
]])

local function expected_output()
    return (check.read_file "examples/c/dag.c":match "/%* It prints:\n(.-) %*/":gsub(" %*  ", ""))
end

local OF_DAG <const> = "kernel/base kernel/dispatch kernel/dag"
local ROOMS <const> = { fifo = check.IS_SHORT and OF_DAG or "kernel", others = OF_DAG }
for name, policy in pairs { fifo = "fifo", srpt = "srpt", lua = MINE } do
    local count, file, folder = kernel_rules(name, ROOMS[name] or ROOMS.others)
    local target = string.format("'%s/libpinion.a' '%s/dag'", folder, folder)
    local output, messages, code = run(options(name, string.format("-j 2 --policy '%s' '%s' %s",
        policy, file, name == "fifo" and "" or target)))
    check.equal(name .. " builds the kernel: " .. messages, code, 0)
    check.matches("all of it, once", output,
        string.format("commands +%d started, 0 failed, 0 killed", count + 3))
    check.equal("the host that " .. name .. " has built",
        table.concat(program.lines_of("'" .. folder .. "/dag'"), "\n") .. "\n", expected_output())
    check_logs(name, output, policy == MINE and MINE)
    if name == "fifo" then
        local again = run(options("again", string.format("-j 2 '%s' all", file)))
        check.matches("nothing to do", again, "up to date .* all\ncommands +0 started")
        check_logs("again", again, nil, true)
        os.execute(string.format("touch -d '2001-01-01' '%s/dag.o'", folder))
        check.matches("what is out of date alone", run(string.format("'%s'", file)),
            "commands +2 started")
    end
    program.succeed("gantt of " .. name,
        { "gantt", program.file(name .. ".log"), "--output", program.file "chart.svg" })
    check.contains("explanation of " .. name, program.succeed("explain", program.joined(
        { "explain", program.file(name .. ".inputs"), "--job", "1" },
        policy == MINE and { "--policy", MINE } or {})), "job 1, policy ")
end

-- ---- rules --------------------------------------------------------------------------------------

-- Of two targets that need one rule, the second one waits for it; a rule without commands stands
-- for what it needs.
local file, folder = rules("shared", [[
DIR/left DIR/right: DIR/both	# two targets
	echo $@ from $< costs '$$1' >$@
both: DIR/both
DIR/both:
	test ! -e $@
	echo once >$@
DIR/last: both DIR/left DIR/right
	cat DIR/both DIR/left DIR/right >$@
]])
local output = run(options("shared", string.format("-j 3 '%s' '%s/right' '%s/left' '%s/last'", file,
    folder, folder, folder)))
check.matches("each once", output, "commands +4 started, 0 failed")
check.equal("in order", check.read_file(folder .. "/last"), string.format(
    "once\n%s/left from %s/both costs $1\n%s/right from %s/both costs $1\n", folder, folder, folder,
    folder))
check_logs("shared", output)

-- ---- what fails ---------------------------------------------------------------------------------

local FAILING = [[
all: DIR/good DIR/behind
DIR/good:
	sleep 0.3
	echo good >$@
DIR/bad:
	echo try >>DIR/tries
	echo half >$@
	false
	echo never >DIR/never
DIR/behind: DIR/bad
	echo behind >$@
DIR/other: DIR/good
	echo other >$@
]]
local failing, room = rules("failing", FAILING)
local targets = string.format("'%s/behind' '%s/other'", room, room)
local messages, code
output, messages, code = run(options("kept", "-k --retries 2 -j 2 " .. failing .. " " .. targets))
check.equal("a target is not made", code, 1)
check.contains("whose commands failed", messages, string.format("%s:5: %s/bad: its commands failed",
    failing, room))
check.equal("tried again", check.read_file(room .. "/tries"), "try\ntry\ntry\n")
check.is_true("the others are made", exists(room .. "/good") and exists(room .. "/other"))
check.is_true("nothing else is", not exists(room .. "/bad") and not exists(room .. "/behind")
    and not exists(room .. "/never"))
check.matches("said so", output, "not made .* " .. room:gsub("%p", "%%%0") .. "/behind\nmade ")
check_logs("kept", output, nil, true)
check.contains("explained", program.succeed("explain what failed",
    { "explain", program.file "kept.inputs", "--job", "1" }), "job 1, policy cp")

os.execute(string.format("rm -f '%s'/*", room))
output, messages, code = run(options("stopped", "-j 2 " .. failing .. " " .. targets))
check.equal("without -k all ends", code, 1)
check.is_true("and what runs is killed", not exists(room .. "/other")
    and not exists(room .. "/good"))
check_logs("stopped", output, nil, true)

-- Of one target alone, with -k, all is made that does not need what failed; and what runs when a
-- rule fails is not run again.
local parts, parts_room = rules("parts", [[
all: DIR/after DIR/b DIR/c
DIR/a:
	until [ -e DIR/tries ]; do :; done
	exit 3
DIR/after: DIR/a
	echo never >$@
DIR/b:
	echo try >>DIR/tries
	echo b >$@
DIR/c: DIR/b
	echo c >$@
]])
for _, slots in ipairs { 3, 2 } do
    os.execute(string.format("rm -f '%s'/*", parts_room))
    output, messages, code = run(options("parts", string.format("-k -j %d %s", slots, parts)))
    check.equal("all is not made", code, 1)
    check.contains("as a rule of it failed", messages, parts_room .. "/a: its commands failed")
    check.is_true("but the rest of it is", exists(parts_room .. "/b") and exists(parts_room .. "/c")
        and not exists(parts_room .. "/after"))
    check.equal("each once", check.read_file(parts_room .. "/tries"), "try\n")
    check.matches("as the table says", output, "not made [^\n]* all\n")
    check_logs("parts", output, nil, true)
    local again = program.succeed("the scenario of what was left", { "compare",
        program.file "parts.json", "--policies", "cp,fifo", "--format", "csv", "--quiet" })
    check.matches("has the target", again, "\ncp,1,")
end

-- What commands leave in the background ends with them.
local left, left_room = rules("left", [[
DIR/made:
	sleep 1000 & echo $$! >DIR/pid
	echo made >$@
]])
output, messages, code = run(options("left", left))
check.equal("a command with a child in the background", messages .. code, "0")
check.is_true("whose child is gone", not os.execute(
    "kill -0 " .. check.read_file(left_room .. "/pid"):match "%d+" .. " 2>/dev/null"))

-- What has left their group ends with the run, which does not wait for it.
local away, away_room = rules("away", [[
DIR/made:
	setsid sh -c 'echo $$$$ >DIR/pid; sleep 1000' & until [ -s DIR/pid ]; do :; done
	echo made >$@
]])
if io.open("/proc/self/task/" .. io.open "/proc/self/stat":read "n" .. "/children")
        and os.execute "command -v setsid >/dev/null" then
    local before = os.time()
    output, messages, code = run(options("away", away))
    check.equal("a command whose child leaves its group", messages .. code, "0")
    check.is_true("is not waited for", os.time() - before < 9)
    check.is_true("and its child is gone", not os.execute(
        "kill -0 " .. check.read_file(away_room .. "/pid"):match "%d+" .. " 2>/dev/null"))
else
    print "left out: no setsid, or a system that does not list children"
end

-- ---- Ctrl-C -------------------------------------------------------------------------------------

local pids = program.file "pids"
local slow, slow_room = rules("slow", string.format([[
all: DIR/a DIR/b
DIR/a DIR/b:
	echo half >$@
	echo $$$$ >>'%s'
	sleep 1000 & echo $$! >>'%s'
	sleep 1000
]], pids, pids))
os.execute(string.format([[
'%s' %s '%s' >/dev/null 2>&1 </dev/null &
pid=$!
for i in $(seq 600); do
    [ "$(cat '%s' 2>/dev/null | wc -l)" -ge 4 ] && break
    sleep 0.1
done
kill -INT $pid
wait $pid
echo $? >'%s']], buildrunner, options("slow", "-j 2"), slow, pids, program.file "slow.code"))
check.equal("exit code after Ctrl-C", check.read_file(program.file "slow.code"), "130\n")
local started = 0
for pid in io.lines(pids) do
    started = started + 1
    check.is_true("process " .. pid .. " is gone",
        not os.execute("kill -0 " .. pid .. " 2>/dev/null"))
end
check.equal("two processes of each command", started, 4)
check.is_true("no half of a file is left", not exists(slow_room .. "/a")
    and not exists(slow_room .. "/b"))
program.succeed("what was done until then replays",
    { "verify", program.file "slow.inputs", program.file "slow.log" })

-- ---- a runner that is killed --------------------------------------------------------------------

-- Where the system tells processes of the end of their parent.
if io.open "/proc/self/status" then
    check.equal("its commands are gone",
        program.killed_runner(string.format("'%s' -j 2 '%s'", buildrunner, slow), pids, 4), "")
end

-- ---- mistakes -----------------------------------------------------------------------------------

local function mistake(text, message)
    local path = program.file("wrong.rules", text)
    local out, said, exit = run(path)
    check.equal("exit code: " .. message, exit, 2)
    check.equal("output: " .. message, out, "")
    check.equal("message: " .. message, said,
        "buildrunner: " .. message:gsub("RULES", path) .. "\n")
end

mistake("a: b\nb: c\nc: a\n", "RULES:3: c needs a, which needs it")
mistake("a: nothing-like-this\n", "RULES: there is no file nothing-like-this, and no rule for it")
mistake("\techo\n", "RULES:1: a command without a target: echo")
mistake("a:\n\techo $(CC)\n",
    "RULES:2: there are no variables but $@, $<, $^ and $$: $(CC)")
mistake("# empty\n\n%.o: %.c\n",
    "RULES:3: no plain name of a file (patterns and variables are not read): %.o")
mistake("all: \\\n  a\nCC = cc\n", "RULES:3: expected TARGET: NEEDED FILES: CC = cc")
mistake("a:\n\t-false\n", "RULES:2: commands begin with no sign but @: -false")
mistake("a:\n\techo \0x\n", "RULES:2: a null byte (expected text)")
mistake("# nothing\n", "RULES: no rules")

for _, wrong in ipairs {
    { "", "no file of rules (--help says more)" },
    { "-j 0 x", "-j: expected an integer in 1..10000, got 0" },
    { "--policy none x", "unknown policy: none (expected a built-in one, or a file that ends in "
        .. ".lua)" },
    { "--policy policies/slotted/fifo.lua x",
        "policies/slotted/fifo.lua: a policy of another model (expected model = \"dag\")" },
    { "--param x=1 x", "--param: policy cp has no such parameter: x=1" },
    { "/no/such/rules", "/no/such/rules: No such file or directory" },
    { "--nice x", "unknown option: --nice (--help lists them)" },
} do
    local _, said, exit = run(wrong[1])
    check.equal("exit code of " .. wrong[1], exit, 2)
    check.equal("message of " .. wrong[1], said, "buildrunner: " .. wrong[2] .. "\n")
end

-- ---- files that are read or written -------------------------------------------------------------

local needed = program.file("needed", "a source\n")
local reading = program.file("reading.rules", string.format("%s: %s\n\tcp $< $@\n",
    program.file "needed.copy", needed))
local own = program.file("own.lua", check.read_file(MINE))
os.execute(string.format("ln -sf '%s' '%s'", reading, program.file "linked"))
local linked, both = program.file "linked", program.file "both.out"
for options, message in pairs {
    ["--log " .. reading] = "--log: " .. reading .. " is read",
    ["--inputs " .. linked] = "--inputs: " .. linked .. " leads to " .. reading
        .. ", which is read",
    ["--scenario " .. reading] = "--scenario: " .. reading .. " is read",
    ["--policy " .. own .. " --log " .. own] = "--log: " .. own .. " is read",
    ["--scenario " .. needed] = "--scenario: " .. needed .. " is read",
    ["--log " .. both .. " --inputs " .. both] = "--inputs: " .. both .. " is where --log goes",
    ["--scenario " .. program.file "run.out"] = "--scenario: " .. program.file "run.out"
        .. " is where standard output goes",
} do
    local function texts()
        return check.read_file(reading) .. check.read_file(needed) .. check.read_file(own)
    end
    local before = texts()
    local printed, said, exit = run(options .. " " .. reading)
    check.equal("exit code: " .. message, exit, 2)
    check.equal("output: " .. message, printed, "")
    check.equal("message: " .. message, said,
        "buildrunner: " .. message .. " (expected another file)\n")
    check.equal("files after: " .. message, texts(), before)
end
check.is_true("what is refused leaves no new file", not exists(both))
check.equal("a device may be both",
    select(3, run("--log /dev/null --inputs /dev/null " .. reading)), 0)

-- A log beyond a limit of the system fails with a message, as on a full disk, not by a signal.
local full = program.file "full.log"
local limited <close> = assert(io.popen(string.format(
    "(ulimit -f 0; LLVM_PROFILE_FILE=/dev/null exec '%s' '%s' --log '%s') 2>&1; echo status $?",
    buildrunner, reading, full)))
local said = limited:read "a"
check.contains("a log beyond a limit", said, full .. ": cannot write")
check.contains("its status", said, "status 1\n")

check.done()
