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
        .. "(read as attributes of jobs: 'map_tasks', 'reduce_tasks')",
    ["arrival,map,reduces\n1,4,1\n"] = ":1: unknown column 'reduces' (did you mean 'maps' for "
        .. "'map'?)",
} do
    local path = file("columns.csv", text)
    program.fails(text, { "simulate", "--workload", "csv:" .. path, "--policy", "fifo" }, 2,
        path .. reason)
end
local batch = file("batch.csv", "maps,reduces,when\n4,1,0\n")
program.succeed("a batch that is asked for", { "simulate", "--workload", "csv:" .. batch,
    "--model", "makespan", "--policy", "fifo", "--quiet" })

check.done()
