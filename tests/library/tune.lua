-- Tuning: spaces and their texts, races on functions with a known optimum, and policies whose best
-- values an exhaustive grid tells; stores, parts, files and what is refused.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"
local program = require "program"
local race = require "pinion.run.race"
local space = require "pinion.run.space"

local SEED = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED")) or 20261130
print(string.format("seed %d (PINION_TEST_SEED=%d repeats it)", SEED, SEED))

-- ---- spaces -------------------------------------------------------------------------------------

local function parameter(name, given)
    local made, why = space.parameter(name, given)
    check.is_true("a parameter: " .. tostring(why), made)
    return made
end

local REFUSED = {
    { "5", "must be an interval such as 1..200, or two values or more" },
    { "9..3", "the upper end must be above the lower one" },
    { "0..9:log", "a logarithmic scale needs values above 0" },
    { { 1, 1 }, "has the value 1 twice" },
    { { "1..9:0", 5 }, "the step must be above 0" },
    { { {}, 2 }, "must be numbers, words or switches" },
    { { 1, 2, when = 3 }, "when: must be a function of the values" },
}
for _, case in ipairs(REFUSED) do
    local made, why = space.parameter("x", case[1])
    check.equal("refused: " .. case[2], made, nil)
    check.contains("why", why, case[2])
end
check.equal("a list of a range", table.concat(parameter("x", { 3, "10..30:10" }).values, " "),
    "3 10 20 30")

local PARAMETERS = {
    parameter("whole", "3..7"), parameter("wide", "1..1000:log"), parameter("real", "-1.5..2.5"),
    parameter("ratio", "0.01..10.0:log"), parameter("step", { 10, 1, 5 }),
    parameter("word", { "a", "b" }), parameter("switch", { true, false }),
    parameter("under", { "1..4", when = function(values) return values.switch end }),
}
local whole = space.new(PARAMETERS)

local function check_configuration(name, made)
    local function within(field, low, high, kind)
        check.is_true(name .. ": " .. field, math.type(made[field]) == kind
            and made[field] >= low and made[field] <= high)
    end
    within("whole", 3, 7, "integer")
    within("wide", 1, 1000, "integer")
    within("real", -1.5, 2.5, "float")
    within("ratio", 0.01, 10, "float")
    check.is_true(name .. ": step", made.step == 1 or made.step == 5 or made.step == 10)
    check.is_true(name .. ": word", made.word == "a" or made.word == "b")
    check.equal(name .. ": a condition", made.under ~= nil, made.switch)
end

local random, seen = pinion.random(SEED), {}
local near_distance, far_distance = 0, 0
for i = 1, 400 do
    local made = whole:draw(random)
    check_configuration("drawn", made)
    seen[made.whole], seen[made.word], seen[tostring(made.switch)] = true, true, true
    local near = whole:draw_near(made, 0.01, 1.0, random)
    check_configuration("near", near)
    check.equal("words stay", near.word, made.word)
    near_distance = near_distance + math.abs(near.real - made.real)
    far_distance = far_distance + math.abs(whole:draw(random).real - made.real)
end
check.is_true("near ones are near", near_distance < 0.1 * far_distance)
for _, value in ipairs { 3, 4, 5, 6, 7, "a", "b", "true", "false" } do
    check.is_true("drawn: " .. value, seen[value])
end
local small = space.new { parameter("a", { 1, 2, 3 }), parameter("b", { true, false }),
    parameter("c", { "1..2", when = function(values) return values.b end }) }
