-- What experiment scripts need around their runs: many runs side by side, what is said of a sample,
-- how a number is held to a reference, and what a decision log says.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local parallel = require "pinion.base.parallel"
local statistics = require "pinion.base.statistics"

local M = {}

-- Exit code of what was interrupted: such a fault stays one.
local INTERRUPTED = 130

-- ---- many runs ----------------------------------------------------------------------------------

local EACH_OPTIONS = { processes = true, label = true, unit = true, quiet = true }

local function need(name, value, why)
    if value == nil then fault.usage("%s: %s", name, why) end
    return value
end

local function read_each(count, run, options)
    if options ~= nil and type(options) ~= "table" then
        fault.usage("each: expected a table of options, got %s", check.show(options))
    end
    options = options or {}
    local key, unknown = check.unknown_key(options, EACH_OPTIONS, "option")
    if key ~= nil then fault.usage("each: %s: %s", key, unknown) end
    local function option(name, default, read, ...)
        if options[name] == nil then return default end
        return need("each: " .. name, read(options[name], ...))
    end
    if type(run) ~= "function" then
        fault.usage("each: run: must be a function, got %s", check.show(run))
    end
    return need("each: count", check.integer(count, 0, check.INTEGER_MAX)), {
        processes = option("processes", core.cores(), check.integer, 1, parallel.PROCESSES_MAX),
        label = option("label", "experiment", check.text),
        unit = option("unit", "task", check.text),
        quiet = option("quiet", false, check.boolean),
    }
end

-- A task's error reaches the caller as the message that it is, from a worker process too.
local function plain_errors(run)
    return function(task)
        local ok, value = pcall(run, task)
        if not ok then
            if type(value) == "string" then fault.located("run", value) end
            error(value, 0)
        end
        if value == nil then
            fault.located("run", string.format("each: run: gave nothing for task %d", task))
        end
        return value
    end
end

local function run_tasks(tasks, run, how)
    local values, done = {}, 0
    local progress <close> = core.progress(how.label, how.quiet)
    local complete = parallel.run(tasks, how.processes, {
        run = plain_errors(run),
        deliver = function(task, value)
            values[task] = value
            done = done + 1
            progress:show(done, tasks, how.unit .. "s")
        end,
        name = function(task) return string.format("%s, %s %d", how.label, how.unit, task) end,
    })
    if not complete then fault.interrupted() end
    return values
end

local checked = fault.public(read_each)

---The value of each task 1..count, computed side by side in processes, and in any case the same.
---@param count integer
---@param run fun(task: integer): any numbers, strings, booleans, sequences and records of them
---@param options { processes: integer?, label: string?, unit: string?, quiet: boolean? }|nil
---@return any[] values by task
function M.each(count, run, options)
    local tasks, how = checked(count, run, options)
    local ok, values = pcall(run_tasks, tasks, run, how)
    if ok then return values end
    -- A message names its place already.
    if fault.is(values) and values.code ~= INTERRUPTED then error(values.text, 0) end
    error(values, 0)
end

-- ---- samples ------------------------------------------------------------------------------------

---@param values number[]
---@return { count: integer, mean: number, sd: number, half: number, min: number, max: number }
function M.summary(values)
    if type(values) ~= "table" or #values == 0 then
        fault.usage("summary: expected an array of at least one number, got %s", check.show(values))
    end
    local mean, half, sd = statistics.interval(values)
    local least, most = values[1], values[1]
    for _, value in ipairs(values) do
        least, most = math.min(least, value), math.max(most, value)
    end
    return {
        count = #values, mean = mean, sd = sd or 0.0, half = half or 0.0, min = least, max = most,
    }
end

function M.range(count, sd)
    return statistics.range(need("range: count", check.integer(count, 2, check.INTEGER_MAX)),
        need("range: sd", check.number(sd, 0, math.huge)))
end

function M.quantile(counts, q)
    if type(counts) ~= "table" then
        fault.usage("quantile: counts: must be a table, got %s", check.show(counts))
    end
    return statistics.quantile(counts, need("quantile: q", check.number(q, 0, 1)))
end

-- ---- judging ------------------------------------------------------------------------------------

-- How far a normal variable strays with the probability of three standard deviations when its
-- deviation is estimated from `freedom` + 1 values: Student's quantile by the Cornish-Fisher
-- expansion at z = 3. It is 4.5 for 8 values and 3.04 for 200.
local function three(freedom)
    return 3 + 30 / (4 * freedom) + 1656 / (96 * freedom ^ 2) + 11592 / (384 * freedom ^ 3)
end

function M.tolerance(sd, count, reference_count, estimated)
    return (estimated and three(count - 1) or 3) * sd * math.sqrt(1 / count + 1 / reference_count)
end

function M.agrees(ours, reference, tolerance)
    -- Differences of printed decimals carry a hair of binary rounding.
    return math.abs(ours - reference) <= tolerance + 1e-12 * math.abs(reference)
end

function M.above(sample, limit)
    -- A single value has no interval.
    if sample.count == 1 then return nil end
    if sample.mean - sample.half > limit then return true end
    if sample.mean + sample.half <= limit then return false end
    return nil
end

function M.verdict(held, all, undecided)
    undecided = undecided or 0
    if held == all and all > 0 then return "holds" end
    local failed = all - held - undecided
    if held > 0 and failed > 0 then return "holds in part" end
    if failed > undecided then return "fails" end
    return held > undecided and "holds in part" or "undecided"
end

-- ---- decision logs ------------------------------------------------------------------------------

function M.decisions(log)
    local path = need("decisions: the log's file name", check.text(log))
    local bytes, why = files.read(path)
    if not bytes then fault.at(path, nil, why) end
    local entries, line = {}, 0
    for text in bytes:gmatch "[^\n]+" do
        line = line + 1
        local entry, problem = core.json_decode(text, path .. ":" .. line)
        if not entry then fault.located("usage", problem) end
        entries[line] = entry
    end
    return entries
end

return M
