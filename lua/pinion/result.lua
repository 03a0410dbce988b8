-- The result of one run: the fields of the JSON result, rows by index, quantiles.

local check = require "pinion.check"
local core = require "pinion.core"
local fault = require "pinion.fault"
local statistics = require "pinion.statistics"

local M = {}

---@class pinion.Result
local Result = {}
Result.__index = Result
Result.__name = "pinion.Result"

local FIELDS = { "arrival", "map_finish", "finish", "flow_time" }

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
    return {
        id = id, arrival = row.arrival, map_finish = row.map_finish, finish = row.finish, flow_time = row.flow_time,
        name = rawget(self, "names")[id], group = rawget(self, "groups")[row.group + 1] or nil,
    }
end

function Jobs.__pairs(self)
    return ipairs(self)
end

function Jobs.__newindex()
    error("the jobs of a result are read-only", 2)
end

local function whole(x)
    return math.tointeger(x) or x
end

-- What is said of a set of flow times. Exact when `quantile` is that of rows, within 1 % when it is that of a histogram.
local function describe(stats, quantile)
    if not stats or stats:count() == 0 then return {} end
    local flow_time = { mean = stats:mean(), sd = math.sqrt(stats:variance()), min = whole(stats:min()), max = whole(stats:max()) }
    for _, entry in ipairs(statistics.QUANTILES) do flow_time[entry[1]] = whole(quantile(entry[2])) end
    return flow_time
end

-- Fewer batches give no interval worth the name.
local BATCHES_LEAST = 10

