-- Random jobs of the dag model as scripts and the command line ask for them: options, arrivals,
-- loads, samples, replicas; what each run draws is the same for all policies. The shapes themselves
-- are tests/dag/workloads.c.

package.path = "tests/support/?.lua;" .. package.path
local pinion = require "pinion"
local check = require "check"
local core = require "pinion.core"
local program = require "program"

local dag = pinion.workload.dag

local function text_of(jobs)
    local pieces = {}
    for i, job in ipairs(jobs) do
        local stages = {}
        for s, stage in ipairs(job.stages) do
            stages[s] = string.format("%dx%d[%s]<%s", stage.tasks or #stage.durations,
                stage.duration or stage.durations[1], table.concat(stage.demand, " "),
                table.concat(stage.parents or {}, " "))
        end
        pieces[i] = string.format("%d %s %s", job.arrival, tostring(job.group),
            table.concat(stages, ";"))
    end
    return table.concat(pieces, "\n")
end

local function drawn(options, binding)
    return text_of(dag(options):jobs(binding))
end

local FIXED = { jobs = 2, gap_ms = 0, depth = 3, width = 2, tasks = 4, duration = 70,
    demand = "cpu:2;gpu:0" }

local function fixed(shape, more)
    local options = { shape = shape }
    for _, from in ipairs { FIXED, more or {} } do
        for name, value in pairs(from) do options[name] = value end
    end
    return options
end

-- ---- shapes -------------------------------------------------------------------------------------

local STAGE = "4x70[2 0]<"
check.equal("chains", drawn(fixed("chains", { jobs = 1 })), "0 nil " .. table.concat({
    STAGE, STAGE .. "0", STAGE .. "1", STAGE, STAGE .. "3", STAGE .. "4" }, ";"))
check.equal("forks", drawn(fixed("fork-join", { jobs = 1, depth = 2 })),
    "0 nil " .. table.concat({ STAGE, STAGE .. "0", STAGE .. "0", STAGE .. "1 2", STAGE .. "3",
        STAGE .. "3", STAGE .. "4 5" }, ";"))
check.equal("all edges", drawn(fixed("layered", { jobs = 1, depth = 2, edges = 1 })),
    "0 nil " .. table.concat({ STAGE, STAGE, STAGE .. "0 1", STAGE .. "0 1" }, ";"))
check.equal("one stage", drawn(fixed("series-parallel", { jobs = 1, stages = 1 })),
    "0 nil " .. STAGE)
local mixed = dag { shape = "mixed", jobs = 60 }
local seen = {}
for _, job in ipairs(mixed:jobs()) do seen[job.group] = (seen[job.group] or 0) + 1 end
for _, shape in ipairs { "layered", "fork-join", "chains", "series-parallel" } do
    check.is_true("a group of " .. shape, (seen[shape] or 0) > 3)
end

-- ---- what is drawn ------------------------------------------------------------------------------

local options = { jobs = 30, spread = "uniform(0.5,1.5)" }
check.equal("the same again", drawn(options), drawn(options))
check.is_true("another seed", drawn(options, { seed = 9 }) ~= drawn(options))
check.is_true("another replica", drawn(options, { replica = 1 }) ~= drawn(options))
check.equal("the seed of the run goes first", drawn({ jobs = 5, seed = 4 }, { seed = 9 }),
    drawn { jobs = 5, seed = 9 })

local function arrivals_of(jobs)
    local times = {}
    for i, job in ipairs(jobs) do times[i] = job.arrival end
    return table.concat(times, " ")
end

local plain = dag { jobs = 30 }:jobs()
check.equal("arrivals do not depend on sizes", arrivals_of(dag { jobs = 30, tasks = 3,
    demand = "cpu:1" }:jobs()), arrivals_of(plain))
local spread = dag { jobs = 30, spread = 2 }:jobs()
check.equal("a factor on each task", spread[3].stages[1].durations[1],
    2 * plain[3].stages[1].duration)
check.equal("all at once", arrivals_of(dag { jobs = 3, gap_ms = 0 }:jobs()), "0 0 0")
check.equal("other arrivals", arrivals_of(dag { jobs = 3, arrivals = "regular(50)" }:jobs()),
    "50 100 150")
