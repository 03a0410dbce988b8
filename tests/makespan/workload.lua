-- Workloads of the makespan model: tables, files, traces, random batches; what is refused and
-- where.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local jobs = require "pinion.workload.jobs"
local pinion = require "pinion"
local program = require "program"
local scenario = require "pinion.run.scenario"
local workload = require "pinion.workload"

local FIELDS = { "group", "maps", "reduces", "map_time", "reduce_time", "map_slots",
    "reduce_slots" }

local function value_text(value)
    if type(value) ~= "table" then return tostring(value) end
    return value.count and string.format("%d*%s", value.count, value.duration)
        or "[" .. table.concat(value, " ") .. "]"
end

-- Fields that are not 0, job by job.
local function text_of(list)
    local parts = {}
    for i, job in ipairs(list) do
        local fields = {}
        for _, name in ipairs(FIELDS) do
            if job[name] ~= nil and job[name] ~= 0 then
                fields[#fields + 1] = name .. "=" .. value_text(job[name])
            end
        end
        parts[i] = table.concat(fields, " ")
    end
    return table.concat(parts, "; ")
end

local function opened(work, binding)
    binding = binding or {}
    binding.model = "makespan"
    return work:open(binding)
end

local function jobs_of(work, binding)
    return assert(opened(work, binding).core:jobs(1000000))
end

-- ---- the kernel's side --------------------------------------------------------------------------

local made = core.workload_makespan_table({
    { map = { 9, 1, 9, 1, 6, 2 }, reduce = { 4, 1 }, map_time = 0, map_slots = 3, group = 1 },
    { map_time = 4, reduce_time = 5, reduce_slots = 2 },
    { map = { 0, 3 }, reduce = {}, reduce_time = 1 }, { map = { 1, 0xFFFFFFFF, 1, 2 } },
}, 6)
check.equal("count", made:count(), 4)
check.equal("ticks", made:ticks(), 6)
check.equal("no ticks in other models", core.workload_slotted_table({}):ticks(), nil)
check.equal("equal neighbours are one stretch", text_of { made:job(1) },
    "group=1 maps=[3/2 3/2 1 1] reduces=[2/3] map_slots=3")
check.equal("a time of 0 was given", made:job(1).map_time, 0)
check.equal("times only", text_of { made:job(2) }, "map_time=2/3 reduce_time=5/6 reduce_slots=2")
check.equal("tasks of no length", text_of { made:job(3) }, "maps=3*0 reduces=[] reduce_time=1/6")
check.equal("too many to list", select(2, made:job(4)),
    "the workload has more than 10000000 tasks that differ")
check.equal("… nor all", select(2, made:jobs(9)),
    "the workload has more than 10000000 tasks that differ")
check.equal("more than 2 jobs", select(2, made:jobs(2)), "the workload has more than 2 jobs")
check.raises("no job 5", "no job of this number", made.job, made, 5)

local totals = core.workload_makespan_table({
    { map = { 9, 1, 6, 2 }, reduce = { 4, 5 } },
    { map_time = 6, reduce_time = 3, reduce_slots = 2 }, { reduce = { 6, 1 } },
}, 3):totals()
for name, want in pairs { jobs = 3, ticks = 3, map_only = 0, reduce_only = 1, unknown = 1 } do
    check.equal(name, totals[name], want)
end
for name, want in pairs { map_tasks = 3.0, map_work = 7.0, longest_map = 3.0, reduce_tasks = 8.0,
        longest_reduce = 13 / 3 } do
    check.equal("sum of " .. name, totals[name].sum, want)
end
check.is_true("sum of reduce_work", math.abs(totals.reduce_work.sum - (20 / 3 + 2 + 2)) < 1e-12)
local known = core.workload_makespan_table({ { map_time = 6 }, { map = { 1, 1 } } }, 3):totals(4, 9)
check.equal("a time on all slots", known.map_tasks.sum, 5.0)
check.equal("… and their work", known.map_work.max, 8.0)
check.equal("nothing unknown", known.unknown, 0)
check.equal("map-only", known.map_only, 2)

for _, case in ipairs {
    { { map = 5 }, "map, reduce: must be arrays" },
    { { map = { 1, 0 } }, "must be durations and counts" },
    { { map = { -1, 1 } }, "must be durations" },
    { { map = { 1.5, 1 } }, "must be durations" },
    { { reduce = { (1 << 62) + 1, 1 } }, "must be durations" },
    { { map = { 1, 1 << 32 } }, "must be durations" },
    { { map_time = -1 }, "map_time: must be an integer" },
    { { map_slots = 0 }, "map_slots: must be an integer in 1..4294967295" },
    { { group = -1 }, "group: must be an integer" }, { 7, "must be an array of jobs" },
} do
    check.raises(case[2], case[2], core.workload_makespan_table, { case[1] }, 1)
end
-- A stage without tasks is none, whatever time it has.
local absent = core.workload_makespan_table({ { map = {}, map_time = 5 }, { map = { 3, 1 } } },
    1):totals(4, 9)
check.equal("jobs with an absent stage", absent.jobs, 2)
check.equal("its work", absent.map_work.sum, 3.0)

-- Equal tasks are the same jobs however they are cut, also where a count passes 2^32.
local function hash_of(tasks)
    return core.jobs_hash { workload = core.workload_makespan_table({ { map = tasks } }, 1) }
end
local FULL <const> = (1 << 32) - 1
check.equal("cut elsewhere", hash_of { 3, FULL, 3, 5 }, hash_of { 3, 5, 3, FULL })
check.equal("cut in three", hash_of { 3, FULL, 3, 5 }, hash_of { 3, FULL - 1, 3, 5, 3, 1 })
check.is_true("a task less", hash_of { 3, FULL, 3, 5 } ~= hash_of { 3, FULL, 3, 4 })
check.is_true("another length", hash_of { 3, FULL, 3, 5 } ~= hash_of { 3, FULL, 4, 5 })

-- Tasks of no time are tasks, where others work.
local idle = pinion.workload.script([[return { name = "x", model = "makespan",
  generate = function(g) g:job { maps = { 0, 3, 0 }, reduces = { 0 } } end }]])
    :open { model = "makespan" }.core:totals(1, 1)
check.equal("tasks of no time", idle.map_tasks.sum .. " " .. idle.reduce_tasks.sum, "3.0 1.0")

-- What is drawn, and passes a bound.
local function batch(spec)
    return pinion.workload.spec(spec):open { model = "makespan" }.core
end
for spec, message in next, {
    ["rand_few,map_length=pareto(0.001,1)"] =
        "job 1: its map tasks, drawn at random, pass 2^53 units",
    ["rand_few,reduce_length=pareto(0.001,1)"] =
        "job 1: its reduce tasks, drawn at random, pass 2^53 units",
    ["rand_few,spread=pareto(0.001,1)"] = "job 1: its map tasks, drawn at random, pass 2^53 units",
    ["facebook,jobs=9,map_length=pareto(0.001,1)"] =
        "job 1: its maps, drawn at random, pass 2^53 units",
    ["facebook,jobs=9,map_length=9007199254740992"] =
        "job 1: its maps, drawn at random, pass 2^53 units",
} do
    check.raises(spec, message, batch, spec)
end
check.equal("numbers of tasks that cannot be drawn are the most",
    batch("rand_few,jobs=1,maps=pareto(0.001,1),reduces=1,most=7"):totals(1, 1).map_tasks.sum, 7.0)
for map_length, message in next, {
    ["exp(-1)"] = "map_length: exp: mean must be a number > 0 and <= 9007199254740992, got -1",
    ["exp(1)"] = "jobs: a batch has at most 1000000",
} do
    check.equal("two faults: " .. message, select(2, core.workload_facebook_batch { jobs = 2000000,
        bins = 6, map_length = map_length, reduce_length = "exp(1)", seed = 1 }), message)
end

check.raises("no ticks", "must be in 1..2^53", core.workload_makespan_table, {}, 0)
check.equal("no errors in sizes",
    select(2, core.workload_error { workload = made, factor = "constant(1)",
    seed = 1 }),
    "the makespan model has no errors in sizes")
check.raises("of another model", "workload: its jobs are of the makespan model",
    core.slotted_scenario_hash,
    { workload = made })

-- ---- lists of jobs ------------------------------------------------------------------------------

local function read(list)
    return jobs_of(workload.from_table(list, "jobs", "makespan"))
end

for _, case in ipairs {
    { { { maps = { 3, 5, 5 }, reduces = { 7 } } }, "maps=[3 5 5] reduces=[7]" },
    { { { maps = { count = 20, duration = 30 }, reduces = { 4, 4, 4 }, map_slots = 20 } },
        "maps=20*30 reduces=3*4 map_slots=20" },
    { { { map_time = 4, reduce_time = "5/7" } }, "map_time=4 reduce_time=5/7" },
    { { { maps = { 0.1, "0.1", "1/10", pinion.exact "1/10", 2.0, { count = 2, duration = 2 },
        "1/3" } } }, "maps=[1/10 1/10 1/10 1/10 2 2 2 1/3]" },
    { { { maps = {}, map_time = 4.5, reduces = { 1 } } }, "maps=[] reduces=[1] map_time=9/2" },
    { { { maps = {}, reduces = { 1 }, reduce_time = 0 } }, "reduces=[1]" },
    { { { map_time = 4.5, reduces = { 0 } } }, "reduces=[0] map_time=9/2" },
    { { { maps = { 0, 1 << 62 } } }, "maps=[0 4611686018427387904]" },
    { { { maps = { 1 }, map_slots = 0xFFFFFFFF }, { maps = { "1/9007199254740992" } } },
        "maps=[1] map_slots=4294967295; maps=[1/9007199254740992]" },
    { { { maps = { 1 }, group = "a" }, { maps = { 1 }, group = "b" } },
        "maps=[1]; group=1 maps=[1]" },
} do
    check.equal(case[2], text_of(read(case[1])), case[2])
end
check.equal("the least common tick",
    opened(workload.from_table({ { maps = { 1, "1/4" } }, { reduce_time = "5/6" } },
    "jobs")).core:ticks(), 12)

local FINE = "is too fine to be exact (expected all durations to have a common denominator of "
    .. "at most 2^53): "
local LARGE = "is too large to be exact (expected all tasks to last at most 2^62"
for _, case in ipairs {
    { {}, "jobs: must not be empty" },
    { { {} }, "jobs[1]: has no work: no map or reduce task lasts longer than 0" },
    { { { maps = { 1 } }, { name = "idle", maps = { 0 }, map_time = 3 } },
        "jobs[2]: has no work ('idle')" },
    { { { map_time = 0, reduces = {} } }, "jobs[1]: has no work" },
    { { { maps = {}, map_time = 3 } }, "jobs[1]: has no work" },
    { { { maps = { 1, -1 } } }, "jobs[1].maps[2]: must be >= 0, got -1" },
    { { { maps = { 1, 2, "x" } } }, "jobs[1].maps[3]: must be a number >= 0 or a ratio" },
    { { { maps = 5 } },
        "jobs[1].maps: must be an array of durations, or a count and a duration, got 5" },
    { { { reduces = "3;4" } }, "jobs[1].reduces: must be an array of durations" },
    { { { maps = { count = 0, duration = 3 } } },
        "jobs[1].maps.count: must be an integer in 1..4294967295, got 0" },
    { { { maps = { count = 2 } } }, "jobs[1].maps.duration: is required (of each task)" },
    { { { maps = { duration = 2 } } },
        "jobs[1].maps.count: is required (the number of equal tasks)" },
    { { { maps = { count = 2, duraton = 2 } } },
        "jobs[1].maps.duraton: unknown field (did you mean 'duration'?)" },
    { { { maps = { 1, { count = 2, duration = "x" } } } },
        "jobs[1].maps[2].duration: must be a number" },
    { { { maps = { 1, { 2 } } } }, "jobs[1].maps[2]: must be a number" },
    { { { maps = { { count = 0xFFFFFFFF, duration = 1 }, 1 } } },
        "jobs[1].maps: has more than 4294967295 tasks" },
    { { { maps = { 1 }, map_slots = 0 } },
        "jobs[1].map_slots: must be an integer in 1..4294967295, got 0" },
    { { { maps = { 1 }, reduce_slots = 1.5 } }, "jobs[1].reduce_slots: must be an integer" },
    { { { maps = { 1 }, map_time = "3/0" } }, "jobs[1].map_time: must be a number" },
    { { { maps = { 1 }, arrival = 1 } },
        "jobs[1].arrival: unknown field (known: group, map_slots, map_time, maps, name, "
        .. "reduce_slots, reduce_time, reduces)" },
    { { { maps = { 1 }, name = 7 } }, "jobs[1].name: must be a string" },
    { { { maps = { 1 }, group = true } }, "jobs[1].group: must be a string or" },
    { { { maps = { 0.1 + 0.2 } } }, "jobs[1].maps[1]: must have at most 15 significant digits" },
    { { { maps = { "1/9007199254740881" } }, { reduces = { 1, "1/2" } } }, "jobs[2].reduces[2]: "
        .. FINE .. "1/2" },
    { { { maps = { 1 << 62, 1 } } }, "jobs[1].maps[2]: " .. LARGE .. ")" },
    { { { maps = { 1 << 61 } }, { reduces = { 1, 1, { count = 1 << 29, duration = 1 << 32 } } } },
        "jobs[2].reduces[3]: " .. LARGE .. ")" },
    { { { maps = { count = 999999999, duration = 1 } }, { reduces = { 1, 1 } } },
      "jobs[2].reduces: makes a batch of more than 1000000000 tasks (expected at most so many "
          .. "in all jobs)" },
    { { { maps = { 1 << 61, "1/2" } } }, "jobs[1].maps[2]: " .. LARGE
        .. " units of 1/2, the common denominator)" },
    { { { maps = { (1 << 61) + 1, "1/2" } } }, "jobs[1].maps[1]: " .. LARGE },
    { { { reduces = { count = 3, duration = 1 << 61 } } }, "jobs[1].reduces.duration: " .. LARGE
        .. ")" },
    { { { map_time = 1 << 61, map_slots = 3 } }, "jobs[1].map_time: " .. LARGE },
} do
    check.raises(case[2], case[2], read, case[1])
end

-- Names tell jobs apart, also those that they have by default.
local DISTINCT = ".name: must differ from other jobs' names, got "
local ONE = { 1 }
for _, case in ipairs {
    { { { name = "a", maps = ONE }, { maps = ONE }, { name = "a", maps = ONE } },
        "jobs[3]" .. DISTINCT .. "'a', the name of job 1" },
    { { { maps = ONE }, { name = "J1", maps = ONE } },
        "jobs[2]" .. DISTINCT .. "'J1', as job 1 without a name is called" },
    { { { name = "J2", maps = ONE }, { maps = ONE } },
        "jobs[1]" .. DISTINCT .. "'J2', as job 2 without a name is called" },
} do
    check.raises(case[2], case[2], read, case[1])
end
check.equal("names of nobody else",
    #read { { name = "J1", maps = ONE }, { name = "J3", maps = ONE }, { name = "J4", maps = ONE },
    { name = "J02", maps = ONE } }, 4)
