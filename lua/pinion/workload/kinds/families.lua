-- Batches of random jobs for the makespan model.

local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local fault = require "pinion.base.fault"
local readers = require "pinion.base.readers"

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

-- Makes a family; families differ in their defaults only. A task lasts the length that its stage
-- drew, times a factor of its own, rounded to a whole number of at least 1.
local function family(doc, slots, defaults)
    return {
        doc = doc, random = true, models = { makespan = true },
        beside = {
            makespan = function() return { map_slots = slots[1], reduce_slots = slots[2] } end,
        },
        fields = {
            { name = "jobs", read = readers.integer(1, BATCH_JOBS_MAX), default = defaults.jobs,
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
            { name = "stragglers", read = readers.chance, default = defaults.stragglers or 0,
                doc = "probability that a task is a straggler" },
            { name = "times", read = readers.positive(1e6), default = defaults.times or 5,
                doc = "how many times longer a straggler lasts" },
            { name = "most", read = readers.integer(1, BATCH_TASKS_MAX), default = defaults.most
                or 3000,
                doc = "tasks of a stage, at most" },
            readers.SEED,
        },
        open = function(o, binding)
            local workload, why = core.workload_batch {
                jobs = o.jobs, maps = o.maps, reduces = o.reduces, map_length = o.map_length,
                reduce_length = o.reduce_length,
                spread = o.spread, stragglers = o.stragglers, times = o.times, most = o.most,
                seed = binding.seed or o.seed, replica = binding.replica,
            }
            if not workload then fault.from_core("usage", why) end
            return workload
        end,
        facts = batch_facts,
        expected_jobs = function(o) return o.jobs end,
    }
end

return {
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
    straggler = family("20 jobs with a few tasks of five times the length, for 60 x 60 slots",
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
}
