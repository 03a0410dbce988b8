-- The result of one run: the fields of the JSON result, rows by index, quantiles.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local lazy = require "pinion.base.lazy"
local models = lazy.module "pinion.models"
local plot = lazy.module "pinion.output.plot"
local report = lazy.module "pinion.output.report"
local slowdowns = require "pinion.base.slowdowns"
local statistics = require "pinion.base.statistics"

local M = {}

---@class pinion.Result
local Result = {}
Result.__index = Result
Result.__name = "pinion.Result"

---The rows of the jobs as a read-only sequence: #jobs, jobs[i].
local Jobs = {}
Jobs.__name = "pinion.Jobs"

function Jobs.__len(self)
    return #self.rows
end

function Jobs.__index(self, id)
    local rows = rawget(self, "rows")
    if math.type(id) ~= "integer" or id < 1 or id > #rows then return nil end
    local row = rows[id]
    row.name, row.group = rawget(self, "names")[id], rawget(self, "groups")[row.group + 1] or nil
    return row
end

function Jobs.__pairs(self)
    return ipairs(self)
end

function Jobs.__newindex()
    error("the jobs of a result are read-only", 2)
end

-- Required when first needed, as the models are written in terms of results.
local function model_of(result)
    return (models.find(result.model))
end

-- What the rows call a sample.
local function column_of(sample)
    return sample.column or sample.name
end

-- Times that are integers come as such.
local function exact(model, x)
    return (model.integer or model.batch) and math.tointeger(x) or x
end

-- What is said of a set of samples. Exact when `quantile` is that of rows, within 1 % when it is
-- that of a histogram.
local function describe(model, stats, quantile)
    if not stats or stats:count() == 0 then return {} end
    local made = {
        mean = stats:mean(), sd = math.sqrt(stats:variance()), min = exact(model, stats:min()),
        max = exact(model, stats:max()),
    }
    for _, entry in ipairs(statistics.QUANTILES) do
        made[entry[1]] = exact(model, quantile(entry[2]))
    end
    return made
end

-- Fewer batches give no interval worth the name.
local BATCHES_LEAST = 10

-- The means of consecutive samples, in order of finish, and what they say about the mean of one
-- long run: neighbours in a queue wait together, so the samples themselves would claim too narrow
-- an interval.
local function describe_batches(raw)
    if not raw or #raw.means == 0 then return nil end
    local mean, half = statistics.interval(raw.means)
    return { size = raw.size, count = #raw.means, mean = mean, half = #raw.means >= BATCHES_LEAST
        and half or nil, means = raw.means }
end

---What a model's sums over jobs come to.
---@param model pinion.Model
---@param sums table<string, integer> as the core has them
---@return table<string, number> by name in model.sums, those that mean something
function M.from_sums(model, sums)
    local made = {}
    for _, sum in ipairs(model.sums or {}) do
        if not sum.over then
            made[sum.name] = sums[sum.of]
        elseif sums[sum.over] > 0 then
            made[sum.name] = sums[sum.of] / sums[sum.over]
        end
    end
    return made
end

local function describe_groups(model, names, raw)
    if #names == 0 then return nil end
    local groups = {}
    for i, group in ipairs(names) do
        groups[i] = { group = group or nil,
            finished = raw[model.samples[1].group_stats][i]:count() }
        for _, sample in ipairs(model.samples) do
            local stats = raw[sample.group_stats][i]
            groups[i][sample.name] = describe(model, stats, function(q) return stats:quantile(q)
                end)
        end
        groups[i].sums = model.sums and raw.group_sums[i]
        for name, value in next, model.sums and M.from_sums(model, raw.group_sums[i]) or {} do
            groups[i][name] = value
        end
    end
    return groups
end

local function ratio(total, bound)
    if not total or not bound or bound == 0 then return nil end
    return total / bound
end

-- The mean of the first sample comes from the exact total, unless some jobs are left out.
local function set_means(self, model, raw)
    if model.batch then return end -- its mean is a total of the run
    local first = model.samples[1]
    self[first.total] = raw[first.total]
    for _, sample in ipairs(model.samples) do self[sample.mean] = self[sample.name].mean end
    if self.warmup then return end
    self[first.mean] = raw.finished > 0 and raw[first.total] / raw.finished or nil
    self[first.name].mean = self[first.mean]
