-- What all workloads take whose jobs arrive, arrivals=, resample=, load= and load_by=: against a
-- naive second computation from the jobs without them.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"

local function failure(...)
    local ok, problem = pcall(...)
    return ok and "nothing" or tostring(problem)
end

-- A field that all jobs of the model have; the sizes, lists too.
local MODELS = {
    slotted = {
        arrival = "arrival", first = 1, spec = "zheng:0,slots=40",
        sizes = { "maps", "reduces" }, options = { machines = 30 }, more = 1, whole = true,
        busy = function(job)
            local sum = job.maps
            for _, units in ipairs(job.reduces) do sum = sum + units end
            return { sum / 30 }
        end,
    },
    tandem = {
        arrival = "arrival", first = 0, spec = "theorem2:3,case=1",
        sizes = { "map", "shuffle" }, options = {}, more = 0,
        busy = function(job) return { job.map, job.shuffle } end,
    },
    cluster = {
        arrival = "submit", first = 0, spec = "hsrtf", options = {}, more = 0, whole = true,
        sizes = { "map_ms", "reduce_ms", "shuffle_ms" },
    },
}

local function spec_of(model, options)
    return MODELS[model].spec .. (options and "," .. options or "")
end

local function jobs_of(model, options, more)
    local asked = { model = model }
    for name, value in pairs(MODELS[model].options) do asked[name] = value end
    for name, value in pairs(more or {}) do asked[name] = value end
    return pinion.workload.spec(spec_of(model, options)):jobs(asked)
end