check.equal("all configurations", #small:all(100), 9)
check.equal("too many", small:all(9), nil)
check.equal("real ones are not counted", whole:all(1 << 40), nil)

-- ---- races --------------------------------------------------------------------------------------

-- Runs races on a function with noise that all configurations share, and noise of their own.
local function run_race(parameters, first, runs, cost, seed)
    local of = space.new(parameters)
    local asked = {}
    local made = race.run { space = of, first = first, runs = runs, seeds = math.huge, limits = 1,
        random = pinion.random(seed, 0, 1),
        evaluate = function(list, from, count)
            local found = {}
            for c, values in ipairs(list) do
                local one = { costs = {}, excess = { {} } }
                for i = 1, count do
                    local key = of:key(values) .. " " .. from + i
                    check.equal("no run is made twice: " .. key, asked[key], nil)
                    asked[key] = true
                    local shared = pinion.random(seed, from + i, 2):normal(0, 5)
                    local own = pinion.random(core.input_check(0, key) & 0xFFFFFFFF, 0, 3)
                    one.costs[i] = cost(values) + shared + own:normal(0, 0.3)
                    one.excess[1][i] = (values.limited or -1) + own:normal(0, 0.1)
                end
                found[c] = one
            end
            return found
        end }
    check.is_true("the budget is kept", made.used <= runs)
    local count = 0
    for _ in next, asked do count = count + 1 end
    check.equal("runs are counted", count, made.used)
    return made.best[1].values, made
end

for i = 0, 4 do
    local seed = SEED + i
    local best = run_race({ parameter("x", "1..200") }, { { x = 150 } }, 400,
        function(c) return (c.x - 37) ^ 2 / 50 end, seed)
    check.is_true(string.format("one integer: %d, seed %d", best.x, seed),
        math.abs(best.x - 37) <= 6)
    best = run_race({ parameter("x", "1..1000:log"), parameter("y", "-5.0..5.0"),
        parameter("mode", { "a", "b", "c" }) }, {}, 2000, function(c)
            return 3 * math.abs(math.log(c.x / 50)) + (c.y - 1.5) ^ 2 + (c.mode == "b" and 0 or 2)
        end, seed)
    check.equal("a word, seed " .. seed, best.mode, "b")
    check.is_true(string.format("a scale: %d, seed %d", best.x, seed), best.x > 35 and best.x < 72)
    check.is_true(string.format("a real number: %g, seed %d", best.y, seed),
        math.abs(best.y - 1.5) < 0.8)
    best = run_race({ parameter("x", { 1, 2, 5, 10 }), parameter("sw", { true, false }) }, {}, 300,
        function(c) return math.abs(c.x - 5) + (c.sw and 0 or 0.5) end, seed)
    check.equal("a small space, seed " .. seed, tostring(best.x) .. tostring(best.sw), "5true")
    -- Without the limit x = 1 would be the best; it must be at least 60.
    best = run_race({ parameter("limited", { 5, 3, 1, -1, -3 }) }, {}, 300,
        function(c) return -c.limited end, seed)
    check.equal("a limit, seed " .. seed, best.limited, -1)
end

-- ---- policies: within the interval of an exhaustive grid, at a fifth of its runs ----------------

-- Tunes one parameter over a list of values, and runs the grid of these values, each on so many
-- replicas of the comparison's own seeds.
local function against_grid(name, policy, over, replicas, options)
    local values = space.parameter("x", over).values
    local runs = #values * replicas // 5
    local task = { policy = policy, over = { [name] = over }, runs = runs, replicas = 4,
        quiet = true }
    local base = type(policy) == "table" and policy[1] or policy
    local grid = { policies = { base }, over = { ["params." .. name] = values },
        replicas = replicas, quiet = true }
    for key, value in next, options do task[key], grid[key] = value, value end
    local tuned = pinion.tune(task)
    check.is_true(name .. ": runs", tuned.used <= runs)
    local swept = pinion.sweep(grid)
    local goal, best, row = tuned.goal, nil, nil
    for _, one in ipairs(swept.rows) do
        if not best or one[goal] < best[goal] then best = one end
        if one["params." .. name] == tuned.best[name] then row = one end
    end
    grid.baseline, grid.over = nil, nil
    grid.policies = { { base, [name] = best["params." .. name], as = "best" },
        { base, [name] = tuned.best[name], as = "tuned" } }
    local behind = pinion.compare(grid).rows.tuned
    check.is_true(string.format("%s: tuned %s, best %s: %g ±%g", name,
        tuned.best[name], best["params." .. name], behind.difference, behind.difference_half),
        behind.difference - behind.difference_half <= 0)
    check.is_true(name .. " is in the grid, or the default", row or tuned.is_default)
    return tuned
end

local LIN = { workload = "lin,jobs=1000", bounds = "none" }
against_grid("k", { "klps", k = 1 }, "1..40:2", 30, LIN)
local klps = pinion.tune { workload = "lin,jobs=400", policy = "klps", over = { k = "1..64:log" },
    runs = 120, replicas = 3, quiet = true }
local patience = program.file("patient.lua", [[
return { name = "patient", model = "slotted",
  params = { patience = { default = 0.0, min = 0, doc = "weight of one slot of waiting" } },
  key = { changes = "served", of = function(s, job)
    return s:remaining(job) + s.params.patience * s:arrival(job) end } }
]])
local OFFICE = { machines = 100,
    workload = "zheng,maps=lognormal(20,30),reduces=lognormal(30,60),rate=1.7,slots=150" }
against_grid("patience", patience, "0.0..40.0:4.0", 30, OFFICE)
against_grid("starvation", "fair_starvation", "0.0..10.0:1.0", 30,
    { machines = 100, workload = "zheng,slots=120" })
against_grid("locality_delay_ms", "fair", "0..20000:1000", 30, { workload = "hsrtf" })

-- ---- results ------------------------------------------------------------------------------------

check.equal("the goal", klps.goal, "mean_response_time")
check.equal("axes", klps.over[1].name .. " " .. klps.over[1].low .. " " .. klps.over[1].high,
    "k 1 64")
check.is_true("the defaults are among what was tried", klps.configurations[1].default
    or klps.configurations[#klps.configurations].values.k ~= nil)
check.equal("a comparison on fresh seeds", klps.comparisons[1].completed, 3)
check.equal("its baseline", klps.comparisons[1].baseline, "default")
local fresh = pinion.compare { workload = "lin,jobs=400", policies = { "klps", klps.best_policy },
    replicas = 3, quiet = true }
check.equal("which anybody can run", klps.comparisons[1].rows[1].digest, fresh.rows[1].digest)
if not klps.is_default then
    check.equal("as the winner", klps.comparisons[1].rows.tuned.digest, fresh.rows[2].digest)
end
local again = pinion.tune { workload = "lin,jobs=400", policy = "klps", over = { k = "1..64:log" },
    runs = 120, replicas = 3, quiet = true, processes = 1 }
check.equal("the same with any number of processes", tostring(again), tostring(klps))

local other = pinion.tune { machines = 30, workload = "zheng,slots=60,rate=.4",
    also = { "zheng:3,slots=40,rate=.4" }, weights = { 1, 3 }, policy = { patience, patience = 5 },
    over = { patience = { 0.0, 5.0, 50.0 } }, goal = "p90_flow_time", runs = 120, replicas = 2,
    reference = "fifo", subject_to = { "mean_flow_time<=1000", "finished>=1" }, quiet = true }
check.equal("two workloads", #other.comparisons, 2)
check.equal("policies beside it", other.comparisons[2].rows[#other.comparisons[2].rows].policy,
    "fifo")
check.equal("p90 of the flow time", other.goal, "flow_time_p90")
check.equal("the defaults are those of the variant", #other.configurations, 3)
check.equal("measures of the judgement", other.measures[1][#other.measures[1]].measure, "finished")
local most = pinion.tune { machines = 30, workload = "zheng,slots=60,rate=.4", policy = patience,
    over = { patience = { 0.0, 500.0 } }, maximize = true, runs = 40, replicas = 2, quiet = true }
check.equal("a goal that is to be large", most.best.patience, 500.0)
local fixed = pinion.tune { machines = 2, policy = patience, over = { patience = { 0.0, 9.0 } },
    workload = { { arrival = 1, maps = 9 }, { arrival = 2, maps = 2 }, { arrival = 3, maps = 1 } },
    quiet = true }
check.equal("fixed jobs need no second run", fixed.used, 2)
check.equal("nor a second replica", fixed.comparisons[1].completed, 1)

-- ---- files, stores, the command line ------------------------------------------------------------

local base = { "tune", "--workload", "zheng:0,slots=60", "--set", "machines=60", "--policy",
    patience, "--over", "patience=0.0..30.0", "--runs", "60", "--replicas", "3", "--quiet" }
local function tune(...)
    return program.succeed("tune " .. table.concat({ ... }, " "), program.joined(base, { ... }))
end
local csv = tune("--format", "csv")
check.matches("csv", csv, "^patience,mean_flow_time,mean_flow_time_half,difference,"
    .. "difference_half,seeds,race,dropped,feasible,default\n[%d.]+,[%d.]+,[%d.]+,"
    .. "0.0,0.0,%d+,%d+,,true,")
local json = core.json_decode(tune("--format", "json"), "tune")
check.equal("JSON", json.comparisons[1].rows[1].policy, "default")
check.equal("as many as in csv", #json.configurations, select(2, csv:gsub("\n", "")) - 1)
check.contains("a table", tune("--format", "table"), "\non fresh seeds  policy ")
local store = program.file "store"
check.equal("with a store", tune("--format", "csv", "--store", store), csv)
check.equal("out of a store", tune("--format", "csv", "--store", store, "--only-stored"), csv)
local parts, steps = program.file "parts", 0
repeat
    local codes = 0
    for part = 1, 2 do
        local _, _, code = program.run(program.joined(base, { "--format", "csv", "--store", parts,
            "--shard", part .. "/2" }))
        codes = codes + code
    end
    steps = steps + 1
until codes == 0 or steps == 100
check.is_true("parts come to an end", steps < 100)
check.equal("in parts", tune("--format", "csv", "--store", parts, "--only-stored"), csv)

local function refused(message, ...)
    program.fails(message, program.joined({ "tune", "--workload", "zheng:0", "--set",
        "machines=60" }, { ... }), 2, "pinion: " .. message)
end
refused("no policy given (--policy NAME; `pinion policies` lists them)", "--over", "x=1..2")
refused("--over is missing (such as --over quantum=1..200)", "--policy", patience)
refused("over.patienc: policy '" .. patience .. "' has no such parameter (did you mean "
    .. "'patience'?)", "--policy", patience, "--over", "patienc=1..2")
refused("over.x: policy 'fifo' has no such parameter (it has none)", "--policy", "fifo", "--over",
    "x=1..2")
refused("over.patience: must be a number >= 0, got -1.0", "--policy", patience, "--over",
    "patience=-1.0..2.0")
refused("goal: unknown measure 'mean_flow' (did you mean 'mean_flow_time'?)", "--policy", patience,
    "--over", "patience=1..2", "--goal", "mean_flow")
refused("subject_to: must be MEASURE<=NUMBER or MEASURE>=NUMBER, got 'p99=5'", "--policy",
    patience, "--over", "patience=1..2", "--subject-to", "p99=5")
refused("--weights: must be 1 number, one for each workload, got '1,2'", "--policy", patience,
    "--over", "patience=1..2", "--weights", "1,2")
check.raises("a condition that is none", "over.patience: when: must be a function of the values",
    pinion.tune, { machines = 9, workload = "zheng:0", policy = patience,
        over = { patience = { 1.0, 2.0, when = 5 } } })

check.done()
