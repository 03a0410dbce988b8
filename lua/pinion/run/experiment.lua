-- What experiment scripts need around their runs: many runs side by side, what is said of a sample,
-- how a number is held to a reference, and what a decision log says.

local canonical = require "pinion.base.canonical"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local filling = require "pinion.run.fill"
local parallel = require "pinion.base.parallel"
local statistics = require "pinion.base.statistics"
local store_of = require "pinion.base.store"
local storing = require "pinion.run.storing"
local text = require "pinion.base.text"

local M = {}

-- ---- many runs ----------------------------------------------------------------------------------

local EACH_OPTIONS = { processes = true, label = true, unit = true, quiet = true, store = true,
    store_key = true, store_files = true, shard = true, only_stored = true, retry = true }

local function need(name, value, why)
    if value == nil then fault.usage("%s: %s", name, why) end
    return value
end

-- Returns what the values of tasks in a store depend on: what the user says, the file that the
-- function is in, and what is in the files that the user names.
local function hash_of(options, run)
    local source = debug.getinfo(run, "S").source
    local file = source:match "^@(.+)$"
    local plain, path = canonical.text(options.store_key)
    if not plain then
        fault.usage("each: store_key: %s is no plain value (expected numbers, strings, booleans "
            .. "and tables of them)", path)
    end
    local parts = { plain .. (file and files.read(file) or source) }
    if type(options.store_files or {}) ~= "table" then
        fault.usage("each: store_files: must be an array of names of files, got %s",
            check.show(options.store_files))
    end
    for i, path in ipairs(options.store_files or {}) do
        local digest, why = core.sha256_file(need("each: store_files: " .. i, check.text(path)))
        if not digest then fault.at(path, nil, why) end
        parts[#parts + 1] = digest
    end
    return core.sha256(table.concat(parts))
end

local function read_store(options, option, run)
    local path = option("store", nil, check.text)
    local stored = {
        shard = option("shard", nil, storing.read_shard), retry = option("retry", false,
            check.boolean), only_stored = option("only_stored", false, check.boolean),
    }
    if not path then
        for _, name in ipairs { "shard", "retry", "only_stored", "store_key", "store_files" } do
            if options[name] then fault.usage("each: %s: needs store", name) end
        end
        return nil
    end
    if stored.only_stored and (stored.shard or stored.retry) then
        fault.usage "each: only_stored: runs nothing, which contradicts shard and retry"
    end
    if options.store_key == nil then
        fault.usage("each: store_key: is required with store (everything that the tasks depend "
            .. "on: a text, a number, or a table of them)")
    end
    stored.hash = hash_of(options, run)
    local label = option("label", "experiment", check.text)
    stored.store = store_of.open(path, not stored.only_stored and label or nil)
    return stored
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
        stored = read_store(options, option, run),
    }
end

-- The lines in which values travel nest 64 tables, of which one is their own.
local DEPTH_MOST = 63

local find_fault

local function find_fault_in(value, path, depth)
    local length, count = #value, 0
    if depth == DEPTH_MOST then return path, "nests too deeply" end
    for key, one in next, value do
        count = count + 1
        local is_place = math.type(key) == "integer" and 1 <= key and key <= length
        local is_name = length == 0 and type(key) == "string" and utf8.len(key)
            and not key:find("\0", 1, true)
        if not is_place and not is_name then
            return path, "is a table with a list and with fields, or with a key that is no name"
        end
        local where, why = find_fault(one, path .. "." .. check.key_text(key), depth + 1)
        if why then return where, why end
    end
    if 0 < length and count < length then return path, "is a list with holes" end
end

-- Finds what keeps a value from coming out of another process or a store as it is: its path, and
-- why; nil: nothing.
function find_fault(value, path, depth)
    local kind = type(value)
    if kind == "table" then return find_fault_in(value, path, depth) end
    if kind == "number" and (value ~= value or math.abs(value) == math.huge) then
        return path, "is not finite"
    end
    if kind == "string" and not utf8.len(value) then return path, "is no UTF-8" end
    if kind ~= "number" and kind ~= "string" and kind ~= "boolean" and value ~= core.null then
        return path, "is a " .. kind
    end
end

