-- The result of one run: the fields of the JSON result, rows by index, quantiles.

local attributes = require "pinion.workload.attributes"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local lazy = require "pinion.base.lazy"
local models = require "pinion.models"
local params_of = require "pinion.policy.params"
local result_columns = require "pinion.models.columns"
local slowdowns = lazy.module "pinion.base.slowdowns"
local statistics = require "pinion.base.statistics"
local timeline = lazy.module "pinion.run.timeline"

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
    attributes.name_texts(row, rawget(self, "labels"))
    return row
end

function Jobs.__pairs(self)
    return ipairs(self)
end

function Jobs.__newindex()
    error("the jobs of a result are read-only", 2)
end

-- By the kind of the model's results.
local KINDS = lazy.modules { stream = "pinion.run.stream", batch = "pinion.run.batch" }

---Returns what differs between results of jobs that come one by one and those of a batch.
---@param model pinion.Model
---@return table run/stream.lua or run/batch.lua
function M.kind_of(model)
    return KINDS[model.results.kind]
end

local function results_of(result)
    return models.of(result).results
end

-- Returns what the rows call a sample.
local function column_of(sample)
    return sample.column or sample.name
end

-- Returns an exact value; times that are integers come as such.
local function exact(results, x)
    return (results.integer or results.exact) and math.tointeger(x) or x
end

-- Describes a set of samples. Exact when `quantile` is that of rows, within 1 % when it is that of
-- a histogram.
local function describe(results, stats, quantile)
    if not stats or stats:count() == 0 then return {} end
    local made = {
        mean = stats:mean(), sd = math.sqrt(stats:variance()), min = exact(results, stats:min()),
        max = exact(results, stats:max()),
    }
    for _, entry in ipairs(statistics.QUANTILES) do
        made[entry[1]] = exact(results, quantile(entry[2]))
    end
    return made
end

---Returns what sums over jobs come to.
---@param results pinion.ModelResults
---@param sums table<string, integer> as the core has them
---@return table<string, number> by name of the column, those that mean something
function M.from_sums(results, sums)
    local made = {}
    for _, column in ipairs(results.columns) do
        if column.group then made[column.name] = result_columns.of_sums(column, sums) end
    end
    return made
end

local function describe_groups(results, names, raw)
    if #names == 0 then return nil end
    local groups = {}
    for i, group in ipairs(names) do
        groups[i] = { group = group or nil,
            finished = raw[results.samples[1].group_stats][i]:count() }
        for _, sample in ipairs(results.samples) do
            local stats = raw[sample.group_stats][i]
            groups[i][sample.name] = describe(results, stats,
                function(q) return stats:quantile(q) end)
        end
        groups[i].sums = raw.group_sums and raw.group_sums[i]
        for name, value in next, raw.group_sums and M.from_sums(results, groups[i].sums) or {} do
            groups[i][name] = value
        end
    end
    return groups
end

-- Returns the columns that the core returns, and those that are sums over all jobs. The bounds of a
-- stream come later, see set_bounds.
local function set_columns(self, results, raw)
    local sums = raw.sums and M.from_sums(results, raw.sums) or {}
    for _, column in ipairs(results.columns) do
        local name, kind = column.name, result_columns.kind(column)
        if results.kind == "batch" or not (kind.bound or kind.ratio) then
            if raw[name] ~= nil then self[name] = raw[name] end
            if self[name] == nil then self[name] = sums[name] end
        end
    end
end

---Returns what results say of a setting.
---@param model pinion.Model
---@param settings pinion.Settings
---@param name string
function M.head(model, settings, name)
    local head = model.settings.head
    if head then return head(settings, name) end
    return settings[name]
end

-- Returns the value that was given for a parameter, unless it is the default.
local function other_value(settings, parameter)
    local given = settings.params and settings.params[parameter.name]
    if given == nil or given == core.null then return nil end
    local value = params_of.value(parameter, given)
    if value ~= parameter.value then return value end
