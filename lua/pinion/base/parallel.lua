-- Tasks 1..count, here or in worker processes. What they give is delivered in the order of the
-- tasks, and it is the same values either way: nothing that is computed can tell how many processes
-- there were.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local json = require "pinion.base.json"

local M = {}

-- Seconds between two looks at the clock and at Ctrl-C while no worker has anything to say.
local PATIENCE = 0.2

-- Exit code of a worker that saw Ctrl-C.
local INTERRUPTED = 130

---How many processes there may be.
M.PROCESSES_MAX = 256

---@class pinion.Tasks
---@field run fun(task: integer, tick: fun()): table|nil a value of numbers, strings, booleans, sequences and records; nil: interrupted
---@field deliver fun(task: integer, value: table) called in ascending order of tasks
---@field tick (fun(part: boolean))|nil called now and then; `part`: a part of a task was done
---@field name fun(task: integer): string what messages call it

-- Records and sequences of numbers, strings and booleans as one line.
local function encode(value)
    if type(value) ~= "table" then return json.encode(value) end
    local parts = {}
    if #value > 0 or next(value) == nil then
        for i, element in ipairs(value) do parts[i] = encode(element) end
        return "[" .. table.concat(parts, ",") .. "]"
    end
    for key, element in next, value do
        parts[#parts + 1] = core.json_quote(key) .. ":" .. encode(element)
    end
    return "{" .. table.concat(parts, ",") .. "}"
end

local function decode(line)
    local value, why = core.json_decode(line, "a worker process")
    if why then error(why) end
    return value
end

-- An error as it travels: whose fault it is decides about the exit code, so that goes along.
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

-- What a worker does: every `workers`-th task, one line for each value, "." for each part of one.
local function work(tasks, count, workers, index, send)
    for task = index, count, workers do
        local ok, value = xpcall(tasks.run, keep_traceback, task, function() send "." end)
        if ok and value == nil or fault.is(value) and value.code == INTERRUPTED then
            return INTERRUPTED
        end
        if not ok then
            send(encode { task = task, problem = describe_problem(value) })
            return 0
        end
        send(encode { task = task, value = value })
    end
    return 0
end

-- The values that have come in, handed on in order.
local function new_shelf(tasks)
    local shelf = { values = {}, next = 1 }
    function shelf.put(task, value)
        shelf.values[task] = value
        while shelf.values[shelf.next] do
            local ready = shelf.next
            tasks.deliver(ready, shelf.values[ready])
            shelf.values[ready] = nil
            shelf.next = ready + 1
        end
    end
    -- What waits behind a gap that nobody will fill.
    function shelf.clear()
        local waiting = {}
        for task in next, shelf.values do waiting[#waiting + 1] = task end
        table.sort(waiting)
        for _, task in ipairs(waiting) do tasks.deliver(task, shelf.values[task]) end
    end
    return shelf
end

-- The first task of a worker that has given nothing.
local function missing_task(given, index, count, workers)
    for task = index, count, workers do
        if not given[task] then return task end
    end
    return nil
end

local function run_in_workers(count, processes, tasks)
    local pool <close>,
        why = core.workers(processes,
        function(index, send) return work(tasks, count, processes, index, send) end)
    if not pool then
        fault.run("cannot start %d processes: %s (fewer may do: processes = 1)", processes, why)
    end
    local shelf, given = new_shelf(tasks), {}
    local first, problem, interrupted = count + 1, nil, false
    local function fail(task, what)
        if task < first then first, problem = task, what end
    end
    while shelf.next < first do
        local index, line, reason = pool:next(PATIENCE)
        interrupted = interrupted or core.interrupted()
        if index == false or interrupted then break end
        if tasks.tick then tasks.tick(line == ".") end
        if line and line ~= "." then
            local message = decode(line)
            given[message.task] = true
            if message.problem then
                fail(message.task, message.problem)
            else
                shelf.put(message.task, message.value)
            end
        elseif line == false then
            local task = missing_task(given, index, count, processes)
            if reason == "exit code " .. INTERRUPTED then
                interrupted = true
            elseif task and not (problem and first <= task) then
                local text = string.format("the process that ran %s was lost: %s", tasks.name(task),
                    reason or "it ended early")
                fail(task, { code = 1, text = text })
            end
        end
    end
    if interrupted then
        -- What is complete already is worth having.
        local index, line = pool:next(0)
        while index do
            local message = line and line ~= "." and decode(line)
            if message and message.value then shelf.put(message.task, message.value) end
            index, line = pool:next(0)
        end
        shelf.clear()
    elseif problem then
        raise(problem)
    end
    return not interrupted
end

---Runs the tasks. Raises what the first of them to fail raised.
---@param count integer
---@param processes integer
---@param tasks pinion.Tasks
---@return boolean complete false: interrupted, and only some tasks were delivered
function M.run(count, processes, tasks)
    if math.min(processes, count) > 1 then
        return run_in_workers(count, math.min(processes, count), tasks)
    end
    for task = 1, count do
        local value = tasks.run(task, function()
            if tasks.tick then tasks.tick(true) end
        end)
        if value == nil then return false end
        tasks.deliver(task, value)
    end
    return true
end

return M