check.equal("a sample", #dag { jobs = 3, resample = 8 }:jobs(), 8)

local function hash_of(work, binding)
    return core.jobs_hash { workload = work:open(binding).core }
end

-- In a table groups are numbered as they come up, so that those of mixed jobs differ.
for _, shape in ipairs { "layered", "fork-join", "chains", "series-parallel" } do
    local work = dag { shape = shape, jobs = 40, spread = "exp(1)" }
    local opened = work:open { seed = 3 }
    local hash = core.jobs_hash { workload = opened.core }
    check.equal(shape .. ": a second pass", core.jobs_hash { workload = opened.core }, hash)
    check.equal(shape .. ": stored in a table",
        hash_of(pinion.workload.jobs(work:jobs { seed = 3 }), {}), hash)
end

-- ---- load ---------------------------------------------------------------------------------------

-- The load of the busiest resource, as the description says.
local function load_of(spec, more)
    local arguments = { "workload", spec, "--format", "json" }
    for _, word in ipairs(more or {}) do arguments[#arguments + 1] = word end
    return tonumber(program.succeed("description of " .. spec, arguments):match '"load": ([%d.]+)')
end

for _, shape in ipairs { "layered", "fork-join", "chains", "series-parallel", "mixed" } do
    local load = load_of("dag:" .. shape .. ",jobs=50,load=.6")
    check.is_true("load of " .. shape, math.abs(load - 0.6) < 1e-3)
end
local by_sizes = load_of "dag,jobs=50,load=.3,load_by=sizes"
check.is_true("load by sizes", math.abs(by_sizes - 0.3) < 0.03)

-- ---- what it suggests ---------------------------------------------------------------------------

local around = dag { demand = "cpu:uniform(1,3);memory:exp(100)" }:default_settings()
check.equal("resources", table.concat(around.resources, " "), "cpu memory")
check.equal("nodes", around.nodes[1].count .. " " .. table.concat(around.nodes[1].capacity, " "),
    "10 24 800")

-- ---- runs ---------------------------------------------------------------------------------------

local comparison = pinion.compare { workload = dag { jobs = 20 }, policies = { "fifo", "srpt" },
    replicas = 3, quiet = true }
check.equal("jobs of a comparison", comparison.rows[1].finished, 60)
local directory = program.directory
program.succeed("a scenario", { "workload", "dag:mixed,jobs=20", "--jobs", "--format", "json",
    "--output", directory .. "/mixed.json" })

local function digest_of(name, arguments)
    return program.succeed(name, arguments):match '"digest": "(%x+)"'
end

local digest = digest_of("a run", { "simulate", "--workload", "dag:mixed,jobs=20", "--policy",
    "drf", "--format", "json", "--quiet" })
check.is_true("it has a digest", digest)
check.equal("the scenario runs the same", digest_of("a run of it", { "simulate",
    directory .. "/mixed.json", "--policy", "drf", "--format", "json", "--quiet" }), digest)

-- A run that was interrupted goes on with the jobs that it had not had.
local state = directory .. "/run.state"
program.succeed("a run that stops", { "simulate", "--workload", "dag:mixed,jobs=200", "--policy",
    "drf", "--checkpoint", state, "--every", "20000", "--until", "200000", "--quiet" })
check.equal("the rest of it", digest_of("a run that goes on", { "resume", state, "--until",
    "1000000000", "--format", "json", "--quiet" }), digest_of("all of it at once", { "simulate",
    "--workload", "dag:mixed,jobs=200", "--policy", "drf", "--format", "json", "--quiet" }))

-- ---- a file to start from -----------------------------------------------------------------------

local started = directory .. "/mine.lua"
local trial = program.succeed("a new workload", { "new-workload", "mine", "--model", "dag",
    "--output", started }):match "try: pinion (.-)\n"
local arguments = { "--quiet", "--format", "csv", "--replicas", "2" }
for word in trial:gsub(" %-%-replicas %d+", ""):gmatch "%S+" do
    table.insert(arguments, #arguments - 4, word)
end
check.contains("it runs", program.succeed(trial, arguments), "srpt")
check.is_true("it has a load", load_of(started) > 0.3)

-- ---- what is refused ----------------------------------------------------------------------------

local function bad(name, given, wanted)
    check.raises(name, wanted, function() return dag(given):jobs() end)
end

bad("an unknown shape", { shape = "layer" }, "shape: must be layered or fork-join or chains")
bad("an option of others", { shapes = 1 }, "shapes: unknown option (did you mean 'shape'?)")
bad("a demand without a resource", { demand = "exp(5)" },
    "demand: must be resources with distributions such as cpu:uniform(500,2000);memory:exp(2048)")
bad("a number", { demand = 5 }, "demand: must be resources with distributions")
bad("a resource twice", { demand = "cpu:1;cpu:2" }, "demand: names cpu twice")
bad("no distribution", { demand = "cpu:expo(2)" }, "demand: cpu: ")
bad("five resources", { demand = "a:1;b:1;c:1;d:1;e:1" },
    "demand: must be at most 4 resources, got 5")
bad("nothing demanded", { demand = "cpu:0.4" },
    "job 1: a stage demands nothing of any resource, as it was drawn")
bad("too many stages", { width = 100000 }, "job 1: it has more than 2^16 stages, drawn at random")
bad("a negative gap", { gap_ms = -1 }, "gap_ms: must be a number >= 0")
bad("more than a probability", { edges = 2 }, "edges: must be a number >= 0 and <= 1")

check.done()
