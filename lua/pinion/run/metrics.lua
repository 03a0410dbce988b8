-- Metrics that a run is asked for beside those of its model: built-in ones by name, and functions
-- of a job by the name that the user gives them. They are measured after the run, job by job; the
-- model is then one with more samples and columns, and everything that shows results shows them.

local attributes = require "pinion.workload.attributes"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local models = require "pinion.models"
local tally = require "pinion.base.tally"
local text = require "pinion.base.text"

local M = {}

---@class pinion.Metric
---@field name string
---@field of (fun(job: table): number|boolean|nil)|nil of the user's own
---@field text string|nil of the file that it is in
---@field prepare (fun(result: pinion.Result, settings: pinion.Settings): fun(job: table): number|nil)|nil gives it of a built-in one
---@field fairness boolean|nil whether Jain's index of the values is asked for, not the values

-- ---- what there is ------------------------------------------------------------------------------

---Returns the slowdown of a job of a result: the time that it takes alone, and its slowdown, that
---is its time in the system over this; nil where it takes none.
---@param result pinion.Result
---@param settings pinion.Settings
---@return fun(job: table): number|nil alone, number|nil slowdown
function M.slowdown(result, settings)
    local ratio = models.of(result).results.slowdown
    if ratio.column then
        return function(job)
            local slowdown = job[ratio.column]
            if slowdown and slowdown > 0 then return job[ratio.time] / slowdown, slowdown end
        end
    end
    local alone_of = ratio.alone(result, settings)
    return function(job)
        local alone = alone_of(job)
        if alone > 0 then return alone, job[ratio.time] / alone end
    end
end

local function prepare_slowdown(result, settings)
    local of = M.slowdown(result, settings)
    return function(job)
        local _, slowdown = of(job)
        return slowdown
    end
end

-- Returns whether rows have a slowdown, and need no other.
local function has_slowdown(model)
    return model.results.slowdown.column ~= nil
end

-- Prepares deadlines. Of a job that carries one, it is a time after its arrival: whether it made
-- it.
local function prepare_deadlines(model)
    local time = model.results.slowdown.time
    return function()
        return function(job)
            local deadline = job.deadline or 0
            if deadline > 0 then return job[time] <= deadline and 1 or 0 end
        end
    end
end

local BUILT_IN = {
    deadlines_met = function(model)
        return { name = "deadlines_met", prepare = prepare_deadlines(model) }
    end,
    slowdown = function(model)
        if has_slowdown(model) then return nil end
        return { name = "slowdown", prepare = prepare_slowdown }
    end,
    fairness = function()
        return { name = "fairness", fairness = true, prepare = prepare_slowdown }
    end,
}

---@return string[] names of the built-in metrics
function M.names()
    return check.sorted_keys(BUILT_IN)
end

-- Names that results have already.
local function is_taken(model, name)
    for _, column in ipairs(model.results.columns) do
        if column.name == name or column.name == "mean_" .. name then return true end
    end
    for _, sample in ipairs(model.results.samples) do
        if sample.name == name or sample.mean == name then return true end
    end
    for _, row in ipairs(model.results.rows) do
        if row == name then return true end
    end
    return BUILT_IN[name] ~= nil
end

-- What results of all models have.
local RESERVED = {}
for name in ([[model policy params workload seed replica digest pinion submitted finished complete
    stopped measured number_in_system quarters growing batches no_interval jobs groups group name id stats rows
    bounds expected relaxed admits promises error warmup interrupted mean sd min max samples
    difference relative wins baseline replicas metric value low high]]):gmatch "%S+" do
    RESERVED[name] = true
end

local function read_own(model, name, of)
    if type(name) ~= "string" or not name:find "^[%a_][%w_]*$" then
        return nil, string.format("names are letters, digits and _, got %s", check.show(name))
    end
    if type(of) ~= "function" then
        return nil, string.format("%s: must be a function of a job, got %s", name, check.show(of))
    end
    if RESERVED[name] or is_taken(model, name) then
        return nil, string.format("%s: is a name that results of the %s model have already", name,
            model.name)
    end
    return { name = name, of = of }
end

