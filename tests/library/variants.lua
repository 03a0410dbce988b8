-- Variants: policies with values for some of their own parameters, on the command line, in scripts
-- and in scenario files; each is a policy of its own in results, stores and checkpoints.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local pinion = require "pinion"

-- Returns what a command prints that succeeds.
local function succeed(arguments)
    return program.succeed(table.concat(arguments, " "), arguments)
end

local mine = program.file("mine.lua", [[
return { name = "mine", model = "slotted",
  params = { quantum = { default = 1, min = 1, max = 1000, doc = "units that count as one" },
             late = { default = 0.0, min = 0, doc = "weight of a slot of waiting" } },
  key = { changes = "served", of = function(s, job)
    return s:remaining(job) // s.params.quantum + s.params.late * s:arrival(job) end } }
]])
local WORK = { "--workload", "zheng:0,slots=60", "--set", "machines=100" }

-- Arguments in the order of a command.
local function command(...)
    return table.move(WORK, 1, #WORK, select("#", ...) + 1, { ... })
end

local function rows_of(output)
    local rows, columns = {}, {}
    for line in output:gmatch "[^\n]+" do
        local cells = {}
        for cell in (line .. ","):gmatch "([^,]*)," do cells[#cells + 1] = cell end
        if not columns[1] then
            columns = cells
        else
            local row = {}
            for i, column in ipairs(columns) do row[column] = cells[i] end
            rows[#rows + 1], rows[row.policy] = row, rows[row.policy] or row -- groups behind it
        end
    end
    return rows
end

-- ---- the same runs as with --param --------------------------------------------------------------

local names = { "fifo", mine, mine .. ":quantum=50", mine .. ":quantum=400:late=0.5:as=slow" }
local rows = rows_of(succeed(command("compare", "--policies", table.concat(names, ","),
    "--replicas", "3", "--format", "csv")))
check.equal("rows", #rows, 4)
check.is_true("a label of its own", rows[mine .. ":quantum=50"] and rows.slow)

local function with_params(...)
    local arguments = command("compare", "--policies", mine, "--replicas", "3", "--format", "csv")
    for _, pair in ipairs { ... } do
        arguments[#arguments + 1], arguments[#arguments + 2] = "--param", pair
    end
    return rows_of(succeed(arguments))[1].digest
end
check.equal("defaults", rows[mine].digest, with_params())
check.equal("one value", rows[mine .. ":quantum=50"].digest, with_params "quantum=50")
check.equal("two values", rows.slow.digest, with_params("quantum=400", "late=0.5"))
check.is_true("they differ", rows.slow.digest ~= rows[mine].digest)

local _, alike = program.run(command("compare", "--policies", mine .. "," .. mine .. ":quantum=1,"
    .. "fifo", "--replicas", "2", "--format", "csv"))
check.equal("those that decide alike are named", alike, string.format(
    "pinion: %s and %s:quantum=1 made the same decisions\n", mine, mine))

-- What all share is for those that do not say otherwise.
local shared = rows_of(succeed(command("compare", "--policies",
    mine .. "," .. mine .. ":quantum=1", "--param", "quantum=50", "--replicas", "3", "--format",
    "csv", "--baseline", mine .. ":quantum=1")))
check.equal("of all", shared[1].digest, rows[mine .. ":quantum=50"].digest)
check.equal("of its own", shared[2].digest, rows[mine].digest)
check.equal("a variant is the baseline", shared[1].baseline, mine .. ":quantum=1")

-- ---- scripts ------------------------------------------------------------------------------------

local options = { machines = 100, workload = "zheng:0,slots=60", replicas = 3, quiet = true }
options.policies = { "fifo", mine, { mine, quantum = 50 },
    { mine, quantum = 400, late = 0.5, as = "slow" },
    { pinion.policy(check.read_file(mine)), quantum = 50, as = "a text's" } }
options.baseline = "slow"
local made = pinion.compare(options)
for i, name in ipairs(names) do
    check.equal("digest of " .. name .. " in a script", made.rows[i].digest, rows[i].digest)
end
check.equal("the label of a table", made.rows[3].policy, mine .. ":quantum=50")
check.equal("of a text", made.rows[5].digest, made.rows[3].digest)
check.equal("the baseline's label", made.baseline, "slow")
check.is_true("a paired difference", made.rows[3].difference)
local swept = pinion.sweep { machines = 100, workload = "zheng:0,slots=60", quiet = true,
    policies = options.policies, over = { machines = { 90, 100 } } }
check.equal("rows of a sweep", #swept.rows, 10)
local alone = pinion.run { machines = 100, workload = "zheng:0,slots=60", quiet = true,
    policy = { mine, quantum = 50 } }
check.equal("a run's policy", alone.policy, mine .. ":quantum=50")

-- ---- files: scenarios, stores, logs, checkpoints ------------------------------------------------

local scenario = program.file("s.json", string.format([[{ "model": "slotted", "machines": 3,
  "reduce": "nonpreemptive", "policy": "%s:quantum=7:as=seven",
  "jobs": [ { "arrival": 1, "maps": 9 }, { "arrival": 1, "maps": 2, "reduces": [8] } ] }]], mine))
check.contains("a scenario's policy", succeed { "simulate", scenario, "--format", "json" },
    '"policy": "seven"')

local store = program.file "variants"
local function stored(policies)
    return program.run(command("compare", "--policies", policies, "--replicas", "3", "--format",
        "csv", "--store", store))
end
local first = stored(table.concat(names, ","))
local again, messages = stored(table.concat(names, ","))
check.equal("a store's rows", again, first)
check.contains("a store's runs", messages, "12 of 12 runs were stored already")
_, messages = stored("fifo," .. mine .. ":late=0.5:quantum=400")
check.contains("runs do not depend on the label", messages, "6 of 6 runs were stored already")

local log = program.file "variant.log"
succeed(command("simulate", "--policy", names[3], "--log", log, "--format", "json", "--no-jobs"))
check.contains("a log verifies", succeed(command("verify", log)), ": ok: mine:")

local file = program.file "variant.check"
local part = succeed(command("simulate", "--policy", names[4], "--checkpoint", file, "--every",
    "20", "--until", "30", "--format", "json", "--no-jobs"))
check.contains("the first part", part, '"policy": "slow"')
succeed { "resume", file, "--format", "json" }
local begun = { machines = 100, workload = "zheng:0,slots=60", quiet = true, every = 20,
    checkpoint = program.file "script.check", policy = { mine, quantum = 50 } }
local whole = pinion.run(begun).digest
begun.resume = true
check.equal("resumed", pinion.run(begun).digest, whole)
begun.policy = { mine, quantum = 51 }
check.raises("a checkpoint of another variant", "params.quantum is 50 there and 51 here",
    pinion.run, begun)

-- ---- what is refused ----------------------------------------------------------------------------

local function refused(list, expected)
    program.fails("policies " .. list, command("compare", "--policies", list), 2,
        "pinion: policy '" .. expected)
end
refused(mine .. ":quantun=5", mine .. "' has no parameter 'quantun' (did you mean 'quantum'?)")
refused(mine .. ":quantum=0", mine .. "': quantum: must be an integer in 1..1000, got 0")
refused("a:b=5:b=6", "a:b=5:b=6': b is given twice")
refused("a:as=", "a:as=': as: must be what results call the policy, got ''")
refused("fifo:x=1", "fifo' has no parameter 'x' (it has none)")
refused("lrpt,fifo,fifo", "fifo' is named twice")
refused(mine .. ":quantum=5," .. mine .. ":quantum=5", mine .. ":quantum=5' is named twice")
refused("maxsrpt:a=1", "maxsrpt' is of the tandem model (expected a policy of slotted)")
local function hsrtf(policies, ...)
    return rows_of(succeed { "compare", "--workload", "hsrtf", "--replicas", "2", "--format", "csv",
        "--policies", policies, ... })
end
local beats = hsrtf "fifo,fifo:heartbeat_ms=500"
check.equal("a parameter of the model", beats["fifo:heartbeat_ms=500"].digest,
    hsrtf("fifo", "--param", "heartbeat_ms=500")[1].digest)
check.is_true("it matters", beats.fifo.digest ~= beats["fifo:heartbeat_ms=500"].digest)
program.fails("what makes the jobs", { "compare", "--workload", "hsrtf", "--policies",
    "fifo:seed=2" }, 2, "pinion: policy 'fifo': seed: makes the jobs, which are the same for all "
    .. "policies (expected it among the parameters of the run)")

local function refused_in_script(policy, expected)
    check.raises("a wrong variant in a script", expected, pinion.compare,
        { machines = 100, workload = "zheng:0", quiet = true, policies = { "fifo", policy } })
end
refused_in_script({ policy = mine, params = { quantum = 5 } },
    "parameter = value }, got a table with a field policy")
refused_in_script({ mine, 5 }, "got 2 beside the name")
refused_in_script({ mine, quantum = "x" }, "quantum: must be an integer in 1..1000, got 'x'")

check.done()
