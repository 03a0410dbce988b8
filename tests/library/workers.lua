-- Worker processes: what they send, how they end, and which tasks they take.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"

-- Returns what the workers of a pool have sent, in the order of the lines, and how each has ended.
local function ends_of(pool)
    local lines, ends = {}, {}
    while true do
        local index, line, why = pool:next(1000)
        if index == false then break end
        if index and line then lines[#lines + 1] = line end
        if index and not line then ends[index] = why or "good" end
    end
    table.sort(lines)
    return table.concat(lines, " "), ends
end

-- ---- ends ---------------------------------------------------------------------------------------

local long = ("x"):rep(200000)
for name, row in next, {
    ["a line"] = { function(index, send) send("from " .. index) end, "from 1", "good" },
    ["a long line"] = { function(_, send) send(long) end, long, "good" },
    ["an exit code"] = { function() return 3 end, "", "exit code 3" },
    ["no exit code"] = { function() return "text" end, "", "good" },
    ["an error"] = { function() error "of its own" end, "", "exit code 1" },
    ["two lines"] = { function(_, send)
        local good, why = pcall(send, "one\ntwo")
        send(tostring(good) .. " " .. why:gsub(" ", "_"))
    end, "false bad_argument_#1_to_'?'_(must_be_one_line)", "good" },
    ["no task"] = { function(_, send, take) send(tostring(take())) end, "nil", "good" },
    ["a signal"] = { function() os.execute("kill -TERM $PPID") end, "",
        "killed by signal 15 (Terminated)" },
    ["another pool"] = { function(_, send)
        local inner <close> = assert(core.workers(1, function(_, tell) tell "inner" end))
        send((ends_of(inner)))
    end, "inner", "good" },
} do
    local pool <close> = assert(core.workers(1, row[1]))
    local lines, ends = ends_of(pool)
    check.equal("lines of " .. name, lines, row[2])
    check.equal("end of " .. name, ends[1], row[3])
    check.equal("all have ended: " .. name, pool:next(0), false)
end

-- ---- tasks --------------------------------------------------------------------------------------

do
    local pool <close> = assert(core.workers(3, function(_, send, take)
        for task in take do send(tostring(task)) end
    end, 7))
    local lines, ends = ends_of(pool)
    check.equal("each task once", lines, "1 2 3 4 5 6 7")
    check.equal("ends", table.concat(ends, " "), "good good good")
    for index = 1, 3 do
        check.is_true("a last task", pool:last(index) >= 0 and pool:last(index) <= 7)
    end
    check.equal("another in place of one that has ended", pool:restart(2, 5), true)
    lines = ends_of(pool)
    check.equal("it begins with its task", lines, "5")
    check.equal("which is its last one", pool:last(2), 5)
end

-- A worker that closes its copy of the pool leaves the other workers as they are.
do
    local pool, restarted
    local large = ("x"):rep(20 << 20) -- a heap of this size is inherited, too
    pool = assert(core.workers(2, function(index, send)
        if restarted then
            do local ended <close> = pool end
            send("closed " .. #large)
        elseif index == 2 then
            os.execute "sleep 0.2"
            send "alive"
        end
    end))
    repeat local index, line = pool:next(1000) until index == 1 and not line
    restarted = true
    check.equal("restart", pool:restart(1, 0), true)
    check.equal("both go on", (ends_of(pool)), "alive closed 20971520")
end

-- ---- what the system does not give --------------------------------------------------------------

-- Runs a text in a process of its own, behind commands of a shell, and returns what it prints.
local function printed(before, text)
    local path = check.temporary_file('local core = require "pinion.core"\n' .. text)
    local pipe = assert(io.popen(string.format("%s; exec '%s' run '%s' 2>&1", before, program.path,
        path)))
    local output = pipe:read "a"
    pipe:close()
    return output
end

check.equal("no more descriptors", printed("ulimit -n 20", [[
print(core.workers(20, function() end))
local held, pool = {}, assert(core.workers(2, function(index) return index end))
for _ = 1, 2 do pool:next(1000) end
repeat held[#held + 1] = io.open "/dev/null" until not io.open "/dev/null"
print(pool:restart(1, 0))
print(pool:next(1000))]]), "nil\tToo many open files\nnil\tToo many open files\nfalse\n")
-- The program may have been started with SIGCHLD ignored.
check.equal("ends are known", printed("trap '' CHLD", [[
local pool = assert(core.workers(1, function() return 3 end))
print(pool:next(1000))
print(os.execute "exit 4")]]), "1\tfalse\texit code 3\nnil\texit\t4\n")

-- ---- arguments ----------------------------------------------------------------------------------

local function nothing() end
for _, row in ipairs {
    { "must be in 1..256", 0, nothing }, { "must be in 1..256", 257, nothing },
    { "function expected", 1, 1 }, { "must be a number of tasks", 1, nothing, -1 },
    { "must be a number of tasks", 1, nothing, (1 << 53) + 1 },
} do
    check.raises("workers: " .. row[1], row[1], core.workers, table.unpack(row, 2, 4))
end
do
    local pool <close> = assert(core.workers(1, function() while true do end end, 2))
    for _, row in ipairs {
        { "is no worker", "last", 0 }, { "is no worker", "last", 2 },
        { "has not ended", "restart", 1, 1 }, { "is no worker", "restart", 2, 1 },
        { "must be in 0..1000", "next", -1 }, { "must be in 0..1000", "next", 1001 },
        { "must be in 0..1000", "next", 0 / 0 },
    } do
        check.raises(row[2] .. ": " .. row[1], row[1], pool[row[2]], pool, table.unpack(row, 3, 4))
    end
    check.equal("nothing within that time", pool:next(0), nil)
end
do
    local pool <close> = assert(core.workers(1, nothing, 2))
    ends_of(pool)
    check.raises("a task too many", "is no task", pool.restart, pool, 1, 3)
    check.raises("a task too few", "is no task", pool.restart, pool, 1, -1)
end

check.done()
