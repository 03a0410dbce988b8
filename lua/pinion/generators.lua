-- The workload generators and their fields: names, defaults, ranges. One table serves SPEC strings and Lua alike.

local core = require "pinion.core"
local check = require "pinion.check"
local distribution = require "pinion.distribution"
local fault = require "pinion.fault"
local quantity = require "pinion.quantity"

local M = {}

---@class pinion.GeneratorField
---@field name string
---@field read fun(value: any): any, string? the checked value, or nil and the reason
---@field default any as the user would write it
---@field doc string

local function integer(low, high)
    return function(value) return quantity.integer(value, low, high or check.INTEGER_MAX) end
end

local function positive(high)
    return function(value) return quantity.number(value, 0, high, true) end
end

local function chance(value)
    return quantity.number(value, 0, 1)
end

-- The four rows of the paper's figures 5-8: map work, reduce work.
local SETTINGS = {
    [0] = { "exp(5)", "exp(40)" },
    [1] = { "exp(30)", "exp(15)" },
    [2] = { "uniform(1,9)", "uniform(10,70)" },
    [3] = { "uniform(10,50)", "uniform(10,20)" },
}

-- The bins are the groups of the workload: flow times are also reported by size of job.
local FACEBOOK_BINS = { "1 map", "2 maps", "10 maps", "50 maps", "100 maps", "200 maps", "400 maps", "800 maps", "4800 maps" }

local function read_path(value)
    if type(value) == "string" and value ~= "" then return value end
    return nil, "must be a file name, got " .. check.show(value)
end

local function read_bins(value)
    local bins = quantity.integer(value, 6, 9)
    if bins == 6 or bins == 9 then return bins end
    return nil, "must be 6 or 9, got " .. check.show(value)
end

local SEED = { name = "seed", read = integer(0), default = 1, doc = "seed of the random stream" }

local function opened(workload, second)
    if workload == nil then fault.from_core("usage", second) end
    return workload, second
end

