-- Sweeps: the grid, its cells as comparisons on common random numbers, rows in long form, figures;
-- from inside and from the command line.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"

local work = pinion.workload.zheng { slots = 60, seed = 4 }
local swept = pinion.sweep {
    machines = 100, workload = work, policies = { "fifo", "asrpt" }, replicas = 3,
    baseline = "asrpt", quiet = true,
    over = { machines = { 90, 110 }, ["workload.rate"] = { 1, 1.5, 2 } },
}
check.equal("axes in sorted order", swept.over[1].name .. " " .. swept.over[2].name,
    "machines workload.rate")
check.equal("a row per cell and policy", #swept.rows, 12)
local order = {}
for i, row in ipairs(swept.rows) do
    order[i] = string.format("%d %g %s", row.machines, row["workload.rate"], row.policy)
end
check.equal("the last axis varies fastest", table.concat(order, ", "),
    "90 1 fifo, 90 1 asrpt, 90 1.5 fifo, 90 1.5 asrpt, 90 2 fifo, 90 2 asrpt, "
    .. "110 1 fifo, 110 1 asrpt, 110 1.5 fifo, 110 1.5 asrpt, 110 2 fifo, 110 2 asrpt")
local cell = pinion.compare { machines = 110, workload = "zheng:0,slots=60,seed=4,rate=1.5",
    policies = { "fifo", "asrpt" }, replicas = 3, baseline = "asrpt", quiet = true }
for k, field in ipairs { "mean_flow_time", "mean_flow_time_half", "mean_flow_time_sd",
        "efficiency_ratio", "difference", "difference_half", "relative", "p99", "max", "digest",
        "finished" } do
    check.equal("a cell is a comparison: " .. field, swept.rows[9][field], cell.rows[1][field])
    if k < 4 then
        check.is_true("another cell is another: " .. field,
            swept.rows[7][field] ~= cell.rows[1][field])
    end
end
check.equal("a relaxation of nothing", swept.rows[1].relaxed, false)
check.equal("wins", swept.rows[9].wins, cell.rows[1].wins)

local ordered = pinion.sweep { machines = 100, workload = work, policies = { "fifo" }, quiet = true,
    over = { { "workload.rate", { 2, 1 } }, { "machines", { 100, 50 } } } }
check.equal("an array keeps its order", ordered.rows[2]["workload.rate"] .. " "
    .. ordered.rows[2].machines, "2 50")
check.equal("one replica", ordered.rows[1].mean_flow_time,
    pinion.run { machines = 100, workload = work, policy = "fifo", quiet = true }.mean_flow_time)

-- Whatever can vary does.
local function means(options)
    options.machines, options.quiet = options.machines or 40, true
    options.policies = options.policies or { "idx" }
    local found = {}
    for i, row in ipairs(pinion.sweep(options).rows) do found[i] = row.mean_flow_time end
    return found
end
local function differ(name, found, count)
    check.equal("cells of " .. name, #found, count)
    for i = 2, #found do
        check.is_true(string.format("%s: cell %d differs", name, i), found[i] ~= found[1])
    end
end
differ("params", means { workload = work, over = { ["params.wm"] = { 1, -3, 9 } } }, 3)
differ("error", means { workload = work, over = { error = { 1, "lognormal(1,2)" } } }, 2)
differ("warmup", means { workload = work, over = { warmup = { 0, "20slots", { slots = 40 } } } }, 3)
differ("reduce", means { workload = work, over = { reduce = { "preemptive", "nonpreemptive" } } },
    2)
differ("seed", means { workload = work, over = { seed = { 1, 2 } } }, 2)
differ("until_slot", means { workload = work, over = { until_slot = { 20, 60 } } }, 2)
differ("workloads", means { over = { workload = { "zheng:0,slots=50", work } } }, 2)
differ("workloads and their options",
    means { over = { workload = { "zheng:0,slots=50", "zheng:1,slots=50" },
    ["workload.rate"] = { 1, 2 } } }, 4)
differ("a setting of a generator",
    means { workload = "zheng:0,slots=50", over = { ["workload.setting"] = { 0, 3 } } }, 2)
local same = means { workload = work, policies = { "fifo" },
    over = { error = { "constant(1)", "lognormal(1,2)" } } }
check.equal("cells see the same random numbers", same[1], same[2])

-- csv, json, text.
local directory = check.directory()
swept:csv(directory .. "/s.csv")
local csv = check.read_file(directory .. "/s.csv")
check.matches("csv", csv,
    "^machines,workload%.rate,policy,replicas,finished,mean_flow_time,[^\n]*\n"
    .. "90,1,fifo,3,%d+,[^\n]*\n90,1,asrpt,3,")
check.equal("lines of csv", select(2, csv:gsub("\n", "")), 13)
swept:json(directory .. "/s.json")
local json = core.json_decode(check.read_file(directory .. "/s.json"), "s.json")
check.equal("rows of json", #json.rows, 12)
check.equal("a value in json", json.rows[12]["workload.rate"], 2)
check.equal("a mean in json", json.rows[9].mean_flow_time, cell.rows[1].mean_flow_time)
check.equal("axes in json", json.over[1].name, "machines")
local text = tostring(swept)
check.matches("text", text, "\nmachines  workload%.rate  policy ")
check.contains("title", text, "nonpreemptive reduces, zheng")
for line in text:gmatch "[^\n]+" do check.is_true("fits: " .. line, utf8.len(line) <= 120) end

-- ---- ranges -------------------------------------------------------------------------------------

local function values_of(...)
    local found = pinion.sweep { machines = 40, workload = "zheng:0,slots=5", policies = { "fifo" },
        quiet = true, over = { machines = { ... } } }.over[1].values
    return table.concat(found, " ")
end
check.equal("a range", values_of "5..9", "5 6 7 8 9")
check.equal("a step", values_of("7", "10..100:40"), "7 10 50 90")
check.equal("equal ratios", values_of "1..1000:log5", "1 6 32 178 1000")
check.equal("equal ratios that are the same integer", values_of "1..3:log9", "1 2 3")
local range = require "pinion.base.range"
check.equal("decimals are exact", table.concat(range.read("0.1..0.7:0.1", 9), " "),
    "0.1 0.2 0.3 0.4 0.5 0.6 0.7")
check.equal("ratios of decimals", table.concat(range.read("0.5..8.0:log5", 9), " "),
    "0.5 1.0 2.0 4.0 8.0")
check.equal("other texts are none", range.read("../jobs.csv", 9), nil)
check.contains("in the title", program.succeed("a range on the command line", { "sweep",
    "--workload", "zheng:0,slots=5", "--over", "machines=10..30:10", "--policies", "fifo",
    "--format", "csv" }), "\n30,fifo,")

-- ---- parameters that not all policies have, and rows compared across cells ----------------------

local mine = program.file("mine.lua", [[
return { name = "mine", model = "slotted", params = { q = { default = 1, min = 1, doc = "units" },
    late = { default = 0, min = 0, doc = "of a slot" } },
  key = { changes = "served", of = function(s, job)
    return s:remaining(job) // s.params.q + s.params.late * s:arrival(job) end } }
]])
local function tuned(baseline, over)
    return pinion.sweep { machines = 100, workload = work, quiet = true, replicas = 3,
        policies = { "fifo", mine, { mine, q = 4, as = "four" } }, baseline = baseline,
        over = over or { ["params.q"] = { 1, 40 } } }
end
local once = tuned()
order = {}
for i, row in ipairs(once.rows) do
    order[i] = tostring(row["params.q"]) .. " " .. row.policy:gsub(".*/", "")
end
check.equal("who does not have the parameter runs once", table.concat(order, ", "),
    "nil fifo, 1 mine.lua, nil four, 40 mine.lua")
local apart = pinion.compare { machines = 100, workload = work, quiet = true, replicas = 3,
    policies = { "fifo", { mine, q = 40 }, mine } }
check.equal("compared with a row of another cell", once.rows[4].difference,
    apart.rows[2].difference)
check.equal("its wins", once.rows[4].wins, apart.rows[2].wins)
check.equal("the baseline's label", once.rows[4].baseline, "fifo")
check.matches("its line in the text", tostring(once), "\n *%- +fifo ")

local against = tuned { ["params.q"] = 1 }
apart = pinion.compare { machines = 100, workload = work, quiet = true, replicas = 3,
    policies = { mine, { mine, q = 40 } } }
check.equal("values as the baseline", against.baseline, "params.q=1")
check.equal("a policy beside itself elsewhere", against.rows[4].difference,
    apart.rows[2].difference)
check.equal("who has no such value is compared with itself", against.rows[1].difference, nil)
check.equal("a text", tuned("params.q=1").rows[4].difference, apart.rows[2].difference)
check.equal("a policy and a value", tuned(mine .. ",params.q=1").rows[4].difference,
    apart.rows[2].difference)
check.equal("the same in a table", tuned({ policy = mine, ["params.q"] = 1 }).rows[1].difference,
    -pinion.compare { machines = 100, workload = work, quiet = true, replicas = 3,
        policies = { "fifo", mine } }.rows[2].difference)
local both = tuned(nil, { ["params.q"] = { 1, 2 }, ["params.late"] = { 0, 3 } })
check.equal("two parameters: rows", #both.rows, 1 + 4 + 2)
local file = directory .. "/once."
once:csv(file .. "csv")
check.matches("no value in csv", check.read_file(file .. "csv"), "\n,fifo,3,")
once:json(file .. "json")
check.contains("null in JSON", check.read_file(file .. "json"), '"params.q": null')
local function missing(expected, baseline, over)
    check.raises("baseline " .. tostring(baseline), expected, tuned, baseline, over)
end
missing("baseline: params.q: '7' is not among its values (1, 40)", "params.q=7")
missing("baseline: machnes does not vary (did you mean 'machines'?)", "machnes=5",
    { machines = { 5, 6 }, ["params.q"] = { 1 } })
missing("baseline: workload.rate=1: the jobs are other ones there", "workload.rate=1",
    { ["workload.rate"] = { 1, 2 } })

-- Figures.
if os.execute "command -v gnuplot >/dev/null 2>&1" then
    check.equal("lines",
        swept:plot(directory .. "/lines.svg",
        { kind = "lines", x = "workload.rate", of = "mean_flow_time" }), true)
    local svg = check.read_file(directory .. "/lines.svg")
    check.contains("the axis says what it is", svg, "rate (mean arrivals per slot)")
    check.contains("… and its unit", svg, "mean flow time (slots)")
    check.contains("cells that are neither are panels of their own", svg, ">machines 90<")
    local script = check.read_file(directory .. "/lines.gp")
    check.contains("curves differ in their marks", script, "pointtype 5")
    check.contains("intervals", script, "with yerrorbars")
    check.equal("no mark of size 0, which not every reader of SVG takes",
        script:find("pointsize 0 ", 1, true), nil)
    check.equal("chosen cells only",
        swept:plot(directory .. "/one.svg",
        { x = "workload.rate", of = "p99", where = { machines = 110 }, log_x = true,
        log_y = true }), true)
    check.contains("a policy by its name alone", check.read_file(directory .. "/one.svg"),
        ">asrpt<")
    check.contains("logarithmic", check.read_file(directory .. "/one.gp"), "set logscale x")
    local words = pinion.sweep { machines = 40, workload = work, policies = { "asrpt" },
        quiet = true, replicas = 2, over = { error = { "constant(1)", "exp(1)" } } }
    check.equal("values that are no numbers", words:plot(directory .. "/words.svg"), true)
    check.contains("stand at the axis", check.read_file(directory .. "/words.svg"), "constant(1)")
    local compared = pinion.compare { machines = 100, workload = work,
        policies = { "fifo", "srpt" }, replicas = 12, quiet = true }
    check.equal("convergence over replicas",
        compared:plot(directory .. "/replicas.svg", { kind = "convergence" }), true)
    check.contains("so far", check.read_file(directory .. "/replicas.svg"),
        "mean flow time so far (slots)")
    check.contains("with a band", check.read_file(directory .. "/replicas.gp"), "with filledcurves")
    local result = pinion.run { machines = 100, workload = work, policy = "fifo", quiet = true }
    check.equal("convergence over jobs",
        result:plot(directory .. "/jobs.svg", { kind = "convergence" }), true)
    check.contains("over jobs", check.read_file(directory .. "/jobs.svg"), "jobs finished")
    check.equal("the distribution of one result", result:plot(directory .. "/cdf.svg"), true)
    check.equal("on an axis as asked for", result:plot(directory .. "/cdf.svg", { log_x = true })
        and check.read_file(directory .. "/cdf.gp"):match "set logscale x", "set logscale x")
else
    print "left out: no gnuplot"
end

-- Mistakes are found before the first run.
local function mistake(over, more)
    return function()
        local options = { machines = 40, workload = work, policies = { "fifo" }, over = over,
            quiet = true }
        for name, value in pairs(more or {}) do options[name] = value end
        pinion.sweep(options)
    end
end
local MISTAKES = {
    ["over: is required"] = mistake(nil),
    ["over: must be a table of what varies, such as { machines = { 50, 100 } }, got an object"] =
        mistake {},
    ["over: must be a table of what varies, such as { machines = { 50, 100 } }, got 5"] =
        mistake(5),
    ["over.machines: must be an array of values, got 5"] = mistake { machines = 5 },
    ["over.machines: must be an array of values, got an object"] = mistake { machines = {} },
    ["over.machines: must be an integer in 1..16777216, got 0"] = mistake { machines = { 50, 0 } },
    ["over.machines: has the value 50 twice"] = mistake { machines = { 50, 50 } },
    ["over.machines[2]: must be a number or a string, got true"] =
        mistake { machines = { 50, true } },
    ["over.machnes: cannot be varied (did you mean 'machines'?)"] = mistake { machnes = { 50 } },
    ["over.machines: is given twice"] = mistake { { "machines", { 1 } }, { "machines", { 2 } } },
    ["over[1]: must be { name, values }, got 3"] = mistake { 3 },
    ["over.params.wm: policy 'fifo' has no such parameter (it has: none)"] =
        mistake { ["params.wm"] = { 1 } },
    ["over.params.wx: unknown parameter"] = mistake { ["params.wx"] = { 1 } },
    ["over.workload.rat: unknown option (did you mean 'rate'?)"] =
        mistake { ["workload.rat"] = { 1 } },
    ["over.workload.rate: must be a number > 0"] = mistake { ["workload.rate"] = { 1, -1 } },
    ["over.workload.rate: unknown option (known: arrivals, group, load, load_by, replicas, "
        .. "resample)"] =
        mistake({ ["workload.rate"] = { 1 } }, { workload = { { arrival = 1, maps = 1 } } }),
    ["over.error: unknown distribution 'lognorm' (did you mean 'lognormal'?)"] =
        mistake { error = { "lognorm(1,1)" } },
    ["over.reduce: must be preemptive or nonpreemptive, got 'preemptve'"] =
        mistake { reduce = { "preemptve" } },
    ["policy 'dsrpt' is not defined for reduce=nonpreemptive"] =
        mistake({ reduce = { "preemptive", "nonpreemptive" } },
        { policies = { "dsrpt" }, reduce = "preemptive" }),
    ["replicas must be 1 for a fixed workload"] = mistake({ machines = { 1, 2 } },
        { replicas = 2, workload = { { arrival = 1, maps = 1 } } }),
    ["plot: x: 'rate' does not vary"] = function() swept:plot("x.svg", { x = "rate" }) end,
    ["plot: kind must be lines or heat, got 'pie'"] = function()
        swept:plot("x.svg", { kind = "pie" })
    end,
    ["plot: of must be"] = function() swept:plot("x.svg", { of = "flow" }) end,
    ["plot: where: machines has no value 7"] =
        function() swept:plot("x.svg", { x = "workload.rate", where = { machines = 7 } }) end,
    ["plot: where: machines is the axis of the figure"] =
        function() swept:plot("x.svg", { x = "machines", where = { machines = 90 } }) end,
    ["plot: xx: unknown option"] = function() swept:plot("x.svg", { xx = 1 }) end,
    ["plot: file name must end in .svg, .png or .pdf, got 'x.gif'"] = function() swept:plot "x.gif"
        end,
}
for message, make in pairs(MISTAKES) do
    check.raises(message, message, make)
    local _, problem = pcall(make)
    check.matches("place of " .. message, tostring(problem), "sweep%.lua:%d+: ")
end

-- The command line.
local function run(...)
    return program.run { "sweep", "--workload", "zheng:0,slots=40", "--policies", "fifo,asrpt",
        "--quiet", ... }
end
local alone
for _, processes in ipairs { "1", "2", "5" } do
    local output, messages,
        code = run("--over", "machines=90,110", "--over", "error=constant(1),lognormal(1,0.5)",
        "--replicas", "3", "--processes", processes, "--format", "json")
    check.equal("exit code", code, 0)
    check.equal("silence", messages, "")
    alone = alone or output
    check.equal("the same from " .. processes .. " processes", output, alone)
end
local decoded = core.json_decode(alone, "sweep")
check.equal("commas inside parentheses do not split", decoded.over[2].values[2], "lognormal(1,0.5)")
check.equal("axes as given", decoded.over[1].name, "machines")
check.equal("rows", #decoded.rows, 8)
check.matches("csv on the command line", run("--over", "workload.rate=1,2", "--format", "csv"),
    "^workload%.rate,policy,replicas,[^\n]*\n1,fifo,1,")
check.matches("table on the command line",
    run("--over", "params.wm=1,2", "--param", "wr=3", "--policies", "idx", "--format", "table"),
    "\nparams%.wm  policy ")
check.matches("cells of one workload tell its jobs",
    run("--over", "machines=90,110", "--format", "table"),
    "\n%d+ jobs, seed %d+\none replica, [^\n]+\nflow times in slots; vs fifo: [^\n]+\n"
    .. "ratio: [^\n]+\n$")
check.matches("cells of several do not", run("--over", "workload.rate=1,2", "--format", "table"),
    "\n\nseed %d+\none replica, [^\n]+\nflow times in slots; ")
local drawn = program.file "drawn.svg"
run("--over", "machines=90,110", "--plot", drawn, "--of", "p90")
check.contains("--plot", check.read_file((drawn:gsub("svg$", "gp"))),
    "90th percentile of flow time (slots)")

local WRONG = {
    { {}, "pinion: --over is missing (such as --over machines=50,100)\n" },
    { { "--over", "machines" }, "pinion: --over: expected NAME=VALUE,VALUE,…, got 'machines'\n" },
    { { "--over", "machines=5,,6" }, "pinion: --over: an empty value in 'machines=5,,6'\n" },
    { { "--over", "machines=5,x" },
        "pinion: over.machines: must be an integer in 1..16777216, got 'x'\n" },
    { { "--over", "rate=1,2" },
        "pinion: over.rate: cannot be varied (did you mean 'workload.rate'?)\n" },
    { { "--over", "speed=1" }, "pinion: over.speed: cannot be varied (did you mean 'seed'?)\n" },
    { { "--over", "machines=5", "--x", "machines" },
        "pinion: --x: needs --plot FILE\n" },
    { { "--over", "machines=5", "--plot", "x.gif" },
        "pinion: plot: file name must end in .svg, .png or .pdf, got 'x.gif'\n" },
    { { "--over", "machines=5", "--plot", "x.svg", "--of", "speed" }, "pinion: plot: of must be " },
}
for _, wrong in ipairs(WRONG) do
    local output, messages, code = run(table.unpack(wrong[1]))
    local name = table.concat(wrong[1], " ")
    check.equal("exit code of " .. name, code, 2)
    check.contains("message of " .. name, messages, wrong[2])
    check.equal("no result of " .. name, output, "")
end

-- Growth is counted over the cells; names stand for the first few.
local _, growing = program.run { "sweep", "--workload", "zheng:0,slots=1500", "--policies", "fifo",
    "--over", "machines=75,110", "--format", "csv" }
check.contains("growing cells are named", growing,
    "pinion: 1 of 2 rows (fifo machines=75): the number of jobs was still growing")

check.done()