check.equal("names of a job that has another",
    #read { { name = "J2", maps = ONE }, { name = "J1", maps = ONE } }, 2)
check.equal("other models",
    #workload.from_table({ { arrival = 1, maps = 1, name = "a" },
    { arrival = 1, maps = 1, name = "a" } }, "jobs"):open { model = "slotted",
    machines = 1 }.core:jobs(9), 2)

-- A long list takes no more than its stretches.
local long = {}
for i = 1, 1000000 do long[i] = i <= 500000 and 3 or "1/2" end
local list = jobs.read({ { maps = long } }, { lua = true, fail = error }, "makespan")
check.equal("stretches of a long list", table.concat(list.jobs[1].map, " "), "6 500000 1 500000")

-- Which model a list or a header speaks of.
for _, case in ipairs {
    { { { maps = { 1 } } }, "makespan" }, { { { reduces = { 1 } }, { map_time = 3 } }, "makespan" },
    { { { maps = 1 } }, "slotted" },
    { { { arrival = 1, maps = { 1 } } }, "slotted" },
    { { { arrival = 1, reduces = { 1 } } }, "slotted" }, { { { arrival = 1, map = 1 } }, "tandem" },
    { { { reduces = { 1 } } }, "slotted" }, { {}, "slotted" }, { 7, "slotted" },
    { { { arrival = 1 }, { shuffle = 2 } }, "tandem" },
} do
    check.equal("model", jobs.model_of(case[1]), case[2])
