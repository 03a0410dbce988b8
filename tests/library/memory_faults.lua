-- Memory is refused everywhere. Each command of tests/support/disturbed.lua runs again and again
-- with tests/modules/refusals.c in front of the C library, and for each stack of C calls that
-- allocates, the first allocation there fails: alone, so that Lua collects its garbage and asks
-- again; twice, so that Lua raises its error; or it and all that follow. A stack that several
-- commands have counts once. Functions in Lua are no calls in C: their allocations share a stack.
--
--   PINION_FAULTS=all   all of this (ten minutes); else one of the three, for every fourth stack
--
-- Reads and writes that move one byte at a time, where the program itself makes them, do not show.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local disturbed = require "disturbed"
local program = require "program"

local IS_WHOLE <const> = os.getenv "PINION_FAULTS" == "all"
local MODULE <const> = os.getenv "PWD" .. "/" .. (os.getenv "BUILD" or "build")
    .. "/tests/modules/refusals.so"
local COUNTS <const> = { 1, 2, 1 << 40 }

-- What jansson has read until a refusal is not given back.
local LEAKS <const> = program.file("leaks", "leak:allocate_or_end\n")

local function refusing(settings)
    return string.format("env ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 "
        .. "LSAN_OPTIONS=suppressions='%s':print_suppressions=0 MALLOC_PERTURB_=165 "
        .. "LD_PRELOAD='%s' %s", LEAKS, MODULE, settings)
end

-- Returns the stacks of a command: the number of an allocation and a hash each.
local function stacks_of(command, log)
    os.remove(log)
    disturbed.run(command, 0, refusing("REFUSE_LOG='" .. log .. "'"))
    if not check.exists(log) then
        print "skipped: tests/modules/refusals.c needs the GNU C library"
        os.execute("rm -rf '" .. program.directory .. "'")
        os.exit(77)
    end
    local stacks = {}
    for number, hash in check.read_file(log):gmatch "(%d+) (%x+)\n" do
        stacks[#stacks + 1] = { at = tonumber(number), hash = hash }
    end
    return stacks
end

local function all_tasks()
    local tasks, seen, stacks = {}, {}, 0
    for i, command in ipairs(disturbed.commands) do
        tasks[#tasks + 1] = { command = i, settings = "REFUSE_BYTES=1", at = 0, count = 0 }
        for _, stack in ipairs(stacks_of(command, program.directory .. "/stacks")) do
            local is_new = not seen[stack.hash]
            seen[stack.hash], stacks = true, stacks + (is_new and 1 or 0)
            for c, count in ipairs(COUNTS) do
                local is_chosen = stacks % 4 == 0 and c == 1 + stacks // 4 % #COUNTS
                if is_new and (IS_WHOLE or is_chosen) then
                    tasks[#tasks + 1] = { command = i, at = stack.at, count = count,
                        settings = string.format("REFUSE_FROM=%d REFUSE_COUNT=%d", stack.at,
                            count) }
                end
            end
        end
    end
    return tasks, stacks
end

local function try(task, number)
    local command = disturbed.commands[task.command]
    local got = disturbed.run(command, number, refusing(task.settings))
    local wrong = disturbed.fault(task.command, got, {})
    if not wrong and got.code ~= 0 then
        wrong = task.at == 0 and "exit code " .. got.code
            or not got.messages:find "[Nn]ot enough memory"
            and not got.messages:find "Cannot allocate memory"
            and not got.messages:find "out of memory" -- of SQLite
            and not got.messages:find "memory is short"
            and "a message without the reason"
    end
    wrong = wrong or disturbed.fault_again(task.command, number, got)
    return wrong, string.format("%s with %s (%s)", table.concat(command, " "), task.settings,
        got.messages)
end

local began = os.time()
disturbed.prepare()
local tasks, stacks = all_tasks()
disturbed.sweep(tasks, try)
print(string.format("%d commands, %d stacks, %d faults, %d s", #disturbed.commands, stacks, #tasks,
    os.time() - began))
check.done()
