-- Tasks 1..count, here or in worker processes, which take the next task whenever they are free.
-- What tasks give is delivered in their order, and it is the same values either way: nothing that
-- is computed can tell how many processes there were. The task of a lost process is run once more.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local say = require "pinion.base.say"

local M = {}

-- Seconds between two looks at the clock and at Ctrl-C while no worker has anything to say.
local PATIENCE = 0.2

---How many processes there may be.
M.PROCESSES_MAX = 256

---@class pinion.Tasks
---@field run fun(task: integer, tick: fun()): table|nil a value of numbers, strings, booleans, sequences and records; nil: interrupted
---@field deliver (fun(task: integer, value: table))|nil called in ascending order of tasks; nil: they leave what they make elsewhere, and bear to be run again
---@field lost (fun(task: integer, text: string))|nil called for a task that took two processes with it, where nothing is delivered
---@field apart boolean|nil true: in a worker even when there is only one, so that a task that kills its process does not end this one
---@field finish fun()|nil called in each process when it has no more to run
---@field tick (fun(part: boolean))|nil called now and then; `part`: a part of a task was done
---@field name fun(task: integer): string what messages call it

local function decode(line)
    return core.json_read(line) or error("a worker process has sent " .. line)
end

-- Describes an error as it travels: whose fault it is decides about the exit code, so that goes
-- along.
local function describe_problem(problem)
    if fault.is(problem) then
        return { text = problem.text, located = problem.located, code = problem.code }
    end
    return { text = tostring(problem), defect = true }
end

local function raise(problem)
    if problem.defect then error(problem.text, 0) end
    local kind = problem.code == 2 and "usage" or "run"
    if problem.located then fault.located(kind, problem.text) end
    fault.from_core(kind, problem.text)
end

local function keep_traceback(problem)
    if type(problem) == "string" then return debug.traceback(problem, 2) end
    return problem
end

-- Writes a task's value as a line, or its error as one.
local function line_of(tasks, task, send)
    local value = tasks.run(task, function() send "." end)
    return value ~= nil and core.json_encode { task = task, value = value } or nil
end

-- Calls f(...); returns whether it went well: what it returned, or 0 with what was wrong said, or
-- the code of an interrupt.
local function guarded(send, task, f, ...)
    local ok, value = xpcall(f, keep_traceback, ...)
    if ok then return value, nil end
    if fault.is(value) and value.code == fault.INTERRUPTED then return nil, fault.INTERRUPTED end
    send(core.json_encode { task = task, problem = describe_problem(value) })
    return nil, 0
end

-- Works as a worker does: one line for each value that is to be delivered, "." for each part of
-- one.
local function work(tasks, send, take)
    for task in take do
        local line, code = guarded(send, task, line_of, tasks, task, send)
        if not line then return code or fault.INTERRUPTED end
        if tasks.deliver then send(line) end
    end
    local _, code = guarded(send, 0, tasks.finish or math.abs, 0)
    return code or 0
end

