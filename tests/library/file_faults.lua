-- Every operation on files fails once. Each command of tests/support/disturbed.lua runs under
-- strace again and again: the first system call of a name after the start of the program fails,
-- then the second, and so on up to the last one that the command makes, with every name and error
-- of the table below. Then no file may become larger than a limit: the write that would cross it
-- writes a part, and the next one fails. Worker processes count by themselves: their first calls,
-- as many as load the libraries of the program, do not fail. An interrupted call (EINTR) comes only
-- with a signal that ends the program: it may fail too.
--
--   PINION_FAULTS=all   every call with every error and 60 limits of each command (three minutes);
--                       else every third call, with one error, and two limits

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local disturbed = require "disturbed"
local program = require "program"

local IS_WHOLE <const> = os.getenv "PINION_FAULTS" == "all"
-- A sanitizer's own memory is not refused.
local IS_SANITIZED <const> = program.path:find "/asan/" ~= nil
-- What looks for leaks cannot do that in a traced process.
local STRACE <const> = "env ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 "
    .. "strace -f --seccomp-bpf -qq -y"

if not os.execute(STRACE .. " -o /dev/null true 2>/dev/null") then
    print "skipped: no strace that may trace (make setup)"
    os.execute("rm -rf '" .. program.directory .. "'")
    os.exit(77)
end

-- What a call may end with; `vague`: what is asked about a file may have another reason in the
-- message; `unseen`: the error does not show.
local KINDS <const> = {
    { "open openat", "EMFILE", "EACCES", "EINTR" },
    { "read pread64", "EIO", "EINTR" },
    { "write pwrite64", "ENOSPC", "EIO", "EINTR" },
    { "fsync fdatasync", "EIO", "ENOSPC", "EINTR" },
    { "close", "EIO" },
    { "rename renameat renameat2", "EACCES", "EIO" },
    { "ftruncate lseek readlink readlinkat getdents64", "EIO" },
    { "unlink unlinkat", "EACCES" },
    { "mkdir mkdirat", "ENOSPC" },
    { "fchmod fchown", "EPERM" },
    { "stat fstat lstat newfstatat statx", "EIO", vague = true },
    { "access faccessat faccessat2", "EACCES", vague = true },
    { IS_SANITIZED and "" or "mmap", "ENOMEM" },
    { "pipe pipe2", "EMFILE" },
    { "fork clone clone3", "EAGAIN" },
    { "poll ppoll wait4 waitid", "EINTR", unseen = true },
}
local REASONS <const> = { EMFILE = "Too many open files", EACCES = "Permission denied",
    EINTR = "Interrupted system call", EIO = "Input/output error",
    ENOSPC = "No space left on device", EPERM = "Permission denied",
    ENOMEM = "ot enough memory", EAGAIN = "Resource temporarily unavailable" }

