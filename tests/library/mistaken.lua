-- A file that stands where another kind of file belongs: the message says what was meant, and doing
-- so works.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"
local program = require "program"

local file = program.file
local ROW = "1 0 0 5 2" .. (" -1"):rep(13) .. "\n"
local TASK = "600000001,,7,0,,%d,u,2,,,,,\n"

local CSV = file("jobs.csv", "arrival,maps\n1,4\n")
local SWIM = file("Trace.TSV", "job0\t5\t5\t100000000\t20000000\t3000000\n")
local SWF = file("log.swf", ROW)
local GOOGLE = file("task_events.csv", TASK:format(0) .. TASK:format(1) .. TASK:format(4))
local SCENARIO = file("s.json", -- a short name: messages cut long ones
    '{ "model": "slotted", "machines": 2, "jobs": [ { "arrival": 1, "maps": 3 } ] }')
local POLICY = file("mine.lua", [[
return { name = "mine", model = "slotted",
    key = { changes = "arrival", of = function(s, job) return job end } }]])
local WORKLOAD = file("daily.lua", [[
return { name = "daily", model = "slotted",
    generate = function(g) g:job { arrival = 1, maps = 2 } end }]])
local SCRIPT = file("script.lua", [[local pinion = require "pinion"
print(pinion.version)]])

local function packed(path)
    assert(os.execute("gzip -kf '" .. path .. "'"))
    return path .. ".gz"
end

local READERS = { { CSV, "csv" }, { packed(CSV), "csv" }, { SWIM, "swim" },
    { packed(SWIM), "swim" }, { SWF, "swf" }, { packed(SWF), "swf" }, { GOOGLE, "google" },
    { packed(GOOGLE), "google" } }

-- ---- in place of a scenario ---------------------------------------------------------------------

local function meant(command, path, hint, ...)
    program.fails(command .. " " .. path, { command, path, ... }, 2,
        path .. ": expected a scenario (did you mean " .. hint .. "?)")
end

for _, reader in ipairs(READERS) do
    local path, spec = reader[1], reader[2] .. ":" .. reader[1]
    meant("simulate", path, "--workload " .. spec, "--policy", "fifo")
    meant("compare", path, "--workload " .. spec)
    program.succeed(spec, { "simulate", "--workload", spec, "--policy", "fifo", "--quiet" })
end
meant("simulate", WORKLOAD, "--workload " .. WORKLOAD, "--policy", "fifo")
meant("simulate", POLICY, "--policy " .. POLICY)
meant("compare", POLICY, "--policies " .. POLICY)
meant("sweep", POLICY, "--policies " .. POLICY, "--over", "machines=1,2")
meant("simulate", SCRIPT, "pinion run " .. SCRIPT)

local missing = program.directory .. "/none.swf"
program.fails("a file that is not there", { "simulate", missing }, 2,
    missing .. ": No such file or directory")
local disguised = file("scenario.csv", check.read_file(SCENARIO))
program.succeed("a scenario by another name", { "simulate", disguised, "--policy", "fifo",
    "--quiet" })
local nothing = file("nothing.lua", "return 3")
check.contains("a file of Lua that is nothing known",
    select(2, program.run { "simulate", nothing }), "(expected JSON)")

-- ---- in place of a workload ---------------------------------------------------------------------

for _, reader in ipairs(READERS) do
    local path = reader[1]
    for _, options in ipairs { "", ",jobs=3" } do
        -- names that are long are cut where they are quoted
        check.contains("no kind: " .. path .. options,
            select(2, program.run { "workload", path .. options }),
            string.format("(did you mean '%s:%s'?)", reader[2], path .. options))
    end
end
program.fails("a comma in the name", { "workload", "a,b.tsv" }, 2,
    "pinion: unknown workload 'a,b.tsv' (did you mean 'swim:a,b.tsv'?)")
program.fails("a packed history", { "workload", "jobs.json.gz" }, 2,
    "pinion: unknown workload 'jobs.json.gz' (did you mean 'rumen:jobs.json.gz'?)")
program.fails("a scenario", { "compare", "--workload", SCENARIO }, 2,
    "pinion: unknown workload '" .. SCENARIO
        .. "' (expected a SPEC; a scenario file is an argument of its own, without --workload)")
program.fails("a policy", { "compare", "--workload", POLICY .. ",load=.8" }, 2, POLICY
    .. ": is a policy (expected a workload, which has `generate`; did you mean --policy " .. POLICY
    .. "?)")
check.raises("a policy's text",
    "workload: is a policy (expected a workload, which has `generate`)",
    pinion.workload.script, check.read_file(POLICY))