-- The means of consecutive flow times, in order of finish, and what they say about the mean of one long run: neighbours in a queue wait
-- together, so the flow times themselves would claim too narrow an interval.
local function describe_batches(raw)
    if not raw or #raw.means == 0 then return nil end
    local mean, half = statistics.interval(raw.means)
    return { size = raw.size, count = #raw.means, mean = mean, half = #raw.means >= BATCHES_LEAST and half or nil, means = raw.means }
end

local function describe_groups(names, raw)
    if #names == 0 then return nil end
    local groups = {}
    for i, group in ipairs(names) do
        local stats = raw.group_flow_times[i]
        groups[i] = {
            group = group or nil, finished = stats:count(),
            flow_time = describe(stats, function(q) return stats:quantile(q) end),
        }
    end
    return groups
end

local function ratio(total, bound)
    if not total or not bound or bound == 0 then return nil end
    return total / bound
end

---@param settings pinion.Settings
---@param policy pinion.Policy
---@param opened pinion.Opened
---@param raw table what core.slotted_run returned
---@return pinion.Result
function M.new(settings, policy, opened, raw)
    local rows, stats = raw.rows, raw.flow_times
    local self = setmetatable({
        model = settings.model, policy = policy.label or policy.name, machines = settings.machines, reduce = settings.reduce,
        total_flow_time = raw.total_flow_time,
        mean_flow_time = raw.finished > 0 and raw.total_flow_time / raw.finished or nil,
        lower_bound = raw.complete and raw.lower_bound or nil,
        lower_bound_tight = raw.complete and raw.lower_bound_tight or nil,
        slots = raw.slots, digest = raw.digest,
        pinion = core.version, seed = settings.seed or opened.seed or 1,
        bounds = settings.bounds, expected = opened.core:count() or raw.submitted,
        submitted = raw.submitted, finished = raw.finished, complete = raw.complete, interrupted = raw.interrupted,
        relaxed = policy.relaxed, decisions = raw.decisions, slots_run = raw.slots_run, units_run = raw.units_run,
        peak_jobs = raw.peak_jobs, workload = settings.workload.text,
        rows = rows, stats = stats, group_stats = raw.group_flow_times,
        error = settings.error and settings.error.text, warmup = settings.warmup, measured = stats:count(),
        number_in_system = raw.number_in_system, batches = describe_batches(raw.batches),
        named = opened.names ~= nil and next(opened.names) ~= nil,
    }, Result)
    self.flow_time = describe(stats, function(q) return self:quantile("flow_time", q) end)
    if settings.warmup then
        self.mean_flow_time = self.flow_time.mean
    else
        self.flow_time.mean = self.mean_flow_time -- from the exact total
    end
    self.quarters, self.lowest_at_end = statistics.quarters(self.number_in_system, self.number_in_system.jobs)
    self.growing = statistics.is_growing(self.quarters, self.lowest_at_end)
    self.groups = describe_groups(opened.groups, raw)
    self:set_bounds(self.lower_bound, self.lower_bound_tight)
    if rows then self.jobs = setmetatable({ rows = rows, names = opened.names, groups = opened.groups }, Jobs) end
    return self
end

---Gives the result the bounds of its workload, which are the same for every policy.
function Result:set_bounds(lower_bound, lower_bound_tight)
    if not self.complete then return end
    self.lower_bound, self.lower_bound_tight = lower_bound, lower_bound_tight
    self.efficiency_ratio = ratio(self.total_flow_time, lower_bound)
    self.efficiency_ratio_tight = ratio(self.total_flow_time, lower_bound_tight)
end

-- Nearest rank among the finished jobs behind the warm-up, for fields that the kernel does not rank itself.
local function quantile_of_rows(rows, field, q)
    local values = {}
    for i = rows:skipped() + 1, #rows do
        local value = rows[i][field]
        if value then values[#values + 1] = value end
    end
    table.sort(values)
    return values[math.max(1, math.ceil(q * #values * statistics.RANK))]
end

---The smallest value that at least the fraction `q` of the finished jobs behind the warm-up do not exceed. Exact while the result has
---its rows; without them (more than a million jobs) only flow_time is known, within 1 %.
---@param field "flow_time"|"arrival"|"map_finish"|"finish"
---@param q number 0..1
---@return number|nil nil when no job has finished
Result.quantile = fault.public(function(self, field, q)
    local known, why = check.choice(field, FIELDS)
    if not known then fault.usage("quantile: field %s", why) end
    local fraction, reason = check.number(q, 0, 1)
    if not fraction then fault.usage("quantile: q %s", reason) end
    if self.measured == 0 then return nil end
    if field == "flow_time" and self.counts and not self.rows then return statistics.quantile(self.counts, fraction) end
    if field == "flow_time" then return whole((self.rows or self.stats):quantile(fraction)) end
    if not self.rows then fault.usage("quantile: this result has no rows, only flow_time is known") end
    return quantile_of_rows(self.rows, field, fraction)
end)

---How often each flow time occurred behind the warm-up: what comparisons pool and curves are drawn from. Without rows, those of a
---histogram within 1 %.
---@param group integer|nil index of a group, from 1; nil: all jobs
---@return table<integer|number, number> count by flow time
function Result:flow_time_counts(group)
    if self.rows then return self.rows:counts(group and group - 1) end
    if self.counts and not group then return self.counts end
    return (group and self.group_stats[group] or self.stats):counts()
end

-- Fields that are tables of plain values.
local TABLES = { "flow_time", "groups", "batches", "number_in_system", "quarters", "warmup" }

---All of a result but its rows and statistics, as plain values that another process can send.
---@return table
function Result:portable()
    local made = { arrivals = self.number_in_system.jobs }
    for name, value in next, self do
        if type(value) ~= "table" and type(value) ~= "userdata" then made[name] = value end
    end
    for _, name in ipairs(TABLES) do made[name] = self[name] end
    return made
end

---The result that Result:portable took apart.
---@param made table
---@param counts table<number, number> as Result:flow_time_counts gives them
---@return pinion.Result
function M.restore(made, counts)
    made.counts = counts
    made.number_in_system.jobs, made.arrivals = made.arrivals, nil
    return setmetatable(made, Result)
end

---Lets go of the rows, which are most of a result's memory.
function Result:drop_rows()
    self.rows, self.jobs, self.group_stats = nil, nil, nil
end

---Draws a figure with gnuplot and leaves its data (.dat) and script (.gp) beside it.
---@param path string .svg, .png or .pdf
---@param options pinion.PlotOptions|nil kind "cdf" or "convergence" (over the jobs, by batches)
---@return boolean drawn false when gnuplot is not installed
Result.plot = fault.public(function(self, path, options)
    return require("pinion.plot").draw_result(self, path, options or {})
end)

function Result:__tostring()
    -- Required here because the report is written in terms of results.
    return (require("pinion.report").result_text(self):gsub("\n$", ""))
end

M.class = Result

return M
