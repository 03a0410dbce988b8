-- The workload generators and their fields: names, defaults, ranges, models. One table serves SPEC strings and Lua alike.

local adversary = require "pinion.adversary"
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
---@field model string|nil the only model in which it means something

---@class pinion.Generator
---@field doc string
---@field models table<string, boolean> whose jobs it makes
---@field random boolean|nil whether seed and replica matter
---@field subject string|nil the field that may stand behind the colon of a SPEC
---@field fields pinion.GeneratorField[]
---@field settle (fun(options: table): string?, string?)|nil defaults that depend on other options; a field and why it is wrong
---@field open fun(options: table, binding: table): any, table? the jobs; what a trace reader counted
---@field facts (fun(options: table): pinion.Fact[])|nil what is known of the workload without its jobs
---@field schedule (fun(options: table): integer[])|nil job ids in the order in which the paper serves them
---@field expected_jobs (fun(options: table): number)|nil
---@field groups (fun(options: table): any[])|nil
---@field names (fun(options: table): table<integer, string>)|nil of jobs, by id

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

local function boolean(value)
    if value == "true" then value = true elseif value == "false" then value = false end
    return check.boolean(value)
end

-- Positive integers: an array, or text such as "3;1;4".
local function read_list(value)
    local list = {}
    if type(value) == "string" then
        for piece in value:gmatch("[^%s;]+") do list[#list + 1] = quantity.plain(piece) end
    elseif check.is_array(value, true) then
        list = value
    end
    if #list == 0 then return nil, "must be a list of integers such as 3;1;4, got " .. check.show(value) end
    local checked = {}
    for i, piece in ipairs(list) do
        local why
        checked[i], why = check.integer(piece, 1, check.INTEGER_MAX)
        if not checked[i] then return nil, string.format("number %d %s", i, why) end
    end
    return checked
end

local function choice(...)
    local words = { ... }
    return function(value) return check.choice(value, words) end
end

local function read_case(value)
    local case = quantity.plain(value)
    if case == 1 or case == 2 then return math.tointeger(case) end
    if value == "auto" then return value end
    return nil, "must be 1, 2 or auto, got " .. check.show(value)
end

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

-- Share of its time that a station may be asked to be busy: more than 1 is overload.
local LOAD_MAX = 1000

local function opened_lin(o, seed, replica)
    return opened(core.workload_lin {
        map = o.map, ratio = o.ratio, shuffle = o.shuffle, load = o.load, jobs = o.jobs, balance = o.balance, batch = o.batch,
        seed = seed, replica = replica,
    })
end

---@type table<string, pinion.Generator>
M.kinds = {
    zheng = {
        doc = "Poisson arrivals with random job sizes, as in Zheng, Shroff, Sinha (2013), figures 5-8",
        random = true,
        models = { slotted = true },
        subject = "setting",
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
        models = { slotted = true },
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
        models = { slotted = true },
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
        doc = "a SWIM trace (FB-2009, FB-2010), plain or gzip: bytes become tasks (slotted) or sizes in seconds (tandem)",
        models = { slotted = true, tandem = true },
        subject = "file",
        fields = {
            { name = "file", read = read_path, required = true, doc = "the trace" },
            { name = "scale", model = "slotted", read = quantity.ratio, default = "1/100",
              doc = "factor on all bytes, taken as an exact ratio" },
            { name = "slot", model = "slotted", read = integer(1, 1 << 30), default = 10, doc = "seconds in a slot" },
            { name = "unit", model = "slotted", read = quantity.bytes, default = "128MiB", doc = "bytes of one unit of work" },
            { name = "reduce_bytes", model = "slotted", read = quantity.bytes, default = "1GiB",
              doc = "bytes of one reduce task" },
            { name = "load", model = "tandem", read = positive(LOAD_MAX), default = 0.75,
              doc = "of the map station: its work is load * span seconds" },
            { name = "shuffle_load", model = "tandem", read = positive(LOAD_MAX), doc = "of the shuffle station; default: load" },
            { name = "span", model = "tandem", read = positive(1e9), default = 86400, doc = "seconds of the trace" },
            { name = "zero", model = "tandem", read = choice("keep", "drop"), default = "keep",
              doc = "rows that neither read nor shuffle: keep or drop" },
            { name = "balance", model = "tandem", read = boolean, default = false,
              doc = "cube root of every ratio shuffle / map" },
        },
        settle = function(o) o.shuffle_load = o.shuffle_load or o.load end,
        open = function(o, binding)
            local workload, second
            if binding.model == "tandem" then
                workload, second = core.workload_swim_tandem {
                    path = o.file, load = o.load, shuffle_load = o.shuffle_load, span = o.span, drop_zero = o.zero == "drop",
                    balance = o.balance,
                }
            else
                workload, second = core.workload_swim {
                    path = o.file, slot_seconds = o.slot, unit = o.unit, reduce_bytes = o.reduce_bytes,
                    scale_num = o.scale[1], scale_den = o.scale[2], machines = binding.machines,
                }
            end
            if workload == nil then fault.located("usage", second) end
            return workload, second
        end,
    },
    lin = {
        doc = "Poisson arrivals with random sizes, as in Lin, Zhang, Wierman, Tan (2013), section 5.3",
        random = true,
        models = { tandem = true },
        fields = {
            { name = "load", read = positive(LOAD_MAX), default = 0.75,
              doc = "of the station with more work: sets the rate of arrivals" },
            { name = "jobs", read = integer(1), default = 100000, doc = "number of jobs" },
            { name = "map", read = distribution.read_factor, default = "lognormal(1,3.65)", doc = "map size of a job" },
            { name = "ratio", read = distribution.read_factor,
              doc = "shuffle / map of a job: lognormal(1,3.28) unless shuffle is given" },
            { name = "shuffle", read = distribution.read_factor,
              doc = "shuffle size of a job, independent of its map size, instead of ratio" },
            { name = "balance", read = boolean, default = false,
              doc = "cube root of every ratio shuffle / map, at the same mean shuffle size" },
            { name = "batch", read = boolean, default = false, doc = "all jobs arrive at 0; load then means nothing" },
            SEED,
        },
        settle = function(o)
            if o.ratio and o.shuffle then return "shuffle", "means nothing beside ratio (expected one of the two)" end
            if not o.shuffle then o.ratio = o.ratio or distribution.read_factor "lognormal(1,3.28)" end
        end,
        open = function(o, binding) return (opened_lin(o, binding.seed or o.seed, binding.replica)) end,
        facts = function(o)
            local _, facts = opened_lin(o, o.seed, 0)
            return {
                { "mean_map", facts.map, "mean map size" }, { "mean_shuffle", facts.shuffle, "mean shuffle size" },
                { "rate", facts.rate, "arrivals per unit of time" },
            }
        end,
        expected_jobs = function(o) return o.jobs end,
    },
    theorem2 = {
        doc = "the adversary of Lin, Zhang, Wierman, Tan (2013), theorem 2: no online policy is within a constant factor",
        models = { tandem = true },
        subject = "k",
        fields = {
            { name = "k", read = integer(1, 1000), default = 5, doc = "k^3 + k^2 + k + 1 jobs" },
            { name = "case", read = read_case, default = "auto",
              doc = "1: jobs of type 1 keep coming; 2: of type 2; auto: as the adversary chooses" },
            { name = "against", read = check.text, doc = "the policy that the adversary watches; default: the one that runs" },
        },
        open = function(o, binding)
            return core.workload_blocks(adversary.theorem2_blocks(o.k, adversary.theorem2_case(o, binding)))
        end,
        facts = function(o) return adversary.theorem2_facts(o.k, adversary.theorem2_case(o, {})) end,
        schedule = function(o) return adversary.theorem2_schedule(o.k, adversary.theorem2_case(o, {})) end,
        expected_jobs = function(o) return adversary.theorem2_jobs(o.k) end,
        groups = function() return { "type 1", "type 2" } end,
    },
    corollary4 = {
        doc = "the batch of Lin, Zhang, Wierman, Tan (2013), corollary 4: maxsrpt is 2a/(1+a) from the optimum",
        models = { tandem = true },
        subject = "a",
        fields = {
            { name = "a", read = adversary.read_imbalance, default = 5, doc = "imbalance of the jobs, > 1" },
            { name = "n", read = adversary.read_even, default = 20, doc = "number of jobs, even" },
            { name = "eps", read = positive(1e9), default = 0.01,
              doc = "what is taken off the larger size of every other job, < a - 1" },
        },
        settle = function(o)
            if o.eps < o.a - 1 then return nil end
            return "eps", string.format("must be < a - 1 = %s, got %s", check.show(o.a - 1), check.show(o.eps))
        end,
        open = function(o) return core.workload_blocks(adversary.corollary4_blocks(o)) end,
        facts = adversary.corollary4_facts,
        schedule = adversary.corollary4_schedule,
        expected_jobs = function(o) return o.n end,
        groups = function() return { "map-heavy", "shuffle-heavy" } end,
    },
    corollary6 = {
        doc = "the batch of Lin, Zhang, Wierman, Tan (2013), corollary 6: splitsrpt is 1+1/b from the optimum",
        models = { tandem = true },
        subject = "b",
        fields = {
            { name = "b", read = adversary.read_imbalance, default = 2, doc = "imbalance of the jobs, > 1" },
            { name = "n", read = integer(2, 1000000000), default = 20, doc = "number of jobs" },
        },
        open = function(o) return core.workload_blocks(adversary.corollary6_blocks(o)) end,
        facts = adversary.corollary6_facts,
        schedule = adversary.corollary6_schedule,
        expected_jobs = function(o) return o.n end,
        groups = function() return { "small", "large" } end,
    },
    nmts = {
        doc = "the reduction of Lin, Zhang, Wierman, Tan (2013), theorem 1: numerical matching with target sums as a batch",
        models = { tandem = true },
        fields = {
            { name = "f", read = read_list, required = true, doc = "positive integers such as 1;2;3" },
            { name = "g", read = read_list, required = true, doc = "as many" },
            { name = "h", read = read_list, required = true, doc = "as many, the sums to be matched: sum f + sum g = sum h" },
        },
        settle = adversary.nmts_settle,
        open = function(o) return core.workload_blocks(adversary.nmts_blocks(o)) end,
        facts = adversary.nmts_facts,
        expected_jobs = function(o) return 3 * #o.f + 2 end,
        groups = function() return { "F", "G", "H", "E" } end,
        names = adversary.nmts_names,
    },
}

---Names of the generators, of a model or of all.
---@param model string|nil
---@return string[] sorted
function M.names(model)
    local names = {}
    for _, name in ipairs(check.sorted_keys(M.kinds)) do
        if not model or M.kinds[name].models[model] then names[#names + 1] = name end
    end
    return names
end

---The first option given that means nothing in this model, and why.
---@param kind string
---@param given table<string, any>
---@param model string
---@return string|nil field, string|nil reason
function M.misplaced(kind, given, model)
    local own, misplaced = {}, nil
    for _, field in ipairs(M.kinds[kind].fields) do
        if field.model == model then own[#own + 1] = field.name end
        if field.model and field.model ~= model and given[field.name] ~= nil then misplaced = misplaced or field end
    end
    if not misplaced then return nil end
    return misplaced.name, string.format("is an option of the %s model (of the %s model: %s)", misplaced.model, model,
        table.concat(own, ", "))
end

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
    if generator.settle then
        local field, why = generator.settle(options)
        if field then fail(field, why) end
    end
    return options
end

return M
