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
    return {
        mean = stats:mean(), sd = math.sqrt(stats:variance()), min = whole(stats:min()), max = whole(stats:max()),
        p50 = whole(quantile(0.5)), p90 = whole(quantile(0.9)), p99 = whole(quantile(0.99)),
    }
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
        model = settings.model, policy = policy.name, machines = settings.machines, reduce = settings.reduce,
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
        rows = rows, stats = stats, named = opened.names ~= nil and next(opened.names) ~= nil,
    }, Result)
    self.flow_time = describe(stats, function(q) return self:quantile("flow_time", q) end)
    self.flow_time.mean = self.mean_flow_time -- from the exact total
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

-- Nearest rank among the finished jobs, for fields that the kernel does not rank itself.
local function quantile_of_rows(rows, field, q)
    local values = {}
    for i = 1, #rows do
        local value = rows[i][field]
        if value then values[#values + 1] = value end
    end
    table.sort(values)
    return values[math.max(1, math.ceil(q * #values * statistics.RANK))]
end

---The smallest value that at least the fraction `q` of the finished jobs do not exceed. Exact while the result has its rows; without them
---(more than a million jobs) only flow_time is known, within 1 %.
---@param field "flow_time"|"arrival"|"map_finish"|"finish"
---@param q number 0..1
---@return number|nil nil when no job has finished
Result.quantile = fault.public(function(self, field, q)
    local known, why = check.choice(field, FIELDS)
    if not known then fault.usage("quantile: field %s", why) end
    local fraction, reason = check.number(q, 0, 1)
    if not fraction then fault.usage("quantile: q %s", reason) end
    if self.finished == 0 then return nil end
    if field == "flow_time" then return whole((self.rows or self.stats):quantile(fraction)) end
    if not self.rows then fault.usage("quantile: this result has no rows, only flow_time is known") end
    return quantile_of_rows(self.rows, field, fraction)
end)

---How often each flow time occurred: what comparisons pool and curves are drawn from. Without rows, 400 quantiles stand for all.
---@return table<integer|number, number> count by flow time
function Result:flow_time_counts()
    local counts = {}
    if self.rows then
        for i = 1, #self.rows do
            local _, _, _, flow_time = self.rows:unpack(i)
            if flow_time then counts[flow_time] = (counts[flow_time] or 0) + 1 end
        end
    elseif self.finished > 0 then
        for k = 1, 400 do
            local value = whole(self.stats:quantile((k - 0.5) / 400))
            counts[value] = (counts[value] or 0) + self.finished / 400
        end
    end
    return counts
end

---Lets go of the rows, which are most of a result's memory.
function Result:drop_rows()
    self.rows, self.jobs = nil, nil
end

function Result:__tostring()
    -- Required here because the report is written in terms of results.
    return (require("pinion.report").result_text(self):gsub("\n$", ""))
end

M.class = Result

return M
