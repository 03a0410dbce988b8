-- `pinion.experiment`: tasks in worker processes, samples and verdicts, logs, tables, figures; and
-- `Workload:jobs`.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"
local program = require "program"

local experiment = pinion.experiment

-- ---- many runs ----------------------------------------------------------------------------------

local function total_of(task)
    local result = pinion.run {
        machines = 20, policy = "fifo", workload = "zheng:0,slots=40", replica = task - 1,
        quiet = true,
    }
    return { total = result.total_flow_time, digest = result.digest, list = { task, task * 0.5 } }
end

local alone = experiment.each(5, total_of, { processes = 1, quiet = true })
check.equal("a value for each task", #alone, 5)
for _, processes in ipairs { 2, 3, 8 } do
    local shared = experiment.each(5, total_of,
        { processes = processes, quiet = true, label = "totals", unit = "seed" })
    check.equal("the same in processes", experiment.json(shared), experiment.json(alone))
end
check.equal("no task", #experiment.each(0, total_of), 0)
check.equal("words and numbers", experiment.json(experiment.each(3, function(task)
    return task == 2 and "two" or task
end, { quiet = true })), '[1, "two", 3]')

for _, processes in ipairs { 1, 2 } do
    local function failing(task)
        if task >= 3 then error("task " .. task .. " has no answer", 0) end
        return task
    end
    local ok, problem = pcall(experiment.each, 4, failing, { processes = processes, quiet = true })
    check.equal("an error in a task", tostring(ok) .. " " .. tostring(problem),
        "false task 3 has no answer")
    ok, problem = pcall(experiment.each, 2,
        function() return nil end, { processes = processes, quiet = true })
    check.equal("a task without a value", tostring(ok) .. " " .. tostring(problem),
        "false each: run: returned nothing for task 1")
    ok, problem = pcall(experiment.each, 2, function(task)
        return pinion.run { machines = task, policy = "nobody", workload = "zheng:0" }.digest
    end, { processes = processes, quiet = true })
    check.matches("an error of the library", tostring(problem),
        "^[^\n]*experiment%.lua:%d+: unknown policy 'nobody'[^\n]*$")
    check.equal("… fails", ok, false)
end
for message, arguments in next, {
    ["each: count: must be an integer >= 0, got 'x'"] = { "x", print },
    ["each: run: must be a function, got nothing"] = { 1 },
    ["each: expected a table of options, got 3"] = { 1, print, 3 },
    ["each: proceses: unknown option (did you mean 'processes'?)"] = { 1, print, { proceses = 2 } },
    ["each: processes: must be an integer in 1..256, got 0"] = { 1, print, { processes = 0 } },
    ["each: quiet: must be true or false, got 1"] = { 1, print, { quiet = 1 } },
} do
    check.raises("refused: " .. message, message, experiment.each, table.unpack(arguments))
end

local before = experiment.clock()
check.is_true("the clock advances", math.type(before) == "float" and experiment.clock() >= before)

-- ---- samples, verdicts --------------------------------------------------------------------------

local sample = experiment.summary { 1, 2, 3, 4 }
check.equal("count, mean, least, most",
    string.format("%d %g %g %g", sample.count, sample.mean, sample.min, sample.max), "4 2.5 1 4")
check.is_true("deviation", math.abs(sample.sd - math.sqrt(5 / 3)) < 1e-15)
check.is_true("95 % by Student's t, 3.182 for 3 degrees of freedom",
    math.abs(sample.half - 3.182 * sample.sd / 2) < 0.02)
check.is_true("one more value",
    math.abs(experiment.range(4, sample.sd) - sample.half * math.sqrt(5)) < 1e-12)
local one = experiment.summary { 7 }
check.equal("a single value", string.format("%g %g %g", one.mean, one.sd, one.half), "7 0 0")
local many = {}
for i = 1, 100000 do many[i] = i end
check.equal("many values", experiment.summary(many).max, 100000)
check.raises("no value", "summary: expected an array of at least one number", experiment.summary,
    {})
check.raises("a range of one value", "range: count: must be an integer >= 2, got 1",
    experiment.range, 1, 0.5)

check.equal("median", experiment.quantile({ [1] = 2, [5] = 1, [9] = 1 }, 0.5), 1)
check.equal("above it", experiment.quantile({ [1] = 2, [5] = 1, [9] = 1 }, 0.51), 5)
check.equal("the largest", experiment.quantile({ [1] = 2, [5] = 1, [9] = 1 }, 1), 9)
check.equal("of nothing", experiment.quantile({}, 0.5), nil)
check.raises("no fraction", "quantile: q: must be a number >= 0 and <= 1, got 2",
    experiment.quantile, {}, 2)
check.equal("distribution", experiment.json(experiment.distribution { [1] = 2, [5] = 1, [9] = 1 }),
    "[[1, 0.5], [5, 0.75], [9, 1.0]]")

check.is_true("three standard errors", math.abs(experiment.tolerance(2, 200, 200) - 0.6) < 1e-12)
check.is_true("wider when it is estimated", experiment.tolerance(2, 8, 200, true) > 1.4
    * experiment.tolerance(2, 8, 200))
check.equal("agrees", experiment.agrees(1.25, 1, 0.25), true)
check.equal("printed decimals", experiment.agrees(0.1 + 0.2, 0.3, 0), true)
check.equal("differs", experiment.agrees(1.26, 1, 0.25), false)
check.equal("above", experiment.above({ mean = 3, half = 0.5 }, 2), true)
check.equal("not above", experiment.above({ mean = 1.5, half = 0.5 }, 2), false)
check.equal("cannot be told", experiment.above({ mean = 2, half = 0.5 }, 2), nil)
check.equal("of a single value nothing can be told",
    experiment.above(experiment.summary { 3 }, 2), nil)
for _, case in ipairs {
    { "within", 0.5, 0.5, nil, true }, { "within, below 0", -0.6, 0.4, nil, true },
    { "outside above", 2, 0.9, nil, false }, { "outside below", -2, 0.9, nil, false },
    { "across an edge", 0.9, 0.2, nil, nil }, { "across both edges", 0, 1.1, nil, nil },
    { "around a centre", 5.5, 0.5, 5, true }, { "far from a centre", 0, 0.5, 5, false },
} do
    local name, mean, half, centre, expected = table.unpack(case, 1, 5)
    check.equal(name, experiment.within({ mean = mean, half = half, count = 2 }, 1, centre),
        expected)
end
check.equal("a single value is equal to nothing", experiment.within(experiment.summary { 0 }, 1),
    nil)
for _, votes in ipairs {
    { 2, 2, nil, "holds" }, { 1, 2, nil, "holds in part" }, { 0, 2, nil, "fails" },
    { 0, 3, 1, "fails" },
    { 0, 3, 2, "undecided" }, { 1, 3, 1, "holds in part" }, { 2, 3, 1, "holds in part" },
    { 1, 2, 1, "undecided" }, { 0, 2, 2, "undecided" }, { 0, 0, 0, "undecided" },
} do
    local held, all, undecided, verdict = table.unpack(votes, 1, 4)
    check.equal(string.format("verdict on %d of %d, %s undecided", held, all, undecided),
        experiment.verdict(held, all, undecided), verdict)
end

-- ---- logs ---------------------------------------------------------------------------------------

local log = check.temporary_file ""
local result = pinion.run {
    model = "tandem", policy = "maxsrpt",
    workload = { { arrival = 0, map = 1, shuffle = 2 }, { arrival = 1, map = 3 } },
    log = log, quiet = true,
}
local entries, finishes = experiment.decisions(log), 0
check.equal("the log's header", entries[1].policy, "maxsrpt")
for _, entry in ipairs(entries) do finishes = finishes + (entry.finish and 1 or 0) end
check.equal("finishes in the log", finishes, result.finished)
local broken = check.temporary_file '{"time":1}\n{"time":\n'
check.raises("a broken log", broken .. ":2:1: the text ends too early", experiment.decisions,
    broken)
check.raises("no log", "/no/such/log: No such file or directory", experiment.decisions,
    "/no/such/log")

-- ---- tables -------------------------------------------------------------------------------------

local made = experiment.table({
    { key = "policy", title = "policy" },
    { key = "mean", title = "mean", right = true,
        show = function(value) return string.format("%.1f", value) end },
    { key = "note", title = "note", words = true, show = function(_, row) return row.policy .. "!"
        end },
    { key = "seeds" },
}, { { policy = "fifo", mean = 12.25, seeds = 3 }, { policy = 'a,"b"', mean = 0.1, seeds = nil } })
check.equal("text", made:text(), 'policy  mean  note\nfifo    12.2  fifo!\na,"b"    0.1  a,"b"!\n')
check.equal("tostring", tostring(made), made:text())
check.equal("json", made:json(),
    '[{"policy": "fifo", "mean": 12.25, "seeds": 3}, {"policy": "a,\\"b\\"", "mean": 0.1, '
        .. '"seeds": null}]')
local path = program.directory .. "/table.csv"
made:csv(path)
check.equal("csv", check.read_file(path), 'policy,mean,seeds\nfifo,12.25,3\n"a,""b""",0.1,\n')
check.equal("nothing to show", experiment.table({ { key = "x" } }, { { x = 1 } }):text(), "")
check.equal("what is missing",
    experiment.table({ { key = "x", title = "x" } }, { {}, { x = true } }):text(), "x\n-\ntrue\n")
check.raises("no key", "table: columns[1]: key: is required", experiment.table, { {} }, {})
check.raises("a wrong field", "table: columns[1]: titel: unknown field (did you mean 'title'?)",
    experiment.table,
    { { key = "x", titel = "y" } }, {})
check.raises("no rows", "table: rows: must be an array, got nothing", experiment.table, {})
check.raises("no file", "csv: file name must be a string, got nothing", made.csv, made)
check.raises("no folder", "/no/such/folder/table.csv: No such file or directory", made.csv, made,
    "/no/such/folder/table.csv")

check.equal("JSON", experiment.json { b = { 1, 2.5, "x" }, a = { n = 0 / 0, t = true }, c = {} },
    '{"a": {"n": null, "t": true}, "b": [1, 2.5, "x"], "c": []}')
check.equal("nothing", experiment.json(nil), "null")

-- ---- figures ------------------------------------------------------------------------------------

local figure = program.directory .. "/figure.svg"
local drawn = experiment.figure {
    path = figure, data = "1\t2\n2\t3\n", script = "plot data using 1:2 with lines\n",
    title = "it's a figure", width = 500,
}
check.equal("data beside the figure", check.read_file(program.directory .. "/figure.dat"),
    "1\t2\n2\t3\n")
check.contains("script", check.read_file(program.directory .. "/figure.gp"),
    "set title 'it''s a figure'\nplot data")
if drawn then check.contains("figure", check.read_file(figure), "</svg>") end
check.raises("no format", "plot: file name must end in .svg, .png or .pdf", experiment.figure,
    { path = "x.gif", data = "", script = "" })
check.raises("no script", "figure: script: is required", experiment.figure,
    { path = figure, data = "" })
check.raises("a wide figure", "figure: width: must be an integer in 100..10000, got 5",
    experiment.figure,
    { path = figure, data = "", script = "", width = 5 })

-- ---- jobs of a workload -------------------------------------------------------------------------

local suggested = pinion.workload.rtmr():default_settings().params
for _, case in ipairs {
    { pinion.workload.zheng { slots = 30 }, { machines = 20, policy = "fair" } },
    { pinion.workload.corollary4 { n = 20 }, { model = "tandem", policy = "ps" } },
    { pinion.workload.rand_few { jobs = 5 },
        { model = "makespan", policy = "uaas", map_slots = 4, reduce_slots = 3 } },
    { pinion.workload.rtmr { jobs = 20 },
        { model = "cluster", policy = "fifo", nodes = "30x2x1", params = suggested } },
} do
    local work, options = case[1], case[2]
    local jobs = work:jobs { model = options.model, seed = 5, replica = 2 }
    options.quiet, options.workload, options.seed, options.replica = true, work, 5, 2
    local drawn_here = pinion.run(options).digest
    options.workload = jobs
    check.equal("the same jobs: " .. work.text, pinion.run(options).digest, drawn_here)
end
local named = pinion.workload.jobs({ { arrival = 1, maps = 2, name = "a", group = "g" },
    { arrival = 3, maps = 1 } }):jobs()
check.equal("names and groups", named[1].name .. named[1].group .. tostring(named[2].name), "agnil")
check.equal("of a proof's instance",
    pinion.workload.nmts { f = { 1 }, g = { 20 }, h = { 21 } }:jobs()[4].name, "E1")
check.raises("options", "jobs: sead: unknown option (did you mean 'seed'?)",
    named[1] and pinion.workload.zheng {}.jobs,
    pinion.workload.zheng {}, { sead = 1 })
check.raises("another model", "its jobs are of the", pinion.workload.lin {}.jobs,
    pinion.workload.lin {}, { model = "cluster" })

-- ---- in a script --------------------------------------------------------------------------------

local script = check.temporary_file [[
local experiment = require "pinion".experiment
print(experiment.json(experiment.each(3, function(task) return { task } end, { quiet = true, processes = 2 })))]]
check.equal("in a script", program.succeed("a script", { "run", script }), "[[1], [2], [3]]\n")
check.is_true("JSON is read back", core.json_decode(made:json(), "table"))

check.done()