end
for header, want in pairs { ["maps,reduces"] = "makespan", ["arrival,maps"] = "slotted",
    ["name,map_time"] = "makespan", ["map,shuffle"] = "tandem",
                            ["name"] = "makespan", ["arival,maps"] = "slotted",
                            ["maps,estimate_maps"] = "slotted", ["arrival,name"] = "slotted" } do
    local fields = {}
    for field in header:gmatch "[^,]+" do fields[#fields + 1] = field end
    check.equal("model of " .. header, jobs.model_of_fields(fields), want)
end

-- ---- scenario files -----------------------------------------------------------------------------

local function decode(text)
    return scenario.decode(
        string.format('{"model":"makespan","map_slots":3,"reduce_slots":2,"jobs":%s}', text),
        "s.json").workload
end
check.equal("a scenario", text_of(jobs_of(decode [[
    [{"maps":{"count":20,"duration":30},"reduces":[4,0.5,"1/3"],"map_slots":20,"name":"a"}, {"map_time":4,"reduce_time":"7/2"}] ]])),
    "maps=20*30 reduces=[4 1/2 1/3] map_slots=20; map_time=4 reduce_time=7/2")
check.equal("names", opened(decode '[{"maps":[1],"name":"a"}]').names[1], "a")
for text, want in pairs {
    ["[]"] = "s.json: jobs: must not be empty",
    ["{}"] = "s.json: jobs: must be an array of jobs, got an object",
    ["[7]"] = "s.json: jobs[1]: must be an object, got 7",
    ['[{"maps":[1,2],"reduces":[1]},{"maps":[1,null]}]'] =
        "s.json: jobs[2].maps[2]: must be a number >= 0 or a ratio of integers such as "
        .. "\"107/3\", got null",
    ['[{"maps":[0.1,0.10000000000000000555]}]'] =
        "s.json: jobs[1].maps[1]: must have at most 15 significant digits, all that a double keeps"
        .. " (text is read exactly: \"1/3\"), got a longer one near 0.1 (line 1)",
    ['[{"maps":[1e-400,3]}]'] =
        "s.json: jobs[1].maps[1]: is too small for a double (text is read exactly: \"1/3\") "
        .. "(line 1)",
    ['[{"maps":{"count":2,"duration":0.12345678901234567}}]'] =
        "s.json: jobs[1].maps.duration: must have at most 15 significant digits",
    ['[{"maps":[[1]]}]'] =
        "s.json: jobs[1].maps[1]: must be a number >= 0 or a ratio of integers such as "
        .. "\"107/3\", got an array",
    ['[{"maps":{}}]'] = "s.json: jobs[1].maps.count: is required",
    ['[{"maps":[1],"aps":1}]'] = "s.json: jobs[1].aps: unknown field (did you mean 'maps'?)",
} do
    local ok, problem = pcall(decode, text)
    check.is_true(text, not ok)
    check.contains(text, tostring(problem), want)
end

-- ---- csv files ----------------------------------------------------------------------------------

local function csv(text)
    return pinion.trace.csv(check.temporary_file(text))
end
check.equal("a csv file",
    text_of(jobs_of(
    csv "name,maps,reduces,map_time,map_slots\na,3x5;7 2x1/3,\"0.25;1e-1\",,\nb,,,12.5,4\n")),
    "maps=[5 5 5 7 1/3 1/3] reduces=[1/4 1/10]; map_time=25/2 map_slots=4")
check.equal("more digits than a double has",
    text_of(jobs_of(csv "maps\n0.1234567890123456789e19\n")), "maps=[1234567890123456789]")
for text, want in pairs {
    ["maps,reduces\n1,2\n3x,1\n"] =
        ":3: maps[1]: must be a number >= 0 or a ratio of integers such as \"107/3\", got '3x'",
    ["maps\n2;0x5\n"] = ":2: maps[2].count: must be an integer in 1..4294967295, got 0",
    ["maps\n3xy\n"] = ":2: maps[1].duration: must be a number",
    ["name,maps\na,\n"] = ":2: has no work ('a')",
    ["maps,map_slots\n1,x\n"] = ":2: map_slots: must be an integer",
    ["maps,map_slots,arrival\n"] =
        ":1: unknown column 'arrival' (known: name, group, maps, reduces, map_time, "
        .. "reduce_time, map_slots, reduce_slots)",
    ["maps,maps\n"] = ":1: column 'maps' appears twice",
    ["name,map_time\n"] = ": no jobs after the header",
} do
    check.raises(text, want, csv, text)
end

check.equal("a lone semicolon is an empty list",
    text_of(jobs_of(csv "maps,map_time,reduces\n;,4,1\n,4,1\n")),
    "maps=[] reduces=[1] map_time=4; reduces=[1] map_time=4")
for text, want in pairs {
    ["maps,reduces,map_tim\n"] = ":1: unknown column 'map_tim' (did you mean 'map_time'?)",
    ["maps,reduces,X\n"] = ":1: column 'X' must be a name such as weight (small letters, ",
    ["arrival,maps\n1,3\n"] = ":1: unknown column 'arrival' (known: name, ",
    [""] = ":1: empty file (expected a header such as name,maps,reduces)",
} do
    local path = program.file("asked.csv", text)
    for _, words in ipairs { { "workload", "csv:" .. path },
            { "simulate", "--workload", "csv:" .. path, "--policy", "uaas", "--set", "map_slots=3",
            "--set", "reduce_slots=3" } } do
        local _, said = program.run { words[1], "--model", "makespan", table.unpack(words, 2) }
        check.contains("the model that is asked for", said, path .. want)
    end
end

-- ---- random batches -----------------------------------------------------------------------------

local FAMILIES = { rand_many = 20, rand_few = 20, one_wave = 20, t1_like = 8, straggler = 20,
    fb_mild = 50, fb_lognorm = 50 }
for name, count in pairs(FAMILIES) do
    local work = pinion.workload.spec(name)
    check.equal("model of " .. name, work:only_model(), "makespan")
    check.equal("slots of " .. name, work:default_settings().map_slots, name:find "^fb" and 100
        or 60)
    check.equal("reduce slots of " .. name, work:default_settings().reduce_slots,
        name:find "^fb" and 50 or 60)
    local batch = opened(work)
    check.equal("jobs of " .. name, batch.core:count(), count)
    check.equal("expected of " .. name, batch.expected, count)
    check.equal("seed of " .. name, batch.seed, 1)
    check.equal("ticks of " .. name, batch.core:ticks(), 1)
    local made_totals = batch.core:totals()
    check.is_true("at most 3000 tasks in " .. name, made_totals.map_tasks.max <= 3000
        and made_totals.reduce_tasks.max <= 3000)
    check.is_true("all have work in " .. name, made_totals.map_work.min >= 1
        and made_totals.reduce_work.min >= 1)
    local function hash(spec, binding)
        return core.jobs_hash { workload = opened(pinion.workload.spec(spec), binding).core }
    end
    check.equal("the same again: " .. name, hash(name), hash(name .. ",seed=1"))
    check.is_true("another seed: " .. name, hash(name) ~= hash(name .. ",seed=2"))
    check.equal("the run's seed: " .. name, hash(name, { seed = 2 }), hash(name .. ",seed=2"))
    check.is_true("another replica: " .. name, hash(name) ~= hash(name, { replica = 1 }))
    check.equal("fewer jobs are the first ones: " .. name,
        text_of(jobs_of(pinion.workload.spec(name .. ",jobs=2"))),
        text_of(table.pack(batch.core:job(1), batch.core:job(2))))
    local facts = work:facts()
    check.equal("facts of " .. name, facts.maps, name == "rand_many" and "uniform(60,300)"
        or facts.maps)
    check.equal("the most tasks", facts.most, 3000)
    check.equal("stragglers are a fact of one family", facts.stragglers, name == "straggler"
        and 0.02 or nil)
end
check.equal("equal tasks without a spread",
    text_of(jobs_of(pinion.workload.one_wave { jobs = 2, maps = 3, reduces = 1, map_length = 7,
    reduce_length = 2 })),
    "maps=3*7 reduces=[2]; maps=3*7 reduces=[2]")
check.equal("every task a straggler",
    text_of(jobs_of(pinion.workload.one_wave { jobs = 1, maps = 3, reduces = 1, map_length = 7,
    reduce_length = 2, stragglers = 1, times = 2.5 })),
    "maps=3*18 reduces=[5]")
check.equal("a factor of 0",
    text_of(jobs_of(pinion.workload.one_wave { jobs = 1, maps = 2, reduces = 1, spread = 0 })),
    "maps=2*1 reduces=[1]")
check.equal("tasks at most",
    text_of(jobs_of(pinion.workload.one_wave { jobs = 1, maps = "pareto(0.06,1000)", reduces = 9,
    map_length = 1, reduce_length = 1, most = 4 })),
    "maps=4*1 reduces=4*1")
for spec, want in pairs {
    ["rand_many,jobs=0"] = "jobs: must be an integer in 1..1000000, got 0",
    ["rand_many,most=0"] = "most: must be an integer in 1..1000000",
    ["rand_many,stragglers=2"] = "stragglers: must be a number >= 0 and <= 1",
    ["rand_many,times=0"] = "times: must be a number > 0",
    ["rand_many,spread=x"] = "spread: must be a distribution",
    ["rand_many,gap=3"] = "gap: unknown option (known: jobs, ",
    ["rand_many:3"] = "nothing goes behind 'rand_many:'",
    ["t1_lik"] = "unknown workload 't1_lik' (did you mean 't1_like'?)",
} do
    check.raises(spec, want, pinion.workload.spec, spec)
end
local _, vast = pcall(opened, pinion.workload.spec "rand_few,map_length=pareto(0.01,1)")
check.contains("beyond 2^53", tostring(vast), "its map tasks, drawn at random, pass 2^53 units")
_, vast = pcall(opened, pinion.workload.spec "rand_few,map_length=1e15,spread=1e6")
check.contains("… by the factor", tostring(vast),
    "job 1: its map tasks, drawn at random, pass 2^53 units")

-- The Facebook batch has the sizes of the same seed in the slotted model, whatever its maps last.
local slotted = assert(pinion.workload.facebook { jobs = 300 }:open { model = "slotted",
    machines = 1 }.core:jobs(300))
for _, length in ipairs { "1", "exp(20)" } do
    local facebook = opened(pinion.workload.facebook { jobs = 300, map_length = length })
    for i, job in ipairs(facebook.core:jobs(300)) do
        check.equal("maps", type(job.maps.count) == "number" and job.maps.count or #job.maps,
            slotted[i].maps)
        check.equal("length of maps", length ~= "1" or (job.maps.duration or job.maps[1]) == 1,
            true)
        check.equal("reduces", job.reduces.count or #job.reduces, #slotted[i].reduces)
        check.equal("length of reduces", job.reduces.duration or job.reduces[1],
            slotted[i].reduces[1])
        check.equal("group", job.group, slotted[i].group)
    end
    check.equal("bins are groups", facebook.groups[9], "4800 maps")
end
check.equal("slots of facebook", pinion.workload.facebook {}:default_settings().map_slots, 100)
check.equal("nothing of the cluster", next(pinion.workload.lin {}:default_settings()), nil)
check.equal("facebook is of two models", pinion.workload.facebook {}:only_model(), nil)
check.equal("… but its map length of one", pinion.workload.facebook { map_length = 2 }:only_model(),
    "makespan")
check.raises("a batch has no gaps",
    "gap: is an option of the slotted model (of the makespan model: map_length, reduce_length)",
    function() opened(pinion.workload.facebook { gap = 3 }) end)
check.raises("too many jobs", "jobs: a batch has at most 1000000",
    function() opened(pinion.workload.facebook { jobs = 1000001 }) end)
check.raises("sizes past 2^53", "its maps, drawn at random, pass 2^53 units",
    function() opened(pinion.workload.facebook { map_length = "pareto(0.06,1e9)" }) end)
check.raises("… and reduces", "its reduces, drawn at random, pass 2^53 units",
    function() opened(pinion.workload.facebook { reduce_length = "pareto(0.06,1e9)" }) end)

-- ---- traces -------------------------------------------------------------------------------------

local MIB, GIB = 1 << 20, 1 << 30
local function row(input, shuffle, output)
    return string.format("job\t1\t0\t%d\t%d\t%d\n", input, shuffle, output)
end
local trace = check.temporary_file(table.concat {
    row(0, 0, 0),                      -- nothing at all is still one map
    row(128 * MIB, 0, 5 * GIB),        -- map-only, exactly one map
    row(128 * MIB + 1, 1, 0),          -- one byte over is a second map
    row(GIB, 5 * GIB, 4 * GIB),        -- 9 reduces of 5/9 GiB
    row(GIB, GIB, 300 * GIB),          -- more reduces than there may be
})
local SWIM = { scale = 1, map_rate = "64MiB", map_start = 2, reduce_rate = "100MiB",
    reduce_start = 5 }
local function swim(changes)
    local options = {}
    for name, value in pairs(SWIM) do options[name] = value end
    for name, value in pairs(changes or {}) do options[name] = value end
    return opened(pinion.trace.swim(trace, options))
end
check.equal("a trace", text_of(swim().core:jobs(9)),
    "maps=[2]; maps=[4]; maps=2*4 reduces=[6]; maps=8*4 reduces=9*11; maps=8*4 reduces=100*6")
check.equal("its summary", swim().summary.map_only, 2)
check.equal("rows of a batch", text_of(swim { first = 2, jobs = 2 }.core:jobs(9)),
    "maps=[4]; maps=2*4 reduces=[6]")
check.equal("all rows are counted", swim { first = 2, jobs = 2 }.summary.rows, 5)
check.equal("a cap on reduces", swim { tasks = 3 }.core:job(5).reduces.count, 3)
check.equal("half of the bytes", text_of { swim { scale = "1/2" }.core:job(4) },
    "maps=4*4 reduces=5*11")
check.equal("a task takes a second at least", text_of { swim { map_start = 0 }.core:job(1) },
    "maps=[1]")
check.equal("smaller maps", swim { unit = "64MiB" }.core:job(4).maps.count, 16)
check.equal("slots beside a trace", pinion.trace.swim(trace):default_settings().reduce_slots, 50)
check.raises("no such row", ": holds 5 jobs (expected at least 6, as `first` says)", swim,
    { first = 6 })
check.raises("too many maps",
    ":2: the job has more than 2^32 map tasks (expected a smaller scale or a larger unit)", swim,
    { scale = 100, unit = 1 })
check.raises("too many bytes", ":2: the job has more than 2^53 bytes (expected a smaller scale)",
    swim, { scale = 1000000000 })
check.raises("too slow", ":4: the job's tasks last more than 2^53 seconds", swim,
    { tasks = 1 << 31, reduce_bytes = 1, reduce_start = 1 << 30 })
local wide = check.temporary_file(row(1, 1 << 45, 0))
check.raises("too many bytes shuffled", ":1: the job has more than 2^53 bytes", function()
    opened(pinion.trace.swim(wide, { scale = 1000 }))
end)
check.raises("too slow maps", ":2: the job's tasks last more than 2^53 seconds", swim,
    { unit = 1, map_start = 1 << 30 })
check.raises("too fine a scale", ": scale 1/1000000000 is too fine for units this large", swim,
    { scale = "1/1000000000", unit = 1 << 53 })
check.raises("an option of others",
    "slot: is an option of the slotted model (of the makespan model: scale, unit, "
    .. "reduce_bytes, first, ", swim, { slot = 3 })

-- ---- the program --------------------------------------------------------------------------------

local function succeed(...)
    local output, messages, code = program.run { ... }
    check.equal(table.concat({ ... }, " ") .. ": " .. messages, code, 0)
    return output
end

check.equal("of one model", succeed("workload", "--model", "makespan"):find("zheng", 1, true), nil)
local option = {}
for _, kind in ipairs(core.json_decode(succeed("workload", "--format", "json"),
        "list").workloads) do
    for _, field in ipairs(kind.options) do option[kind.name .. "." .. field.name] = field end
end
check.equal("models of an option", table.concat(option["swim.unit"].models, " "),
    "cluster makespan slotted")
check.equal("an option of all", option["swim.file"].models, core.null)
check.matches("described", succeed("workload", "t1_like"),
    "^t1_like\njobs +8\n.*\nmap slots +60\n.*\nmap tasks of a job "
    .. "+uniform%(20,60%)\n.*\nlongest reduce task ")
local described = core.json_decode(succeed("workload", "straggler,jobs=10", "--format", "json"),
    "described")
check.equal("described: jobs", described.jobs, 10)
check.equal("described: tasks", described.all_map_tasks, math.tointeger(described.map_tasks.sum))
check.equal("described: least time", described.map_busy, described.map_work.sum / 60)
check.equal("described: facts", described.facts.spread, "uniform(0.8,1.2)")
check.equal("described: seed", described.seed, 1)
check.equal("a replica",
    core.json_decode(succeed("workload", "straggler,jobs=10", "--replica", "1", "--format", "json"),
    "described").map_work.sum ~= described.map_work.sum, true)

local mixed = program.file("mixed.json", [[{"model":"makespan","map_slots":3,"reduce_slots":2,"level":"task","jobs":[
    {"name":"a","maps":{"count":20,"duration":"1/3"},"reduces":[4,0.5,0.5],"map_slots":20,"group":"g"},{"map_time":4.25,"reduce_time":5},{"maps":[1,2],"reduces":[],"reduce_time":3}]}]])
local written, as_csv = program.file("written.json", ""), program.file("written.csv", "")
local function hash_of(work) return core.jobs_hash { workload = opened(work).core } end
for _, spec in ipairs { mixed, "rand_few", "t1_like" } do
    local base = spec == mixed and scenario.read(spec).workload or pinion.workload.spec(spec)
    succeed("workload", spec, "--jobs", "--output", written, "--model", "makespan")
    check.equal("a scenario of the jobs has the same jobs: " .. spec,
        text_of(jobs_of(scenario.read(written).workload)), text_of(jobs_of(base)))
    check.equal("… and the same hash", hash_of(scenario.read(written).workload), hash_of(base))
    succeed("workload", written, "--format", "csv", "--output", as_csv)
    check.equal("… and so has a csv file", hash_of(pinion.trace.csv(as_csv)), hash_of(base))
end
succeed("workload", mixed, "--jobs", "--output", written)
local object = core.json_decode(check.read_file(written), "written")
check.equal("settings are kept", string.format("%s %d %d %s", object.model, object.map_slots,
    object.reduce_slots, object.level), "makespan 3 2 task")
check.equal("slots of a generator",
    core.json_decode(succeed("workload", "fb_mild,jobs=2", "--jobs"), "w").map_slots, 100)
check.equal("as csv", succeed("workload", mixed, "--format", "csv"),
    "name,group,maps,reduces,map_time,reduce_time,map_slots\n"
    .. "a,g,20x1/3,4;2x1/2,,,20\n,,,,17/4,5,\n,,1;2,;,,3,\n")
local _, refused, code = program.run({ "workload", "-", "--model", "makespan" },
    '{"model":"makespan","map_slots":1,"reduce_slots":1,\n"jobs":[{"maps":[1]},'
    .. '{"maps":[2,"1/x"]}]}')
check.equal("refused", refused,
    "<stdin>: jobs[2].maps[2]: must be a number >= 0 or a ratio of integers such as \"107/3\", got "
    .. "'1/x'\n")
check.equal("refused: exit code", code, 2)

check.done()