local function text_of(value)
    if type(value) ~= "table" then return tostring(value) end
    local keys, parts = {}, {}
    for key in pairs(value) do keys[#keys + 1] = key end
    table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
    for i, key in ipairs(keys) do parts[i] = tostring(key) .. "=" .. text_of(value[key]) end
    return "{" .. table.concat(parts, " ") .. "}"
end

-- A job's text without its arrival.
local function content(job, arrival)
    local kept = job[arrival]
    job[arrival] = nil
    local text = text_of(job)
    job[arrival] = kept
    return text
end

-- ---- arrivals -----------------------------------------------------------------------------------

for model, of in pairs(MODELS) do
    local plain = jobs_of(model)
    local regular = jobs_of(model, "arrivals=regular(2.5)")
    for i, job in ipairs(plain) do
        check.equal(model .. ": the same jobs", content(regular[i], of.arrival),
            content(job, of.arrival))
        local wanted = of.whole and math.floor(2.5 * i) + of.first or 2.5 * i
        check.equal(model .. ": at regular times", regular[i][of.arrival], wanted)
    end
    check.equal(model .. ": no more of them", #regular, #plain)
end
local poisson = jobs_of("slotted", "arrivals=poisson(0.5)")
check.equal("the same seed, the same arrivals",
    text_of(jobs_of("slotted", "arrivals=poisson(0.5)")),
    text_of(poisson))
local function times(jobs)
    local list = {}
    for i, job in ipairs(jobs) do list[i] = job.arrival end
    return list
end
local some = { table.unpack(times(poisson), 1, 20) }
local other = times(jobs_of("slotted", "arrivals=poisson(0.5)", { replica = 1 }))
check.is_true("other replicas, other arrivals", text_of(some) ~= text_of({ table.unpack(other, 1,
    20) }))
-- Common random numbers: twice the rate, half the times.
local twice = jobs_of("slotted", "arrivals=poisson(1)")
for i, job in ipairs(poisson) do
    check.is_true("the same draws at every rate",
        math.abs((twice[i].arrival - 1) - (job.arrival - 1) / 2) <= 1)
end

-- Rates from a file.
local path = check.temporary_file "# day and night\n0 4\n10, 0 # rest\n\n20\t1\n"
local day = jobs_of("slotted", "arrivals=rates(" .. path .. ",30)")
for _, job in ipairs(day) do
    local phase = (job.arrival - 1) % 30
    check.is_true("nothing arrives at rest", phase < 10 or phase >= 20)
end
local values = check.temporary_file "3\n5\n"
check.equal("files of a workload", text_of(pinion.workload.spec("zheng:0,maps=empirical(" .. values
    .. "),arrivals=rates(" .. path .. ")"):files()), text_of { path, values })
check.contains("a line that is wrong", failure(pinion.workload.spec,
    "zheng:0,arrivals=rates(" .. values .. ")"), values .. ":1: must be a time and a rate, got '3'")

-- ---- samples ------------------------------------------------------------------------------------

for model, of in pairs(MODELS) do
    local known, plain = {}, jobs_of(model)
    for _, job in ipairs(plain) do known[content(job, of.arrival)] = true end
    local sample, kinds, last = jobs_of(model, "resample=400"), {}, 0
    check.equal(model .. ": jobs of a sample", #sample, 400)
    for _, job in ipairs(sample) do
        local text = content(job, of.arrival)
        check.is_true(model .. ": a job of the workload", known[text])
        check.is_true(model .. ": in order", job[of.arrival] >= last)
        kinds[text], last = true, job[of.arrival]
    end
    local count, all = 0, 0
    for _ in pairs(kinds) do count = count + 1 end
    for _ in pairs(known) do all = all + 1 end
    check.is_true(model .. ": many of them", count > all / 2)
    -- As frequent as the jobs of the workload.
    local gaps = #plain - 1
    local rate = gaps / (plain[#plain][of.arrival] - plain[1][of.arrival])
    check.is_true(model .. ": as frequent", math.abs(400 / rate / last - 1) < 0.3)
end

-- Names and groups go along; a list of jobs has replicas then.
local LIST = { { arrival = 1, maps = 5, name = "a", group = "x" },
    { arrival = 4, maps = 50, name = "b" }, { arrival = 9, maps = 500, name = "c", group = "y" } }
local maps_of = { a = 5, b = 50, c = 500 }
local group_of = { a = "x", b = false, c = "y" }
local listed = pinion.workload.jobs(LIST, { resample = 60 })
for _, job in ipairs(listed:jobs()) do
    check.equal("its name", job.maps, maps_of[job.name])
    check.equal("its group", job.group or false, group_of[job.name])
end
check.is_true("a sample is random", listed.random)
for _, model in ipairs { "slotted", "tandem", "cluster" } do
    local weighed, of = {}, MODELS[model]
    for i = 1, 9 do
        weighed[i] = { [of.arrival] = i, weight = i, [of.sizes[1]] = 10 * i,
            maps = model ~= "tandem" and 10 * i or nil }
    end
    local sampled = pinion.workload.jobs(weighed, { resample = 80, arrivals = "regular(2)",
        attributes = { weight = 1 } }):jobs()
    for _, job in ipairs(sampled) do
        check.equal("its attributes", 10.0 * job.weight, job[of.sizes[1]] + 0.0)
    end
    check.equal("all of them", #sampled, 80)
end
check.is_true("a scaled list is not", not pinion.workload.jobs(LIST, { load = 0.5 }).random)
local compared = pinion.compare { workload = listed, machines = 40, policies = { "fifo", "srpt" },
    replicas = 5, quiet = true }
check.is_true("replicas have an interval", compared.rows[1].mean_flow_time_half > 0)
check.raises("nothing to draw from", "resample: there are no jobs to draw from",
    pinion.run, { workload = "zheng:0,rate=1e-9,slots=1,resample=3", machines = 1,
        policy = "fifo" })

-- ---- load ---------------------------------------------------------------------------------------

-- By hand: the factor from the jobs, and each arrival from it.
local function scaled_by_hand(model, load)
    local of, jobs = MODELS[model], jobs_of(model)
    local sums, first, last = {}, jobs[1][of.arrival], jobs[#jobs][of.arrival]
    for _, job in ipairs(jobs) do
        for i, amount in ipairs(of.busy(job)) do sums[i] = (sums[i] or 0) + amount end
    end
    local factor = (math.max(table.unpack(sums)) / load - of.more) / (last - first)
    for _, job in ipairs(jobs) do
        local time = first + (job[of.arrival] - first) * factor
        job[of.arrival] = of.whole and math.floor(time + 0.5) or time
    end
    return jobs
end
for _, model in ipairs { "slotted", "tandem" } do
    for _, load in ipairs { 0.05, 0.5, 1.5 } do
        local jobs = jobs_of(model, "load=" .. load)
        for i, wanted in ipairs(scaled_by_hand(model, load)) do
            local of = MODELS[model]
            check.is_true(model .. ": arrival for a load", math.abs(jobs[i][of.arrival]
                - wanted[of.arrival]) <= 1e-9 * wanted[of.arrival])
            check.equal(model .. ": the same job", content(jobs[i], of.arrival),
                content(wanted, of.arrival))
        end
    end
end

local program = require "program"
local function described(spec, ...)
    local text = program.succeed(spec, { "workload", spec, "--format", "json", ... })
    return core.json_decode(text, spec)
end
local by_times = described("zheng:0,load=.6")
check.is_true("the load of a generator", math.abs(by_times.load - 0.6) < 0.003)
check.equal("how it was scaled", by_times.scaled.by, "arrivals")
local by_sizes = described("zheng:0,load=.6,load_by=sizes")
check.is_true("the load by sizes", math.abs(by_sizes.load - 0.6) < 0.02)
check.equal("the span is kept", by_sizes.span, described("zheng:0").span)
for _, spec in ipairs { "facebook,jobs=300,load=.5", "facebook,jobs=300,load=.5,load_by=sizes",
    "hsrtf,load=1.25,load_by=sizes" } do
    local made = described(spec, "--model", "cluster")
    local load = math.max(made.map_load, made.reduce_load)
    check.is_true("the busier slots of " .. spec, math.abs(load / (spec:find "hsrtf" and 1.25
        or 0.5) - 1) < 0.002)
end
local own = described("lin,load=.5,jobs=50")
check.equal("a generator's own load is its own", own.scaled, nil)

-- Larger sizes stay larger, and equal ones equal; what is 0 stays 0.
for _, model in ipairs { "slotted", "cluster" } do
    local plain = jobs_of(model)
    local opened = pinion.workload.spec(spec_of(model)):open { model = model }
    local scaled = core.workload_scaled { workload = opened.core, sizes = 0.4 }:jobs(#plain)
    local image = {}
    for i, job in ipairs(plain) do
        for _, name in ipairs(MODELS[model].sizes) do
            local from, to = job[name] or 0, scaled[i][name] or 0
            for k = 1, type(from) == "table" and #from or 0 do
                check.is_true("at least 1", (from[k] > 0) == (to[k] > 0))
                check.equal("one size, one image", to[k], image[from[k]] or to[k])
                image[from[k]] = to[k]
            end
            if type(from) == "number" then
                check.equal("one size, one image", to, image[from] or to)
                image[from] = to
            end
        end
    end
    local sizes, last = {}, -1
    for size in pairs(image) do sizes[#sizes + 1] = size end
    table.sort(sizes)
    check.equal("what is 0", image[0] or 0, 0)
    for _, size in ipairs(sizes) do
        check.is_true("in order", image[size] >= last)
        last = image[size]
    end
end

-- ---- mistakes -----------------------------------------------------------------------------------

for spec, wanted in pairs {
    ["zheng:0,load_by=sizes"] = "load_by: needs load",
    ["zheng:0,load=0"] = "load: must be a number > 0",
    ["zheng:0,load=.5,load_by=size"] = "load_by: must be arrivals or sizes, got 'size'",
    ["zheng:0,resample=0"] = "resample: must be an integer in 1..10000000",
    ["zheng:0,arrivals=poison(2)"] = "unknown process 'poison' (did you mean 'poisson'?)",
    ["rand_many,load=.5"] = "load: has no effect in a batch, whose jobs do not arrive",
    ["lin,load=.5,load_by=sizes"] = "load_by: unknown option",
    ["csv:x.csv,lod=.5"] = "x.csv",
} do
    check.contains(spec, failure(pinion.workload.spec, spec), wanted)
end
for spec, wanted in pairs {
    ["zheng:0,load=1000"] = "is more than the jobs have when they all arrive at once",
    ["corollary4:5,load=.5"] = "the jobs all arrive at once",
    ["zheng:0,load=.01,load_by=sizes"] = "the nearest load they reach is",
} do
    check.contains(spec, failure(pinion.run, {
        workload = spec, policy = spec:find "corollary" and "fcfs" or "fifo",
        machines = not spec:find "corollary" and 100 or nil,
        model = spec:find "corollary" and "tandem" or nil,
    }), wanted)
end
check.contains("no machines", failure(function()
    return pinion.workload.spec("zheng:0,load=.5"):jobs()
end), "load: needs machines")
check.contains("no arrivals in a batch", failure(pinion.run, { workload = "facebook,load=.5",
    model = "makespan", policy = "mk_jr" }), "load: is an option of the cluster and the slotted")

-- ---- csv files, scenarios, sweeps ---------------------------------------------------------------

local csv = check.temporary_file "arrival,maps\n1,40\n5,3\n11,12\n"
local from_csv = pinion.workload.spec("csv:" .. csv .. ",load=.5,arrivals=regular(3)")
check.equal("a csv file with options", #from_csv:jobs { machines = 10 }, 3)
check.equal("… in scripts", text_of(pinion.trace.csv(csv, { load = 0.5 }):jobs { machines = 10 }),
    text_of(pinion.workload.spec("csv:" .. csv .. ",load=.5"):jobs { machines = 10 }))
local swept = pinion.sweep { workload = pinion.trace.csv(csv), machines = 4,
    over = { ["workload.load"] = { 0.2, 2 } }, policies = { "fifo" }, quiet = true }
check.is_true("more load, longer flow times",
    swept.rows[1].mean_flow_time < swept.rows[2].mean_flow_time)

local scenario = require "pinion.run.scenario"
local SCENARIO = '{ "model": "slotted", "machines": 10, "load": %s, "arrivals": "regular(3)", '
    .. '"jobs": [ { "arrival": 1, "maps": 40 }, { "arrival": 5, "maps": 3 }, '
    .. '{ "arrival": 11, "maps": 12 } ] }'
check.equal("a scenario with them",
    text_of(scenario.decode(SCENARIO:format "0.5", "s.json").workload:jobs { machines = 10 }),
    text_of(from_csv:jobs { machines = 10 }))
check.contains("… where one is wrong",
    failure(scenario.decode, SCENARIO:format '"much"', "s.json"),
    "s.json: load: must be a number > 0 and <= 1000, got 'much'")
check.contains("… in a batch", failure(scenario.decode,
    '{ "model": "makespan", "load": 0.5, "jobs": [ { "maps": [ 3 ] } ] }', "s.json"),
    "s.json: load: unknown field")

-- ---- a load at which policies have nothing to decide --------------------------------------------

local function messages_of(spec, ...)
    local _, messages = program.run(program.joined({ "compare", "--workload", spec, "--policies" },
        { ... }))
    return (messages:gsub("[^\n]* made the same decisions\n", ""))
end
local tiny = "zheng:0,slots=300,load=.01"
local NOTICE = "pinion: the load is only 0%.0[01]%d*, so policies hardly differ %(try load=0%.7 "
    .. "in the workload%)\n"
check.matches("one line says so", messages_of(tiny, "fifo,fair"), "^" .. NOTICE .. "$")
check.matches("over replicas", messages_of(tiny, "fifo,fair", "--replicas", "3"),
    "^" .. NOTICE .. "$")
check.equal("not when quiet", messages_of(tiny, "fifo,fair", "--quiet"), "")
check.equal("not of one policy", messages_of(tiny, "fifo"), "")
check.equal("not beside a bound alone", messages_of(tiny, "fifo,srpt"), "")
check.equal("not at a load", messages_of("zheng:0,slots=300,load=.6", "fifo,fair"), "")
check.equal("not of a few jobs", messages_of("csv:" .. csv .. ",load=.01", "fifo,fair"), "")
check.matches("in the cluster model", messages_of("facebook,jobs=60,bins=6,load=.01", "fifo,fair",
    "--model", "cluster"), NOTICE)
check.matches("in the tandem model", messages_of("lin,jobs=60,map=1,ratio=1,load=.001",
    "fcfs,maxsrpt"), "so policies hardly differ")
-- A low load alone does not say that policies are alike.
check.equal("where policies differ", messages_of("lin,jobs=1000,load=.01", "fcfs,maxsrpt"), "")

check.done()