-- What is neither says what is wrong with it.
local broken = file("broken.lua", "return { name = 'x', model = 'slotted', generate = 3 }")
check.contains("a broken workload", select(2, program.run { "workload", broken }), "generate")
check.is_true("which is no policy",
    not select(2, program.run { "workload", broken }):find "is a policy")

-- ---- in place of a policy -----------------------------------------------------------------------

local is_workload = WORKLOAD .. ": is a workload (expected a policy; did you mean --workload "
    .. WORKLOAD .. "?)"
program.fails("--policy", { "simulate", SCENARIO, "--policy", WORKLOAD }, 2, is_workload)
program.fails("--policies", { "compare", SCENARIO, "--policies", "fifo," .. WORKLOAD }, 2,
    is_workload)
check.raises("in a script", is_workload, pinion.run,
    { workload = { { arrival = 1, maps = 2 } }, machines = 1, policy = WORKLOAD })

-- ---- csv files with other signs between columns -------------------------------------------------

for name, case in pairs { semicolons = { ";", "tr ';' ," }, tabs = { "\t", "tr '\\t' ," } } do
    for _, header in ipairs { "arrival,maps,priority", "submit,map_ms,maps", " maps , arrival " } do
        local path = file(name .. ".csv", (header .. "\n1,40,3\n"):gsub(",", case[1]) .. "")
        program.fails(name, { "workload", "csv:" .. path }, 2, string.format(
            "%s:1: columns are separated by %s (expected commas; if no cell holds one: "
            .. "%s <FILE >NEW)", path, name, case[2]))
    end
end
-- What the message says makes it a file that is read.
local semicolons = file("semicolons.csv", "arrival;maps\n1;40\n")
assert(os.execute(string.format("tr ';' , <'%s' >'%s.new'", semicolons, semicolons)))
program.succeed("with commas", { "workload", "csv:" .. semicolons .. ".new" })
check.contains("a header of nothing known",
    select(2, program.run { "workload", "csv:" .. file("odd.csv", "a;b\n1;2\n") }),
    "column 'a;b' must be a name")
check.contains("one that is known", select(2, program.run { "workload", "csv:"
    .. file("odd.csv", "arrival,a;maps\n1,2\n") }), "column 'a;maps'")

-- ---- csv files whose columns have other names ---------------------------------------------------

for text, reason in pairs {
    ["submit_time,maps,reduces\n0,4,1\n"] = ":1: no column 'arrival' (slotted, tandem) or 'submit' "
        .. "(cluster) (did you mean one of them for 'submit_time'? --model makespan reads jobs "
        .. "without times)",
    ["time,maps,when\n0,4,1\n"] = ":1: no column 'arrival' (slotted, tandem) or "
        .. "'submit' (cluster) "
        .. "(did you mean one of them for 'time', 'when'? --model makespan reads jobs without "
        .. "times)",
    ["arrival,map_tasks,reduce_tasks\n1,4,1\n"] = ":2: has no work: maps and reduces are all 0 "
        .. "(read as attributes of jobs: 'map_tasks', 'reduce_tasks'; did you mean 'maps', "
        .. "'reduces'?)",
    ["arrival,work,width\n1,4,1\n"] = ":2: has no work: maps and reduces are all 0 "
        .. "(read as attributes of jobs: 'width', 'work')",
    ["arrival,map,reduces\n1,4,1\n"] = ":1: unknown column 'reduces' (did you mean 'maps' for "
        .. "'map'?)",
} do
    local path = file("columns.csv", text)
    program.fails(text, { "simulate", "--workload", "csv:" .. path, "--policy", "fifo" }, 2,
        path .. reason)
end
for model, reason in pairs {
    slotted = "no column 'arrival' (did you mean it for 'submit_time'? expected a header such as "
        .. "arrival,maps,reduces)",
    cluster = "no column 'submit' (did you mean it for 'submit_time'? expected a header such as "
        .. "submit,maps,reduces,map_ms,reduce_ms)",
} do
    local path = file("times.csv", "submit_time,maps,reduces\n0,4,1\n")
    program.fails("with a model", { "simulate", "--workload", "csv:" .. path, "--model", model,
        "--policy", "fifo" }, 2, path .. ":1: " .. reason)
end
local batch = file("batch.csv", "maps,reduces,when\n4,1,0\n")
program.succeed("a batch that is asked for", { "simulate", "--workload", "csv:" .. batch,
    "--model", "makespan", "--policy", "fifo", "--quiet" })

-- ---- what stands at the wrong place -------------------------------------------------------------