-- Makes errors plain: a task's error reaches the caller as the message that it is, from a worker
-- process too.
local function plain_errors(run)
    return function(task)
        local ok, value = pcall(run, task)
        if not ok then
            if type(value) == "string" then fault.located("run", value) end
            error(value, 0)
        end
        if value == nil then
            fault.located("run", string.format("each: run: returned nothing for task %d", task))
        end
        local where, why = find_fault(value, "value", 0)
        if where then
            fault.located("run", string.format("each: run: task %d: %s %s (expected numbers, "
                .. "strings, booleans, sequences and records of them)", task, where, why))
        end
        return value
    end
end

local function run_tasks(tasks, run, how)
    local values, done = {}, 0
    local progress <close> = core.progress(text.visible(how.label), how.quiet)
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

-- Runs likewise with a store: what is missing is run and stored, and then all of it is read. nil:
-- with a shard, when others have not done theirs yet.
local function run_stored(tasks, run, how)
    local stored, guarded = how.stored, plain_errors(run)
    local store, done = stored.store, 0
    local function key(task)
        return core.sha256(string.format("each %s %s %s %s %d", store_of.BUILD, core.version,
            how.label, stored.hash, task)):sub(1, 32)
    end
    local function of(task) return { label = how.label, unit = how.unit, task = task } end
    local function name(task) return string.format("%s, %s %d", how.label, how.unit, task) end
    local first, count = 1, tasks
    if stored.shard then first, count = filling.part(tasks, stored.shard) end
    local progress <close> = core.progress(text.visible(how.label), how.quiet)
    local complete = stored.only_stored or filling.run(store, {
        is_stored = function(task)
            local state = store:state(key(task))
            return state == "finished" or state == "failed" and not stored.retry
        end,
        run = function(task, tick)
            local began = core.clock()
            local value, problem = fault.attempt(guarded, task)
            if problem then
                store:put_failed(key(task), of(task), core.clock() - began, problem)
            else
                store:put(key(task), of(task), core.clock() - began, value)
            end
            tick()
            return true
        end,
        give_up = function(task, problem) store:put_failed(key(task), of(task), 0, problem) end,
        name = name,
    }, first, count, {
        shard = stored.shard, processes = how.processes,
        tick = function(part)
            done = done + (part and 1 or 0)
            progress:show(done, count, how.unit .. "s")
        end,
    })
    if not complete then fault.interrupted() end
    local values, missing = {}, 0
    for task = 1, tasks do
        local unit = store:get(key(task))
        if unit and unit.failed then store_of.raise(unit) end
        missing = missing + (unit and 0 or 1)
        values[task] = unit and unit.value
    end
    if missing == 0 then return values end
    if stored.shard then return nil end
    fault.run("%s: %s: %d of %s are missing", store.path, how.label, missing,
        text.count(tasks, how.unit))
end

local checked = fault.public(read_each)

---Computes the value of each task 1..count side by side in processes, and in any case the same.
---@param count integer
---@param run fun(task: integer): any numbers, strings, booleans, sequences and records of them
---@param options { processes: integer?, label: string?, unit: string?, quiet: boolean?, store: string?, store_key: any, store_files: string[]?, shard: string?, only_stored: boolean?, retry: boolean? }|nil
---@return any[]|nil values by task; nil: with a shard, when other parts are missing
function M.each(count, run, options)
    local tasks, how = checked(count, run, options)
    local ok, values = core.plainly(how.stored and run_stored or run_tasks, tasks, run, how)
    if ok then return values end
    -- A message names its place already.
    if fault.is(values) and values.code ~= fault.INTERRUPTED then error(values.text, 0) end
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

-- Returns the tolerance. A deviation that is estimated from `count` values makes three of them 4.5
-- for 8 values and 3.04 for 200.
function M.tolerance(sd, count, reference_count, estimated)
    local deviations = estimated and statistics.student(count - 1, statistics.THREE) or 3
    return deviations * sd * math.sqrt(1 / count + 1 / reference_count)
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

function M.within(sample, margin, centre)
    if sample.count == 1 then return nil end
    local distance = math.abs(sample.mean - (centre or 0))
    if distance + sample.half <= margin then return true end
    if distance - sample.half > margin then return false end
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
    for each in bytes:gmatch "[^\n]+" do
        line = line + 1
        local entry, problem = core.json_decode(each, path .. ":" .. line)
        if not entry then fault.located("usage", problem) end
        entries[line] = entry
    end
    return entries
end

return M
