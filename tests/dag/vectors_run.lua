-- Every vector of the dag model through the front end: jobs with their stages, totals, queues, and
-- each attempt as the decision log has it, which the checker verifies; and every scenario that is
-- refused.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"
local pinion = require "pinion"

local PATHS = program.lines_of "ls tests/dag/vectors/*.json"

-- ---- what is expected ---------------------------------------------------------------------------

local function plain(value)
    if value == core.null then return nil end
    return value
end

-- Numbers and lists of numbers.
local function check_value(name, got, want)
    want = plain(want)
    if type(want) ~= "table" then return check.equal(name, got, want) end
    check.equal(name .. ", how many", #(got or {}), #want)
    for i, value in ipairs(want) do check_value(name .. " " .. i, got and got[i], value) end
end

local function check_stages(name, got, want)
    check.equal(name .. ", how many", #got, #want)
    for s, stage in ipairs(want) do
        for field, value in next, stage do
            check_value(string.format("%s %d, %s", name, s, field), got[s][field], value)
        end
    end
end

local function check_jobs(name, result, want)
    check.equal(name .. ", jobs", #result.jobs, #want)
    for id, job in ipairs(want) do
        local row = result.jobs[id]
        for field, value in next, job do
            local what = string.format("%s, %s of job %d", name, field, id)
            if field == "stages" then
                check_stages(what, row.stages, value)
            else
                check_value(what, row[field], value)
            end
        end
    end
end

local function check_totals(name, result, totals)
    for field, value in next, totals do
        if field == "jobs" then
            check.equal(name .. ", jobs", #result.jobs, value)
        elseif field == "queues" then
            for i, queue in ipairs(value) do
                for of, number in next, queue do
                    check_value(string.format("%s, %s of queue %d", name, of, i),
                        result.queues[i][of], number)
                end
            end
        elseif field == "saturated_ms" then
            check.equal(name .. ", saturation", result.saturation, value / totals.makespan)
        else
            check_value(name .. ", " .. field, result[field], value)
        end
    end
end

-- ---- attempts -----------------------------------------------------------------------------------

local OUTCOMES = { ["end"] = "done", kill = "killed", lose = "lost" }

local function attempt_key(event)
    return string.format("%d %d %d %d", event.job, event.stage, event.task, event.attempt)
end

-- Lines as the vectors have them: job, stage, task, attempt, node, start, end, outcome.
local function attempts_of(log)
    local running, lines = {}, {}
    for line in io.lines(log) do
        local event = core.json_decode(line, log)
        if event.event == "launch" then
            running[attempt_key(event)] = event
        elseif OUTCOMES[event.event] then
            local key = attempt_key(event)
            lines[#lines + 1] = string.format("%s %d %d %d %s", key, event.node, running[key].time,
                event.time, OUTCOMES[event.event])
            running[key] = nil
        end
    end
    for key, event in next, running do
        lines[#lines + 1] = string.format("%s %d %d - running", key, event.node, event.time)
    end
    table.sort(lines)
    return table.concat(lines, "\n")
end

local function attempts_wanted(tasks)
    local lines = {}
    for i, task in ipairs(tasks) do
        local values = {}
        for k, value in ipairs(task) do
            values[k] = value == core.null and "-" or tostring(value)
        end
        lines[i] = table.concat(values, " ")
    end
    table.sort(lines)
    return table.concat(lines, "\n")
end

-- ---- all of them --------------------------------------------------------------------------------

local log = program.file "run.log"

local function check_run(name, path, scenario, policy, want)
    local result = pinion.run { model = "dag", policy = policy, resources = scenario.resources,
        nodes = scenario.nodes, queues = scenario.queues, failures = scenario.failures,
        params = scenario.params, workload = scenario.jobs, bounds = "fast", log = log,
        quiet = true }
    check_jobs(name, result, want.jobs)
    check_totals(name, result, want.totals or {})
    if want.tasks then
        check.equal(name .. ", attempts", attempts_of(log), attempts_wanted(want.tasks))
    end
    local output = program.succeed(name, { "verify", path, log })
    check.contains(name .. ", verified", output, "digest " .. result.digest)
end

-- What was decoded, as JSON again.
local function encode(value)
    if value == core.null then return "null" end
    if type(value) == "string" then return core.json_quote(value) end
    if type(value) ~= "table" then return tostring(value) end
    local parts = {}
    if getmetatable(value) == core.array then
        for i, element in ipairs(value) do parts[i] = encode(element) end
        return "[" .. table.concat(parts, ",") .. "]"
    end
    for key, element in next, value do
        parts[#parts + 1] = core.json_quote(key) .. ":" .. encode(element)
    end
    return "{" .. table.concat(parts, ",") .. "}"
end

-- "jobs[0].stages[1].demand[0]" as messages have it: all count from 1, but stages from 0.
local function shown(field)
    local path = field:gsub("(%w+)%[(%d+)%]", function(name, number)
        return string.format("%s[%d]", name, number + (name == "stages" and 0 or 1))
    end)
    return path
end

local function check_refused(name, case)
    case.scenario.policy = case.scenario.policy or "fifo"
    local path = program.file("refused.json", encode(case.scenario))
    local output, message, code = program.run { "simulate", path, "--format", "json" }
    check.equal(name .. ": exit code", code, 2)
    check.equal(name .. ": no result", output, "")
    check.contains(name, message, shown(case.field))
end

local runs, refusals = 0, 0
for _, path in ipairs(PATHS) do
    local vector, name = core.json_decode(check.read_file(path), path), path:match "([^/]+)%.json$"
    for policy, want in next, vector.expect or {} do
        local scenario = program.file("scenario.json", encode(vector.scenario))
        check_run(name .. " " .. policy, scenario, vector.scenario, policy, want)
        runs = runs + 1
    end
    for _, case in ipairs(vector.refused or {}) do
        check_refused(name .. " " .. case.why, case)
        refusals = refusals + 1
    end
end
check.equal("the vectors are there", runs >= 463 and refusals >= 99, true)
check.done()