local ZHENG = { "--workload", "zheng:0" }
local function says(arguments, part)
    local output, messages, code = program.run(arguments)
    check.equal("exit code of " .. part, code, 2)
    check.equal("no result of " .. part, output, "")
    check.contains(table.concat(arguments, " "), messages, part)
end

says({ "simulate", "zheng:0", "--policy", "fifo" },
    "zheng:0: No such file (did you mean --workload zheng:0?)")
says(program.joined({ "compare", "asrpt", "--policies", "fifo" }, ZHENG),
    "'asrpt' is a policy (separate names by commas: --policies fifo,asrpt)")
says(program.joined({ "compare", SCENARIO, "--policies", "fifo" }, ZHENG),
    "give either a scenario file or --workload, not both")
says(program.joined({ "compare", "--slots", "100" }, ZHENG),
    "unknown option '--slots' (an option of the workload: --workload zheng:0,slots=100)")
says(program.joined({ "compare", "--seed", "-1" }, ZHENG),
    "--seed: must be an integer >= 0, got -1")
says(program.joined({ "compare", "--policies", "fifo,las" }, ZHENG),
    "(only for preemptive: --set reduce=preemptive)")
says(program.joined({ "compare", "--policies", "fifo,asrpt", "--param", "x=3" }, ZHENG),
    "--param x: unknown parameter (the policies have none)")
says(program.joined({ "compare", "--policies", "fifo,idx", "--param", "x=3" }, ZHENG),
    "--param x: unknown parameter (known: wm, wr, wc, wn)")
says({ "run", POLICY }, POLICY .. ": is a policy (did you mean --policies " .. POLICY .. "?)")
says({ "policies", "nosuch" }, "known: slotted: fifo, ")
says({ "simulate", file("comma.json", '{ "model": "slotted", "machines": 2, }') },
    "a comma before } (expected none behind the last field)")
says({ "simulate", file("list.json", '{ "model": "slotted", "machines": 2, "jobs": [{},] }') },
    "unexpected ] (expected a value, and no comma behind the last one)")
says({ "simulate", file("stage.json", '{ "model": "dag", "resources": ["cpu"], "nodes": "1x1", '
    .. '"jobs": [ { "arrival": 0, "stages": [ { "tasks": 1, "duration": 1, "demand": [1], '
    .. '"parents": [1] } ] } ] }'), "--policy", "fifo" },
    "parents: must be empty in the only stage of a job (stages count from 0)")
local no_return = file("no_return.lua", "{ name = 'x', model = 'slotted' }")
says({ "simulate", SCENARIO, "--policy", no_return },
    "(a policy begins with return {)")

local function key_of(body)
    return file("key.lua", "return { name = 'x', model = 'slotted', "
        .. "params = { w = { default = 1 } }, "
        .. "key = { changes = 'arrival', of = function(s, job) return " .. body .. " end } }")
end
local function fails_with(body, part)
    check.contains(part, select(2, program.run { "simulate", SCENARIO, "--policy", key_of(body) }),
        part)
end
program.succeed("a parameter without doc", { "simulate", SCENARIO, "--policy", key_of "job",
    "--quiet" })
fails_with("job.arrival", "(a job is a number; use s:arrival(job))")
fails_with("s.now", "the view has no 'now' (did you mean 'slot'?)")
says({ "simulate", SCENARIO, "--policy", key_of "job", "--param", "w=0.5" },
    "must be an integer, got 0.5 (default = 1.0 in the policy allows real numbers)")
check.raises("a policy's text in place of its name",
    "policy: is the text of a policy (expected pinion.policy [[ text ]])", pinion.run,
    { workload = "zheng:0", policy = check.read_file(POLICY) })
check.raises("on one line, before any other mistake", "policy: is the text of a policy",
    pinion.run, { model = "nomodel", mashines = 1,
        policy = "return { name = 'p', model = 'slotted', slot = function() end }" })
check.raises("among several", "policies[2]: is the text of a policy", pinion.compare,
    { workload = "zheng:0", machines = 9, policies = { "fifo", check.read_file(POLICY) } })
local silent = file("silent.lua",
    "return { name = 's', model = 'slotted', generate = function() end }")
program.fails("a workload without jobs",
    { "simulate", "--workload", silent, "--policy", "fifo" }, 1,
    "pinion: workload '" .. silent .. "' makes no job")

-- ---- what scripts ask results for --------------------------------------------------------------

local made = pinion.compare { machines = 9, workload = "zheng:0,slots=40", quiet = true,
    policies = { "asrpt", "fifo" }, metrics = { late = function() return 1 end } }
local swept = pinion.sweep { workload = "zheng:0,slots=40", policies = { "fifo" }, quiet = true,
    over = { machines = { 9, 10 } } }