local function read_built_in(model, name)
    local found, why = check.choice(name, M.names())
    if not found then return nil, why end
    return BUILT_IN[found](model)
end

---Names of built-in metrics in the array part, functions of a job by name beside it.
---@param model pinion.Model
---@param value any
---@return pinion.Metric[]|nil metrics, string|nil reason
function M.read(model, value)
    if type(value) ~= "table" then
        return nil, "must be a table of names and functions such as { \"slowdown\", late = "
            .. "function(job) return job.finish > 100 end }, got " .. check.show(value)
    end
    local list, seen = {}, {}
    for _, key in ipairs(check.sorted_keys(value)) do
        local metric, why
        if math.type(key) == "integer" then
            metric, why = read_built_in(model, value[key])
        else
            metric, why = read_own(model, key, value[key])
        end
        if why then return nil, why end
        if metric and not seen[metric.name] then
            list[#list + 1], seen[metric.name] = metric, true
        end
    end
    return list
end

-- Reads the metrics of a file, which returns what scripts pass as `metrics`.
local function read_file(model, path)
    local source, why = files.read(path)
    if not source then return nil, path .. ": " .. why end
    local chunk, problem = load(source, "@" .. path, "t")
    if not chunk then fault.located("usage", problem) end
    local ok, value = pcall(chunk)
    if not ok then fault.located("usage", tostring(value)) end
    if type(value) ~= "table" then
        fault.at(path, nil, "must return a table of functions of a job, such as return { late = "
            .. "function(job) return job.finish > 100 end }, got " .. check.show(value))
    end
    local list, wrong = M.read(model, value)
    if not list then fault.at(path, nil, wrong) end
    for _, metric in ipairs(list) do metric.text = metric.of and source or nil end
    return list
end

---Reads the same of the command line: built-in ones and files, separated by commas.
---@param model pinion.Model
---@param names string
---@return pinion.Metric[]|nil metrics, string|nil reason
function M.read_names(model, names)
    local list, seen = {}, {}
    for name in (names .. ","):gmatch "%s*([^,]-)%s*," do
        local found, why
        if name:find "%.lua$" then
            found, why = read_file(model, name)
        else
            found, why = M.read(model, { name })
        end
        if not found then return nil, why end
        for _, metric in ipairs(found) do
            if not seen[metric.name] then
                list[#list + 1], seen[metric.name] = metric, true
            end
        end
    end
    return list
end

-- ---- a model with them --------------------------------------------------------------------------

local function sample_of(metric)
    local name = metric.name
    return { name = name, words = name, title = "mean " .. name, mean = "mean_" .. name,
        label = name, metric = true }
end

local FAIRNESS = {
    name = "fairness", type = "number|nil", of = "metric", show = "if present in JSON",
    title = "fairness: Jain's index of the slowdowns, 1 when all are equal",
    write = text.ratio_with_half, label = "Jain's index of the slowdowns", measure = true,
}

local function column_of(metric)
    if metric.fairness then return FAIRNESS end
    local name = metric.name
    return { name = "mean_" .. name, type = "number|nil", of = "metric",
        show = "if present in JSON", title = name, write = text.real_with_half,
        label = "mean " .. name, measure = true }
end

local function joined(list, more)
    return table.move(more, 1, #more, #list + 1, table.move(list, 1, #list, 1, {}))
end

---Extends the model with samples and columns of the metrics.
---@param model pinion.Model
---@param metrics pinion.Metric[]|nil
---@return pinion.Model|nil nil where there are none
function M.extend(model, metrics)
    if not metrics or #metrics == 0 then return nil end
    local samples, columns = {}, {}
    for _, metric in ipairs(metrics) do
        columns[#columns + 1] = column_of(metric)
        if not metric.fairness then samples[#samples + 1] = sample_of(metric) end
    end
    local results = setmetatable({
        samples = joined(model.results.samples, samples),
        columns = joined(model.results.columns, columns),
    }, { __index = model.results })
    return setmetatable({ results = results }, { __index = model })
end

-- ---- measuring ----------------------------------------------------------------------------------

-- Returns what is in front of the messages about a metric.
local function place_of(metric, job)
    return string.format("metrics.%s: job %d%s: ", metric.name, job.id,
        job.name and " '" .. job.name .. "'" or "")
end

local function value_of(metric, of, job)
    local ok, value = pcall(of, job)
    if not ok then
        if fault.is(value) then error(value, 0) end
        -- Other values have no text, or an address, or code of their own.
        local why = type(value) == "string" and value or "error value of type " .. type(value)
        fault.located("run", place_of(metric, job) .. why)
    end
    if value == nil or value == true or value == false then
        return value ~= nil and (value and 1 or 0) or nil
    end
    if math.type(value) and value == value and math.abs(value) < math.huge then return value end
    fault.located("run", place_of(metric, job)
        .. "must return a finite number, true, false, or nil to leave the job out, got "
        .. check.show(value))
end

-- Returns the row of a job, with what the workload says of it.
local function whole_job(result, id, described)
    local job = result.rows[id]
    local group = job.group + 1
    job.name, job.group = result.jobs.names[id], result.jobs.groups[group] or nil
    attributes.name_texts(job, result.labels)
    for name, value in next, described do
        if job[name] == nil and name ~= "group" then job[name] = value end
    end
    return job, group
end

local function is_finished(job)
    return job.finish ~= nil and (job.state == nil or job.state == "finished")
end

-- Makes a tally of all jobs, and one of each group, for each metric.
local function new_tallies(metrics, groups)
    local made = {}
    for m in ipairs(metrics) do
        made[m] = { [0] = tally.new() }
        for g = 1, groups do made[m][g] = tally.new() end
    end
    return made
end

local function add_job(metrics, functions, tallies, job, group)
    for m, metric in ipairs(metrics) do
        local value = value_of(metric, functions[m], job)
        if value then
            tallies[m][0]:add(value)
            if tallies[m][group] then tallies[m][group]:add(value) end
        end
    end
end

local function settle(result, metric, tallies)
    local name, mean = metric.name, "mean_" .. metric.name
    if metric.fairness then
        result[name] = tallies[0]:fairness()
        return
    end
    result[name] = tallies[0]:describe()
    result[mean] = result[name].mean
    result.metric_counts[name] = { [0] = tallies[0].counts }
    for g, group in ipairs(result.groups or {}) do
        group[name] = tallies[g]:describe()
        result.metric_counts[name][g] = tallies[g].counts
    end
end

-- More jobs than there are.
local ALL = 1 << 53

---Goes through the finished jobs behind the warm-up, each with what the workload says of it. The
---workload is gone through once more beside the rows, one job at a time.
---@param result pinion.Result with its rows
---@param opened pinion.Opened
---@param visit fun(job: table, group: integer)
function M.each_job(result, opened, visit)
    local id, count, skipped = 0, #result.rows, result.rows:skipped()
    local ok, why = opened.core:jobs(ALL, function(described)
        id = id + 1
        if id > count then return false end
        local job, group = whole_job(result, id, described)
        if id > skipped and is_finished(job) then visit(job, group) end
    end)
    if not ok and core.interrupted() then fault.interrupted() end
    if not ok then fault.run("metrics: %s", why) end
end

---Measures the finished jobs behind the warm-up.
---@param result pinion.Result with its rows
---@param metrics pinion.Metric[]
---@param opened pinion.Opened
---@param settings pinion.Settings
function M.measure(result, metrics, opened, settings)
    if not result.rows then
        fault.usage("metrics: are of the jobs' rows, and those of more than a million jobs are not "
            .. "kept")
    end
    local functions = {}
    for m, metric in ipairs(metrics) do
        functions[m] = metric.of or metric.prepare(result, settings)
    end
    local tallies = new_tallies(metrics, #(result.groups or {}))
    M.each_job(result, opened, function(job, group)
        add_job(metrics, functions, tallies, job, group)
    end)
    result.metric_counts = {}
    for m, metric in ipairs(metrics) do settle(result, metric, tallies[m]) end
end

---Returns what a run of these settings is shown as.
---@param settings pinion.Settings
function M.settle(settings)
    settings.extended = M.extend(models.find(settings.model), settings.metrics)
    if not settings.extended then settings.metrics = nil end
end

return M
