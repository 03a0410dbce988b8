-- What only a terminal, a pipe or Ctrl-C shows: progress, and what an interrupted command leaves.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

-- Runs a shell script in which `$p` is a process that has taken so many hundredths of a second of
-- processor time, interrupts it, and returns its exit code.
local function interrupt_after(ticks, command)
    -- A shell's background jobs ignore interrupts unless job control is on.
    local script = program.file("interrupt.sh", "set -m\n" .. command .. " & p=$!\n"
        .. "until grep -q '^SigCgt:.*[2367abef]$' /proc/$p/status; do :; done\n"
        .. "until set -- $(cat /proc/$p/stat) && [ ${14} -ge " .. ticks .. " ]; do sleep 0.02; "
        .. "done\nkill -INT $p\nwait $p\n")
    local _, _, status = os.execute("bash '" .. script .. "' 2>/dev/null")
    return status
end

local function interrupt(...)
    return interrupt_after(20, string.format("'%s' %s >%s 2>%s", program.path,
        table.concat({ ... }, " "), program.file "int.out", program.file "int.err"))
end

-- What a command shows on a terminal up to a line with the time left.
local function watch(command)
    local shown, pid = program.file "terminal", program.file "pid"
    os.remove(shown)
    os.execute(string.format("cd '%s'; "
        .. "script -qefc 'echo $$ >\"%s\"; exec %s' '%s' >/dev/null </dev/null & "
        .. "for i in $(seq 1000); do grep -q left '%s' 2>/dev/null && break; sleep 0.02; done; "
        .. "kill -INT $(cat '%s'); wait", program.directory, pid, command, shown, shown, pid))
    return check.read_file(shown)
end

local ENDLESS <const> = "simulate --workload zheng,slots=9000000000 --policy %s --no-jobs"

-- Progress on a terminal, with rate and time left, and none in a pipe.
if os.execute("command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 "
        .. "</dev/null") then
    check.matches("progress on a terminal",
        watch(program.path .. " " .. ENDLESS:format "fair"),
        "\r\27%[Kfair: [%d.]+ ?k? of 9000 M slots, [%d.]+ ?k?/s, [%d. ]*%a+ left")
    -- The name of a policy's file steers nothing.
    local steering = program.file("\27[7m.lua", check.read_file "policies/slotted/fair.lua")
    check.contains("a label is escaped", watch(program.path .. " " .. ENDLESS:format "*.lua"),
        "\r\27[K\\x1b[7m.lua: ")
    os.remove(steering)
    -- Its width is that of the terminal, or is not known where there is none.
    local width = program.file("width.lua", [[local core = require "pinion.core"
        print(core.terminal_columns(1), core.terminal_columns(0), core.is_terminal(1))]])
    local run = string.format("'%s' run '%s'", program.path, width)
    os.execute(string.format("script -qec \"stty cols 77; %s; stty cols 0; %s\" '%s' >/dev/null "
        .. "2>&1 </dev/null", run, run, program.file "widths"))
    check.contains("widths of a terminal", check.read_file(program.file "widths"):gsub("\r", ""),
        "\n77\t77\ttrue\nnil\tnil\ttrue\n")
    os.execute(string.format("script -qec \"'%s' workload tests/cli/dag.json\" '%s' >/dev/null "
        .. "2>&1 </dev/null", program.path, program.file "short"))
    local short = check.read_file(program.file "short")
    check.contains("a file is read on a terminal", short, "tasks of all jobs             18")
    check.equal("no progress of what is short", short:find "\27%[K", nil)
    local replicas = program.file("replicas.lua",
        [[require "pinion".compare { machines = 100, workload = "zheng:0", replicas = 100000 }]])
    check.matches("progress over replicas", watch(program.path .. " run " .. replicas),
        "\r\27%[Kcomparison: %d+ of 500 k runs, %d+/s, %d+ %a+ left")
else
    print "left out: no pseudo-terminals here, progress on a terminal cannot be watched"
end
interrupt_after(100, string.format("'%s' %s >/dev/null 2>'%s'", program.path,
    ENDLESS:format "fair", program.file "pipe"))
check.matches("none in a pipe", check.read_file(program.file "pipe"),
    "^pinion: interrupted: [^\n]*\n$")

-- Ctrl-C prints what there is.
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
