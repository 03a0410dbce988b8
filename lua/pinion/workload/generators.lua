-- The workload generators and their fields: names, defaults, ranges, models. One table serves SPEC
-- strings and Lua alike.

local lazy = require "pinion.base.lazy"
local adversary = lazy.module "pinion.workload.adversary"
local cluster = require "pinion.workload.generators_cluster"
local core = require "pinion.core"
local check = require "pinion.base.check"
local deadlines = require "pinion.workload.deadlines"
local distribution = require "pinion.base.distribution"
local fault = require "pinion.base.fault"
local quantity = require "pinion.base.quantity"
local readers = require "pinion.base.readers"

local M = {}

---@class pinion.GeneratorField
---@field name string
---@field read fun(value: any): any, string? the checked value, or nil and the reason
---@field default any as the user would write it
---@field doc string
---@field models table<string, boolean>|nil those in which it means something; nil: all

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
---@field slots integer[]|nil map and reduce slots that it suggests in the makespan model
---@field beside (fun(options: table): table)|nil nodes and params that it suggests in the cluster model
---@field policies string[]|nil that a comparison in the cluster model shows when none are named
---@field expected_jobs (fun(options: table): number)|nil
---@field groups (fun(options: table): any[])|nil
---@field names (fun(options: table): table<integer, string>)|nil of jobs, by id

local integer, positive, chance, boolean, choice = readers.integer, readers.positive,
    readers.chance, readers.boolean, readers.choice

-- The four rows of the paper's figures 5-8: map work, reduce work.
local SETTINGS = {
    [0] = { "exp(5)", "exp(40)" },
    [1] = { "exp(30)", "exp(15)" },
    [2] = { "uniform(1,9)", "uniform(10,70)" },
    [3] = { "uniform(10,50)", "uniform(10,20)" },
}

-- The bins are the groups of the workload: flow times are also reported by size of job.
local FACEBOOK_BINS = { "1 map", "2 maps", "10 maps", "50 maps", "100 maps", "200 maps", "400 maps",
    "800 maps", "4800 maps" }

local function read_case(value)
    local case = quantity.plain(value)
    if case == 1 or case == 2 then return math.tointeger(case) end
    if value == "auto" then return value end
    return nil, "must be 1, 2 or auto, got " .. check.show(value)
end

local function read_bins(value)
    local bins = quantity.integer(value, 6, 9)
    if bins == 6 or bins == 9 then return bins end
    return nil, "must be 6 or 9, got " .. check.show(value)
end

local SEED = readers.SEED

local function opened(workload, second)
    if workload == nil then fault.from_core("usage", second) end
    return workload, second
end

-- Share of its time that a station may be asked to be busy: more than 1 is overload.
local LOAD_MAX = 1000

local SLOTTED, TANDEM, MAKESPAN = { slotted = true }, { tandem = true }, { makespan = true }
local UNITS = { slotted = true, makespan = true } -- where tasks are units of work
local BYTES = { slotted = true, makespan = true, cluster = true } -- where bytes become tasks
local PART = { makespan = true, cluster = true } -- where part of a trace is a workload of its own

-- Of a workload that says nothing of its cluster.
local SLOTS = { 100, 50 }

local function opened_facebook(o, seed, binding)
    if binding.model == "cluster" then return opened(cluster.facebook(o, seed, binding)) end
    if binding.model == "makespan" then
        return opened(core.workload_facebook_batch {
            jobs = o.jobs, bins = o.bins, map_length = o.map_length,
            reduce_length = o.reduce_length,
            seed = seed, replica = binding.replica,
        })
    end
    return opened(core.workload_facebook {
        jobs = o.jobs, gap = o.gap, bins = o.bins, reduce_length = o.reduce_length, seed = seed,
        replica = binding.replica,
    })
end

local SWIM = {}

function SWIM.slotted(o, binding)
    return core.workload_swim {
        path = o.file, slot_seconds = o.slot, unit = o.unit, reduce_bytes = o.reduce_bytes,
        scale_num = o.scale[1], scale_den = o.scale[2], machines = binding.machines,
    }
end

