-- Comparisons and sweeps of the makespan model: replicas, paired differences, orders, ratios, and
-- what is written and drawn of them.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local pinion = require "pinion"
local statistics = require "pinion.base.statistics"

local with = check.with

local function close(name, got, want)
    check.is_true(string.format("%s: got %s, want %s", name, tostring(got), tostring(want)),
        type(got) == "number" and math.abs(got - want) <= 1e-12 * math.abs(want))
end

local POLICIES = { "fifo", "uaas", "neh" }
local BASE = { workload = "rand_few,jobs=6", map_slots = 12, reduce_slots = 12, level = "task",
    policies = POLICIES, replicas = 5, quiet = true,
               processes = 2 }
local made = pinion.compare(BASE)

-- ---- rows against single runs -------------------------------------------------------------------

check.equal("the model is that of the workload", made.model, "makespan")
check.equal("baseline", made.baseline, "fifo")
check.equal("jobs of a replica", made.submitted, 6)
check.equal("nothing grows", made.growing, false)
local makespans = {}
for i, policy in ipairs(POLICIES) do
    local row, runs = made.rows[i], {}
    for replica = 0, 4 do
        runs[replica + 1] = pinion.run { policy = policy, workload = BASE.workload, map_slots = 12,
            reduce_slots = 12, level = "task",
            replica = replica, quiet = true }
    end
    for _, measure in ipairs { "makespan", "gap", "total_completion_time", "map_utilisation",
            "reduce_utilisation", "evaluations" } do
        local values = {}
        for k, run in ipairs(runs) do values[k] = run[measure] end
        local mean, half, sd = statistics.interval(values)
        close(policy .. ": " .. measure, row[measure], mean)
        close(policy .. ": interval of " .. measure, row[measure .. "_half"], half)
        close(policy .. ": deviation of " .. measure, row[measure .. "_sd"], sd)
        if measure == "makespan" then makespans[i] = values end
    end
    check.equal(policy .. ": no single order", row.order, nil)
    check.equal(policy .. ": jobs of all replicas", row.finished, 30)
end
local differences, wins = {}, 0
for k = 1, 5 do
    differences[k] = makespans[2][k] - makespans[1][k]
    wins = wins + (differences[k] < 0 and 1 or 0)
end
local difference, half = statistics.interval(differences)
close("difference to the baseline", made.rows[2].difference, difference)
close("its interval", made.rows[2].difference_half, half)
check.equal("wins", made.rows[2].wins, wins)
check.equal("the baseline has none", made.rows[1].difference, nil)

local function written(comparison)
    local path = program.file "written.json"
    comparison:json(path)
    return check.read_file(path)
end
check.equal("any number of processes", written(pinion.compare(with(BASE, { processes = 1 }))),
    written(made))

-- ---- one replica --------------------------------------------------------------------------------

local once = with(BASE,
    { replicas = 1, bounds = "tight", policies = { "uaas", "balanced_pools", "exact" } })
local alone = pinion.compare(once)
local proven = alone.rows[3].result.lower_bound_tight
check.equal("what exact proves is every policy's bound", alone.rows[1].result.lower_bound_tight,
    proven)