local ALL = {}
for _, kind in ipairs(KINDS) do
    for call in kind[1]:gmatch "%w+" do ALL[#ALL + 1] = "?" .. call end
end

-- ---- the calls of a command ---------------------------------------------------------------------

local function trace_of(number)
    return string.format("%s/%03d.trace", program.directory, number)
end

-- The program installs its handlers of signals first: what comes before loads libraries.
local START <const> = "rt_sigaction(SIGINT"

-- Returns by name the number of calls before the start, and of those that any process makes.
local function counts_of(command)
    disturbed.run(command, 0, string.format("%s -o '%s' -e trace=rt_sigaction,%s", STRACE,
        trace_of(0), table.concat(ALL, ",")))
    local counts, before, most = {}, nil, {}
    for process, line in check.read_file(trace_of(0)):gmatch "(%d+) +([^\n]*)" do
        local call = line:match "^([%w_]+)%("
        local own = counts[process] or {}
        counts[process] = own
        if line:sub(1, #START) == START and not before then before = check.with(own, {}) end
        own.has_ended = own.has_ended or line:find("%.profraw") -- what counts coverage is written
        if call and not own.has_ended then
            own[call] = (own[call] or 0) + 1
            most[call] = math.max(most[call] or 0, own[call])
        end
    end
    return before, most
end

local function tasks_of(i)
    local before, most = counts_of(disturbed.commands[i])
    local tasks = {}
    for _, kind in ipairs(KINDS) do
        for call in kind[1]:gmatch "%w+" do
            for at = (before[call] or 0) + 1, most[call] or 0 do
                for e = 2, #kind do
                    if IS_WHOLE or (at + i) % 3 == 0 and e == 2 + at % (#kind - 1) then
                        tasks[#tasks + 1] = { command = i, kind = kind, call = call, at = at,
                            error = kind[e] }
                    end
                end
            end
        end
    end
    return tasks
end

-- ---- one fault ----------------------------------------------------------------------------------

-- Returns the call that failed, and the name of its file; nil when there was no such call.
local function struck(number)
    local call = check.read_file(trace_of(number)):match "([%w_]+%([^\n]*)%(INJECTED%)"
    if not call then return nil end
    local path = call:match "^[%w_]+%(%d+<([^>]*)>" or call:match '"([^"]*)"' or ""
    local name = path:match "[^/]*$":gsub("%.%d+%-%d+%.tmp$", "")
    return call, name:find "^%d+%.out$" and "standard output" or name
end

-- Returns whether a message has the name and the reason. SQLite has reasons of its own, and a
-- store's folder stands for the file that cannot be added to it; why there is no temporary file is
-- not known.
local function is_exact(task, text, name)
    if task.kind.vague or text:find("no temporary file", 1, true) then return true end
    local store = disturbed.commands[task.command].store
    return (text:find(REASONS[task.error], 1, true) or name:find "%.db$")
        and (text:find(name, 1, true) or store and text:find(store, 1, true))
end

local function try(task, number)
    local command = disturbed.commands[task.command]
    local got = disturbed.run(command, number, string.format(
        "%s -o '%s' -e trace=%s -e inject=%s:error=%s:when=%d", STRACE, trace_of(number),
        task.call, task.call, task.error, task.at))
    local call, name = struck(number)
    if not call then return nil, "a call fewer, as syncs depend on the time" end
    local wrong = disturbed.fault(task.command, got, {
        silence = call:find "^write%(2<" ~= nil, left_over = call:find "^unlink" ~= nil })
    if not wrong and got.code ~= 0 then
        wrong = task.kind.unseen and "exit code " .. got.code
            or not call:find "^write%(2<" and not is_exact(task, got.messages, name)
            and "a message without the file and the reason"
    end
    wrong = wrong or disturbed.fault_again(task.command, number, got)
    return wrong, string.format("%s with %s, call %d: %s (%s)", table.concat(command, " "),
        task.error, task.at, call, got.messages)
end

-- ---- limits of files ----------------------------------------------------------------------------

-- Returns the size of the largest file that a command makes, or makes larger.
local function largest_of(i)
    local wanted = disturbed.wanted[i]
    local largest = #wanted.output
    for name, text in next, wanted.files do
        if text ~= disturbed.before[name] then largest = math.max(largest, #text) end
    end
    return largest
end

local function limits_of(i)
    local largest, tasks = largest_of(i), {}
    local count = math.min(IS_WHOLE and 60 or 2, largest)
    for k = 0, count - 1 do
        tasks[#tasks + 1] = { command = i, limit = (largest * (2 * k + 1) + i) // (2 * count) }
    end
    return tasks
end

local function try_limit(task, number)
    local command = disturbed.commands[task.command]
    local got = disturbed.run(command, number, "prlimit --fsize=" .. task.limit)
    local wrong = disturbed.fault(task.command, got, { silence = task.limit == 0 })
    if not wrong and got.code ~= 0 and #got.messages < task.limit
        and not got.messages:find "File too large" and not got.messages:find "%.db: " then
        wrong = "a message without the reason"
    end
    wrong = wrong or disturbed.fault_again(task.command, number, got)
    return wrong, string.format("%s with files of %d bytes at most (%s)",
        table.concat(command, " "), task.limit, got.messages)
end

-- -------------------------------------------------------------------------------------------------

local began = os.time()
disturbed.prepare()
local tasks = {}
for i in ipairs(disturbed.commands) do
    for _, own in ipairs { tasks_of(i), limits_of(i) } do
        table.move(own, 1, #own, #tasks + 1, tasks)
    end
end
disturbed.sweep(tasks, function(task, number)
    return (task.limit and try_limit or try)(task, number)
end)
print(string.format("%d commands, %d faults, %d s", #disturbed.commands, #tasks,
    os.time() - began))
check.done()