function SWIM.tandem(o)
    return core.workload_swim_tandem {
        path = o.file, load = o.load, shuffle_load = o.shuffle_load, span = o.span,
        drop_zero = o.zero == "drop", balance = o.balance,
    }
end

function SWIM.makespan(o)
    return core.workload_swim_batch {
        path = o.file, unit = o.unit, reduce_bytes = o.reduce_bytes, scale_num = o.scale[1],
        scale_den = o.scale[2],
        tasks = o.tasks, map_start = o.map_start, map_rate = o.map_rate,
        reduce_start = o.reduce_start, reduce_rate = o.reduce_rate,
        first = o.first, jobs = o.jobs,
    }
end

SWIM.cluster = cluster.swim

-- ---- batches of random jobs ---------------------------------------------------------------------

local BATCH_JOBS_MAX, BATCH_TASKS_MAX = 1000000, 1000000

-- What a family is, as `pinion workload` prints it.
local BATCH_FACTS = {
    { "maps", "map tasks of a job" }, { "reduces", "reduce tasks of a job" },
    { "most", "tasks of a stage at most" },
    { "map_length", "length of a job's map tasks" },
    { "reduce_length", "length of a job's reduce tasks" },
    { "spread", "a task lasts its stage's length times" },
    { "stragglers", "share of tasks that are stragglers" },
    { "times", "a straggler lasts longer by" },
}

local function batch_facts(o)
    local facts = {}
    for _, fact in ipairs(BATCH_FACTS) do
        local value = o[fact[1]]
        if o.stragglers > 0 or fact[1] ~= "stragglers" and fact[1] ~= "times" then
            facts[#facts + 1] = { fact[1], type(value) == "table" and distribution.text(value)
                or value, fact[2] }
        end
    end
    return facts
end

-- Families differ in their defaults only. A task lasts the length that its stage drew, times a
-- factor of its own, rounded to a whole number of at least 1.
local function family(doc, slots, defaults)
    return {
        doc = doc, random = true, models = MAKESPAN, slots = slots,
        fields = {
            { name = "jobs", read = integer(1, BATCH_JOBS_MAX), default = defaults.jobs,
                doc = "number of jobs" },
            { name = "maps", read = distribution.read, default = defaults.maps,
                doc = "map tasks of a job" },
            { name = "reduces", read = distribution.read, default = defaults.reduces,
                doc = "reduce tasks of a job" },
            { name = "map_length", read = distribution.read, default = defaults.map_length,
                doc = "length of a job's map tasks" },
            { name = "reduce_length", read = distribution.read, default = defaults.reduce_length,
              doc = "length of a job's reduce tasks" },
            { name = "spread", read = distribution.read_factor, default = defaults.spread or 1,
              doc = "factor of each task on its length" },
            { name = "stragglers", read = chance, default = defaults.stragglers or 0,
                doc = "probability that a task is a straggler" },
            { name = "times", read = positive(1e6), default = defaults.times or 5,
                doc = "how many times longer a straggler lasts" },
            { name = "most", read = integer(1, BATCH_TASKS_MAX), default = defaults.most or 3000,
                doc = "tasks of a stage, at most" },
            SEED,
        },
        open = function(o, binding)
            return opened(core.workload_batch {
                jobs = o.jobs, maps = o.maps, reduces = o.reduces, map_length = o.map_length,
                reduce_length = o.reduce_length,
                spread = o.spread, stragglers = o.stragglers, times = o.times, most = o.most,
                seed = binding.seed or o.seed, replica = binding.replica,
            })
        end,
        facts = batch_facts,
        expected_jobs = function(o) return o.jobs end,
    }
end

local function opened_lin(o, seed, replica)
    return opened(core.workload_lin {
        map = o.map, ratio = o.ratio, shuffle = o.shuffle, load = o.load, jobs = o.jobs,
        balance = o.balance, batch = o.batch,
        seed = seed, replica = replica,
    })
end

