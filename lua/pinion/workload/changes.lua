-- Changes of jobs, as options that all workloads take whose jobs arrive: other arrivals, a sample
-- of the jobs, another load.

local check = require "pinion.base.check"
local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local files = require "pinion.base.files"
local models = require "pinion.models"
local quantity = require "pinion.base.quantity"
local readers = require "pinion.base.readers"
local samples = require "pinion.workload.samples"

local M = {}

local TIMED = models.arriving()

-- ---- processes of arrivals ----------------------------------------------------------------------

local RATES_MOST = 1048576 -- as in the core

-- Reads the pairs of a file, a time and a rate in each line; what follows a # is a comment.
---@return string|nil pairs "time:rate" between semicolons, string|nil reason
local function read_rates(path)
    local read, why = files.read(path)
    if not read then return nil, string.format("rates: %s: %s", path, why) end
    local list, number = {}, 0
    for line in read:gmatch "[^\n]*" do
        number = number + 1
        local text = line:gsub("#.*", "")
        local time, rate = text:match("^%s*([^%s,:;]+)[%s,:;]+([^%s,:;]+)%s*$")
        local good = type(quantity.plain(time)) == "number"
            and type(quantity.plain(rate)) == "number"
        if text:find("%S") and (not good or #list == RATES_MOST) then
            return nil, string.format("rates: %s:%d: %s", path, number,
                good and "holds more than 1048576 rates"
                or "must be a time and a rate, got " .. check.show(text))
        end
        if good then list[#list + 1] = time .. ":" .. rate end
    end
    if #list == 0 then
        return nil, string.format("rates: %s: holds no rates (expected a time and a rate in each "
            .. "line)", path)
    end
    return table.concat(list, ";")
end

-- Returns the file that stands in place of the rates; nil when there is none.
local function file_of(text)
    local path = text:match("^%s*rates%s*%(%s*([^,;:()]-)%s*[,)]")
    return path ~= "" and path or nil
end

-- Reads a process. Distributions in it may have files of their own.
---@return string|nil text as the core reads it, string|nil reason
local function read_process(value)
    if type(value) ~= "string" then
        return nil, "must be a process such as poisson(2) or mmpp(1,50,9,5), got "
            .. check.show(value)
    end
    if value == "keep" then return value end
    local text, path = value, file_of(value)
    if path then
        local list, why = read_rates(path)
        if not list then return nil, why end
        text = value:gsub("(rates%s*%()%s*[^,;:()]*", function(head) return head .. list end, 1)
    end
    local expanded, wrong = distribution.expand(text)
    if not expanded then return nil, wrong end
    local good, why = core.check_arrivals(expanded)
    if not good then return nil, why end
    return expanded
end

-- ---- options ------------------------------------------------------------------------------------

local ARRIVALS = { name = "arrivals", models = TIMED, read = read_process,
    doc = "process that replaces the arrival times, such as poisson(2); or keep, with "
        .. "resample=jobs" }
local RESAMPLE = { name = "resample", models = TIMED, read = samples.read_resample,
    doc = "jobs drawn with replacement: blocks(1h) of time, or jobs one by one; N: so many" }
local REPLICAS = { name = "replicas", models = TIMED, read = samples.read_replicas,
    doc = "windows(N): each replica is one of N equal parts of the time" }
local LOAD = { name = "load", models = TIMED, read = readers.positive(1000),
    doc = "load to which the jobs are scaled" }
local LOAD_BY = { name = "load_by", models = TIMED, read = readers.choice("arrivals", "sizes"),
    doc = "load scales the arrivals (default) or the sizes" }

-- Groups are known before jobs are made: lists and scripts see to them, and nothing is left here.
local ALL = {}
for _, name in ipairs(models.names()) do ALL[name] = true end
local GROUP = { name = "group", models = ALL, read = check.text,
    doc = "size: groups by size; or the text attribute whose texts are the groups" }
local GROUP_BY_SIZE = { name = "group", models = TIMED, read = readers.choice("size"),
    doc = "size: groups by size" }

M.fields = { ARRIVALS, RESAMPLE, REPLICAS, LOAD, LOAD_BY, GROUP }

-- Returns the option of groups that a generator has beside its own, and its models: nil for none.
local function group_of(generator, timed)
    if next(generator.models) == nil then return GROUP, GROUP.models end
    if generator.labels then return GROUP, generator.models end
    return GROUP_BY_SIZE, timed
end

---Returns whether its jobs are listed or recorded, the same in every replica.
---@param generator pinion.Generator
---@return boolean
function M.is_recorded(generator)
    return next(generator.models) == nil or generator.subject == "file" and not generator.random
end

-- Returns the models in which they mean something, and those in which load does: nil for none.
local function models_of(generator)
    local timed, loaded = {}, {}
    for model in next, TIMED do
        timed[model] = (generator.models[model] or next(generator.models) == nil) or nil
        loaded[model] = timed[model] and not (generator.own_load or {})[model] or nil
    end
    return next(timed) and timed, next(loaded) and loaded
end

---Adds them to the fields of a generator, but for names that it has itself. Where load is its own
---option in some models, it has the field already.
---@param generator pinion.Generator without models: a list of jobs of any
function M.complete(generator)
    local own, taken = {}, {}
    for _, field in ipairs(generator.fields) do own[field.name] = true end
    if own.load and not generator.own_load then generator.own_load = generator.models end
    local timed, loaded = models_of(generator)
    generator.sized = generator.sized or not own.group
    for _, field in ipairs(M.fields) do
        local of = timed
        if field == GROUP then
            field, of = group_of(generator, timed)
        elseif field == LOAD or field == LOAD_BY then
            of = loaded
        end
        if of and not own[field.name] and (field ~= REPLICAS or M.is_recorded(generator)) then
            generator.fields[#generator.fields + 1] = { name = field.name, models = of,
                read = field.read, doc = field.doc }
            taken[field.name] = true
        end
    end
    taken.load = loaded and (taken.load or own.load and generator.own_load ~= generator.models)
        or nil
    generator.changes = taken
end

---Returns what a workload's options say of them, in a model.
---@param generator pinion.Generator
---@param options table<string, any>
---@param model string
---@return table<string, any>
function M.of(generator, options, model)
    local given = { seed = options.seed, recorded = M.is_recorded(generator),
        unit_ms = models.find(model).settings.unit == "ms" and 1
            or generator.unit_ms and generator.unit_ms(options, model) or nil }
    for name in next, generator.changes do given[name] = options[name] end
    if (generator.own_load or {})[model] then given.load = nil end
    return given
end

---Returns whether it is the name of one of them.
---@param name string
---@return boolean
function M.is_option(name)
    for _, field in ipairs(M.fields) do
        if field.name == name then return true end
    end
    return false
end

---@param options table<string, any>
---@return string|nil field, string|nil reason
function M.settle(options)
    if options.load_by and not options.load then
        return "load_by", "needs load"
    end
    local form = (options.resample or {}).form
    if options.arrivals == "keep" and form ~= "jobs" then
        return "arrivals", "keep needs resample=jobs"
            .. (form == "blocks" and " (blocks keep their arrivals)" or "")
    end
    if options.replicas and options.resample then
        return "replicas", "contradicts resample (expected one of them)"
    end
end

---Returns whether replicas differ by them.
---@param generator pinion.Generator
---@param options table<string, any>
---@return boolean
function M.random(generator, options)
    local function given(name) return generator.changes[name] and options[name] end
    local process = given "arrivals"
    return process and not process:find "^%s*regular" or given "resample" ~= nil
        or given "replicas" ~= nil
end

-- ---- load ---------------------------------------------------------------------------------------

---@class pinion.Offered
---@field busy number time that the busiest of the machines, stations or slots have work for
---@field first number the first arrival
---@field last number
---@field more integer what the span has beyond their distance

---@class pinion.Scaled how jobs were scaled
---@field by "arrivals"|"sizes"
---@field factor number
---@field before number|nil the load without it

local function span_of(offered)
    return offered.last - offered.first + offered.more
end

-- Returns the factor on distances between arrivals; nil and why there is none.
local function arrivals_factor(offered, load)
    local distance = offered.last - offered.first
    local wanted = offered.busy / load - offered.more
    if distance <= 0 then
        return nil, "the jobs all arrive at once (expected load_by=sizes, or arrivals)"
    end
    if wanted < 0 then
        return nil, string.format("%.6g is more than the jobs have when they all arrive at once "
            .. "(expected at most %.6g, or load_by=sizes)", load, offered.busy / offered.more)
    end
    return wanted / distance
end

-- Returns what the work of all jobs is; nil and what is wrong.
---@return pinion.Offered|nil offered, string|nil reason
local function offered_by(source, binding)
    local totals, why = source:totals()
    if not totals then return nil, why end
    if totals.jobs == 0 then return nil, "load: there are no jobs" end
    local offered, missing = models.find(binding.model).jobs.offered(totals, binding)
    if not offered then return nil, "load: needs " .. missing end
    if not (offered.busy > 0) then return nil, "load: the jobs have no work" end
    return offered
end

-- Sizes are rounded to whole numbers of at least 1, so that the factor is found by trial, and the
-- load grows in steps: that of the best trial is the one, if it is near.
local TRIALS, CLOSE, NEAR = 12, 1e-4, 0.1

-- Returns the factor on sizes that gives the load; nil and why there is none.
local function sizes_factor(source, offered, load, binding)
    local span, factor = span_of(offered), 1.0
    if span <= 0 then return nil, "the jobs all arrive at once, so they have no load" end
    local reached, best = offered.busy / span, { far = math.huge }
    for _ = 1, TRIALS do
        factor = factor * load / reached
        local scaled = core.workload_scaled { workload = source, sizes = factor }
        local now, why = offered_by(scaled, binding)
        if not now then return nil, why end
        reached = now.busy / span
        local far = math.abs(reached - load)
        if far < best.far then
            best = { far = far, factor = factor, reached = reached }
        end
        if far <= CLOSE * load then break end
    end
    if best.far > NEAR * load then
        return nil, string.format("sizes are integers >= 1, and the nearest load they "
            .. "reach is %.4g (try load_by=arrivals)", best.reached)
    end
    return best.factor
end

-- Returns how the jobs are to be scaled to the load that is asked for; nil and what is wrong.
---@return pinion.Scaled|nil scaled, string|nil reason
local function scaling_of(source, options, binding)
    local offered, why = offered_by(source, binding)
    if not offered then return nil, why end
    local by, factor = options.load_by or "arrivals", nil
    if by == "sizes" then
        factor, why = sizes_factor(source, offered, options.load, binding)
    else
        factor, why = arrivals_factor(offered, options.load)
    end
    if not factor then return nil, "load: " .. why end
    local span = span_of(offered)
    return { by = by, factor = factor, before = span > 0 and offered.busy / span or nil }
end

-- ---- all ----------------------------------------------------------------------------------------

---Changes jobs that were made as the options say: sample, arrivals, then load; windows are parts of
---jobs that have the load together.
---@param opened pinion.Opened
---@param options table<string, any> those of M.of
---@param binding table
---@return boolean|nil done, string|nil reason
function M.apply(opened, options, binding)
    local drawn = { seed = binding.seed or options.seed or 1, replica = binding.replica,
        model = binding.model, unit_ms = options.unit_ms, recorded = options.recorded }
    local process, scaled, wrong = options.arrivals, nil, nil
    if not models.find(binding.model).jobs.offered then return true end
    if options.load and options.replicas then
        scaled, wrong = scaling_of(opened.core, options, binding)
        if not scaled then return nil, wrong end
    end
    if options.resample or options.replicas then
        local done, found = samples.draw(opened, options, drawn)
        if not done then return nil, found end
        process = found
    end
    if process then
        opened.core = core.workload_arrivals {
            workload = opened.core, process = process, seed = drawn.seed, replica = drawn.replica,
        }
    end
    if options.load and not scaled then
        scaled, wrong = scaling_of(opened.core, options, binding)
        if not scaled then return nil, wrong end
    end
    if scaled then
        opened.core = core.workload_scaled { workload = opened.core, [scaled.by] = scaled.factor }
        opened.scaled = scaled
    end
    return true
end

---Returns files that they are read from.
---@param given table<string, any>
---@return string[] paths
function M.files(given)
    local paths = {}
    for _, name in ipairs(check.sorted_keys(given)) do
        local found = distribution.files(given[name])
        if name == "arrivals" and type(given[name]) == "string" then
            table.insert(found, 1, file_of(given[name]))
        end
        table.move(found, 1, #found, #paths + 1, paths)
    end
    return paths
end

return M
