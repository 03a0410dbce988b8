-- Several policies on the same workload, once or over replicas: one row per policy.

local check = require "pinion.check"
local core = require "pinion.core"
local fault = require "pinion.fault"
local files = require "pinion.files"
local models = require "pinion.models"
local policies = require "pinion.policies"
local statistics = require "pinion.statistics"

local M = {}

---@class pinion.Comparison
---@field model string
---@field machines integer
---@field reduce string
---@field workload string
---@field seed integer
---@field replicas integer
---@field interrupted boolean
---@field lower_bound integer|nil of the only replica
---@field lower_bound_tight integer|nil of the only replica
---@field rows pinion.ComparisonRow[] in the order in which the policies were given
local Comparison = {}
Comparison.__index = Comparison
Comparison.__name = "pinion.Comparison"

---@class pinion.ComparisonRow
---@field policy string
---@field relaxed boolean a lower bound, not a schedule
---@field finished integer jobs, over all replicas
---@field mean_flow_time number|nil mean over replicas
---@field mean_flow_time_half number|nil half width of its 95 % interval
---@field efficiency_ratio number|nil
---@field efficiency_ratio_half number|nil
---@field efficiency_ratio_tight number|nil
---@field efficiency_ratio_tight_half number|nil
---@field p50 number|nil
---@field p90 number|nil
---@field p99 number|nil
---@field max number|nil
---@field result pinion.Result|nil of the only replica
---@field counts table<number, number>|nil pooled flow times

local MEASURES = { "mean_flow_time", "efficiency_ratio", "efficiency_ratio_tight" }

local function new_row(name)
    local row = { policy = name, relaxed = false, finished = 0, samples = {} }
    for _, measure in ipairs(MEASURES) do row.samples[measure] = {} end
    return row
end

local function add_result(row, result, options)
    row.relaxed = result.relaxed
    row.finished = row.finished + result.finished
    for _, measure in ipairs(MEASURES) do
        local samples = row.samples[measure]
        if result[measure] then samples[#samples + 1] = result[measure] end
    end
    if options.collect then
        row.counts = row.counts or {}
        statistics.pool(row.counts, result:flow_time_counts())
    end
    if not options.keep_rows then result:drop_rows() end
    row.result = options.replicas == 1 and result or nil
end

local function settle_row(row)
    for _, measure in ipairs(MEASURES) do
        row[measure], row[measure .. "_half"] = statistics.interval(row.samples[measure])
    end
    row.samples = nil
    if row.result then
        local flow_time = row.result.flow_time
        row.p50, row.p90, row.p99, row.max = flow_time.p50, flow_time.p90, flow_time.p99, flow_time.max
    elseif row.counts then
        row.p50, row.p90 = statistics.quantile(row.counts, 0.5), statistics.quantile(row.counts, 0.9)
        row.p99, row.max = statistics.quantile(row.counts, 0.99), statistics.quantile(row.counts, 1)
    end
end

-- One replica through all policies. The bounds belong to the workload, so the first run pays for them all.
local function run_replica(self, settings, rows, options, tell)
    local model = models.find(settings.model)
    local opened = (options.open or model.open)(settings)
    local first
    for i, row in ipairs(rows) do
        local own = setmetatable({ policy = row.policy, bounds = first and "none" or settings.bounds }, { __index = settings })
        local result = model.run(own, opened)
        first = first or result
        result:set_bounds(first.lower_bound, first.lower_bound_tight)
        add_result(row, result, options)
        self.seed, self.submitted, self.expected = result.seed, result.submitted, result.expected
        if result.interrupted then
            self.interrupted = true
            break
        end
        tell(i)
    end
    if options.replicas == 1 and first then
        self.lower_bound, self.lower_bound_tight = first.lower_bound, first.lower_bound_tight
    end
end

-- All names are checked before the first run, which may take long.
local function checked_rows(settings, names)
    local rows, seen = {}, {}
    for i, name in ipairs(names) do
        local policy = policies.require(name, settings.model, settings.reduce)
        if seen[policy.name] then fault.usage("policy '%s' is named twice", policy.name) end
        seen[policy.name] = true
        rows[i] = new_row(policy.name)
    end
    if #rows == 0 then fault.usage("no policies to compare") end
    return rows
end

---@param settings pinion.Settings
---@param names string[] policies
---@param options { replicas: integer, collect: boolean, keep_rows: boolean, open: (fun(settings: pinion.Settings): pinion.Opened)|nil }
---@return pinion.Comparison
function M.run(settings, names, options)
    local rows = checked_rows(settings, names)
    if options.replicas > 1 and not settings.workload.random then
        fault.usage("replicas must be 1 for a fixed workload (only a generator can draw %d different ones)", options.replicas)
    end
    local self = setmetatable({
        model = settings.model, machines = settings.machines, reduce = settings.reduce, workload = settings.workload.text,
        bounds = settings.bounds, replicas = options.replicas, interrupted = false,
    }, Comparison)
    -- One run shows its own progress when it is long; over replicas many short ones add up.
    local progress <close> = core.progress("comparison", settings.quiet or options.replicas == 1)
    for replica = 0, options.replicas - 1 do
        local own = setmetatable({ replica = options.replicas > 1 and replica or settings.replica }, { __index = settings })
        run_replica(self, own, rows, options, function(run)
            progress:show(replica * #rows + run, options.replicas * #rows, "runs")
        end)
        if self.interrupted then break end
    end
    self.rows = {}
    for _, row in ipairs(rows) do
        if row.result or row.finished > 0 then
            settle_row(row)
            self.rows[#self.rows + 1] = row
        end
    end
    return self
end

function Comparison:__tostring()
    return (require("pinion.report").comparison_text(self):gsub("\n$", ""))
end

---Writes one row per policy.
---@param path string
Comparison.csv = fault.public(function(self, path)
    local name, why = check.text(path)
    if not name then fault.usage("csv: file name %s", why) end
    local sink = files.output(name)
    require("pinion.report").comparison_csv(self, sink.write)
    sink.close()
end)

---Draws a figure with gnuplot and leaves its data (.dat) and script (.gp) beside it.
---@param path string .svg, .png or .pdf
---@param options { kind: "cdf"|"bars", of: string?, title: string? }|nil
---@return boolean drawn false when gnuplot is not installed
Comparison.plot = fault.public(function(self, path, options)
    return require("pinion.plot").draw(self, path, options or {})
end)

return M