-- Makes a shelf for the values that have come in, handed on in order.
local function new_shelf(tasks)
    local shelf = { values = {}, next = 1 }
    function shelf.has(task) return task < shelf.next or shelf.values[task] ~= nil end
    function shelf.put(task, value)
        if shelf.has(task) then return end
        shelf.values[task] = value
        while shelf.values[shelf.next] ~= nil do
            local ready = shelf.next
            tasks.deliver(ready, shelf.values[ready])
            shelf.values[ready] = nil
            shelf.next = ready + 1
        end
    end
    -- Clears what waits behind a gap that will not be filled.
    function shelf.clear()
        local waiting = {}
        for task in next, shelf.values do waiting[#waiting + 1] = task end
        table.sort(waiting)
        for _, task in ipairs(waiting) do tasks.deliver(task, shelf.values[task]) end
    end
    return shelf
end

-- Replaces a process that was lost: another one takes its place, and its task first. Returns why
-- that cannot be: a task that takes two processes with it fails.
local function replace(pool, index, task, reason, name, lost)
    local text = string.format("the process that ran %s was lost: %s", name,
        reason or "it ended early")
    if lost[task] then return text .. ", as the one before it" end
    lost[task] = true
    local started, why = pool:restart(index, task)
    if not started then return text .. "; no other can be started: " .. why end
    say("%s; it is run again", text)
end

-- Reads the rest of the workers' output.
local function read_rest(pool, shelf)
    local index, line = pool:next(0)
    while index do
        local message = line and line ~= "." and decode(line)
        if message and message.value ~= nil then shelf.put(message.task, message.value) end
        index, line = pool:next(0)
    end
    shelf.clear()
end

local function start(processes, count, tasks)
    local pool, why = core.workers(processes,
        function(_, send, take) return work(tasks, send, take) end, count)
    if pool then return pool end
    fault.run("cannot start %d processes: %s (try fewer: processes = 1)", processes, why)
end

-- Returns whether a worker's message or end tells of Ctrl-C.
local function is_interrupted(reason)
    return core.interrupted() or reason == "exit code " .. fault.INTERRUPTED
end

local function deliver_from_workers(count, processes, tasks)
    local pool <close> = start(processes, count, tasks)
    local shelf, lost = new_shelf(tasks), {}
    -- The first task to fail; later ones do not matter any more.
    local first, problem = count + 1, nil
    local function fail(task, what)
        if task < first then first, problem = task, what end
    end
    local function run_again(index, task, reason)
        local text = replace(pool, index, task, reason, tasks.name(task), lost)
        if text then fail(task, { code = 1, text = text }) end
    end
    local function ended(index, reason)
        local task = pool:last(index)
        if task > 0 and task < first and not shelf.has(task) then
            run_again(index, task, reason)
        elseif reason and not lost[0] then
            lost[0] = true -- between two tasks
            pool:restart(index, 0)
        end
    end
    while shelf.next < first do
        local index, line, reason = pool:next(PATIENCE)
        if is_interrupted(reason) then
            read_rest(pool, shelf) -- what is complete already is worth having
            return false
        end
        if tasks.tick then tasks.tick(line == ".") end
        if index == false then
            -- All have ended: one of them was lost as soon as it had taken the task.
            run_again(1, shelf.next)
        elseif line == false then
            ended(index, reason)
        elseif line and line ~= "." then
            local message = decode(line)
            if message.problem then
                fail(message.task, message.problem)
            else
                shelf.put(message.task, message.value)
            end
        end
    end
    if problem then raise(problem) end
    return true
end

-- Runs tasks that leave what they make elsewhere. Those of lost workers that may have been done
-- already must bear to be run again.
local function spread_over_workers(count, processes, tasks)
    local pool <close> = start(processes, count, tasks)
    local lost = {}
    while true do
        local index, line, reason = pool:next(PATIENCE)
        if is_interrupted(reason) then return false end
        if index == false then return true end
        if tasks.tick then tasks.tick(line == ".") end
        if line == false and reason then
            local task = pool:last(index)
            local text = replace(pool, index, task, reason, task > 0 and tasks.name(task)
                or "nothing yet", lost)
            if text and task > 0 then
                tasks.lost(task, text)
                pool:restart(index, 0)
            end
        elseif line and line ~= "." then
            raise(decode(line).problem)
        end
    end
end

---Runs the tasks. Raises what the first of them to fail raised; where nothing is delivered, any.
---@param count integer
---@param processes integer
---@param tasks pinion.Tasks
---@return boolean complete false: interrupted, and only some tasks were delivered
function M.run(count, processes, tasks)
    if math.min(processes, count) > 1 or tasks.apart then
        local run = tasks.deliver and deliver_from_workers or spread_over_workers
        return run(count, math.min(processes, count), tasks)
    end
    for task = 1, count do
        local value = tasks.run(task, function()
            if tasks.tick then tasks.tick(true) end
        end)
        if value == nil then return false end
        if tasks.deliver then tasks.deliver(task, value) end
    end
    if tasks.finish then tasks.finish() end
    return true
end

return M