-- The fields of one model behind those of others.
local function with_fields(fields, more)
    return table.move(more, 1, #more, #fields + 1, fields)
end

---@type table<string, pinion.Generator>
M.kinds = {
    zheng = {
        doc = "Poisson arrivals with random job sizes, as in Zheng, Shroff, Sinha (2013), "
            .. "figures 5-8",
        random = true,
        models = { slotted = true },
        subject = "setting",
        fields = {
            { name = "setting", read = integer(0, 3), default = 0,
                doc = "row of the figures: sets maps and reduces" },
            { name = "maps", read = distribution.read, doc = "map units of a job" },
            { name = "reduces", read = distribution.read, doc = "reduce units of a job" },
            { name = "rate", read = positive(1e6), default = 2, doc = "mean arrivals in a slot" },
            { name = "slots", read = integer(1), default = 500, doc = "slots with arrivals" },
            { name = "tasks", read = integer(1, 65536), default = 10,
                doc = "reduce tasks of a job, at most" },
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
        doc = "bursts of small jobs with a few giants among them: on 40 machines the example "
            .. "against Theorem 4 of Zheng, Shroff, Sinha",
        random = true,
        models = { slotted = true },
        fields = {
            { name = "chance", read = chance, default = 0.01,
                doc = "probability that a slot brings a burst" },
            { name = "burst", read = integer(1, 1000000), default = 20, doc = "jobs of a burst" },
            { name = "maps", read = distribution.read, default = 1,
                doc = "map units of a small job" },
            { name = "reduces", read = distribution.read, default = 1,
                doc = "reduce units of a small job" },
            { name = "giant", read = chance, default = 0.05,
                doc = "probability that a job is a giant" },
            { name = "giant_maps", read = distribution.read, default = 2000,
                doc = "map units of a giant" },
            { name = "giant_reduces", read = distribution.read, default = 1,
                doc = "reduce units of a giant" },
            { name = "tasks", read = integer(1, 65536), default = 10,
                doc = "reduce tasks of a job, at most" },
            { name = "slots", read = integer(1), default = 10000, doc = "slots with arrivals" },
            SEED,
        },
        open = function(o, binding)
            return opened(core.workload_bursts {
                chance = o.chance, burst = o.burst, maps = o.maps, reduces = o.reduces,
                giant = o.giant, giant_maps = o.giant_maps,
                giant_reduces = o.giant_reduces, tasks = o.tasks, slots = o.slots,
                seed = binding.seed or o.seed, replica = binding.replica,
            })
        end,
        expected_jobs = function(o) return o.chance * o.burst * o.slots end,
        groups = function() return { "small", "giant" } end,
    },
    facebook = {
        doc = "job sizes of a Facebook cluster in 2009 (bins of Zaharia et al. as in He, Lu, "
            .. "Swanson, table II), exponential gaps or none",
        random = true,
        models = { slotted = true, makespan = true, cluster = true },
        slots = SLOTS,
        beside = cluster.facebook_beside,
        fields = with_fields({
            { name = "jobs", read = integer(1), default = 1000, doc = "number of jobs" },
            { name = "gap", models = SLOTTED, read = positive(1e9), default = 4,
                doc = "mean gap between arrivals in slots" },
            { name = "bins", read = read_bins, default = 9,
                doc = "6: jobs up to 200 maps; 9: up to 4800" },
            { name = "map_length", models = MAKESPAN, read = distribution.read, default = 1,
                doc = "units of each map task of a job" },
            { name = "reduce_length", models = UNITS, read = distribution.read, default = "exp(5)",
              doc = "units of each reduce task of a job" },
            SEED,
        }, cluster.facebook_fields),
        open = function(o, binding) return opened_facebook(o, binding.seed or o.seed, binding) end,
        expected_jobs = function(o) return o.jobs end,
        groups = function(o) return table.move(FACEBOOK_BINS, 1, o.bins, 1, {}) end,
    },
    swim = {
        doc = "a SWIM trace (FB-2009, FB-2010), plain or gzip: bytes become tasks, or sizes in "
            .. "seconds (tandem)",
        models = { slotted = true, tandem = true, makespan = true, cluster = true },
        slots = SLOTS,
        beside = cluster.swim_beside,
        subject = "file",
        fields = with_fields({
            { name = "file", read = readers.path, required = true, doc = "the trace" },
            { name = "scale", models = BYTES, read = quantity.ratio, default = "1/100",
              doc = "factor on all bytes, taken as an exact ratio" },
            { name = "slot", models = SLOTTED, read = integer(1, 1 << 30), default = 10,
                doc = "seconds in a slot" },
            { name = "unit", models = BYTES, read = quantity.bytes, default = "128MiB",
              doc = "bytes of one unit of work, or of one map task" },
            { name = "reduce_bytes", models = BYTES, read = quantity.bytes, default = "1GiB",
                doc = "bytes of one reduce task" },
            { name = "load", models = TANDEM, read = positive(LOAD_MAX), default = 0.75,
              doc = "of the map station: its work is load * span seconds" },
            { name = "shuffle_load", models = TANDEM, read = positive(LOAD_MAX),
                doc = "of the shuffle station; default: load" },
            { name = "span", models = TANDEM, read = positive(1e9), default = 86400,
                doc = "seconds of the trace" },
            { name = "zero", models = TANDEM, read = choice("keep", "drop"), default = "keep",
              doc = "rows that neither read nor shuffle: keep or drop" },
            { name = "balance", models = TANDEM, read = boolean, default = false,
              doc = "cube root of every ratio shuffle / map" },
            { name = "first", models = PART, read = integer(1), default = 1,
                doc = "row of the first job" },
            { name = "jobs", models = PART, read = integer(1),
                doc = "so many rows from there on; default: all" },
            { name = "tasks", models = PART, read = integer(1, 1 << 31), default = 100,
                doc = "reduce tasks of a job, at most" },
            { name = "map_start", models = MAKESPAN, read = integer(0, 1 << 30), default = 3,
              doc = "seconds that each map task takes to start" },
            { name = "map_rate", models = PART, read = quantity.bytes, default = "4.7MB",
              doc = "bytes that a map task reads in a second" },
            { name = "reduce_start", models = MAKESPAN, read = integer(0, 1 << 30), default = 11,
              doc = "seconds that each reduce task takes to start" },
            { name = "reduce_rate", models = MAKESPAN, read = quantity.bytes, default = "2.9MB",
              doc = "bytes that a reduce task shuffles in a second" },
        }, cluster.swim_fields),
        settle = function(o) o.shuffle_load = o.shuffle_load or o.load end,
        open = function(o, binding)
            local workload, second = SWIM[binding.model](o, binding)
            if workload == nil then fault.located("usage", second) end
            return workload, second
        end,
    },
    rand_many = family("20 jobs of many tasks each, for 60 x 60 slots", { 60, 60 }, {
        jobs = 20, maps = "uniform(60,300)", reduces = "uniform(60,300)",
        map_length = "uniform(10,50)", reduce_length = "uniform(10,50)",
        spread = "uniform(0.5,1.5)",
    }),
    rand_few = family("20 jobs of few long tasks each, for 60 x 60 slots", { 60, 60 }, {
        jobs = 20, maps = "uniform(5,60)", reduces = "uniform(5,60)",
        map_length = "uniform(10,100)", reduce_length = "uniform(10,100)",
        spread = "uniform(0.5,1.5)",
    }),
    one_wave = family("20 jobs whose stages are one wave of equal tasks, for 60 x 60 slots",
            { 60, 60 }, {
        jobs = 20, maps = "uniform(30,60)", reduces = "uniform(30,60)",
        map_length = "uniform(10,100)", reduce_length = "uniform(10,100)",
    }),
    t1_like = family(
            "8 jobs like those of Tian, Luo, Tian, Chen, table 1: stages of equal tasks, one "
            .. "wave on 60 x 60 slots", { 60, 60 }, {
        jobs = 8, maps = "uniform(20,60)", reduces = "uniform(20,60)", map_length = "uniform(1,30)",
        reduce_length = "uniform(1,30)",
    }),
    straggler = family("20 jobs with a few tasks that last five times as long, for 60 x 60 slots",
            { 60, 60 }, {
        jobs = 20, maps = "uniform(30,120)", reduces = "uniform(30,120)",
        map_length = "uniform(10,30)", reduce_length = "uniform(10,30)",
        spread = "uniform(0.8,1.2)", stragglers = 0.02, times = 5,
    }),
    fb_mild = family(
            "50 jobs with heavy-tailed numbers of nearly equal tasks, for 100 x 50 slots; not a "
            .. "trace", { 100, 50 }, {
        jobs = 50, maps = "pareto(0.5,1)", reduces = "pareto(0.8,1)",
        map_length = "lognormal(40,20)", reduce_length = "lognormal(80,40)",
        spread = "lognormal(1,0.1)",
    }),
    fb_lognorm = family("50 jobs as in fb_mild, with heavy-tailed lengths of tasks; not a trace",
            { 100, 50 }, {
        jobs = 50, maps = "pareto(0.5,1)", reduces = "pareto(0.8,1)",
        map_length = "lognormal(40,80)",
        reduce_length = "lognormal(80,160)", spread = "lognormal(1,0.5)",
    }),
    lin = {
        doc = "Poisson arrivals with random sizes, as in Lin, Zhang, Wierman, Tan (2013), "
            .. "section 5.3",
        random = true,
        models = { tandem = true },
        fields = {
            { name = "load", read = positive(LOAD_MAX), default = 0.75,
              doc = "of the station with more work: sets the rate of arrivals" },
            { name = "jobs", read = integer(1), default = 100000, doc = "number of jobs" },
            { name = "map", read = distribution.read_factor, default = "lognormal(1,3.65)",
                doc = "map size of a job" },
            { name = "ratio", read = distribution.read_factor,
              doc = "shuffle / map of a job: lognormal(1,3.28) unless shuffle is given" },
            { name = "shuffle", read = distribution.read_factor,
              doc = "shuffle size of a job, independent of its map size, instead of ratio" },
            { name = "balance", read = boolean, default = false,
              doc = "cube root of every ratio shuffle / map, at the same mean shuffle size" },
            { name = "batch", read = boolean, default = false,
                doc = "all jobs arrive at 0; load then means nothing" },
            SEED,
        },
        settle = function(o)
            if o.ratio and o.shuffle then
                return "shuffle", "means nothing beside ratio (expected one of the two)"
            end
            if not o.shuffle then
                o.ratio = o.ratio or distribution.read_factor "lognormal(1,3.28)"
            end
        end,
        open = function(o, binding) return (opened_lin(o, binding.seed or o.seed, binding.replica))
            end,
        facts = function(o)
            local _, facts = opened_lin(o, o.seed, 0)
            return {
                { "mean_map", facts.map, "mean map size" },
                { "mean_shuffle", facts.shuffle, "mean shuffle size" },
                { "rate", facts.rate, "arrivals per unit of time" },
            }
        end,
        expected_jobs = function(o) return o.jobs end,
    },
    theorem2 = {
        doc = "the adversary of Lin, Zhang, Wierman, Tan (2013), theorem 2: no online policy is "
            .. "within a constant factor",
        models = { tandem = true },
        subject = "k",
        fields = {
            { name = "k", read = integer(1, 1000), default = 5, doc = "k^3 + k^2 + k + 1 jobs" },
            { name = "case", read = read_case, default = "auto",
              doc = "1: jobs of type 1 keep coming; 2: of type 2; auto: as the adversary chooses" },
            { name = "against", read = check.text,
                doc = "the policy that the adversary watches; default: the one that runs" },
        },
        open = function(o, binding)
            return core.workload_blocks(adversary.theorem2_blocks(o.k,
                adversary.theorem2_case(o, binding)))
        end,
        facts = function(o) return adversary.theorem2_facts(o.k, adversary.theorem2_case(o, {}))
            end,
        schedule = function(o) return adversary.theorem2_schedule(o.k,
            adversary.theorem2_case(o, {})) end,
        expected_jobs = function(o) return adversary.theorem2_jobs(o.k) end,
        groups = function() return { "type 1", "type 2" } end,
    },
    corollary4 = {
        doc = "the batch of Lin, Zhang, Wierman, Tan (2013), corollary 4: maxsrpt is 2a/(1+a) "
            .. "from the optimum",
        models = { tandem = true },
        subject = "a",
        fields = {
            { name = "a", read = adversary.read_imbalance, default = 5,
                doc = "imbalance of the jobs, > 1" },
            { name = "n", read = adversary.read_even, default = 20, doc = "number of jobs, even" },
            { name = "eps", read = positive(1e9), default = 0.01,
              doc = "what is taken off the larger size of every other job, < a - 1" },
        },
        settle = function(o)
            if o.eps < o.a - 1 then return nil end
            return "eps", string.format("must be < a - 1 = %s, got %s", check.show(o.a - 1),
                check.show(o.eps))
        end,
        open = function(o) return core.workload_blocks(adversary.corollary4_blocks(o)) end,
        facts = adversary.corollary4_facts,
        schedule = adversary.corollary4_schedule,
        expected_jobs = function(o) return o.n end,
        groups = function() return { "map-heavy", "shuffle-heavy" } end,
    },
    corollary6 = {
        doc = "the batch of Lin, Zhang, Wierman, Tan (2013), corollary 6: splitsrpt is 1+1/b "
            .. "from the optimum",
        models = { tandem = true },
        subject = "b",
        fields = {
            { name = "b", read = adversary.read_imbalance, default = 2,
                doc = "imbalance of the jobs, > 1" },
            { name = "n", read = integer(2, 1000000000), default = 20, doc = "number of jobs" },
        },
        open = function(o) return core.workload_blocks(adversary.corollary6_blocks(o)) end,
        facts = adversary.corollary6_facts,
        schedule = adversary.corollary6_schedule,
        expected_jobs = function(o) return o.n end,
        groups = function() return { "small", "large" } end,
    },
    nmts = {
        doc = "the reduction of Lin, Zhang, Wierman, Tan (2013), theorem 1: numerical matching "
            .. "with target sums as a batch",
        models = { tandem = true },
        fields = {
            { name = "f", read = readers.integers, required = true,
                doc = "positive integers such as 1;2;3" },
            { name = "g", read = readers.integers, required = true, doc = "as many" },
            { name = "h", read = readers.integers, required = true,
                doc = "as many, the sums to be matched: sum f + sum g = sum h" },
        },
        settle = adversary.nmts_settle,
        open = function(o) return core.workload_blocks(adversary.nmts_blocks(o)) end,
        facts = adversary.nmts_facts,
        expected_jobs = function(o) return 3 * #o.f + 2 end,
        groups = function() return { "F", "G", "H", "E" } end,
        names = adversary.nmts_names,
    },
}

for name, kind in next, cluster.kinds do M.kinds[name] = kind end
for _, kind in next, M.kinds do
    if kind.models.cluster then with_fields(kind.fields, deadlines.fields) end
end

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
        if field.models and field.models[model] then own[#own + 1] = field.name end
        if field.models and not field.models[model] and given[field.name] ~= nil then
            misplaced = misplaced or field
        end
    end
    if not misplaced then return nil end
    local of = check.sorted_keys(misplaced.models)
    local last = table.remove(of)
    local others = #of > 0 and table.concat(of, ", the ") .. " and the " or ""
    return misplaced.name, string.format("is an option of the %s%s model%s (of the %s model: %s)",
        others, last, #of > 0 and "s" or "",
        model, table.concat(own, ", "))
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
    if key == "seed" and generator.models.cluster then
        reason = "is the run's own (expected --seed N, in scripts seed = N beside workload)"
    end
    if key ~= nil then fail(key, reason) end
    local options = {}
    for _, field in ipairs(generator.fields) do
        local value = given[field.name]
        if value == nil then value = field.default end
        if value == nil and field.required then
            fail(field.name, "is required (" .. field.doc .. ")")
        end
        if value ~= nil then
            local checked, why = field.read(value)
            if checked == nil then fail(field.name, why) end
            options[field.name] = checked
        end
    end
    for _, settle in ipairs { deadlines.settle, generator.settle } do
        local field, why = settle(options)
        if field then fail(field, why) end
    end
    return options
end

return M