end

-- What ended a run with jobs left: the end that it was given, or the model's own limit where that
-- comes first.
local function describe_stop(model, settings, raw, params)
    if model.batch or raw.complete or raw.interrupted or raw.stalled then return nil end
    local name = model.until_option
    local time, limit, limit_name = settings[name], nil, nil
    if model.limit then limit, limit_name = model.limit(params or {}) end
    if limit and limit < (time or math.huge) then time, name = limit, limit_name end
    return time and string.format("%s (%s)", model.stop_words(time), name)
end

---@param model pinion.Model
---@param settings pinion.Settings
---@param policy pinion.Policy
---@param opened pinion.Opened
---@param raw table what the core returned
---@param params table<string, any>|nil of the policy, those that are not its defaults
---@return pinion.Result
function M.new(model, settings, policy, opened, raw, params)
    local rows, first = raw.rows, model.samples[1]
    local self = setmetatable({
        model = settings.model, policy = policy.label or policy.name,
        digest = raw.digest, pinion = core.version, seed = settings.seed or opened.seed or 1,
        bounds = settings.bounds, expected = opened.core:count() or raw.submitted,
        submitted = raw.submitted, finished = raw.finished, complete = raw.complete,
        interrupted = raw.interrupted,
        relaxed = policy.relaxed or false, admits = policy.admits, promises = raw.promises,
        workload = settings.workload.text,
        rows = rows, stats = {}, group_stats = {},
        error = settings.error and settings.error.text, warmup = settings.warmup,
        measured = raw[first.stats]:count(),
        number_in_system = raw.number_in_system, batches = describe_batches(raw.batches),
        named = opened.names ~= nil and next(opened.names) ~= nil,
    }, Result)
    for _, name in ipairs(model.heads) do self[name] = model.head(settings, name) end
    for _, name in ipairs(model.totals) do
        if raw[name] ~= nil then self[name] = raw[name] end
    end
    for _, name in ipairs(model.exact or {}) do self[name .. "_exact"] = raw[name .. "_exact"] end
    local parts = model.parts and M.from_sums(model, raw.sums) or {}
    for _, name in ipairs(model.parts or {}) do self[name] = parts[name] end
    if model.shows_params then self.params = params end
    self.rules = model.rules_of and model.rules_of(settings, { policy })
    self.stopped = describe_stop(model, settings, raw, params)
    for _, sample in ipairs(model.samples) do
        self.stats[sample.name], self.group_stats[sample.name] = raw[sample.stats],
            raw[sample.group_stats]
        self[sample.name] = describe(model, raw[sample.stats],
            function(q) return self:quantile(sample.name, q) end)
    end
    set_means(self, model, raw)
    if not model.batch then
        self.quarters, self.lowest_at_end = statistics.quarters(self.number_in_system,
            self.number_in_system.jobs)
    end
    self.growing = statistics.is_growing(self.quarters, self.lowest_at_end)
    self.groups = describe_groups(model, opened.groups, raw)
    if raw.slowdown_buckets then
        self.slowdown_by_size = slowdowns.describe(raw.slowdown_buckets,
            settings.slowdown_by_size.width)
    end
    if raw.complete then self:set_bounds(raw.lower_bound, raw.lower_bound_tight) end
    if rows then
        self.jobs = setmetatable({ rows = rows, names = opened.names, groups = opened.groups },
            Jobs)
    end
    return self
end

---Gives the result the bounds of its workload, which are the same for every policy. A batch's
---depend on its rules and slots: every run has its own.
function Result:set_bounds(lower_bound, lower_bound_tight)
    local model = model_of(self)
    if not self.complete or model.batch or not model.ratio then return end
    local total = self[model.samples[1].total]
    self.lower_bound, self.lower_bound_tight = lower_bound, lower_bound_tight
    self[model.ratio] = ratio(total, lower_bound)
    self[model.ratio_tight] = ratio(total, lower_bound_tight)
end

-- The sample that is called so, or has this column.
local function sample_of(model, field)
    for _, sample in ipairs(model.samples) do
        if sample.name == field or sample.column == field then return sample end
    end
