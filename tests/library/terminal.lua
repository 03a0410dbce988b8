-- What only a terminal, a pipe or Ctrl-C shows: progress, and what an interrupted command leaves.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

-- Progress on a terminal, with rate and time left, and none in a pipe. In the foreground timeout
-- interrupts once, not its whole group too.
local watched =
    string.format(
    "timeout --foreground -s INT 2 %s simulate --workload zheng,slots=9000000000 "
    .. "--policy fair --no-jobs", program.path)
local has_terminals =
    os.execute("command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 "
    .. "</dev/null")
if not has_terminals then
    print "left out: no pseudo-terminals here, progress on a terminal cannot be watched"
end
if has_terminals then
    os.execute(string.format("script -qec '%s' %s >/dev/null </dev/null", watched,
        program.file "terminal"))
    check.matches("progress on a terminal", check.read_file(program.file "terminal"),
        "\r\27%[Kfair: [%d.]+ ?k? of 9000 M slots, [%d.]+ ?k?/s, [%d.]+ %a+ left")
    -- The name of a policy's file steers nothing.
    local steering = program.file("\27[7m.lua", check.read_file "policies/slotted/fair.lua")
    os.execute(string.format("cd '%s' && script -qec '%s' terminal >/dev/null </dev/null",
        program.directory, watched:gsub("%-%-policy fair", "--policy *.lua")))
    check.contains("a label is escaped", check.read_file(program.file "terminal"),
        "\r\27[K\\x1b[7m.lua: ")
    os.remove(steering)
    local replicas = program.file("replicas.lua",
        [[require "pinion".compare { machines = 100, workload = "zheng:0", replicas = 100000 }]])
    os.execute(string.format(
        "script -qec 'timeout --foreground -s INT 2 %s run %s' %s >/dev/null </dev/null",
        program.path, replicas, program.file "terminal"))
    check.matches("progress over replicas", check.read_file(program.file "terminal"),
        "\r\27%[Kcomparison: %d+ of 500 k runs, %d+/s, %d+ %a+ left")
end
os.execute(string.format("%s >/dev/null 2>%s", watched, program.file "pipe"))
check.matches("none in a pipe", check.read_file(program.file "pipe"),
    "^pinion: interrupted: [^\n]*\n$")

-- Ctrl-C prints what there is.
local function interrupt(...)
    local command = string.format("'%s' %s >%s 2>%s & p=$!; "
        .. "until grep -q '^SigCgt:.*[2367abef]$' /proc/$p/status; do :; done; sleep 1; kill "
            .. "-INT $p; wait $p", program.path, table.concat({ ... }, " "),
        program.file "int.out", program.file "int.err")
    -- A shell's background jobs ignore interrupts unless job control is on.
    local _, _, status = os.execute("bash -c 'set -m; " .. command:gsub("'", "'\\''")
        .. "' 2>/dev/null")
    return status
end
check.equal("exit code of an interrupted script",
    interrupt("run", program.file("loop.lua", "while true do end")), 130)
check.equal("an interrupted script is said", check.read_file(program.file "int.err"),
    "pinion: interrupted\n")
check.equal("exit code of an interrupted description",
    interrupt("workload", "facebook,jobs=9000000000"), 130)
local unwritten = program.file "unwritten.log"
check.equal("exit code of a run interrupted while its scenario is hashed",
    interrupt("simulate --workload zheng,slots=9000000000 --policy fair --no-jobs --log",
        unwritten), 130)
check.equal("no log without the scenario's hash", io.open(unwritten), nil)
check.equal("exit code of an interrupted run",
    interrupt("simulate --workload zheng,slots=9000000000 --policy fair --no-jobs --quiet"), 130)
check.contains("partial result", check.read_file(program.file "int.out"), '"interrupted": true')
check.contains("interrupted is said", check.read_file(program.file "int.err"),
    "pinion: interrupted: ")

check.done()