end

---Returns the model's parameters that differ from their defaults, and then those of the policies
---that do, as they are listed; nil where results do not name them.
---@param model pinion.Model
---@param settings pinion.Settings
---@param chosen pinion.Policy[]
---@return { [1]: string, [2]: any }[]|nil
function M.rules_of(model, settings, chosen)
    if not model.settings.shows_rules then return nil end
    local found, seen = {}, {}
    local function add(parameters, given)
        for _, parameter in ipairs(parameters) do
            local name = parameter.name
            local own = seen[name] or given and given[name] ~= nil -- a variant's is in its label
            local value = not own and other_value(settings, parameter)
            if not own and value ~= nil then
                found[#found + 1], seen[name] = { name, value }, true
            end
        end
    end
    add(models.params(model.name))
    for _, policy in ipairs(chosen) do add(policy.params, policy.given) end
    return found
end

---@param model pinion.Model
---@param settings pinion.Settings
---@param policy pinion.Policy
---@param opened pinion.Opened
---@param raw table what the core returned
---@param params table<string, any>|nil of the policy, those that are not its defaults
---@return pinion.Result
function M.new(model, settings, policy, opened, raw, params)
    local rows, results, kind = raw.rows, model.results, M.kind_of(model)
    local self = setmetatable({
        model = settings.model, policy = policy.label or policy.name,
        digest = raw.digest, pinion = core.version, seed = settings.seed or opened.seed or 1,
        bounds = settings.bounds, expected = opened.core:count() or raw.submitted,
        submitted = raw.submitted, finished = raw.finished, complete = raw.complete,
        interrupted = raw.interrupted,
        relaxed = policy.relaxed or false, admits = policy.admits, promises = raw.promises,
        workload = settings.workload.text, extended = settings.extended, replica = settings.replica,
        rows = rows, stats = {}, group_stats = {},
        error = settings.error and settings.error.text, warmup = settings.warmup,
        measured = raw[results.samples[1].stats]:count(),
        named = opened.names ~= nil and next(opened.names) ~= nil,
        attributes = opened.attributes, labels = opened.labels,
    }, Result)
    for _, name in ipairs(model.settings.heads) do self[name] = M.head(model, settings, name) end
    set_columns(self, results, raw)
    if model.settings.shows_params then self.params = params end
    self.rules = M.rules_of(model, settings, { policy })
    for _, sample in ipairs(results.samples) do
        self.stats[sample.name], self.group_stats[sample.name] = raw[sample.stats],
            raw[sample.group_stats]
        self[sample.name] = describe(results, raw[sample.stats],
            function(q) return self:quantile(sample.name, q) end)
    end
    self.warmup_found = settings.warmup_found
    kind.set(self, model, settings, raw, params)
    if raw.timeline then
        self.recorded = timeline.of_run(model, settings, self.policy, raw)
    end
    self.growing = statistics.is_growing(self.quarters, self.lowest_at_end)
    self.groups = describe_groups(results, opened.groups, raw)
    if raw.slowdown_buckets then
        self.slowdown_by_size = slowdowns.describe(raw.slowdown_buckets,
            settings.slowdown_by_size.width)
    end
    if rows then
        self.jobs = setmetatable({ rows = rows, names = opened.names, groups = opened.groups,
            labels = opened.labels }, Jobs)
    end
    return self
end

---Gives a result, or what one left behind, the bounds that policies on the same jobs share, where
---they do.
---@param model pinion.Model
---@param result table
---@param from table<string, number> columns by name
function M.set_bounds(model, result, from)
    local bounds = {}
    for _, column in ipairs(model.results.columns) do
        local kind = result_columns.kind(column)
        if kind.bound then bounds[kind.bound] = from[column.name] end
        if kind.shared then result[column.name] = from[column.name] end
    end
    M.kind_of(model).set_bounds(result, model, bounds)
end

-- Returns the sample that is called so, or has this column.
local function sample_of(results, field)
    for _, sample in ipairs(results.samples) do
        if sample.name == field or sample.column == field then return sample end
    end
end

-- Returns what quantiles can be asked of: columns, and samples whose columns are called otherwise.
local function known_fields(results)
    local known = table.move(results.rows, 1, #results.rows, 1, {})
    for _, sample in ipairs(results.samples) do
        if sample.column or sample.metric then known[#known + 1] = sample.name end
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
    local results = results_of(self)
    local known, why = check.choice(field, known_fields(results))
    if not known then fault.usage("quantile: field %s", why) end
    local fraction, reason = check.number(q, 0, 1)
    if not fraction then fault.usage("quantile: q %s", reason) end
    if self.measured == 0 then return nil end
    local sample = sample_of(results, field)
    if sample and sample.metric then
        return statistics.quantile(self:counts_of(sample.name), fraction)
    end
    if self.rows then return self.rows:quantile(fraction, sample and column_of(sample) or field) end
    if not sample then
        fault.usage("quantile: this result has no rows, only %s is known", results.samples[1].name)
    end
    if self.counts then return statistics.quantile(self.counts[sample.name], fraction) end
    local stats = self.stats[sample.name]
    return stats:count() > 0 and exact(results, stats:quantile(fraction)) or nil
end)

-- Real numbers are all different: of more rows than this a histogram says enough.
local COUNTED_MOST = 4096

---Returns how often each value occurred behind the warm-up: what comparisons pool and curves are
---drawn from. Without rows, those of a histogram within 1 %.
---@param name string|nil a sample; nil: the first
---@param group integer|nil index of a group, from 1; nil: all jobs
---@return table<integer|number, number> count by value
function Result:counts_of(name, group)
    local results = results_of(self)
    name = name or results.samples[1].name
    local metric = (self.metric_counts or {})[name]
    if metric then return metric[group or 0] end
    if self.rows and (results.integer or #self.rows <= COUNTED_MOST) then
        return self.rows:counts(column_of(sample_of(results, name)), group and group - 1)
    end
    if self.counts and not group then return self.counts[name] end
    return (group and self.group_stats[name][group] or self.stats[name]):counts()
end

---Returns the counts of a result of the slotted model.
---@param group integer|nil
---@return table<integer|number, number>
function Result:flow_time_counts(group)
    return self:counts_of("flow_time", group)
end

-- Fields that are no plain values, or whose values the counts of the samples hold.
local NOT_PLAIN = { labels = true, stats = true, group_stats = true, jobs = true, extended = true,
    metric_counts = true }

---Returns all of a result but its rows and statistics, as plain values that another process can
---send.
---@return table
function Result:portable()
    local made = { arrivals = self.number_in_system and self.number_in_system.jobs }
    for name, value in next, self do
        if type(value) ~= "userdata" and not NOT_PLAIN[name] then made[name] = value end
    end
    return made
end

---Restores the result that Result:portable took apart.
---@param made table
---@param counts table<string, table<number, number>> by sample, as Result:counts_of gives them
---@param settings pinion.Settings of the run
---@return pinion.Result
function M.restore(made, counts, settings)
    local model = models.of(settings)
    made.counts, made.extended = counts, settings.extended
    made.workload = settings.workload.text -- the same one may be written in other words
    for _, name in ipairs(model.settings.heads) do
        -- as what writes JSON takes it
        if type(made[name]) == "table" then made[name] = M.head(model, settings, name) end
    end
    if made.arrivals then made.number_in_system.jobs, made.arrivals = made.arrivals, nil end
    return setmetatable(made, Result)
end

---Lets go of the rows, which are most of a result's memory.
function Result:drop_rows()
    self.rows, self.jobs, self.group_stats = nil, nil, nil
end

M.class = Result

return M