end

-- What quantiles can be asked of: columns, and samples whose columns are called otherwise.
local function known_fields(model)
    local known = table.move(model.columns, 1, #model.columns, 1, {})
    for _, sample in ipairs(model.samples) do
        if sample.column then known[#known + 1] = sample.name end
    end
    return known
end

---The smallest value that at least the fraction `q` of the finished jobs behind the warm-up do not
---exceed. Exact while the result has its rows; without them (more than a million jobs) only what is
---measured of jobs is known, within 1 %.
---@param field string a column of the rows
---@param q number 0..1
---@return number|nil nil when no job has finished
Result.quantile = fault.public(function(self, field, q)
    local model = model_of(self)
    local known, why = check.choice(field, known_fields(model))
    if not known then fault.usage("quantile: field %s", why) end
    local fraction, reason = check.number(q, 0, 1)
    if not fraction then fault.usage("quantile: q %s", reason) end
    if self.measured == 0 then return nil end
    local sample = sample_of(model, field)
    if self.rows then return self.rows:quantile(fraction, sample and column_of(sample) or field) end
    if not sample then
        fault.usage("quantile: this result has no rows, only %s is known", model.samples[1].name)
    end
    if self.counts then return statistics.quantile(self.counts[sample.name], fraction) end
    local stats = self.stats[sample.name]
    return stats:count() > 0 and exact(model, stats:quantile(fraction)) or nil
end)

-- Real numbers are all different: of more rows than this a histogram says enough.
local COUNTED_MOST = 4096

---How often each value occurred behind the warm-up: what comparisons pool and curves are drawn
---from. Without rows, those of a histogram within 1 %.
---@param name string|nil a sample; nil: the first
---@param group integer|nil index of a group, from 1; nil: all jobs
---@return table<integer|number, number> count by value
function Result:counts_of(name, group)
    local model = model_of(self)
    name = name or model.samples[1].name
    if self.rows and (model.integer or #self.rows <= COUNTED_MOST) then
        return self.rows:counts(column_of(sample_of(model, name)), group and group - 1)
    end
    if self.counts and not group then return self.counts[name] end
    return (group and self.group_stats[name][group] or self.stats[name]):counts()
end

---The counts of a result of the slotted model.
---@param group integer|nil
---@return table<integer|number, number>
function Result:flow_time_counts(group)
    return self:counts_of("flow_time", group)
end

-- Fields that are tables of plain values, besides the samples.
local TABLES = { "groups", "batches", "number_in_system", "quarters", "warmup", "params",
    "slowdown_by_size", "order", "pools", "ratios",
                 "rules" }

---All of a result but its rows and statistics, as plain values that another process can send.
---@return table
function Result:portable()
    local made = { arrivals = self.number_in_system and self.number_in_system.jobs }
    for name, value in next, self do
        if type(value) ~= "table" and type(value) ~= "userdata" then made[name] = value end
    end
    for _, name in ipairs(TABLES) do made[name] = self[name] end
    for _, sample in ipairs(model_of(self).samples) do made[sample.name] = self[sample.name] end
    return made
end

---The result that Result:portable took apart.
---@param made table
---@param counts table<string, table<number, number>> by sample, as Result:counts_of gives them
---@return pinion.Result
function M.restore(made, counts)
    made.counts = counts
    if made.arrivals then made.number_in_system.jobs, made.arrivals = made.arrivals, nil end
    return setmetatable(made, Result)
end

---Lets go of the rows, which are most of a result's memory.
function Result:drop_rows()
    self.rows, self.jobs, self.group_stats = nil, nil, nil
end

---Draws a figure with gnuplot and leaves its data (.dat) and script (.gp) beside it.
---@param path string .svg, .png or .pdf
---@param options pinion.PlotOptions|nil kind "cdf", "convergence" (over the jobs, by batches) or "slowdown" (by size)
---@return boolean drawn false when gnuplot is not installed
Result.plot = fault.public(function(self, path, options)
    return plot.draw_result(self, path, options or {})
end)

function Result:__tostring()
    -- Required here because the report is written in terms of results.
    return (report.result_text(self):gsub("\n$", ""))
end

M.class = Result

return M