check.equal("and that of all", alone.lower_bound_tight, proven)
check.equal("the fast bound of all", alone.lower_bound, alone.rows[2].result.lower_bound)
check.equal("orders", #alone.rows[1].order, 6)
check.equal("one policy a process", written(pinion.compare(with(once, { processes = 3 }))),
    written(alone))
local mixed =
    pinion.compare(
    with(once, { level = "stage", policies = { "uaas", "johnson" }, bounds = "fast" }))
check.equal("without a bound of all", mixed.lower_bound, nil)
check.is_true("every row has its own", mixed.rows[1].result.lower_bound ~= nil
    and mixed.rows[2].result.lower_bound == nil)

local THIRD = { workload = { { maps = { 1 }, reduces = { 2 } }, { maps = { 3 } } }, map_slots = 3,
    reduce_slots = 3, quiet = true }
local thirds = pinion.compare(with(THIRD, { policies = { "uaas" } }))
check.equal("exact in a row", thirds.rows[1].makespan_exact, "4/3")
check.contains("exact in JSON", written(thirds), '"makespan_exact": "4/3"')

-- What is proven of every row, and what ends too early to be compared.
check.equal("runs that are optimal", alone.rows[3].optimal, alone.rows[3].result.optimal and 1 or 0)
check.equal("what the search lacks is said of every row", next(alone.rows[1].proofs),
    next(alone.rows[3].proofs))
check.equal("… as of the run", next(alone.rows[3].proofs), alone.rows[3].result.proof)
check.equal("a complete row", alone.rows[1].complete, true)
check.equal("stages are alike at level task", alone.rows[1].stage_time, nil)
check.equal("slots of a row", alone.rows[1].map_slots, 12)
check.equal("… and its bound", alone.rows[1].lower_bound, alone.lower_bound)
local stopped = pinion.compare(with(once, { until_time = 1, processes = 2 }))
check.equal("a row of a run that was ended", stopped.rows[2].complete, false)
check.equal("… is not compared", stopped.rows[2].difference, nil)
check.matches("… and marked", tostring(stopped), " so far +%- +%- +0 ")
local lacking =
    pinion.compare(with(BASE, { level = "stage", bounds = "tight", policies = { "uaas" } }))
check.equal("what keeps replicas from a proof", lacking.rows[1].proofs.level, 5)
check.equal("… so nothing is known to be optimal", lacking.rows[1].optimal, nil)

-- ---- the best ratio of slots --------------------------------------------------------------------

local ratios =
    pinion.compare(with(THIRD, { policies = { "uaas", "fifo" }, params = { search_ratio = true } }))
check.equal("ratios of a row", #ratios.rows[1].ratios, 5)
check.equal("the best", ratios.rows[1].chosen.map_slots, 4)
check.contains("… as a column", tostring(ratios), "  slots\n")
check.contains("… which has it", tostring(ratios), "  4x2\n")

-- ---- sweeps -------------------------------------------------------------------------------------

local sweep = pinion.sweep { over = { slots = { "6x6", "12x12", "6x24" } },
    workload = "rand_few,jobs=6", policies = { "uaas", "mk_jr" }, quiet = true }
check.equal("rows of a sweep", #sweep.rows, 6)
check.equal("value of a cell", sweep.rows[5].slots, "6x24")
check.equal("a cell is a comparison", sweep.rows[4].makespan,
    pinion.compare { workload = "rand_few,jobs=6", map_slots = 12, reduce_slots = 12,
    policies = { "uaas", "mk_jr" }, quiet = true }.rows[2].makespan)
-- Theorem 3: more slots of both kinds in one proportion do not change UAAS's order.
check.equal("the order of a larger cluster", table.concat(sweep.rows[3].order, " "),
    table.concat(sweep.rows[1].order, " "))
local text = tostring(sweep)
check.contains("the order as a column", text, table.concat(sweep.rows[1].order, " "))
check.matches("what is said of orders", text, "\nthe [^\n]*order[^\n]* cell: ")
check.matches("a title without what varies", text, "^level stage, rand_few,jobs=6\n")
local csv = program.file "sweep.csv"
sweep:csv(csv)
check.matches("csv", check.read_file(csv),
    "^slots,policy,replicas,finished,makespan,.*,complete,optimal,map_slots,reduce_slots,level,"
    .. "stage_time,makespan_exact,.*,lower_bound,lower_bound_tight,order,digest\n"
    .. "6x6,uaas,1,6,.*,true,,6,6,stage,fluid,")
local grid = pinion.sweep { over = { { "map_slots", { 6, 12 } },
    { "params.share", { "conserving", "exclusive" } }, { "level", { "task" } } },
    reduce_slots = 6, workload = "rand_few,jobs=4", policies = { "fifo" }, replicas = 2,
    quiet = true }
check.equal("cells of a grid", #grid.rows, 4)
check.is_true("slots matter", grid.rows[3].makespan < grid.rows[1].makespan)
check.is_true("rules matter", grid.rows[2].makespan > grid.rows[1].makespan)
check.raises("what cannot vary",
    "over.machines: cannot be varied (known: level, map_slots, reduce_slots, seed, slots, "
    .. "until_time, workload, params.NAME, workload.NAME)", pinion.sweep,
    { over = { machines = { 1 } }, workload = "rand_few", map_slots = 1, reduce_slots = 1 })

-- ---- words and figures --------------------------------------------------------------------------

local shown = tostring(made)
check.matches("title", shown, "^12 map and 12 reduce slots, level task, rand_few,jobs=6\n")
check.matches("columns", shown,
    "\npolicy +makespan +vs fifo +/ fifo +wins +sd +gap %% +total completion +map use +reduce use")
for line in shown:gmatch "[^\n]+" do
    check.is_true("fits a screen: " .. line, utf8.len(line) <= 120)
end
check.matches("tight gaps", tostring(alone), "gap %% +tight gap %%")

local function figure(object, options)
    local path = program.file "figure.svg"
    object:plot(path, options)
    return check.read_file(program.file "figure.gp"), check.read_file(program.file "figure.dat")
end
local result = pinion.run(with(THIRD, { policy = "uaas", params = { search_ratio = true } }))
for _, case in ipairs {
    { made, {}, "set xlabel 'makespan'" },
    { made, { of = "gap" }, "set xlabel 'makespan above the lower bound'" },
    { made, { kind = "cdf" }, "set xlabel 'completion time'" },
    { made, { kind = "convergence" }, "set ylabel 'makespan, mean so far'" },
    { made, { kind = "convergence", of = "gap" },
        "set ylabel 'makespan above the lower bound, mean so far'" },
    { ratios, { kind = "ratio" }, "set xlabel 'map slots (the others are reduce slots)'" },
    { result, { kind = "ratio" }, "set ylabel 'makespan'" },
    { result, { kind = "cdf" }, "set xlabel 'completion time'" },
    { sweep, {}, "set xlabel 'map x reduce slots'" },
    { grid, { x = "map_slots", of = "gap" }, "set ylabel 'makespan above the lower bound'" },
} do
    local script, data = figure(case[1], case[2])
    check.contains("script of " .. case[3], script, case[3])
    check.is_true("data of " .. case[3], #data > 20)
end
local _, data = figure(result, { kind = "ratio" })
for _, ratio in ipairs(result.ratios) do
    check.contains("a point of the figure", data,
        string.format("%d.0\t%s", ratio.map_slots,
        require("pinion.base.check").float_text(ratio.makespan + 0.0)))
end
check.raises("nothing to draw", "plot: ratio needs one replica, got 5",
    function() made:plot(program.file "figure.svg", { kind = "ratio" }) end)
check.raises("a kind of another model", "plot: kind must be bars or cdf or convergence or ratio",
        function()
    made:plot(program.file "figure.svg", { kind = "slowdown" })
end)

check.done()