M.kinds = {
    zheng = {
        doc = "Poisson arrivals with random job sizes, as in Zheng, Shroff, Sinha (2013), figures 5-8",
        random = true,
        fields = {
            { name = "setting", read = integer(0, 3), default = 0, doc = "row of the figures: sets maps and reduces" },
            { name = "maps", read = distribution.read, doc = "map units of a job" },
            { name = "reduces", read = distribution.read, doc = "reduce units of a job" },
            { name = "rate", read = positive(1e6), default = 2, doc = "mean arrivals in a slot" },
            { name = "slots", read = integer(1), default = 500, doc = "slots with arrivals" },
            { name = "tasks", read = integer(1, 65536), default = 10, doc = "reduce tasks of a job, at most" },
            SEED,
        },
        settle = function(options)
            local row = SETTINGS[options.setting]
            options.maps = options.maps or distribution.read(row[1])
            options.reduces = options.reduces or distribution.read(row[2])
        end,
        open = function(o, binding)
            return opened(core.workload_zheng {
                maps = o.maps, reduces = o.reduces, rate = o.rate, slots = o.slots, tasks = o.tasks,
                seed = binding.seed or o.seed, replica = binding.replica,
            })
        end,
        expected_jobs = function(o) return o.rate * o.slots end,
    },
    bursts = {
        doc = "bursts of small jobs with a few giants among them: on 40 machines the example against Theorem 4 of Zheng, Shroff, Sinha",
        random = true,
        fields = {
            { name = "chance", read = chance, default = 0.01, doc = "probability that a slot brings a burst" },
            { name = "burst", read = integer(1, 1000000), default = 20, doc = "jobs of a burst" },
            { name = "maps", read = distribution.read, default = 1, doc = "map units of a small job" },
            { name = "reduces", read = distribution.read, default = 1, doc = "reduce units of a small job" },
            { name = "giant", read = chance, default = 0.05, doc = "probability that a job is a giant" },
            { name = "giant_maps", read = distribution.read, default = 2000, doc = "map units of a giant" },
            { name = "giant_reduces", read = distribution.read, default = 1, doc = "reduce units of a giant" },
            { name = "tasks", read = integer(1, 65536), default = 10, doc = "reduce tasks of a job, at most" },
            { name = "slots", read = integer(1), default = 10000, doc = "slots with arrivals" },
            SEED,
        },
        open = function(o, binding)
            return opened(core.workload_bursts {
                chance = o.chance, burst = o.burst, maps = o.maps, reduces = o.reduces, giant = o.giant, giant_maps = o.giant_maps,
                giant_reduces = o.giant_reduces, tasks = o.tasks, slots = o.slots, seed = binding.seed or o.seed, replica = binding.replica,
            })
        end,
        expected_jobs = function(o) return o.chance * o.burst * o.slots end,
        groups = function() return { "small", "giant" } end,
    },
    facebook = {
        doc = "job sizes of a Facebook cluster in 2009 (the bins of Zaharia et al. as in He, Lu, Swanson, table II), exponential gaps",
        random = true,
        fields = {
            { name = "jobs", read = integer(1), default = 1000, doc = "number of jobs" },
            { name = "gap", read = positive(1e9), default = 4, doc = "mean gap between arrivals in slots" },
            { name = "bins", read = read_bins, default = 9, doc = "6: jobs up to 200 maps; 9: up to 4800" },
            { name = "reduce_length", read = distribution.read, default = "exp(5)", doc = "units of each reduce task" },
            SEED,
        },
        open = function(o, binding)
            return opened(core.workload_facebook {
                jobs = o.jobs, gap = o.gap, bins = o.bins, reduce_length = o.reduce_length,
                seed = binding.seed or o.seed, replica = binding.replica,
            })
        end,
        expected_jobs = function(o) return o.jobs end,
        groups = function(o) return table.move(FACEBOOK_BINS, 1, o.bins, 1, {}) end,
    },
    swim = {
        doc = "a SWIM trace (FB-2009, FB-2010), plain or gzip: one map unit per block read, reduces by bytes moved",
        fields = {
            { name = "file", read = read_path, required = true, doc = "the trace" },
            { name = "scale", read = quantity.ratio, default = "1/100", doc = "factor on all bytes, taken as an exact ratio" },
            { name = "slot", read = integer(1, 1 << 30), default = 10, doc = "seconds in a slot" },
            { name = "unit", read = quantity.bytes, default = "128MiB", doc = "bytes of one unit of work" },
            { name = "reduce_bytes", read = quantity.bytes, default = "1GiB", doc = "bytes of one reduce task" },
        },
        open = function(o, binding)
            local workload, second = core.workload_swim {
                path = o.file, slot_seconds = o.slot, unit = o.unit, reduce_bytes = o.reduce_bytes,
                scale_num = o.scale[1], scale_den = o.scale[2], machines = binding.machines,
            }
            if workload == nil then fault.located("usage", second) end
            return workload, second
        end,
    },
}

---Checks the options of a kind and fills in its defaults.
---@param kind string a key of M.kinds
---@param given table<string, any>
---@param fail fun(field: string|nil, reason: string) raises
---@return table<string, any>
function M.read(kind, given, fail)
    local generator = M.kinds[kind]
    local known = {}
    for _, field in ipairs(generator.fields) do known[field.name] = true end
    local key, reason = check.unknown_key(given, known, "option")
    if key ~= nil then fail(key, reason) end
    local options = {}
    for _, field in ipairs(generator.fields) do
        local value = given[field.name]
        if value == nil then value = field.default end
        if value == nil and field.required then fail(field.name, "is required (" .. field.doc .. ")") end
        if value ~= nil then
            local checked, why = field.read(value)
            if checked == nil then fail(field.name, why) end
            options[field.name] = checked
        end
    end
    if generator.settle then generator.settle(options) end
    return options
end

return M