local function asks(name, message, f)
    local _, problem = pcall(f)
    check.matches(name .. ", at the script's line", problem, "mistaken.lua:%d+: ")
    check.contains(name, problem, message)
end
asks("a misspelt field", "no such field 'mean_flowtime' (did you mean 'mean_flow_time'?)",
    function() return made.rows[1].mean_flowtime end)
asks("… of a result", "no such field 'Slots' (did you mean 'slots'?)",
    function() return made.rows[1].result.Slots end)
asks("… of a sweep's row", "no such field 'mean_flow_tim' (did you mean 'mean_flow_time'?)",
    function() return swept.rows[1].mean_flow_tim end)
asks("a misspelt method", "no such field 'plott' (did you mean 'plot'?)",
    function() return made:plott() end)
check.equal("a row by its label", made.rows.fifo, made.rows[2])
asks("… misspelt", "rows: no row is of policy 'asrtp' (did you mean 'asrpt'?)",
    function() return made.rows.asrtp end)
asks("… in a sweep", "rows: 2 rows are of policy 'fifo' (expected rows[i])",
    function() return swept.rows.fifo end)
for _, name in ipairs { "difference", "difference_half", "p50_half", "mean_slowdown",
    "mean_flow_time_sd", "gap_exact", "seen", "label", "note" } do
    check.equal("may be missing: " .. name, made.rows[1][name], nil)
end
check.equal("no row there", made.rows[3], nil)
made.rows[1].mean_flowtime = 1
check.equal("a field of the script's own", made.rows[1].mean_flowtime, 1)
check.is_true("what is measured besides", made.rows[1].mean_late == 1)
local text_of = tostring(made)
made:long(file "made.csv")
check.contains("printed as before", text_of, "asrpt")

-- ---- replicas that are all alike ----------------------------------------------------------------

local steady = file("steady.lua", "return { name = 'steady', model = 'slotted', "
    .. "generate = function(g) for i = 1, 9 do g:job { arrival = i, maps = 4 } end end }")
local rumen = file("history.json", check.read_file "tests/data/rumen.json")
local function notices_of(workload)
    return (select(2, program.run { "compare", "--workload", workload, "--replicas", "3",
        "--policies", "fifo,fair", "--format", "csv" }))
end
check.contains("replicas without anything random", notices_of(steady),
    "all 3 replicas are the same")
check.contains("the places of inputs are random", notices_of("rumen:" .. rumen),
    "the means of all 3 replicas are the same, because nothing that this run draws has an effect "
    .. "on them: they have no intervals (--replicas 1 gives the same means; resample=blocks in "
    .. "the workload draws other jobs)")
check.is_true("blocks are random",
    not notices_of("rumen:" .. rumen .. ",resample=blocks"):find "the same")
local alike = pinion.compare { workload = pinion.trace.rumen(rumen), policies = { "fifo", "fair" },
    replicas = 3, quiet = true }
for _, row in ipairs(alike.rows) do
    for _, name in ipairs { "mean_makespan_half", "mean_makespan_sd", "difference_half", "p50_half",
        "relative_half", "wins" } do
        check.equal("nothing of replicas that are the same: " .. name, row[name], nil)
    end
    check.is_true("what differs has an interval", row.locality_half > 0)
end
for workload, hint in pairs {
    [{ { arrival = 1, maps = 2 } }] = "all 3 would be the same; resample=blocks in the workload",
    ["corollary4"] = "(all 3 would be the same)",
} do
    check.contains("nothing is drawn", select(2, pcall(pinion.compare, { workload = workload,
        machines = workload ~= "corollary4" and 2 or nil, replicas = 3,
        model = workload == "corollary4" and "tandem" or nil })), hint)
end
local drawn = notices_of "zheng:0,slots=20"
check.is_true("others differ", not drawn:find "alike")

-- ---- texts that spreadsheets would take for formulas --------------------------------------------

for _, name in ipairs { "=1+1", "+a", "-b", "@c", "'=d", "''=e", "'f", "-5", "plain" } do
    local path = file("formula.json", string.format('{ "model": "slotted", "machines": 2, "jobs": '
        .. '[ { "arrival": 1, "maps": 3, "name": "%s" } ] }', name))
    local csv = program.succeed(name, { "workload", path, "--jobs", "--format", "csv" })
    check.is_true(name .. " is no formula", not csv:find ",[=+@]" and not csv:find ",%-%a")
    check.contains(name .. " is read back", program.succeed(name .. " again", { "workload", "csv:"
        .. file("formula.csv", csv), "--jobs", "--format", "json" }), '"' .. name .. '"')
end

check.done()
