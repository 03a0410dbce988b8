-- The library as a script sees it: runs, comparisons, replicas, figures, and errors at the caller's
-- line.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local KNOWN = table.concat(require("pinion.models").names(), ", ")

local directory = check.directory()
local JOBS = { { arrival = 2, maps = 2 },
    { arrival = 1, maps = 5, reduces = { 4, 4, 2 }, name = "first", group = "g" } }

local result = pinion.run { model = "slotted", machines = 4, reduce = "preemptive",
    policy = "asrpt", workload = JOBS }
check.equal("jobs", #result.jobs, 2)
check.equal("sorted by arrival", result.jobs[1].name, "first")
check.equal("group", result.jobs[1].group, "g")
check.equal("no such job", result.jobs[3], nil)
local seen = {}
for id, job in pairs(result.jobs) do seen[#seen + 1] = id .. "=" .. job.id end
check.equal("pairs goes over the jobs", table.concat(seen, " "), "1=1 2=2")
check.equal("flow time", result.jobs[1].flow_time, result.jobs[1].finish - result.jobs[1].arrival
    + 1)
check.equal("total", result.total_flow_time, result.jobs[1].flow_time + result.jobs[2].flow_time)
check.equal("ratio", result.efficiency_ratio, result.total_flow_time / result.lower_bound)
check.equal("maximum", result:quantile("flow_time", 1),
    math.max(result.jobs[1].flow_time, result.jobs[2].flow_time))
check.equal("quantile of finishes", result:quantile("finish", 1), result.slots)
check.equal("version", result.pinion, pinion.version)
check.contains("as text", tostring(result), "asrpt on 4 machines, preemptive reduces, table\n")
check.equal("groups in order of appearance", tostring(result.groups[1].group)
    .. result.groups[2].group, "nilg")

local work = pinion.workload.zheng { maps = "exp(5)", reduces = "exp(40)", rate = 2, slots = 100,
    seed = 3 }
local same = pinion.workload.spec "zheng:0,slots=100,seed=3"
local function digest(options)
    options.machines = options.machines or 100
    options.policy = options.policy or "asrpt"
    return pinion.run(options).digest
end
local first = digest { workload = work }
check.equal("the same description, the same run", digest { workload = work }, first)
check.equal("a spec says the same", digest { workload = same }, first)
check.equal("a spec string will do", digest { workload = "zheng:0,slots=100,seed=3" }, first)
check.equal("the seed of the run goes over that of the workload",
    digest { workload = same, seed = 4 }, digest { workload = "zheng:0,slots=100,seed=4" })
check.is_true("another replica is another workload",
    digest { workload = work, replica = 1 } ~= first)
-- Reduces are cut into as many tasks as a number or a distribution says.
local function tasks_of(tasks)
    local counts, random = {}, pinion.workload.zheng { tasks = tasks, reduces = 50, slots = 500 }
    for _, job in ipairs(random:jobs()) do
        counts[#job.reduces] = (counts[#job.reduces] or 0) + 1
    end
    return counts
end
local ten, drawn = tasks_of(10), tasks_of "uniform(1,4)"
check.equal("ten tasks", next(ten, (next(ten))), nil)
check.is_true("of a distribution that is a number", tasks_of("constant(10)")[10] == ten[10])
for count = 1, 4 do
    check.is_true("one to four tasks, all equally likely",
        drawn[count] > 200 and drawn[count] < 300)
end
check.equal("not five", drawn[5], nil)
check.equal("parameters at their defaults",
    digest { workload = work, policy = "idx", params = { wm = 1 } },
    digest { workload = work, policy = "idx" })
check.is_true("parameters matter",
    digest { workload = work, policy = "idx", params = { wm = -1, wr = -1 } } ~= digest {
    workload = work, policy = "idx" })
local function aged(aging)
    return digest { workload = work, policy = "srpt_aged", params = { aging = aging } }
end
check.equal("without aging it is dspt", aged(0), digest { workload = work, policy = "dspt" })
check.is_true("aging matters", aged(5) ~= aged(0) and aged(1 << 20) ~= aged(5))
check.equal("no rows when none are kept",
    pinion.run { machines = 9, policy = "fifo", workload = work, keep_jobs = false }.jobs, nil)

local compared = pinion.compare { machines = 100, workload = work,
    policies = { "fifo", "asrpt", "srpt" }, bounds = "tight" }
check.equal("rows", #compared.rows, 3)
check.equal("one replica has no interval", compared.rows[1].mean_flow_time_half, nil)
check.equal("the relaxation meets the bound", compared.rows[3].efficiency_ratio, 1.0)
check.equal("a comparison is its runs", compared.rows[2].mean_flow_time,
    pinion.run { machines = 100, workload = work, policy = "asrpt" }.mean_flow_time)
check.contains("comparison as text", tostring(compared), "srpt (relaxed)")

local replicated = pinion.compare { machines = 100, workload = work, policies = { "fifo", "asrpt" },
    replicas = 5 }
check.is_true("replicas have an interval", replicated.rows[1].mean_flow_time_half > 0)
check.contains("replicas as text", tostring(replicated), "5 replicas")
local sum = 0
for replica = 0, 4 do
    sum = sum + pinion.run { machines = 100, workload = work, policy = "fifo",
        replica = replica }.mean_flow_time
end
check.is_true("mean over replicas", math.abs(replicated.rows[1].mean_flow_time - sum / 5) < 1e-9)

replicated:csv(directory .. "/c.csv")
check.matches("csv of replicas", check.read_file(directory .. "/c.csv"),
    "^policy,replicas,[^\n]+\nfifo,5,[^\n]+\nasrpt,5,[^\n]+\n$")
compared:csv(directory .. "/d.csv")
check.matches("csv", check.read_file(directory .. "/d.csv"),
    "^policy,submitted,[^\n]+\nfifo,[^\n]+\nasrpt,[^\n]+\nsrpt,[^\n]+\n$")

local has_gnuplot = os.execute "command -v gnuplot >/dev/null 2>&1" == true
for _, kind in ipairs { "cdf", "bars" } do
    local path = string.format("%s/it's %s.svg", directory, kind)
    if has_gnuplot then
        check.equal("draws " .. kind, replicated:plot(path, { kind = kind }), true)
        check.contains("draws an svg of " .. kind, check.read_file(path), "<svg")
        check.contains("names the policies in " .. kind, check.read_file(path), "asrpt")
    end
end

-- More curves than colours, and labels that need room.
local names = {}
for _, policy in ipairs(pinion.policies()) do
    if policy.nonpreemptive then names[#names + 1] = policy.name end
end
local many = pinion.compare { machines = 100, workload = work, policies = names, quiet = true }
if has_gnuplot then
    many:plot(directory .. "/many.svg")
    check.contains("the ninth curve has a colour of the first, and dashes",
        check.read_file(directory .. "/many.gp"),
        "data index 8 using 1:2 with steps linewidth 2 linecolor rgb '#0072B2' dashtype (10,5)")
    local one = pinion.compare { machines = 4, workload = { { arrival = 1, maps = 1 } },
        policies = { "fifo" } }
    check.equal("a curve of one job", one:plot(directory .. "/one.svg"), true)
    check.contains("its axis is not empty", check.read_file(directory .. "/one.gp"),
        "set xrange [0.0:1.05]")
end

-- Lists of policies.
check.is_true("policies", #pinion.policies() >= 12)
check.equal("policies of a model", pinion.policies("slotted")[1].model, "slotted")

-- Errors point at the caller's line and name what is wrong.
local MISTAKES = {
    ["workload[1].maps: must be an integer >= 0, got -3"] =
        function() pinion.run { machines = 4, policy = "fifo",
        workload = { { arrival = 1, maps = -3 } } } end,
    ["workload[1].reduces: must be an array of integers >= 0, got an object"] =
        function() pinion.run { machines = 4, policy = "fifo",
        workload = { { arrival = 1, reduces = { x = 1 } } } } end,
    ["workload[1].reduce: unknown field (did you mean 'reduces'?)"] =
        function() pinion.run { machines = 4, policy = "fifo",
        workload = { { arrival = 1, reduce = { 1 } } } } end,
    ["workload[1].reduces: must be an array of integers >= 0, "
        .. "got an array with gaps or named fields"] =
        function() pinion.run { machines = 4, policy = "fifo",
        workload = { { arrival = 1, reduces = { 1, x = 1 } } } } end,
    ["workload[1]: must be an object, got an array"] =
        function() pinion.run { machines = 4, policy = "fifo", workload = { { 1, 5 } } } end,
    ["workload[1].name: must be UTF-8 text"] =
        function() pinion.run { machines = 4, policy = "fifo",
        workload = { { arrival = 1, maps = 1, name = "\xff" } } } end,
    ["workload: must not be empty"] =
        function() pinion.run { machines = 4, policy = "fifo", workload = {} } end,
    ["workload: is required"] = function() pinion.run { machines = 4, policy = "fifo" } end,
    ["machines: is required"] = function() pinion.run { policy = "fifo", workload = work } end,
    ["policy: is required"] = function() pinion.run { machines = 4, workload = work } end,
    ["unknown policy 'asprt' (did you mean 'asrpt'?)"] =
        function() pinion.run { machines = 4, policy = "asprt", workload = work } end,
    ["polcy: unknown option (did you mean 'policy'?)"] =
        function() pinion.run { machines = 4, polcy = "fifo", workload = work } end,
    ["params.wx: unknown parameter (did you mean 'wc'?)"] =
        function() pinion.run { machines = 4, policy = "idx", params = { wx = 1 },
        workload = work } end,
    ["bounds: must be none or fast or tight, got 'all'"] =
        function() pinion.run { machines = 4, policy = "fifo", bounds = "all", workload = work }
        end,
    ["replicas must be 1 for a fixed workload"] =
        function() pinion.compare { machines = 4, workload = JOBS, replicas = 2 } end,
    ["policies: must be an array of policies, got 'fifo'"] =
        function() pinion.compare { machines = 4, workload = work, policies = "fifo" } end,
    ["policy: unknown option"] =
        function() pinion.compare { machines = 4, workload = work, policy = "fifo" } end,
    ["zheng: setting: must be an integer in 0..3, got 7"] =
        function() pinion.workload.zheng { setting = 7 } end,
    ["zheng: mapz: unknown option (did you mean 'maps'?)"] =
        function() pinion.workload.zheng { mapz = 7 } end,
    ["swim: scale: must be a ratio > 0"] = function() pinion.trace.swim("x", { scale = 0 }) end,
    ["swim: expected a table of options, got 3"] = function() pinion.trace.swim("x", 3) end,
    ["swim: file: is the first argument, not an option"] =
        function() pinion.trace.swim("x", { file = "y" }) end,
    ["nosuchfile: cannot open: No such file or directory"] =
        function() pinion.trace.csv "nosuchfile" end,
    ["quantile: q must be a number >= 0 and <= 1, got 2"] =
        function() result:quantile("flow_time", 2) end,
    ["quantile: field must be"] = function() result:quantile("flow", 0.5) end,
    ["plot: file name must end in .svg, .png or .pdf, got 'x.jpg'"] =
        function() compared:plot "x.jpg" end,
    ["plot: kind must be cdf or bars or convergence, got 'pie'"] =
        function() compared:plot("x.svg", { kind = "pie" }) end,
    ["plot: expected a table of options, got 'bars'"] = function() compared:plot("x.svg", "bars")
        end,
    ["plot: title must be a string, got 3"] = function() compared:plot("x.svg", { title = 3 }) end,
    ["plot: no policy has efficiency_ratio_tight here"] =
        function() replicated:plot("x.svg", { kind = "bars", of = "efficiency_ratio_tight" }) end,
    ["plot: no job has finished, so there is nothing to draw"] =
        function() pinion.compare { machines = 1, workload = JOBS, until_slot = 1 }:plot "x.svg"
        end,
    ["plot: expected a table of options, got 3"] = function() result:plot("x.svg", 3) end,
    ["the jobs of a result are read-only"] = function() result.jobs[1] = 1 end,
    ["unknown model 'fluid' (known: " .. KNOWN .. ")"] =
        function() pinion.policies "fluid" end,
}
for message, mistake in pairs(MISTAKES) do
    check.raises(message, message, mistake)
    local _, problem = pcall(mistake)
    check.matches("place of " .. message, tostring(problem), "library%.lua:%d+: ")
end

check.raises("a policy's file name in the place of its text",
    "pinion.policy: 'pol/x.lua' is the name of a file (expected the text of a policy; where a "
        .. "policy is asked for, the name of a file "
        .. "stands by itself: policy = \"pol/x.lua\")", pinion.policy, "pol/x.lua")

check.done()
